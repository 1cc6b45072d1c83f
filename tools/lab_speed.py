#!/usr/bin/env python3
"""lab_speed.py - how fast the teaching searches are, against the thesis's own code: nodes per CPU second, the best of three.

    tools/lab_speed.py [TABIA]

The bars: plain minimax ten times, alpha-beta 1 five times as many nodes per second as the thesis's program had on the machine
where it was measured (15 and 8 million). Ends with status 1 when one is missed.
"""
import json
import os
import subprocess
import sys
import tempfile

P18 = "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - | 5"
P0 = "r3qb1k/1b4p1/p2pr2p/3n4/Pnp1N1N1/6RP/1B3PP1/1B1QR1K1 w - - | 7"
BARS = [("minimax", P18, 15.0, 10), ("ab1", P0, 8.0, 5)]  # rung, position, M nodes/s of the thesis, bar


def rate(program, rung, position):
    """M nodes per CPU second of one search."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "position.txt")
        with open(path, "w", encoding="ascii") as file:
            file.write(position + "\n")
        result = subprocess.run([program, "lab", "ladder", "--rung", rung, "--positions", path, "--json"], capture_output=True,
                                text=True, check=True)
    row = json.loads(result.stdout)
    return row["nodes"] / row["cpu_seconds"] / 1e6


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "./tabia"
    missed = 0
    for rung, position, thesis, bar in BARS:
        best = max(rate(program, rung, position) for _ in range(3))
        missed += best < bar * thesis
        print(f"{rung:8} {best:6.1f} M nodes per CPU second, {best / thesis:.1f} times the thesis's {thesis} (bar: {bar} times)")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
