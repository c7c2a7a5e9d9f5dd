from __future__ import annotations

import gc
from functools import cache

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from hexrec import formats
from hexrec.rules import games
from tests.properties import FACTOR, examples

# The same examples on every machine and in every run: a failure in one place can be looked at in another.
settings.register_profile(
    "repeatable", derandomize=FACTOR == 1, database=None, deadline=None, max_examples=examples(10)
)
settings.load_profile("repeatable")
if FACTOR == 1:
    # Examples have no constants of modules, which would depend on what else was collected.
    vars(providers)["is_local_module_file"] = lambda _: False

# What collection makes stays: to look through it for garbage takes time alone.
gc.disable()

# The tests are about hexrec's own games and formats, whichever packages are installed next to it.
games.GAMES.offered = cache(dict)
formats.FORMATS.offered = cache(dict)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests of the page: whoever works on these in a row starts one browser for them.

    Where several processes share the tests, what takes long comes next, so that the last to be ended are quick.
    """
    shared = hasattr(config, "workerinput")
    items.sort(key=lambda item: ("web" not in item.path.parts, shared and item.get_closest_marker("slow") is None))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """Look for garbage from now on, in what tests make."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how to run the tests in the same order again, which the header does only where it is shown."""
    if (seed := config.getoption("randomly_seed", None)) is not None:
        terminalreporter.write_line(f"the same order again: pytest --randomly-seed={seed}")
