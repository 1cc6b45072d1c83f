"""test_analyse.py - `tabia analyse`: games with known blunders, positions with known answers."""
import json
import os
import re
import signal
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABIA = os.environ.get("TABIA", os.path.join(ROOT, "tabia"))

SCHOLAR = '[Event "s"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 {oh} 4. Qxf7# 1-0\n\n'
QUEEN = '[Event "q"]\n[White "Bob"]\n[Black "Ann"]\n[Result "*"]\n\n' \
        '1. e4 e5 2. Nf3 Nc6 3. d4 exd4 4. Nxd4 Qh4 5. Qd3 Qxe4+ (5... Nf6) *\n\n'
BROKEN = '[Event "b"]\n\n1. e4 e5 2. Ke3 *\n\n'
LONG = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Na5 10. Bc2 c5 *\n\n"
FAST = ("--nodes", "3000", "--hash", "1")


class AnalyseTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, text, name="games.pgn"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def check(self, name):
        """What `tabia pgn check` says of a file."""
        done = subprocess.run([TABIA, "pgn", "check", name], stdout=subprocess.PIPE, text=True, cwd=self.folder, check=False)
        return done.stdout

    def run_tabia(self, *arguments, code=0, stdin=None):
        done = subprocess.run([TABIA, "analyse", *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=self.folder, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done


class Games(AnalyseTest):
    def test_the_blunder_of_scholars_mate(self):
        done = self.run_tabia(self.write(SCHOLAR), *FAST)
        flat = " ".join(done.stdout.split())
        self.assertRegex(flat, r"3\.\.\. Nf6 \$4 \{\[%eval #1\] oh Blunder: allows mate in 1\. Better was \w+\.\} \(3\.\.\. ")
        self.assertRegex(flat, r"1\. e4 \{\[%eval -?\d\.\d\d\]\}")
        self.assertTrue(flat.endswith("4. Qxf7# 1-0"), flat)
        self.assertRegex(done.stderr, r"Black +\d+\.\d% +\d+ +\d +\d +1 ")
        self.assertIn("3... Nf6??", done.stderr)

    def test_a_hung_queen_and_what_a_person_wrote(self):
        done = self.run_tabia(self.write(QUEEN), *FAST)
        flat = " ".join(done.stdout.split())
        self.assertRegex(flat, r"Qxe4\+ \$4 \{\[%eval ([4-9]|1\d)\.\d\d\] Blunder\. Better was ")
        self.assertIn("(5... Nf6", flat)

    def test_what_is_written_reads_back_and_is_not_annotated_twice(self):
        path = self.write(SCHOLAR + QUEEN)
        self.run_tabia(path, *FAST, "--out", "first.pgn")
        self.run_tabia("first.pgn", *FAST, "--out", "second.pgn")
        self.assertEqual(self.read("first.pgn"), self.read("second.pgn"))
        self.assertEqual(self.check("second.pgn"), "2 games, 17 plies, 0 errors\n")

    def test_jobs_change_nothing_but_the_time(self):
        path = self.write((SCHOLAR + QUEEN + LONG) * 3)
        one = self.run_tabia(path, *FAST, "--jobs", "1")
        four = self.run_tabia(path, *FAST, "--jobs", "4")
        self.assertEqual(one.stdout, four.stdout)
        self.assertEqual(one.stdout.count('[Event "s"]'), 3)
        self.assertIn("All 9 games", one.stderr)
        self.assertRegex(one.stderr, r"\n  Ann +6 ")

    def test_json_has_the_same_verdicts(self):
        done = self.run_tabia(self.write(SCHOLAR + QUEEN), *FAST, "--json")
        first, second = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(first["players"], {"white": "Ann", "black": "Bob"})
        self.assertEqual(first["opening"]["eco"][0], "C")
        self.assertEqual([m["judgement"] for m in first["moves"]].count("blunder"), 1)
        blunder = first["moves"][5]
        self.assertEqual((blunder["san"], blunder["judgement"], blunder["score"]), ("Nf6", "blunder", {"mate": 1}))
        self.assertGreater(blunder["drop"], 30)
        self.assertEqual(blunder["best"]["line"][0], blunder["best"]["san"])
        self.assertEqual(first["black"]["blunders"], 1)
        self.assertIsNone(first["white"]["phases"]["endgame"]["accuracy"])
        self.assertGreater(first["white"]["accuracy"], first["black"]["accuracy"])
        self.assertTrue(first["complete"] and second["complete"])

    def test_several_lines_become_several_variations(self):
        done = self.run_tabia(self.write(SCHOLAR), *FAST, "--multipv", "3")
        self.assertEqual(len(re.findall(r"\(3\.\.\.", " ".join(done.stdout.split()))), 3)

    def test_a_broken_game_is_named_and_the_others_are_done(self):
        done = self.run_tabia(self.write(SCHOLAR + BROKEN + QUEEN), *FAST, code=1)
        self.assertIn("game 2: 'Ke3' is not a legal move here", done.stderr)
        self.assertIn('[Event "q"]', done.stdout)
        self.assertNotIn('[Event "b"]', done.stdout)

    def test_games_from_a_set_up_position_and_with_null_moves(self):
        text = '[SetUp "1"]\n[FEN "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]\n\n1. Kf1 h6 *\n\n1. e4 -- 2. d4 d5 *\n\n'
        done = self.run_tabia(self.write(text), *FAST)
        flat = " ".join(done.stdout.split())
        self.assertRegex(flat, r"1\. Kf1 \$\d \{\[%eval [^]]*\] \w+: misses mate in 1\. Better was Rd8#\.\}")
        self.assertRegex(flat, r"1\. e4 1\.\.\. -- 2\. d4 \{|1\. e4 -- 2\. d4 \{")

    def test_ctrl_c_leaves_whole_games(self):
        path = self.write(SCHOLAR + LONG * 50)
        process = subprocess.Popen([TABIA, "analyse", path, "--nodes", "20000", "--hash", "1", "--out", "out.pgn"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        shown = process.stdout.readline()  # the table of the first game: it is written
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()
        self.assertIn("Game 1: Ann - Bob", shown + rest)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(errors, r"stopped; \d+ of 51 games were looked at and written")
        self.assertRegex(self.check("out.pgn"), r"^[1-9]\d* games, \d+ plies, 0 errors")
        self.assertIn("$4", self.read("out.pgn"))

    def test_files_are_not_overwritten_and_errors_are_clear(self):
        path = self.write(SCHOLAR)
        self.write("mine", "out.pgn")
        self.assertIn("exists already", self.run_tabia(path, *FAST, "--out", "out.pgn", code=1).stderr)
        self.assertEqual(self.read("out.pgn"), "mine")
        self.run_tabia(path, *FAST, "--out", "out.pgn", "--force")
        self.assertIn("$4", self.read("out.pgn"))
        self.assertIn("missing.pgn", self.run_tabia("missing.pgn", code=1).stderr)
        self.assertIn("there is no game", self.run_tabia(self.write("", "empty.pgn"), code=1).stderr)
        self.assertIn("give a file of games", self.run_tabia(code=2).stderr)
        self.assertIn("give a file of games", self.run_tabia(path, "--fen", "x", code=2).stderr)

    def test_games_come_through_a_pipe(self):
        done = self.run_tabia("-", *FAST, stdin=SCHOLAR)
        self.assertIn("$4", done.stdout)


class Positions(AnalyseTest):
    MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"

    def test_the_lines_are_readable(self):
        done = self.run_tabia("--fen", self.MATE, "--depth", "6", "--multipv", "2")
        self.assertRegex(done.stdout, r" 1\. +#1  W100% D  0% L  0%  depth +6/\d+ +1\. Rd8#\n 2\. ")
        self.assertIn("White to move", done.stdout)
        self.assertIn("1  .  .  .  R  .  .  K  .  1", done.stdout)

    def test_json(self):
        found = json.loads(self.run_tabia("--fen", self.MATE.replace(" w ", " b "), "--depth", "5", "--json").stdout)
        self.assertEqual(found["fen"], self.MATE.replace(" w ", " b "))
        self.assertEqual(len(found["lines"]), 3)
        self.assertEqual(sum(found["lines"][0]["wdl"]), 1000)
        self.assertEqual(len(found["lines"][0]["san"]), len(found["lines"][0]["uci"]))

    def test_positions_without_moves_and_bad_ones(self):
        mated = self.run_tabia("--fen", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").stdout
        self.assertIn("Checkmate: there is nothing to analyse.", mated)
        self.assertIn("Stalemate", self.run_tabia("--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").stdout)
        self.assertEqual(json.loads(self.run_tabia("--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--json").stdout)["lines"], [])
        self.assertIn("(at character", self.run_tabia("--fen", "8/8/8 w", code=1).stderr)

    def test_ctrl_c_shows_what_was_found(self):
        process = subprocess.Popen([TABIA, "analyse", "--fen", self.MATE.replace("R", "N"), "--movetime", "1000000000"],
                                   stdout=subprocess.PIPE, text=True)
        shown = ""
        while "Scores are" not in shown:
            shown += process.stdout.readline()
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertRegex(text, r" 1\. +[-+]\d")


if __name__ == "__main__":
    unittest.main()
