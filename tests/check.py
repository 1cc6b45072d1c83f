#!/usr/bin/env python3
"""check.py - all that `make check` proves, one stage after the other, and the sum of it as the last line.

A stage is a make target that ends with "N passed, N failed[, N skipped]". A stage that does not get that far (a build that
breaks, a tool that is missing) counts as one failure. Later stages still run, so one look at the end shows everything.
"""
import os
import re
import subprocess
import sys
import time

from run import Counts, summary

STAGES = [
    ("tests, gcc", ["test"]),
    ("lint", ["lint"]),  # behind the first build, which brings what the page's type check needs
    ("tests, address and undefined-behaviour sanitizers", ["test", "CONFIG=asan"]),
    ("tests, thread sanitizer, without PEXT", ["test", "CONFIG=tsan", "PEXT=0"]),
    ("tests, clang", ["test", "CC=clang", "EXE=build/tabia-clang"]),
    ("fuzz inputs", ["fuzz-replay"]),
    ("the page, in Chromium", ["browser"]),
    ("other machines", ["cross-check"]),
]
LAST_LINE = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")


def run_stage(targets, jobs):
    """Runs make, shows its output as it comes, and returns the counts of its last line."""
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
    process = subprocess.Popen(["make", f"-j{jobs}", "--no-print-directory", *targets], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, text=True,
                               errors="replace")
    counts = None
    for line in process.stdout:
        print("  " + line, end="", flush=True)
        found = LAST_LINE.match(line)
        if found:
            counts = Counts(*(int(n or 0) for n in found.groups()))
    status = process.wait()
    if counts is None:
        print(f"  make {' '.join(targets)}: stopped with status {status} before it could count", flush=True)
        return Counts(0, 1, 0)
    if status != 0 and counts.failed == 0:
        return counts._replace(failed=1)
    return counts


def main():
    jobs = len(os.sched_getaffinity(0))
    total = Counts(0, 0, 0)
    lines = []
    for name, targets in STAGES:
        print(f"== {name}", flush=True)
        start = time.monotonic()
        counts = run_stage(targets, jobs)
        lines.append(f"  {name:52} {summary(counts)}, {time.monotonic() - start:.0f} s")
        total = Counts(*map(sum, zip(total, counts)))
    print("== summary", *lines, summary(total), sep="\n", flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
