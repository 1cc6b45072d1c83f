"""test_uci_go.py - go, stop, ponder and what may come between: cases 28 to 38 of UCI robustness."""
import unittest

from uci_driver import KIWIPETE, STARTPOS, Engine, answer_of, parse_info, pick_program

MATED = "fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
STALEMATED = "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
BARE_KINGS = "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1"
ONE_MOVE = "fen 7k/8/8/8/8/8/6P1/1r5K w - - 0 1"  # in check on the first rank: Kh2
THREADS = (1, 2, 4)


def bestmoves(lines):
    return [line for line in lines if line.startswith("bestmove")]


class NoMoveTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def check(self, engine, position, score, limits="depth 5"):
        answer = engine.go(limits, position)
        self.assertEqual((answer.best, answer.ponder), ("(none)", None))
        info = parse_info(answer.lines[-2])
        self.assertEqual((info["depth"], info["score"], info["pv"]), (0, score, []))
        self.assertEqual(len([line for line in answer.lines if not line.startswith("info string")]), 2)

    def test_mate_and_stalemate_have_no_best_move(self):
        """Case 28: also after a search that had one, with one thread and several, one line and several."""
        for threads in THREADS:
            for lines in (1, 3):
                with self.subTest(threads=threads, lines=lines), Engine(options={"Threads": threads, "MultiPV": lines}) as engine:
                    self.check(engine, MATED, ("mate", 0))
                    self.assertNotEqual(engine.go("depth 4", KIWIPETE).best, "(none)")
                    self.check(engine, MATED, ("mate", 0))
                    self.check(engine, STALEMATED, ("cp", 0))

    def test_every_kind_of_limit_ends_at_once_without_a_move(self):
        """Case 28."""
        with Engine() as engine:
            for limits in ("depth 1", "nodes 1", "movetime 1", "wtime 1000 btime 1000", "mate 3", "depth 3 searchmoves e2e4"):
                self.check(engine, MATED, ("mate", 0), limits)
                self.check(engine, STALEMATED, ("cp", 0), limits)

    def test_a_mated_side_waits_for_stop_when_told_to_think_for_ever(self):
        """Cases 28 and 35."""
        with Engine() as engine:
            engine.send("position " + MATED, "go infinite")
            self.assertEqual(bestmoves(engine.ready()), [])
            engine.send("stop")
            self.assertEqual(engine.read_answer().best, "(none)")

    def test_a_limited_engine_has_no_move_either(self):
        """Case 28."""
        with Engine(options={"UCI_LimitStrength": "true", "UCI_Elo": 1000}) as engine:
            self.assertNotEqual(engine.go("depth 4", KIWIPETE).best, "(none)")
            self.check(engine, MATED, ("mate", 0))
            self.check(engine, STALEMATED, ("cp", 0))


class RootTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_a_drawn_root_still_plays_a_legal_move(self):
        """Case 29: third and fifth repetition, fifty moves, bare kings."""
        shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
        for position in ("startpos moves " + " ".join(shuffle * 2), "startpos moves " + " ".join(shuffle * 5),
                         "fen 4k3/8/8/8/8/8/4P3/4K2R w K - 100 90", "fen 4k3/8/8/8/8/8/4P3/4K2R b K - 149 90", BARE_KINGS):
            for threads in (1, 4):
                with self.subTest(position=position, threads=threads), Engine(options={"Threads": threads}) as engine:
                    self.assertIn(engine.go("depth 5", position).best, engine.legal_moves(position))

    def test_a_single_move_is_played_early_on_a_clock(self):
        """Case 30: half an hour on the clock, and not a minute of it is used."""
        with Engine() as engine:
            legal = engine.legal_moves(ONE_MOVE)
            self.assertEqual(len(legal), 1)
            answer = engine.go("wtime 1800000 btime 1800000", ONE_MOVE)
        self.assertEqual(answer.best, legal[0])
        self.assertLess(answer.infos[-1]["time"], 10000)

    def test_a_single_move_is_analysed_like_any_other(self):
        """Case 30."""
        with Engine() as engine:
            engine.send("position " + ONE_MOVE, "go infinite")
            engine.read_until("info depth 6 ")
            self.assertEqual(bestmoves(engine.ready()), [])
            engine.send("stop")
            engine.read_answer()
            self.assertEqual(engine.go("depth 6", ONE_MOVE).infos[-1]["depth"], 6)


class StopTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_stop_without_a_search_is_ignored(self):
        """Case 31."""
        with Engine() as engine:
            engine.send("stop", "stop", "ponderhit")
            self.assertEqual(engine.ready(), [])
            engine.go("depth 2")
            engine.send("stop", "ponderhit", "stop")
            self.assertEqual(engine.ready(), [])

    def test_two_stops_give_one_move(self):
        """Case 31."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                for _ in range(5):
                    engine.send("go infinite", "stop", "stop", "isready")
                    lines = engine.read_until("readyok$")
                    if not bestmoves(lines):
                        lines += engine.read_until("bestmove")
                    lines += engine.ready()
                    self.assertEqual(len(bestmoves(lines)), 1)

    def test_a_stop_that_meets_the_end_of_a_search_gives_one_move(self):
        """Case 31: every go has exactly one bestmove, whoever was first."""
        with Engine(options={"Threads": 2}) as engine:
            for depth in (1, 2, 3, 4) * 5:
                engine.send(f"go depth {depth}", "stop")
                engine.read_answer()
                self.assertEqual(bestmoves(engine.ready()), [])

    def test_stop_right_behind_go_gives_a_legal_move(self):
        """Case 32."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                for position in (STARTPOS, KIWIPETE, "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"):
                    legal = engine.legal_moves(position)
                    for go in ("go infinite", "go", "go wtime 60000 btime 60000", "go ponder wtime 60000 btime 60000",
                               "go depth 50"):
                        engine.send("position " + position, go, "stop")
                        self.assertIn(engine.read_answer().best, legal)

    def test_stop_right_behind_go_still_says_what_it_saw(self):
        """Case 32: depth 1 is always completed, so a line with the move comes first."""
        with Engine() as engine:
            for _ in range(10):
                engine.send("position " + KIWIPETE, "go infinite", "stop")
                answer = engine.read_answer()
                self.assertEqual(answer.infos[-1]["pv"][0], answer.best)


class WhileSearchingTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_isready_is_answered_while_searching(self):
        """Case 33: before the bestmove, as often as one asks."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                engine.send("go infinite")
                for _ in range(20):
                    self.assertEqual(bestmoves(engine.ready()), [])
                engine.send("stop")
                engine.read_answer()

    def test_isready_does_not_disturb_the_search(self):
        """Case 33: the same nodes, the same move."""
        with Engine() as engine:
            alone = engine.go("nodes 20000", KIWIPETE)
            engine.send("ucinewgame", "position " + KIWIPETE, "go nodes 20000", *["isready"] * 50)
            lines = engine.read_until("bestmove")
            disturbed = answer_of([line for line in lines if line != "readyok"])
        self.assertEqual((disturbed.best, disturbed.infos[-1]["nodes"]), (alone.best, alone.infos[-1]["nodes"]))

    def test_a_new_position_ends_the_search_of_the_old_one_first(self):
        """Case 34: its bestmove belongs to the old position and comes before anything new."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                engine.send("position startpos", "go infinite", "position " + MATED, "isready")
                lines = engine.read_until("readyok$")
                self.assertEqual(len(bestmoves(lines)), 1)
                self.assertIn(bestmoves(lines)[0].split()[1], engine.legal_moves(STARTPOS))
                self.assertEqual(engine.go("depth 2", MATED).best, "(none)")

    def test_a_refused_position_ends_the_search_too(self):
        """Case 34."""
        with Engine() as engine:
            engine.send("position startpos", "go infinite", "position fen rubbish", "go depth 1", "isready")
            lines = engine.read_until("readyok$")
            moves = [line.split()[1] for line in bestmoves(lines)]
            self.assertEqual(len(moves), 2)
            self.assertIn(moves[0], engine.legal_moves(STARTPOS))
            self.assertEqual(moves[1], "0000")

    def test_a_second_go_is_answered_after_the_first(self):
        """Case 34: two go, two bestmoves, each for its own position."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                engine.send("position startpos", "go infinite", "position " + STALEMATED, "go depth 3",
                            "position startpos moves e2e4",
                            "go depth 2")
                moves = []
                while len(moves) < 3:
                    moves += [line.split()[1] for line in bestmoves([engine.read_line()])]
                self.assertIn(moves[0], engine.legal_moves(STARTPOS))
                self.assertEqual(moves[1], "(none)")
                self.assertIn(moves[2], engine.legal_moves("startpos moves e2e4"))

    def test_go_upon_go_gives_as_many_moves(self):
        """Case 34."""
        with Engine(options={"Threads": 2}) as engine:
            engine.send(*["go infinite"] * 10, "stop")
            for _ in range(10):
                engine.read_answer()
            self.assertEqual(bestmoves(engine.ready()), [])

    def test_a_new_game_during_a_search_is_survived(self):
        """Case 34."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                engine.send("go infinite", "ucinewgame", "isready")
                lines = engine.read_until("readyok$")
                self.assertEqual(len(bestmoves(lines)), 1)
                self.assertNotEqual(engine.go("depth 2", STARTPOS).best, "(none)")

    def test_looking_at_the_board_during_a_search_is_survived(self):
        """Case 34: d, eval, uci, perft and bench answer, the search goes on."""
        with Engine(options={"Threads": 2}) as engine:
            engine.send("position startpos", "go infinite", "d", "eval", "uci", "go perft 2", "help", "isready")
            lines = engine.read_until("readyok$")
            self.assertIn("Nodes searched: 400", lines)
            self.assertEqual(bestmoves(lines), [])
            engine.send("stop")
            engine.read_answer()


