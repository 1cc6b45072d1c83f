"""test_lint.py - lint.py complains about what it must, and only about that: each rule sees a small tree with one fault."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINT = os.path.join(ROOT, "tools", "lint.py")


def c_file(name, *lines):
    return f"/* {name} - an example. */\n" + "".join(line + "\n" for line in lines)


def header(path, *lines):
    guard = path.upper().replace("/", "_").replace(".", "_")
    return c_file(os.path.basename(path), f"#ifndef {guard}", f"#define {guard}", *lines, "#endif")


class LintTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as file:
            file.write(text)

    def lint(self, *rules):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("LINT_")}
        done = subprocess.run([sys.executable, LINT, "--root", self.root, *rules], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
        return done.returncode, done.stdout

    def assert_clean(self, rule):
        status, output = self.lint(rule)
        self.assertEqual(status, 0, output)
        self.assertTrue(output.endswith("1 passed, 0 failed\n"), output)

    def assert_complains(self, rule, *parts):
        tool = {"format": "clang-format", "tidy": "clang-tidy", "cppcheck": "cppcheck", "warnings": "clang"}.get(rule)
        if tool and not shutil.which(tool):
            self.skipTest(f"{tool} is not installed")
        status, output = self.lint(rule)
        self.assertEqual(status, 1, output)
        self.assertTrue(output.endswith("0 passed, 1 failed\n"), output)
        for part in parts:
            self.assertIn(part, output)

    def test_a_lower_layer_may_not_include_a_higher_one(self):
        self.write("src/base/a.c", c_file("a.c", '#include "chess/b.h"'))
        self.write("src/chess/b.h", header("chess/b.h"))
        self.assert_complains("layers", "src/base/a.c:2:", "'base' may not include 'chess'")

    def test_a_higher_layer_may_include_a_lower_one_and_itself(self):
        self.write("src/chess/a.c", c_file("a.c", '#include "chess/a.h"', '#include "base/b.h"'))
        self.write("src/chess/a.h", header("chess/a.h"))
        self.write("src/base/b.h", header("base/b.h"))
        self.assert_clean("layers")

    def test_web_and_term_do_not_see_each_other(self):
        self.write("src/term/a.c", c_file("a.c", '#include "web/b.h"'))
        self.write("src/web/b.h", header("web/b.h"))
        self.assert_complains("layers", "'term' may not include 'web'")

    def test_an_unknown_folder_and_an_include_without_layer_are_named(self):
        self.write("src/misc/a.c", c_file("a.c"))
        self.write("src/base/b.c", c_file("b.c", '#include "b.h"'))
        self.assert_complains("layers", "'misc' is no layer", "'b.h' does not name a file")

    def test_an_include_in_a_comment_does_not_count(self):
        self.write("src/base/a.c", c_file("a.c", "/*", '#include "chess/b.h"', "*/"))
        self.assert_clean("layers")

    def test_headers_that_include_each_other_are_a_cycle(self):
        self.write("src/base/a.h", header("base/a.h", '#include "base/b.h"'))
        self.write("src/base/b.h", header("base/b.h", '#include "base/c.h"'))
        self.write("src/base/c.h", header("base/c.h", '#include "base/a.h"'))
        self.assert_complains("cycles", "src/base/a.h -> src/base/b.h -> src/base/c.h -> src/base/a.h")

    def test_a_diamond_is_no_cycle(self):
        self.write("src/base/a.c", c_file("a.c", '#include "base/b.h"', '#include "base/c.h"'))
        self.write("src/base/b.h", header("base/b.h", '#include "base/d.h"'))
        self.write("src/base/c.h", header("base/c.h", '#include "base/d.h"'))
        self.write("src/base/d.h", header("base/d.h"))
        self.assert_clean("cycles")

    def test_a_function_of_81_lines_is_too_long_and_one_of_80_is_not(self):
        body = ["    x++;"] * 78
        self.write("src/base/a.c", c_file("a.c", "int fits(int x)", "{", *body[:-1], "    return x;", "}"))
        self.assert_clean("sizes")
        self.write("src/base/a.c", c_file("a.c", "int f(int x)", "{", *body, "    return x;", "}"))
        self.assert_complains("sizes", "src/base/a.c:3: f has 81 lines")

    def test_a_long_table_is_no_function(self):
        self.write("src/base/a.c", c_file("a.c", "const int table[] = {", *["    1,"] * 200, "};"))
        self.assert_clean("sizes")

    def test_a_long_file_needs_an_exception_and_an_exception_needs_a_long_file(self):
        self.write("src/base/a.c", c_file("a.c", *["extern int x;"] * 600))
        self.assert_complains("sizes", "src/base/a.c:1: the file has 601 lines")
        self.write("tools/lint-allow.txt", "sizes | src/base/a.c | the file has | a table\n")
        self.assert_clean("sizes")
        self.write("src/base/a.c", c_file("a.c"))
        self.assert_complains("sizes", "allows nothing")

    def test_mutable_data_is_found_at_file_scope_and_in_functions(self):
        self.write("src/base/a.c", c_file("a.c", "int counter;", "static int hidden = 3;", "int next(void);", "int next(void)",
                                          "{", "    static int calls;", "    return ++calls + ++hidden + counter;", "}"))
        self.assert_complains("state", "'counter'", "'hidden'", "'calls.")

    def test_constant_tables_even_of_pointers_are_no_state(self):
        self.write("src/base/a.c", c_file("a.c", "extern const char *const names[2];",
                                          'const char *const names[2] = {"a", "b"};', "extern const int numbers[2];",
                                          "const int numbers[2] = {1, 2};"))
        self.assert_clean("state")

    def test_forbidden_calls_are_named_with_their_reason(self):
        self.write("src/chess/a.c", c_file("a.c", "void f(char *s)", "{", '    printf("x");', "    atoi(s);", "    exit(1);",
                                           '    fprintf(stderr, "x");', "    longjmp(s, 1);", "}"))
        self.assert_complains("calls", "src/chess/a.c:4: printf() prints below app", ":5: atoi()", ":6: exit()", ":7: fprintf()",
                              ":7: stderr belongs to app", ":8: longjmp()")

    def test_app_may_print_and_exit_but_not_call_atoi(self):
        self.write("src/app/a.c", c_file("a.c", "void f(void)", "{", '    fprintf(stderr, "x");', '    printf("x");',
                                         "    exit(1);", "}"))
        self.assert_clean("calls")
        self.write("src/app/a.c", c_file("a.c", "int f(char *s)", "{", "    return atoi(s);", "}"))
        self.assert_complains("calls", "src/app/a.c:4: atoi()")

    def test_words_in_comments_strings_and_members_are_no_calls(self):
        self.write("src/base/a.c", c_file("a.c", "/* printf(x) */", 'const char *s = "exit(1)";', "void f(struct S *x)", "{",
                                          "    x->puts(1);", "    my_printf(2); // abort()", "    snprintf(x, 1, s);", "}"))
        self.assert_clean("calls")

    def test_a_file_without_head_and_a_header_without_its_guard_are_named(self):
        self.write("src/base/a.c", "#include <stdio.h>\n")
        self.write("src/base/b.h", c_file("b.h", "#ifndef B_H", "#define B_H", "#endif"))
        self.write("src/base/c.h", c_file("d.h", "#ifndef BASE_C_H", "#define BASE_C_H", "#endif"))
        self.assert_complains("heads", "src/base/a.c:1:", "guarded by BASE_B_H", "src/base/c.h:1: the file does not begin")

    def test_whitespace_is_judged_line_by_line(self):
        self.write("src/base/a.c", "/* a.c - x. */\n\tint x;\nint y; \n" + "/" * 131 + "\nint z;")
        self.assert_complains("whitespace", ":2: a tab", ":3: spaces at the end", ":4: 131 columns", ":5: the last line")

    def test_broken_scripts_are_found(self):
        self.write("scripts/a", "#!/bin/bash\nif true; then\n")
        self.write("tools/b.py", "def f(:\n")
        self.assert_complains("scripts", "scripts/a:1:", "tools/b.py:1:")

    def test_warnings_of_the_compilers_are_complaints(self):
        self.write("src/base/a.c", c_file("a.c", "int f(long x);", "int f(long x) { return x; }"))
        self.assert_complains("warnings", "src/base/a.c:3:", "conversion")

    def test_a_header_must_compile_on_its_own(self):
        self.write("src/base/a.h", header("base/a.h", "size_t f(void);"))
        self.assert_complains("warnings", "src/base/a.h:4:", "size_t")

    def test_clang_format_is_asked(self):
        self.write("src/base/a.c", c_file("a.c", "int  f( int x ){return x;}"))
        self.assert_complains("format", "src/base/a.c:2: not in the house style")

    def test_clang_tidy_is_asked(self):
        self.write(".clang-tidy", "Checks: '-*,clang-analyzer-*'\n")
        self.write("src/base/a.c", c_file("a.c", "#include <stdlib.h>", "int f(void);", "int f(void)", "{",
                                          "    int *p = malloc(4);", "    free(p);", "    return *p;", "}"))
        self.assert_complains("tidy", "src/base/a.c:8:")

    def test_cppcheck_is_asked(self):
        self.write("src/base/a.c", c_file("a.c", "int f(void);", "int f(void)", "{", "    int a[4] = {0};",
                                          "    return a[7];", "}"))
        self.assert_complains("cppcheck", "src/base/a.c:6:", "arrayIndexOutOfBounds")


if __name__ == "__main__":
    unittest.main()
