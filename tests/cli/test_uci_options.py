"""test_uci_options.py - options, good and bad values, before and during a search: cases 9 to 16 of UCI robustness."""
import os
import tempfile
import unittest

from folder import SHARED
from uci_driver import KIWIPETE, STARTPOS, Engine, pick_program, strings_of

DEPTH = "depth 7"


def option_lines(engine):
    engine.send("uci")
    return [line for line in engine.read_until("uciok$") if line.startswith("option ")]


def option_names(engine):
    return [line.split(" name ")[1].split(" type ")[0] for line in option_lines(engine)]


def nodes_of(engine, limits=DEPTH, position=KIWIPETE):
    return engine.go(limits, position).infos[-1]["nodes"]


class BadValueTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_bad_numbers_are_refused_in_words_and_nothing_breaks(self):
        """Case 9."""
        for name in ("Hash", "Threads", "MultiPV", "Move Overhead", "UCI_Elo", "Skill Level"):
            for value in ("-5", "abc", "", "999999999999", "99999999999999999999999999", "1.5", "0x10", "16 MB", "-"):
                with self.subTest(name=name, value=value), Engine() as engine:
                    engine.set_option(name, value)
                    said = strings_of(engine.ready())
                    self.assertEqual(len(said), 1, said)
                    self.assertIn(name, said[0])
                    self.assertNotEqual(engine.go("depth 1").best, "(none)")

    def test_zero_is_too_little_for_hash_and_threads(self):
        """Case 9."""
        for name in ("Hash", "Threads", "MultiPV"):
            with self.subTest(name=name), Engine() as engine:
                engine.set_option(name, "0")
                self.assertEqual(len(strings_of(engine.ready())), 1)
                self.assertNotEqual(engine.go("depth 1").best, "(none)")

    def test_a_bad_value_keeps_the_old_one(self):
        """Case 9: MultiPV shows its value by the number of lines."""
        with Engine(options={"MultiPV": 3}) as engine:
            for value in ("0", "abc", "", "1000"):
                engine.set_option("MultiPV", value)
            answer = engine.go("depth 2")
        self.assertEqual(max(info["multipv"] for info in answer.infos), 3)

    def test_bad_words_for_checks_and_choices_are_refused(self):
        """Case 9."""
        with Engine() as engine:
            for name, value in (("Ponder", "maybe"), ("UCI_Chess960", "1"), ("Eval", "astrology"), ("Features", "nonsense"),
                                ("UCI_ShowWDL", "")):
                engine.set_option(name, value)
                said = strings_of(engine.ready())
                self.assertEqual(len(said), 1, (name, said))

    def test_an_unknown_option_is_named(self):
        """Case 9."""
        with Engine() as engine:
            engine.send("setoption name No Such Thing value 3", "setoption", "setoption name", "setoption value 3")
            said = strings_of(engine.ready())
        self.assertTrue(any("No Such Thing" in text for text in said), said)


class HashTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def too_much(self):
        """More than this machine has, in MB, within what the option allows."""
        pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        wanted = (pages >> 20) + 1024
        if wanted > 1 << 20:
            self.skipTest("this machine has more memory than the option can ask for")
        return wanted

    def test_more_hash_than_memory_is_reported_and_the_old_table_stays(self):
        """Case 10."""
        with Engine() as engine:
            engine.ready()
            cold = nodes_of(engine)
            warm = nodes_of(engine)
            engine.send("ucinewgame")
            self.assertEqual(nodes_of(engine), cold)
            engine.set_option("Hash", self.too_much())
            self.assertEqual(len(strings_of(engine.ready())), 1)
            self.assertEqual(nodes_of(engine), warm, "the table was emptied")

    def test_more_hash_than_memory_is_reported_before_anything_else_was_made(self):
        """Case 10: at the latest with isready."""
        with Engine() as engine:
            engine.set_option("Hash", self.too_much())
            self.assertEqual(len(strings_of(engine.ready())), 1)
            self.assertNotEqual(engine.go("depth 2").best, "(none)")

    def test_more_hash_than_memory_is_reported_also_without_isready(self):
        """Case 10."""
        with Engine() as engine:
            engine.set_option("Hash", self.too_much())
            answer = engine.go("depth 2")
        self.assertEqual(len(strings_of(answer.lines)), 1, answer.lines)
        self.assertNotEqual(answer.best, "(none)")

    def test_a_hash_that_cannot_be_had_leaves_the_threads_alone(self):
        """Case 10."""
        if not os.path.exists("/proc/self/status"):
            self.skipTest("this system has no /proc")
        with Engine() as engine:
            engine.set_option("Threads", 4)
            engine.set_option("Hash", self.too_much())
            engine.ready()
            with open(f"/proc/{engine.process.pid}/status", encoding="ascii", errors="replace") as file:
                threads = int(dict(line.split(":", 1) for line in file if ":" in line)["Threads"])
        self.assertGreaterEqual(threads, 5)

    def test_setting_the_present_value_keeps_the_hash(self):
        """Case 11."""
        with Engine() as engine:
            cold = nodes_of(engine)
            warm = nodes_of(engine)
            self.assertNotEqual(warm, cold, "the table made no difference: the test shows nothing")
            engine.send("ucinewgame")
            nodes_of(engine)
            engine.set_option("Hash", 16)
            engine.set_option("Threads", 1)
            engine.set_option("MultiPV", 1)
            engine.ready()
            self.assertEqual(nodes_of(engine), warm)

    def test_other_options_keep_the_hash_too(self):
        """Case 11."""
        with Engine() as engine:
            nodes_of(engine)
            warm = nodes_of(engine)
            engine.send("ucinewgame")
            nodes_of(engine)
            engine.set_option("Move Overhead", 50)
            engine.set_option("UCI_ShowWDL", "true")
            engine.set_option("Ponder", "true")
            self.assertEqual(nodes_of(engine), warm)

    def test_clear_hash_and_new_game_make_the_search_as_fresh_as_a_new_process(self):
        """Case 11."""
        with Engine() as engine:
            cold = nodes_of(engine)
            for command in ("setoption name Clear Hash", "ucinewgame"):
                nodes_of(engine)
                engine.ready()
                engine.send(command)
                self.assertEqual(nodes_of(engine), cold, command)

    def test_hash_sizes_may_go_up_and_down(self):
        """Case 11."""
        with Engine() as engine:
            for size in (1, 33, 2, 16, 1):
                engine.set_option("Hash", size)
                self.assertEqual(engine.ready(), [])
                self.assertNotEqual(engine.go("depth 3", KIWIPETE).best, "(none)")


class DuringSearchTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_options_may_be_set_while_a_search_runs(self):
        """Case 12: no lock-up, one bestmove, and the search after it works."""
        for threads in (1, 2, 4):
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                engine.send("position " + KIWIPETE, "go infinite")
                engine.read_until("info depth 2 ")
                for name, value in (("Hash", 8), ("Threads", 3), ("MultiPV", 2), ("UCI_ShowWDL", "true"), ("Minimal", "true"),
                                    ("Minimal", "false"), ("Clear Hash", None), ("UCI_LimitStrength", "true"), ("Seed", 5),
                                    ("Move Overhead", 30), ("Features", "-nmp"), ("SyzygyPath", "/nowhere"),
                                    ("UCI_LimitStrength", "false")):
                    engine.set_option(name, value)
                lines = engine.ready()
                self.assertFalse(any(line.startswith("bestmove") for line in lines))
                engine.send("stop")
                engine.read_answer()
                answer = engine.go("depth 3", KIWIPETE)
                self.assertEqual(max(info["multipv"] for info in answer.infos), 2)
                self.assertIn("wdl", answer.infos[-1])

    def test_the_log_may_be_opened_and_closed_while_a_search_writes(self):
        """Case 12: the search's thread writes into the log that this thread closes."""
        with tempfile.TemporaryDirectory() as folder, Engine() as engine:
            engine.send("position " + KIWIPETE, "go infinite")
            engine.read_until("info depth 2 ")
            for i in range(20):
                engine.set_option("Debug Log File", os.path.join(folder, f"log {i}.txt"))
                engine.set_option("Debug Log File", "<empty>")
                engine.ready()
            engine.send("stop")
            engine.read_answer()

    def test_strength_may_be_limited_while_a_search_runs(self):
        """Case 12."""
        with Engine(options={"UCI_LimitStrength": "true", "UCI_Elo": 2900}) as engine:
            for i in range(10):
                engine.send("position " + KIWIPETE, "go nodes 20000")
                engine.set_option("MultiPV", 1 + i % 3)
                engine.set_option("Seed", i)
                engine.set_option("UCI_Elo", 1000 + 100 * i)
                engine.read_answer()

    def test_clear_hash_during_a_search_counts_for_the_next(self):
        """Case 12: a button that cannot act now acts before the next search; it is never lost."""
        with Engine() as engine:
            cold = nodes_of(engine)
            engine.send("position " + KIWIPETE, "go infinite")
            engine.read_until("info depth 3 ")
            engine.set_option("Clear Hash")
            engine.ready()
            engine.send("stop")
            engine.read_answer()
            self.assertEqual(nodes_of(engine), cold)

    def test_clear_hash_right_behind_a_bestmove_is_not_lost(self):
        """Case 12: the GUI has read bestmove, so no search runs for it."""
        with Engine() as engine:
            cold = nodes_of(engine)
            for _ in range(20):
                engine.set_option("Clear Hash")
                self.assertEqual(nodes_of(engine), cold)


class NameTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_names_with_spaces_in_any_letter_case(self):
        """Case 13."""
        with Engine() as engine:
            for line in ("setoption name Move Overhead value 50", "setoption name move overhead value 60",
                         "setoption name MOVE OVERHEAD value 70", "setoption name hash value 8", "setoption name clear hash",
                         "setoption name Clear Hash value", "setoption name Clear Hash value true",
                         "setoption name uci_showwdl value TRUE", "setoption  name\tSkill  Level   value  20",
                         "setoption name Move   Overhead value 10"):
                engine.send(line)
                self.assertEqual(engine.ready(), [], line)
            self.assertIn("wdl", engine.go("depth 1").infos[-1])

    def test_a_text_may_hold_spaces_and_empty_ends_it(self):
        """Case 13."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a log with spaces.txt")
            with Engine() as engine:
                engine.set_option("Debug Log File", path)
                self.assertEqual(engine.ready(), [])
                engine.set_option("Debug Log File", "<empty>")
                engine.send("position startpos moves e2e4")
                self.assertEqual(engine.ready(), [])
            with open(path, encoding="utf-8") as file:
                text = file.read()
        self.assertIn("isready", text)
        self.assertIn("readyok", text)
        self.assertNotIn("e2e4", text, "the log was not closed")

    def test_a_log_that_cannot_be_written_is_reported(self):
        """Case 13."""
        with Engine() as engine:
            engine.set_option("Debug Log File", "/no/such/folder/log.txt")
            self.assertEqual(len(strings_of(engine.ready())), 1)

    def test_a_very_long_text_is_refused_or_taken(self):
        """Case 13."""
        with Engine() as engine:
            engine.set_option("SyzygyPath", "/x" * 5000)
            engine.set_option("x" * 100000, "y" * 100000)
            engine.ready()
            self.assertNotEqual(engine.go("depth 1").best, "(none)")


class FilesTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_any_syzygy_path_is_survived(self):
        """Case 14."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "KQvK.rtbw"), "wb") as file:
                file.write(b"\x71\xe8\x23\x5d" + bytes(100))
            with open(os.path.join(folder, "KRvK.rtbw"), "wb"):
                pass
            for path in ("<empty>", "", "/no/such/folder", f"{folder}:/no/such", f"/no/such;{folder}", folder, "/dev/null",
                         ":::;;"):
                with self.subTest(path=path), Engine() as engine:
                    engine.set_option("SyzygyPath", path)
                    engine.ready()
                    for fen in ("fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "fen 8/8/8/4k3/8/8/8/KR6 w - - 0 1"):
                        self.assertNotIn(engine.go("depth 3", fen).best, ("(none)", "0000"))

    def test_a_missing_or_broken_network_is_reported(self):
        """Case 15: where there is no such option yet, that is what is said."""
        with tempfile.TemporaryDirectory() as folder:
            broken = os.path.join(folder, "broken.net")
            with open(broken, "wb") as file:
                file.write(os.urandom(1000))
            empty = os.path.join(folder, "empty.net")
            with open(empty, "wb"):
                pass
            for path in ("/no/such/file.net", broken, empty, folder):
                with self.subTest(path=path), Engine() as engine:
                    engine.set_option("EvalFile", path)
                    answer = engine.ready()
                    self.assertGreaterEqual(len(strings_of(answer)), 1)
                    self.assertNotEqual(engine.go("depth 2").best, "(none)")


class ExposedTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_what_bot_hosts_set_is_there(self):
        """Case 16."""
        with Engine() as engine:
            names = option_names(engine)
        for name in ("Hash", "Threads", "Move Overhead", "SyzygyPath", "UCI_ShowWDL", "Ponder", "UCI_Chess960"):
            self.assertIn(name, names)

    def test_what_the_design_names_is_there(self):
        """Case 16."""
        with Engine() as engine:
            names = option_names(engine)
        for name in ("Clear Hash", "MultiPV", "UCI_AnalyseMode", "UCI_LimitStrength", "UCI_Elo", "Skill Level", "Minimal",
                     "Debug Log File", "Eval", "Features", "Quiescence Depth", "Iterative Deepening", "Aspiration Window"):
            self.assertIn(name, names)

    def test_every_option_takes_its_own_default(self):
        """Case 16: and the limits of its range."""
        with Engine() as engine:
            carried = any("name Eval type combo default nnue" in line for line in option_lines(engine))
            missing = [("Eval", "mlp")] if carried else [("Eval", "mlp"), ("Eval", "nnue")]
            for line in option_lines(engine):
                words = line.split()
                name = line.split(" name ")[1].split(" type ")[0]
                kind = words[words.index("type") + 1]
                values = [None] if kind == "button" else []
                if "default" in words:
                    values.append(line.split(" default ")[1].split(" var ")[0].split(" min ")[0])
                if kind == "spin" and name not in ("Hash", "Threads"):
                    values += [words[words.index("min") + 1], words[words.index("max") + 1], values[0]]
                if kind == "combo":
                    values += [part.strip() for part in line.split(" var ")[1:]] + [values[0]]
                for value in values:
                    engine.set_option(name, value)
                    said = engine.ready()
                    if (name, value) in missing:  # not built in: it says what to do
                        self.assertRegex(" ".join(said), "set (EvalFile|MLP File) first")
                    else:
                        self.assertEqual(said, [], (name, value))
            self.assertNotEqual(engine.go("depth 2").best, "(none)")

    def test_the_study_options_still_give_legal_moves(self):
        """Case 16."""
        for name, value in (("Eval", "material"), ("Features", "none"), ("Quiescence Depth", 0), ("Iterative Deepening", "false"),
                            ("Aspiration Window", 0), ("Aspiration Window", 1), ("Quiescence Depth", 2), ("Minimal", "true")):
            with self.subTest(name=name, value=value), Engine() as engine:
                engine.set_option(name, value)
                self.assertIn(engine.go("depth 3", KIWIPETE).best, engine.legal_moves(KIWIPETE))

    def test_minimal_shows_one_line_and_the_move(self):
        """Case 16."""
        with Engine(options={"Minimal": "true"}) as engine:
            answer = engine.go("depth 5", STARTPOS)
        self.assertEqual(len(answer.lines), 2)
        self.assertEqual(answer.infos[0]["depth"], 5)
        self.assertEqual(answer.infos[0]["pv"][0], answer.best)

    def test_every_thread_count_plays(self):
        """Case 16."""
        for threads in (1, 2, 4, 9, 1):
            with Engine(options={"Threads": threads}) as engine:
                self.assertEqual(engine.ready(), [])
                self.assertIn(engine.go("depth 4", KIWIPETE).best, engine.legal_moves(KIWIPETE))

    def test_strength_levels_play_legal_moves(self):
        """Case 16, and no crash with tables named at the same time (58)."""
        tables = os.path.join(SHARED, "data", "syzygy", "regular")
        for elo in (1000, 1500, 2000, 2500, 3000):
            options = {"UCI_LimitStrength": "true", "UCI_Elo": elo, "SyzygyPath": tables}
            with self.subTest(elo=elo), Engine(options=options) as engine:
                for position in (STARTPOS, KIWIPETE, "fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1"):
                    self.assertIn(engine.go("nodes 3000", position).best, engine.legal_moves(position))


if __name__ == "__main__":
    unittest.main()
