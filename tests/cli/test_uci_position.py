"""test_uci_position.py - positions and moves as text, good and bad: cases 17 to 27 of UCI robustness."""
import unittest

from uci_driver import STARTPOS, Engine, pick_program, strings_of

CASTLING = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


class PositionTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)
        self.engine = Engine()
        self.addCleanup(self.engine.kill)

    def tearDown(self):
        if self.engine.process.poll() is None:
            self.engine.close()

    def fen_field(self, position, index):
        return self.engine.look(position)[0].split()[index]

    def check_refused(self, position):
        """A message, and a `go` that plays no move of another position."""
        self.engine.send("position startpos moves e2e4")
        said = self.engine.refusal(position)
        self.assertTrue(said, f"'{position}' was taken without a word")
        answer = self.engine.go("depth 1")
        self.assertEqual(answer.best, "0000")
        self.assertTrue(strings_of(answer.lines))
        return " ".join(said)


class CountersTest(PositionTest):
    def test_the_two_counters_may_be_missing(self):
        """Case 17."""
        self.assertEqual(self.engine.look("fen 4k3/8/8/8/8/8/8/4K2R w K -")[0], "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        self.assertEqual(self.engine.look("fen 4k3/8/8/8/8/8/8/4K2R w K - moves e1g1")[0], "4k3/8/8/8/8/8/8/5RK1 b - - 1 1")

    def test_absurd_counters_are_brought_into_range(self):
        """Case 17: the search goes on whatever they say."""
        for counters in ("-1 1", "0 0", "0 -7", "99999 1", "0 99999999999", "100 1", "150 200", "3000 3000"):
            with self.subTest(counters=counters):
                fen = f"fen 4k3/8/8/8/8/8/4P3/4K2R w K - {counters}"
                shown = self.engine.look(fen)[0].split()
                self.assertGreaterEqual(int(shown[4]), 0)
                self.assertGreaterEqual(int(shown[5]), 1)
                self.assertIn(self.engine.go("depth 3", fen).best, self.engine.legal_moves(fen))


class EnPassantTest(PositionTest):
    def test_an_en_passant_square_that_nobody_may_use_is_dropped(self):
        """Case 18: pinned on the file, twice pinned on diagonals, opened rank."""
        for fen in ("k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1", "k7/b5b1/8/2PpP3/3K4/8/8/8 w - d6 0 1",
                    "k7/8/8/r2pPK2/8/8/8/8 w - d6 0 1"):
            with self.subTest(fen=fen):
                self.assertEqual(self.fen_field("fen " + fen, 3), "-")

    def test_an_en_passant_square_that_can_be_used_is_kept(self):
        """Case 18."""
        position = "fen k7/8/8/1pP5/2K5/8/8/8 w - b6 0 1"
        self.assertEqual(self.fen_field(position, 3), "b6")
        self.assertIn("c5b6", self.engine.legal_moves(position))

    def test_impossible_en_passant_squares_are_dropped(self):
        """Case 18."""
        for square in ("e3", "e4", "a6", "h6", "d5", "d7"):
            fen = f"fen 4k3/8/8/3Pp3/8/8/8/4K3 w - {square} 0 1"
            with self.subTest(square=square):
                self.assertEqual(self.fen_field(fen, 3), "-")

    def test_the_case_that_crashed_others_is_searched(self):
        """Case 18: White is in check, the capture does not answer it."""
        fen = "fen k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1"
        self.assertEqual(self.fen_field(fen, 3), "-")
        self.assertIn(self.engine.go("depth 6", fen).best, self.engine.legal_moves(fen))

    def test_the_key_knows_en_passant_only_when_it_is_legal(self):
        """Case 19."""
        def key(position):
            return self.engine.look(position)[1]
        for board in ("k1r5/8/8/1pP5/2K5/8/8/8 w - {} 0 1", "k7/b5b1/8/2PpP3/3K4/8/8/8 w - {} 0 1"):
            square = "b6" if "1pP5" in board else "d6"
            self.assertEqual(key("fen " + board.format(square)), key("fen " + board.format("-")))
        self.assertNotEqual(key("fen k7/8/8/1pP5/2K5/8/8/8 w - b6 0 1"), key("fen k7/8/8/1pP5/2K5/8/8/8 w - - 0 1"))
        self.assertEqual(key("startpos moves e2e4"), key("startpos moves e2e4 g8f6 g1f3 f6g8 f3g1"))

    def test_a_double_step_that_could_be_taken_is_another_position_the_first_time(self):
        """Case 19: after it, the same squares without the right have another key."""
        base = "fen 4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1"
        first = self.engine.look(base + " moves e2e4")[1]
        again = self.engine.look(base + " moves e2e4 e8e7 e1e2 e7e8 e2e1")[1]
        self.assertNotEqual(first, again)

    def test_en_passant_that_opens_the_rank_is_illegal(self):
        """Case 24."""
        position = "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 moves e2e4"
        self.assertNotIn("f4e3", self.engine.legal_moves(position))
        self.check_refused(position + " f4e3")

    def test_en_passant_that_opens_the_file_is_illegal(self):
        """Case 24: the pawn shields its king from the rook on the file."""
        position = "fen 2r4k/1p6/8/2P5/8/8/8/2K5 b - - 0 1 moves b7b5"
        self.assertNotIn("c5b6", self.engine.legal_moves(position))

    def test_en_passant_may_discover_check(self):
        """Case 24."""
        position = "fen 8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1"
        self.assertIn("e5d6", self.engine.legal_moves(position))
        after = self.engine.legal_moves(position + " moves e5d6")
        self.assertEqual(sorted(after), ["b5a4", "b5a6", "b5b4", "b5b6", "b5c4", "b5c6"])

    def test_en_passant_may_answer_check(self):
        """Case 24: the pawn that gives check is taken in passing."""
        position = "fen 8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"
        self.assertIn("e4d3", self.engine.legal_moves(position))


class BoardTest(PositionTest):
    def test_a_castling_right_without_king_or_rook_in_place_is_dropped(self):
        """Case 20."""
        fen = "fen 2b1k1nB/1p3p1p/n4b2/1NPp4/P7/8/2r1PPPP/R3KBNR b KQk - 0 14"
        self.assertEqual(self.fen_field(fen, 2), "KQ")
        self.assertIn(self.engine.go("depth 4", fen).best, self.engine.legal_moves(fen))
        self.assertEqual(self.fen_field("fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", 2), "-")
        self.assertEqual(self.fen_field("fen r3k2r/8/8/8/8/8/8/R2K3R w kq - 0 1", 2), "kq")

    def test_positions_that_cannot_be_played_are_refused(self):
        """Case 21."""
        for fen in ("8/8/8/8/8/8/8/8 w - - 0 1",
                    "4k3/8/8/8/8/8/8/8 w - - 0 1",
                    "8/8/8/8/8/8/8/4K3 w - - 0 1",
                    "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
                    "4k2k/8/8/8/8/8/8/4K3 w - - 0 1",
                    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
                    "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
                    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
                    "4k3/8/8/8/8/8/8/4K2X w - - 0 1",
                    "4k3/8/8/8/8/8/8/9 w - - 0 1",
                    "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
                    "4k3/8/8/8/8/8/4K2 w - - 0 1",
                    "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1",
                    "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
                    "4k3/8/8/8/8/8/8/4K3",
                    "4k3/8/8/8/8/8/8/4K2",
                    "", " ", "w"):
            with self.subTest(fen=fen):
                self.check_refused("fen " + fen)

    def test_a_position_without_a_place_is_refused(self):
        """Case 21."""
        for position in ("", "moves e2e4", "fen moves e2e4", "nowhere"):
            with self.subTest(position=position):
                self.check_refused(position)

    def test_a_good_position_after_a_refused_one_is_played(self):
        """Case 21."""
        self.check_refused("fen 8/8/8/8/8/8/8/8 w - - 0 1")
        self.assertIn(self.engine.go("depth 2", STARTPOS).best, self.engine.legal_moves(STARTPOS))

    def test_no_position_is_left_for_the_other_commands_either(self):
        """Case 21: d, eval, perft and ponderhit after a refusal say so and do no harm."""
        self.check_refused("fen 8/8/8/8/8/8/8/8 w - - 0 1")
        self.engine.send("d", "eval", "ponderhit", "stop")
        self.assertGreaterEqual(len(strings_of(self.engine.ready())), 2)
        for go in ("perft 1", "infinite", "ponder", "depth 1 searchmoves e2e4", ""):
            self.assertEqual(self.engine.go(go).best, "0000")

    def test_before_any_position_the_game_begins(self):
        """Case 21."""
        self.assertIn(self.engine.go("depth 1").best, self.engine.legal_moves(STARTPOS))

    def test_the_position_with_most_moves_is_searched(self):
        """Case 22: 218 moves."""
        position = "fen R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
        self.assertEqual(len(self.engine.legal_moves(position)), 218)
        self.engine.set_option("MultiPV", 256)
        answer = self.engine.go("depth 1", position)
        self.assertEqual(max(info["multipv"] for info in answer.infos), 218)

    def test_more_moves_than_any_array_holds_do_no_harm(self):
        """Case 22: artificial boards are refused or played, never worse."""
        for fen in ("QQQQQQQK/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/kQQQQQQQ w - - 0 1",
                    "Q2Q2Q1/3Q3Q/Q4Q2/2Q3Q1/1Q4Q1/Q2Q3Q/1Q3Q2/k1K1Q2Q w - - 0 1",
                    "qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/K7/8/7k b - - 0 1", "NNNNNNNN/N6N/N6N/N2k2KN/N6N/N6N/N6N/NNNNNNNN w - - 0 1"):
            with self.subTest(fen=fen):
                refused = self.engine.refusal("fen " + fen)
                answer = self.engine.go("depth 1")
                self.assertEqual(answer.best == "0000", bool(refused))

    def test_a_position_that_gives_check_three_times_is_refused_or_played(self):
        """Case 22."""
        refused = self.engine.refusal("fen 4k3/8/3N4/1B6/8/8/4R3/4K3 b - - 0 1")
        self.assertEqual(self.engine.go("depth 2").best == "0000", bool(refused))


class MovesTest(PositionTest):
    def test_an_illegal_move_is_named_and_nothing_is_conjured(self):
        """Case 23: the whole command is refused, whatever came before."""
        for moves, bad in (("e2e5", "e2e5"), ("e2e4 e7e5 e1e3", "e1e3"), ("e2e4 d1h5", "d1h5"), ("g1f3 g8f6 f3g1 f6g8 a1a3",
                                                                                                 "a1a3"),
                           ("e2e4 e7e5 e8e7", "e8e7"), ("e9e4", "e9e4"), ("hello", "hello"), ("e2", "e2"), ("e2e4q", "e2e4q"),
                           ("e2e4 e7e5 e1g1", "e1g1"), ("e2e4 e7e5 e1h1", "e1h1"), ("e5e6", "e5e6")):
            with self.subTest(moves=moves):
                self.assertIn(bad, self.check_refused("startpos moves " + moves))

    def test_a_move_that_leaves_the_king_in_check_is_refused(self):
        """Case 23."""
        self.check_refused("fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1 moves e1f2 e2e1 f2e1 e8e7 e1e2 e7e6 e2e4")
        self.check_refused("fen 4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1 moves e2c3")

    def test_moves_after_mate_are_refused(self):
        """Case 23."""
        self.check_refused("startpos moves f2f3 e7e5 g2g4 d8h4 e1f2")

    def test_castling_fields_of_every_kind_are_read(self):
        """Case 25: X-FEN, Shredder-FEN, with and without the option."""
        shredder = "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
        xfen = "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9"
        for value in ("false", "true"):
            self.engine.set_option("UCI_Chess960", value)
            for position in (shredder, xfen):
                self.engine.send("position " + position, "go perft 3")
                self.assertEqual(self.engine.read_until("Nodes searched")[-1], "Nodes searched: 12189")

    def test_the_inner_rook_needs_its_letter(self):
        """Case 25: of two rooks on one side K means the outer, the letter the other."""
        board = "fen 4k3/8/8/8/8/8/8/4KR1R w {} - 0 1"
        self.engine.set_option("UCI_Chess960", "true")
        outer, inner = self.engine.look(board.format("H"))[0], self.engine.look(board.format("F"))[0]
        self.assertEqual(self.engine.look(board.format("K"))[0], outer)
        self.assertNotEqual(inner, outer)
        self.assertIn("e1f1", self.engine.legal_moves(board.format("F")))
        self.assertNotIn("e1h1", self.engine.legal_moves(board.format("H")))

    def test_both_sides_may_stand_differently(self):
        """Case 25: DFRC."""
        self.engine.set_option("UCI_Chess960", "true")
        position = "fen rk1r4/pppppppp/8/8/8/8/PPPPPPPP/4R1KR w HEda - 0 1"
        self.assertEqual(self.fen_field(position, 2), "HEda")
        self.assertIn("g1h1", self.engine.legal_moves(position))
        self.assertIn("b8d8", self.engine.legal_moves(position + " moves g1h1"))
        self.assertIn(self.engine.go("depth 3", position).best, self.engine.legal_moves(position))

    def test_castling_is_read_as_king_move_and_as_king_takes_rook(self):
        """Case 26: in both modes, for every castling."""
        for value in ("false", "true"):
            self.engine.set_option("UCI_Chess960", value)
            for short, rook, board in (("e1g1", "e1h1", "r3k2r/8/8/8/8/8/8/R4RK1"), ("e1c1", "e1a1", "r3k2r/8/8/8/8/8/8/2KR3R")):
                for move in (short, rook):
                    self.assertEqual(self.fen_field(f"{CASTLING} moves {move}", 0), board, (value, move))
            for move in ("e8g8", "e8h8"):
                self.assertEqual(self.fen_field(f"{CASTLING} moves a1b1 {move}", 0), "r4rk1/8/8/8/8/8/8/1R2K2R")

    def test_castling_is_written_as_the_mode_wants_it(self):
        """Case 26: in bestmove, ponder and pv."""
        for value, move in (("false", "e1g1"), ("true", "e1h1")):
            self.engine.set_option("UCI_Chess960", value)
            for limits in ("depth 2 searchmoves e1g1", "depth 2 searchmoves e1h1"):
                answer = self.engine.go(limits, CASTLING)
                self.assertEqual((answer.best, answer.infos[-1]["pv"][0]), (move, move))

    def test_a_mode_that_changes_later_still_counts_from_the_next_position(self):
        """Case 26."""
        self.assertEqual(self.engine.go("depth 1 searchmoves e1g1", CASTLING).best, "e1g1")
        self.engine.set_option("UCI_Chess960", "true")
        self.assertEqual(self.engine.go("depth 1 searchmoves e1g1", CASTLING).best, "e1h1")
        self.engine.set_option("UCI_Chess960", "false")
        self.assertEqual(self.engine.go("depth 1 searchmoves e1g1", CASTLING).best, "e1g1")

    def test_a_king_that_walks_is_not_castling(self):
        """Case 26: e1g1 by a king that may not castle is illegal, not a jump."""
        self.check_refused("fen r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1 moves e1g1")
        self.check_refused("fen 4k3/8/8/8/8/8/8/R3KN1R w KQ - 0 1 moves e1g1")
        self.check_refused("fen 4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1g1")

    def test_promotion_letters_of_either_case(self):
        """Case 27."""
        start = "fen 8/P3k3/8/8/8/8/8/4K3 w - - 0 1"
        for letter in "qrbn":
            for text in (letter, letter.upper()):
                self.assertEqual(self.fen_field(f"{start} moves a7a8{text}", 0), f"{letter.upper()}7/4k3/8/8/8/8/8/4K3")
        for text in ("", "k", "p", "x", "qq", "="):
            self.check_refused(f"{start} moves a7a8{text}")

    def test_the_null_move_is_no_move(self):
        """Case 27."""
        self.check_refused("startpos moves 0000")
        self.check_refused("startpos moves e2e4 0000")

    def test_promotions_are_written_in_lower_case(self):
        """Case 27."""
        self.assertEqual(self.engine.go("depth 3", "fen 8/P3k3/8/8/8/8/8/4K3 w - - 0 1").best, "a7a8q")
        self.assertEqual(self.engine.go("depth 3", "fen 4k3/8/8/8/8/8/p3K3/8 b - - 0 1").best, "a2a1q")


if __name__ == "__main__":
    unittest.main()
