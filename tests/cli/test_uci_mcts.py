"""The UCI cases of the other test_uci_*.py once more, with Search set to mcts.

A mean depth of nine plies takes a Monte Carlo search minutes where alpha-beta takes a moment, so a depth above three that a
test asks for becomes a number of playouts, and a line of such a depth that it waits for one of depth three. What is left out is
what alpha-beta alone promises; every exception has its reason here.
"""
import os
import re
import unittest

import test_uci_go
import test_uci_limits
import test_uci_options
import test_uci_output
import test_uci_process
import test_uci_rules
import uci_driver

DEEPEST = 3
PLAYOUTS_A_PLY = 200

# Where every access is watched for races, the cases in which threads meet must do: all would take longer than a test may.
MODULES = ((test_uci_go, test_uci_process) if os.environ.get("TABIA_TEST_CONFIG") == "tsan" else
           (test_uci_go, test_uci_limits, test_uci_output, test_uci_process, test_uci_rules))
CLASSES = [found for module in MODULES
           for found in vars(module).values() if isinstance(found, type) and issubclass(found, unittest.TestCase)]
CLASSES += [test_uci_options.DuringSearchTest]

EXCEPTIONS = {
    # Depth is the mean of the playouts' paths: no iteration ends, and none is the last.
    "test_the_deepest_search_ends", "test_the_deepest_iteration_is_no_reason_to_move",
    "test_a_single_move_is_analysed_like_any_other",
    # A decided root needs no more thought: the mate is told at a lower depth than the test waits for.
    "test_a_mate_is_no_reason_to_move",
    # With four half-moves left the draw is a proof over all moves of both sides: more than these playouts.
    "test_the_table_does_not_remember_wins_that_the_counter_forbids",
    # Lines stand in the order of their visits; a depth is told several times, or never.
    "test_lines_are_distinct_sorted_and_of_one_depth", "test_a_search_that_is_cut_short_leaves_distinct_lines",
    "test_more_lines_than_moves",
    "test_illegal_and_repeated_moves_in_the_list_are_left_out",
    # `depth` counts playouts, not plies: it is no promise to see a mate; asked for a mate it looks for no longer one.
    "test_a_mate_line_is_as_long_as_it_says", "test_a_mate_that_is_longer_than_asked_does_not_end_it",
    # A mean of many quiescence searches, whose pruning depends on the order of moves on the board.
    "test_colours_are_treated_alike",
    # The tree takes more of the memory than the table does after as many nodes.
    "test_the_table_fills",
    # There is no current move: every playout begins at the root.
    "test_the_current_move_is_told_later",
}


def in_playouts(limits):
    """The same limits with playouts for depths that take too long."""
    def playouts(match):
        depth = int(match.group(1))
        return f"nodes {min(depth, 20) * PLAYOUTS_A_PLY}" if depth > DEEPEST else match.group(0)
    return limits if "nodes" in limits else re.sub(r"\bdepth (\d+)", playouts, limits)


def in_reach(wanted):
    """A line that this search comes to soon; the mean depth may skip a number."""
    if not isinstance(wanted, str):
        return wanted
    return re.sub(r"info depth (\d+)", lambda match: f"info depth ([{min(int(match.group(1)), DEEPEST)}-9]|[1-9][0-9]+)", wanted)


class WithMcts:
    """Every engine that a test starts thinks by playouts."""

    def setUp(self):
        engine, go, read_until = uci_driver.Engine, uci_driver.Engine.go, uci_driver.Engine.read_until
        for name, value in (("defaults", {"Search": "mcts"}),
                            ("go", lambda self, limits, position=None: go(self, in_playouts(limits), position)),
                            ("read_until", lambda self, wanted: read_until(self, in_reach(wanted)))):
            self.addCleanup(setattr, engine, name, getattr(engine, name))
            setattr(engine, name, value)
        super().setUp()


def with_mcts(found):
    """The class with MCTS and without the exceptions."""
    left_out = {test: None for test in EXCEPTIONS if hasattr(found, test)}
    return type("Mcts" + found.__name__, (WithMcts, found), left_out)


