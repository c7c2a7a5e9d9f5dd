"""The board of the five games: a regular hexagon of cells, with the centre at axial ``0, 0``."""

from __future__ import annotations

from functools import cache

from hexrec.board.board import Board
from hexrec.errors import ArgumentError

MIN_SIZE = 3
MAX_SIZE = 14


class Hexagon(Board):
    """A hexagon with `size` cells along each side. Get one with `hexagon`, which builds each size once."""

    __slots__ = ()

    def __init__(self, size: int) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ArgumentError(f"a board has {MIN_SIZE} to {MAX_SIZE} cells per side, not {size}")
        reach = range(1 - size, size)
        super().__init__(size, ((q, r) for q in reach for r in reach if abs(q + r) < size))


@cache
def hexagon(size: int) -> Hexagon:
    """Return the hexagon with `size` cells per side, built once and shared. Raises ValueError outside 3 to 14."""
    return Hexagon(size)
