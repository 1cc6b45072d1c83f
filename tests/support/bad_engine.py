#!/usr/bin/env -S python3 -SE
"""bad_engine.py - UCI engines that misbehave, one way each: what a runner has to survive.

    bad_engine.py MODE [AT]        misbehaves at its move number AT (default 2), plays on politely before that

A polite move goes back and forth with a knight, so two of them draw by repetition unless somebody errs. Nothing here lives
longer than a minute, whatever the runner does.
"""
import os
import signal
import sys

MODES = """good exit-at-start silent-at-start silent-at-ready exit segv late stall illegal garbage-move none null empty
close garbage huge flood flood-lines double deaf stderr score""".split()
CHATTER = b"\x00\xff{}\n\nbestmoves e2e4\ninfo depth x score cp\noption\nreadyok?\ninfo string bestmove a1a1\n\xf0\x9f\x99\x82\n"


def say(text):
    sys.stdout.buffer.write(text if isinstance(text, bytes) else text.encode() + b"\n")
    sys.stdout.buffer.flush()


def wait_for_ever():
    while True:
        signal.pause()


def polite_move(plies):
    """The knight out and home again: it can always move when the opponent is polite too."""
    out, home = ("g1f3", "f3g1") if plies % 2 == 0 else ("g8f6", "f6g8")
    return out if plies // 2 % 2 == 0 else home


def misbehave(mode, move):
    """True when the move was answered (or never will be)."""
    if mode == "exit":
        os._exit(7)
    elif mode == "segv":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "stall":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        wait_for_ever()
    elif mode == "close":
        os.close(1)
        wait_for_ever()
    elif mode == "flood":
        while True:
            os.write(1, b"x" * 65536)
    elif mode == "flood-lines":
        while True:
            os.write(1, b"info depth 1 score cp 0 nodes 1\n" * 1000)
    elif mode == "late":
        return True
    answers = {"illegal": "bestmove e2e5", "garbage-move": "bestmove zz{}\x01\xe9", "none": "bestmove (none)",
               "null": "bestmove 0000", "empty": "bestmove", "double": f"bestmove {move}\nbestmove {move}"}
    if mode in ("garbage", "double"):
        say(CHATTER)
    if mode == "huge":
        say(b"info string " + b"y" * 3_000_000 + b"\n")
    if mode == "stderr":
        os.write(2, b"z" * 1_000_000)
    say(answers.get(mode, f"info depth 3 score cp -900 nodes 5 pv {move}\nbestmove {move}"))
    return True


def main():
    mode, at = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2
    assert mode in MODES, mode
    signal.alarm(60)
    if mode == "exit-at-start":
        sys.exit(3)
    if mode == "silent-at-start":
        wait_for_ever()
    plies = 0
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "uci":
            say(f"id name bad {mode}\noption name Hash type spin default 16 min 1 max 64\n"
                "option name Mood type combo default bad var bad var Very Bad\nuciok")
        elif command == "isready":
            if mode == "silent-at-ready":
                wait_for_ever()
            say("readyok")
        elif command == "position":
            plies = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif command == "go":
            move = polite_move(plies)
            number = plies // 2 + 1
            if mode == "deaf" and number >= at:
                wait_for_ever()
            if mode == "score" or (mode != "good" and number >= at):
                misbehave(mode, move)
            else:
                say(f"info depth 1 score cp 0 nodes 1 pv {move}\nbestmove {move}")
        elif command == "stop" and mode == "late":
            say(f"bestmove {polite_move(plies)}")
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
