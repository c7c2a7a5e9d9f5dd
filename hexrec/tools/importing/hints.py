"""Hints: facts that the user gives for texts that do not state them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hexrec.errors import ArgumentError
from hexrec.rules.board import SYSTEMS, System
from hexrec.rules.terms import COLORS
from hexrec.tools.importing.openings import opening_stones
from hexrec.tools.importing.spelling import plain


class Hints(NamedTuple):
    """Facts that the user gives for texts that do not state them.

    Attributes:
        game, size, variant, coordinates: as in records.
        opening: the cells of the opening stones by color, in the notation of the text.
    """

    game: str | None = None
    size: int | None = None
    opening: Mapping[str, str] | None = None
    variant: str | None = None
    coordinates: System | None = None

    def check(self) -> None:
        """Raise ArgumentError for values that no text can have."""
        if self.coordinates is not None and self.coordinates not in SYSTEMS:
            raise ArgumentError(f"unknown coordinate system {self.coordinates!r}; known: {', '.join(SYSTEMS)}")
        for color, cell in (self.opening or {}).items():
            if color not in COLORS or not opening_stones(plain(cell)):
                raise ArgumentError(f"{color}: {cell!r} is no opening stone: give cells by color")


NO_HINTS = Hints()


def parse_opening(text: str) -> dict[str, str]:
    """Return the cells of a text such as ``black=e3,white=a4`` by color. Raises ArgumentError."""
    stones: dict[str, str] = {}
    for part in text.split(","):
        color, _, cell = (side.strip().lower() for side in part.partition("="))
        if color not in COLORS or color in stones or not opening_stones(cell):
            raise ArgumentError(f"{text!r} is no opening: name cells by color, as in black=e3,white=a4")
        stones[color] = cell
    return stones
