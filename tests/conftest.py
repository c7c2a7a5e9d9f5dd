from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from hexrec.workers import process

# The same examples on every machine and in every run: a failure in one place can be looked at in another.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")

# The tests run in several processes and start hundreds, which would all compile everything where no byte code is kept.
# Where none is wanted beside the sources, it is kept elsewhere.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Every process that a test starts imports what the program of the tests does, and some do what the service does.
process.PRELOADED.extend(["pytest", "hexrec.batch.warmup", "hexrec.server.warmup"])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how to run the tests in the same order again, which the header does only where it is shown."""
    if (seed := config.getoption("randomly_seed", None)) is not None:
        terminalreporter.write_line(f"the same order again: pytest --randomly-seed={seed}")
