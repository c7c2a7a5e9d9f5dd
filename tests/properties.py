"""How much is tried of what holds for all data: a little, and always the same, in the suite; much in a session."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Thing = TypeVar("Thing")

#: `nox -s properties` sets it: so many times as many examples are made, and all of what there is is taken.
FACTOR = int(os.environ.get("HEXREC_EXAMPLES_FACTOR", "1"))


def examples(count: int) -> int:
    """Return how many examples are made where the suite makes `count`."""
    return count * FACTOR


def sample(things: Iterable[Thing], step: int) -> list[Thing]:
    """Return some things of which the suite takes the first of every `step`."""
    return list(things)[:: step if FACTOR == 1 else 1]
