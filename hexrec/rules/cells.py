"""Arrays of integers, and machine integers, for the modules that are compiled: `grid.py`, and `rules.py` of each game.

The interpreter reads this module: an array is a list. mypy and mypyc read `cells.pyi`: an array is a `vec` of librt.
Compiled modules import these names, but `vec[i64](…)`, `i64` and `mypyc_attr` are built into them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class vec:  # noqa: N801
    """``vec[i64](values)`` makes an array."""

    def __class_getitem__(cls, item: object) -> type[list[Any]]:
        return list


Cells = list
Draw = Callable[[int], int]
i64 = int


def mypyc_attr(**options: bool) -> Callable[[type], type]:  # noqa: ARG001
    """Return a decorator that changes nothing."""
    return lambda kind: kind
