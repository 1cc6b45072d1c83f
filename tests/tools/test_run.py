"""test_run.py - the runner of tests counts right: passes, failures, skips, crashes, hangs and silence."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUN = os.path.join(ROOT, "tests", "run.py")


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def program(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def run_programs(self, *programs, timeout="20"):
        done = subprocess.run([sys.executable, RUN, "--timeout", timeout, *programs], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.splitlines()[-1], done.stdout

    def assert_ends(self, line, *programs, **options):
        status, last, output = self.run_programs(*programs, **options)
        self.assertEqual(last, line, output)
        self.assertEqual(status, 0 if ", 0 failed" in line else 1, output)
        return output

    def test_passes_failures_and_both_ways_to_write_a_skip_are_told_apart(self):
        path = self.program("tap", "#!/bin/sh\necho 1..5\necho ok 1 - a\necho 'not ok 2 # SKIP b'\necho 'ok 3 - c # SKIP why'\n"
                                   "echo 'not ok 4 - d'\necho 'ok 5 - e'\nexit 1\n")
        self.assert_ends("2 passed, 1 failed, 2 skipped", path)

    def test_the_counts_of_several_programs_are_added(self):
        good = self.program("good", "#!/bin/sh\necho 1..2\necho ok 1 - a\necho ok 2 - b\n")
        self.assert_ends("4 passed, 0 failed", good, good)

    def test_a_program_that_ends_before_its_plan_has_failed(self):
        path = self.program("early", "#!/bin/sh\necho 1..3\necho ok 1 - a\n")
        self.assertIn("ended after 1 of 3 tests", self.assert_ends("1 passed, 1 failed", path))

    def test_a_crash_is_a_failure_and_names_its_signal(self):
        path = self.program("crash", "#!/bin/sh\necho 1..2\necho ok 1 - a\necho last words\nkill -SEGV $$\n")
        output = self.assert_ends("1 passed, 1 failed", path)
        self.assertIn("SIGSEGV", output)
        self.assertIn("last words", output)

    def test_a_bad_exit_status_after_good_tests_is_a_failure(self):
        path = self.program("race", "#!/bin/sh\necho 1..1\necho ok 1 - a\nexit 66\n")
        self.assertIn("exit status 66", self.assert_ends("1 passed, 1 failed", path))

    def test_a_program_that_hangs_is_ended_with_its_children(self):
        path = self.program("hang", "#!/bin/sh\necho 1..1\nsleep 1000 &\nwait\n")
        self.assertIn("did not end within", self.assert_ends("0 passed, 1 failed", path, timeout="0.5"))

    def test_silence_is_a_failure(self):
        self.assert_ends("0 passed, 1 failed", self.program("silent", "#!/bin/sh\n"))

    def test_a_program_that_does_not_exist_is_a_failure(self):
        self.assert_ends("0 passed, 1 failed", os.path.join(self.folder, "absent"))

    def test_nothing_to_run_is_a_failure(self):
        self.assert_ends("0 passed, 1 failed")

    def test_unittest_files_are_counted(self):
        path = self.program("test_x.py", "import unittest\n\nclass X(unittest.TestCase):\n    def test_a(self):\n        pass\n\n"
                                         "    def test_b(self):\n        self.skipTest('no')\n\n"
                                         "    def test_c(self):\n        self.fail('yes')\n")
        self.assert_ends("1 passed, 1 failed, 1 skipped", path)

    def test_a_unittest_file_that_does_not_import_is_a_failure(self):
        self.assert_ends("0 passed, 1 failed", self.program("test_y.py", "import no_such_module_anywhere\n"))


if __name__ == "__main__":
    unittest.main()
