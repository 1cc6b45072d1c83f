#!/usr/bin/env python3
"""run.py - runs libFuzzer targets for a while each and ends with: N passed, N failed.

    tests/fuzz/run.py [--seconds N] FUZZER...          (`make fuzz FUZZ_SECONDS=600` builds them and calls this)

What the fuzzers learn stays in build/fuzz-corpus; an input that breaks a promise is left in build/fuzz-findings.
Once it is understood it goes, made small, into tests/fuzz/corpus, where `make check` replays it for ever.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(fuzzer, seconds):
    """(name, whether it found nothing, the end of what it said)"""
    name = os.path.basename(fuzzer).removeprefix("fuzz_")
    learned = os.path.join(ROOT, "build", "fuzz-corpus", name)
    findings = os.path.join(ROOT, "build", "fuzz-findings")
    os.makedirs(learned, exist_ok=True)
    os.makedirs(findings, exist_ok=True)
    command = [os.path.abspath(fuzzer), f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048", "-max_len=4096",
               "-print_final_stats=1", f"-artifact_prefix={findings}/{name}-", learned]
    seeds = os.path.join(ROOT, "tests", "fuzz", "corpus", name)
    words = os.path.join(ROOT, "tests", "fuzz", "words", name + ".dict")
    command += [seeds] if os.path.isdir(seeds) else []
    command[1:1] = [f"-dict={words}"] if os.path.exists(words) else []
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, timeout=seconds + 120)
    except subprocess.TimeoutExpired as late:
        return name, False, (late.stdout or b"").decode("utf-8", "replace") + "\ndid not end"
    return name, done.returncode == 0, done.stdout.decode("utf-8", "replace")


def main():
    parser = argparse.ArgumentParser(description="runs libFuzzer targets for a while each")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("fuzzers", nargs="+")
    args = parser.parse_args()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for name, good, output in pool.map(lambda fuzzer: run(fuzzer, args.seconds), args.fuzzers):
            executions = re.search(r"number_of_executed_units: (\d+)", output)
            print(f"  {'ok  ' if good else 'FAIL'} {name:12} {executions.group(1) if executions else '?'} inputs", flush=True)
            if not good:
                failed += 1
                told = [line for line in output.splitlines() if not re.match(r"#\d+\s", line)]
                print("\n".join("       | " + line for line in told[-60:]), flush=True)
    print(f"{len(args.fuzzers) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
