"""test_uci_limits.py - clocks, depths, nodes, mates, chosen moves and several lines: cases 39 to 48 of UCI robustness."""
import unittest

from uci_driver import KIWIPETE, STARTPOS, Engine, check_line, mate_sign, pick_program

# A queen hangs: whoever thinks at all takes it.
FREE_QUEEN = "fen 4k3/ppp2ppp/8/3q4/8/2N5/PPP2PPP/4K3 w - - 0 1"
MATE_IN_2 = "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"  # Ra7 Kg8 Rb8
MATE_IN_3 = "fen 8/7k/8/8/8/8/R7/1R4K1 w - - 0 1"  # Ra6 Kg7 Rb7 Kf8 Ra8
THREADS = (1, 2, 4)


class ClockTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_the_earliest_limit_ends_the_search(self):
        """Case 39."""
        with Engine() as engine:
            answer = engine.go("wtime 866320 btime 852039 winc 14000 binc 14000 depth 5 movetime 2000", STARTPOS)
            self.assertLessEqual(answer.infos[-1]["depth"], 5)
            answer = engine.go("depth 100 nodes 2000 wtime 866320 btime 852039", STARTPOS)
            self.assertLessEqual(answer.infos[-1]["nodes"], 2000)
            answer = engine.go("depth 3 nodes 100000000 mate 30 movetime 600000", STARTPOS)
            self.assertEqual(answer.infos[-1]["depth"], 3)
            engine.go("movetime 20 wtime 10000000 btime 10000000 depth 200", KIWIPETE)
            engine.go("wtime 50 btime 50 movetime 10000000 depth 200", KIWIPETE)

    def test_one_clock_is_enough(self):
        """Case 40."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                self.assertIn(engine.go("wtime 100", STARTPOS).best, engine.legal_moves(STARTPOS))
                black = "startpos moves e2e4"
                self.assertIn(engine.go("btime 100", black).best, engine.legal_moves(black))
                self.assertIn(engine.go("winc 100 wtime 100", STARTPOS).best, engine.legal_moves(STARTPOS))

    def test_a_clock_that_is_not_ours_can_be_stopped(self):
        """Case 40: nothing is known of our time; whoever asked so may say stop."""
        with Engine() as engine:
            engine.send("position startpos", "go btime 100", "stop")
            self.assertIn(engine.read_answer().best, engine.legal_moves(STARTPOS))

    def test_any_clock_gives_a_legal_move(self):
        """Case 41: overdrawn, empty, one millisecond, increments larger than the time."""
        clocks = ("wtime 0 btime 0", "wtime -1 btime -1", "wtime -5000 btime -5000 winc 10 binc 10", "wtime 1 btime 1",
                  "wtime -9223372036854775807 btime 1", "wtime -99999999999999999999 btime 1",
                  "wtime 10 btime 10 winc 1000 binc 1000", "wtime 1000 winc 9223372036854775807",
                  "wtime 0 btime 0 winc 50 binc 50", "wtime 50 btime 50 winc -100 binc -100", "wtime 100 btime 100 winc 0 binc 0")
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                legal = engine.legal_moves(KIWIPETE)
                for clock in clocks:
                    self.assertIn(engine.go(clock, KIWIPETE).best, legal, clock)

    def test_huge_clocks_are_no_reason_to_hurry(self):
        """Case 41: years on the clock still mean more than one millisecond of thought."""
        for clock in ("wtime 9223372036854775807 btime 1", "wtime 99999999999999999999999 btime 1",
                      "wtime 9000000000000000000 winc 9000000000000000000 movestogo 1", "wtime 1000000000000 btime 1000000000000",
                      "wtime 600000 winc 9223372036854775807", "movetime 9223372036854775807",
                      "wtime 9223372036854775807 movestogo 9223372036854775807"):
            with self.subTest(clock=clock), Engine() as engine:
                engine.send("position " + KIWIPETE, "go " + clock)
                engine.read_until("info depth 8 ")
                engine.send("stop")
                self.assertIn(engine.read_answer().best, engine.legal_moves(KIWIPETE))

    def test_moves_to_go_of_every_kind(self):
        """Case 42."""
        with Engine() as engine:
            legal = engine.legal_moves(KIWIPETE)
            for count in (-1, 0, 1, 2, 40, 1000000, 9999999999999):
                for time in (0, 1, 20, 200):
                    self.assertIn(engine.go(f"wtime {time} btime {time} movestogo {count}", KIWIPETE).best, legal)

    def test_the_last_move_before_the_control_is_no_blunder(self):
        """Case 42."""
        with Engine() as engine:
            for clock in ("wtime 300 btime 300 movestogo 1", "wtime 300 btime 300 movestogo 2", "wtime 1 btime 1 movestogo 1"):
                self.assertEqual(engine.go(clock, FREE_QUEEN).best, "c3d5", clock)

    def test_an_overhead_larger_than_the_time_still_gives_a_move(self):
        """Case 43: depth 1 is always completed, so even then it is no random one."""
        with Engine(options={"Move Overhead": 5000}) as engine:
            for clock in ("wtime 100 btime 100", "wtime 1 btime 1 movestogo 1", "wtime 4999 btime 4999", "wtime 10 winc 5000",
                          "movetime 10"):
                self.assertEqual(engine.go(clock, FREE_QUEEN).best, "c3d5", clock)

    def test_fixed_time_is_about_kept(self):
        """Case 43: a net for an engine that ignores it; the bound is far above what a busy machine adds."""
        with Engine() as engine:
            for time in (1, 50):
                answer = engine.go(f"movetime {time}", KIWIPETE)
                self.assertLess(answer.infos[-1]["time"], time + 2000)


class MateTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_go_mate_ends_when_the_mate_is_proved(self):
        """Case 44: distance in moves, and a line that really mates."""
        for threads in THREADS:
            for position, moves in ((MATE_IN_2, 2), (MATE_IN_3, 3)):
                with self.subTest(position=position, threads=threads), Engine(options={"Threads": threads}) as engine:
                    answer = engine.go(f"mate {moves}", position)
                    self.assertEqual(mate_sign(answer.infos[-1]), moves)
                    self.assertEqual(answer.infos[-1]["pv"][0], answer.best)

    def test_a_mate_line_is_as_long_as_it_says(self):
        """Case 44: no mate is shorter than its line."""
        with Engine() as engine:
            for position, moves in ((MATE_IN_2, 2), (MATE_IN_3, 3), ("fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1)):
                answer = engine.go("depth 16", position)
                line = answer.infos[-1]["pv"]
                self.assertEqual(mate_sign(answer.infos[-1]), moves)
                self.assertEqual(len(line), 2 * moves - 1)
                check_line(self, position, line)
                self.assertEqual(engine.legal_moves(f"{position} moves {' '.join(line)}"), [])

    def test_the_side_that_is_mated_sees_a_negative_distance(self):
        """Case 44."""
        with Engine() as engine:
            answer = engine.go("depth 6", MATE_IN_2 + " moves a2a7")
            self.assertEqual(mate_sign(answer.infos[-1]), -1)
            answer = engine.go("depth 16", MATE_IN_3 + " moves a2a6")
            self.assertEqual(mate_sign(answer.infos[-1]), -2)

    def test_go_mate_without_a_mate_can_be_stopped(self):
        """Case 44: none there, the other side mates, or no number."""
        with Engine() as engine:
            for position in (STARTPOS, MATE_IN_2 + " moves a2a7"):
                for limits in ("mate 1", "mate 0", "mate", "mate -2"):
                    engine.send("position " + position, "go " + limits, "stop")
                    self.assertIn(engine.read_answer().best, engine.legal_moves(position))

    def test_go_mate_with_a_depth_ends(self):
        """Case 44."""
        with Engine() as engine:
            self.assertLessEqual(engine.go("mate 3 depth 4", STARTPOS).infos[-1]["depth"], 4)

    def test_a_mate_that_is_longer_than_asked_does_not_end_it(self):
        """Case 44."""
        with Engine() as engine:
            answer = engine.go("mate 1 depth 8", MATE_IN_2)
            self.assertEqual((answer.infos[-1]["depth"], mate_sign(answer.infos[-1])), (8, 2))


class SearchMovesTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_only_the_chosen_moves_are_searched(self):
        """Case 45."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                self.assertEqual(engine.go("depth 5 searchmoves a2a3", FREE_QUEEN).best, "a2a3")
                self.assertIn(engine.go("searchmoves a2a3 h2h3 depth 5", FREE_QUEEN).best, ("a2a3", "h2h3"))
                self.assertEqual(engine.go("nodes 500 searchmoves a2a3", FREE_QUEEN).best, "a2a3")
                self.assertEqual(engine.go("movetime 1 searchmoves h2h3", FREE_QUEEN).best, "h2h3")

    def test_illegal_and_repeated_moves_in_the_list_are_left_out(self):
        """Case 45: with more lines wanted than moves remain."""
        with Engine(options={"MultiPV": 10}) as engine:
            answer = engine.go("depth 3 searchmoves a2a3 e2e5 a2a3 xyz h2h3 0000 a2a3", STARTPOS)
            last = [info for info in answer.infos if info["depth"] == 3]
            self.assertEqual(sorted(info["pv"][0] for info in last), ["a2a3", "h2h3"])
            self.assertEqual([info["multipv"] for info in last], [1, 2])

    def test_a_list_without_a_legal_move_still_gives_one(self):
        """Case 45."""
        with Engine() as engine:
            for moves in ("e2e5", "e2e5 e7e5 abc", ""):
                self.assertIn(engine.go(f"depth 2 searchmoves {moves}", STARTPOS).best, engine.legal_moves(STARTPOS))

    def test_all_moves_named_many_times_do_no_harm(self):
        """Case 45."""
        with Engine() as engine:
            moves = engine.legal_moves(KIWIPETE) * 40
            self.assertIn(engine.go("depth 2 searchmoves " + " ".join(moves), KIWIPETE).best, moves)

    def test_the_next_search_forgets_the_list(self):
        """Case 45."""
        with Engine() as engine:
            self.assertEqual(engine.go("depth 3 searchmoves a2a3", FREE_QUEEN).best, "a2a3")
            self.assertEqual(engine.go("depth 3", FREE_QUEEN).best, "c3d5")


class MultiPvTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def blocks(self, answer):
        """The info lines in groups: every group begins with line 1."""
        groups = []
        for info in answer.infos:
            if info["multipv"] == 1:
                groups.append([])
            groups[-1].append(info)
        return groups

    def value(self, info):
        kind, number = info["score"]
        return number if kind == "cp" else (100000 - number if number > 0 else -100000 - number)

    def test_lines_are_distinct_sorted_and_of_one_depth(self):
        """Case 46."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"MultiPV": 5, "Threads": threads}) as engine:
                for position in (STARTPOS, KIWIPETE, FREE_QUEEN):
                    answer = engine.go("depth 6", position)
                    groups = self.blocks(answer)
                    self.assertEqual(len(groups), 6)
                    for group in groups:
                        self.assertEqual([info["multipv"] for info in group], [1, 2, 3, 4, 5])
                        self.assertEqual(len({info["pv"][0] for info in group}), 5)
                        self.assertEqual(len({info["depth"] for info in group}), 1)
                        values = [self.value(info) for info in group]
                        self.assertEqual(values, sorted(values, reverse=True))
                    self.assertEqual(groups[-1][0]["pv"][0], answer.best)

    def test_more_lines_than_moves(self):
        """Case 46."""
        with Engine(options={"MultiPV": 256}) as engine:
            for position, count in ((STARTPOS, 20), (KIWIPETE, 48), ("fen 7k/8/8/8/8/8/6P1/1r5K w - - 0 1", 1)):
                groups = self.blocks(engine.go("depth 2", position))
                self.assertEqual([len(group) for group in groups], [count] * 2)

    def test_a_search_that_is_cut_short_leaves_distinct_lines(self):
        """Case 46: what a GUI shows at the end, the newest of every line number, has no move twice."""
        with Engine(options={"MultiPV": 4}) as engine:
            for nodes in (300, 1000, 2500, 5000, 9000, 14000, 20000, *range(24000, 40000, 2000)):
                engine.send("ucinewgame")
                answer = engine.go(f"nodes {nodes}", KIWIPETE)
                newest = {info["multipv"]: info for info in answer.infos}
                moves = [newest[i]["pv"][0] for i in sorted(newest)]
                self.assertEqual(len(set(moves)), len(moves), (nodes, moves))
                self.assertEqual(newest[1]["pv"][0], answer.best)
                values = [self.value(newest[i]) for i in sorted(newest)]
                if len({info["depth"] for info in newest.values()}) == 1:
                    self.assertEqual(values, sorted(values, reverse=True), nodes)


class NodesTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_one_thread_searches_exactly_so_many_nodes(self):
        """Case 47: never more, and the same twice over."""
        for position in (STARTPOS, KIWIPETE):
            for nodes in (1, 2, 50, 1000, 12345):
                seen = []
                for _ in range(2):
                    with Engine() as engine:
                        answer = engine.go(f"nodes {nodes}", position)
                        self.assertTrue(all(info["nodes"] <= nodes for info in answer.infos), nodes)
                        seen.append((answer.best, answer.ponder, [(i["depth"], i["score"], i["nodes"], i["pv"])
                                                                  for i in answer.infos]))
                self.assertEqual(seen[0], seen[1])

    def test_a_new_game_repeats_the_first_search(self):
        """Case 47."""
        with Engine() as engine:
            runs = []
            for _ in range(3):
                engine.send("ucinewgame")
                answer = engine.go("nodes 8000", KIWIPETE)
                runs.append((answer.best, [(i["depth"], i["nodes"], i["score"]) for i in answer.infos]))
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0], runs[2])

    def test_several_threads_end_near_their_limit(self):
        """Case 47: together they may overrun by what they do between two looks."""
        for threads in (2, 4):
            with Engine(options={"Threads": threads}) as engine:
                self.assertIn(engine.go("nodes 20000", KIWIPETE).best, engine.legal_moves(KIWIPETE))

    def test_a_fixed_depth_is_the_same_twice(self):
        """Case 47."""
        runs = []
        for _ in range(2):
            with Engine() as engine:
                answer = engine.go("depth 8", KIWIPETE)
                runs.append((answer.best, [(i["depth"], i["nodes"], i["score"], i["pv"]) for i in answer.infos]))
        self.assertEqual(runs[0], runs[1])


class DepthTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_the_deepest_search_ends(self):
        """Case 48: stacks, lines and killers hold to the last ply."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                for limit in ("200", "255", "256", "1000", "2147483648", "9223372036854775807", "99999999999999999999"):
                    answer = engine.go("depth " + limit, "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1")
                    self.assertGreaterEqual(answer.infos[-1]["depth"], 100)
                    self.assertLessEqual(len(answer.infos[-1]["pv"]), answer.infos[-1]["depth"] + 10)

    def test_locked_positions_reach_deep_plies(self):
        """Case 48: nothing to take, few moves, long lines; the search is at home there until it is stopped."""
        for position in ("fen 8/8/p1p1p1p1/P1P1P1P1/k7/8/K7/8 w - - 0 1", "fen k7/P7/K7/8/8/8/8/8 b - - 0 1",
                         "fen 8/8/1p1p1p2/pPpPpPp1/P1P1P1P1/8/4K1k1/8 w - - 90 80"):
            for threads in (1, 4):
                with self.subTest(position=position, threads=threads), Engine(options={"Threads": threads}) as engine:
                    answer = engine.go("nodes 60000 depth 200", position)
                    if answer.infos:
                        self.assertLess(max(info["seldepth"] for info in answer.infos), 256)

    def test_long_forced_checks_stay_within_the_stacks(self):
        """Case 48: a queen that checks for ever, with every extension on."""
        with Engine() as engine:
            for position in ("fen 6k1/5ppp/8/8/8/q7/8/1Q4K1 w - - 0 1", "fen 7k/6pp/8/8/Q7/8/qq6/6K1 w - - 0 1"):
                answer = engine.go("nodes 60000", position)
                self.assertLess(max(info["seldepth"] for info in answer.infos), 256)


if __name__ == "__main__":
    unittest.main()
