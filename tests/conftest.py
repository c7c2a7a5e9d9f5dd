from __future__ import annotations

import pytest
from hypothesis import settings

from hexrec.workers import process
from tests.properties import FACTOR, examples

# The same examples on every machine and in every run: a failure in one place can be looked at in another.
settings.register_profile(
    "repeatable", derandomize=FACTOR == 1, database=None, deadline=None, max_examples=examples(40)
)
settings.load_profile("repeatable")

# Every process that a test starts imports what the program of the tests does, and some do what the service does.
process.PRELOADED.extend(["pytest", "hexrec.batch.warmup", "hexrec.server.warmup"])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how to run the tests in the same order again, which the header does only where it is shown."""
    if (seed := config.getoption("randomly_seed", None)) is not None:
        terminalreporter.write_line(f"the same order again: pytest --randomly-seed={seed}")
