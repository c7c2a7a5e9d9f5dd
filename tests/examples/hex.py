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
from hexrec.rules.terms import COLORS, Annotation, IllegalTurn, Outcome


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
        self._stones[self._mover] |= BIT[move]
        return Outcome(COLORS[self._mover]) if self._chain(self._mover) else None

    def _moves(self) -> Iterable[int]:
        return cells_of(self.board.mask & ~self._stones[0] & ~self._stones[1])

    def _highlights(self) -> Iterable[Annotation]:
        for color in (0, 1):
            yield Annotation("chain", f"chain of {COLORS[color]}", tuple(cells_of(self._chain(color))), color)

    def _chain(self, color: int) -> int:
        """Return the stones connected with the first side of a color if they reach the second, else 0."""
        first, second = rhombus(self.board.size).sides[color]
        chain = self.board.flood(first, self._stones[color])
        return chain if chain & second else 0


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
)
