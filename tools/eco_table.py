#!/usr/bin/env python3
"""eco_table.py - writes data/eco.txt, the table of opening names, from tables of code, name and moves.

    tools/eco_table.py TABLE.tsv... > data/eco.txt

Each input line is: code, tab, name, tab, moves in SAN with move numbers. Lines that begin with "eco" are headings. The output
is sorted by the moves and leaves out what a line shares with the one before it, so that a reader replays every move once.
"""
import re
import sys

HEAD = """# eco.txt - opening names: how many half-moves the line shares with the one before, further moves | code name
"""


def read_lines(paths):
    """{moves: (code, name)}; the first name of a line of moves stays."""
    lines = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                if len(fields) != 3 or fields[0] == "eco":
                    continue
                moves = tuple(re.sub(r"\d+\.+", " ", fields[2]).split())
                lines.setdefault(moves, (fields[0], fields[1]))
    return lines


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    lines = read_lines(sys.argv[1:])
    before = ()
    sys.stdout.write(HEAD)
    for moves in sorted(lines):
        shared = 0
        while shared < min(len(moves), len(before)) and moves[shared] == before[shared]:
            shared += 1
        code, name = lines[moves]
        print(f"{shared} {' '.join(moves[shared:])}|{code} {name}")
        before = moves


if __name__ == "__main__":
    main()
