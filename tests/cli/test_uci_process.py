"""test_uci_process.py - whole games and many processes: a small share of cases 60 to 62; the long runs are scripts/strength's."""
import unittest

from uci_driver import KIWIPETE, STARTPOS, Engine, pick_program


class GamesTest(unittest.TestCase):
    def setUp(self):
        pick_program(self)

    def play(self, white, black, clock, plies, start=STARTPOS):
        """A game of two processes; every move is judged by a third."""
        moves = []
        with Engine() as referee:
            for ply in range(plies):
                here = f"{start} moves {' '.join(moves)}" if moves else start
                legal = referee.legal_moves(here)
                answer = (black if ply % 2 else white).go(clock, here)
                if not legal:
                    self.assertEqual(answer.best, "(none)")
                    return
                self.assertIn(answer.best, legal, here)
                moves.append(answer.best)

    def test_fast_games_have_only_legal_moves(self):
        """Case 60: with one thread and with more than there are cores, on a nearly empty clock."""
        for threads in (1, 4):
            with Engine(options={"Threads": threads, "Hash": 1}) as white, Engine(options={"Hash": 1}) as black:
                for clock in ("wtime 20 btime 20 winc 1 binc 1", "nodes 200"):
                    for engine in (white, black):
                        engine.send("ucinewgame")
                    self.play(white, black, clock, 80)

    def test_chess960_games_have_only_legal_moves(self):
        """Case 60."""
        options = {"UCI_Chess960": "true", "Hash": 1}
        with Engine(options=options) as white, Engine(options=options) as black:
            for start in ("fen bqnb1rkr/pppppppp/5n2/8/8/5N2/PPPPPPPP/BQNB1RKR w HFhf - 0 1",
                          "fen rkr5/pppppppp/8/8/8/8/PPPPPPPP/5RKR w HFca - 0 1"):
                self.play_960(white, black, start)

    def play_960(self, white, black, start):
        moves = []
        with Engine(options={"UCI_Chess960": "true"}) as referee:
            for ply in range(60):
                here = f"{start} moves {' '.join(moves)}" if moves else start
                legal = referee.legal_moves(here)
                answer = (black if ply % 2 else white).go("nodes 300", here)
                if not legal:
                    return
                self.assertIn(answer.best, legal, here)
                moves.append(answer.best)

    def test_searches_of_all_kinds_in_one_process(self):
        """Case 61: what the sanitizers watch."""
        with Engine() as engine:
            for threads in (1, 2, 4, 3, 1):
                engine.set_option("Threads", threads)
                engine.set_option("Hash", threads)
                for go in ("depth 5", "nodes 3000", "movetime 10", "wtime 100 btime 100", "mate 1 depth 4",
                           "depth 3 searchmoves e2a6"):
                    self.assertIn(engine.go(go, KIWIPETE).best, engine.legal_moves(KIWIPETE))
                engine.send("go infinite", "stop")
                engine.read_answer()
                engine.send("ucinewgame")

    def test_many_processes_at_once(self):
        """Case 60: more of them than cores."""
        engines = [Engine(options={"Threads": 2, "Hash": 1}) for _ in range(8)]
        for engine in engines:
            self.addCleanup(engine.kill)
            engine.send("position " + KIWIPETE, "go nodes 5000")
        for engine in engines:
            self.assertNotIn(engine.read_answer().best, ("(none)", "0000"))
            engine.close()


if __name__ == "__main__":
    unittest.main()
