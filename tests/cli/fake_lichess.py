"""fake_lichess.py - a lichess on loopback: the documented Bot API, opponents that move at random, and every fault there is.

One asyncio loop in a thread of its own; tests call the public methods from outside and wait on conditions, never on time.
The rules are those of $TABIA over UCI (go perft 1). What a bot must never do is noted in `violations`: two moves for one turn,
a request before the time that a 429 named, a move that is not legal.

A move that comes again a turn too late is a violation too. To be fair to a bot whose time-outs are real on a slow machine, a
fresh stream tells what is known after everything that arrived before it has been acted on (`settle`).

A fault is a name: drawn with the seeded `chance` at each opportunity, `fault_share` of the time; or, with `every` = N, drawn at
every Nth opportunity.
"""
import asyncio
import collections
import json
import os
import random
import subprocess
import threading
import time
import urllib.parse

from uci_driver import PROGRAM, SAFETY

SLOW = 4 if os.environ.get("TABIA_TEST_CONFIG") in ("asan", "tsan", "debug", "coverage") else 1
TOKEN = "lip_TestTokenThatMustNotLeak42"
STREAM_FAULTS = ["drop", "drop in a line", "silence", "twice", "unknown", "malformed", "split", "late", "blank"]
REQUEST_FAULTS = ["hang", "drop before", "drop after", "502 before", "500 after", "429"]
CONNECT_FAULTS = ["503", "close"]
SETTLING_ROUNDS = 20  # turns of the loop: enough to accept a connection, read it and act on it, several times over


class Rules:
    """Legal moves and ends of games, from the engine's own generator."""

    def __init__(self):
        self.process = subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.known = {}

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def ask(self, lines, end):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()
        answer = []
        while not answer or not answer[-1].startswith(end):
            answer.append(self.process.stdout.readline())
            if not answer[-1]:
                raise AssertionError("the rules process ended")
        return answer

    def legal(self, fen, moves, chess960=False):
        """The legal moves, and None or how the game is over: mate, stalemate."""
        key = (fen, tuple(moves), chess960)
        if key not in self.known:
            start = "startpos" if fen == "startpos" else "fen " + fen
            position = f"position {start}" + (" moves " + " ".join(moves) if moves else "")
            option = f"setoption name UCI_Chess960 value {str(chess960).lower()}"
            lines = self.ask([option, position, "go perft 1"], "Nodes searched")
            legal = [line.split(":")[0] for line in lines if ": " in line and not line.startswith("Nodes")]
            end = None
            if not legal:
                lines = self.ask(["go depth 1"], "bestmove")
                end = "mate" if any("score mate" in line for line in lines) else "stalemate"
            self.known = {} if len(self.known) > 5000 else self.known
            self.known[key] = legal, end
        return self.known[key]


