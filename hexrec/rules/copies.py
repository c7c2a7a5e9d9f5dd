"""Copies of grids by the modules `copy` and `pickle`, compiled or not."""

from __future__ import annotations

from typing import Any


def reduce(grid: Any) -> tuple[object, ...]:
    """Return the parts of a grid: its class, its board, its variant and its position."""
    tables = grid.tables
    names = [tables.name_of[cell] for cell in tables.cells]
    board = tables.span, [*tables.cells], [*tables.steps], names
    saved = [[*part] for part in grid.save()]
    return restore, (type(grid), type(tables), board, grid.variant, saved)


def restore(rules: Any, tables: Any, board: tuple[Any, ...], variant: str, saved: list[list[int]]) -> object:
    """Return the grid with these parts."""
    grid = rules(tables(*board), variant)
    grid.restore_lists(saved)
    return grid
