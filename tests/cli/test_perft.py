"""test_perft.py - `tabia perft` as a user meets it: counts, JSON, suites, exit codes, messages."""
import glob
import json
import os
import subprocess
import tempfile
import unittest

from folder import ROOT, SANITIZED, SHARED, TABIA

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def perft(*arguments):
    """Runs `tabia perft` with these arguments."""
    return subprocess.run([TABIA, "perft", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=250,
                          check=False)


class Counting(unittest.TestCase):
    def test_json_has_the_agreed_fields(self):
        result = perft("3", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual({"fen", "depth", "nodes", "seconds", "nps"} - set(report), set())
        self.assertEqual((report["fen"], report["depth"], report["nodes"]), (START, 3, 8902))
        self.assertEqual(result.stderr, "")

    @unittest.skipIf(SANITIZED, "too slow under a sanitizer")
    def test_six_plies_from_the_start(self):
        self.assertEqual(json.loads(perft("6", "--json").stdout)["nodes"], 119060324)

    def test_threads_and_hash_change_nothing(self):
        for more in ([], ["--threads", "2"], ["--hash", "1"], ["--threads=3", "--hash=2"]):
            report = json.loads(perft("4", "--fen", KIWIPETE, "--json", *more).stdout)
            self.assertEqual(report["nodes"], 4085603, more)

    def test_divide_shows_every_move_and_they_add_up(self):
        report = json.loads(perft("2", "--divide", "--json", "--fen", KIWIPETE).stdout)
        self.assertEqual(len(report["moves"]), 48)
        self.assertEqual(sum(report["moves"].values()), 2039)
        self.assertEqual(report["moves"]["e1g1"], 43)
        lines = perft("1", "--divide").stdout.splitlines()
        self.assertIn("e2e4: 1", lines)
        self.assertTrue(lines[-1].startswith("20 nodes"), lines[-1])

    def test_chess960_castling_is_written_king_takes_rook(self):
        moves = json.loads(perft("1", "--divide", "--json", "--fen", "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1").stdout)["moves"]
        self.assertIn("e1g1", moves)
        self.assertIn("e1b1", moves)
        self.assertNotIn("e1c1", moves)

    def test_depth_zero_is_one_leaf(self):
        self.assertEqual(json.loads(perft("0", "--json").stdout)["nodes"], 1)

    def test_what_was_dropped_from_a_fen_is_said(self):
        result = perft("1", "--fen", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1")
        self.assertEqual(result.returncode, 0)
        self.assertIn("castling", result.stderr)
        self.assertIn("character 23", result.stderr)


class Refusing(unittest.TestCase):
    def check_usage(self, *arguments, names):
        result = perft(*arguments)
        self.assertEqual(result.returncode, 2, arguments)
        self.assertIn(names, result.stderr)
        self.assertIn("Usage:", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_bad_usage_is_exit_2_and_names_the_word(self):
        self.check_usage(names="DEPTH")
        self.check_usage("x", names="'x'")
        self.check_usage("-1", names="-1")
        self.check_usage("65", names="65")
        self.check_usage("3", "4", names="'4'")
        self.check_usage("3", "--threads", "0", names="--threads")
        self.check_usage("3", "--threads", names="--threads")
        self.check_usage("3", "--hash", "-1", names="--hash")
        self.check_usage("3", "--divide=1", names="--divide")
        self.check_usage("3", "--wibble", names="--wibble")

    def test_a_bad_fen_is_exit_1_and_names_the_place(self):
        for fen, word, character in (
                ("8/8/8/8/8/8/8/8 w - - 0 1", "king", 1),
                ("rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "piece", 14),
                ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "capture the king", 23),
                ("", "empty", 1),
                (START + " moves e2e4", "'moves'", 58)):
            result = perft("1", "--fen", fen)
            self.assertEqual(result.returncode, 1, fen)
            self.assertIn(word, result.stderr)
            self.assertIn(f"character {character})", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_too_large_a_table_is_an_error_not_a_crash(self):
        if SANITIZED:
            self.skipTest("a sanitizer ends the program when memory is short")
        result = perft("1", "--hash", str(1 << 20))
        self.assertIn(result.returncode, (0, 1))
        if result.returncode:
            self.assertIn("memory", result.stderr)


class Suites(unittest.TestCase):
    def run_text(self, text, *arguments):
        with tempfile.NamedTemporaryFile("w", suffix=".epd") as file:
            file.write(text)
            file.flush()
            return file.name, perft("--suite", file.name, *arguments)

    def test_our_own_suite_passes(self):
        path = os.path.join(ROOT, "tests", "data", "perft-small.epd")
        result = perft("--suite", path, *(["--max-nodes", "100000"] if SANITIZED else []))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "9 passed, 0 failed")
        report = json.loads(perft("--suite", path, "2", "--json").stdout)
        self.assertEqual((report["passed"], report["failed"], report["counts"]), (9, 0, 18))

    def test_a_wrong_count_fails_and_names_the_line(self):
        name, result = self.run_text(f"# one\n{START} ;D1 20 ;D2 400\n{KIWIPETE} ;D1 48 ;D2 2040\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{name}:3: ", result.stderr)
        self.assertIn("2039", result.stderr)
        self.assertIn("2040", result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "1 passed, 1 failed")

    def test_a_wrong_count_in_block_form_names_its_own_line(self):
        name, result = self.run_text(f"id 1\nepd {START}\nperft 1 20\nperft 2 401\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{name}:4: ", result.stderr)

    def test_a_line_that_is_no_position_fails(self):
        name, result = self.run_text(f"{START} ;D1 20\nnonsense ;D1 3\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"{name}:2: ", result.stderr)

    def test_an_unreachable_position_is_skipped_by_name(self):
        name, result = self.run_text(f"{START} ;D1 20\n8/8/8/8/8/8/8/8 w - - 0 1 ;D1 3\n")
        self.assertEqual(result.returncode, 0)
        self.assertIn(f"{name}:2: ", result.stderr)
        self.assertIn("king", result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "1 passed, 0 failed, 1 skipped")

    def test_the_limits_leave_counts_out(self):
        _, result = self.run_text(f"{START} ;D1 20 ;D2 400 ;D3 99\n", "2")
        self.assertEqual(result.returncode, 0, "the wrong third count is beyond the depth asked for")
        _, result = self.run_text(f"{START} ;D1 20 ;D2 400 ;D3 9999\n", "--max-nodes", "9998")
        self.assertEqual(result.returncode, 0, "the wrong third count is beyond the nodes allowed")

    def test_a_missing_file_and_an_empty_one_fail(self):
        result = perft("--suite", "/nonexistent/suite.epd")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/nonexistent/suite.epd", result.stderr)
        _, result = self.run_text("# nothing\n\n")
        self.assertEqual(result.returncode, 1)

    def test_every_shared_suite_passes(self):
        paths = sorted(glob.glob(os.path.join(SHARED, "data", "perft", "*.epd")) +
                       glob.glob(os.path.join(SHARED, "data", "perft", "*.perft")))
        if not paths:
            self.skipTest(f"no suites in {SHARED}/data/perft")
        for path in paths:
            with self.subTest(os.path.basename(path)):
                result = perft("--suite", path, "--json", "--max-nodes", "1000" if SANITIZED else "100000")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr[-2000:])
                report = json.loads(result.stdout)
                self.assertEqual(report["failed"], 0)
                self.assertGreater(report["passed"], 10)


if __name__ == "__main__":
    unittest.main()
