#!/usr/bin/env -S python3 -SE
"""top_engine.py - a UCI engine that knows a few positions by heart: the reference of `tabia lab precision` in tests.

    top_engine.py ANSWERS [LOG]    ANSWERS has lines "FEN | move move ...", best first; every `go` adds a line to LOG

It shows as many lines as MultiPV says, first an incomplete depth and a bound, which nobody may count, then a whole depth.
"""
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        answers = dict(line.rstrip("\n").split(" | ") for line in file)
    lines, fen = 1, ""
    for words in map(str.split, sys.stdin):
        if words == ["uci"]:
            print("id name Top\noption name MultiPV type spin default 1 min 1 max 99\nuciok", flush=True)
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words[:4] == ["setoption", "name", "MultiPV", "value"]:
            lines = int(words[4])
        elif words[:2] == ["position", "fen"]:
            fen = " ".join(words[2:])
        elif words[:1] == ["go"]:
            if len(sys.argv) > 2:
                with open(sys.argv[2], "a", encoding="utf-8") as log:
                    log.write(" ".join(words) + "\n")
            moves = answers[fen].split()
            print(f"info depth 1 multipv 1 score cp 9 pv {moves[-1]}")
            print(f"info depth 2 multipv 1 score cp 9 upperbound pv {moves[-1]}")
            for number, move in enumerate(moves[:lines], 1):
                print(f"info depth 2 multipv {number} score cp {-number} pv {move}")
            print(f"bestmove {moves[0]}", flush=True)
        elif words == ["quit"]:
            return


main()
