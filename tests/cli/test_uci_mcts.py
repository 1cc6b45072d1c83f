"""The UCI cases of the other test_uci_*.py once more, with Search set to mcts.

What is left out is what alpha-beta alone promises; every exception has its reason here.
"""
import unittest

import test_uci_go
import test_uci_io
import test_uci_limits
import test_uci_options
import test_uci_output
import test_uci_process
import test_uci_rules
import uci_driver

MODULES = (test_uci_go, test_uci_io, test_uci_limits, test_uci_options, test_uci_output, test_uci_process, test_uci_rules)

EXCEPTIONS = {
}


class WithMcts:
    """Every engine that a test starts thinks by playouts."""

    def setUp(self):
        uci_driver.Engine.defaults = {"Search": "mcts"}
        self.addCleanup(setattr, uci_driver.Engine, "defaults", {})
        super().setUp()


def cases_of(module):
    """The test classes of a module, each with MCTS and without the exceptions."""
    for name, found in vars(module).items():
        if isinstance(found, type) and issubclass(found, unittest.TestCase):
            left_out = {test: None for test in EXCEPTIONS if hasattr(found, test)}
            yield "Mcts" + name, type("Mcts" + name, (WithMcts, found), left_out)


for test_module in MODULES:
    globals().update(cases_of(test_module))

if __name__ == "__main__":
    unittest.main()
