"""test_web_clients.py - clients as they are: many, slow, silent, broken, gone. They cost nothing and disturb nobody."""
import json
import select
import socket
import struct
import unittest

from folder import SANITIZED
from web_driver import PATIENCE, WebTest

GAMES = "/api/games"
BUSY = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"  # a position with many captures


class ClientsTest(WebTest):

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE)
        self.addCleanup(connection.close)
        return connection

    def open_stream(self, game, small_window=False):
        """A stream that nobody reads."""
        connection = socket.socket()
        self.addCleanup(connection.close)
        connection.settimeout(PATIENCE)
        if small_window:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.connect(("127.0.0.1", self.server.port))
        connection.sendall(f"GET /api/events?game={game} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode())
        return connection

    def test_fifty_clients_hear_the_same(self):
        game = self.server.new_game()
        streams = [self.listen(game) for _ in range(50)]
        for move in ("e4", "e5", "Nf3"):
            self.server.post(f"{GAMES}/{game}/move", {"move": move})
        for stream in streams:
            last = stream.until("game", lambda g: g["current"] == 3)
            self.assertEqual(self.moves(last), ["e4", "e5", "Nf3"])

    def test_a_client_that_never_reads_costs_nothing(self):
        game = self.server.new_game()
        self.open_stream(game, small_window=True)
        reader = self.listen(game)
        for move in ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6"):  # a game of about 100 KB
            node = self.server.post(f"{GAMES}/{game}/move", {"move": move})[1]["node"]
            self.server.post(f"{GAMES}/{game}/tree", {"op": "comment", "node": node, "text": "x" * 16000})

        def push(megabytes):
            for i in range(megabytes * 10):
                _, answer = self.server.post(f"{GAMES}/{game}/tree", {"op": "comment", "node": 0, "text": str(i)})
            reader.until("game", lambda g: g["revision"] == answer["revision"])
        push(6)  # more than the ring and all buffers of the system hold
        before = self.server.memory_kb()
        push(12)
        if not SANITIZED:  # sanitizers keep freed memory aside to catch its late users
            self.assertLess(self.server.memory_kb() - before, 4096)

    def test_clients_that_come_and_go(self):
        game = self.server.new_game()
        self.server.post(f"{GAMES}/{game}/analyse", {})
        reader = self.listen(game)
        reader.until("info")
        before = self.server.descriptors()
        for i in range(500):
            connection = self.open_stream(game)
            if i % 3 == 0:
                connection.recv(100)
            if i % 2 == 0:  # close with RST
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        reader.until("info")
        self.server.post(f"{GAMES}/{game}/move", {"move": "e4"})  # writing shows who is gone
        while self.server.descriptors() > before + 2:
            reader.next()
            self.server.post(f"{GAMES}/{game}/tree", {"op": "nag", "node": 0, "nag": 1})
        self.assertEqual(self.server.get("/api/about")[0], 200)

    def test_too_many_listeners_are_told(self):
        game = self.server.new_game()
        for _ in range(256):
            self.open_stream(game).recv(10)
        status, answer = self.server.get(f"/api/events?game={game}")
        self.assertEqual((status, answer["error"]["code"]), (503, "too_many_clients"))

    def test_words_that_are_no_http(self):
        for bytes_sent in (b"\0\1\2\3\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                           b"POST /api/games HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                           b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n", b"A" * 200000):
            connection = self.connect()
            try:
                connection.sendall(bytes_sent)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            except OSError:  # the server may hang up before all was said
                pass
        self.assertEqual(self.server.get("/api/about")[0], 200)

    def test_a_slow_sender_holds_up_nobody(self):
        slow = self.connect()
        head = (f"POST {GAMES} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nOrigin: http://127.0.0.1:{self.server.port}\r\n"
                "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n").encode()
        for i in range(len(head)):
            slow.sendall(head[i:i + 1])
            if i % 20 == 0:
                self.assertEqual(self.server.get("/api/games")[0], 200)
        slow.sendall(b"{}")
        self.assertIn(b" 201 ", slow.recv(65536))

    def send(self, path, body):
        """Posts on a connection of its own and does not wait for the answer."""
        connection = self.connect()
        text = json.dumps(body)
        connection.sendall((f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nOrigin: http://127.0.0.1:"
                            f"{self.server.port}\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
                            f"{text}").encode())
        return connection

    def test_growing_a_search_tree_holds_up_nobody(self):
        """One thread of the server takes requests in their order: what comes last is answered first all the same."""
        traces = [self.send("/api/trace", {"fen": BUSY, "depth": 4, "options": {"ordering": False}}) for _ in range(8)]
        self.assertEqual(self.server.get("/api/games")[0], 200)
        answered, _, _ = select.select(traces, [], [], 0)
        self.assertNotIn(traces[-1], answered)
        for trace in traces:
            self.assertIn(b" 200 ", trace.recv(100))

    def test_search_trees_are_refused_when_too_many_wait(self):
        traces = [self.send("/api/trace", {"fen": BUSY, "depth": 4}) for _ in range(40)]
        heads = [trace.recv(100).split(b"\r\n")[0] for trace in traces]
        self.assertEqual({head.split()[1] for head in heads}, {b"200", b"503"})
        self.assertGreaterEqual(sum(b" 200 " in head for head in heads), 32)

    def test_an_interrupt_does_not_wait_for_search_trees(self):
        traces = [self.send("/api/trace", {"fen": BUSY, "depth": 4, "options": {"ordering": False}}) for _ in range(30)]
        self.assertEqual(self.server.get("/api/games")[0], 200)
        status, output = self.server.stop()
        self.assertEqual(status, 0, output)
        for trace in traces:  # an answer, or the news that the server ends; the last may find the door shut
            self.assertRegex(trace.recv(100), rb" (200|503) |^$")

    def test_a_deleted_game_ends_its_streams_and_its_engine(self):
        game = self.server.new_game()
        self.server.post(f"{GAMES}/{game}/analyse", {})
        events = self.listen(game)
        events.until("info")
        self.assertEqual(self.server.ask("DELETE", f"{GAMES}/{game}")[0], 200)
        with self.assertRaises(EOFError):
            events.until("never")

    def test_an_interrupt_ends_everything(self):
        game = self.server.new_game(white={"kind": "engine", "movetime_ms": 60000}, fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        self.server.post(f"{GAMES}/{game}/analyse", {})
        self.server.post(f"{GAMES}/{game}/report")
        events = self.listen(game)
        events.until("info")
        self.open_stream(game)
        waiting = self.connect()
        waiting.sendall((f"POST {GAMES}/{game}/hint HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nOrigin: http://127.0.0.1:"
                         f"{self.server.port}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}").encode())
        status, output = self.server.stop()
        self.assertEqual(status, 0, output)
        with self.assertRaises(EOFError):
            events.until("never")


if __name__ == "__main__":
    unittest.main()
