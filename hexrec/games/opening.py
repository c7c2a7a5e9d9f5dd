"""The stones that are set before a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hexrec.board.board import Board
from hexrec.board.coordinates import CellNames
from hexrec.errors import ArgumentError
from hexrec.escaping import shorten
from hexrec.games.annotation import Stone
from hexrec.games.outcome import COLOURS, Colour
from hexrec.games.refusal import IllegalOpening
from hexrec.games.turn_text import system_note


def opening_stones(
    title: str, piece: str, colours: Sequence[Colour], opening: Mapping[str, str], board: Board, names: CellNames
) -> dict[int, Stone]:
    """Return the opening stones of a game by cell, given the names of their cells by colour.

    `colours` are those that have a stone, `title` and `piece` what the game and its stones are called. Raises
    ValueError for other colours, IllegalOpening for a stone off the board or two stones on one cell.
    """
    if set(opening) != set(colours):
        wanted = " and one ".join(colours)
        raise ArgumentError(f"{title} starts with one {wanted} {piece}" if wanted else f"{title} has no opening")
    stones: dict[int, Stone] = {}
    for colour in colours:
        cell = names.find(opening[colour])
        if cell is None:
            raise IllegalOpening(
                "opening/off-board",
                f"the {colour} opening {piece} is set on {shorten(opening[colour])}, which is not a cell of a "
                f"board of size {board.size}{system_note(names.system)}",
                colour,
            )
        if cell in stones:
            raise IllegalOpening(
                "opening/same-cell",
                f"both opening {piece}s are set on {names.single(cell)}: they must be on two different cells",
                colour,
            )
        stones[cell] = Stone(COLOURS.index(colour), 1)
    return stones
