"""uci_driver.py - drives the real program over pipes, as a chess GUI does.

The program is $TABIA (default: ./tabia of this repository). Nothing here sleeps: a reader thread puts every line into a queue,
and a test waits for the line it needs. SAFETY ($TABIA_SAFETY seconds) is only a net under programs that hang; no test depends
on how long it is.
"""
import collections
import os
import queue
import re
import subprocess
import threading

from folder import TABIA as PROGRAM

SAFETY = float(os.environ.get("TABIA_SAFETY") or 120)

STARTPOS = "startpos"
KIWIPETE = "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# What a `go` was answered with: all lines, the info lines that carry a pv, and the words of the bestmove line.
Answer = collections.namedtuple("Answer", "lines infos best ponder")

NUMBERS = {"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time", "currmovenumber", "cpuload"}


class Hang(AssertionError):
    """The program did not say in SAFETY seconds what it had to say."""


def parse_info(line):
    """An info line as a dictionary: score is ("cp"|"mate", value), bound is "" or the tag, pv a list; strings have "string"."""
    words = line.split()[1:]
    info = {"bound": "", "pv": []}
    while words:
        key = words.pop(0)
        if key == "string":
            info["string"] = " ".join(words)
            break
        if key == "pv":
            info["pv"], words = words, []
        elif key == "score":
            kind, value = words.pop(0), words.pop(0)
            info["score"] = (kind, int(value))
        elif key in ("lowerbound", "upperbound"):
            info["bound"] = key
        elif key == "wdl":
            info["wdl"] = [int(words.pop(0)) for _ in range(3)]
        elif key in NUMBERS:
            info[key] = int(words.pop(0))
        elif key == "currmove":
            info[key] = words.pop(0)
        else:
            raise AssertionError(f"unknown word '{key}' in '{line}'")
    return info


def answer_of(lines):
    """The Answer in lines that end with a bestmove."""
    words = lines[-1].split()
    if words[0] != "bestmove" or len(words) not in (2, 4) or (len(words) == 4 and words[2] != "ponder"):
        raise AssertionError(f"not a bestmove line: '{lines[-1]}'")
    infos = [parse_info(line) for line in lines if line.startswith("info ") and " pv " in line]
    return Answer(lines, infos, words[1], words[3] if len(words) == 4 else None)


def mate_sign(info):
    """The moves to mate of an info line, or None when its score is no mate."""
    kind, value = info["score"]
    return value if kind == "mate" else None


def strings_of(lines):
    """What was said in words."""
    return [line[len("info string "):] for line in lines if line.startswith("info string ")]


def pick_program(test):
    """The program, or a skipped test where there is none."""
    if not os.access(PROGRAM, os.X_OK):
        test.skipTest(f"there is no program '{PROGRAM}': build it or set TABIA")
    return PROGRAM


