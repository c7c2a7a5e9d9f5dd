"""Havannah: place a stone; a ring, a bridge between two corners or a fork of three sides wins.

It is played on the hexagon that hexrec's own games are played on. Registered with `hexrec.games.register(HAVANNAH)`.
"""

from __future__ import annotations

from collections.abc import Iterable

from hexrec.rules.board import BIT, cells_of
from hexrec.rules.game import Game
from hexrec.rules.position import CellPosition
from hexrec.rules.terms import COLORS, Annotation, IllegalTurn, Outcome, SetupFault
from hexrec.util.diagnostics import Code


class HavannahPosition(CellPosition):
    """A move is a cell."""

    __slots__ = ()

    _passing = None

    def _refusal(self, move: int) -> IllegalTurn | None:
        return self._occupied_error(move) if not BIT[move] & self._empty() else None

    def _execute(self, move: int) -> Outcome | None:
        self._stones[self._side] |= BIT[move]
        if self._structure(self._side, move):
            return Outcome(COLORS[self._side])
        return None if self._empty() else Outcome("draw")

    def _moves(self) -> Iterable[int]:
        return cells_of(self._empty())

    def _setup_fault(self) -> SetupFault | None:
        if any(True for _ in self._highlights()) or not self._empty():
            return SetupFault("setup/over", "in this position the game is over: a player has won, or the board is full")
        return None

    def _highlights(self) -> Iterable[Annotation]:
        for color in (0, 1):
            for group in self.board.components(self._stones[color]):
                if name := self._structure(color, cells_of(group)[0]):
                    yield Annotation("chain", name, tuple(cells_of(group)), color)

    def _empty(self) -> int:
        return self.board.mask & ~self._stones[0] & ~self._stones[1]

    def _structure(self, color: int, cell: int) -> str:
        """Return what the group of a stone has formed: a bridge, a fork, a ring or nothing."""
        board = self.board
        group = board.flood(BIT[cell], self._stones[color])
        corners = board.bits(board.corners)
        if (group & corners).bit_count() >= 2:
            return "bridge"
        if sum(bool(group & side) for side in board.components(board.edge_mask & ~corners)) >= 3:
            return "fork"
        outside = board.flood(board.edge_mask, board.mask & ~group)
        enclosed = board.mask & ~group & ~outside
        filled = any(board.neighbor_masks[stone] & ~group == 0 for stone in cells_of(group & ~board.edge_mask))
        return "ring" if enclosed or filled else ""


HAVANNAH = Game(
    name="havannah",
    title="Havannah",
    rulesets=("1979",),
    sizes=range(4, 11),
    recommended=(8, 10),
    opening=(),
    turn="{cell}",
    turn_help="the cell to place a stone on, such as e5",
    example="e5",
    score=None,
    position=HavannahPosition,
    refusals={
        "setup/over": Code(
            meaning="In the position that a setup describes, a player has won, or the board is full.",
            rule="A game goes on from a setup.",
            fix="Set up an earlier position of the game.",
            example='{hexrec: "1", game: havannah, size: 4, setup: "4/5/6/7/6/5/bbbb w 0", moves: []}',
        )
    },
)
