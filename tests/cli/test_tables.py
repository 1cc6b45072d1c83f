"""Endgame tables at the root, with several lines and at limited strength; needs ../shared/data/syzygy and libfathom."""
import os
import unittest

from folder import SHARED
from uci_driver import Engine, pick_program

FOLDER = os.path.join(SHARED, "data", "syzygy", "regular")
WON = 20000  # centipawns: no evaluation says so much

# Won and drawn positions in which some moves keep the result and others do not.
MIXED = ["4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", "8/8/8/8/8/2k5/1p6/1K4R1 w - - 0 1", "8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1",
         "8/8/8/8/5k2/8/4p3/K3R3 w - - 0 1", "8/8/8/8/8/3k4/1p6/3K2R1 b - - 0 1", "8/5k2/8/4K3/4P3/8/8/8 b - - 0 1"]


def class_of(score):
    """1 won, 0 drawn, -1 lost."""
    kind, value = score
    if kind == "mate":
        return 1 if value > 0 else -1
    return (value > WON) - (value < -WON)


class TablesTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)
        if not os.path.isdir(FOLDER):
            self.skipTest("there are no tables here")
        self.judge = self.engine()
        if self.judge.go("depth 1", "fen " + MIXED[0]).infos[-1]["tbhits"] == 0:
            self.skipTest("libfathom is not installed")

    def engine(self, **options):
        engine = Engine(options={"SyzygyPath": FOLDER, "Hash": 1, **{name.replace("_", " "): options[name] for name in options}})
        self.addCleanup(engine.kill)
        engine.ready()
        return engine

    def class_after(self, fen, moves):
        """How the side that made the last move stands, by the tables' word for the other side."""
        answer = self.judge.go("depth 1", f"fen {fen} moves {' '.join(moves)}")
        return -class_of(answer.infos[-1]["score"]) if answer.infos else int("mate" in answer.lines[-2])

    def lines(self, engine, fen, limits):
        """The last report of each line: move and class, in order."""
        answer = engine.go(limits, "fen " + fen)
        last = {info["multipv"]: (info["pv"][0], class_of(info["score"])) for info in answer.infos}
        self.assertEqual(answer.best, last[1][0])
        return [last[number] for number in sorted(last)]

    def test_every_line_has_the_score_of_the_tables_and_better_ones_come_first(self):
        engine = self.engine(MultiPV=64)
        for fen in MIXED:
            lines = self.lines(engine, fen, "nodes 300")
            classes = [value for _, value in lines]
            self.assertEqual(len(lines), len(engine.legal_moves("fen " + fen)), fen)
            self.assertEqual(classes, sorted(classes, reverse=True), fen)
            self.assertGreater(len(set(classes)), 1, fen)
            for move, value in lines:
                self.assertEqual(value, self.class_after(fen, [move]), f"{fen} {move}")

    def test_the_tree_search_obeys_the_tables_too(self):
        engine = self.engine(MultiPV=4, Search="mcts")
        for fen in MIXED:
            classes = [value for _, value in self.lines(engine, fen, "nodes 600")]
            self.assertEqual(classes, sorted(classes, reverse=True), fen)

    def test_a_move_that_was_asked_for_has_its_own_score(self):
        fen = MIXED[0]
        for move, value in (("e6d6", 1), ("e6d5", 0)):
            answer = self.judge.go(f"depth 4 searchmoves {move}", "fen " + fen)
            self.assertEqual((answer.best, class_of(answer.infos[-1]["score"])), (move, value))

    def test_strong_levels_let_no_result_go(self):
        weak = self.engine(UCI_LimitStrength="true", UCI_Elo=2200)
        for fen in MIXED:
            result = class_of(self.judge.go("depth 1", "fen " + fen).infos[-1]["score"])
            for seed in range(1, 9):
                weak.set_option("Seed", seed)
                best = weak.go("nodes 600", "fen " + fen).best
                self.assertEqual(self.class_after(fen, [best]), result, f"{fen} {best}")

    def test_strong_levels_convert(self):
        """Queen against rook against the best defence: the win is never let go, and it is brought home."""
        fen = "8/8/3k4/2r5/8/8/1Q6/K7 w - - 0 1"
        weak = self.engine(UCI_LimitStrength="true", UCI_Elo=2400, Seed=5)
        moves = []
        for ply in range(100):
            position = f"fen {fen}" + (" moves " + " ".join(moves) if moves else "")
            answer = (self.judge if ply % 2 else weak).go("nodes 600", position)
            if answer.best in ("(none)", "0000"):
                break
            moves.append(answer.best)
            if ply % 2 == 0:
                self.assertEqual(self.class_after(fen, moves), 1, moves)
        self.assertLess(len(moves), 100, moves)
        self.assertEqual(len(moves) % 2, 1, moves)


if __name__ == "__main__":
    unittest.main()
