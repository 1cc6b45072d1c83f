"""test_book.py - `tabia book` as a person or a script calls it, and the engine that plays from books."""
import json
import os
import shutil
import signal
import struct
import subprocess
import unittest

from folder import SHARED, TABIA, FolderTest
from uci_driver import Engine

POLYGLOT = shutil.which("polyglot", path=os.environ.get("PATH", "") + ":/usr/games")
START_KEY = 0x463B96181691FC9C

GAMES = ('[White "a"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0\n\n'
         '[White "b"]\n\n1. e4 c5 1/2-1/2\n\n'
         '[White "c"]\n\n1. d4 d5 0-1\n\n'
         '[White "d"]\n\n1. d4 Nf6 1-0\n\n')


def entry(key, move, weight):
    """One entry; the move is "e2e4"."""
    files = [ord(c) - ord("a") for c in move[0::2]]
    ranks = [int(c) - 1 for c in move[1::2]]
    code = files[1] | ranks[1] << 3 | files[0] << 6 | ranks[0] << 9
    return struct.pack(">QHHI", key, code, weight, 0)


class BookTest(FolderTest):
    def book(self, *arguments, stdin=""):
        return subprocess.run([TABIA, "book", *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, cwd=self.folder, check=False)

    def result(self, *arguments, stdin=""):
        done = self.book(*arguments, "--json", stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class BuildTest(BookTest):
    def test_games_become_a_book_that_answers(self):
        self.write("g.pgn", GAMES)
        made = self.result("build", "--pgn", "g.pgn", "--min-games", "1", "--out", "b.bin")
        self.assertEqual((made["games"], made["left_out"], made["moves_counted"]), (4, 0, 11))
        self.assertEqual(made["bytes"], len(self.read_bytes("b.bin")))
        told = self.result("probe", "--book", "b.bin")
        self.assertEqual([(m["san"], m["weight"], m["games"], m["score"]) for m in told["moves"]],
                         [("e4", 3, 2, 75.0), ("d4", 2, 2, 50.0)])
        self.assertEqual(told["key"], f"{START_KEY:016x}")
        self.assertEqual(told["moves"][0]["name"], "King's Pawn Game")

    def test_the_same_games_give_the_same_bytes(self):
        """Whatever the order, the number of files and the memory."""
        games = GAMES.split("\n\n[")
        backwards = "\n\n[".join([games[0]] + games[1:][::-1])
        self.write("a.pgn", GAMES * 50)
        self.write("b.pgn", backwards * 25)
        self.result("build", "--pgn", "a.pgn", "--min-games", "1", "--out", "1.bin")
        self.result("build", "--pgn", "b.pgn", "b.pgn", "--min-games", "1", "--memory", "1", "--out", "2.bin")
        self.result("build", "--pgn", "-", "--min-games", "1", "--out", "3.bin", stdin=GAMES * 50)
        self.assertEqual(self.read_bytes("1.bin"), self.read_bytes("2.bin"))
        self.assertEqual(self.read_bytes("1.bin"), self.read_bytes("3.bin"))

    def test_a_book_is_not_overwritten_unless_told(self):
        self.write("g.pgn", GAMES)
        self.write("b.bin", "precious")
        done = self.book("build", "--pgn", "g.pgn", "--min-games", "1", "--out", "b.bin")
        self.assertEqual((done.returncode, self.read_bytes("b.bin")), (1, b"precious"))
        self.assertIn("--force", done.stderr)
        self.result("build", "--pgn", "g.pgn", "--min-games", "1", "--out", "b.bin", "--force")
        self.assertNotEqual(self.read_bytes("b.bin"), b"precious")

    def test_what_fails_leaves_no_book(self):
        self.write("g.pgn", GAMES)
        for arguments, words in ((("--pgn", "missing.pgn"), "cannot open missing.pgn"),
                                 (("--pgn", "g.pgn", "--min-games", "99"), "no move has enough games"),
                                 (("--pgn", "g.pgn", "--out", "/no/such/b.bin"), "/no/such/b.bin")):
            done = self.book("build", "--out", "b.bin", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
        self.assertEqual(os.listdir(self.folder), ["g.pgn"])

    def test_bad_usage_is_told(self):
        for arguments in (("build",), ("build", "--pgn", "x"), ("build", "--out", "x"), ("merge", "x"), ("nothing",), (),
                          ("probe", "--moves", "e4", "more"), ("build", "--pgn", "x", "--out", "y", "--max-ply", "0")):
            done = self.book(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)

    def test_a_signal_stops_the_work_and_leaves_no_book(self):
        with subprocess.Popen([TABIA, "book", "build", "--pgn", "-", "--min-games", "1", "--out", "b.bin"], cwd=self.folder,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdin.write((GAMES * 2000).encode())
            process.stdin.flush()
            process.send_signal(signal.SIGTERM)
            code = process.wait()
        if code == -signal.SIGTERM:
            self.skipTest("the signal came before the program was ready for it")
        self.assertEqual((code, os.listdir(self.folder)), (1, []))


class ReadTest(BookTest):
    def test_broken_books_get_a_sentence(self):
        for data, words in ((b"", "empty"), (b"short", "5 bytes"), (entry(2, "e2e4", 1) + entry(1, "e2e4", 1), "sorted")):
            self.write("b.bin", data)
            for command in (("probe", "--book", "b.bin"), ("dump", "b.bin"), ("stats", "b.bin"),
                            ("merge", "b.bin", "--out", "m.bin"), ("tree", "--book", "b.bin")):
                done = self.book(*command)
                self.assertEqual(done.returncode, 1, command)
                self.assertIn(words, done.stderr)

    def test_dump_shows_every_entry_as_it_stands(self):
        self.write("b.bin", entry(1, "a7a8", 7) + entry(START_KEY, "e1h1", 65535))
        lines = self.book("dump", "b.bin").stdout.splitlines()
        self.assertEqual([line.split() for line in lines],
                         [["0" * 15 + "1", "a7a8", "7"], [f"{START_KEY:016x}", "e1h1", "65535"]])

    def test_stats_walk_the_book(self):
        self.write("g.pgn", GAMES)
        self.result("build", "--pgn", "g.pgn", "--min-games", "1", "--out", "b.bin")
        stats = self.result("stats", "b.bin")
        self.assertEqual((stats["illegal"], stats["zero_weights"]), (0, 0))
        self.assertEqual((stats["positions"], stats["reached"]), (5, 3))  # 1... e5 only lost: what follows it is not reached

    def test_tree_shows_moves_games_score_and_names(self):
        tree = self.result("tree", "--moves", "e4 e5 Nf3 Nc6 Bb5", "--depth", "2")
        self.assertEqual((tree["eco"], tree["name"]), ("C60", "Ruy Lopez"))
        self.assertEqual(tree["moves"][0]["san"], "a6")
        self.assertEqual(tree["moves"][0]["name"], "Ruy Lopez: Morphy Defense")
        self.assertGreater(tree["moves"][0]["games"], 1000)
        self.assertEqual(tree["moves"][0]["moves"][0]["san"], "Ba4")
        text = self.book("tree", "--moves", "e4 e5 Nf3 Nc6 Bb5", "--depth", "2").stdout
        self.assertIn("\n  Ba4", text)

    def test_a_bad_position_or_move_is_told(self):
        for arguments, words in ((("--fen", "8/8 w"), "cannot be used"), (("--moves", "e4 e4"), "e4")):
            done = self.book("probe", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)


class NamesTest(BookTest):
    def test_games_get_the_name_of_their_last_known_position(self):
        games = ('[White "Tal"]\n[Black "B"]\n\n1. Nf3 Nc6 2. e4 e5 3. Bb5 (3. d4) h5 1-0\n\n'
                 '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. e4 1/2-1/2\n\n'
                 '1. d4 Nf6 2. c4 g6 3. Nc3 d5 *\n')
        self.write("g.pgn", games)
        done = subprocess.run([TABIA, "pgn", "eco", "g.pgn", "--json"], cwd=self.folder, stdout=subprocess.PIPE, text=True,
                              check=True)
        told = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([g.get("eco") for g in told], ["C60", None, "D80"])
        self.assertEqual((told[0]["name"], told[0]["white"], told[0]["result"]), ("Ruy Lopez", "Tal", "1-0"))
        text = subprocess.run([TABIA, "pgn", "eco", "g.pgn"], cwd=self.folder, stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(text.stdout.splitlines()[1].split("\t")[:3], ["2", "-", "-"])


class PolyglotTest(BookTest):
    """Debian's polyglot and we read each other's books."""

    def setUp(self):
        super().setUp()
        self.games = os.path.join(SHARED, "data", "games", "small2700.pgn")
        if not POLYGLOT or not os.path.exists(self.games):
            self.skipTest("needs polyglot and the games of ../shared/data/games")

    def polyglot(self, *arguments):
        return subprocess.run([POLYGLOT, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", check=False)

    def entries(self, name):
        return sorted(struct.iter_unpack(">QHHI", self.read_bytes(name)))

    def test_the_same_games_make_the_same_moves_and_weights(self):
        self.polyglot("make-book", "-pgn", self.games, "-bin", "theirs.bin", "-max-ply", "30", "-min-game", "2")
        self.result("build", "--pgn", self.games, "--max-ply", "30", "--min-games", "2", "--out", "ours.bin")
        theirs, ours = [[e[:3] for e in self.entries(name)] for name in ("theirs.bin", "ours.bin")]
        self.assertGreater(len(ours), 3000)
        self.assertEqual(ours, theirs)
        self.assertEqual(self.result("stats", "theirs.bin")["illegal"], 0)

    def test_polyglot_reads_our_book(self):
        self.result("build", "--pgn", self.games, "--min-games", "2", "--out", "ours.bin")
        told = self.polyglot("info-book", "-bin", "ours.bin").stdout
        self.assertIn("Lines for white", told)


class TablesTest(BookTest):
    def test_a_match_ends_where_the_tables_know_the_result(self):
        tables = os.path.join(SHARED, "data", "syzygy", "regular")
        command = [TABIA, "match", "--engine", "random:name=a", "--engine", "random:name=b", "--games", "2", "--openings",
                   self.write("o.epd", "8/8/8/4k3/8/8/8/KR6 w - - 0 1\n"), "--pgn", self.path("g.pgn"), "--tables"]
        done = subprocess.run([*command, self.folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        if "libfathom" in done.stderr or not os.path.isdir(tables):
            self.skipTest("needs libfathom and the tables of ../shared/data/syzygy")
        self.assertIn("no Syzygy tables", done.stderr)
        done = subprocess.run([*command, tables], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout.count("tablebases, 1 moves")), (0, 2), done.stderr)


class EngineTest(BookTest):
    def play_book(self, engine, moves, limit="depth 1"):
        return engine.go(limit, "startpos" + (" moves " + " ".join(moves) if moves else ""))

    def test_no_book_is_used_unless_asked(self):
        with Engine(options={"Book File": self.write("b.bin", entry(START_KEY, "h2h4", 1))}) as engine:
            self.assertNotEqual(engine.go("depth 6").best, "h2h4")
            engine.set_option("OwnBook", "true")
            self.assertEqual(engine.go("depth 6").best, "h2h4")
            self.assertEqual(engine.go("depth 6").infos, [])

    def test_the_ruy_lopez_is_followed_without_a_search(self):
        line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3"]
        with Engine(options={"OwnBook": "true", "Book Choice": "best"}) as engine:
            for ply in range(2, len(line)):
                answer = self.play_book(engine, line[:ply])
                self.assertEqual((answer.best, answer.infos), (line[ply], []))

    def test_sides_have_books_of_their_own_and_depth_ends_them(self):
        black_key = 0x823C9B50FD114196  # after 1. e4
        with Engine(options={"OwnBook": "true"}) as engine:
            engine.set_option("Book File White", self.write("w.bin", entry(START_KEY, "a2a3", 1)))
            engine.set_option("Book File Black", self.write("b.bin", entry(black_key, "h7h5", 1)))
            self.assertEqual(self.play_book(engine, []).best, "a2a3")
            self.assertEqual(self.play_book(engine, ["e2e4"]).best, "h7h5")
            engine.set_option("Book Depth", 0)
            self.assertNotEqual(self.play_book(engine, [], "depth 6").best, "a2a3")

    def test_a_broken_book_is_named_and_the_old_one_stays(self):
        with Engine(options={"OwnBook": "true", "Book File": self.write("good.bin", entry(START_KEY, "a2a3", 1))}) as engine:
            engine.set_option("Book File", self.write("bad.bin", b"xx"))
            self.assertTrue(any("bad.bin" in line for line in engine.ready()))
            self.assertEqual(self.play_book(engine, []).best, "a2a3")

    def test_a_search_vetoes_a_move_that_loses(self):
        """1. e4 e5 2. Ba6 gives a bishop away."""
        with Engine(options={"OwnBook": "true"}) as engine:
            key = int(engine.look("startpos moves e2e4 e7e5")[1], 16)
            engine.set_option("Book File", self.write("b.bin", entry(key, "f1a6", 1)))
            self.assertEqual(self.play_book(engine, ["e2e4", "e7e5"]).best, "f1a6")
            engine.set_option("Book Veto", 100)
            self.assertNotEqual(self.play_book(engine, ["e2e4", "e7e5"], "depth 6").best, "f1a6")

    def test_analysis_and_chosen_moves_are_searched(self):
        with Engine(options={"OwnBook": "true", "Book File": self.write("b.bin", entry(START_KEY, "a2a3", 1))}) as engine:
            self.assertEqual(engine.go("depth 2 searchmoves h2h3").best, "h2h3")
            engine.set_option("UCI_AnalyseMode", "true")
            self.assertTrue(engine.go("depth 2").infos)

    def test_choices_differ_and_a_seed_repeats_them(self):
        book = self.write("b.bin", b"".join(entry(START_KEY, f"{f}2{f}3", 10) for f in "abcdefgh"))

        def games(seed):
            with Engine(options={"OwnBook": "true", "Book File": book, "Seed": seed}) as engine:
                return [self.play_book(engine, []).best for _ in range(12)]
        self.assertEqual(games(5), games(5))
        self.assertGreater(len(set(games(5))), 2)
        with Engine(options={"OwnBook": "true", "Book File": book, "Book Choice": "best"}) as engine:
            self.assertEqual({self.play_book(engine, []).best for _ in range(5)}, {"a2a3"})


if __name__ == "__main__":
    unittest.main()
