"""folder.py - what tests of the commands share: where the program and the data are, and a folder of its own for each test."""
import os
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TABIA = os.path.abspath(os.environ.get("TABIA") or os.path.join(ROOT, "tabia"))
SHARED = os.environ.get("TABIA_SHARED") or os.path.join(ROOT, "..", "shared")
SANITIZED = os.environ.get("TABIA_TEST_CONFIG") in ("asan", "tsan", "debug", "coverage")


class FolderTest(unittest.TestCase):
    """A test with an empty folder, gone when the test is over."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tabia-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        """A file with this text or these bytes; its path."""
        with open(self.path(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
        return self.path(name)

    def read_bytes(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def read(self, name):
        return self.read_bytes(name).decode()
