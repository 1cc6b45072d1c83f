"""test_library.py - the examples build against libtabia.a with a plain compiler call, and do what they say."""
import os
import shutil
import subprocess
import unittest

from folder import ROOT, FolderTest

LIBRARY = os.environ.get("TABIA_LIB", os.path.join(ROOT, "libtabia.a"))


def call(*command):
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)


class LibraryTest(FolderTest):
    def build(self, compiler, headers="src", library=LIBRARY):
        if not shutil.which(compiler):
            self.skipTest(f"{compiler} is not installed")
        program = self.path("legal_moves")
        done = call(compiler, "-Wall", "-Wextra", "-Werror", "examples/legal_moves.c", f"-I{headers}", library,
                    "-lpthread", "-lm", "-o", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def check(self, program):
        start = call(program)
        self.assertEqual(start.stdout.splitlines()[1], "20 legal moves", start.stderr)
        self.assertIn("Nf3", start.stdout.split())
        castling = call(program, "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1")
        self.assertIn("O-O", castling.stdout.split())
        self.assertIn("Rh8+", castling.stdout.split())
        check = call(program, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
        self.assertTrue(check.stdout.endswith("3 legal moves, in check\n"), check.stdout)
        bad = call(program, "4k3/8/8/8/8/8/8/8 w - - 0 1")
        self.assertEqual((bad.returncode, bad.stdout), (1, ""))
        self.assertIn("king", bad.stderr)

    def test_the_example_works_with_gcc(self):
        self.check(self.build("gcc"))

    def test_the_example_works_with_clang(self):
        self.check(self.build("clang"))

    def test_what_make_install_puts_down_is_enough(self):
        prefix = self.path("usr")
        environment = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "TMPDIR")}
        done = subprocess.run(["make", "install", f"PREFIX={prefix}"], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.check(self.build("cc", f"{prefix}/include/tabia", f"{prefix}/lib/libtabia.a"))
        help_text = call(f"{prefix}/bin/tabia", "--help")
        self.assertEqual(help_text.returncode, 0)
        self.assertIn("perft", help_text.stdout)


if __name__ == "__main__":
    unittest.main()
