"""test_lab.py - `tabia lab` as a student sees it: the rungs, their counts, reports and plots, bad usage."""
import json
import os
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from folder import ROOT, TABIA, FolderTest

RUNGS = ("minimax ab1 ab2 ab3 ab4 null1 null2 null3 nullv tt1 tt2 tt3 qs final mvvlva hashmove deepening aspiration pvs "
         "rootsplit full").split()
FIELDS = "rung position fen depth nodes leaves qnodes best_move value seconds".split()
ENDING = "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - -"


def lab(*arguments):
    return subprocess.run([TABIA, "lab", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240,
                          check=False)


def rows_of(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


class Lab(FolderTest):
    def setUp(self):
        super().setUp()
        self.positions = self.write("positions.txt", f"# one ending\n{ENDING} | 3\n\n{ENDING.replace(' w ', ' b ')}\n")

    def rows(self, *arguments):
        result = lab("ladder", "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return rows_of(result)


class Ladder(Lab):
    def test_list_names_every_rung(self):
        result = lab("list")
        self.assertEqual(result.returncode, 0)
        self.assertEqual([line.split()[0] for line in result.stdout.splitlines()], RUNGS)
        self.assertEqual([row["rung"] for row in rows_of(lab("list", "--json"))], RUNGS)

    def test_every_rung_searches_every_position(self):
        rows = self.rows("--positions", self.positions, "--depth", "2", "--threads", "2")
        self.assertEqual([(row["rung"], row["position"]) for row in rows], [(rung, i) for rung in RUNGS for i in (0, 1)])
        for row in rows:
            self.assertLessEqual(set(FIELDS), set(row))
            self.assertEqual(row["depth"], 3 if row["position"] == 0 else 2)
            self.assertGreater(row["nodes"], 0)
            self.assertEqual(len(row["best_move"]), 4)
        value = {(row["rung"], row["position"]): row["value"] for row in rows}
        for rung in ("ab1", "ab2", "ab3", "ab4", "tt1"):
            self.assertEqual(value[rung, 0], value["minimax", 0])
            self.assertEqual(value[rung, 1], value["minimax", 1])

    def test_the_depth_offset_moves_every_horizon(self):
        rows = self.rows("--positions", self.positions, "--depth", "2", "--rung", "minimax", "--depth-offset", "-2")
        self.assertEqual([(row["depth"], row["nodes"]) for row in rows][1], (0, 1))
        self.assertEqual(rows[0]["depth"], 1)

    def test_iterations_add_up(self):
        for row in self.rows("--positions", self.positions, "--rung", "deepening,aspiration,pvs,rootsplit"):
            self.assertEqual([it["depth"] for it in row["iterations"]], list(range(1, row["depth"] + 1)))
            self.assertEqual(sum(it["nodes"] for it in row["iterations"]), row["nodes"])

    def test_the_same_search_counts_the_same_on_any_number_of_threads(self):
        def strip(rows):
            return [{k: v for k, v in row.items() if k not in ("seconds", "cpu_seconds", "iterations")} for row in rows]
        shorter = "-3" if os.environ.get("TABIA_TEST_CONFIG") == "tsan" else "-2"  # races show in small trees too
        arguments = ("--rung", "ab1,null2,qs", "--depth-offset", shorter)
        self.assertEqual(strip(self.rows(*arguments)), strip(self.rows(*arguments, "--threads", "3")))

    def test_the_table_ends_with_sums(self):
        result = lab("ladder", "--rung", "ab1", "--depth-offset", "-3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 26)
        self.assertIn("sum", result.stdout.splitlines()[-1])


class Report(Lab):
    def test_a_report_is_markdown_csv_and_plots_for_light_and_dark(self):
        target = os.path.join(self.folder, "out")
        os.mkdir(target)
        self.write("out/levels.md", "# Against levels\n## By game\n| a | b |\n")
        result = lab("ladder", "--positions", self.positions, "--depth", "3", "--rung", "ab1,pvs", "--report", target)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(target, "ladder.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("`ab1` | +2", text)
        self.assertNotIn("Errata", text)  # these are not the thesis's positions
        self.assertIn("\n## Against levels\n### By game\n| a | b |\n", text)  # what another experiment left there
        with open(os.path.join(target, "ladder", "rows.csv"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(len(lines), 1 + 3 * 2)
        self.assertEqual({len(line.split(",")) for line in lines}, {len(lines[0].split(","))})
        for name in ("nodes", "depth", "game"):
            path = os.path.join(target, "ladder", f"{name}.svg")
            self.assertTrue(ElementTree.parse(path).getroot().tag.endswith("svg"))
            with open(path, encoding="utf-8") as file:
                self.assertIn("prefers-color-scheme:dark", file.read())

    def test_a_folder_that_cannot_be_made_is_found_before_the_work(self):
        result = lab("ladder", "--report", os.path.join(self.positions, "no"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot make the folder", result.stderr)


class Ablate(Lab):
    def test_nodes_and_elo_without_a_technique(self):
        result = lab("ablate", "--feature", "nmp,lmr", "--depth", "4", "--games", "4", "--nodes", "200", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = rows_of(result)
        self.assertEqual([row["feature"] for row in rows], ["nmp", "lmr"])
        for row in rows:
            self.assertNotEqual(row["nodes"], row["nodes_whole"])
            self.assertEqual(row["games"], 4)
            self.assertTrue(0 <= row["score"] <= 1)

    def test_the_folder_of_a_report_is_made_and_found_wanting_before_the_work(self):
        result = lab("ablate", "--feature", "nmp", "--depth", "3", "--report", self.path("new"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| `nmp` |", self.read("new/ablation.md"))
        result = lab("ablate", "--feature", "nmp", "--depth", "3", "--report", os.path.join(self.positions, "no"))
        self.assertEqual((result.returncode, result.stdout), (1, ""))

    def test_an_unknown_technique_is_bad_usage(self):
        result = lab("ablate", "--feature", "magic")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no technique 'magic'", result.stderr)


class Versus(Lab):
    def test_rungs_play_each_other_and_the_deeper_one_does_not_lose(self):
        result = lab("versus", "--rung", "final@3,minimax@1", "--games", "4", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        self.assertEqual(report["games"], 4)
        self.assertGreaterEqual(report["wins"], report["losses"])
        for engine in report["engines"]:
            self.assertEqual((engine["crashes"], engine["timeouts"], engine["illegal"]), (0, 0, 0))

    def test_a_rung_speaks_uci(self):
        mate = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
        words = f"uci\nisready\nposition fen rubbish\n{mate}\nnonsense\ngo wtime 1 btime 1\nstop\nquit\n"
        result = subprocess.run([TABIA, "lab", "engine", "--rung", "ab1", "--depth", "2"], input=words, capture_output=True,
                                text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 0)
        self.assertIn("uciok", result.stdout)
        self.assertIn("readyok", result.stdout)
        self.assertIn("position refused", result.stdout)
        self.assertIn("bestmove a1a8", result.stdout)

    def test_two_rungs_are_needed(self):
        self.assertEqual(lab("versus", "--rung", "ab1").returncode, 2)
        self.assertEqual(lab("versus", "--rung", "ab1,nothing").returncode, 2)
        self.assertEqual(lab("levels", "--from", "5", "--to", "4").returncode, 2)


class Levels(Lab):
    def test_a_level_is_played_and_the_table_written(self):
        if not shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games"):
            self.skipTest("fairy-stockfish is not installed")
        result = lab("levels", "--from", "1", "--to", "1", "--games", "2", "--engine", "tabia:nodes=300,Eval=material", "--json",
                     "--report", self.path("out"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["games"], 2)
        self.assertIn("| stockfish-level-1 | 2 |", self.read("out/levels.md"))

    def test_an_option_that_the_engine_does_not_have_is_named(self):
        result = lab("levels", "--from", "1", "--to", "1", "--games", "2", "--engine", "tabia:nodes=300,Wibble=7")
        self.assertEqual(result.returncode, 1)
        self.assertIn("Wibble", result.stdout + result.stderr)


class Precision(Lab):
    """Three quiet endings with few moves; the reference knows them by heart."""
    FENS = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "7k/8/8/8/8/8/6q1/7K w - - 0 1")

    def setUp(self):
        super().setUp()
        self.suite = self.write("small.epd", f'# three\n{self.FENS[0][:-4]} bm e4; id "a";\n\n{self.FENS[1]}\n{self.FENS[2]}\n')
        self.top = self.moves_of(self.FENS[0], 2), self.moves_of(self.FENS[1], 2)
        self.reference([*self.top[0]], [*self.top[1]])
        self.log = self.path("asked")

    def moves_of(self, fen, count):
        """Our own two best moves: the reference that agrees with us says these."""
        words = (f"setoption name MultiPV value {count}", "setoption name Eval value material",
                 "setoption name Quiescence Depth value 3", f"position fen {fen}", "go depth 1", "quit")
        out = subprocess.run([TABIA, *words], capture_output=True, text=True, timeout=60, check=True).stdout
        return [line.split(" pv ")[1].split()[0] for line in out.splitlines() if " pv " in line]

    def reference(self, first, second):
        self.write("answers", f"{self.FENS[0]} | {' '.join(first)}\n{self.FENS[1]} | {' '.join(second)}\n")

    def precision(self, *more):
        top = os.path.join(ROOT, "tests", "support", "top_engine.py")
        return lab("precision", "--k", "2", "--depth", "1", "--eval", "material", "--cache", self.path("cache"), "--suite",
                   self.suite, "--reference", f"cmd={top} {self.path('answers')} {self.log},name=Top,depth=2", *more)

    def result(self, *more):
        done = self.precision("--json", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def cached(self):
        (name,) = os.listdir(self.path("cache"))
        return os.path.join("cache", name)

    def test_two_that_agree_have_precision_one_and_the_reference_is_asked_once(self):
        for _ in range(2):
            (row,) = self.result()
            self.assertEqual((row["precision"], row["positions"], row["left_out"]), (1, 2, 1))
        self.assertEqual(self.read("asked"), "go depth 2\n" * 2)

    def test_one_common_move_of_four_is_a_quarter(self):
        others = [move for move in ("e1d1", "e1f1", "e1d2", "e1f2", "e2e3", "e2e4") if move not in self.top[0]]
        strange = [move for move in ("e8d8", "e8f8", "e8d7", "e8f7", "e7e6", "e7e5") if move not in self.top[1]]
        self.reference([others[0], self.top[0][1]], strange[:2])
        (row,) = self.result()
        self.assertEqual(row["precision"], 0.25)
        self.assertAlmostEqual(row["error"], 12.7 * 0.25, delta=1)  # two values only: hardly anything is known

    def test_an_evaluation_without_a_network_is_left_out_with_a_sentence(self):
        rows = self.result("--eval", "mlp,material")
        self.assertEqual([row["eval"] for row in rows], ["mlp", "material"])
        self.assertIn("network", rows[0]["skipped"])
        self.assertIsNone(rows[0]["precision"])
        self.assertEqual(rows[1]["precision"], 1)

    def test_a_report_is_a_page_and_a_row_a_position(self):
        done = self.precision("--report", self.path("out"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("by chance", done.stdout)
        self.assertIn("0.3227", done.stdout)
        self.assertIn("| material | 1.0000", self.read("out/precision.md"))
        self.assertEqual(self.read("out/precision.csv").splitlines(),
                         ["fen,material", f"{self.FENS[0]},1.0000", f"{self.FENS[1]},1.0000"])

    def test_more_positions_ask_only_for_what_is_not_known(self):
        self.result("--positions", "1")
        self.assertEqual(self.read("asked"), "go depth 2\n")
        self.result()
        self.assertEqual(self.read("asked"), "go depth 2\n" * 2)

    def test_a_broken_cache_is_an_error_that_names_the_line(self):
        self.result()
        whole = self.read(self.cached()).splitlines()
        for lines, words in ((["rubbish", *whole[1:]], ":1:"), ([whole[0], whole[1] + " a1a1"], ":2:"),
                             ([*whole[:2], whole[2][:-5]], ":3:"), ([], "empty")):
            self.write(self.cached(), "".join(f"{line}\n" for line in lines))
            done = self.precision()
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
            self.assertIn("delete it", done.stderr)
        self.assertEqual(self.read("asked"), "go depth 2\n" * 2)

    def test_a_reference_that_cannot_answer_is_named(self):
        done = lab("precision", "--suite", self.suite, "--cache", self.path("cache"), "--reference", "random", "--k", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("MultiPV", done.stderr)
        done = lab("precision", "--suite", self.suite, "--cache", self.path("cache"), "--reference", self.path("none"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot start", done.stderr)
        done = lab("precision", "--suite", self.suite, "--cache", self.path("cache"), "--k", "9")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no position with more than 9 legal moves", done.stderr)


class Mcts(Lab):
    SUITE = ("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm #1;\n# a remark\n7k/8/8/8/8/8/R7/1R4K1 w - - dm 2;\n"
             "5r1k/6pp/7N/8/8/1Q6/6PP/6K1 w - - ce +M2;\n4k3/8/8/8/8/8/8/4K2R w - - id \"no mate named\";\n")

    def test_every_result_is_an_object(self):
        suite = self.write("mates.epd", self.SUITE)
        rows = rows_of(lab("mcts", "--games", "2", "--nodes", "20", "--movetime", "2", "--c", "30", "--random-games", "20",
                           "--visits", "200", "--suite", suite, "--json"))
        kinds = [row["kind"] for row in rows]
        self.assertEqual(kinds, ["rates", "mates", "mates", "mates_sum", "visits", "visits", "visits"] + ["match"] * 7)
        self.assertGreater(rows[0]["random_games_per_second"], 0)
        self.assertEqual([(row["mate"], row["positions"], row["proved"]) for row in rows[1:3]], [(1, 1, 1), (2, 2, 2)])
        self.assertEqual((rows[3]["positions"], rows[3]["proved"]), (3, 3))
        for row in rows[4:7]:
            self.assertEqual(sum(row["moves"].values()), 200)
            visits = list(row["moves"].values())
            self.assertEqual(visits, sorted(visits, reverse=True))
        self.assertTrue(all(row["games"] == 2 and 0 <= row["score"] <= 1 for row in rows[7:]))

    def test_the_report_has_tables_and_plots(self):
        folder = os.path.join(self.folder, "paper")
        result = lab("mcts", "--games", "0", "--random-games", "0", "--visits", "100", "--report", folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(os.path.join(folder, "mcts-figures.md"), encoding="utf-8") as page:
            self.assertIn("Visits by move", page.read())
        for playout in ("eval", "minimax", "random"):
            with open(os.path.join(folder, "mcts", f"visits-{playout}.svg"), encoding="utf-8") as plot:
                self.assertIn("</svg>", plot.read())

    def test_bad_values_are_named(self):
        self.assertEqual(lab("mcts", "--c", "much").returncode, 2)
        missing = lab("mcts", "--games", "0", "--random-games", "0", "--visits", "0", "--suite", "nowhere.epd")
        self.assertEqual((missing.returncode, "nowhere.epd" in missing.stderr), (1, True))


class BadUsage(Lab):
    def check(self, code, words, *arguments):
        result = lab(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(words, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_errors_name_the_thing(self):
        self.check(2, "no command 'lab dance'", "dance")
        self.check(2, "no rung 'ab9'", "ladder", "--rung", "ab9")
        self.check(2, "--eval is", "ladder", "--eval", "magic")
        self.check(2, "--order is", "ladder", "--order", "5")
        self.check(2, "--key is", "ladder", "--key", "x")
        self.check(1, "nowhere.txt", "ladder", "--positions", os.path.join(self.folder, "nowhere.txt"))
        self.check(1, "bad.txt:2", "ladder", "--positions", self.write("bad.txt", f"{ENDING}\nrubbish\n"))
        self.check(1, "depth after '|'", "ladder", "--positions", self.write("deep.txt", f"{ENDING} | deep\n"))
        self.check(1, "holds no position", "ladder", "--positions", self.write("empty.txt", "# nothing\n"))

    def test_precision_needs_a_suite_and_evaluations_it_knows(self):
        suite = self.write("a.epd", f"{ENDING}\n")
        self.check(2, "--suite", "precision")
        self.check(2, "--eval", "precision", "--suite", suite, "--eval", "")
        self.check(1, "bad.epd:1", "precision", "--suite", self.write("bad.epd", "rubbish\n"))
        self.check(1, "cannot make the folder", "precision", "--suite", suite, "--cache", os.path.join(suite, "x"))

    def test_help_is_no_error(self):
        for words in (["--help"], ["ladder", "--help"], ["ablate", "--help"], ["list", "--help"]):
            result = lab(*words)
            self.assertEqual(result.returncode, 0)
            self.assertIn("tabia lab", result.stdout)


if __name__ == "__main__":
    unittest.main()
