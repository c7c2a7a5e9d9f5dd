"""Hex: Black connects the bottom of a rhombus with its top, White its left side with its right one.

Its board is none of hexrec's own: a `Board` that says which cells it has, and which of its symmetries leave each player
the same sides. Registered with `hexrec.games.register(HEX)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from hexrec.rules.board import Board, Symmetry
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, PLAYERS, Annotation
from hexrec.util.diagnostics import Code
from tests.examples.hex.rules import Hex


class Rhombus(Board):
    """A rhombus with `size` cells along each side."""

    def __init__(self, size: int) -> None:
        super().__init__(size, ((q, r) for q in range(size) for r in range(size)))

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The identity and the half turn: reflections exchange the players' sides."""
        return super().symmetries[:2]


@cache
def rhombus(size: int) -> Rhombus:
    """Return the board of a size, built once."""
    return Rhombus(size)


class HexPosition(Position):
    """Position of Hex with its words."""

    __slots__ = ()

    grid: Hex

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        winner = PLAYERS[self.grid.has_chain(1)]
        return f"in this position the game is over: {winner} has a chain"

    def _highlights(self) -> Iterable[Annotation]:
        for color in (0, 1):
            chain = self.grid.chain(color)
            cells = tuple(cell for cell in self.board.cells if chain[cell])
            yield Annotation("chain", f"chain of {COLORS[color]}", cells, color)


HEX = Game(
    name="hex",
    title="Hex",
    rulesets=("1942",),
    sizes=range(3, 20),
    recommended=(11,),
    opening=(),
    turn="{cell}",
    turn_help="the cell to place a stone on, such as e5",
    example="e5",
    score=None,
    rules=Hex,
    position=HexPosition,
    board=rhombus,
    refusals={
        "setup/over": Code(
            meaning="In the position that a setup describes, the sides of a player are connected.",
            rule="A game goes on from a setup.",
            fix="Set up an earlier position of the game.",
            example='{hexrec: "1", game: hex, size: 3, setup: "b2/b2/b2 w 0", moves: []}',
        )
    },
)
