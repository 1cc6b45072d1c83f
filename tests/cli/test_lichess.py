"""`tabia lichess`: manners, secrets and the check of the set-up, against a lichess on loopback."""
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import unittest

from fake_lichess import TOKEN, FakeLichess
from lichess_case import Bot, LichessCase
from folder import ROOT
from uci_driver import PROGRAM, SAFETY


class Manners(LichessCase):
    def ask(self, server, game, offer):
        """The opponent offers something on the bot's next turn."""
        def put():
            game.offers = {("b" if game.bot == "white" else "w") + offer: True}
            game.tell(game.state())
            game.tell(game.state())
        server.do(put)

    def test_challenges_are_answered_by_the_rules(self):
        cases = [
            ({}, "accept"),
            ({"variant": {"key": "atomic"}}, "variant"),
            ({"rated": True}, "casual"),
            ({"speed": "bullet"}, "timeControl"),
            ({"timeControl": {"type": "clock", "limit": 30, "increment": 0}}, "tooFast"),
            ({"timeControl": {"type": "clock", "limit": 3000, "increment": 0}}, "tooSlow"),
            ({"challenger": {"id": "b", "name": "B", "title": "BOT", "rating": 1500}}, "noBot"),
            ({"challenger": {"id": "spammer", "name": "Spammer", "rating": 1500}}, "generic"),
            ({"challenger": {"id": "weak", "name": "Weak", "rating": 900}}, "generic"),
        ]
        rules = {"modes": "casual", "speeds": "blitz, rapid", "min_base_s": 60, "max_base_s": 900, "opponents": "human",
                 "block": "Spammer", "min_rating": 1000}
        for changes, answer in cases:
            with self.subTest(answer=answer, changes=changes), FakeLichess() as server, Bot(server, **rules) as bot:
                name = server.challenge(**changes)
                server.wait(lambda name=name, server=server: name in server.answers, f"an answer to {changes}")
                self.assertEqual(server.answers[name], answer)
                if answer == "accept":
                    server.wait(lambda name=name, server=server: name in server.games and server.games[name].over)
                self.finish(server, bot)

    def test_no_more_games_than_allowed(self):
        with FakeLichess() as server, Bot(server, max_games=1) as bot:
            first = server.challenge()
            server.wait(lambda: first in server.games)
            second = server.challenge()
            server.wait(lambda: second in server.answers)
            self.assertEqual(server.answers[second], "later")
            server.wait(lambda: server.games[first].over)
            self.finish(server, bot)

    def test_draws_are_declined_while_the_bot_is_winning(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", opponent="absent")
            server.wait(lambda: len(game.moves) == 1)
            self.ask(server, game, "draw")
            server.wait(lambda: game.asked)
            self.assertEqual(game.asked, ["draw/no"])
            server.do(game.end, "aborted", None)
            self.finish(server, bot)

    def test_level_draws_are_accepted(self):
        rook_ending = "8/5k2/8/8/8/8/5K2/8 w - - 0 60"
        with FakeLichess() as server, Bot(server, draw_moves=1, draw_min_move=1, draw_score=50) as bot:
            game = server.start_game("white", variant="fromPosition", fen=rook_ending, opponent="absent")
            server.wait(lambda: len(game.moves) == 1)
            self.ask(server, game, "draw")
            server.wait(lambda: game.over)
            self.assertEqual((game.status, game.asked), ("draw", ["draw/yes"]))
            self.finish(server, bot)

    def test_takebacks_are_granted_as_often_as_allowed(self):
        with FakeLichess() as server, Bot(server, takebacks=1) as bot:
            game = server.start_game("white", opponent="script", script=["e7e5", "d7d5", "c7c5"])
            server.wait(lambda: len(game.moves) == 7)
            self.ask(server, game, "takeback")
            server.wait(lambda: "takeback/yes" in game.asked)
            server.wait(lambda: len(game.moves) <= 6)
            server.do(lambda: game.play(game.legal()[0][0]))
            server.wait(lambda: len(game.moves) == 7)
            self.ask(server, game, "takeback")
            server.wait(lambda: "takeback/no" in game.asked)
            self.assertEqual(game.asked, ["takeback/yes", "takeback/no"])
            server.do(game.end, "aborted", None)
            self.finish(server, bot)

    def test_a_lost_game_is_resigned_when_that_is_wanted(self):
        fen = "4k3/8/8/8/8/8/qq6/7K w - - 0 1"
        with FakeLichess() as server, Bot(server, resign="true", resign_moves=1) as bot:
            game = server.start_game("white", variant="fromPosition", fen=fen)
            server.wait(lambda: game.over)
            self.assertEqual((game.status, game.asked), ("resign", ["resign"]))
            self.finish(server, bot)

    def test_a_game_that_the_opponent_does_not_begin_is_aborted(self):
        with FakeLichess() as server, Bot(server, abort_after_s=1) as bot:
            game = server.start_game("white", opponent="absent")
            server.wait(lambda: game.over)
            self.assertEqual((game.status, game.asked), ("aborted", ["abort"]))
            self.finish(server, bot)

    def test_the_win_is_claimed_when_the_opponent_has_left(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", opponent="script", script=["e7e5"])
            server.wait(lambda: len(game.moves) == 3)
            server.do(game.tell, {"type": "opponentGone", "gone": True, "claimWinInSeconds": 0})
            server.wait(lambda: game.over)
            self.assertEqual((game.status, game.winner), ("timeout", "white"))
            self.finish(server, bot)

    def test_words_are_said_only_when_asked_for(self):
        for words in ({}, {"greeting": "Hello & good luck!", "goodbye": "Bye"}):
            with FakeLichess() as server, Bot(server, **words) as bot:
                game = server.start_game("white", max_plies=6)
                expected = [("player", "Hello & good luck!"), ("player", "Bye")] if words else []
                server.wait(lambda game=game, count=len(expected): game.over and len(game.chat) >= count)
                self.finish(server, bot)
                self.assertEqual(game.chat, expected)

    def test_looks_for_opponents_within_limits(self):
        with FakeLichess() as server:
            server.online = [{"id": "weakbot", "username": "WeakBot", "title": "BOT", "perfs": {"blitz": {"rating": 900}}},
                             {"id": "tabiabot", "username": "TabiaBot", "title": "BOT", "perfs": {"blitz": {"rating": 2000}}},
                             {"id": "goodbot", "username": "GoodBot", "title": "BOT", "perfs": {"blitz": {"rating": 2000}}}]
            with Bot(server, matchmaking="true", matchmaking_every_s=1, matchmaking_min_rating=1500) as bot:
                server.wait(lambda: server.answers)
                self.assertEqual(list(server.answers), ["goodbot"])
                self.assertEqual(server.answers["goodbot"]["clock.limit"], "180")
                self.finish(server, bot)

    def test_an_interrupt_finishes_the_games(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", max_plies=40)
            server.wait(lambda: len(game.moves) >= 4)
            log = self.finish(server, bot)
            self.assertTrue(game.over, log)
            self.assertNotIn("resign", game.asked)

    def test_an_interrupt_resigns_the_games_by_policy(self):
        with FakeLichess() as server, Bot(server, on_interrupt="resign") as bot:
            game = server.start_game("white", opponent="script", script=["e7e5"])
            server.wait(lambda: len(game.moves) == 3)
            self.finish(server, bot)
            self.assertEqual(game.status, "resign")

    def test_a_second_interrupt_leaves_at_once(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", opponent="absent")
            server.wait(lambda: len(game.moves) == 1)
            bot.process.send_signal(signal.SIGINT)
            bot.process.send_signal(signal.SIGTERM)
            status, log = bot.join()
            self.assertEqual(status, 0)
            self.assertIn(f"{game.id}: left as it stands", log)


class Secrets(LichessCase):
    def test_the_token_is_nowhere_to_be_seen(self):
        for environment in (False, True):
            with FakeLichess() as server, Bot(server, environment_token=environment) as bot:
                game = server.start_game("white", opponent="absent")
                server.wait(lambda game=game: len(game.moves) == 1)
                folder = f"/proc/{bot.process.pid}"
                for name in ("cmdline", "environ"):
                    try:
                        with open(f"{folder}/{name}", "rb") as file:
                            self.assertNotIn(TOKEN.encode(), file.read())
                    except PermissionError:
                        pass  # closed altogether: the process is not dumpable
                listed = subprocess.run(["ps", "auxeww"], capture_output=True, text=True, check=False).stdout
                self.assertNotIn(TOKEN, listed)
                with open(f"{folder}/status", encoding="ascii") as file:
                    self.assertRegex(file.read(), "Name:")
                server.do(game.end, "aborted", None)
                self.finish(server, bot)
                self.assertIn("[Site ", bot.pgn())
                for path in (os.path.join(where, name) for where, _, names in os.walk(bot.folder) for name in names):
                    with open(path, "rb") as file:
                        self.assertEqual(TOKEN.encode() in file.read(), os.path.basename(path) == "token", path)

    def test_a_server_that_repeats_the_token_does_not_bring_it_into_a_report(self):
        with FakeLichess(bot=False) as server:
            server.scripted["/api/account"] = [(404, {"error": f"bad {TOKEN}"}, {})]
            server.scripted["/api/bot/account/upgrade"] = [(400, {"error": f"bad {TOKEN}"}, {})]
            for words in (["check"], ["upgrade", "--yes"]):
                with Bot(server, words=words) as bot:
                    status, log = bot.join()
                    self.assertEqual(status, 1, log)
                    self.assertIn("bad ****", log)
                    self.assertNotIn(TOKEN, log)

    def test_a_server_that_repeats_the_token_does_not_bring_it_into_the_log(self):
        with FakeLichess() as server:
            server.scripted["/api/account"] = [(500, {"error": f"bad {TOKEN}"}, {})]
            with Bot(server) as bot:
                game = server.start_game("white", max_plies=2)
                server.wait(lambda: game.over)
                log = self.finish(server, bot)
                self.assertIn("bad ****", log)

    def test_a_token_file_that_others_may_read_is_refused(self):
        with FakeLichess() as server, Bot(server, token_mode=0o644) as bot:
            status, log = bot.join()
            self.assertEqual(status, 1)
            self.assertIn("chmod 600", log)
            self.assertEqual(server.requests, [])

    def test_a_certificate_that_nobody_signed_is_refused(self):
        if not shutil.which("openssl"):
            self.skipTest("openssl is not installed")
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = folder + "/key.pem", folder + "/cert.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                            "-days", "1", "-subj", "/CN=127.0.0.1"], check=True, capture_output=True)
            with subprocess.Popen(["openssl", "s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as tls:
                line = tls.stdout.readline()
                while line and not line.startswith("ACCEPT"):
                    line = tls.stdout.readline()
                port = line.split(":")[-1].strip()
                fake = type("Server", (), {"url": f"https://127.0.0.1:{port}"})
                with Bot(fake, words=["check"]) as bot:
                    status, log = bot.join()
                tls.kill()
            self.assertEqual(status, 1)
            self.assertRegex(log, "cannot be reached: SSL certificate problem")
            self.assertNotIn(TOKEN, log)


class Check(LichessCase):
    def check(self, server, expected, status=1, **changes):
        with Bot(server, words=["check"], **changes) as bot:
            code, log = bot.join()
            self.assertIn(expected, log)
            self.assertEqual(code, status, log)
            self.assertNotIn(TOKEN, log)
            return log

    def test_a_good_set_up_is_good(self):
        with FakeLichess() as server:
            log = self.check(server, "TabiaBot is a bot", 0, engine__OwnBook="true")
            self.assertRegex(log, "book +ok +knows the start position")
            self.assertEqual({path for _, path, _ in server.requests}, {"/api/account"})

    def test_each_kind_of_wrong_set_up_is_explained(self):
        with FakeLichess() as server:
            self.check(server, ": there is no key 'max_game'; did you mean 'max_games'?", max_game=2)
            self.check(server, "did you mean 'engine.Hash'?", engine__Hsh=2)
            self.check(server, "Hash must be from 1 to ", engine__Hash="much")
            self.check(server, "max_games is a number from 1 to 32, not '0'", max_games=0)
            self.check(server, "variants: there is no 'atomic'", variants="standard, atomic")
            self.check(server, "min_rating is above max_rating", min_rating=2000, max_rating=1000)
            self.check(server, "http would send the token unprotected", url="http://example.org")
            self.check(server, "there are no Syzygy tables", engine__SyzygyPath="/nonexistent")
            self.check(server, "chmod 600", token_mode=0o644)
            self.check(server, "cannot be kept in /dev/null/x", pgn_folder="/dev/null/x")
            self.check(server, "cannot be reached", url="http://127.0.0.1:1")
        with FakeLichess(token="other") as server:
            self.check(server, "does not accept it")
        with FakeLichess(bot=False) as server:
            self.check(server, "is not a bot: `tabia lichess upgrade`")
        with FakeLichess(scopes="challenge:read") as server:
            self.check(server, "has not the permission bot:play")
        with FakeLichess() as server:
            server.scripted["/api/account"] = [503, (200, b"<html>hello</html>", {}), (301, b"", {"Location": "/x"}), 429]
            self.check(server, "is in trouble (status 503)")
            self.check(server, "does not speak as lichess does")
            self.check(server, "only points elsewhere (status 301)")
            self.check(server, "too many requests")

    def test_a_missing_token_is_explained(self):
        environment = {name: value for name, value in os.environ.items() if name != "TABIA_LICHESS_TOKEN"}
        with tempfile.TemporaryDirectory() as folder:
            empty = os.path.join(folder, "empty")
            os.close(os.open(empty, os.O_CREAT, 0o600))
            cases = [([], "no token: give --token-file FILE, or set TABIA_LICHESS_TOKEN"),
                     (["--token-file", "/nonexistent/token"], "the token file /nonexistent/token"),
                     (["--token-file", empty], f"{empty} holds no token")]
            for words, expected in cases:
                for command in ([], ["check"], ["upgrade", "--yes"]):
                    done = subprocess.run([PROGRAM, "lichess", *command, *words, "--url", "http://127.0.0.1:1"], env=environment,
                                          capture_output=True, text=True, check=False, timeout=SAFETY)
                    self.assertIn(expected, done.stdout + done.stderr)
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_upgrading_needs_to_be_said_twice(self):
        with FakeLichess(bot=False) as server:
            with Bot(server, words=["upgrade"]) as bot:
                status, log = bot.join()
                self.assertEqual((status, server.bot), (1, False), log)
            with Bot(server, words=["upgrade", "--yes"]) as bot:
                status, log = bot.join()
                self.assertEqual((status, server.bot), (0, True), log)

    def test_an_account_that_is_no_bot_does_not_play(self):
        with FakeLichess(bot=False) as server, Bot(server) as bot:
            status, log = bot.join()
            self.assertEqual(status, 1)
            self.assertIn("is not a bot's", log)

    def test_the_example_file_is_what_the_program_prints(self):
        printed = subprocess.run([PROGRAM, "lichess", "config"], capture_output=True, check=True).stdout
        with open(os.path.join(ROOT, "data", "lichess.conf.example"), "rb") as file:
            self.assertEqual(file.read(), printed)
        with FakeLichess() as server, tempfile.NamedTemporaryFile(delete=False) as token:
            os.chmod(token.name, stat.S_IRUSR)
            token.write(TOKEN.encode())
            token.close()
            done = subprocess.run([PROGRAM, "lichess", "check", "--config", os.path.join(ROOT, "data", "lichess.conf.example"),
                                   "--token-file", token.name, "--url", server.url], capture_output=True, text=True, check=False)
            os.unlink(token.name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Community(unittest.TestCase):
    def test_the_options_that_other_clients_send_are_accepted(self):
        """What the community's Python client sends by default and what its users add, in the order it does."""
        lines = ["uci", "setoption name Move Overhead value 100", "setoption name Threads value 2",
                 "setoption name Hash value 256", "setoption name Hash value 16",
                 "setoption name SyzygyPath value ", "setoption name UCI_ShowWDL value true",
                 "setoption name Ponder value true", "setoption name UCI_Chess960 value false", "isready", "ucinewgame",
                 "position startpos moves e2e4", "go wtime 60000 btime 60000 winc 0 binc 0 nodes 100", "quit"]
        done = subprocess.run([PROGRAM], input="".join(line + "\n" for line in lines), capture_output=True, text=True,
                              check=False, timeout=SAFETY)
        self.assertIn("readyok", done.stdout)
        self.assertNotRegex(done.stdout + done.stderr, "(?i)error|unknown|no such|refused")
        self.assertRegex(done.stdout, "bestmove [a-h][1-8]")


if __name__ == "__main__":
    unittest.main()
