"""test_tune.py - the tuning build (make TUNE=1) still compiles without warnings, as far as it differs from the normal one."""
import glob
import os
import shlex
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class TuneTest(unittest.TestCase):
    def test_the_search_compiles_with_its_numbers_as_variables(self):
        compiler = shlex.split(os.environ.get("CC") or "cc")
        sources = sorted(path for folder in ("search", "engine") for path in glob.glob(os.path.join(ROOT, "src", folder, "*.c")))
        done = subprocess.run([*compiler, "-std=c17", "-fsyntax-only", "-DTABIA_TUNE", "-D_POSIX_C_SOURCE=200809L", "-Isrc",
                               "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", *sources],
                              cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
