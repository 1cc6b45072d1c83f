"""test_cli.py - the door: no arguments, help, and what happens to words that mean nothing."""
import subprocess
import unittest

from folder import TABIA


def tabia(*arguments, text=""):
    """Runs the program with these arguments and this standard input."""
    return subprocess.run([TABIA, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False)


class Door(unittest.TestCase):
    def test_without_arguments_it_speaks_uci(self):
        result = tabia(text="uci\nisready\nquit\n")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertIn("uciok", lines)
        self.assertIn("readyok", lines)

    def test_the_end_of_input_ends_it(self):
        self.assertEqual(tabia(text="").returncode, 0)

    def test_help_lists_the_commands_on_standard_output(self):
        for word in ("--help", "help"):
            result = tabia(word)
            self.assertEqual(result.returncode, 0)
            self.assertIn("perft", result.stdout)
            self.assertIn("pgn", result.stdout)
            self.assertEqual(result.stderr, "")

    def test_every_listed_command_has_help_with_usage_and_example(self):
        listed = [line.split()[0] for line in tabia("--help").stdout.splitlines() if line.startswith("  ")]
        self.assertIn("perft", listed)
        for command in listed:
            with self.subTest(command):
                result = tabia(command, "--help")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"tabia {command}", result.stdout)
                self.assertIn("Example", result.stdout)
                self.assertEqual(result.stderr, "")

    def test_an_unknown_command_is_exit_2_and_named(self):
        result = tabia("wibble")
        self.assertEqual(result.returncode, 2)
        self.assertIn("'wibble'", result.stderr)
        self.assertIn("perft", result.stderr, "the message lists what there is")
        self.assertEqual(result.stdout, "")

    def test_an_unknown_option_is_exit_2_and_named(self):
        for arguments in (("--wibble",), ("perft", "--wibble"), ("perft", "3", "-x"), ("pgn", "check", "--wibble", "x.pgn")):
            with self.subTest(arguments):
                result = tabia(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(next(word for word in arguments if word.startswith("-")), result.stderr)
                self.assertEqual(result.stdout, "")

    def test_two_dashes_end_the_options(self):
        result = tabia("perft", "--", "--wibble")
        self.assertEqual(result.returncode, 2)
        self.assertIn("'--wibble'", result.stderr)


if __name__ == "__main__":
    unittest.main()