globals().update({"Mcts" + found.__name__: with_mcts(found) for found in CLASSES})


class MctsOwnTest(unittest.TestCase):
    def setUp(self):
        uci_driver.pick_program(self)

    def lines(self, engine):
        return [(info["score"], info["pv"]) for info in engine.go("nodes 3000", uci_driver.KIWIPETE).infos]

    def test_a_new_game_and_clear_hash_make_it_as_fresh_as_a_new_process(self):
        with uci_driver.Engine(options={"Search": "mcts"}) as engine:
            cold = self.lines(engine)
            self.assertNotEqual(self.lines(engine), cold, "the kept tree made no difference: the test shows nothing")
            for command in ("setoption name Clear Hash", "ucinewgame"):
                engine.send(command)
                self.assertEqual(self.lines(engine), cold, command)

    def test_every_choice_can_be_made_and_bad_ones_are_refused(self):
        with uci_driver.Engine(options={"Search": "mcts"}) as engine:
            for name, values in (("MCTS Playout", ("minimax", "random", "eval")), ("MCTS Policy", ("uct", "puct")),
                                 ("MCTS Exploration", ("0", "1000", "60")), ("Search", ("alphabeta", "MCTS"))):
                for value in values:
                    engine.set_option(name, value)
                    self.assertEqual(uci_driver.strings_of(engine.ready()), [], (name, value))
                    self.assertIn(engine.go("nodes 200", uci_driver.KIWIPETE).best, engine.legal_moves(uci_driver.KIWIPETE))
                engine.set_option(name, "nonsense")
                self.assertEqual(len(uci_driver.strings_of(engine.ready())), 1, name)

    def test_a_mate_that_was_proved_is_waited_with_and_played(self):
        with uci_driver.Engine(options={"Search": "mcts"}) as engine:
            engine.send("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "go infinite")
            engine.read_until(lambda line: "score mate" in line)
            self.assertFalse([line for line in engine.ready() if line.startswith("bestmove")])
            engine.send("stop")
            engine.read_answer()
            self.assertEqual(uci_driver.mate_sign(engine.go("mate 2").infos[-1]), 2)

    def last_lines(self, answer):
        """The lines of the last report."""
        first = max(i for i, info in enumerate(answer.infos) if info["multipv"] == 1)
        return answer.infos[first:]

    def test_lines_are_distinct_and_of_one_depth(self):
        for threads in (1, 4):
            with uci_driver.Engine(options={"Search": "mcts", "MultiPV": 5, "Threads": threads}) as engine:
                answer = engine.go("nodes 3000", uci_driver.KIWIPETE)
                lines = self.last_lines(answer)
                self.assertEqual([info["multipv"] for info in lines], [1, 2, 3, 4, 5])
                self.assertEqual(len({info["pv"][0] for info in lines}), 5)
                self.assertEqual(len({info["depth"] for info in lines}), 1)
                self.assertEqual(lines[0]["pv"][0], answer.best)

    def test_more_lines_than_moves(self):
        with uci_driver.Engine(options={"Search": "mcts", "MultiPV": 256}) as engine:
            self.assertEqual(len(self.last_lines(engine.go("nodes 500", uci_driver.KIWIPETE))), 48)
            wished = engine.go("nodes 500 searchmoves a2a3 e2e5 a2a3 xyz h2h3 0000 a2a3", uci_driver.STARTPOS)
            self.assertEqual(sorted(info["pv"][0] for info in self.last_lines(wished)), ["a2a3", "h2h3"])

    def test_bare_kings_wait_for_stop(self):
        with uci_driver.Engine(options={"Search": "mcts"}) as engine:
            engine.send("position " + test_uci_go.BARE_KINGS, "go infinite")
            self.assertFalse([line for line in engine.ready() if line.startswith("bestmove")])
            engine.send("stop")
            self.assertIn(engine.read_answer().best, engine.legal_moves(test_uci_go.BARE_KINGS))


if __name__ == "__main__":
    unittest.main()
