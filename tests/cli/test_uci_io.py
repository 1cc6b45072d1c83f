"""test_uci_io.py - start, lines, end of input: cases 1 to 8 of UCI robustness."""
import os
import subprocess
import unittest

from uci_driver import PROGRAM, SAFETY, STARTPOS, Engine, answer_of, pick_program, strings_of


def memory_of(pid):
    """(resident MB, threads) of a process."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        fields = dict(line.split(":", 1) for line in file if ":" in line)
    return int(fields["VmRSS"].split()[0]) // 1024, int(fields["Threads"])


def run(*arguments, text=""):
    return subprocess.run([PROGRAM, *arguments], input=text.encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=SAFETY, check=False)


def lines_of(done):
    return done.stdout.decode().splitlines()


class StartTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_uci_is_answered_with_id_options_and_uciok(self):
        """Case 1."""
        with Engine() as engine:
            engine.send("uci")
            lines = engine.read_until("uciok$")
        self.assertTrue(lines[0].startswith("id name Tabia"), lines[0])
        self.assertTrue(lines[1].startswith("id author "), lines[1])
        for line in lines[2:-1]:
            self.assertRegex(line, r"^option name .+ type (check|spin|combo|button|string)")

    def test_nothing_heavy_is_made_before_isready(self):
        """Case 1: neither table nor threads."""
        if not os.path.exists("/proc/self/status"):
            self.skipTest("this system has no /proc")
        with Engine() as engine:
            engine.set_option("Hash", 128)
            engine.set_option("Threads", 4)
            engine.send("uci")
            engine.read_until("uciok$")
            light, few = memory_of(engine.process.pid)
            engine.ready()
            heavy, many = memory_of(engine.process.pid)
        self.assertGreaterEqual(many - few, 4, "the search threads were there before isready")
        self.assertGreaterEqual(heavy - light, 96, "the hash table was there before isready")

    def test_uci_may_be_said_twice_and_late(self):
        """Case 1."""
        with Engine() as engine:
            first = engine.go("depth 1")
            for _ in range(2):
                engine.send("uci")
                engine.read_until("uciok$")
        self.assertNotEqual(first.best, "(none)")


class LinesTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_every_line_is_flushed_and_none_is_empty(self):
        """Case 2: every answer is read through a pipe while the program still waits for input."""
        with Engine() as engine:
            engine.send("uci")
            engine.read_until("uciok$")
            engine.ready()
            for _ in range(3):
                engine.go("depth 3")
                engine.ready()
            raw = engine.raw
        self.assertTrue(raw.endswith(b"\n"))
        self.assertNotIn(b"\r", raw)
        self.assertNotIn(b"\n\n", raw)
        self.assertEqual([line for line in raw.splitlines() if line != line.strip()], [])

    def test_white_space_and_line_ends_do_not_matter(self):
        """Case 3."""
        with Engine() as engine:
            engine.send_raw(b"  uci\t\r\n")
            engine.read_until("uciok$")
            engine.send_raw(b"\r\n\n   \n\t\n\tposition \t startpos   moves\te2e4  e7e5 \r\n  isready  \r\n")
            self.assertEqual(engine.read_until("readyok$"), ["readyok"])
            self.assertEqual(engine.look("startpos moves e2e4 e7e5")[0].split()[3], "-")
            engine.send_raw(b"go\tdepth  2 \r\n")
            self.assertNotEqual(engine.read_answer().best, "(none)")

    def test_unknown_commands_are_ignored(self):
        """Case 3."""
        with Engine() as engine:
            engine.send("xyzzy", "xboard", "\x01\x02\xff", "0" * 5000, "Position startpos", "position")
            for line in engine.ready():
                self.assertTrue(line.startswith("info string "), line)
            self.assertNotIn(engine.go("depth 1", STARTPOS).best, ("(none)", "0000"))

    def test_unknown_words_before_a_command_are_skipped(self):
        """Case 3: the protocol's own example, "joho debug on"."""
        with Engine() as engine:
            engine.send("joho isready")
            engine.read_until("readyok$")

    def test_unknown_words_inside_a_command_are_skipped_and_the_rest_counts(self):
        """Case 3."""
        with Engine() as engine:
            answer = engine.go("fast depth 3 please nodes many", STARTPOS)
            self.assertEqual(answer.infos[-1]["depth"], 3)
            engine.send("position nonsense startpos moves e2e4")
            answer = engine.go("foo 7 depth bar movetime 20 depth 2")
            self.assertIn(answer.best, engine.legal_moves("startpos moves e2e4"))

    def test_a_number_that_is_missing_does_not_swallow_the_next_word(self):
        """Case 3."""
        with Engine() as engine:
            self.assertEqual(engine.go("wtime depth 2", STARTPOS).infos[-1]["depth"], 2)

    def test_bytes_that_are_no_text_do_no_harm(self):
        """Case 3."""
        with Engine() as engine:
            engine.send_raw(b"\x00\n\x00isready\x00\nposition fen \x00\xfe\xff w - - 0 1\nsetoption name \x00 value \x80\n")
            engine.ready()
            self.assertNotIn(engine.go("depth 1", STARTPOS).best, ("(none)", "0000"))


class EndTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_the_end_of_input_ends_an_idle_program(self):
        """Case 4."""
        for text in ("", "uci\n", "uci\nisready", "position startpos moves e2e4\n"):
            done = run(text=text)
            self.assertEqual((done.returncode, done.stderr), (0, b""), text)

    def test_the_last_line_needs_no_line_end(self):
        """Case 4."""
        self.assertEqual(lines_of(run(text="isready")), ["readyok"])

    def test_the_end_of_input_ends_an_infinite_search(self):
        """Case 4."""
        for threads in (1, 2, 4):
            with Engine(options={"Threads": threads}) as engine:
                engine.send("go infinite")
                engine.read_until("info depth 2 ")
                rest = engine.close()
            self.assertEqual(sum(line.startswith("bestmove") for line in rest), 1, rest)

    def test_the_end_of_input_right_behind_go_still_gives_one_move(self):
        """Case 4."""
        for go in ("go", "go infinite", "go ponder wtime 1000 btime 1000", "go depth 2"):
            lines = lines_of(run(text=go + "\n"))
            self.assertEqual(sum(line.startswith("bestmove") for line in lines), 1, lines)

    def test_quit_ends_a_search_at_once(self):
        """Case 5: all threads are joined, or the sanitizers would tell."""
        for threads in (1, 2, 4):
            for go in ("go infinite", "go ponder wtime 100000 btime 100000", "go wtime 100000 btime 100000", "go depth 200"):
                with Engine(options={"Threads": threads}) as engine:
                    engine.send(go, "quit")
                    code, lines = engine.wait()
                    self.assertEqual((code, engine.errors), (0, []))
                    self.assertLessEqual(sum(line.startswith("bestmove") for line in lines), 1)

    def test_lines_after_quit_are_not_read(self):
        """Case 5."""
        self.assertEqual(lines_of(run(text="quit\nisready\n")), [])

    def test_a_closed_output_does_not_hang_an_idle_program(self):
        """Case 6: the next answer finds that nobody listens; the end of input is not needed."""
        self.check_closed_output([])

    def test_a_closed_output_does_not_hang_a_search(self):
        """Case 6."""
        self.check_closed_output(["go infinite"])
        self.check_closed_output(["setoption name Threads value 4", "go infinite"])

    def check_closed_output(self, commands):
        process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.close()
        try:
            process.stdin.write("".join(c + "\n" for c in commands + ["uci", "isready", "isready"]).encode())
            process.stdin.flush()
        except BrokenPipeError:
            pass
        try:
            process.wait(SAFETY)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            self.fail(f"hangs after {commands} on a closed output")
        finally:
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass


class ArgumentsTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_commands_may_be_arguments(self):
        """Case 7."""
        done = run("go depth 5", "quit")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        answer = answer_of(lines_of(done))
        self.assertEqual(answer.infos[-1]["depth"], 5)

    def test_a_search_with_an_end_is_waited_for(self):
        """Case 7: with or without quit behind it, and the next argument comes after it."""
        lines = lines_of(run("position startpos moves e2e4", "go nodes 500", "go depth 2", "isready"))
        kinds = [line.split()[0] for line in lines if not line.startswith("info")]
        self.assertEqual(kinds, ["bestmove", "bestmove", "readyok"])

    def test_an_endless_search_as_argument_ends_with_stop_or_quit(self):
        """Case 7."""
        for last in ("stop", "quit"):
            lines = lines_of(run("go infinite", last))
            self.assertEqual(sum(line.startswith("bestmove") for line in lines), 1, lines)

    def test_a_command_that_does_not_exist_is_bad_usage(self):
        """Case 7."""
        done = run("frobnicate")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"frobnicate", done.stderr)

    def test_bench_ends_with_nodes_and_rate_and_repeats_itself(self):
        """Case 7, and what OpenBench reads."""
        last = [lines_of(run("bench", "4"))[-1] for _ in range(2)]
        for line in last:
            self.assertRegex(line, r"^\d+ nodes \d+ nps$")
        self.assertEqual(last[0].split()[0], last[1].split()[0])
        uci = lines_of(run("bench 4", "quit"))[-1]
        self.assertEqual(uci.split()[0], last[0].split()[0])

    def test_bench_does_not_depend_on_what_went_before(self):
        """Case 7: a search with other options in the same process leaves no trace in it."""
        alone = lines_of(run("bench 3", "quit"))[-1].split()[0]
        after = lines_of(run("setoption name Threads value 2", "setoption name Hash value 1", "go depth 5", "bench 3",
                             "quit"))[-1]
        self.assertEqual(after.split()[0], alone)

    def test_the_own_commands_answer(self):
        """The rest of the protocol: d, eval, help, go perft, debug, register."""
        with Engine() as engine:
            engine.send("register later", "debug on", "debug off", "help", "isready")
            lines = engine.read_until("readyok$")
            for word in ("setoption", "position", "go", "eval", "bench", "quit"):
                self.assertTrue(any(line.startswith(word) for line in lines), word)
            engine.send("position startpos", "go perft 3", "isready")
            lines = engine.read_until("readyok$")
            self.assertIn("Nodes searched: 8902", lines)
            self.assertIn("e2e4: 600", lines)
            engine.send("eval", "isready")
            self.assertGreater(len(engine.read_until("readyok$")), 5)


class LongGameTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_games_of_any_length_are_taken_whole(self):
        """Case 8: the last moves count, and so does the key history."""
        for plies in (400, 1200, 12000):
            moves = (["g1f3", "g8f6", "f3g1", "f6g8"] * (plies // 4))[:plies - 2] + ["e2e4", "e7e5"]
            position = "startpos moves " + " ".join(moves)
            with Engine() as engine:
                fen, _ = engine.look(position)
                self.assertEqual(fen.split()[0], "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R")
                self.assertEqual(int(fen.split()[5]), plies // 2 + 1)
                self.assertIn(engine.go("depth 3", position).best, engine.legal_moves(position))

    def test_a_game_of_reversible_moves_alone_is_searched(self):
        """Case 8: 12 000 half-moves without a capture; every key is of the past fifty moves and more."""
        position = "startpos moves " + " ".join(["g1f3", "g8f6", "f3g1", "f6g8"] * 3000)
        with Engine(options={"Threads": 2}) as engine:
            fen, _ = engine.look(position)
            self.assertEqual(int(fen.split()[5]), 6001)
            self.assertIn(engine.go("depth 2", position).best, engine.legal_moves(position))

    def test_a_very_long_bad_line_is_only_refused(self):
        """Case 8."""
        with Engine() as engine:
            engine.send("position startpos moves " + "e2e4 " * 20000, "position fen " + "8/" * 50000)
            self.assertGreaterEqual(len(strings_of(engine.ready())), 2)
            self.assertEqual(engine.go("depth 1").best, "0000")


if __name__ == "__main__":
    unittest.main()
