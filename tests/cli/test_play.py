"""test_play.py - `tabia play` as a person meets it: through a pseudo-terminal, and through pipes."""
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import termios
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABIA = os.environ.get("TABIA", os.path.join(ROOT, "tabia"))
PATIENCE_S = 120
PROMPT = r"(move \d+|quit|goes on)> $"
COLOURS = re.compile(r"\033\[[0-9;?]*[A-Za-z]")


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def environment(self, **changes):
        kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "COLORTERM", "LC_ALL", "LC_CTYPE")}
        kept.update({"TERM": "xterm-256color", "LANG": "C.UTF-8", "XDG_DATA_HOME": self.folder, "USER": "ann"})
        kept.update(changes)
        return kept

    def saved(self, name="tabia/play.pgn"):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()


class Terminal:
    """The program behind a pseudo-terminal. Reads what it shows; every wait has an end."""

    def __init__(self, *arguments, environment):
        self.shown = ""
        self.mark = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(TABIA, [TABIA, "play", *arguments], environment)
        self.status = None

    def wait(self, pattern):
        """Reads until the text since the last wait matches; returns that text without colours."""
        deadline = time.monotonic() + PATIENCE_S
        while not re.search(pattern, self.fresh()):
            ready, _, _ = select.select([self.fd], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise AssertionError(f"'{pattern}' did not come; there is:\n{self.fresh()}")
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                data = b""
            if not data:
                raise AssertionError(f"the program ended before '{pattern}':\n{self.fresh()}")
            self.shown += data.decode("utf-8", "replace")
        text = self.fresh()
        self.mark = len(self.shown)
        return text

    def fresh(self):
        return COLOURS.sub("", self.shown[self.mark:]).replace("\r\n", "\n")

    def type(self, line, pattern=PROMPT):
        """Types a line and waits for what follows, by default the next prompt."""
        os.write(self.fd, (line + "\n").encode())
        return self.wait(pattern)

    def press(self, key):
        os.write(self.fd, termios.tcgetattr(self.fd)[6][key])

    def end(self):
        """Reads to the end; returns the exit code."""
        if self.status is None:
            try:
                while data := os.read(self.fd, 65536):
                    self.shown += data.decode("utf-8", "replace")
            except OSError:
                pass
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.fd)
        return self.status


