"""The stones on cells, and what a picture points out: the words that engines and pictures share."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Stone(NamedTuple):
    """The stone or stack on a cell: a colour (0 black, 1 white) and a height (1 in the games without stacks)."""

    colour: int
    height: int


#: How cells that are pointed out are drawn. What a turn did: `placed` (put there by this turn), `changed` (it
#: has another colour or height), `cut` (placed where a cut ends), `removed` (what was there is gone), `path` (cells
#: passed, in order). In a position: `area` (cells that belong to a colour), `dead` (it does not count), `chain` (it
#: counts because it is joined), `body` (one of several that are told apart by their shades), `end` (an end of
#: something), `secure` (nothing can take it), `forbidden` (nothing may be placed there).
Role = Literal[
    "placed", "changed", "cut", "removed", "path", "area", "dead", "chain", "body", "end", "secure", "forbidden"
]


class Annotation(NamedTuple):
    """Cells that a picture points out.

    Attributes:
        role: how they are drawn.
        name: why they are pointed out, in the game's own words.
        cells: the cells.
        colour: whose they are (0 black, 1 white), where that matters.
        label: a short text to be written on the first of them.
        shade: which of several bodies they are, from 0.
    """

    role: Role
    name: str
    cells: tuple[int, ...]
    colour: int | None = None
    label: str = ""
    shade: int = 0
