"""The three coordinate systems of the record format, both ways: a cell's name to its number and back.

* ``row``: rows lettered from the bottom, cells numbered from the left end of their row: ``e5``.
* ``skew``: the number is the row from the bottom, the letter a straight line of cells across the rows: ``e5``.
* ``axial``: ``q,r`` with the centre ``0,0``; inside a turn text a cell is written ``(q,r)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, get_args

from hexrec.errors import ArgumentError

System = Literal["row", "skew", "axial"]
SYSTEMS: tuple[System, ...] = get_args(System)

_LETTERED = r"(?:[Aa][Aa]|[A-Za-z])[1-9][0-9]?"
_NUMBER = r"(?:0|-?[1-9][0-9]?)"
#: By system, a regular expression (either case, no groups) for the name of a cell inside a turn text. A name may
#: still lie off a given board.
CELL_PATTERNS: Mapping[System, str] = {
    "row": _LETTERED,
    "skew": _LETTERED,
    "axial": rf"\({_NUMBER},{_NUMBER}\)",
}


def letters(number: int) -> str:
    """Return the row letters of a 0-based number: a, b, …, z, aa."""
    return chr(ord("a") + number) if number < 26 else "a" + chr(ord("a") + number - 26)


class CellNames:
    """The names of a board's cells in one coordinate system.

    Attributes:
        system: the coordinate system.
        cells: name to cell, for every cell of the board.
        names: cell to name, as turn texts write it.
    """

    __slots__ = ("cells", "names", "system")

    def __init__(self, system: System, axial: Mapping[int, tuple[int, int]]) -> None:
        """Name the cells of a board, given in board order with their axial coordinates."""
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
        """Return the name of `cell` as it stands alone, outside a turn text: ``0,0`` rather than ``(0,0)``."""
        return self.names[cell].strip("()")

    def find(self, name: str) -> int | None:
        """Return the cell that a name standing alone means, or None. Case and blanks around it do not matter."""
        name = name.strip(" \t\r\n")
        if not name.isascii():  # some letters of other alphabets become a to z in lower case
            return None
        name = name.lower()
        if self.system == "axial" and not name.startswith("("):
            name = f"({name})"
        return self.cells.get(name)
