#!/usr/bin/env python3
"""run.py - runs test programs, counts what they say, and ends with one line: N passed, N failed[, N skipped].

A program is a cmocka binary (or anything else that speaks TAP), a Python file of unittest cases, or a JavaScript file (.mjs) of
node:test cases, which is skipped where Node is not installed. Each runs in a process group of its own under a time limit.
A program that crashes, hangs, ends early or fails after its last test counts as failed.

    tests/run.py [--name NAME] [--timeout SECONDS] [--jobs N] PROGRAM...
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import time

Counts = collections.namedtuple("Counts", "passed failed skipped")
Outcome = collections.namedtuple("Outcome", "program counts seconds output note")

TAP_PLAN = re.compile(r"^1\.\.(\d+)", re.M)
TAP_LINE = re.compile(r"^(not ok|ok) \d+(.*)$", re.M)
UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ", re.M)
UNITTEST_END = re.compile(r"^(?:OK|FAILED)(?: \((.*)\))?$", re.M)


def summary(counts):
    """The line every run ends with."""
    text = f"{counts.passed} passed, {counts.failed} failed"
    return text + (f", {counts.skipped} skipped" if counts.skipped else "")


def read_tap(output):
    """Counts of TAP output, and how many tests were announced (cmocka 1.1.5 writes a skipped test as "not ok N # SKIP")."""
    passed = failed = skipped = 0
    for verdict, rest in TAP_LINE.findall(output):
        if re.match(r"\s*(- .*)?# ?skip", rest, re.I):
            skipped += 1
        elif verdict == "ok":
            passed += 1
        else:
            failed += 1
    return Counts(passed, failed, skipped), sum(int(n) for n in TAP_PLAN.findall(output))


def read_unittest(output):
    """Counts of unittest output; the plan is what it says it ran, 0 when it never came to an end."""
    ran = UNITTEST_RAN.findall(output)
    ends = UNITTEST_END.findall(output)
    if not ran or not ends:
        return Counts(0, 0, 0), 0
    details = dict(part.split("=") for part in ends[-1].split(", ") if "=" in part)
    failed = sum(int(details.get(key, 0)) for key in ("failures", "errors", "unexpected successes"))
    skipped = int(details.get("skipped", 0))
    return Counts(max(0, int(ran[-1]) - failed - skipped), failed, skipped), int(ran[-1])


def judge(program, output, status, timed_out, limit):
    """Counts of a finished program and, when something beyond a failed test went wrong, what."""
    counts, plan = (read_unittest if program.endswith(".py") else read_tap)(output)
    note = ""
    if timed_out:
        note = f"did not end within {limit} s"
    elif status < 0:
        note = f"killed by {signal.Signals(-status).name}"
    elif plan == 0:
        note = f"ran no tests (exit status {status})"
    elif not program.endswith(".py") and sum(counts) < plan:
        note = f"ended after {sum(counts)} of {plan} tests (exit status {status})"
    elif status != 0 and counts.failed == 0:
        note = f"exit status {status} although no test failed"
    return (counts._replace(failed=counts.failed + 1) if note else counts), note


def run(program, limit):
    """Runs one program to its end or to the limit."""
    if program.endswith(".mjs") and not shutil.which("node"):
        return Outcome(program, Counts(0, 0, 1), 0.0, "", "node is not installed")
    if program.endswith(".py"):
        folder, name = os.path.split(program)
        command = [sys.executable, "-m", "unittest", "discover", "-v", "-s", folder or ".", "-t", folder or ".", "-p", name]
    elif program.endswith(".mjs"):
        command = ["node", "--test-reporter=tap", program]
    else:
        command = [os.path.abspath(program)]
    environment = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP")
    start = time.monotonic()
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   env=environment, start_new_session=True)
    except OSError as error:
        return Outcome(program, Counts(0, 1, 0), 0.0, "", str(error))
    timed_out = False
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        timed_out = True
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    text = output.decode("utf-8", "replace")
    counts, note = judge(program, text, process.returncode, timed_out, limit)
    return Outcome(program, counts, time.monotonic() - start, text, note)


def report(outcome):
    """One line for a program; everything it said when it failed."""
    name = os.path.basename(outcome.program)
    mark = "FAIL" if outcome.counts.failed else "ok  "
    note = f"  ({outcome.note})" if outcome.note else ""
    print(f"  {mark} {name:32} {summary(outcome.counts)}, {outcome.seconds:.1f} s{note}", flush=True)
    if outcome.counts.failed:
        for line in outcome.output.splitlines():
            print(f"       | {line}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="runs test programs and sums their results")
    parser.add_argument("--name", default="tests")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    print(f"{args.name}: {len(args.programs)} programs", flush=True)
    os.environ["TABIA_TEST_CONFIG"] = args.name
    total = Counts(0, 0, 0)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for outcome in pool.map(lambda program: run(program, args.timeout), args.programs):
            report(outcome)
            total = Counts(*map(sum, zip(total, outcome.counts)))
    if not args.programs:
        print("nothing to run: no tests were found")
        total = Counts(0, 1, 0)
    print(summary(total))
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
