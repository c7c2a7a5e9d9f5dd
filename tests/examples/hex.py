"""Hex: Black connects the bottom of a rhombus with its top, White its left side with its right one.

Its board is none of hexrec's own: a `Board` that says which cells it has, and which of its symmetries leave each player
the same sides. Registered with `hexrec.games.register(HEX)`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from hexrec.rules.board import BIT, Board, Symmetry, cells_of
from hexrec.rules.game import Game
from hexrec.rules.position import CellPosition
from hexrec.rules.terms import COLORS, PLAYERS, Annotation, IllegalTurn, Outcome, SetupFault
from hexrec.util.diagnostics import Code


class Rhombus(Board):
    """A rhombus with `size` cells along each side."""

    __slots__ = ("sides",)

    def __init__(self, size: int) -> None:
        super().__init__(size, ((q, r) for q in range(size) for r in range(size)))
        along = range(size)
        #: By color, the two sides that it connects, as bitboards.
        self.sides = (
            (self.bits([self.cell(k, 0) for k in along]), self.bits([self.cell(k, size - 1) for k in along])),
            (self.bits([self.cell(0, k) for k in along]), self.bits([self.cell(size - 1, k) for k in along])),
        )

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The identity and the half turn: reflections exchange the players' sides."""
        return super().symmetries[:2]


@cache
def rhombus(size: int) -> Rhombus:
    """Return the board of a size, built once."""
    return Rhombus(size)


class HexPosition(CellPosition):
    """A move is a cell."""

    __slots__ = ()

    _passing = None

    def _refusal(self, move: int) -> IllegalTurn | None:
        return self._occupied_error(move) if (self._stones[0] | self._stones[1]) & BIT[move] else None

    def _execute(self, move: int) -> Outcome | None:
        self._stones[self._side] |= BIT[move]
        return Outcome(COLORS[self._side]) if self._chain(self._side) else None

    def _moves(self) -> Iterable[int]:
        return cells_of(self.board.mask & ~self._stones[0] & ~self._stones[1])

    def _setup_fault(self) -> SetupFault | None:
        for color in (0, 1):
            if self._chain(color):
                return SetupFault("setup/over", f"in this position the game is over: {PLAYERS[color]} has a chain")
        return None

    def _highlights(self) -> Iterable[Annotation]:
        for color in (0, 1):
            yield Annotation("chain", f"chain of {COLORS[color]}", tuple(cells_of(self._chain(color))), color)

    def _chain(self, color: int) -> int:
        """Return the stones that connect the two sides of a color, 0 if none do."""
        first, second = rhombus(self.board.size).sides[color]
        return self.board.flood(second, self.board.flood(first, self._stones[color]))


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