class Game:
    """One game: the bot against nobody in particular."""

    def __init__(self, server, number, bot_color, fen="startpos", variant="standard", base_ms=120000, inc_ms=1000,
                 opponent="random", script=None, max_plies=260):
        self.server = server
        self.id = f"game{number:04d}"
        self.bot = bot_color
        self.fen, self.variant, self.base_ms, self.inc_ms = fen, variant, base_ms, inc_ms
        self.opponent, self.script, self.max_plies = opponent, list(script or []), max_plies
        self.moves, self.status, self.winner = [], "started", None
        self.time = {"white": base_ms, "black": base_ms}
        self.turn_started = time.monotonic()
        self.streams = []
        self.offers = {}
        self.tried = collections.defaultdict(set)  # ply: moves the bot sent for it
        self.chat = []
        self.asked = []  # what the bot asked besides moves: resign, draw/yes...
        self.connections = 0

    @property
    def over(self):
        return self.status not in ("created", "started")

    def turn(self):
        black_first = self.fen != "startpos" and self.fen.split()[1] == "b"
        return ("white", "black")[(len(self.moves) + black_first) % 2]

    def clocks(self):
        """What is left now: the clock of the side to move runs from the third ply on."""
        left = dict(self.time)
        if len(self.moves) >= 2 and not self.over:
            left[self.turn()] -= int((time.monotonic() - self.turn_started) * 1000)
        return left

    def state(self):
        left = self.clocks()
        state = {"type": "gameState", "moves": " ".join(self.moves), "wtime": left["white"], "btime": left["black"],
                 "winc": self.inc_ms, "binc": self.inc_ms, "status": self.status, **self.offers}
        if self.winner:
            state["winner"] = self.winner
        return state

    def full(self):
        bot = {"id": "tabiabot", "name": "TabiaBot", "title": "BOT", "rating": 2000}
        other = {"id": "nobody", "name": "Nobody", "title": None, "rating": 1500}
        return {"type": "gameFull", "id": self.id, "variant": {"key": self.variant, "name": self.variant, "short": "x"},
                "speed": "blitz", "perf": {"name": "Blitz"}, "rated": False, "createdAt": 1789845924787,
                "white": bot if self.bot == "white" else other, "black": other if self.bot == "white" else bot,
                "initialFen": self.fen, "clock": {"initial": self.base_ms, "increment": self.inc_ms}, "state": self.state()}

    def legal(self):
        return self.server.rules.legal(self.fen, self.moves, self.variant == "chess960")

    def play(self, uci):
        """Plays a legal move and ends the game when that ends it."""
        mover, left = self.turn(), self.clocks()
        if left[mover] < 0:
            self.end("outoftime", "black" if mover == "white" else "white")
            return
        self.time[mover] = left[mover] + (self.inc_ms if len(self.moves) >= 2 else 0)
        self.moves.append(uci)
        self.turn_started = time.monotonic()
        self.offers = {}
        _, end = self.legal()
        if end:
            self.end(end, mover if end == "mate" else None)
        elif len(self.moves) >= self.max_plies:
            self.end("draw", None)
        else:
            self.tell(self.state())

    def end(self, status, winner):
        if self.over:
            return
        self.status, self.winner = status, winner
        self.tell(self.state())
        self.server.tell_events({"type": "gameFinish", "game": {"gameId": self.id, "id": self.id, "color": self.bot,
                                                                "status": {"id": 30, "name": status}}})
        for stream in self.streams:
            stream.put_nowait(None)
        self.server.changed()

    def tell(self, line):
        for stream in self.streams:
            stream.put_nowait(line)
        self.server.changed()

    def move_opponent(self):
        if self.over or self.turn() == self.bot or self.opponent == "absent":
            return
        if self.opponent == "script" and not self.script:
            return
        legal, _ = self.legal()
        self.play(self.script.pop(0) if self.opponent == "script" else self.server.chance.choice(legal))


