#!/usr/bin/env python3
"""lint.py - proves the rules that the compiler does not: layers, sizes, state, calls, style and static analysis.

    tools/lint.py [--root DIR] [RULE...]          (no RULE: all of them)

Prints path:line and a sentence for every complaint, and ends with "N passed, N failed[, N skipped]", one count a rule.
A rule whose tool is not installed is skipped, by name. Exceptions stand in tools/lint-allow.txt, each with its reason.
Make hands over what it knows in LINT_SRCS (the C files that are built) and LINT_CPPFLAGS.
"""
import argparse
import concurrent.futures
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

import lint_rules
from lint_rules import Tree

WEB_LINES_MAX = 400
JOBS = len(os.sched_getaffinity(0))
WARNINGS = ["-std=c17", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"]
TOOL_COMPLAINT = re.compile(r"^(.*?):(\d+):(?:\d+:)? (?:(?:fatal )?error|warning|style|performance|portability): (.*)$")


class Missing(Exception):
    """A tool that a rule needs is not installed."""


def tool(name):
    if not shutil.which(name):
        raise Missing(name)
    return name


def call(tree, command, **options):
    done = subprocess.run(command, cwd=tree.root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, text=True, errors="replace", **options)
    return done.returncode, done.stdout


def complaints_of(tree, output, status, path):
    """What a tool said, as complaints; at least one when it failed."""
    here = os.path.abspath(tree.root) + "/"
    found = [TOOL_COMPLAINT.match(line.removeprefix(here)) for line in output.splitlines()]
    found = [(m.group(1), int(m.group(2)), m.group(3)) for m in found if m]
    if status != 0 and not found:
        found = [(path, 1, output.strip() or f"status {status}")]
    return found


def each(work, items):
    """Runs work(item) for all items at once and yields every complaint in the order of the items."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for complaints in pool.map(work, items):
            yield from complaints


def sources(tree):
    """The C files that are built, and the flags they need."""
    named = os.environ.get("LINT_SRCS", "").split()
    return named or [p for p in tree.under("src/", ends=(".c",))]


def cppflags():
    return shlex.split(os.environ.get("LINT_CPPFLAGS", "-Isrc -D_POSIX_C_SOURCE=200809L"))


def object_of(tree, path):
    target = os.path.join(tree.root, "build", "lint", path + ".o")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    return target


def rule_warnings(tree):
    """gcc and clang compile every file, and every header on its own, without a warning."""
    jobs = []
    for path in sources(tree):
        jobs.append((path, [tool("gcc"), *WARNINGS, *cppflags(), "-O2", "-c", path, "-o", object_of(tree, path)]))
        jobs.append((path, [tool("clang"), *WARNINGS, *cppflags(), "-fsyntax-only", path]))
    for path in tree.under("src/", ends=(".h",)):
        jobs.append((path, [tool("gcc"), *WARNINGS, *cppflags(), "-fsyntax-only", "-x", "c", "-include", path, os.devnull]))

    def work(job):
        status, output = call(tree, job[1])
        return complaints_of(tree, output, status, job[0])
    return each(work, jobs)


def rule_state(tree):
    """No mutable data at file scope and no static locals: state lives in values (nm over the objects)."""
    def work(path):
        target = object_of(tree, path)
        flags = ["-std=c17", *cppflags(), "-w", "-O0", "-fno-pie", "-fno-common"]  # non-PIC: constant pointers are read-only
        status, output = call(tree, [tool("gcc"), *flags, "-c", path, "-o", target])
        if status != 0:
            return complaints_of(tree, output, status, path)
        _, symbols = call(tree, [tool("nm"), target])
        words = [line.split() for line in symbols.splitlines()]
        return [(path, 1, f"'{w[-1]}' is mutable data that outlives every call") for w in words if w[-2:-1] and w[-2] in "DdBbC"]
    return each(work, sources(tree))


def rule_format(tree):
    """clang-format agrees with every file."""
    tool("clang-format")

    def work(path):
        status, output = call(tree, ["clang-format", "--dry-run", "-Werror", path])
        first = complaints_of(tree, output, status, path)[:1] if status else []
        return [(where, line, "not in the house style (`make format` rewrites it)") for where, line, _ in first]
    return each(work, tree.under("src/", "tools/", "tests/", "examples/"))


def rule_tidy(tree):
    """clang-tidy has nothing to say."""
    tool("clang-tidy")
    common = hashlib.sha256(" ".join(cppflags()).encode())
    for path in tree.under("src/", ends=(".h", ".def")) + [p for p in tree.paths if p == ".clang-tidy"]:
        common.update(tree.text(path).encode())

    def work(path):  # a verdict of "nothing" is remembered for as long as neither the file nor any header changes
        seen = common.copy()
        seen.update(f"{path}\n{tree.text(path)}".encode())
        mark = os.path.join(tree.root, "build", "lint", "tidy", seen.hexdigest())
        if os.path.exists(mark):
            return []
        status, output = call(tree, ["clang-tidy", "--quiet", "--warnings-as-errors=*", path, "--", "-std=c17", *cppflags()])
        complaints = sorted(set(complaints_of(tree, output, status, path)))
        if not complaints:
            os.makedirs(os.path.dirname(mark), exist_ok=True)
            with open(mark, "w", encoding="ascii"):
                pass
        return complaints
    return each(work, sources(tree))


def rule_cppcheck(tree):
    """cppcheck has nothing to say."""
    flags = [flag for flag in cppflags() if flag.startswith(("-I", "-D"))]
    cache = os.path.join(tree.root, "build", "lint", "cppcheck")
    os.makedirs(cache, exist_ok=True)
    status, output = call(tree, [tool("cppcheck"), "--quiet", "--std=c11", "--enable=warning,performance,portability",
                                 "--inline-suppr", "--suppress=missingIncludeSystem", "--error-exitcode=1", f"-j{JOBS}",
                                 f"--cppcheck-build-dir={cache}", "--template={file}:{line}: {severity}: {message} [{id}]",
                                 *flags, *sources(tree)])
    return complaints_of(tree, output, status, "src") if status else []


def rule_scripts(tree):
    """Shell scripts parse (and shellcheck likes them); Python files compile."""
    for path in tree.paths:
        first = tree.text(path).split("\n", 1)[0]
        if path.endswith(".py"):
            try:
                compile(tree.text(path), path, "exec")
            except SyntaxError as error:
                yield path, error.lineno or 1, error.msg
        elif re.match(r"#!.*\b(ba)?sh$", first):
            status, output = call(tree, ["bash", "-n", path])
            if status:
                yield path, 1, output.strip()
            elif shutil.which("shellcheck"):
                _, output = call(tree, ["shellcheck", "-f", "gcc", path])
                for line in output.splitlines():
                    where, number, _, text = line.split(":", 3)
                    yield where, int(number), text.strip()


def rule_web(tree):
    """The page's TypeScript passes the type checker; its packages come with `npm ci --ignore-scripts` in web/."""
    checker = os.path.join("web", "node_modules", ".bin", "tsc")
    if not os.path.exists(os.path.join(tree.root, checker)):
        raise Missing(checker)
    tool("node")
    status, output = call(tree, [checker, "--noEmit", "--pretty", "false", "-p", "web"])
    for line in output.splitlines():
        found = re.match(r"(.*?)\((\d+),\d+\): (.*)$", line)
        if found:
            yield found.group(1), int(found.group(2)), found.group(3)
        elif status:
            yield "web/tsconfig.json", 1, line
    for path in tree.under("web/src/", "tests/browser/", ends=(".ts", ".mjs", ".css")):
        lines = tree.text(path).count("\n")
        if lines > WEB_LINES_MAX:
            yield path, lines, f"{lines} lines; split it (at most {WEB_LINES_MAX})"
        if not tree.text(path).startswith("/* "):
            yield path, 1, "the head of the file does not say what it is for"


RULES = {
    "layers": lint_rules.rule_layers,
    "cycles": lint_rules.rule_cycles,
    "sizes": lint_rules.rule_sizes,
    "calls": lint_rules.rule_calls,
    "heads": lint_rules.rule_heads,
    "whitespace": lint_rules.rule_whitespace,
    "scripts": rule_scripts,
    "web": rule_web,
    "state": rule_state,
    "warnings": rule_warnings,
    "format": rule_format,
    "tidy": rule_tidy,
    "cppcheck": rule_cppcheck,
}


def list_files(root):
    """The files git knows or would add; without git, all that is not built."""
    try:
        done = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"], check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        paths = [p for p in done.stdout.decode().split("\0") if p]
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, names, files in os.walk(root):
            names[:] = [n for n in names if n not in (".git", "build")]
            paths += [os.path.relpath(os.path.join(folder, f), root) for f in files]
    return [p for p in paths if os.path.isfile(os.path.join(root, p))]


def read_allowed(root):
    """(rule, path, words that the sentence contains) of every exception; a line without a reason is refused."""
    allowed = []
    name = os.path.join(root, "tools", "lint-allow.txt")
    if os.path.exists(name):
        with open(name, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    fields = [field.strip() for field in line.split("|")]
                    if len(fields) != 4 or not all(fields):
                        raise SystemExit(f"{name}: not 'rule | path | part of the complaint | reason': {line.strip()}")
                    allowed.append(tuple(fields[:3]))
    return allowed


def judge(name, tree, allowed, used):
    """Runs one rule and prints its verdict: "passed", "failed" or "skipped"."""
    start = time.monotonic()
    complaints = []
    try:
        for path, line, text in RULES[name](tree):
            matches = [a for a in allowed if a[0] == name and a[1] == path and a[2] in text]
            used.update(matches)
            if not matches:
                complaints.append(f"{path}:{line}: {text}")
    except Missing as missing:
        print(f"  skip {name:12} {missing} is not installed", flush=True)
        return "skipped"
    complaints += [f"tools/lint-allow.txt:1: '{' | '.join(a)}' allows nothing: take it out"
                   for a in allowed if a[0] == name and a not in used]
    print(f"  {'FAIL' if complaints else 'ok  '} {name:12} {time.monotonic() - start:.1f} s", flush=True)
    for complaint in complaints:
        print(f"{complaint} [{name}]", flush=True)
    return "failed" if complaints else "passed"


def main():
    parser = argparse.ArgumentParser(description="proves the rules that the compiler does not")
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    parser.add_argument("rules", nargs="*", metavar="RULE", help=", ".join(RULES))
    args = parser.parse_args()
    unknown = [name for name in args.rules if name not in RULES]
    if unknown:
        parser.error(f"no such rule: {', '.join(unknown)}")
    tree = Tree(args.root, list_files(args.root))
    allowed, used = read_allowed(args.root), set()
    verdicts = [judge(name, tree, allowed, used) for name in args.rules or RULES]
    count = {word: verdicts.count(word) for word in ("passed", "failed", "skipped")}
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    print(f"{count['passed']} passed, {count['failed']} failed{skipped}")
    return 1 if count["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