class Engine:
    """A running program. As a context manager it ends with the end of input, and that must be a clean exit."""

    defaults = {}  # options that every engine of a test gets first

    def __init__(self, *arguments, options=()):
        self.process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        self.errors = []
        self.raw = b""
        self.readers = [threading.Thread(target=self._read_output, daemon=True),
                        threading.Thread(target=self._read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()
        for name, value in {**self.defaults, **dict(options)}.items():
            self.set_option(name, value)

    def _read_output(self):
        for line in self.process.stdout:
            self.raw += line
            self.lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self.lines.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind:
            self.kill()
        else:
            self.close()

    # ---- saying

    def send_raw(self, data):
        """Bytes as they are; a program that is gone is noticed by whoever waits for its answer."""
        try:
            self.process.stdin.write(data)
            self.process.stdin.flush()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def send(self, *lines):
        self.send_raw("".join(line + "\n" for line in lines).encode())

    def set_option(self, name, value=None):
        self.send(f"setoption name {name}" + ("" if value is None else f" value {value}"))

    # ---- hearing

    def read_line(self):
        """The next line; None at the end of output."""
        try:
            line = self.lines.get(timeout=SAFETY)
            if line is None:
                self.lines.put(None)  # the end stays the end
            return line
        except queue.Empty:
            self.kill()
            raise Hang(f"no answer within {SAFETY:.0f} s; so far: {self.raw[-2000:].decode('utf-8', 'replace')}") from None

    def read_until(self, wanted):
        """Lines up to the first that `wanted` accepts, that one included. It is a regular expression for the
        beginning of the line, or a function."""
        test = re.compile(wanted).match if isinstance(wanted, str) else wanted
        lines = []
        while True:
            line = self.read_line()
            if line is None:
                code = self.process.wait(SAFETY)
                self._join()
                raise AssertionError(f"the program ended with {code} before '{wanted}'; it said "
                                     f"{lines[-5:]} {''.join(self.errors)}")
            lines.append(line)
            if test(line):
                return lines
            if line.startswith("bestmove") and isinstance(wanted, str) and wanted.startswith("info"):
                raise AssertionError(f"the search ended before '{wanted}': {lines[-5:]}")

    def ready(self):
        """Says isready and returns the lines before readyok."""
        self.send("isready")
        return self.read_until("readyok$")[:-1]

    def read_answer(self):
        """Waits for the bestmove."""
        return answer_of(self.read_until("bestmove"))

    # ---- doing

    def go(self, limits, position=None):
        """One whole search: position (if given), go, answer."""
        if position:
            self.send("position " + position)
        self.send(("go " + limits).strip())
        return self.read_answer()

    def look(self, position):
        """(fen, key) of a position; AssertionError with the reason when it is refused."""
        self.send("position " + position, "d", "isready")
        lines = self.read_until("readyok$")
        fen = [line[5:] for line in lines if line.startswith("Fen: ")]
        key = [line[5:] for line in lines if line.startswith("Key: ")]
        if not fen:
            raise AssertionError(f"'{position[:200]}' was refused: {strings_of(lines)}")
        return fen[0], key[0]

    def refusal(self, position):
        """What is said against a position; empty when it is taken."""
        self.send("position " + position, "d", "isready")
        lines = self.read_until("readyok$")
        return [] if any(line.startswith("Fen: ") for line in lines) else strings_of(lines)

    def legal_moves(self, position):
        """The legal moves, by counting them (perft itself is proved elsewhere)."""
        self.send("position " + position, "go perft 1", "isready")
        lines = self.read_until("readyok$")
        if not any(line.startswith("Nodes searched") for line in lines):
            raise AssertionError(f"'{position[:200]}' was refused: {strings_of(lines)}")
        return [line.split(":")[0] for line in lines if re.match(r"[a-h][1-8][a-h][1-8][nbrq]?: 1$", line)]

    # ---- ending

    def _join(self):
        for reader in self.readers:
            reader.join(SAFETY)

    def end_input(self):
        try:
            self.process.stdin.close()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def wait(self):
        """Waits for the program to end by itself; (exit code, lines not yet read)."""
        try:
            code = self.process.wait(SAFETY)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Hang(f"still running after {SAFETY:.0f} s") from None
        self._join()
        rest = []
        while True:
            line = self.lines.get()
            if line is None:
                break
            rest.append(line)
        self.lines.put(None)
        self._close_pipes()
        return code, rest

    def close(self):
        """End of input, and a clean exit: code 0 and nothing on the error stream. Returns the lines not yet read."""
        self.end_input()
        code, rest = self.wait()
        if code != 0 or self.errors:
            raise AssertionError(f"exit code {code}: {''.join(self.errors)[-4000:]}")
        return rest

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._join()
        self.end_input()
        self._close_pipes()

    def _close_pipes(self):
        self.end_input()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe and not pipe.closed:
                pipe.close()


def with_moves(position, moves):
    """A position text with moves added at its end."""
    if not moves:
        return position
    return position + (" " if " moves " in position else " moves ") + " ".join(moves)


def check_line(test, position, moves):
    """A line of play is legal and does not go on after the game's end: mate, stalemate, third repetition, fifty moves."""
    with Engine() as referee:
        played = position.split(" moves ")[1].split() if " moves " in position else []
        start = position.split(" moves ")[0]
        keys = collections.Counter()
        for i in range(len(played) + 1):
            keys[referee.look(with_moves(start, played[:i]))[1]] += 1
        for i, move in enumerate(moves):
            here = with_moves(position, moves[:i])
            legal = referee.legal_moves(here)
            test.assertIn(move, legal, f"{here}: the line {moves} goes on with an illegal move or after mate or stalemate")
            fen, key = referee.look(here)
            if i:
                test.assertLess(int(fen.split()[4]), 100, f"{here}: the line goes on after fifty moves: {moves}")
                test.assertLess(keys[key], 3, f"{here}: the line goes on after a third repetition: {moves}")
            keys[referee.look(with_moves(position, moves[:i + 1]))[1]] += 1