class AtTheTerminal(Folder):
    def start(self, *arguments, **changes):
        terminal = Terminal("--time", "0.05s", "--hash", "1", *arguments, environment=self.environment(**changes))
        self.addCleanup(terminal.end)
        self.addCleanup(lambda: terminal.status is None and os.kill(terminal.pid, signal.SIGKILL))
        return terminal

    def test_a_game_to_mate_by_hand(self):
        t = self.start("--mode", "manual")
        t.wait(PROMPT)
        for move in ("e4", "e5", "bc4", "nc6", "d1 h5", "Nf6"):
            t.type(move)
        text = t.type("qxf7")
        self.assertIn("1-0: White wins by checkmate.", text)
        self.assertIn("4. Qxf7#", text)
        t.type("quit", "Goodbye")
        self.assertEqual(t.end(), 0)
        self.assertIn("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0", self.saved())

    def test_the_engine_mates(self):
        t = self.start("--fen", "7k/8/8/8/8/8/r1q5/5K2 w - - 0 1", "--mode", "engine")
        t.wait(PROMPT)
        text = t.type("Kg1")
        self.assertRegex(text, r"Black plays 1\.\.\. \w+#")
        self.assertIn("0-1: Black wins by checkmate.", text)

    def test_the_board_is_drawn_with_signs_and_colours(self):
        t = self.start("--mode", "manual", COLORTERM="truecolor")
        t.wait(PROMPT)
        self.assertIn("♞", t.shown)
        self.assertIn("\033[48;2;", t.shown)
        t = self.start("--mode", "manual")
        t.wait(PROMPT)
        self.assertIn("\033[48;5;", t.shown)
        self.assertNotIn("\033[48;2;", t.shown)

    def test_no_color_and_dumb_terminals_get_letters(self):
        for changes in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            with self.subTest(changes):
                t = self.start("--mode", "manual", **changes)
                t.wait(PROMPT)
                self.assertNotIn("\033", t.shown)
                self.assertIn("8  r  n  b  q  k  b  n  r  8", t.shown)

    def test_ctrl_c_while_thinking_makes_the_engine_move(self):
        t = Terminal("--time", "100000s", "--no-book", environment=self.environment())
        self.addCleanup(t.end)
        self.addCleanup(lambda: t.status is None and os.kill(t.pid, signal.SIGKILL))
        t.wait(PROMPT)
        os.write(t.fd, b"e4\n")
        t.wait(r"\n +\d+ +[-+#]")  # a line of thought: it thinks
        t.press(termios.VINTR)
        self.assertRegex(t.wait(PROMPT), r"Black plays 1\.\.\. ")
        t.press(termios.VINTR)
        self.assertIn("Type quit", t.wait(r"saved\.\n.*move 2> $"))
        self.assertIn(" w KQkq ", t.type("fen"))

    def test_ctrl_d_leaves_and_the_game_is_saved(self):
        t = self.start("--mode", "manual")
        t.wait(PROMPT)
        t.type("e4")
        t.press(termios.VEOF)
        t.wait("The game is saved in .*play.pgn.*\n.*Goodbye")
        self.assertEqual(t.end(), 0)
        self.assertIn("1. e4 *", self.saved())

    def test_being_asked_to_leave_saves_the_game(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                t = self.start("--mode", "manual", "--save", os.path.join(self.folder, number.name))
                t.wait(PROMPT)
                t.type("d4")
                os.kill(t.pid, number)
                t.wait("Goodbye")
                self.assertEqual(t.end(), 0)
                self.assertIn("1. d4 *", self.saved(number.name))

    def test_flip_and_undo(self):
        t = self.start("--seed", "3")
        t.wait(PROMPT)
        t.type("e4")
        self.assertIn("h  g  f  e  d  c  b  a", t.type("flip"))
        t.type("undo")
        self.assertIn("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", t.type("fen"))

    def test_promotion_castling_and_en_passant(self):
        t = self.start("--mode", "manual", "--fen", "r3k2r/1P6/8/8/5p2/8/4P3/R3K2R w KQkq - 0 1")
        t.wait(PROMPT)
        t.type("bxa8", r"\[queen\] $")
        t.type("")
        t.type("ke7")
        self.assertIn("2. O-O-O", t.type("0-0-0"))
        t.type("Kf6")
        t.type("e4")
        self.assertRegex(t.type("fxe3"), r"3\. e4 +fxe3")
        text = t.type("fen")
        self.assertIn("Q6r/8/5k2/8/8/4p3/8/2KR3R w - - 0 4", text)


class ThroughPipes(Folder):
    def play(self, text, *arguments, code=0, timeout=PATIENCE_S):
        done = subprocess.run([TABIA, "play", "--hash", "1", *arguments], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, env=self.environment(), cwd=self.folder, timeout=timeout,
                              check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertNotIn("\033", done.stdout)
        return done.stdout if code == 0 else done.stderr

    def test_the_input_may_end_anywhere(self):
        for text in ("", "e4", "e4\ne5\n", "e4\n\n\nhelp"):
            with self.subTest(text):
                self.assertTrue(self.play(text, "--mode", "manual").endswith("Goodbye.\n"))

    def test_what_is_typed_is_repeated(self):
        self.assertIn("White, move 1> e4\n", self.play("e4\n", "--mode", "manual"))

    def test_illegal_moves_are_explained_and_nothing_happens(self):
        text = self.play("e5\nNc3\nnonsense\nKe7\nfen\n", "--mode", "manual")
        self.assertIn("None of your pawns can go to e5; possible: ", text)
        self.assertIn("'nonsense' is neither a move nor a command", text)
        self.assertIn("Your own pawn stands on e7", text)
        self.assertIn("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR b KQkq - 1 1", text)

    def test_a_random_mover_plays_legal_moves_to_the_end(self):
        moves = "\n".join(["go"] * 400)
        text = self.play(moves, "--mode", "random", "--seed", "5")
        self.assertRegex(text, r"(1-0|0-1|1/2-1/2): ")
        self.assertEqual(text, self.play(moves, "--mode", "random", "--seed", "5"))
        done = subprocess.run([TABIA, "pgn", "check", os.path.join(self.folder, "tabia/play.pgn")], stdout=subprocess.PIPE,
                              text=True, check=False)
        self.assertRegex(done.stdout, r"2 games, \d+ plies, 0 errors")

    def test_the_engine_against_itself_to_the_end(self):
        text = self.play("", "--mode", "watch", "--time", "0.02s", "--no-lines", "--fen", "8/8/8/3k4/8/8/R7/2Q1K3 w - - 0 1")
        self.assertIn("1-0: White wins by checkmate.", text)
        self.assertIn("1-0", self.saved())

    def test_a_draw_by_repetition(self):
        text = self.play("Nf3\nNf6\nNg1\nNg8\nNf3\nNf6\nNg1\nNg8\ndraw\n", "--mode", "manual")
        self.assertIn("type draw", text)
        self.assertIn("1/2-1/2: a draw by threefold repetition.", text)

    def test_chess960_castles(self):
        text = self.play("O-O\nfen\n", "--mode", "manual", "--chess960", "--fen", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1")
        self.assertIn("4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1", text)
        self.assertIn("White, move 1> O-O", text)
        first = self.play("fen\n", "--chess960", "--mode", "manual", "--seed", "4")
        self.assertEqual(first, self.play("fen\n", "--chess960", "--mode", "manual", "--seed", "4"))

    def test_a_flag_falls(self):
        process = subprocess.Popen([TABIA, "play", "--time", "0.2+0", "--mode", "manual"], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True, env=self.environment())
        shown = ""
        while "ran out of time" not in shown:
            line = process.stdout.readline()
            self.assertTrue(line, shown)
            shown += line
        process.stdin.close()
        self.assertIn("0-1: White ran out of time.", shown)
        process.stdout.read()
        process.stdout.close()
        self.assertEqual(process.wait(), 0)

    def test_a_reader_that_goes_away_ends_it(self):
        process = subprocess.Popen([TABIA, "play", "--mode", "watch", "--time", "0.01s"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, env=self.environment())
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=PATIENCE_S), 0)

    def test_bad_usage_says_what_is_wrong(self):
        for arguments, part in ((("--mode", "chess"), "--mode is engine"), (("--color", "green"), "--color is white"),
                                (("--fen", "8/8"), "cannot be used"), (("--level", "strong"), "a level is 0 to 20"),
                                (("--time", "soon"), "--time soon")):
            with self.subTest(arguments):
                self.assertIn(part, self.play("", *arguments, code=2))

    def test_a_game_that_cannot_be_saved_is_told(self):
        done = subprocess.run([TABIA, "play", "--mode", "manual", "--save", "/proc/nothing/here"], input="e4\n", text=True,
                              stdout=subprocess.PIPE, env=self.environment(), check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("The game could not be saved: cannot write /proc/nothing/here", done.stdout)


if __name__ == "__main__":
    unittest.main()
