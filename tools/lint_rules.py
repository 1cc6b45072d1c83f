"""lint_rules.py - the rules that lint.py can judge from the text of the sources alone.

A rule is a function of a Tree that yields complaints: (path, line, sentence). Nothing here runs another program.
"""
import os
import re

# The architecture: a folder of src/ includes itself and what stands before it; folders in one group do not see each other.
LAYERS = [["base"], ["chess"], ["game"], ["net"], ["uci"], ["tables"], ["eval"], ["book"], ["stats"], ["search"], ["engine"],
          ["player"], ["learn"], ["arena"], ["lab"], ["review"], ["web", "term"], ["lichess"], ["app"]]
RANK = {name: rank for rank, group in enumerate(LAYERS) for name in group}

FUNCTION_LINES_MAX = 80
FILE_LINES_MAX = 500
COLUMNS_MAX = 130

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]*)"', re.M)
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
ALLOWED_PRINTERS = ("src/app/", "src/base/progress.")

# What may not be called, where it may be called all the same, and why not.
FORBIDDEN = [
    ("atoi atol atoll atof", (), "cannot report a bad number; use str_to_int and its kin"),
    ("strtok strtok_r", (), "changes its input; use str_next_token"),
    ("gets sprintf vsprintf strcpy strcat", (), "does not know the size of its target"),
    ("setjmp longjmp sigsetjmp siglongjmp", (), "skips what has to be cleaned up; return instead"),
    ("exit _exit quick_exit abort", ("src/app/",), "ends a process that belongs to somebody else; return an error"),
    ("printf vprintf puts putchar perror", ("src/app/",), "prints below app; hand the value to the caller"),
    ("fprintf vfprintf fputs fputc putc", ALLOWED_PRINTERS, "prints below app; hand the value to the caller"),
]
STREAMS = re.compile(r"\b(stdout|stderr|stdin)\b")


class Tree:
    """The files of a repository, read once. Paths are relative to its root, with slashes."""

    def __init__(self, root, paths):
        self.root = root
        self.paths = sorted(paths)
        self.texts = {}

    def text(self, path):
        if path not in self.texts:
            with open(os.path.join(self.root, path), "rb") as file:
                self.texts[path] = file.read().decode("utf-8", "replace")
        return self.texts[path]

    def code(self, path):
        """The text with comments, strings and characters blanked out; every line keeps its number."""
        return NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), self.text(path))

    def under(self, *prefixes, ends=(".c", ".h")):
        return [p for p in self.paths if p.startswith(prefixes) and p.endswith(tuple(ends))]


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def includes(tree, path):
    """(line, included path as written) of every include in quotes, outside comments."""
    text = tree.text(path)
    bare = re.sub(r"/\*.*?\*/", lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.S)
    return [(line_of(bare, found.start(1)), found.group(1)) for found in INCLUDE.finditer(bare)]


def rule_layers(tree):
    """A folder of src/ includes only itself and the folders before it."""
    for path in tree.under("src/"):
        layer = path.split("/")[1]
        if layer not in RANK:
            yield path, 1, f"'{layer}' is no layer of the design"
            continue
        for line, target in includes(tree, path):
            other = target.split("/")[0]
            if "src/" + target not in tree.paths:
                yield path, line, f"'{target}' does not name a file of src/ (write \"layer/file.h\")"
            elif other != layer and RANK.get(other, len(LAYERS)) >= RANK[layer]:
                yield path, line, f"'{layer}' may not include '{other}', which does not stand before it"


def rule_cycles(tree):
    """No file includes itself, directly or through others."""
    edges = {p: [(line, "src/" + target) for line, target in includes(tree, p)] for p in tree.under("src/")}
    done = set()
    for start in sorted(edges):
        stack, trail = [(start, iter(edges[start]))], [start]
        while stack:
            path, rest = stack[-1]
            line, target = next(rest, (0, None))
            if target is None:
                done.add(path)
                stack.pop()
                trail.pop()
            elif target in trail:
                yield path, line, "include cycle: " + " -> ".join(trail[trail.index(target):] + [target])
            elif target in edges and target not in done:
                stack.append((target, iter(edges[target])))
                trail.append(target)