class PerftTest(unittest.TestCase):
    """`go perft` counts on a thread of its own."""

    def test_a_deep_perft_can_be_stopped_and_says_so(self):
        with Engine() as engine:
            engine.send("position startpos", "go perft 20")
            self.assertEqual(engine.ready(), [])
            engine.send("stop")
            lines = engine.read_until("info string perft 20: stopped$")
            self.assertFalse([line for line in lines if "Nodes searched" in line or ": 1" in line])
            engine.send("go perft 4")
            lines = engine.read_until("Nodes searched")
            self.assertEqual(lines[-1], "Nodes searched: 197281")
            self.assertIn("e2e4: 13160", lines)

    def test_another_go_ends_it(self):
        with Engine() as engine:
            engine.send("position startpos", "go perft 20", "go perft 20", "position " + KIWIPETE, "go perft 2")
            lines = engine.read_until("Nodes searched: 2039")
            self.assertEqual(lines.count("info string perft 20: stopped"), 2)
            engine.send("go perft 20", "go depth 3")
            self.assertTrue(bestmoves(engine.read_until("bestmove")))

    def test_quit_and_the_end_of_input_do_not_wait_for_it(self):
        for last in (["quit"], []):
            with Engine() as engine:
                engine.send("position startpos", "go perft 20", *last)


class InfiniteTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_the_deepest_iteration_is_no_reason_to_move(self):
        """Case 35: bare kings reach the last depth at once; the move waits for stop."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                deepest = engine.go("depth 100000", BARE_KINGS).infos[-1]["depth"]
                engine.send("position " + BARE_KINGS, "go infinite")
                engine.read_until(f"info depth {deepest} ")
                for _ in range(10):
                    self.assertEqual(bestmoves(engine.ready()), [])
                engine.send("stop")
                self.assertIn(engine.read_answer().best, engine.legal_moves(BARE_KINGS))

    def test_a_mate_is_no_reason_to_move(self):
        """Case 35."""
        with Engine() as engine:
            engine.send("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "go infinite")
            engine.read_until(lambda line: "score mate 1" in line and " depth 5 " in line)
            self.assertEqual(bestmoves(engine.ready()), [])
            engine.send("stop")
            best = engine.read_answer().best
            self.assertEqual(engine.legal_moves(f"fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1 moves {best}"), [])

    def test_infinite_is_stronger_than_other_limits(self):
        """Case 35."""
        with Engine() as engine:
            engine.send("go infinite depth 1 nodes 1 movetime 1")
            for _ in range(10):
                self.assertEqual(bestmoves(engine.ready()), [])
            engine.send("stop")
            self.assertEqual(len(bestmoves(engine.read_answer().lines)), 1)


class PonderTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_pondering_waits_whatever_the_clock_says(self):
        """Case 36: the limits would have ended it long ago."""
        for threads in THREADS:
            for limits in ("wtime 1 btime 1", "movetime 1", "depth 1", "nodes 1", "wtime 100 btime 100 movestogo 1"):
                with self.subTest(limits=limits, threads=threads), Engine(options={"Threads": threads}) as engine:
                    engine.send("go ponder " + limits)
                    for _ in range(5):
                        self.assertEqual(bestmoves(engine.ready()), [])
                    engine.send("ponderhit")
                    engine.read_answer()
                    self.assertEqual(bestmoves(engine.ready()), [])

    def test_pondering_thinks_on_until_the_hit(self):
        """Case 36."""
        with Engine() as engine:
            engine.send("position " + KIWIPETE, "go ponder wtime 50 btime 50")
            engine.read_until("info depth 7 ")
            self.assertEqual(bestmoves(engine.ready()), [])
            engine.send("ponderhit")
            self.assertIn(engine.read_answer().best, engine.legal_moves(KIWIPETE))

    def test_a_ponder_miss_ends_with_stop(self):
        """Case 36."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                engine.send("go ponder wtime 1000 btime 1000", "stop")
                engine.read_answer()
                engine.send("go ponder wtime 1000 btime 1000", "ponderhit", "stop")
                engine.read_answer()
                self.assertEqual(bestmoves(engine.ready()), [])

    def test_a_single_reply_is_pondered_like_any_other(self):
        """Cases 30 and 36."""
        with Engine() as engine:
            engine.send("position " + ONE_MOVE, "go ponder wtime 1000 btime 1000")
            engine.read_until("info depth 3 ")
            self.assertEqual(bestmoves(engine.ready()), [])
            engine.send("ponderhit")
            engine.read_answer()

    def test_a_new_search_during_pondering_is_answered(self):
        """Case 36: the ponder move was not played and the GUI did not say stop."""
        with Engine() as engine:
            engine.send("go ponder wtime 1000 btime 1000", "position startpos moves e2e4", "go depth 2")
            engine.read_answer()
            self.assertIn(engine.read_answer().best, engine.legal_moves("startpos moves e2e4"))

    def test_a_stray_ponderhit_does_not_turn_the_clock_back(self):
        """Case 36: the time that an ordinary search reports never falls."""
        with Engine() as engine:
            engine.send("position " + KIWIPETE, "go movetime 1000")
            lines = engine.read_until(lambda line: line.startswith("bestmove") or parse_info(line).get("time", 0) >= 50)
            engine.send("ponderhit")
            if not lines[-1].startswith("bestmove"):
                lines += engine.read_until("bestmove")
        times = [parse_info(line)["time"] for line in lines if line.startswith("info depth")]
        self.assertEqual(times, sorted(times))

    def test_the_ponder_move_is_the_second_of_the_line(self):
        """Case 37."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                for position in (STARTPOS, KIWIPETE, "startpos moves e2e4 e7e5"):
                    for limits in ("depth 6", "nodes 3000", "movetime 30"):
                        answer = engine.go(limits, position)
                        line = answer.infos[-1]["pv"]
                        if len(line) > 1:
                            self.assertEqual(answer.ponder, line[1])
                        if answer.ponder:
                            moves = " " + answer.best if " moves " in position else f" moves {answer.best}"
                            self.assertIn(answer.ponder, engine.legal_moves(position + moves))

    def test_there_is_no_ponder_move_after_the_end_of_the_game(self):
        """Case 37: mate, and a move that leaves stalemate."""
        with Engine() as engine:
            answer = engine.go("depth 4", "fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
            self.assertEqual((answer.best, answer.ponder), ("a1a8", None))
            answer = engine.go("depth 2 searchmoves f1f7", "fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
            self.assertEqual((answer.best, answer.ponder), ("f1f7", None))


class SmallLimitsTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_go_alone_is_infinite(self):
        """Case 38."""
        with Engine() as engine:
            engine.send("go")
            engine.read_until("info depth 5 ")
            self.assertEqual(bestmoves(engine.ready()), [])
            engine.send("stop")
            engine.read_answer()

    def test_the_smallest_limits_give_a_legal_move(self):
        """Case 38."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                legal = engine.legal_moves(KIWIPETE)
                for limits in ("depth 0", "depth 1", "depth -3", "nodes 0", "nodes 1", "nodes 2", "movetime 0", "movetime 1",
                               "movetime -10"):
                    self.assertIn(engine.go(limits, KIWIPETE).best, legal, limits)

    def test_depth_zero_is_depth_one(self):
        """Case 38."""
        with Engine() as engine:
            self.assertEqual(engine.go("depth 0").infos[-1]["depth"], 1)


if __name__ == "__main__":
    unittest.main()
