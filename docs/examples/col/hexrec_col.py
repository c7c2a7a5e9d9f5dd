"""Col: place a stone next to none of your own; whoever cannot loses.

Colin Vout's map-coloring game, from Conway's *On Numbers and Games* (1976), on a hexagonal board.
"""

from __future__ import annotations

from collections.abc import Iterable

from hexrec.rules.board import BIT, cells_of
from hexrec.rules.description import Brief
from hexrec.rules.game import Game
from hexrec.rules.position import CellPosition
from hexrec.rules.terms import COLORS, Annotation, IllegalTurn, Outcome, SetupFault
from hexrec.util.diagnostics import Code


class ColPosition(CellPosition):
    """A move is a cell, which `CellPosition` reads and writes."""

    __slots__ = ()

    _passing = None  # nobody may pass

    def _refusal(self, move: int) -> IllegalTurn | None:
        if BIT[move] & (self._stones[0] | self._stones[1]):
            return self._occupied_error(move)
        own = self.board.neighbor_masks[move] & self._stones[self._side]
        if own:
            return IllegalTurn(
                "move/next-to-own",
                lambda: f"{self.names.names[move]} is next to your own stones on {self._list(cells_of(own))}",
            )
        return None

    def _execute(self, move: int) -> Outcome | None:
        self._stones[self._side] |= BIT[move]
        return None if self._free(1 - self._side) else Outcome(COLORS[self._side])

    def _moves(self) -> Iterable[int]:
        return cells_of(self._free(self._side))

    def _setup_fault(self) -> SetupFault | None:
        if self._free(self._side):
            return None
        return SetupFault("setup/over", f"in this position the game is over: {self.turn} can place nowhere")

    def _highlights(self) -> Iterable[Annotation]:
        for color in (0, 1):
            cells = tuple(cells_of(self._free(color)))
            yield Annotation("area", f"cells on which {COLORS[color]} may place", cells, color)

    def _free(self, color: int) -> int:
        """Return the cells on which a color may place, as a bitboard."""
        stones = self._stones[color]
        return self.board.mask & ~stones & ~self._stones[1 - color] & ~self.board.adjacent(stones)


COL = Game(
    name="col",
    title="Col",
    designers=("Colin Vout",),
    year=1976,
    rulesets=("1976",),
    sizes=range(3, 9),
    recommended=(5, 4),
    opening=(),
    turn="{cell}",
    turn_help="the cell to place a stone on, such as b2",
    example="b2",
    score=None,
    position=ColPosition,
    brief=Brief(
        goal="Be the last who can place a stone.",
        turn="Place a stone on an empty cell that is next to no stone of yours.",
        end="Whoever cannot place has lost.",
    ),
    refusals={
        "move/next-to-own": Code(
            meaning="A stone was placed next to a stone of the same color.",
            rule="No two stones of one color are neighbors.",
            fix="Name an empty cell without a neighbor of your own color.",
            example='{hexrec: "1", game: col, size: 3, moves: [c3, a1, c4]}',
        ),
        "setup/over": Code(
            meaning="In the position that a setup describes, the player to move can place nowhere, and so has lost.",
            rule="A game goes on from a setup: the player to move has a turn there.",
            fix="Set up an earlier position of the game.",
            example='{hexrec: "1", game: col, size: 3, setup: "w2/2b1/1b2w/4/w1b b 0", moves: []}',
        ),
    },
)