def functions(code):
    """(line, name, lines) of every function body: a brace at depth 0 that follows a closing parenthesis."""
    depth, start, name = 0, 0, ""
    for found in re.finditer(r"[{}]", code):
        if found.group() == "{":
            if depth == 0:
                head = code[:found.start()].rstrip()
                chunk = re.split(r"[;}]", head)[-1] if head.endswith(")") else ""
                names = re.findall(r"(\w+)\s*\(", chunk)
                start, name = line_of(code, found.start()), names[0] if names else ""
            depth += 1
        else:
            depth -= 1
            if depth == 0 and name:
                yield start, name, line_of(code, found.start()) - start + 1


def rule_sizes(tree):
    """A function is at most 80 lines, a file at most 500."""
    for path in tree.under("src/", "tools/", "examples/"):
        lines = tree.text(path).count("\n")
        if lines > FILE_LINES_MAX:
            yield path, 1, f"the file has {lines} lines, more than {FILE_LINES_MAX}"
        for line, name, length in functions(tree.code(path)):
            if length > FUNCTION_LINES_MAX:
                yield path, line, f"{name} has {length} lines, more than {FUNCTION_LINES_MAX}"


def rule_calls(tree):
    """Nothing below app prints or exits, and nobody calls what cannot be called safely."""
    for path in tree.under("src/"):
        code = tree.code(path)
        for names, allowed, reason in FORBIDDEN:
            if allowed and path.startswith(allowed):
                continue
            for found in re.finditer(r"(?<![\w.>])(" + names.replace(" ", "|") + r")\s*\(", code):
                yield path, line_of(code, found.start()), f"{found.group(1)}() {reason}"
        if not path.startswith("src/app/"):
            for found in STREAMS.finditer(code):
                yield path, line_of(code, found.start()), f"{found.group(1)} belongs to app; take the stream as an argument"


def rule_heads(tree):
    """Every C file begins with a comment that names it and says what it is for; headers are guarded by LAYER_FILE_H."""
    for path in tree.under("src/", "tools/", "tests/", "examples/"):
        name = os.path.basename(path)
        if not re.match(r"/\* " + re.escape(name) + r" - \S", tree.text(path)):
            yield path, 1, f"the file does not begin with '/* {name} - what it is for'"
        if path.startswith("src/") and name.endswith(".h"):
            guard = re.sub(r"\W", "_", path[len("src/"):]).upper()
            code = tree.code(path)
            if not re.match(rf"\s*#ifndef {guard}\n#define {guard}\n", code) or not code.rstrip().endswith("#endif"):
                yield path, 1, f"the header is not guarded by {guard}"


def rule_whitespace(tree):
    """No tabs, no spaces at the end of a line, a newline at the end of a file, no line beyond 130 columns."""
    for path in tree.paths:
        if path.startswith(("tests/fuzz/corpus/", "tests/data/", "data/", "docs/")) or path == "LICENSE":
            continue
        name = os.path.basename(path)
        if not path.endswith((".c", ".h", ".py", ".md", ".txt", ".def", ".ts", ".mjs", ".css")) and "." in name.lstrip("."):
            continue
        text = tree.text(path)
        if "\0" in text:
            continue  # a program, not a text
        if text and not text.endswith("\n"):
            yield path, text.count("\n") + 1, "the last line does not end with a newline"
        for number, line in enumerate(text.splitlines(), 1):
            if "\t" in line and name != "Makefile":
                yield path, number, "a tab"
            if line != line.rstrip():
                yield path, number, "spaces at the end of the line"
            if len(line) > COLUMNS_MAX and not path.endswith((".md", ".txt")) and name != "Makefile":
                yield path, number, f"{len(line)} columns, more than {COLUMNS_MAX}"
