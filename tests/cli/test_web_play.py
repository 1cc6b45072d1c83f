"""test_web_play.py - games on the server: played by people and machines, with clocks, saved, and looked at by engines."""
import os
import signal
import unittest

from web_driver import WebTest

GAMES = "/api/games"
ENGINE = {"kind": "engine", "level": 0, "movetime_ms": 20}


class PlayTest(WebTest):

    def play(self, game, *moves):
        for move in moves:
            status, answer = self.server.post(f"{GAMES}/{game}/move", {"move": move})
            self.assertEqual(status, 200, f"{move}: {answer}")
        return answer["game"]

    def test_scholars_mate(self):
        game = self.server.new_game()
        end = self.play(game, "e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#")
        self.assertEqual((end["result"], end["end"]), ("1-0", "checkmate"))
        self.assertEqual(self.moves(end), ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"])
        self.assertEqual(self.server.post(f"{GAMES}/{game}/resign")[0], 409)
        self.assertEqual(self.server.post(f"{GAMES}/{game}/play")[0], 409)
        self.assertEqual(self.server.post(f"{GAMES}/{game}/hint")[0], 409)
        status, back = self.server.post(f"{GAMES}/{game}/takeback")
        self.assertEqual((status, back["result"], back["end"], back["current"]), (200, "*", None, 6))

    def test_special_moves_in_every_spelling(self):
        game = self.server.new_game(fen="r3k2r/1P6/8/8/4p3/8/3P4/R3K2R w KQkq - 0 1")
        _, look = self.server.get(f"{GAMES}/{game}/look")
        self.assertLessEqual({"g1", "h1", "c1", "a1"}, set(look["dests"]["e1"]))
        self.assertEqual(sorted(look["promotions"]), ["b7a8", "b7b8"])
        end = self.play(game, "d2 d4", "exd3", "e1c1", "O-O", "b7b8n")
        self.assertEqual(self.moves(end), ["d4", "exd3", "O-O-O", "O-O", "b8=N"])
        self.assertEqual(end["nodes"][-1]["uci"], "b7b8n")

    def test_chess960_castles_onto_the_rook(self):
        game = self.server.new_game(fen="bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/BQNRK1R1 w GDgd - 0 1", chess960=True)
        _, look = self.server.get(f"{GAMES}/{game}/look")
        self.assertIn("g1", look["dests"]["e1"])
        end = self.play(game, "O-O")
        self.assertEqual(end["nodes"][1]["uci"], "e1g1")
        self.assertTrue(end["chess960"])

    def test_the_engine_answers_and_finishes_what_it_began(self):
        game = self.server.new_game(white={"kind": "human"}, black={"kind": "engine", "level": 20, "movetime_ms": 200},
                                    fen="r6k/8/8/8/8/8/6PP/7K b - - 0 1")
        events = self.listen(game)
        end = events.until("game", lambda g: g["result"] != "*")
        self.assertEqual((end["result"], end["end"]), ("0-1", "checkmate"))

    def test_engine_against_engine_plays_to_the_end_without_a_browser(self):
        game = self.server.new_game(white=dict(ENGINE, movetime_ms=5), black={"kind": "random"},
                                    fen="4k3/8/8/8/8/8/8/QR2K3 w - - 0 1")
        events = self.listen(game)
        end = events.until("game", lambda g: g["result"] != "*")
        self.assertIn(end["end"], ("checkmate", "stalemate", "threefold repetition", "fifty moves", "insufficient material"))

    def test_it_is_not_our_turn_while_the_engine_thinks(self):
        game = self.server.new_game(white={"kind": "engine", "movetime_ms": 60000}, fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        status, answer = self.server.post(f"{GAMES}/{game}/move", {"move": "e4"})
        self.assertEqual((status, answer["error"]["code"]), (409, "not_your_turn"))
        _, paused = self.server.post(f"{GAMES}/{game}/pause")
        self.assertEqual((paused["paused"], paused["thinking"]), (True, False))
        status, answer = self.server.post(f"{GAMES}/{game}/move", {"move": "e4"})  # now it is analysis
        self.assertEqual((status, answer["game"]["current"]), (200, 0))

    def test_an_analysed_move_leaves_the_game_as_it_is(self):
        game = self.server.new_game(time={"base_ms": 600000, "increment_ms": 0})
        self.play(game, "e4", "e5")
        _, before = self.server.post(f"{GAMES}/{game}/pause")
        for move, node in (("Nf3", 2), ("Nc6", 3), ("Bc4", 2)):
            status, answer = self.server.post(f"{GAMES}/{game}/move", {"move": move, "node": node, "analysis": True})
            self.assertEqual(status, 200, answer)
            for member in ("current", "result", "paused", "clock"):
                self.assertEqual(answer["game"][member], before[member], f"{member} after {move}")
        self.server.stop()
        self.server = self.start()
        _, after = self.server.get(f"{GAMES}/{game}")  # the game still stands where it stood
        self.assertEqual((after["current"], self.moves(after)), (2, ["e4", "e5", "Nf3", "Nc6"]))
        self.server.post(f"{GAMES}/{game}/play")
        end = self.play(game, "Bc4")  # what is played takes the main line
        self.assertEqual((self.moves(end), end["nodes"][end["current"]]["san"]), (["e4", "e5", "Bc4"], "Bc4"))

    def test_analysis_beyond_the_game_is_not_judged(self):
        game = self.server.new_game()
        self.play(game, "f3", "e5")
        self.server.post(f"{GAMES}/{game}/move", {"move": "g4", "node": 2, "analysis": True})
        events = self.listen(game)
        self.server.post(f"{GAMES}/{game}/report", {"nodes": 500})
        self.assertEqual([m["san"] for m in events.until("report")["moves"]], ["f3", "e5"])

    def test_takeback_goes_to_our_last_turn(self):
        game = self.server.new_game(black=ENGINE)
        events = self.listen(game)
        self.play(game, "e4")
        events.until("game", lambda g: g["nodes"][g["current"]]["ply"] == 2)
        _, back = self.server.post(f"{GAMES}/{game}/takeback")
        self.assertEqual((back["current"], self.moves(back)), (0, []))
        self.assertEqual(self.server.post(f"{GAMES}/{game}/takeback")[0], 409)

    def test_a_flag_falls(self):
        game = self.server.new_game(time={"base_ms": 300, "increment_ms": 0})
        events = self.listen(game)
        after = self.play(game, "e4")
        self.assertIsNone(after["clock"]["running"])
        after = self.play(game, "e5")
        self.assertEqual((after["clock"]["black_ms"], after["clock"]["running"]), (300, "white"))
        end = events.until("game", lambda g: g["result"] != "*")
        self.assertEqual((end["result"], end["end"], end["clock"]["white_ms"]), ("0-1", "time forfeit", 0))

    def test_a_bare_king_does_not_win_on_time(self):
        game = self.server.new_game(time={"base_ms": 100, "increment_ms": 0}, fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        events = self.listen(game)
        self.play(game, "e4", "Kd7")
        end = events.until("game", lambda g: g["result"] != "*")
        self.assertEqual((end["result"], end["end"]), ("1/2-1/2", "time forfeit against a bare king"))

    def test_draws_are_offered_taken_and_claimed(self):
        game = self.server.new_game()
        self.play(game, "e4")
        _, answer = self.server.post(f"{GAMES}/{game}/draw", {"side": "white"})
        self.assertEqual((answer["accepted"], answer["game"]["draw_offer"]), (False, "white"))
        self.assertIsNone(self.play(game, "e5")["draw_offer"])
        self.server.post(f"{GAMES}/{game}/draw", {"side": "white"})
        _, answer = self.server.post(f"{GAMES}/{game}/draw", {"side": "black"})
        self.assertEqual((answer["accepted"], answer["game"]["result"], answer["game"]["end"]), (True, "1/2-1/2", "agreement"))
        again = self.server.new_game()
        self.assertEqual(self.play(again, *("Nf3 Nf6 Ng1 Ng8 " * 2).split())["result"], "*")
        _, answer = self.server.post(f"{GAMES}/{again}/draw", {"side": "white"})
        self.assertEqual((answer["accepted"], answer["game"]["end"]), (True, "threefold repetition"))

    def test_an_engine_takes_a_draw_only_when_it_is_not_better(self):
        engine = {"kind": "engine", "movetime_ms": 50}
        better = self.server.new_game(white=engine, fen="4k3/8/8/8/8/8/8/QR2K3 w - - 0 1")
        worse = self.server.new_game(white=engine, fen="qr2k3/8/8/8/8/8/8/4K3 w - - 0 1")
        for game, wanted in ((better, False), (worse, True)):
            self.listen(game).until("game", lambda g: g["current"] > 0)
            _, answer = self.server.post(f"{GAMES}/{game}/draw", {"side": "black"})
            self.assertEqual(answer["accepted"], wanted)

    def test_games_survive_a_kill_and_a_restart(self):
        game = self.server.new_game(white={"kind": "human", "name": "Ünal \"x\" \\"}, black=dict(ENGINE, movetime_ms=60000),
                                    time={"base_ms": 600000, "increment_ms": 3000})
        other = self.server.new_game()
        self.play(other, "d4", "d5")
        self.server.post(f"{GAMES}/{other}/move", {"move": "Nf6", "node": 1})
        self.server.post(f"{GAMES}/{other}/tree", {"op": "comment", "node": 3, "text": "also {good} }"})
        self.play(game, "e4")
        _, before = self.server.get(f"{GAMES}/{other}")
        self.server.stop(signal.SIGKILL)
        with open(os.path.join(self.folder, "00000000.pgn"), "w", encoding="ascii") as file:
            file.write("this is no game")
        self.server.process.stdout.close()
        self.server = self.start()
        self.assertIn("1 files", "".join(self.server.lines))
        _, after = self.server.get(f"{GAMES}/{other}")
        for member in ("result", "headers", "white", "black", "current"):
            self.assertEqual(after[member], before[member])
        self.assertEqual([n["comment"] for n in after["nodes"]], [n["comment"] for n in before["nodes"]])
        _, loaded = self.server.get(f"{GAMES}/{game}")
        self.assertEqual(loaded["white"]["name"], "Ünal \"x\" \\")
        self.assertEqual((loaded["black"]["kind"], loaded["black"]["level"]), ("engine", 0))
        self.assertEqual((loaded["time"]["base_ms"], loaded["thinking"]), (600000, False))
        self.assertEqual(self.moves(loaded)[:1], ["e4"])  # the engine may have answered before the end
        events = self.listen(game)  # somebody looks: the engine goes on
        events.until("game", lambda g: g["nodes"][g["current"]]["ply"] == 2)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "00000000.pgn")))

    def test_a_folder_that_cannot_be_written_is_told(self):
        if os.geteuid() == 0:
            blocked = os.path.join(self.folder, "blocked")
            with open(blocked, "w", encoding="ascii"):
                pass
            with self.assertRaisesRegex(AssertionError, "games cannot be kept in"):
                self.start("--data", blocked)

    def test_analysis_shows_lines_and_ends(self):
        game = self.server.new_game(fen="r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
        events = self.listen(game)
        self.assertEqual(self.server.post(f"{GAMES}/{game}/analyse", {"multipv": 3, "depth": 8})[0], 200)
        lines = events.until("info", lambda i: len(i["lines"]) == 3 and i["purpose"] == "analysis")["lines"]
        self.assertEqual([line["multipv"] for line in lines], [1, 2, 3])
        done = events.until("done")
        self.assertEqual((done["node"], done["best"]), (0, "h5f7"))
        self.server.post(f"{GAMES}/{game}/analyse", {"depth": 6})
        line = events.until("info", lambda i: i["lines"][0]["depth"] >= 3)["lines"][0]
        self.assertEqual((line["score"], line["san"][0], line["wdl"]), ({"mate": 1}, "Qxf7#", [1000, 0, 0]))

    def test_iterations_tell_what_the_search_did(self):
        game = self.server.new_game()
        events = self.listen(game)
        self.server.post(f"{GAMES}/{game}/analyse", {"depth": 9})
        one = events.until("iteration", lambda i: i["depth"] == 9)
        self.assertGreater(one["nodes"], one["depth"])
        self.assertEqual(len(one["cutoffs_by_move"]), 8)
        self.assertGreater(one["qnodes"], 0)
        self.assertTrue(0.3 < one["cutoffs_first"] <= 1 and 0 < one["tt_hits"] <= 1)

    def test_scores_are_white_s_whoever_moves(self):
        game = self.server.new_game(fen="4k3/8/8/8/8/8/8/QR2K3 b - - 0 1")
        events = self.listen(game)
        self.server.post(f"{GAMES}/{game}/analyse", {"depth": 4})
        score = events.until("info")["lines"][0]["score"]
        self.assertGreater(score.get("cp", 0) + 1000 * score.get("mate", 0), 500)

    def test_a_threat_is_what_the_other_side_would_do(self):
        game = self.server.new_game(fen="r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 1")
        events = self.listen(game)
        self.assertEqual(self.server.post(f"{GAMES}/{game}/analyse", {"threat": True, "depth": 3})[0], 200)
        self.assertEqual(events.until("done", lambda d: d["purpose"] == "threat")["best"], "h5f7")
        in_check = self.server.new_game(fen="4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
        self.assertEqual(self.server.post(f"{GAMES}/{in_check}/analyse", {"threat": True})[0], 409)

    def test_analysis_of_chosen_moves_only(self):
        game = self.server.new_game(fen="r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
        events = self.listen(game)
        order = {"depth": 4, "multipv": 3, "moves": ["h5 f3", "Nf3"]}
        self.assertEqual(self.server.post(f"{GAMES}/{game}/analyse", order)[0], 200)
        lines = events.until("info", lambda i: len(i["lines"]) == 2)["lines"]
        self.assertEqual({line["uci"][0] for line in lines}, {"h5f3", "g1f3"})
        self.assertIn(events.until("done")["best"], ("h5f3", "g1f3"))
        _, after = self.server.get(f"{GAMES}/{game}")
        self.assertNotIn("eval", after["nodes"][0])  # what the best of some moves is worth is not what the position is worth

    def test_endless_analysis_stops_and_gives_way(self):
        game = self.server.new_game()
        events = self.listen(game)
        self.server.post(f"{GAMES}/{game}/analyse", {})
        events.until("info")
        status, hint = self.server.post(f"{GAMES}/{game}/hint")  # the hint takes the engine and gives it back
        self.assertEqual((status, len(hint["uci"])), (200, 4))
        events.until("info", lambda i: i["purpose"] == "analysis")
        self.assertEqual(self.server.post(f"{GAMES}/{game}/stop")[0], 200)

    def test_more_analyses_than_engines(self):
        games = [self.server.new_game() for _ in range(9)]
        statuses = []
        for game in games:
            events = self.listen(game)
            statuses.append(self.server.post(f"{GAMES}/{game}/analyse", {})[0])
            if statuses[-1] == 200:
                events.until("info")
        self.assertEqual(statuses, [200] * 8 + [409])
        self.server.post(f"{GAMES}/{games[0]}/stop")
        self.server.ask("DELETE", f"{GAMES}/{games[1]}")
        while self.server.post(f"{GAMES}/{games[8]}/analyse", {})[0] == 409:
            pass  # the stopped engine needs a moment to come home
        events.until("info")

    def test_a_report_judges_every_move(self):
        game = self.server.new_game()
        self.play(game, "e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#")
        events = self.listen(game)
        self.server.post(f"{GAMES}/{game}/report", {"nodes": 3000})
        self.assertEqual(events.until("progress")["total"], 8)
        self.assertFalse(self.server.get(f"{GAMES}/{game}")[1]["has_report"])
        self.assertTrue(events.until("game", lambda g: g["has_report"]))
        report = events.until("report")
        self.assertEqual([m["judgement"] for m in report["moves"]][5], "blunder")
        self.assertEqual([m["node"] for m in report["moves"]], [1, 2, 3, 4, 5, 6, 7])
        self.assertGreater(report["white"]["accuracy"], report["black"]["accuracy"])
        self.assertEqual(self.server.get(f"{GAMES}/{game}/report")[1], report)
        _, after = self.server.get(f"{GAMES}/{game}")
        self.assertIn("mate", after["nodes"][6]["eval"])

    def test_a_hundred_games_at_once(self):
        moves = "1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 $1 {ok} 1-0"
        pgn = "\n\n".join(f'[White "W{i}"]\n[Black "B"]\n[Result "1-0"]\n\n{moves}' for i in range(100))
        status, answer = self.server.post(f"{GAMES}/import", {"pgn": pgn})
        self.assertEqual((status, len(answer["games"]), answer["errors"]), (200, 100, []))
        self.assertEqual(answer["games"][7]["white"], "W7")
        self.assertEqual(len(self.server.get(GAMES)[1]["games"]), 100)
        _, _, text = self.server.raw("GET", f"{GAMES}/{answer['games'][0]['id']}/pgn")
        self.assertIn("1. e4 e5 2. Nf3 (2. f4 exf4) 2... Nc6 $1 {ok} 1-0", text.decode())
        self.assertEqual(self.server.post(f"{GAMES}/import", {"pgn": "hello"})[1]["errors"][0]["game"], 0)

    def test_variations_promoted_and_deleted(self):
        game = self.server.new_game()
        self.play(game, "e4", "e5")
        _, answer = self.server.post(f"{GAMES}/{game}/move", {"move": "c5", "node": 1})
        sicilian = answer["node"]
        self.server.post(f"{GAMES}/{game}/tree", {"op": "promote", "node": sicilian})
        _, tree = self.server.get(f"{GAMES}/{game}")
        self.assertEqual(self.moves(tree), ["e4", "c5"])
        _, tree = self.server.post(f"{GAMES}/{game}/tree", {"op": "delete", "node": 2})
        self.assertEqual((tree["current"], [n["id"] for n in tree["nodes"]]), (1, [0, 1, sicilian]))


if __name__ == "__main__":
    unittest.main()
