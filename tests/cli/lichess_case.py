"""lichess_case.py - what the tests of `tabia lichess` share: the running bot with its files, and what holds after every run."""
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from fake_lichess import SLOW, TOKEN
from uci_driver import PROGRAM, SAFETY

FAST = {
    "connect_timeout_ms": 1000 * SLOW, "request_timeout_ms": 1000 * SLOW, "stream_idle_ms": 500 * SLOW, "backoff_min_ms": 5,
    "backoff_max_ms": 60, "rate_limit_ms": 300, "move_nodes": 1200, "engine.Hash": 1, "engine.OwnBook": "false",
}


def has_lichess():
    return b"lichess" in subprocess.run([PROGRAM, "--help"], capture_output=True, check=False).stdout


class Bot:
    """The running program with a configuration, a token file and a log, all in a folder that goes away."""

    def __init__(self, server, words=(), token_mode=0o600, environment_token=False, **changes):
        self.folder = tempfile.mkdtemp(prefix="tabia-lichess-")
        self.games = os.path.join(self.folder, "games")
        self.log_path = os.path.join(self.folder, "log")
        token_file, config_file = os.path.join(self.folder, "token"), os.path.join(self.folder, "conf")
        with open(token_file, "w", encoding="ascii") as file:
            file.write(TOKEN + "\n")
        os.chmod(token_file, token_mode)
        changes = {key.replace("__", "."): value for key, value in changes.items()}
        patient = {"connect_timeout_ms": 60000, "request_timeout_ms": 60000} if words else {}  # nothing is to time out there
        keys = {**FAST, **patient, "url": server.url, "pgn_folder": self.games, **changes}
        with open(config_file, "w", encoding="utf-8") as file:
            file.writelines(f"{key} = {value}\n" for key, value in keys.items())
        environment = dict(os.environ)
        command = [PROGRAM, "lichess", *words, "--config", config_file]
        if environment_token:
            environment["TABIA_LICHESS_TOKEN"] = TOKEN
        else:
            command += ["--token-file", token_file]
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder)

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def end(self, number=signal.SIGINT):
        """Tells it to leave; the exit status and the log."""
        self.process.send_signal(number)
        return self.join()

    def join(self):
        status = self.process.wait(SAFETY)
        return status, self.log()

    def pgn(self):
        text = ""
        for path in sorted(glob.glob(os.path.join(self.games, "*.pgn"))):
            with open(path, encoding="utf-8") as file:
                text += file.read()
        return text


@unittest.skipUnless(has_lichess(), "this program is built without the bot (libcurl and Jansson)")
class LichessCase(unittest.TestCase):
    def assert_clean(self, server, log):
        self.assertEqual(server.violations, [], log)
        self.assertNotIn(TOKEN, log)
        self.assertNotIn(TOKEN[8:20], log)

    def finish(self, server, bot):
        status, log = bot.end()
        self.assertEqual(status, 0, log)
        self.assert_clean(server, log)
        return log
