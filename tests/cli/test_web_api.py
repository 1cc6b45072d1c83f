"""test_web_api.py - every example of docs/api.md, and what the server says to requests that are wrong."""
import json
import os
import re
import socket
import unittest

from folder import SHARED
from web_driver import WebTest, PATIENCE

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GAMES = "/api/games"


def examples():
    """(request line, body or None, status, expected text) of every ```http block, in order."""
    with open(os.path.join(ROOT, "docs", "api.md"), encoding="utf-8") as file:
        for block in re.findall(r"```http\n(.*?)```", file.read(), re.S):
            head, *rest = block.splitlines()
            body = rest.pop(0) if not rest[0].isdigit() else None
            yield head, body, int(rest[0]), "\n".join(rest[1:])


class ApiTest(WebTest):

    def assert_shows(self, expected, actual, names, place):
        """Whether all that is expected is there; "$NAME" is learned when first seen."""
        if expected == "…":
            return
        if isinstance(expected, str) and expected.startswith("$"):
            self.assertEqual(names.setdefault(expected, actual), actual, place)
        elif isinstance(expected, dict):
            self.assertIsInstance(actual, dict, place)
            for key, value in expected.items():
                self.assertIn(key, actual, place)
                self.assert_shows(value, actual[key], names, f"{place}.{key}")
        elif isinstance(expected, list) and expected and isinstance(expected[0], dict):
            self.assertEqual(len(expected), len(actual), place)
            for i, value in enumerate(expected):
                self.assert_shows(value, actual[i], names, f"{place}[{i}]")
        else:
            self.assertEqual(expected, actual, place)

    def test_every_example_of_the_documentation(self):
        names, count = {}, 0
        for head, body, status, expected in examples():
            for name, value in names.items():
                head = head.replace(name, value)
            method, path = head.split()
            seen, _, content = self.server.raw(method, path, None if body is None else body.encode())
            text = content.decode()
            self.assertEqual(seen, status, f"{head}: {text}")
            if expected.startswith("{"):
                self.assert_shows(json.loads(expected), json.loads(text), names, head)
            else:
                for line in expected.splitlines():
                    self.assertIn(line, text, head)
            count += 1
        self.assertGreater(count, 25)

    def assert_refused(self, wanted, code, method, path, body=None, headers=None):
        status, seen, content = self.server.raw(method, path, body, headers)
        self.assertEqual(status, wanted, content)
        self.assertEqual(seen["Content-Type"], "application/json")
        self.assertEqual(json.loads(content)["error"]["code"], code)

    def test_a_foreign_host_is_refused(self):
        port = self.server.port
        for host in (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"127.0.0.1.evil.example:{port}", "",
                     f"127.0.0.2:{port}", f"[::1]:{port}x", f"localhost:{port}/"):
            self.assert_refused(403, "wrong_host", "GET", "/api/about", None, {"Host": host})
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"):
            self.assertEqual(self.server.raw("GET", "/api/about", None, {"Host": host})[0], 200)

    def test_what_changes_something_must_come_from_the_page(self):
        port = self.server.port
        for origin in (None, "null", "http://evil.example", f"https://127.0.0.1:{port}", f"http://localhost:{port}",
                       "http://127.0.0.1", f"http://127.0.0.1:{port}/"):
            self.assert_refused(403, "wrong_origin", "POST", GAMES, b"{}", {"Origin": origin})
        game = self.server.new_game()
        self.assert_refused(403, "wrong_origin", "DELETE", f"{GAMES}/{game}", None, {"Origin": "http://evil.example"})
        self.assertEqual(self.server.get(f"{GAMES}/{game}")[0], 200)

    def test_bodies_that_are_wrong(self):
        self.assert_refused(415, "not_json", "POST", GAMES, b"{}", {"Content-Type": "text/plain"})
        self.assert_refused(415, "not_json", "POST", GAMES, b"{}", {"Content-Type": None})
        for body in (b"", b"[]", b"{", b'{"a":1,"a":2}', b'{"a":01}', b"\xff", b'{"a":"\\u0000"}', b"null", b"{} x",
                     b"[" * 100000):
            self.assert_refused(400, "bad_json", "POST", GAMES, body)
        self.assert_refused(413, "too_large", "POST", GAMES, b" " * (1 << 20) + b"{}")
        self.assertEqual(self.server.raw("POST", GAMES + "/import", b" " * (2 << 20) + b'{"pgn":""}')[0], 200)
        self.assert_refused(413, "too_large", "POST", GAMES + "/import", b" " * (8 << 20) + b"{}")
        self.assertEqual(self.server.get("/api/games")[1], {"games": []})

    def test_a_huge_body_is_refused_before_it_comes(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as connection:
            port = self.server.port
            connection.sendall((f"POST {GAMES} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
                                "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n").encode())
            self.assertIn(b" 413 ", connection.recv(4096))

    def test_values_that_are_wrong_change_nothing(self):
        server, game = self.server, self.server.new_game()
        _, before = server.get(f"{GAMES}/{game}")
        wrong = [("move", {"move": 5}), ("move", {"move": ""}), ("move", {"move": "e2e5"}), ("move", {"move": "e4" * 1000}),
                 ("move", {}), ("tree", {"op": "burn"}), ("tree", {"op": "nag", "node": 0, "nag": 300}),
                 ("tree", {"op": "delete", "node": 0}), ("tree", {"op": "comment", "text": "x" * 20000}),
                 ("headers", {"FEN": "x"}), ("headers", {"a b": "x"}), ("headers", {"White": 5}), ("headers", {"Result": "2-0"}),
                 ("play", {"white": {"kind": "god"}}),
                 ("play", {"white": {"kind": "engine", "level": 21}}), ("play", {"time": {"base_ms": -1}}), ("play", {"time": 5}),
                 ("play", {"time": {"base_ms": 0, "increment_ms": 0}}), ("resign", {"side": "green"}),
                 ("analyse", {"multipv": 0}), ("analyse", {"options": {"Nonsense": 1}}),
                 ("analyse", {"options": {"Hash": 99999}}),
                 ("analyse", {"depth": "x"}), ("analyse", {"moves": "e4"}), ("analyse", {"moves": [5]}),
                 ("analyse", {"moves": []}), ("analyse", {"moves": ["e5"]}), ("analyse", {"moves": ["e4"], "threat": True}),
                 ("move", {"move": "e4", "analysis": 1}),
                 ("analyse", {"options": {"Threads": 100000}}), ("analyse", {"options": {"Features": "-nonsense"}}),
                 ("analyse", {"options": []}), ("analyse", {"options": {"Debug Log File": "/tmp/x"}}),
                 ("report", {"nodes": -1})]
        for what, body in wrong:
            status, answer = server.post(f"{GAMES}/{game}/{what}", body)
            self.assertEqual(status, 422, f"{what} {body}: {answer}")
            self.assertTrue(answer["error"]["text"])
        for what, body in (("move", {"move": "e4", "node": 99}), ("analyse", {"node": 7}), ("tree", {"op": "nag", "node": 8})):
            self.assertEqual(server.post(f"{GAMES}/{game}/{what}", body)[0], 404)
        for what in ("takeback", "report"):
            self.assertEqual(server.post(f"{GAMES}/{game}/{what}")[0], 409)
        self.assertEqual(server.get(f"{GAMES}/{game}/look?node=x")[0], 404)
        self.assertEqual(server.post(GAMES, {"fen": "8/8/8/8/8/8/8/8 w - - 0 1"})[0], 422)
        self.assertEqual(server.get(f"{GAMES}/{game}")[1], before)

    def test_addresses_that_do_not_exist(self):
        for path in ("/nothing", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/api", "/api/games/", "/api/games/12345678/x",
                     "/app.js/..", "//", "/api/games/../about", "/api/games/0123456789"):
            self.assert_refused(404, "not_found", "GET", path)
        self.assert_refused(404, "no_game", "GET", "/api/games/01234567")
        self.assert_refused(404, "no_game", "GET", "/api/events?game=01234567")
        self.assert_refused(405, "wrong_method", "POST", "/api/about", b"{}")
        self.assert_refused(405, "wrong_method", "DELETE", "/api/games")

    def test_headers_that_protect(self):
        for path in ("/", "/api/about", "/nothing"):
            _, seen, _ = self.server.raw("GET", path)
            self.assertIn("default-src 'none'", seen["Content-Security-Policy"])
            self.assertIn("frame-ancestors 'none'", seen["Content-Security-Policy"])
            self.assertEqual(seen["X-Content-Type-Options"], "nosniff")
            self.assertEqual(seen["Cross-Origin-Opener-Policy"], "same-origin")
            self.assertEqual(seen["Cross-Origin-Embedder-Policy"], "require-corp")
            self.assertNotIn("Access-Control-Allow-Origin", seen)

    def test_the_page_is_served_whole_and_known_again(self):
        for path, kind in (("/", "text/html"), ("/app.js", "text/javascript"), ("/app.css", "text/css"),
                           ("/favicon.svg", "image/svg")):
            status, seen, content = self.server.raw("GET", path)
            self.assertEqual(status, 200)
            if "without" in "".join(self.server.lines):
                self.assertIn(b"without its page", content)
                continue
            self.assertTrue(seen["Content-Type"].startswith(kind))
            self.assertEqual(seen["Content-Encoding"], "gzip")
            status, _, content = self.server.raw("GET", path, None, {"If-None-Match": seen["ETag"]})
            self.assertEqual((status, content), (304, b""))

    def test_the_network_is_told_where_there_is_one(self):
        _, about = self.server.get("/api/about")
        _, explained = self.server.post("/api/explain", {"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"})
        self.assertEqual(about["network"] is None, explained["network"] is None)
        if about["network"]:
            self.assertRegex(about["network"]["name"], "^[0-9a-f]{16}$")
            self.assertGreater(about["network"]["hidden"], 0)

    def test_tables_tell_who_wins_and_how_soon(self):
        tables = os.path.join(SHARED, "data", "syzygy", "regular")
        if not os.path.isdir(tables):
            self.skipTest("needs the tables of ../shared/data/syzygy")
        try:
            self.server = self.start("--tables", tables)
        except AssertionError as error:
            if "libfathom" not in str(error):
                raise
            self.skipTest("needs libfathom")
        for fen, wdl, dtz in (("8/8/8/8/4k3/8/8/1R2R1K1 b - - 0 1", "loss", 8), ("8/8/1k6/8/2R2R2/8/6K1/8 w - - 0 1", "win", 5),
                              ("8/8/4k3/4P3/4K3/8/8/8 w - - 0 1", "draw", None)):
            status, look = self.server.post("/api/check", {"fen": fen})
            self.assertEqual((status, look["table"]["wdl"], look["table"]["dtz"]), (200, wdl, dtz), fen)

    def test_from_afar_a_token_is_asked_for(self):
        self.end(self.server)
        server = self.server = self.start("--host", "0.0.0.0")
        self.assertRegex(server.url, r"\?token=[0-9a-f]{32}$")
        token = server.url.split("token=")[1]
        wrong = ("0" if token[0] != "0" else "1") + token[1:]
        self.assert_refused(401, "no_token", "GET", "/api/about")
        self.assert_refused(401, "no_token", "GET", f"/?token={wrong}")
        self.assert_refused(401, "no_token", "GET", f"/api/about?token={token}")
        self.assert_refused(403, "wrong_host", "GET", "/", None, {"Host": f"evil.example:{server.port}"})
        for bad in (wrong, token[:-1], token + "0", ""):
            self.assert_refused(401, "no_token", "GET", "/api/about", None, {"Authorization": f"Bearer {bad}"})
        status, seen, _ = server.raw("GET", f"/?token={token}")
        self.assertEqual((status, seen["Location"]), (303, "/"))
        self.assertIn("HttpOnly", seen["Set-Cookie"])
        cookie = seen["Set-Cookie"].split(";")[0]
        self.assertEqual(server.raw("GET", "/api/about", None, {"Cookie": f"a=b; {cookie}"})[0], 200)
        status, _, content = server.raw("POST", GAMES, b"{}", {"Authorization": f"Bearer {token}"})
        self.assertEqual(status, 201)
        game = json.loads(content)["id"]
        body = json.dumps({"options": {"EvalFile": "/etc/passwd"}}).encode()
        self.assertEqual(server.raw("POST", f"{GAMES}/{game}/analyse", body, {"Cookie": cookie})[0], 422)


if __name__ == "__main__":
    unittest.main()
