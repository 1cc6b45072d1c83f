"""test_pgn.py - `tabia pgn` as a person or a script calls it."""
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

from folder import SHARED, TABIA, FolderTest

GOOD = '[Event "a"]\n[Date "1972.07.11"]\n[White "Tal"]\n[Black "Smyslov"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
OTHER = '[Event "b"]\n[Date "1960.??.??"]\n[White "Tal"]\n[Black "Petrosian"]\n[Result "1/2-1/2"]\n\n1. d4 d5 1/2-1/2\n\n'
BROKEN = '[Event "c"]\n\n1. e4 e5\n2. Ke3 1-0\n\n'


class PgnTest(FolderTest):
    def tabia(self, *arguments, stdin=""):
        return subprocess.run([TABIA, "pgn", *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              cwd=self.folder, check=False)

    def result(self, *arguments, code=0, stdin=""):
        done = self.tabia(*arguments, "--json", stdin=stdin)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)


class Check(PgnTest):
    def test_good_games_are_counted(self):
        done = self.tabia("check", self.write("a.pgn", GOOD + OTHER))
        self.assertEqual(done.stdout, "2 games, 5 plies, 0 errors\n")
        self.assertEqual(done.returncode, 0)

    def test_a_broken_game_is_named_with_its_place(self):
        path = self.write("a.pgn", GOOD + BROKEN + OTHER)
        done = self.tabia("check", path)
        self.assertEqual(done.stdout.splitlines(),
                         [f"{path}:12:4: game 2: 'Ke3' is not a legal move here", "3 games, 7 plies, 1 errors"])
        self.assertEqual(done.returncode, 1)

    def test_quiet_prints_the_counts_only(self):
        done = self.tabia("check", self.write("a.pgn", BROKEN), "--quiet")
        self.assertEqual(done.stdout, "1 games, 2 plies, 1 errors\n")
        self.assertEqual(done.stderr, "")

    def test_json_has_the_stable_fields(self):
        path = self.write("a.pgn", GOOD + BROKEN)
        result = self.result("check", path, path, code=1)
        self.assertEqual((result["games"], result["plies"], result["errors"]), (4, 10, 2))

    def test_a_pipe_is_read(self):
        self.assertEqual(self.result("check", "-", stdin=GOOD * 3)["games"], 3)

    def test_an_empty_file_has_no_games(self):
        self.assertEqual(self.result("check", self.write("a.pgn", ""))["games"], 0)

    def test_a_missing_file_is_named_and_the_others_are_read(self):
        done = self.tabia("check", self.path("none.pgn"), self.write("a.pgn", GOOD))
        self.assertIn("none.pgn: No such file or directory", done.stderr)
        self.assertEqual(done.stdout, "1 games, 3 plies, 0 errors\n")
        self.assertEqual(done.returncode, 1)

    def test_a_folder_is_no_file(self):
        done = self.tabia("check", self.folder)
        self.assertIn("Is a directory", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_compressed_files_come_with_the_line_to_type(self):
        done = self.tabia("check", self.write("a.pgn.zst", b"\x28\xb5\x2f\xfd rest"))
        self.assertIn("zstd -dc", done.stderr)
        self.assertIn("a.pgn.zst | tabia pgn", done.stderr)
        self.assertEqual(done.returncode, 1)
        self.assertIn("gzip -dc", self.tabia("check", self.write("a.gz", b"\x1f\x8b\x08 rest")).stderr)


class Usage(PgnTest):
    def test_unknown_commands_and_options_are_bad_usage(self):
        for arguments in ([], ["chek"], ["check"], ["check", "--fast", "x"], ["split", "x"], ["split", "x", "--by", "moon"],
                          ["split", "x", "--games", "0"], ["split", "x", "--games", "5", "--by", "year"]):
            done = self.tabia(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("Usage:", done.stderr)
            self.assertEqual(done.stdout, "")

    def test_help_has_an_example(self):
        for arguments in (["--help"], ["check", "--help"], ["stats", "--help"], ["dedup", "--help"], ["split", "--help"]):
            done = self.tabia(*arguments)
            self.assertEqual(done.returncode, 0, arguments)
            self.assertRegex(done.stdout, r"Example:\n  .*tabia pgn")


class Stats(PgnTest):
    def test_results_names_and_years_are_counted(self):
        result = self.result("stats", self.write("a.pgn", GOOD + OTHER))
        self.assertEqual((result["games"], result["white_wins"], result["draws"], result["plies"]), (2, 1, 1, 5))
        self.assertEqual(result["average_plies"], 2.5)
        self.assertEqual(result["players"]["top"][0], {"name": "Tal", "games": 2, "wins": 1, "draws": 1, "losses": 0})
        self.assertEqual(sorted(year["name"] for year in result["years"]["top"]), ["1960", "1972"])

    def test_text_is_for_people(self):
        done = self.tabia("stats", self.write("a.pgn", GOOD + OTHER), "--top", "1")
        self.assertIn("Results: 1-0 1 (50.0%), 1/2-1/2 1 (50.0%), 0-1 0 (0.0%), * 0 (0.0%)", done.stdout)
        self.assertIn("Players: 3\n", done.stdout)
        self.assertNotIn("Petrosian", done.stdout)


class Dedup(PgnTest):
    def test_the_first_of_equal_games_stays(self):
        again = GOOD.replace("Tal", "Nobody").replace("1. e4 e5", "1. e4 {same} e5 (1... c5)")
        result = self.result("dedup", self.write("a.pgn", GOOD + OTHER), self.write("b.pgn", again + BROKEN), "--out",
                             self.path("out.pgn"),
                             code=1)
        self.assertEqual(result, {"games": 4, "kept": 2, "duplicates": 1, "errors": 1, "stopped": False})
        self.assertEqual(self.read("out.pgn"), GOOD + OTHER)

    def test_players_can_tell_games_apart(self):
        again = GOOD.replace("Tal", "Nobody")
        self.assertEqual(self.result("dedup", self.write("a.pgn", GOOD + again + GOOD), "--players", "--out",
                                     self.path("out.pgn"))["kept"], 2)

    def test_without_out_the_games_go_to_standard_output(self):
        done = self.tabia("dedup", "-", stdin=GOOD + GOOD)
        self.assertEqual(done.stdout, GOOD)
        self.assertEqual(done.stderr, "2 games: 1 kept, 1 duplicates dropped, 0 broken left out\n")

    def test_an_existing_file_is_replaced_only_by_force(self):
        source = self.write("a.pgn", GOOD)
        target = self.write("out.pgn", "precious")
        done = self.tabia("dedup", source, "--out", target)
        self.assertEqual(done.returncode, 1)
        self.assertIn("out.pgn exists already", done.stderr)
        self.assertEqual(self.read("out.pgn"), "precious")
        self.assertEqual(self.tabia("dedup", source, "--out", target, "--force").returncode, 0)
        self.assertEqual(self.read("out.pgn"), GOOD)

    def test_a_full_disk_is_a_failure(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("/dev/full is not here")
        done = self.tabia("dedup", self.write("a.pgn", GOOD), "--out", "/dev/full", "--force")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write /dev/full", done.stderr)

    def test_control_c_leaves_whole_games(self):
        text = "".join(GOOD.replace("1. e4 e5", f"1. {move} {answer}").replace("Nf3", "Nc3")
                       for move in ("e4", "d4", "c4", "f4", "a4", "h4") for answer in ("e5", "d5", "c5", "a5", "Nf6", "Nc6",
                                                                                       "h5"))
        with subprocess.Popen([TABIA, "pgn", "dedup", "-", "--out", self.path("out.pgn")], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            # More than a pipe holds: when it is written, the program has been reading for long, and it waits for more.
            process.stdin.write(text.encode() + b"{x}\n" * 300000 + b"1. e4 e5 2. Nf")
            process.stdin.flush()
            process.send_signal(signal.SIGINT)
            _, errors = process.stdout.read(), process.stderr.read()
            self.assertEqual(process.wait(), 1)
        self.assertIn(b"stopped after", errors)
        written = self.result("check", self.path("out.pgn"))
        self.assertEqual((written["games"], written["errors"]), (42, 0))


class Split(PgnTest):
    def test_files_of_n_games(self):
        result = self.result("split", self.write("a.pgn", GOOD * 2 + OTHER), "--games", "2", "--prefix", self.path("out"))
        self.assertEqual([(os.path.basename(file["path"]), file["games"]) for file in result["files"]],
                         [("out-0001.pgn", 2), ("out-0002.pgn", 1)])
        self.assertEqual(self.read("out-0001.pgn"), GOOD * 2)
        self.assertEqual(self.read("out-0002.pgn"), OTHER)

    def test_by_year_and_by_result(self):
        source = self.write("a.pgn", GOOD + OTHER + GOOD + "e4 *\n")
        self.result("split", source, "--by", "year", "--prefix", self.path("y"))
        self.assertEqual(self.read("y-1972.pgn"), GOOD * 2)
        self.assertEqual(self.read("y-1960.pgn"), OTHER)
        self.assertEqual(self.read("y-unknown.pgn"), "1. e4 *\n\n")
        self.result("split", source, "--by", "result", "--prefix", self.path("r"))
        self.assertEqual(self.read("r-draw.pgn"), OTHER)

    def test_names_of_files_are_harmless(self):
        self.result("split", self.write("a.pgn", '[White "../../etc/x y"] e4 *\n[White ".."] e4 *\n'), "--by", "white",
                    "--prefix", "w")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.pgn", "w-_..pgn", "w-_._.._etc_x_y.pgn"])

    def test_an_existing_file_is_replaced_only_by_force(self):
        source = self.write("a.pgn", GOOD)
        self.write("out-0001.pgn", "precious")
        done = self.tabia("split", source, "--games", "2", "--prefix", "out")
        self.assertEqual(done.returncode, 1)
        self.assertIn("out-0001.pgn exists already", done.stderr)
        self.assertEqual(self.read("out-0001.pgn"), "precious")
        self.result("split", source, "--games", "2", "--prefix", "out", "--force")
        self.assertEqual(self.read("out-0001.pgn"), GOOD)


class RealFiles(PgnTest):
    def pgn_extract_count(self, path):
        program = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")
        if not program:
            self.skipTest("pgn-extract is not installed")
        done = subprocess.run([program, "-r", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        return int(re.search(rb"out of (\d+)", done.stderr).group(1))

    def test_as_many_games_as_pgn_extract(self):
        for name in ("games/small2700.pgn", "games/worldchamps_frankygo.pgn", "pgn-odd/shakmaty/twic1599_100k.pgn"):
            path = os.path.join(SHARED, "data", name)
            if not os.path.exists(path):
                self.skipTest(f"{path} is not here")
            result = self.result("check", path)
            self.assertEqual(result["errors"], 0)
            self.assertEqual(result["games"], self.pgn_extract_count(path), name)


if __name__ == "__main__":
    unittest.main()
