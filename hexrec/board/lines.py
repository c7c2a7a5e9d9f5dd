"""Lines of consecutive cells in one of the six directions."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from hexrec.board.board import BIT, Board


class Line(NamedTuple):
    """A line of consecutive cells c1 to ck in one direction.

    Attributes:
        first, last: c1 and ck.
        before: the cell before c1 in the line's direction; 0, which is no cell, off the board or if k is 1.
        cells: all its cells in order.
        bits: its cells as a bitboard.
        border: the cells adjacent to one of them, as a bitboard.
    """

    first: int
    last: int
    before: int
    cells: range
    bits: int
    border: int


@cache
def lines_from(board: Board, first: int) -> dict[int, Line]:
    """Return the lines with c1 = `first`, by ck."""
    masks = board.neighbour_masks
    lines = {first: Line(first, first, 0, range(first, first + 1), BIT[first], masks[first])}
    for direction, step in enumerate(board.steps):
        before = first - step if board.rays[first][direction - 3] else 0
        bits, border = BIT[first], masks[first]
        for last in board.rays[first][direction]:
            bits |= BIT[last]
            border |= masks[last]
            lines[last] = Line(first, last, before, range(first, last + step, step), bits, border)
    return lines
