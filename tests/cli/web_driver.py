"""web_driver.py - a real `tabia web` on a free port of loopback, and what a test needs to talk to it."""
import http.client
import json
import os
import re
import select
import signal
import socket
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABIA = os.path.abspath(os.environ.get("TABIA") or os.path.join(ROOT, "tabia"))
PATIENCE = 120  # seconds: a bound for a loaded machine, never a wait
HAS_WEB = subprocess.run([TABIA, "web", "--help"], capture_output=True, check=False).returncode == 0


class Events:
    """One stream of events, read as it comes."""

    def __init__(self, port, game):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.sendall(f"GET /api/events?game={game} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        while self.file.readline().strip():
            pass

    def next(self):
        """The next event: (name, data). The chunked coding is resolved: a chunk's size stands alone on a line."""
        name = None
        while True:
            line = self.file.readline()
            if not line:
                raise EOFError("the stream ended")
            text = line.decode().rstrip("\r\n")
            if text.startswith("event: "):
                name = text[7:]
            elif text.startswith("data: ") and name:
                data = text[6:]
                while True:  # a long line may be cut by chunks: "...\r\n<size>\r\n..."
                    try:
                        return name, json.loads(data)
                    except json.JSONDecodeError:
                        if line.endswith(b"\r\n"):
                            self.file.readline()  # the size of the next chunk
                        line = self.file.readline()
                        if not line:
                            raise EOFError("the stream ended") from None
                        data += line.decode().rstrip("\r\n")

    def until(self, name, accept=lambda data: True):
        """Reads on to the first event of that name that is accepted."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            seen, data = self.next()
            if seen == name and accept(data):
                return data
        raise AssertionError(f"no {name} event came")

    def close(self):
        self.file.close()
        self.socket.close()


class Server:
    """A running server; `data` is its folder."""

    def __init__(self, data, *arguments):
        self.data = data
        environment = dict(os.environ, XDG_DATA_HOME=data)
        self.process = subprocess.Popen([TABIA, "web", "--port", "0", "--data", data, *arguments], text=True,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        env=environment)
        self.lines = []
        self.url = None
        while self.url is None:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            line = self.process.stdout.readline() if ready else ""
            if not line:
                self.process.wait(PATIENCE)
                self.process.stdout.close()
                raise AssertionError("the server did not start: " + "".join(self.lines))
            self.lines.append(line)
            found = re.search(r"http://[^/]+:(\d+)/\S*", line)
            if found:
                self.url, self.port = found.group(), int(found.group(1))
        while "Ctrl-C" not in self.lines[-1]:
            self.lines.append(self.process.stdout.readline())

    def stop(self, how=signal.SIGINT):
        """Ends the server; returns its exit status and what else it said."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output

    def raw(self, method, path, body=None, headers=None):
        """Status, headers and bytes of an answer; `headers` come on top of the right ones (None takes one away)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        own = {"Host": f"127.0.0.1:{self.port}"}
        if method != "GET":
            own["Origin"] = f"http://127.0.0.1:{self.port}"
        if body is not None:
            own["Content-Type"] = "application/json"
            own["Content-Length"] = str(len(body))
        own.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in own.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), content

    def ask(self, method, path, body=None):
        """Status and JSON of an answer."""
        data = None if body is None else json.dumps(body).encode()
        status, _, content = self.raw(method, path, data)
        return status, json.loads(content)

    def get(self, path):
        return self.ask("GET", path)

    def post(self, path, body=None):
        return self.ask("POST", path, body or {})

    def new_game(self, **members):
        status, game = self.post("/api/games", members)
        assert status == 201, game
        return game["id"]

    def events(self, game):
        return Events(self.port, game)

    def memory_kb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


@unittest.skipUnless(HAS_WEB, "this tabia was built without libmicrohttpd and Jansson")
class WebTest(unittest.TestCase):
    """A fresh server for every test; it must end well."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.server = self.start()

    def start(self, *arguments):
        server = Server(self.folder, *arguments)
        self.addCleanup(self.end, server)
        return server

    def end(self, server):
        if server.process.poll() is None:
            status, output = server.stop()
            self.assertEqual(status, 0, output)
            self.assertNotIn("ERROR: ", output)
            self.assertNotIn("WARNING: ", output)
        server.process.stdout.close()

    def listen(self, game):
        events = self.server.events(game)
        self.addCleanup(events.close)
        return events

    def moves(self, game):
        """The main line of a Game in SAN."""
        nodes = {node["id"]: node for node in game["nodes"]}
        node, line = nodes[0], []
        while node["children"]:
            node = nodes[node["children"][0]]
            line.append(node["san"])
        return line
