"""test_uci_rules.py - fifty moves, repetitions, tables and books as the engine plays them: cases 55 to 59 of UCI robustness."""
import os
import tempfile
import unittest

from folder import SHARED
from uci_driver import Engine, mate_sign, pick_program

THREADS = (1, 2, 4)
DRAW = 5  # centipawns that a drawn score may be away from nothing

# White has a queen more. The king goes g8-h8 and back, the queen d1-d2 and back: after the first four moves the position has
# come twice, and Black's move h8g8 at the end of the list makes it the third time.
QUEEN_UP = "fen 6k1/5pp1/7p/8/8/8/5PPP/3Q2K1 w - - 0 1"
ROUND = ["d1d2", "g8h8", "d2d1", "h8g8"]


def cp_of(test, info):
    kind, value = info["score"]
    test.assertEqual(kind, "cp", info)
    return value


class FiftyMovesTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_mate_with_the_hundredth_half_move_is_mate(self):
        """Case 55."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                answer = engine.go("depth 5", "fen 7k/8/5K2/6Q1/8/8/8/8 w - - 99 90")
                self.assertEqual(mate_sign(answer.infos[-1]), 1)
                self.assertEqual(engine.legal_moves(f"fen 7k/8/5K2/6Q1/8/8/8/8 w - - 99 90 moves {answer.best}"), [])

    def test_a_mate_that_comes_too_late_is_a_draw(self):
        """Case 55: mate in two needs three half-moves, and the limit is two away."""
        for threads in THREADS:
            with Engine(options={"Threads": threads}) as engine:
                late = engine.go("depth 12", "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 98 90").infos[-1]
                self.assertLessEqual(abs(cp_of(self, late)), DRAW)
                early = engine.go("depth 12", "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 97 90").infos[-1]
                self.assertEqual(mate_sign(early), 2)

    def test_a_pawn_move_saves_the_win(self):
        """Case 55: at 99 only what resets the counter keeps the win."""
        with Engine() as engine:
            answer = engine.go("depth 6", "fen 7k/8/8/8/8/8/P7/KQ6 w - - 99 90")
            self.assertIn(answer.best, ("a2a3", "a2a4"))
            self.assertGreater(answer.infos[-1]["score"][1], 0)

    def test_the_table_does_not_remember_wins_that_the_counter_forbids(self):
        """Case 57: filled with a won ending, then the same board with the counter near its end."""
        for threads in (1, 4):
            with Engine(options={"Threads": threads}) as engine:
                board = "8/8/8/4k3/8/8/8/KQ6"
                fresh = engine.go("depth 12", f"fen {board} w - - 0 1").infos[-1]["score"]
                self.assertGreater(fresh[1], 0)
                for counter in (96, 97, 98, 99):
                    old = engine.go("depth 12", f"fen {board} w - - {counter} 100").infos[-1]
                    self.assertLessEqual(abs(cp_of(self, old)), DRAW, counter)

    def test_the_table_does_not_remember_draws_that_the_counter_no_longer_forces(self):
        """Case 57: the other way round."""
        with Engine() as engine:
            board = "8/8/8/4k3/8/8/8/KQ6"
            engine.go("depth 12", f"fen {board} w - - 98 100")
            kind, value = engine.go("depth 12", f"fen {board} w - - 0 100").infos[-1]["score"]
            self.assertTrue(kind == "mate" or value > 300, (kind, value))
            self.assertGreater(value, 0)


class RepetitionTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def test_the_weaker_side_takes_the_third_repetition(self):
        """Case 56: two of them lie before the root."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                answer = engine.go("depth 7", QUEEN_UP + " moves " + " ".join((ROUND * 2)[:7]))
                self.assertEqual(answer.best, "h8g8")
                self.assertLessEqual(abs(cp_of(self, answer.infos[-1])), DRAW)

    def test_the_stronger_side_does_not_allow_it(self):
        """Case 56: the first ancestor repeated when winning."""
        for threads in THREADS:
            with self.subTest(threads=threads), Engine(options={"Threads": threads}) as engine:
                position = QUEEN_UP + " moves " + " ".join((ROUND * 2)[:6])
                answer = engine.go("depth 8", position)
                self.assertNotEqual(answer.best, "d2d1")
                self.assertGreater(answer.infos[-1]["score"][1], 200)

    def test_the_stronger_side_does_not_repeat_at_any_level(self):
        """Case 56."""
        position = QUEEN_UP + " moves " + " ".join((ROUND * 2)[:6])
        for elo in (1000, 1500, 2000):
            with Engine(options={"UCI_LimitStrength": "true", "UCI_Elo": elo}) as engine:
                for seed in range(1, 9):
                    engine.set_option("Seed", seed)
                    self.assertNotEqual(engine.go("depth 8", position).best, "d2d1", (elo, seed))

    def test_perpetual_check_is_seen_inside_the_tree(self):
        """Case 56: a rook down, White checks for ever."""
        with Engine() as engine:
            answer = engine.go("depth 12", "fen 6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1")
            self.assertLessEqual(abs(cp_of(self, answer.infos[-1])), 60)

    def test_an_irreversible_move_ends_the_history(self):
        """Case 56: the same squares with other castling rights are another position."""
        start = "fen r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1"
        rook_trip = ["a1b1", "a8b8", "b1a1", "b8a8"]
        with Engine() as engine:
            self.assertNotEqual(engine.look(start)[1], engine.look(f"{start} moves {' '.join(rook_trip)}")[1])
            king_trip = " ".join(["e1e2", "e8e7", "e2e1", "e7e8"])
            after = engine.look(f"{start} moves {king_trip}")[1]
            self.assertNotEqual(after, engine.look(start)[1])
            self.assertEqual(after, engine.look(f"{start} moves {king_trip} {king_trip}")[1])

    def test_one_repetition_before_the_root_is_no_draw_yet(self):
        """Case 56: a position that came once may come a second time and is still won."""
        with Engine() as engine:
            answer = engine.go("depth 6", QUEEN_UP + " moves " + " ".join(ROUND))
            self.assertGreater(answer.infos[-1]["score"][1], 300)

    def test_a_fresh_position_has_no_history(self):
        """Case 56: the keys of an earlier `position` are forgotten."""
        with Engine() as engine:
            engine.go("depth 4", QUEEN_UP + " moves " + " ".join((ROUND * 2)[:7]))
            answer = engine.go("depth 6", QUEEN_UP + " moves " + " ".join(ROUND[:3]))
            self.assertLess(answer.infos[-1]["score"][1], -300)


class FinishTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def play_out(self, position, options, limits, plies):
        """The engine against itself; the number of plies to mate, None when it did not come."""
        moves = []
        with Engine(options=options) as engine:
            for _ in range(plies):
                here = f"{position} moves {' '.join(moves)}" if moves else position
                answer = engine.go(limits, here)
                if answer.best == "(none)":
                    self.assertIn("score mate 0", answer.lines[-2], f"stalemate after {moves}")
                    return len(moves)
                moves.append(answer.best)
        return None

    def test_won_endings_are_won(self):
        """The ancestors stalemated or repeated when winning: queen and rook endings are mated, with every thread count."""
        for threads in THREADS:
            for position in ("fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "fen 8/8/8/4k3/8/8/8/KR6 w - - 0 1"):
                with self.subTest(position=position, threads=threads):
                    self.assertIsNotNone(self.play_out(position, {"Threads": threads}, "nodes 8000", 100))

    def test_weak_levels_still_mate_with_queen_and_with_rook(self):
        """What the levels promise."""
        for elo in (1000, 1600, 2200):
            for position in ("fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "fen 8/8/8/4k3/8/8/8/KR6 w - - 0 1"):
                with self.subTest(position=position, elo=elo):
                    options = {"UCI_LimitStrength": "true", "UCI_Elo": elo, "Seed": 7}
                    self.assertIsNotNone(self.play_out(position, options, "depth 12", 100))

    def test_stalemate_is_not_given_away(self):
        """A queen against a king in the corner: the stalemating moves are there, and are not played."""
        for elo in (1000, 2000, 3000):
            with Engine(options={"UCI_LimitStrength": "true", "UCI_Elo": elo}) as engine:
                for seed in range(1, 9):
                    engine.set_option("Seed", seed)
                    for position in ("fen 7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "fen k7/8/1K6/8/8/8/8/2Q5 w - - 0 1"):
                        best = engine.go("depth 6", position).best
                        self.assertEqual(engine.go("depth 1", f"{position} moves {best}").lines[-2], "info depth 0 score mate 0")


class TablesTest(unittest.TestCase):
    """Case 58; needs ../shared/data/syzygy and an engine that has tables."""

    def setUp(self):
        pick_program(self)
        self.folder = os.path.join(SHARED, "data", "syzygy", "regular")
        if not os.path.isdir(self.folder):
            self.skipTest("there are no tables here")

    def engine_with_tables(self):
        engine = Engine(options={"SyzygyPath": self.folder})
        self.addCleanup(engine.kill)
        engine.ready()
        if engine.go("depth 8", "fen 8/8/8/4k3/8/8/6P1/K7 w - - 0 1").infos[-1]["tbhits"] == 0:
            self.skipTest("libfathom is not installed")
        return engine

    def test_a_win_that_the_counter_forbids_is_no_win(self):
        """Case 58: distance and counter together must stay within the limit."""
        engine = self.engine_with_tables()
        info = engine.go("depth 8", "fen 8/8/8/4k3/8/8/8/KR6 w - - 90 90").infos[-1]
        self.assertLessEqual(abs(cp_of(self, info)), 100)

    def test_tables_do_not_hide_mates(self):
        """Case 58."""
        engine = self.engine_with_tables()
        self.assertEqual(mate_sign(engine.go("depth 8", "fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").infos[-1]), 1)
        self.assertEqual(mate_sign(engine.go("depth 10", "fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1").infos[-1]), 2)

    def test_limited_strength_with_tables_at_the_root_is_survived(self):
        """Case 58: whether tables are built in or not."""
        with Engine(options={"SyzygyPath": self.folder, "UCI_LimitStrength": "true", "UCI_Elo": 1200, "MultiPV": 3}) as engine:
            for position in ("fen 8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "fen 8/8/8/4k3/8/8/6P1/K7 b - - 0 1",
                             "fen 8/8/8/4k3/8/8/8/K7 w - - 0 1"):
                self.assertIn(engine.go("nodes 3000", position).best, engine.legal_moves(position))


class BookTest(unittest.TestCase):
    """Case 59; needs an engine that has a book."""

    def setUp(self):
        pick_program(self)
        with Engine() as engine:
            engine.send("uci")
            names = [line.split(" type ")[0][len("option name "):] for line in engine.read_until("uciok$")
                     if line.startswith("option ")]
        found = [name for name in names if name.lower() in ("bookfile", "book file", "book")]
        if not found:
            self.skipTest("this program has no book option yet")
        self.option = found[0]

    def write_book(self, folder, data):
        path = os.path.join(folder, "book.bin")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def entry(self, key, move, weight):
        source, target = move[:2], move[2:4]
        squares = [(ord(s[0]) - ord("a"), int(s[1]) - 1) for s in (source, target)]
        code = squares[1][0] | squares[1][1] << 3 | squares[0][0] << 6 | squares[0][1] << 9
        return key.to_bytes(8, "big") + code.to_bytes(2, "big") + weight.to_bytes(2, "big") + bytes(4)

    def test_broken_books_are_reported_and_survived(self):
        """Case 59: missing, empty, too short, random."""
        with tempfile.TemporaryDirectory() as folder:
            for data in (b"", b"short", os.urandom(16 * 50 + 7), os.urandom(16 * 50)):
                with Engine() as engine:
                    engine.set_option(self.option, self.write_book(folder, data))
                    self.assertTrue(engine.ready())
                    self.assertNotIn(engine.go("depth 2").best, ("(none)", "0000"))
        with Engine() as engine:
            engine.set_option(self.option, "/no/such/book.bin")
            self.assertTrue(engine.ready())

    def test_castling_of_the_book_is_castling_only_for_a_king(self):
        """Case 59: e1h1 by a rook is a rook's move."""
        with tempfile.TemporaryDirectory() as folder, Engine() as engine:
            rook = "fen 3k4/8/8/8/8/8/8/K3R3 w - - 0 1"
            king = "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
            entries = [self.entry(int(engine.look(position)[1], 16), "e1h1", 1) for position in (rook, king)]
            engine.set_option(self.option, self.write_book(folder, b"".join(sorted(entries))))
            engine.set_option("OwnBook", "true")
            self.assertEqual(engine.go("wtime 1000 btime 1000", rook).best, "e1h1")
            self.assertEqual(engine.go("wtime 1000 btime 1000", king).best, "e1g1")

    def test_entries_without_weight_are_not_played(self):
        """Case 59."""
        with tempfile.TemporaryDirectory() as folder, Engine() as engine:
            key = int(engine.look("startpos")[1], 16)
            book = self.entry(key, "a2a3", 0) + self.entry(key, "h2h4", 1)
            engine.set_option(self.option, self.write_book(folder, book))
            engine.set_option("OwnBook", "true")
            for _ in range(10):
                self.assertEqual(engine.go("wtime 1000 btime 1000", "startpos").best, "h2h4")


if __name__ == "__main__":
    unittest.main()
