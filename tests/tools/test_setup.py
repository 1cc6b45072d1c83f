"""test_setup.py - scripts/setup says exactly what is missing when it may not install it, and installs when it may."""
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SETUP = os.path.join(ROOT, "scripts", "setup")
NEEDED = ("bash", "sort", "env")


class SetupTest(unittest.TestCase):
    """Every test has a PATH of its own: real tools by link, the package manager by small stand-ins."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.bin = os.path.join(folder.name, "bin")
        self.log = os.path.join(folder.name, "log")
        os.mkdir(self.bin)
        for name in NEEDED:
            found = next(p for p in (f"/bin/{name}", f"/usr/bin/{name}", f"/usr/local/bin/{name}") if os.path.exists(p))
            os.symlink(found, os.path.join(self.bin, name))

    def stand_in(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\n" + text + "\n")
        os.chmod(path, 0o755)

    def with_packages(self, *installed):
        words = "|".join(installed) or "none"
        self.stand_in("dpkg-query", f'case "${{@: -1}}" in {words}) printf installed ;; *) exit 1 ;; esac')
        self.stand_in("apt-get", f'echo "apt-get $*" >> {self.log}')

    def run_setup(self, *purposes):
        done = subprocess.run([os.path.join(self.bin, "bash"), SETUP, *purposes], env={"PATH": self.bin}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout

    def installed(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            return file.read().splitlines()

    def test_nothing_missing_is_silent_and_asks_nobody(self):
        self.with_packages("gcc", "make", "libc6-dev")
        self.assertEqual(self.run_setup("build"), (0, ""))
        self.assertEqual(self.installed(), [])

    def test_without_rights_the_line_to_type_is_printed(self):
        self.with_packages("gcc")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", "exit 1")
        line = "Missing Debian packages. Run:  sudo apt-get install --no-install-recommends libc6-dev make\n"
        self.assertEqual(self.run_setup("build"), (1, line))
        self.assertEqual(self.installed(), [])

    def test_root_installs_what_is_missing_and_nothing_else(self):
        self.with_packages("gcc", "make", "libfathom1", "libmicrohttpd-dev", "libjansson-dev", "pkgconf", "nodejs", "npm",
                           "libcurl4-openssl-dev")
        self.stand_in("id", "echo 0")
        status, _ = self.run_setup("build", "play")
        self.assertEqual(status, 0)
        self.assertEqual(self.installed(), ["apt-get -qq update", "apt-get -qq -y --no-install-recommends install libc6-dev"])

    def test_node_from_elsewhere_is_good_enough(self):
        self.with_packages("gcc", "make", "libc6-dev", "libfathom1", "libmicrohttpd-dev", "libjansson-dev", "pkgconf",
                           "libcurl4-openssl-dev")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", "exit 1")
        self.assertIn(" nodejs npm", self.run_setup("play")[1])
        self.stand_in("node", "")
        self.stand_in("npm", "")
        self.assertEqual(self.run_setup("play"), (0, ""))

    def test_sudo_without_password_is_used(self):
        self.with_packages("gcc", "make")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", 'shift; exec "$@"')
        self.stand_in("true", "exit 0")
        status, output = self.run_setup("build")
        self.assertEqual(status, 0, output)
        self.assertEqual(len(self.installed()), 2)

    def test_without_debian_the_missing_tools_are_named(self):
        self.stand_in("make", "")
        status, output = self.run_setup("build")
        self.assertEqual(status, 1)
        self.assertIn("Missing tools: cc.", output)
        self.stand_in("cc", "")
        self.assertEqual(self.run_setup("build"), (0, ""))

    def test_an_unknown_purpose_is_bad_usage(self):
        self.with_packages()
        status, output = self.run_setup("holiday")
        self.assertEqual(status, 2)
        self.assertIn("'holiday' is no purpose", output)


if __name__ == "__main__":
    unittest.main()
