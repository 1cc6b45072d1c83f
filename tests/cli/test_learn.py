"""test_learn.py - from nothing to a network that plays, with the commands as a person types them."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

from folder import TABIA, FolderTest
from uci_driver import Engine

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PGN = "".join(f'[Event "{i}"]\n[Result "{result}"]\n\n{moves} {result}\n\n' for i, (moves, result) in enumerate([
    ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O", "1-0"), ("1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7", "1/2-1/2"),
    ("1. f3 e5 2. g4 Qh4#", "0-1")]))


class LearnTest(FolderTest):
    def tabia(self, *arguments, code=0):
        done = subprocess.run([TABIA, *arguments], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def selfplay(self, *more):
        return json.loads(self.tabia("data", "selfplay", "--out", self.path("games"), "--games", "8", "--nodes", "200",
                                     "--threads", "2", "--hash", "1", "--json", *more))


class PipelineTest(LearnTest):
    def test_from_self_play_to_a_network_that_plays(self):
        self.assertEqual(self.selfplay()["games"], 8)
        self.assertIn("8 games", self.tabia("data", "info", self.path("games")))
        self.tabia("data", "shuffle", self.path("games"), "--out", self.path("mixed.samples"))
        lines = self.tabia("train", "nnue", "--data", self.path("mixed.samples"), "--hidden", "32", "--buckets", "2",
                           "--epochs", "4", "--batch", "64", "--rate", "0.004", "--threads", "2", "--out", self.path("a.net"),
                           "--json").splitlines()
        losses = [json.loads(line)["training_loss"] for line in lines]
        self.assertEqual(len(losses), 4)
        self.assertLess(losses[-1], losses[0])
        with open(self.path("a.net.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["hidden"], 32)
        with open(self.path("a.net.svg"), encoding="utf-8") as file:
            self.assertIn("<svg", file.read())
        with Engine(options={"EvalFile": self.path("a.net"), "Eval": "nnue"}) as engine:
            self.assertIn(engine.go("depth 5", "startpos").best, engine.legal_moves("startpos"))

    def test_a_network_learns_on_from_another_and_says_so(self):
        self.selfplay()
        train = ["train", "nnue", "--data", self.path("games"), "--hidden", "32", "--threads", "2", "--json"]
        first = self.tabia(*train, "--epochs", "6", "--batch", "64", "--rate", "0.004", "--out", self.path("a.net"))
        more = self.tabia(*train, "--epochs", "1", "--rate", "0.000001", "--from", self.path("a.net"), "--kings", "4", "--unit",
                          "150", "--out", self.path("b.net"))
        losses = [json.loads(text.splitlines()[-1])["training_loss"] for text in (first, more)]
        self.assertLess(losses[1], 1.2 * losses[0])
        old, new = ({}, {})
        for name, into in (("a.net.json", old), ("b.net.json", new)):
            with open(self.path(name), encoding="utf-8") as file:
                into.update(json.load(file))
        self.assertEqual((new["from"], new["kings"], new["unit"]), (old["network"], 4, 150.0))
        self.assertNotIn("from", old)
        with Engine(options={"EvalFile": self.path("b.net"), "Eval": "nnue"}) as engine:
            self.assertIn(engine.go("depth 5", "startpos").best, engine.legal_moves("startpos"))
        self.assertIn("1 or 4", self.tabia(*train, "--kings", "3", code=2))
        for option in ("--unit", "--scale"):
            for bad in ("0.5", "-1", "20000"):
                self.assertIn("from 1 to 10000", self.tabia(*train, option, bad, code=2))
        self.assertIn("cannot read", self.tabia(*train, "--from", self.path("nothing.net"), code=1))
        self.assertIn("32 neurons", self.tabia(*train[:4], "--hidden", "64", "--from", self.path("a.net"), code=1))

    def test_curves_fitted_to_games_travel_in_the_network(self):
        self.selfplay("--games", "20", "--nodes", "100")
        for ending in ("", ".json"):  # the network that the program carries: one that sees what a queen is worth
            shutil.copy(glob.glob(os.path.join(ROOT, "data", "*.net" + ending))[0], self.path("a.net" + ending))
        fit = json.loads(self.tabia("train", "wdl", "--data", self.path("games"), "--json", "--net", self.path("a.net"),
                                    "--out", self.path("b.net")))
        with open(self.path("b.net.json"), encoding="utf-8") as file:
            told = json.load(file)
        self.assertEqual(told["curves"], fit["even"] + fit["spread"])
        self.assertEqual(told["weights"], told["made"]["network"])
        self.assertNotEqual(told["network"], told["weights"])
        scores = {}
        for name in ("a.net", "b.net"):
            with Engine(options={"EvalFile": self.path(name), "Eval": "nnue"}) as engine:
                found = engine.go("nodes 500", "fen rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
                scores[name] = (found.best, found.infos[-1]["nodes"], found.infos[-1]["score"])
        self.assertEqual(scores["a.net"][:2], scores["b.net"][:2], "the same search")
        self.assertNotEqual(scores["a.net"][2], scores["b.net"][2], "told by other curves")
        self.assertIn("go together", self.tabia("train", "wdl", "--data", self.path("games"), "--out", "b.net", code=2))

    def test_from_pgn_to_the_small_network(self):
        self.assertIn("3 games", self.tabia("data", "from-pgn", self.write("a.pgn", PGN), "--out", self.path("a.samples")))
        self.tabia("train", "mlp", "--data", self.path("a.samples"), "--epochs", "3", "--out", self.path("m.net"))
        with Engine(options={"MLP File": self.path("m.net"), "Eval": "mlp"}) as engine:
            self.assertIn(engine.go("depth 4", "startpos").best, engine.legal_moves("startpos"))


class SelfplayTest(LearnTest):
    def test_games_are_not_mixed_unless_asked_for(self):
        self.selfplay()
        self.assertIn("--resume", self.tabia("data", "selfplay", "--out", self.path("games"), "--games", "1", code=1))
        self.selfplay("--resume")
        self.assertIn("16 games", self.tabia("data", "info", self.path("games")))

    def test_the_same_seed_gives_the_same_games(self):
        for name in ("a", "b"):
            self.tabia("data", "selfplay", "--out", self.path(name), "--games", "4", "--nodes", "100", "--threads", "1",
                       "--seed", "9")
        games = []
        for name in ("a", "b"):
            with open(os.path.join(self.path(name), "part-000.games"), "rb") as file:
                games.append(file.read())
        self.assertEqual(games[0], games[1])

    def test_games_begin_within_games_of_others(self):
        """The queens leave the board within eight half-moves: no game that begins there has one while most men stand."""
        moves = "1. e4 e5 2. d4 exd4 3. Qxd4 Qf6 4. Qxf6 Nxf6 5. Nc3 Nc6 6. Bg5 Be7 7. Nf3 O-O"
        path = self.write("a.pgn", f'[Result "1-0"]\n\n{moves} 1-0\n')
        with_queens = []
        for folder, more in (("known", ["--pgn", path]), ("random", [])):
            self.tabia("data", "selfplay", "--out", self.path(folder), "--games", "8", "--nodes", "100", *more)
            self.tabia("data", "filter", self.path(folder), "--out", self.path("a.samples"))
            with open(self.path("a.samples"), "rb") as file:
                data = file.read()[24:]
            samples = [data[at:at + 32] for at in range(0, len(data), 32)]
            early = [s for s in samples if bin(int.from_bytes(s[:8], "little")).count("1") >= 27]
            self.assertTrue(early)
            men = ([m for byte in s[8:24] for m in (byte & 15, byte >> 4)] for s in early)
            with_queens.append(sum(4 in m or 10 in m for m in men))
        self.assertEqual(with_queens[0], 0)
        self.assertGreater(with_queens[1], 0)
        short = self.write("short.pgn", '[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n')
        begin = ["data", "selfplay", "--out", self.path("none"), "--games", "1", "--pgn"]
        self.assertIn("too short", self.tabia(*begin, short, code=1))
        self.assertIn("no game with a result", self.tabia(*begin, self.write("none.pgn", "1. e4 *\n"), code=1))
        self.assertIn("cannot", self.tabia(*begin, self.path("nothing.pgn"), code=1))

    def test_games_of_others_are_scored_once_each_and_keep_their_results(self):
        with open(self.path("a.pgn"), "w", encoding="utf-8") as file:
            file.write(PGN + '[Event "no result"]\n\n1. e4 *\n')
        score = ["data", "score", self.path("a.pgn"), "--out", self.path("scored"), "--nodes", "100", "--share", "1",
                 "--first-ply", "0"]
        self.assertEqual(json.loads(self.tabia(*score, "--games", "2", "--json"))["games"], 2)
        self.assertEqual(json.loads(self.tabia(*score, "--resume", "--json"))["games"], 1)
        self.assertEqual(json.loads(self.tabia(*score, "--resume", "--json"))["games"], 0)
        info = self.tabia("data", "info", self.path("scored"))
        self.assertIn("3 games, 21 positions; White 1, Black 1, drawn 1", info)
        self.assertIn("no game with a result", self.tabia("data", "score", os.devnull, "--out", self.path("x"), code=1))

    def test_positions_that_random_moves_left_the_games_for(self):
        with open(self.path("a.pgn"), "w", encoding="utf-8") as file:
            file.write(PGN)
        score = ["data", "score", self.path("a.pgn"), "--nodes", "100", "--share", "1", "--first-ply", "0", "--out"]
        self.tabia(*score, self.path("scored"), "--stray", "1")
        info = self.tabia("data", "info", self.path("scored"))
        games, positions = (int(word) for word in re.findall(r"\d+", info)[:2])
        strays = games - 3
        self.assertGreater(strays, 0)
        self.assertGreater(positions, 21 + strays, "the engine plays on where a stray begins")
        self.assertLessEqual(positions, 21 + 8 * strays)
        passed = int(re.search(r"(\d+) positions pass the filter", info).group(1))
        self.assertGreater(passed, 0)
        self.assertLessEqual(passed, positions - 21, "the game itself was not scored")
        self.assertIn("; White 1, Black 1, drawn 1", info, "a stray has no result")
        self.tabia("train", "nnue", "--data", self.path("scored"), "--hidden", "32", "--epochs", "1", "--validation", "0",
                   "--out", self.path("s.net"))
        self.assertIn("--stray from 0 to 1", self.tabia(*score, self.path("x"), "--stray", "2", code=2))

    def test_a_killed_run_loses_at_most_the_games_in_hand(self):
        process = subprocess.Popen([TABIA, "data", "selfplay", "--out", self.path("games"), "--games", "1000000", "--nodes", "50",
                                    "--threads", "1", "--hash", "1"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        part = os.path.join(self.path("games"), "part-000.games")
        while process.poll() is None and not (os.path.exists(part) and os.path.getsize(part) > 20000):
            os.sched_yield()
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.tabia("data", "selfplay", "--out", self.path("games"), "--games", "2", "--nodes", "50", "--threads", "1", "--resume")
        info = self.tabia("data", "info", self.path("games"))
        self.assertNotIn("end within a game", info)
        self.assertGreater(int(info.split()[0]), 10)


class BadInputTest(LearnTest):
    def test_broken_networks_are_refused_and_the_old_one_stays(self):
        with open(self.path("bad.net"), "wb") as file:
            file.write(b"TABIANN1" + bytes(100))
        with Engine() as engine:
            for name, value, words in (("EvalFile", self.path("bad.net"), "not supported"),
                                       ("EvalFile", self.path("none.net"), "cannot read"), ("Eval", "mlp", "MLP File")):
                engine.send(f"setoption name {name} value {value}", "isready")
                said = " ".join(engine.read_until("readyok$"))
                self.assertIn(words, said)
            self.assertIn(engine.go("depth 3", "startpos").best, engine.legal_moves("startpos"))

    def test_bad_data_is_named(self):
        with open(self.path("x.games"), "wb") as file:
            file.write(b"no games at all")
        self.assertIn("no file of stored games", self.tabia("data", "info", self.path("x.games"), code=1))
        self.assertIn("cannot read", self.tabia("train", "nnue", "--data", self.path("nothing"), code=1))
        self.assertIn("multiple of 32", self.tabia("train", "nnue", "--data", self.path("x"), "--hidden", "33", code=2))
        self.assertIn("give --out DIR", self.tabia("data", "selfplay", code=2))


if __name__ == "__main__":
    unittest.main()
