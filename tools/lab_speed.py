#!/usr/bin/env python3
"""lab_speed.py - how fast the teaching searches are, against the thesis's own code. Nodes per CPU second, the best of three runs.

    tools/lab_speed.py [TABIA]

The bars: plain minimax ten times, alpha-beta 1 five times as many nodes per second as the thesis's program had on the machine
where it was measured (15 and 8 million). Ends with status 1 when one is missed.
"""
import json
import subprocess
import sys

BARS = [("minimax", 0, 18, 15.0, 10), ("ab1", 2, 0, 8.25, 5)]  # rung, depth offset, position, M nodes/s of the thesis, bar


def rate(program, rung, offset, position):
    """M nodes per CPU second of one search."""
    fens = json.loads(subprocess.run([program, "lab", "ladder", "--rung", "minimax", "--depth-offset=-20", "--json"],
                                     capture_output=True, text=True, check=True).stdout.splitlines()[position])
    depth = {18: 5, 0: 5}[position] + offset
    result = subprocess.run([program, "lab", "ladder", "--rung", rung, "--positions", "/dev/stdin", "--depth", str(depth), "--json"],
                            input=fens["fen"] + "\n", capture_output=True, text=True, check=True)
    row = json.loads(result.stdout)
    return row["nodes"] / row["cpu_seconds"] / 1e6


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "./tabia"
    missed = 0
    for rung, offset, position, thesis, bar in BARS:
        best = max(rate(program, rung, offset, position) for _ in range(3))
        missed += best < bar * thesis
        print(f"{rung:8} position {position}, {offset:+d}: {best:6.1f} M nodes per CPU second, {best / thesis:4.1f} times the thesis's "
              f"{thesis} (bar: {bar})")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
