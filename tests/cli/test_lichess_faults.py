"""`tabia lichess` plays whole games against a lichess on loopback that does all wrong that a network and a server can do."""
import concurrent.futures
import glob
import os
import signal
import subprocess
import unittest

from fake_lichess import CONNECT_FAULTS, REQUEST_FAULTS, SLOW, STREAM_FAULTS, TOKEN, FakeLichess
from lichess_case import Bot, LichessCase
from uci_driver import PROGRAM

GAMES = 50 if SLOW == 1 else 12


class Games(LichessCase):
    def test_plays_to_mate_with_both_colours_and_keeps_the_games(self):
        with FakeLichess() as server, Bot(server) as bot:
            games = [server.start_game(color) for color in ("white", "black")]
            server.wait(lambda: all(game.over for game in games), "the end of both games")
            log = self.finish(server, bot)
            for game in games:
                self.assertEqual((game.status, game.winner), ("mate", game.bot), log)
                self.assertIn(f"/{game.id}\"]", bot.pgn())
            checked = subprocess.run([PROGRAM, "pgn", "check", *glob.glob(bot.games + "/*.pgn")], capture_output=True, text=True,
                                     check=False)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
            self.assertIn("[Termination \"mate\"]", bot.pgn())

    def test_plays_chess960_and_set_up_positions(self):
        with FakeLichess() as server, Bot(server) as bot:
            shuffled = "bqrkrbnn/pppppppp/8/8/8/8/PPPPPPPP/BQRKRBNN w KQkq - 0 1"
            games = [server.start_game("white", variant="chess960", fen=shuffled),
                     server.start_game("black", variant="fromPosition", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1", max_plies=40),
                     server.start_game("black", variant="fromPosition", fen="4k3/8/8/8/8/8/q7/4K3 b - - 0 1")]
            server.wait(lambda: all(game.over for game in games), "the end of the games")
            self.finish(server, bot)
            self.assertEqual(games[0].status, "mate")
            self.assertEqual(games[2].winner, "black")
            self.assertIn('[Variant "Chess960"]', bot.pgn())

    def test_ponders(self):
        with FakeLichess() as server, Bot(server, ponder="true") as bot:
            game = server.start_game("white", max_plies=60)
            server.wait(lambda: game.over, "the end of the game")
            self.finish(server, bot)

    def test_fifty_games_with_faults_of_every_kind_are_all_played_to_the_end(self):
        with FakeLichess(seed=int(os.environ.get("TABIA_SEED") or 7), fault_share=0.04) as server, Bot(server) as bot:
            games = []
            for number in range(GAMES):
                games.append(server.start_game("white" if number % 2 else "black", max_plies=200))
                if number % 10 == 9:
                    server.restart()
                server.wait(lambda: sum(not game.over for game in games) < 6, "the end of a game")
            server.wait(lambda: all(game.over for game in games), "the end of all games")
            log = self.finish(server, bot)
            lost = [(game.id, game.status) for game in games if game.winner not in (game.bot, None)]
            self.assertEqual(lost, [], log)
            self.assertEqual([game.id for game in games if game.status not in ("mate", "draw", "stalemate")], [], log)
            self.assertEqual(bot.pgn().count("[Site "), len(games))
            self.assertGreater(len(server.injected), min(10, GAMES // 2), server.injected)


class Faults(LichessCase):
    def play(self, fault, every):
        with FakeLichess(seed=3, every=every, faults=[fault]) as server, Bot(server) as bot:
            games = [server.start_game(color, max_plies=30) for color in ("white", "black")]
            server.wait(lambda: all(game.over for game in games), f"the end of games with {fault}")
            log = self.finish(server, bot)
            self.assertGreater(server.injected[fault], 0)
            self.assertEqual([game.winner for game in games if game.winner not in (game.bot, None)], [], log)
            return log

    def play_each(self, faults, every):
        """A game with each fault, several at a time: they wait for time-outs more than they work."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            games = {fault: pool.submit(self.play, fault, every) for fault in faults}
        for fault, game in games.items():
            with self.subTest(fault):
                game.result()

    def test_survives_each_fault_of_streams(self):
        self.play_each(STREAM_FAULTS, 4)

    def test_survives_each_fault_of_requests(self):
        self.play_each([fault for fault in REQUEST_FAULTS if fault != "429"], 4)

    def test_survives_each_fault_of_connections(self):
        self.play_each(CONNECT_FAULTS, 2)

    def test_too_many_requests_waits_as_long_as_told(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", opponent="absent")
            server.wait(lambda: len(game.moves) == 1)
            server.fault_share, server.faults, server.alone = 1.0, ["429"], True
            server.do(lambda: game.play(game.legal()[0][0]))
            server.wait(lambda: server.injected["429"] > 0)
            server.fault_share = 0.0
            server.wait(lambda: len(game.moves) == 3, "the move after the wait")
            log = self.finish_at_once(server, bot)
            self.assertIn("waiting 1.0 s as told", log)

    def finish_at_once(self, server, bot):
        bot.process.send_signal(signal.SIGINT)
        bot.process.send_signal(signal.SIGTERM)
        status, log = bot.join()
        self.assertEqual(status, 0, log)
        self.assert_clean(server, log)
        return log

    def test_a_server_that_restarts_in_the_middle_finds_the_bot_again(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", max_plies=60)
            for plies in (4, 12, 20):
                server.wait(lambda plies=plies: len(game.moves) >= plies or game.over)
                server.restart()
            server.wait(lambda: game.over)
            self.assertGreater(game.connections, 1)
            self.finish(server, bot)

    def test_a_server_that_forgets_a_move_gets_the_same_again(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", opponent="absent")
            server.wait(lambda: len(game.moves) == 1)
            server.do(game.moves.pop)
            server.restart()
            server.wait(lambda: len(game.moves) == 1, "the same move once more")
            server.do(game.end, "aborted", None)
            self.finish(server, bot)

    def test_a_refused_token_ends_the_bot_with_a_reason(self):
        with FakeLichess(token="another") as server, Bot(server) as bot:
            status, log = bot.join()
            self.assertEqual(status, 1, log)
            self.assertIn("does not accept the token (401)", log)
            self.assert_clean(server, log)

    def test_a_token_that_is_revoked_in_the_middle_ends_the_bot(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white")
            server.wait(lambda: len(game.moves) >= 4)
            server.token = "revoked"
            status, log = bot.join()
            self.assertEqual(status, 1, log)
            self.assertIn("(401)", log)
            self.assertNotIn(TOKEN, log)

    def test_an_endless_line_is_not_swallowed(self):
        with FakeLichess() as server, Bot(server) as bot:
            game = server.start_game("white", max_plies=10)
            server.wait(lambda: len(game.moves) >= 2)
            server.do(game.tell, b'{"type":"' + b"x" * 600000 + b'"}')
            server.wait(lambda: game.over)
            self.finish(server, bot)

    def test_redirects_are_not_followed(self):
        with FakeLichess() as other, FakeLichess() as server:
            server.scripted["/api/account"] = [(302, b"", {"Location": other.url + "/api/account"})] * 3
            with Bot(server) as bot:
                game = server.start_game("white", max_plies=4)
                server.wait(lambda: game.over)
                self.finish(server, bot)
            self.assertEqual(other.requests, [])


if __name__ == "__main__":
    unittest.main()
