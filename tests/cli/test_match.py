"""test_match.py - `tabia match` as a person or a script sees it: results, files, misbehaving engines, kill -9 and --resume."""
import collections
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import unittest

from folder import ROOT, SANITIZED, TABIA, FolderTest

BAD = os.path.join(ROOT, "tests", "support", "bad_engine.py")


def bad(mode, name=None):
    return f"cmd={BAD} {mode},name={name or mode}"


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240, check=False)


def match(*arguments):
    return run(TABIA, "match", *arguments)


def engines(*specs):
    """The arguments that name these engines."""
    return [word for spec in specs for word in ("--engine", spec)]


def games_of(path):
    """(tags, movetext) of every game of a PGN file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parts = re.split(r"\n\n(?=\[Event )", text.strip()) if text.strip() else []
    return [(dict(re.findall(r'^\[(\w+) "((?:\\.|[^"\\])*)"\]$', part, re.M)), part.split("\n\n", 1)[1]) for part in parts]


class Match(FolderTest):
    def setUp(self):
        super().setUp()
        self.pgn = self.path("games.pgn")

    def json_of(self, *arguments):
        result = match(*arguments, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 1)
        return json.loads(result.stdout)


class Results(Match):
    def test_our_engine_beats_the_random_mover(self):
        games = 4 if SANITIZED else 20
        report = self.json_of(*engines("tabia", "random"), "--games", str(games), "--depth", "3")
        self.assertEqual((report["games"], report["wins"], report["losses"], report["draws"]), (games, games, 0, 0))
        self.assertEqual(report["score"], 1)
        self.assertIsNone(report["llr"])
        for engine in report["engines"]:
            self.assertEqual((engine["crashes"], engine["timeouts"], engine["illegal"]), (0, 0, 0))

    def test_the_json_agrees_with_the_pgn(self):
        report = self.json_of(*engines("random:name=A", "random:name=B", "random:name=C"), "--games", "6",
                              "--pgn", self.pgn, "--concurrency", "3")
        games = games_of(self.pgn)
        self.assertEqual(len(games), 18)
        self.assertEqual(report["total_games"], 18)
        self.assertEqual(report["games"], 12)
        tally = collections.Counter()
        pairs = collections.defaultdict(dict)
        for tags, text in games:
            self.assertTrue(text.rstrip().endswith(tags["Result"]))
            points = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}[tags["Result"]]
            tally[tags["White"], points] += 1
            tally[tags["Black"], 2 - points] += 1
            pair, game = tags["Round"].split(".")
            pairs[pair][game] = (tags["White"], tags["Black"], points, text.split("{")[0])
        for engine in report["engines"]:
            self.assertEqual([engine["wins"], engine["draws"], engine["losses"]], [tally[engine["name"], p] for p in (2, 1, 0)])
            self.assertAlmostEqual(engine["score"], (engine["wins"] + engine["draws"] / 2) / engine["games"], places=5)
        self.assertEqual(len(pairs), 9)
        for games in pairs.values():
            self.assertEqual(games["1"][:2], games["2"][1::-1], "the second game has the colours reversed")
        counts = collections.Counter(g["1"][2] + 2 - g["2"][2] for g in pairs.values() if {"A", "B"} == set(g["1"][:2]))
        pairing = next(p for p in report["pairings"] if (p["first"], p["second"]) == ("A", "B"))
        self.assertEqual(pairing["pairs"], [counts[i] for i in range(5)])

    def test_random_games_are_the_same_at_any_concurrency(self):
        texts = []
        for concurrency in ("1", "4"):
            pgn = os.path.join(self.folder, concurrency)
            self.json_of(*engines("random", "random"), "--games", "8", "--pgn", pgn, "--concurrency", concurrency)
            texts.append(sorted((tags["Round"], re.sub(r"\{[^}]*\}", "", text)) for tags, text in games_of(pgn)))
        self.assertEqual(*texts)

    def test_json_lines_tell_every_game_and_then_the_sum(self):
        result = match(*engines("random", "random"), "--games", "4", "--json-lines")
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([line["event"] for line in lines], ["game"] * 4 + ["match"])
        self.assertEqual({(line["pair"], line["game"]) for line in lines[:4]}, {(1, 1), (1, 2), (2, 1), (2, 2)})

    def test_plain_output_has_a_line_a_game_and_a_table(self):
        result = match(*engines("random", "random"), "--games", "4")
        self.assertEqual(result.returncode, 0)
        self.assertIn("1.1  random - random#2  ", result.stdout)
        self.assertIn("score", result.stdout)
        self.assertNotIn("\x1b", result.stdout)

    def test_a_sprt_stops_when_it_is_decided(self):
        report = self.json_of(*engines("tabia", "random"), "--games", "1000", "--depth", "2", "--sprt", "0,50")
        self.assertEqual(report["outcome"], "decided")
        self.assertEqual(report["verdict"], "H1")
        self.assertGreater(report["llr"], report["llr_upper"])
        self.assertLess(report["games"], 200)

    def test_adjudication_and_the_move_limit_end_games(self):
        report = self.json_of(*engines(bad("score 99"), bad("good")), "--games", "2", "--openings", "none", "--resign",
                              "movecount=2,score=800", "--movetime", "20000")
        self.assertEqual(report["ends"], {"resign": 2})
        report = self.json_of(*engines("random", "random"), "--games", "4", "--maxmoves", "5")
        self.assertEqual(report["ends"], {"length": 4})

    def test_chess960_is_played_and_written(self):
        epd = os.path.join(self.folder, "frc.epd")
        with open(epd, "w", encoding="utf-8") as file:
            file.write("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\n"
                       "rkbnqnbr/pppppppp/8/8/8/8/PPPPPPPP/RKBNQNBR w KQkq - 0 1\n")
        report = self.json_of(*engines("tabia", "random"), "--games", "4", "--depth", "2", "--variant", "chess960",
                              "--openings", epd, "--pgn", self.pgn)
        self.assertEqual(report["wins"], 4)
        for tags, _ in games_of(self.pgn):
            self.assertEqual(tags["Variant"], "Chess960")
            self.assertIn("FEN", tags)
        check = run(TABIA, "pgn", "check", "--json", self.pgn)
        self.assertEqual(json.loads(check.stdout)["errors"], 0, check.stdout)


class Usage(Match):
    def test_mistakes_are_named(self):
        cases = [
            (engines("random"), "two engines", 2),
            ([*engines("random", "random"), "--tc", "x"], "'x'", 2),
            ([*engines("random", "random"), "--type", "swiss"], "'swiss'", 2),
            ([*engines("random", "random"), "--sprt", "5"], "--sprt", 2),
            ([*engines("random", "random"), "--resume"], "--resume", 2),
            ([*engines("random", "tabia:Hush=3")], "Hush", 1),
            ([*engines("random", "/no/such/engine")], "/no/such/engine", 1),
            ([*engines("random", bad("good") + ",Hash=999")], "Hash", 1),
            ([*engines("random", "random"), "--openings", "/no/such/file"], "/no/such/file", 1),
        ]
        for arguments, part, code in cases:
            with self.subTest(arguments):
                result = match(*arguments, "--games", "2")
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(part, result.stderr)
                self.assertEqual(result.stdout, "")


class Misbehaving(Match):
    """Each engine errs in its own way in every game; the tournament goes on to its end."""

    def faults(self, mode, limits="movetime=20000"):
        report = self.json_of(*engines(f"{bad(mode)},{limits}", bad("good")), "--games", "2", "--openings", "none",
                              "--pgn", self.pgn, "--movetime", "20000")
        self.assertEqual(report["losses"], 2, report)
        first, second = report["engines"]
        self.assertEqual((second["crashes"], second["timeouts"], second["illegal"]), (0, 0, 0))
        terminations = {tags["Termination"] for tags, _ in games_of(self.pgn)}
        self.assertEqual(len(terminations), 1)
        return report["ends"], first, terminations.pop(), games_of(self.pgn)[-1][1]

    def test_crashes(self):
        for mode, part in (("exit", "exit status 7"), ("segv", "segmentation fault"), ("close", "closed its output"),
                           ("exit-at-start", "exit status 3")):
            with self.subTest(mode):
                ends, engine, termination, text = self.faults(mode)
                self.assertEqual(ends, {"crash": 2})
                self.assertEqual((engine["crashes"], engine["timeouts"], engine["illegal"]), (2, 0, 0))
                self.assertEqual(termination, "abandoned")
                self.assertIn(part, " ".join(text.split()))
                os.remove(self.pgn)

    def test_illegal_moves(self):
        for mode in ("illegal", "garbage-move", "none", "null", "empty"):
            with self.subTest(mode):
                ends, engine, termination, _ = self.faults(mode)
                self.assertEqual(ends, {"illegal": 2})
                self.assertEqual((engine["crashes"], engine["timeouts"], engine["illegal"]), (0, 0, 2))
                self.assertEqual(termination, "rules infraction")
                os.remove(self.pgn)

    def test_lateness_and_stalls(self):
        for mode, end, termination in (("late", "time", "time forfeit"), ("stall", "stall", "abandoned"),
                                       ("flood", "stall", "abandoned")):
            with self.subTest(mode):
                ends, engine, said, _ = self.faults(mode, "tc=0.3+0.3")
                self.assertEqual(ends, {end: 2})
                self.assertEqual((engine["crashes"], engine["timeouts"], engine["illegal"]), (0, 2, 0))
                self.assertEqual(said, termination)
                os.remove(self.pgn)

    def test_noise_is_no_fault(self):
        for mode in ("garbage", "huge", "double", "stderr"):
            with self.subTest(mode):
                report = self.json_of(*engines(bad(mode), bad("good")), "--games", "2", "--openings", "none",
                                      "--movetime", "20000")
                self.assertEqual(report["ends"], {"repetition": 2})


class Resume(Match):
    GAMES = 40

    def command(self, *more):
        return [TABIA, "match", *engines("random:name=A", "random:name=B"), "--games", str(self.GAMES), "--concurrency", "3",
                "--pgn", self.pgn, "--json-lines", *more]

    def run_until(self, lines, *more):
        """Runs until so many games were told, then kills it; returns whether it had come to its end by itself."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(self.command(*more), text=True, **pipes) as process:
            seen = 0
            for line in process.stdout:
                if json.loads(line)["event"] == "match":
                    process.wait()
                    self.assertEqual(process.returncode, 0, process.stderr.read())
                    return True
                seen += 1
                if seen == lines:
                    os.kill(process.pid, signal.SIGKILL)
                    return False
        self.fail("it ended without a report")

    def check_whole(self, reference):
        games = games_of(self.pgn)
        rounds = [tags["Round"] for tags, _ in games]
        self.assertEqual(len(rounds), len(set(rounds)), "no game twice")
        expected = {f"{pair}.{game}" for pair in range(1, self.GAMES // 2 + 1) for game in (1, 2)}
        self.assertEqual(set(rounds), expected, "no game lost")
        moves = {tags["Round"]: re.sub(r"\{[^}]*\}", "", text) for tags, text in games}
        self.assertEqual(moves, reference, "the games are those of an undisturbed match")

    def test_killed_at_any_moment_it_goes_on_without_loss_or_repetition(self):
        undisturbed = os.path.join(self.folder, "undisturbed.pgn")
        whole = self.json_of(*engines("random:name=A", "random:name=B"), "--games", str(self.GAMES), "--pgn", undisturbed)
        reference = {tags["Round"]: re.sub(r"\{[^}]*\}", "", text) for tags, text in games_of(undisturbed)}
        rng = random.Random(1)
        for attempt in range(2 if SANITIZED else 4):
            with self.subTest(attempt):
                for path in (self.pgn, self.pgn + ".state"):
                    if os.path.exists(path):
                        os.remove(path)
                ended = self.run_until(rng.randint(1, 8))
                kills = 0
                while not ended:
                    kills += 1
                    ended = self.run_until(rng.randint(1, 12), "--resume")
                self.assertGreater(kills, 0)
                self.check_whole(reference)
                result = run(*self.command("--resume"))
                last = json.loads(result.stdout)  # nothing is left to play: only the sum
                for key in ("games", "wins", "losses", "draws", "pairs", "ends", "plies"):
                    self.assertEqual(last[key], whole[key], key)

    def test_a_finished_match_can_be_extended(self):
        first = match(*engines("random", "random"), "--games", "4", "--pgn", self.pgn, "--json")
        self.assertEqual(first.returncode, 0)
        report = self.json_of(*engines("random", "random"), "--games", "8", "--pgn", self.pgn, "--resume")
        self.assertEqual(report["games"], 8)
        self.assertEqual(len(games_of(self.pgn)), 8)

    def test_ctrl_c_stops_cleanly_and_can_be_resumed(self):
        arguments = [*engines(bad("good"), bad("good 99", "other")), "--games", "1000", "--movetime", "20000",
                     "--openings", "none", "--pgn", self.pgn, "--json-lines", "--concurrency", "2"]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE}
        with subprocess.Popen([TABIA, "match", *arguments], text=True, **pipes) as process:
            first = json.loads(process.stdout.readline())
            self.assertEqual(first["event"], "game")
            process.send_signal(signal.SIGINT)
            lines = [json.loads(line) for line in process.stdout]
            process.wait(timeout=60)
        self.assertEqual(lines[-1]["event"], "match")
        self.assertEqual(lines[-1]["outcome"], "stopped")
        self.assertEqual(process.returncode, 1)
        self.assertEqual(lines[-1]["games"], len(games_of(self.pgn)))
        again = match(*arguments)
        self.assertEqual(again.returncode, 1)
        self.assertIn("--resume", again.stderr)
        other = match(*arguments[:4], "--games", "6", "--movetime", "4000", "--openings", "none", "--pgn", self.pgn, "--resume")
        self.assertEqual(other.returncode, 1)
        self.assertIn("another match", other.stderr)


DEBIAN = all(os.path.exists(f"/usr/games/{name}") for name in ("toga2", "gnuchess"))


@unittest.skipUnless(DEBIAN, "Debian's engines are not installed")
class Foreign(Match):
    def test_two_debian_engines_play_a_match_that_everybody_can_read(self):
        report = self.json_of(*engines("toga2", "gnuchess"), "--games", "4", "--tc", "0.5+0.05", "--each", "Hash=16",
                              "--timemargin", "1000", "--maxmoves", "30", "--concurrency", "2", "--pgn", self.pgn)
        self.assertEqual(report["games"], 4)
        self.assertEqual([e["crashes"] + e["illegal"] for e in report["engines"]], [0, 0])
        check = run(TABIA, "pgn", "check", "--json", self.pgn)
        self.assertEqual(json.loads(check.stdout)["errors"], 0)
        extract = shutil.which("pgn-extract") or "/usr/games/pgn-extract"
        if os.path.exists(extract):
            result = run(extract, "-r", self.pgn)
            self.assertIn("4 games matched out of 4", result.stderr)


if __name__ == "__main__":
    sys.exit(unittest.main())
