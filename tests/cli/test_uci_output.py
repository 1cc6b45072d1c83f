"""test_uci_output.py - what info lines and bestmove say: cases 49 to 54 of UCI robustness."""
import re
import unittest

from uci_driver import KIWIPETE, STARTPOS, Engine, check_line, mate_sign, parse_info, pick_program

POSITIONS = (STARTPOS, KIWIPETE, "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5", "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
             "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "fen 8/P7/8/8/8/8/k6p/7K w - - 0 1")
THREADS = (1, 2, 4)


class LastLineTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def check(self, answer):
        self.assertTrue(answer.lines[-2].startswith("info "), answer.lines[-2:])
        self.assertEqual(answer.infos[-1]["multipv"], 1)
        self.assertEqual(answer.infos[-1]["pv"][0], answer.best)

    def test_the_last_line_begins_with_the_best_move(self):
        """Case 49: whatever ended the search, in the middle of an iteration too."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                for position in POSITIONS:
                    for limits in ("depth 1", "depth 6", "nodes 1", "nodes 777", "nodes 5000", "nodes 11111", "movetime 5",
                                   "movetime 40",
                                   "wtime 300 btime 300"):
                        self.check(engine.go(limits, position))

    def test_the_last_line_begins_with_the_best_move_after_stop(self):
        """Case 49."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                for position in POSITIONS:
                    for depth in (1, 4):
                        engine.send("position " + position, "go infinite")
                        lines = engine.read_until(f"info depth {depth} ")
                        engine.send("stop")
                        answer = engine.read_answer()
                        last = (answer.infos or [parse_info(lines[-1])])[-1]
                        self.assertEqual(last["pv"][0], answer.best)

    def test_a_limited_engine_shows_the_line_that_it_plays(self):
        """Case 49: it may choose another move than the best; what it shows last is what it plays."""
        with Engine(options={"UCI_LimitStrength": "true", "UCI_Elo": 1000}) as engine:
            for seed in range(1, 15):
                engine.set_option("Seed", seed)
                answer = engine.go("depth 6", STARTPOS)
                self.assertEqual(answer.infos[-1]["pv"][0], answer.best, seed)

    def test_lines_come_deeper_and_later(self):
        """Case 49: depth, nodes and time never fall within a search."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                answer = engine.go("depth 9", KIWIPETE)
                for key in ("depth", "nodes", "time"):
                    values = [info[key] for info in answer.infos]
                    self.assertEqual(values, sorted(values), key)


class LineTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_lines_are_legal_and_end_with_the_game(self):
        """Case 50."""
        for threads in (1, 4):
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                for position in POSITIONS:
                    check_line(self, position, engine.go("depth 9", position).infos[-1]["pv"])

    def test_lines_stop_at_the_fifty_move_limit(self):
        """Case 50."""
        with Engine() as engine:
            for counter in (93, 96, 98, 99):
                for board in ("8/8/8/4k3/8/8/8/KQ6 w - -", "4k3/8/4p3/4P3/8/8/3R4/4K3 b - -"):
                    position = f"fen {board} {counter} 100"
                    line = engine.go("depth 10", position).infos[-1]["pv"]
                    check_line(self, position, line)

    def test_lines_stop_at_the_third_repetition(self):
        """Case 50: half of the repetition is in the game, half in the line."""
        with Engine() as engine:
            for count in (4, 5, 6, 7):
                moves = (["b1c3", "b8c6", "c3b1", "c6b8"] * 2)[:count]
                position = "startpos moves " + " ".join(moves)
                check_line(self, position, engine.go("depth 8", position).infos[-1]["pv"])
            perpetual = "fen 6k1/6p1/8/6Q1/8/8/1q5r/6K1 w - - 0 1"
            check_line(self, perpetual, engine.go("depth 10", perpetual).infos[-1]["pv"])

    def test_lines_in_drawn_endings_are_legal(self):
        """Case 50."""
        with Engine() as engine:
            for position in ("fen 8/8/4k3/8/8/4K3/4P3/8 b - - 0 1", "fen 8/8/8/8/8/1k6/p7/K7 w - - 0 1",
                             "fen k7/P7/K7/8/8/8/8/6B1 w - - 0 1"):
                if engine.legal_moves(position):
                    check_line(self, position, engine.go("depth 12", position).infos[-1]["pv"])


class NumbersTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_numbers_are_whole_and_in_range(self):
        """Case 51: also in the first millisecond."""
        with Engine(options={"Hash": 1}) as engine:
            for limits in ("depth 1", "nodes 1", "depth 9", "movetime 1"):
                for info in engine.go(limits, KIWIPETE).infos:
                    self.assertGreaterEqual(info["time"], 0)
                    self.assertGreaterEqual(info["nps"], 0)
                    self.assertGreaterEqual(info["nodes"], 0)
                    self.assertTrue(0 <= info["hashfull"] <= 1000)
                    self.assertGreaterEqual(info["depth"], 1)
                    self.assertEqual(info["tbhits"], 0)

    def test_every_line_has_all_fields(self):
        """Case 51."""
        with Engine() as engine:
            for info in engine.go("depth 6", KIWIPETE).infos:
                for key in ("depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv"):
                    self.assertIn(key, info)

    def test_the_table_fills(self):
        """Case 51: hashfull is of the table, in permille."""
        with Engine(options={"Hash": 1}) as engine:
            full = engine.go("nodes 150000", KIWIPETE).infos[-1]["hashfull"]
            self.assertTrue(100 <= full <= 1000, full)
            engine.set_option("Clear Hash")
            engine.ready()
            self.assertLess(engine.go("depth 1", KIWIPETE).infos[-1]["hashfull"], 10)

    def test_the_current_move_is_not_told_in_the_first_seconds(self):
        """Case 51."""
        with Engine() as engine:
            answer = engine.go("depth 7", KIWIPETE)
        self.assertFalse([line for line in answer.lines if "currmove" in line and not re.search(r" time \d{4,}", line)])

    def test_the_current_move_is_told_later(self):
        """Case 51: legal, numbered from 1."""
        with Engine() as engine:
            legal = engine.legal_moves(KIWIPETE)
            engine.send("position " + KIWIPETE, "go infinite")
            info = parse_info(engine.read_until(r"info .*currmove")[-1])
            engine.send("stop")
            engine.read_answer()
        self.assertIn(info["currmove"], legal)
        self.assertTrue(1 <= info["currmovenumber"] <= len(legal))


class ScoreTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_the_last_line_of_a_search_is_no_bound(self):
        """Case 52."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                for position in POSITIONS:
                    self.assertEqual(engine.go("depth 7", position).infos[-1]["bound"], "")

    def test_the_score_is_of_the_side_to_move(self):
        """Case 53."""
        with Engine() as engine:
            for board, sign in (("4k3/8/8/8/8/8/PPPP4/QQ2K3 {} - - 0 1", 1), ("qq2k3/pppp4/8/8/8/8/8/4K3 {} - - 0 1", -1)):
                for side, factor in (("w", 1), ("b", -1)):
                    kind, value = engine.go("depth 2", "fen " + board.format(side)).infos[0]["score"]
                    self.assertGreater(value * sign * factor, 0, (board, side, kind))

    def test_colours_are_treated_alike(self):
        """Case 53: the mirrored position has the same score at depth 1."""
        with Engine() as engine:
            kiwipete = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
            white = engine.go("depth 1", kiwipete).infos[-1]["score"]
            engine.send("ucinewgame")
            mirrored = "fen r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1"
            black = engine.go("depth 1", mirrored).infos[-1]["score"]
        self.assertEqual(white, black)

    def test_centipawns_stay_away_from_mates(self):
        """Case 53: an overwhelming advantage is not a mate."""
        with Engine() as engine:
            for position in ("fen QQQQ3k/QQQQ2p1/8/8/8/8/8/K7 b - - 0 1", "fen 4k3/pppppppp/8/8/8/8/8/QQQQKQQQ w - - 0 1"):
                for info in engine.go("depth 2", position).infos:
                    kind, value = info["score"]
                    self.assertLess(abs(value), 31000 if kind == "cp" else 200)

    def test_no_mate_is_claimed_where_there_is_none(self):
        """Case 53: neither in a fortress nor in a drawn ending, whatever is pruned."""
        for threads in (1, 4):
            with Engine(options={"Threads": threads}) as engine:
                for position in ("fen 8/8/8/8/8/8/5k1p/7K w - - 0 1", "fen 7k/8/8/8/8/8/5BPP/7K b - - 0 1",
                                 "fen 8/8/4k3/8/8/4K3/4P3/8 b - - 0 1",
                                 "fen k7/P7/K7/8/8/8/8/8 b - - 0 1", STARTPOS):
                    if engine.legal_moves(position):
                        for info in engine.go("depth 9", position).infos:
                            self.assertIsNone(mate_sign(info), (position, info))


class WdlTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_chances_add_up_to_a_thousand(self):
        """Case 54."""
        with Engine(options={"UCI_ShowWDL": "true"}) as engine:
            for position in POSITIONS + ("fen 4k3/8/8/8/8/8/PPPP4/QQ2K3 b - - 0 1", "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1"):
                for info in engine.go("depth 4", position).infos:
                    self.assertEqual(sum(info["wdl"]), 1000)
                    self.assertTrue(all(0 <= part <= 1000 for part in info["wdl"]))

    def test_mates_are_certain(self):
        """Case 54."""
        with Engine(options={"UCI_ShowWDL": "true"}) as engine:
            mate = engine.go("depth 6", "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1").infos[-1]
            mated = engine.go("depth 6", "fen 7k/R7/8/8/8/8/8/1R4K1 b - - 0 1").infos[-1]
        self.assertEqual((mate["wdl"], mated["wdl"]), ([1000, 0, 0], [0, 0, 1000]))

    def test_chances_grow_with_the_score(self):
        """Case 54."""
        with Engine(options={"UCI_ShowWDL": "true"}) as engine:
            seen = []
            for fen in ("4k3/pppp4/8/8/8/8/PPPP4/4K3", "4k3/pppp4/8/8/8/8/PPPP4/1N2K3", "4k3/pppp4/8/8/8/8/PPPP4/Q3K3"):
                wins, _, losses = engine.go("depth 4", f"fen {fen} w - - 0 1").infos[-1]["wdl"]
                seen.append(wins - losses)
        self.assertEqual(seen, sorted(seen))

    def test_chances_are_shown_only_when_asked_for(self):
        """Case 54."""
        with Engine() as engine:
            self.assertFalse(any("wdl" in info for info in engine.go("depth 3").infos))
            engine.set_option("UCI_ShowWDL", "true")
            self.assertTrue(all("wdl" in info for info in engine.go("depth 3").infos))


if __name__ == "__main__":
    unittest.main()
