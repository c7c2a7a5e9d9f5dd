"""Boards on the hexagonal grid: cells as small integers, tables of neighbors and rays, cell names, symmetries.

The integer of a cell is its index in a padded rectangle, row by row, ``width`` cells a row. So a neighbor is the cell
plus a constant (`Board.steps`), and a list of `Board.span` entries has an entry for every cell and its off-board
neighbors. Integers ascend in board order, so sorting cells sorts them in the order of the rules.

Rules, names, symmetries and pictures use only the class `Board`. A subclass passes the axial coordinates of its
cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import groupby
from math import atan2
from typing import Literal, get_args

from hexrec.errors import ArgumentError
from hexrec.rules.grid import CELL, Tables

#: The six directions in the order of `Board.steps` and `Board.rays`; direction ``(d + 3) % 6`` is opposite to ``d``.
DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
_AXIAL_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))

#: The greatest `Board.span`: a cell is a part of a move.
MAX_SPAN = CELL + 1

Axial = tuple[int, int]
#: A map from every cell to its image.
Symmetry = dict[int, int]


class Board:
    """Immutable tables of a board of one size.

    Attributes:
        size: the number of cells along one side.
        width: the difference between cells of adjacent rows.
        span: the length of a list that is indexed by cells and their neighbors.
        cells: every cell in board order: row by row from the bottom, left to right.
        steps: by direction, the difference between a neighbor and its cell.
    """

    def __init__(self, size: int, coordinates: Iterable[Axial]) -> None:
        """Build a board of `size` with cells at axial coordinates. Raises ArgumentError if it is too large."""
        self.size = size
        ordered = sorted(coordinates, key=lambda axial: axial[::-1])
        columns, rows = [q for q, _ in ordered], [r for _, r in ordered]
        self._corner = min(columns) - 1, min(rows) - 1
        self.width = max(columns) - min(columns) + 2
        self.span = self.width * (max(rows) - min(rows) + 3)
        if self.span > MAX_SPAN:
            raise ArgumentError(f"a board of size {size} is too large: it takes {self.span} places of {MAX_SPAN}")
        self.cells = tuple(self.cell(q, r) for q, r in ordered)
        self.steps = tuple(dq + dr * self.width for dq, dr in _AXIAL_STEPS)
        self._names: dict[System, CellNames] = {}
        self._tables: dict[System, Tables] = {}
        self._symmetries: tuple[Symmetry, ...] = ()

    # Made on demand: a replay needs none of them.

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """By cell, six tuples of cells: those in each direction up to the edge."""
        known = {*self.cells}
        rays: list[tuple[tuple[int, ...], ...]] = [()] * self.span
        for cell in self.cells:
            rays[cell] = tuple(tuple(_walk(cell, step, known)) for step in self.steps)
        return tuple(rays)

    @cached_property
    def neighbors(self) -> tuple[tuple[int, ...], ...]:
        """By cell, the neighbors on the board in the order of the directions; ``()`` off the board."""
        return tuple(tuple(ray[0] for ray in six if ray) for six in self.rays)

    @cached_property
    def lines(self) -> tuple[tuple[tuple[tuple[int, ...], tuple[int, ...]], ...], ...]:
        """By cell, three ``(ray, opposite ray)`` pairs."""
        return tuple(tuple((six[d], six[d + 3]) for d in range(3)) if six else () for six in self.rays)

    @cached_property
    def edge(self) -> tuple[int, ...]:
        """The edge cells (those with fewer than six neighbors) in board order."""
        return tuple(cell for cell in self.cells if len(self.neighbors[cell]) < len(DIRECTIONS))

    def parts(self, cells: Iterable[int]) -> list[tuple[int, ...]]:
        """Return the connected parts of a set of cells, by first cell, each in board order."""
        left = {*cells}
        parts = []
        for first in sorted(left):
            if first in left:
                part = [first]
                left.remove(first)
                for cell in part:  # grows during the loop
                    found = left.intersection(self.neighbors[cell])
                    left -= found
                    part += found
                parts.append(tuple(sorted(part)))
        return parts

    # Coordinates.

    def cell(self, q: int, r: int) -> int:
        """Return the cell at axial coordinates `q`, `r`, which must be on the board."""
        left, below = self._corner
        return (r - below) * self.width + q - left

    def axial(self, cell: int) -> Axial:
        """Return the axial coordinates ``(q, r)`` of `cell`."""
        r, q = divmod(cell, self.width)
        left, below = self._corner
        return q + left, r + below

    def names(self, system: System = "row") -> CellNames:
        """Return the cell names in a coordinate system. Raises ArgumentError for an unknown system."""
        if system not in self._names:
            self._names[system] = CellNames(system, {cell: self.axial(cell) for cell in self.cells})
        return self._names[system]

    def tables(self, system: System = "row") -> Tables:
        """Return the tables of the board for grids, with the cell names of a coordinate system."""
        if system not in self._tables:
            names = [self.names(system).names[cell] for cell in self.cells]
            self._tables[system] = Tables(self.span, list(self.cells), list(self.steps), names)
        return self._tables[system]

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The rows from the top, as cells from the left."""
        rows = [tuple(row) for _, row in groupby(self.cells, lambda cell: self.position(cell)[1])]
        return tuple(rows[::-1])

    # Symmetries and geometry.

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The rotations and reflections of the board, as maps from cell to image; the first is the identity.

        Games that are images of each other count as equal. So a board whose sides belong to players has fewer
        symmetries than its shape.
        """
        if not self._symmetries:
            self._symmetries = tuple(self._find_symmetries())
        return self._symmetries

    def _find_symmetries(self) -> Iterator[Symmetry]:
        """Yield the rotations about the middle of the board, then the reflections, that map the board onto itself."""
        axial = [self.axial(cell) for cell in self.cells]
        # Coordinates are doubled because the middle may be between cells.
        middle_q, middle_r = (min(values) + max(values) for values in zip(*axial, strict=True))
        at = {(2 * q - middle_q, 2 * r - middle_r): cell for cell, (q, r) in zip(self.cells, axial, strict=True)}
        for reflected in (False, True):
            places = {cell: (r, q) if reflected else (q, r) for (q, r), cell in at.items()}
            for _ in range(6):
                if at.keys() == {*places.values()}:
                    yield {cell: at[place] for cell, place in places.items()}
                places = {cell: (-r, q + r) for cell, (q, r) in places.items()}

    def position(self, cell: int) -> tuple[float, int]:
        """Return x and y of a cell in pictures: x in cells to the right, y in rows up."""
        q, r = self.axial(cell)
        return q + r / 2, r

    @property
    def corners(self) -> list[int]:
        """The corner cells (edge cells with at most three neighbors), counterclockwise from the west."""
        places = [self.position(cell) for cell in self.cells]
        middle_x, middle_y = ((min(values) + max(values)) / 2 for values in zip(*places, strict=True))

        def angle(cell: int) -> float:
            x, y = self.position(cell)
            return atan2(y - middle_y or -0.0, x - middle_x)  # -0.0 sorts due west first instead of last

        return sorted((cell for cell in self.edge if len(self.neighbors[cell]) <= 3), key=angle)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.size})"


def _walk(cell: int, step: int, known: Container[int]) -> Iterator[int]:
    """Yield the known cells in one direction from a cell, up to the first place that is none."""
    cell += step
    while cell in known:
        yield cell
        cell += step


MIN_SIZE = 3
MAX_SIZE = 14


class Hexagon(Board):
    """Hexagonal board with `size` cells along each side. Use `hexagon`, which caches the boards."""

    def __init__(self, size: int) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise ArgumentError(f"a board has {MIN_SIZE} to {MAX_SIZE} cells per side, not {size}")
        reach = range(1 - size, size)
        super().__init__(size, ((q, r) for q in reach for r in reach if abs(q + r) < size))


@cache
def hexagon(size: int) -> Hexagon:
    """Return the cached hexagonal board with `size` cells per side. Raises ArgumentError for sizes outside 3 to 14."""
    return Hexagon(size)


System = Literal["row", "skew", "axial"]
SYSTEMS: tuple[System, ...] = get_args(System)

_LETTERED = r"(?:[Aa][Aa]|[A-Za-z])[1-9][0-9]?"
_NUMBER = r"(?:0|-?[1-9][0-9]?)"
#: By system, a regular expression (either case, no groups) for the name of a cell in a turn. The cell may be off a
#: given board.
CELL_PATTERNS: Mapping[System, str] = {
    "row": _LETTERED,
    "skew": _LETTERED,
    "axial": rf"\({_NUMBER},{_NUMBER}\)",
}


@cache
def cell_expression(system: System) -> re.Pattern[str]:
    """Return the compiled pattern of the name of a cell in a turn."""
    return re.compile(CELL_PATTERNS[system])


def letters(number: int) -> str:
    """Return the letters of a 0-based row index: a, b, …, z, aa."""
    return chr(ord("a") + number) if number < 26 else "a" + chr(ord("a") + number - 26)


#: Whitespace around turns and names of cells.
BLANKS = " \t\r\n"


def trim(text: str) -> str:
    """Return a turn or cell name in lower case, without surrounding whitespace."""
    text = text.strip(BLANKS)
    return text.lower() if text.isascii() else text  # some non-ASCII letters become a to z in lower case


class CellNames:
    """Names of the cells of a board in one coordinate system.

    Attributes:
        system: the coordinate system.
        cells: the cells by name.
        names: the names by cell, as in turns.
    """

    __slots__ = ("cells", "names", "system")

    def __init__(self, system: System, axial: Mapping[int, tuple[int, int]]) -> None:
        """Name the cells of a board; `axial` has their axial coordinates in board order."""
        if system not in SYSTEMS:
            raise ArgumentError(f"unknown coordinate system {system!r}; known: {', '.join(SYSTEMS)}")
        self.system = system
        self.names: dict[int, str] = {}
        bottom = min(r for _, r in axial.values())
        first_line = min(q + r for q, r in axial.values())
        in_row: Counter[int] = Counter()
        for cell, (q, r) in axial.items():
            in_row[r] += 1
            if system == "axial":
                name = f"({q},{r})"
            elif system == "skew":
                name = f"{letters(q + r - first_line)}{r - bottom + 1}"
            else:
                name = f"{letters(r - bottom)}{in_row[r]}"
            self.names[cell] = name
        self.cells = {name: cell for cell, name in self.names.items()}

    def single(self, cell: int) -> str:
        """Return the name of `cell` outside of a turn: ``0,0`` instead of ``(0,0)``."""
        return self.names[cell].strip("()")

    def find(self, name: str) -> int | None:
        """Return the cell with a name, or None. Ignore case and surrounding whitespace."""
        name = trim(name)
        if self.system == "axial" and not name.startswith("("):
            name = f"({name})"
        return self.cells.get(name)

    def cells_in(self, turn: str) -> list[int]:
        """Return the cells that a canonical turn names, in order."""
        return [self.cells[name] for name in cell_expression(self.system).findall(turn)]

    def rename(self, text: str, names: Mapping[str, str]) -> str:
        """Return a string with other names for some of the cells that it names."""
        return cell_expression(self.system).sub(lambda name: names.get(name[0], name[0]), text)

    def translate(self, text: str, others: CellNames) -> str:
        """Return a trimmed string with the names of cells replaced by those in another coordinate system."""

        def rename(name: re.Match[str]) -> str:
            cell = self.cells.get(name[0])
            return name[0] if cell is None else others.names[cell]

        return cell_expression(self.system).sub(rename, trim(text))
