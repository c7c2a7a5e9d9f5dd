"""One geometry for every game: a regular hexagon of cells, each cell one small integer.

A cell's integer is its place in a padded rectangle, ``(r + n) * width + (q + n)`` with the axial coordinates of the
rules and ``n`` the board's size. The padding makes three things cheap:

* a neighbour is the cell plus a constant (`Board.steps`), and a list of `Board.span` entries can hold a board
  with its off-board border;
* a set of cells is one Python integer, a *bitboard* with bit ``1 << cell``, and shifting it by a step moves every
  cell at once without wrapping round the rim;
* integers grow in board order, so sorting cells sorts them as the rules do.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hexrec.board.coordinates import CellNames, System

MIN_SIZE = 3
MAX_SIZE = 14

#: The six directions in the order of `Board.steps` and `Board.rays`; direction ``(d + 3) % 6`` is opposite to ``d``.
DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
_AXIAL_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class Board:
    """The immutable tables of a board of one size. Get one with `board`, which builds each size once.

    Attributes:
        size: cells along one side, n.
        width: the distance between rows in the padded numbering, 2n.
        span: the length a list needs to be indexed by every cell and every neighbour of a cell.
        cells: every cell in board order.
        steps: what to add to a cell to reach its neighbour, one per direction.
        neighbours: by cell, the neighbours on the board in the order of the directions; ``()`` off the board.
        rays: by cell, six tuples: the cells met in each direction up to the rim.
        lines: by cell, three ``(ray, opposite ray)`` pairs.
        rim: the rim cells in board order.
        mask, rim_mask: the same sets as bitboards.
        near: by cell, the neighbours as a bitboard.
    """

    __slots__ = (
        "_names",
        "cells",
        "lines",
        "mask",
        "near",
        "neighbours",
        "rays",
        "rim",
        "rim_mask",
        "size",
        "span",
        "steps",
        "width",
    )

    def __init__(self, size: int) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ValueError(f"a board has {MIN_SIZE} to {MAX_SIZE} cells per side, not {size}")
        self.size = size
        self.width = 2 * size
        self.span = self.width * (2 * size + 1)
        reach = size - 1
        coordinates = [
            (q, r) for r in range(-reach, reach + 1) for q in range(max(-reach, -reach - r), min(reach, reach - r) + 1)
        ]
        self.cells = tuple(self.cell(q, r) for q, r in coordinates)
        self.steps = tuple(dq + dr * self.width for dq, dr in _AXIAL_STEPS)
        self.mask = self.bits(self.cells)
        rays: list[tuple[tuple[int, ...], ...]] = [()] * self.span
        for cell in self.cells:
            rays[cell] = tuple(tuple(self._walk(cell, step)) for step in self.steps)
        self.rays = tuple(rays)
        self.neighbours = tuple(tuple(ray[0] for ray in six if ray) for six in self.rays)
        self.lines = tuple(tuple((six[d], six[d + 3]) for d in range(3)) if six else () for six in self.rays)
        self.near = tuple(self.bits(around) for around in self.neighbours)
        self.rim = tuple(
            cell
            for cell, (q, r) in zip(self.cells, coordinates, strict=True)
            if max(abs(q), abs(r), abs(q + r)) == reach
        )
        self.rim_mask = self.bits(self.rim)
        self._names: dict[System, CellNames] = {}

    def cell(self, q: int, r: int) -> int:
        """Return the cell at axial coordinates `q`, `r`, which must lie on the board."""
        return (r + self.size) * self.width + q + self.size

    def axial(self, cell: int) -> tuple[int, int]:
        """Return the axial coordinates ``(q, r)`` of `cell`."""
        r, q = divmod(cell, self.width)
        return q - self.size, r - self.size

    def names(self, system: System = "row") -> CellNames:
        """Return the names of the cells in a coordinate system. Raises ValueError for an unknown system."""
        names = self._names.get(system)
        if names is None:
            names = CellNames(system, self.size, {cell: self.axial(cell) for cell in self.cells})
            self._names[system] = names
        return names

    @staticmethod
    def bits(cells: tuple[int, ...] | list[int] | set[int]) -> int:
        """Return the bitboard of a collection of distinct cells."""
        total = 0
        for cell in cells:
            total |= 1 << cell
        return total

    def flood(self, seed: int, within: int) -> int:
        """Return the bitboard of all cells of `within` that are connected through `within` to a cell of `seed`.

        Both arguments are bitboards; cells of `seed` outside `within` are disregarded.
        """
        up = self.width
        slant = up - 1
        filled = frontier = seed & within
        while frontier:
            spread = (
                frontier << 1 | frontier >> 1 | frontier << up | frontier >> up | frontier << slant | frontier >> slant
            )
            frontier = spread & within & ~filled
            filled |= frontier
        return filled

    def reaches(self, seed: int, goal: int, within: int) -> bool:
        """Return whether `seed`, grown through `within`, ever touches a cell of `goal`; stops as soon as it is known.

        All arguments are bitboards. A goal within `seed` itself does not count unless something next to it is reached.
        """
        up = self.width
        slant = up - 1
        filled = frontier = seed
        while frontier:
            spread = (
                frontier << 1 | frontier >> 1 | frontier << up | frontier >> up | frontier << slant | frontier >> slant
            )
            if spread & goal:
                return True
            frontier = spread & within & ~filled
            filled |= frontier
        return False

    def adjacent(self, bits: int) -> int:
        """Return the bitboard of all cells with a neighbour in `bits` (which may include cells of `bits`)."""
        up = self.width
        slant = up - 1
        return (bits << 1 | bits >> 1 | bits << up | bits >> up | bits << slant | bits >> slant) & self.mask

    def components(self, bits: int) -> list[int]:
        """Return the maximal connected sets within a bitboard, as bitboards, by first cell in board order."""
        parts = []
        while bits:
            part = self.flood(bits & -bits, bits)
            parts.append(part)
            bits ^= part
        return parts

    def _walk(self, cell: int, step: int) -> Iterator[int]:
        cell += step
        while self.mask >> cell & 1:
            yield cell
            cell += step

    def __repr__(self) -> str:
        return f"board({self.size})"


def cells_of(bits: int) -> list[int]:
    """Return the cells of a bitboard in board order."""
    cells = []
    while bits:
        low = bits & -bits
        cells.append(low.bit_length() - 1)
        bits ^= low
    return cells


@cache
def board(size: int) -> Board:
    """Return the board with `size` cells per side, built once and shared. Raises ValueError outside 3 to 14."""
    return Board(size)