class FakeLichess:
    """The server. Use as a context manager; everything public may be called from the test's thread."""

    def __init__(self, seed=1, fault_share=0.0, faults=None, every=0, bot=True, keepalive=0.05, token=TOKEN, scopes="bot:play"):
        self.rules, self.chance = Rules(), random.Random(seed)
        self.fault_share, self.faults, self.every, self.chances = fault_share, faults, every, 0
        self.bot, self.keepalive, self.token, self.scopes = bot, keepalive, token, scopes
        self.games, self.challenges, self.answers, self.online = {}, {}, {}, []
        self.event_streams, self.connections = [], set()
        self.violations, self.requests, self.injected = [], [], collections.Counter()
        self.quiet_until, self.alone = 0.0, False  # alone: one game, so nothing was under way when the 429 came
        self.scripted = {}  # path: list of statuses to answer with before the real thing
        self.condition = threading.Condition()
        self.number, self.port, self.listener = 0, 0, None
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)

    # ---- the test's side ----

    def __enter__(self):
        self.thread.start()
        self.call(self.listen())
        return self

    def __exit__(self, *_):
        self.call(self.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        self.rules.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def call(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(SAFETY)

    def do(self, function, *args):
        """Runs a plain function in the loop's thread."""
        async def run():
            return function(*args)
        return self.call(run())

    def changed(self):
        with self.condition:
            self.condition.notify_all()

    def wait(self, test, what="what the test waits for"):
        with self.condition:
            if not self.condition.wait_for(test, SAFETY):
                raise AssertionError(f"{what} did not happen in {SAFETY} s")

    def start_game(self, bot_color="white", **options):
        """A game that has begun: the bot hears of it by its event stream."""
        def begin():
            self.number += 1
            game = Game(self, self.number, bot_color, **options)
            self.games[game.id] = game
            self.tell_events(self.start_of(game))
            game.move_opponent()
            return game
        return self.do(begin)

    def challenge(self, **changes):
        """Challenges the bot and returns the identity; `answers` gets what the bot says to it."""
        def begin():
            self.number += 1
            name = f"chal{self.number:04d}"
            challenge = {"id": name, "url": "", "status": "created",
                         "challenger": {"id": "nobody", "name": "Nobody", "rating": 1500},
                         "destUser": {"id": "tabiabot", "name": "TabiaBot", "title": "BOT", "rating": 2000},
                         "variant": {"key": "standard"}, "rated": False, "speed": "blitz",
                         "timeControl": {"type": "clock", "limit": 300, "increment": 3, "show": "5+3"}, "color": "random"}
            challenge.update(changes)
            self.challenges[name] = challenge
            self.tell_events({"type": "challenge", "challenge": challenge})
            return name
        return self.do(begin)

    def restart(self):
        """The server goes down with every connection and comes back on the same port."""
        self.call(self.bounce())

    # ---- the loop's side ----

    async def listen(self):
        self.listener = await asyncio.start_server(self.serve, "127.0.0.1", self.port)
        self.port = self.listener.sockets[0].getsockname()[1]

    async def close(self):
        self.listener.close()
        await self.listener.wait_closed()
        tasks = [task for task in asyncio.all_tasks(self.loop) if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def bounce(self):
        self.listener.close()
        await self.listener.wait_closed()
        for writer in list(self.connections):
            writer.transport.abort()
        await self.listen()

    def start_of(self, game):
        return {"type": "gameStart", "game": {"gameId": game.id, "fullId": game.id + "abcd", "id": game.id, "color": game.bot,
                                              "isMyTurn": game.turn() == game.bot, "variant": {"key": game.variant}}}

    def tell_events(self, line):
        for stream in self.event_streams:
            stream.put_nowait(line)
        self.changed()

    def draw_fault(self, kinds):
        kinds = [kind for kind in kinds if self.faults is None or kind in self.faults]
        if not kinds:
            return None
        self.chances += 1
        if self.chances % self.every != 0 if self.every else self.chance.random() >= self.fault_share:
            return None
        fault = self.chance.choice(kinds)
        self.injected[fault] += 1
        return fault

    async def serve(self, reader, writer):
        self.connections.add(writer)
        try:
            while await self.serve_one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self.connections.discard(writer)
            writer.transport.abort()

    async def serve_one(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        method, target, _ = head.split("\r\n")[0].split(" ")
        headers = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        path = urllib.parse.urlsplit(target)
        form = dict(urllib.parse.parse_qsl(body.decode()))
        self.requests.append((method, target, form))
        if self.alone and time.monotonic() < self.quiet_until:
            self.violations.append(f"{method} {target} came before the time that the 429 named")
        if f"authorization: bearer {self.token}".lower() not in head.lower():
            return await self.answer(writer, 401, {"error": "No such token"})
        planned = self.scripted.get(path.path)
        if planned:
            return await self.planned(writer, planned.pop(0))
        if path.path == "/api/stream/event":
            return await self.stream_events(writer)
        if path.path.startswith("/api/bot/game/stream/"):
            return await self.stream_game(writer, path.path.rsplit("/", 1)[1])
        return await self.request(writer, method, path, form)

    async def planned(self, writer, plan):
        """An answer that the test has laid out: a status, or (status, text, headers)."""
        status, text, headers = plan if isinstance(plan, tuple) else (plan, {"error": "planned"}, {})
        return await self.answer(writer, status, text, headers)

    async def answer(self, writer, status, value, headers=None):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Content-Type: application/json"]
        if self.scopes is not None:
            lines.append(f"X-OAuth-Scopes: {self.scopes}")
        lines += [f"{name}: {text}" for name, text in (headers or {}).items()]
        writer.write("\r\n".join(lines + ["", ""]).encode() + body)
        await writer.drain()
        return True

    async def too_many(self, writer):
        self.quiet_until = time.monotonic() + 1.0
        return await self.answer(writer, 429, {"error": "Too many requests"}, {"Retry-After": "1"})

    async def request(self, writer, method, path, form):
        fault = self.draw_fault(REQUEST_FAULTS)
        if fault == "hang":
            await asyncio.sleep(SAFETY)
        if fault == "drop before":
            return False
        if fault == "502 before":
            return await self.answer(writer, 502, b"<html>Bad gateway</html>")
        if fault == "429":
            return await self.too_many(writer)
        status, value, after = self.handle(method, path.path, urllib.parse.parse_qs(path.query), form)
        if fault == "drop after":
            after()
            return False
        if fault == "500 after":
            status, value = 500, {"error": "internal"}
        try:  # the client may have gone; what it asked for is done all the same
            return await self.answer(writer, status, value)
        finally:
            after()
            self.changed()

    def handle(self, method, path, query, form):
        """Status, answer, and what follows once it is sent."""
        def nothing():
            pass
        words = path.strip("/").split("/")[1:]
        if words == ["account"]:
            return 200, {"id": "tabiabot", "username": "TabiaBot", **({"title": "BOT"} if self.bot else {}), "perfs": {}}, nothing
        if words == ["bot", "account", "upgrade"] and method == "POST":
            self.bot = True
            return 200, {"ok": True}, nothing
        if words == ["bot", "online"]:
            return 200, b"".join(json.dumps(bot).encode() + b"\n" for bot in self.online), nothing
        if words[0] == "challenge" and method == "POST":
            return self.handle_challenge(words[1:], form)
        game = self.games.get(words[2]) if words[:2] == ["bot", "game"] and len(words) > 3 else None
        if not game or method != "POST":
            return 404, {"error": "Not found"}, nothing
        return self.handle_game(game, words[3:], query, form)

    def handle_challenge(self, words, form):
        def nothing():
            pass
        if len(words) == 1:  # the bot challenges somebody
            self.number += 1
            self.answers[words[0]] = form
            name = f"mine{self.number:04d}"
            self.changed()
            return 200, {"id": name, "status": "created"}, nothing
        if words[0] not in self.challenges:
            return 404, {"error": "No such challenge"}, nothing
        challenge = self.challenges.pop(words[0])
        self.answers[words[0]] = "accept" if words[1] == "accept" else form.get("reason", "")
        self.changed()
        if words[1] != "accept":
            return 200, {"ok": True}, nothing
        self.number += 1
        game = Game(self, self.number, self.chance.choice(["white", "black"]), variant=challenge["variant"]["key"],
                    fen=challenge.get("initialFen", "startpos"))
        game.id = words[0]
        self.games[game.id] = game

        def begin():
            self.tell_events(self.start_of(game))
            game.move_opponent()
        return 200, {"ok": True}, begin

    def handle_game(self, game, words, query, form):
        def nothing():
            pass
        if words[0] == "move":
            return self.handle_move(game, words[1], query)
        if words[0] == "chat":
            game.chat.append((form.get("room"), form.get("text")))
            return 200, {"ok": True}, nothing
        game.asked.append("/".join(words))
        if game.over:
            return 400, {"error": "Game is over"}, nothing
        other = "black" if game.bot == "white" else "white"
        if words[0] == "resign":
            return 200, {"ok": True}, lambda: game.end("resign", other)
        if words[0] == "abort":
            if len(game.moves) >= 2:
                return 400, {"error": "This game can no longer be aborted"}, nothing
            return 200, {"ok": True}, lambda: game.end("aborted", None)
        if words[0] == "claim-victory":
            return 200, {"ok": True}, lambda: game.end("timeout", game.bot)
        if words == ["draw", "yes"] and game.offers.get(other[0] + "draw"):
            return 200, {"ok": True}, lambda: game.end("draw", None)
        if words == ["takeback", "yes"] and game.offers.get(other[0] + "takeback"):
            return 200, {"ok": True}, lambda: self.take_back(game)
        return 200, {"ok": True}, nothing

    @staticmethod
    def take_back(game):
        """To the opponent's last turn."""
        while game.moves and (game.moves.pop() is None or game.turn() == game.bot):
            pass
        game.offers = {}
        game.tried.clear()
        game.turn_started = time.monotonic()
        game.tell(game.state())
        game.move_opponent()

    def handle_move(self, game, uci, query):
        def nothing():
            pass
        if game.over:
            return 400, {"error": "Game is over"}, nothing
        if game.turn() != game.bot:
            if uci != game.moves[-1]:
                self.violations.append(f"{game.id}: {uci} although it is not the bot's turn after {game.moves}")
            return 400, {"error": "Not your turn"}, nothing
        game.tried[len(game.moves)].add(uci)
        if len(game.tried[len(game.moves)]) > 1:
            self.violations.append(f"{game.id}: two moves for ply {len(game.moves)}: {game.tried[len(game.moves)]}")
        if uci not in game.legal()[0]:
            self.violations.append(f"{game.id}: {uci} is not legal after {game.moves}")
            return 400, {"error": "Illegal move"}, nothing
        game.play(uci)
        if "offeringDraw" in query:
            game.asked.append("offer")
        return 200, {"ok": True}, game.move_opponent

    # ---- streams ----

    async def stream_events(self, writer):
        first = [self.start_of(game) for game in self.games.values() if not game.over]
        first += [{"type": "challenge", "challenge": challenge} for challenge in self.challenges.values()]
        return await self.stream(writer, self.event_streams, first)

    async def stream_game(self, writer, name):
        game = self.games.get(name)
        if not game:
            return await self.answer(writer, 404, {"error": "No such game"})
        game.connections += 1
        self.changed()
        await self.settle()
        return await self.stream(writer, game.streams, [game.full()] + ([None] if game.over else []))

    @staticmethod
    async def settle():
        """Lets every connection that has bytes waiting be accepted, read and served: a few rounds of the loop each."""
        for _ in range(SETTLING_ROUNDS):
            await asyncio.sleep(0)  # a turn of the loop, which asks the sockets; no time is waited for

    async def stream(self, writer, streams, lines):
        fault = self.draw_fault(CONNECT_FAULTS)
        if fault == "503":
            return await self.answer(writer, 503, b"")
        if fault == "close":
            return False
        queue = asyncio.Queue()
        for line in lines:
            queue.put_nowait(line)
        streams.append(queue)
        try:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
            await self.pump(writer, queue)
        finally:
            streams.remove(queue)
        return False

    @staticmethod
    async def put(writer, data):
        writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        await writer.drain()

    async def pump(self, writer, queue):
        """Sends the lines of a stream, keep-alives between them, and the faults that are drawn for each."""
        late = b""
        while True:
            try:
                value = await asyncio.wait_for(queue.get(), self.keepalive)
            except asyncio.TimeoutError:
                await self.put(writer, late + b"\n")
                late = b""
                continue
            if value is None:
                await self.put(writer, late or b"\n")
                writer.write(b"0\r\n\r\n")
                await writer.drain()
                return
            line = (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n"
            fault = self.draw_fault(STREAM_FAULTS)
            if fault == "drop":
                return
            if fault == "drop in a line":
                await self.put(writer, line[:len(line) // 2])
                return
            if fault == "silence":
                await asyncio.sleep(SAFETY)
            if fault == "late":
                late += line
                continue
            data = line + late
            late = b""
            if fault == "twice":
                data += line
            if fault == "blank":
                data = b"\n\r\n" + data
            if fault == "unknown":
                data = b'{"type":"somethingNew","id":"x","deep":[1,{"a":null}]}\n' + data
            if fault == "malformed":
                data = b'{"type":"gameState","moves":"e2e4 \n[]\n\xff\xfe{}\n7\n' + data
            if fault == "split":
                for i in range(0, len(data), 7):
                    await self.put(writer, data[i:i + 7])
                continue
            await self.put(writer, data)
