"""The twelve symmetries of the hexagon: six rotations, and each of them after a reflection."""

from __future__ import annotations

from functools import cache

from hexrec.board.geometry import board


@cache
def symmetries(size: int) -> tuple[dict[int, int], ...]:
    """Return twelve maps from cell to image cell for a board of `size`; the first is the identity."""
    grid = board(size)
    maps = []
    for reflect in (False, True):
        image = {cell: grid.axial(cell) for cell in grid.cells}
        if reflect:
            image = {cell: (r, q) for cell, (q, r) in image.items()}
        for _ in range(6):
            maps.append({cell: grid.cell(q, r) for cell, (q, r) in image.items()})
            image = {cell: (-r, q + r) for cell, (q, r) in image.items()}
    return tuple(maps)
