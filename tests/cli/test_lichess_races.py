"""`tabia lichess` and moves whose fate is unknown: answers, streams and deeds of the server in every unlucky order.

The order is forced, never waited for: each step of the server waits for the request that proves the step before it.
"""
import asyncio
import json
import unittest

from fake_lichess import SLOW, FakeLichess
from lichess_case import Bot, LichessCase

NEVER_MS = 3600000  # a time-out that is longer than any test
SOON_MS = 300 * SLOW


class Unlucky(FakeLichess):
    """Every move goes to `on_move(number, act, answer)`: act() does it, await answer(status) tells the bot."""

    def __init__(self, on_move, **options):
        super().__init__(**options)
        self.on_move, self.sent = on_move, []

    async def request(self, writer, method, path, form):
        if "/move/" not in path.path:
            return await super().request(writer, method, path, form)
        self.sent.append(path.path.rsplit("/", 1)[1])
        self.changed()

        def act():
            status, _, after = self.handle(method, path.path, {}, form)
            after()
            self.changed()
            return status

        async def answer(status):
            return await self.answer(writer, status, {"ok": True} if status == 200 else {"error": "Not your turn"})

        return await self.on_move(len(self.sent), act, answer)


class StaleSnapshot(Unlucky):
    """The second stream's description is older than the move, and comes in one piece with the news of it."""

    def __init__(self):
        super().__init__(self.move)
        self.reopened, self.acted = asyncio.Event(), asyncio.Event()

    async def move(self, number, act, answer):
        if number > 1:
            return await answer(act())
        await self.reopened.wait()
        act()
        self.acted.set()
        return False

    async def stream_game(self, writer, name):
        game = self.games[name]
        game.connections += 1
        if game.connections != 2:
            return await self.stream(writer, game.streams, [game.full()])
        lines, heard = [game.full()], asyncio.Queue()
        game.streams.append(heard)
        self.reopened.set()
        await self.acted.wait()
        game.streams.remove(heard)
        while not heard.empty():
            lines.append(heard.get_nowait())
        return await self.stream(writer, game.streams, [b"\n".join(json.dumps(line).encode() for line in lines)])


class Races(LichessCase):
    def play(self, server, script=("e7e5",), plies=3, **changes):
        """A game in which the bot has White until `plies` moves are made; what it sent, and the log."""
        with server, Bot(server, **changes) as bot:
            game = server.start_game("white", opponent="script", script=script)
            server.wait(lambda: len(game.moves) >= plies or server.violations, f"ply {plies}")
            server.do(game.end, "aborted", None)
            log = self.finish(server, bot)
            self.assertEqual(game.moves[::2], list(dict.fromkeys(server.sent)), log)
            return server.sent, log

    def test_a_move_that_was_made_while_the_stream_was_opened_is_not_sent_again(self):
        """No answer, and the fresh stream says in one breath: your turn; you have moved; so have I."""
        sent, log = self.play(StaleSnapshot(), request_timeout_ms=SOON_MS)
        self.assertEqual(sent.count(sent[0]), 1, log)

    def test_the_next_move_does_not_wait_for_the_answer_to_the_last(self):
        second = asyncio.Event()

        async def on_move(number, act, answer):
            status = act()
            if number == 1:
                await second.wait()
            second.set()
            return await answer(status)

        sent, log = self.play(Unlucky(on_move), request_timeout_ms=NEVER_MS)
        self.assertEqual(len(sent), 2, log)

    def test_a_refusal_of_a_copy_whose_original_was_late_is_no_fault(self):
        """The server acts on the first copy when the second has already left: nobody could know. The game goes on at once."""
        second, third, acted = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def on_move(number, act, answer):
            if number == 1:
                await second.wait()
                act()
                acted.set()
                return False
            if number == 2:
                second.set()
                await acted.wait()
                await third.wait()
                return await answer(400)
            third.set()
            return await answer(act())

        sent, log = self.play(Unlucky(on_move), request_timeout_ms=SOON_MS)
        self.assertEqual(sent[0], sent[1], log)
        self.assertEqual(sent.count(sent[0]), 2, log)
        self.assertNotIn("status 400", log)  # a port may have these digits too

    def test_a_refusal_of_a_move_that_was_made_does_not_send_it_again(self):
        async def on_move(number, act, answer):
            status = act()
            return await answer(400 if number == 1 else status)

        sent, log = self.play(Unlucky(on_move), request_timeout_ms=NEVER_MS)
        self.assertEqual(len(sent), 2, log)

    def test_thinking_about_a_position_that_was_taken_off_the_board_ends(self):
        """A takeback that no stream told: as many moves as before, but another last one. The queen is no longer to be had."""
        with FakeLichess() as server, Bot(server, move_nodes=0) as bot:
            game = server.start_game("white", variant="fromPosition", fen="3qk3/8/8/8/8/8/3PP3/4K3 b - - 0 1", opponent="absent",
                                     base_ms=20 * NEVER_MS)

            def offer_queen():
                game.play("d8d3")
                game.offers = {"bdraw": True}
                game.tell(game.state())

            def take_back():
                game.moves = ["d8d7"]
                game.offers, game.time = {}, {"white": 1000, "black": 1000}

            server.wait(lambda: game.connections, "the bot")
            server.do(offer_queen)
            server.wait(lambda: game.asked, "an answer, which shows that the bot has seen the queen")
            server.do(take_back)
            server.restart()
            server.wait(lambda: len(game.moves) == 2 or server.violations, "a move in the new position")
            server.do(game.end, "aborted", None)
            self.finish(server, bot)


if __name__ == "__main__":
    unittest.main()
