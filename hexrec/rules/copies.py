"""Copies of grids by the modules `copy` and `pickle`, compiled or not."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


def reduce(grid: Any) -> tuple[object, ...]:
    """Return the parts of a grid: its class, its board, its variant, its readings and its position."""
    tables = grid.tables
    names = tuple([tables.name_of[cell] for cell in tables.cells])
    board = type(tables), tables.span, tuple(tables.cells), tuple(tables.steps), names
    saved = [[*part] for part in grid.save()]
    return restore, (type(grid), board, grid.variant, grid.readings, saved)


def restore(rules: Any, board: tuple[Any, ...], variant: str, readings: list[str], saved: list[list[int]]) -> object:
    """Return the grid with these parts."""
    grid = rules(_tables(*board), variant)
    grid.readings = readings
    grid.restore_lists(saved)
    return grid


@lru_cache(maxsize=64)
def _tables(kind: Any, span: int, cells: tuple[int, ...], steps: tuple[int, ...], names: tuple[str, ...]) -> Any:
    """Return the tables that all copies on a board share."""
    return kind(span, [*cells], [*steps], [*names])
