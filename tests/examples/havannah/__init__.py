"""Havannah: place a stone; a ring, a bridge between two corners or a fork of three sides wins.

It is played on the hexagon that hexrec's own games are played on. Registered with `hexrec.games.register(HAVANNAH)`.
"""

from __future__ import annotations

from collections.abc import Iterable

from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import Annotation
from hexrec.util.diagnostics import Code
from tests.examples.havannah.rules import Havannah

#: The names of the winning structures, by number.
STRUCTURES = ("", "bridge", "fork", "ring")


class HavannahPosition(Position):
    """Position of Havannah with its words."""

    __slots__ = ()

    grid: Havannah

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        return "in this position the game is over: a player has won, or the board is full"

    def _highlights(self) -> Iterable[Annotation]:
        grid, seen = self.grid, set[int]()
        for color in (0, 1):
            for cell in self.board.cells:
                if grid.at[cell] == color and cell not in seen:
                    grid.stamp += 1
                    group = sorted(grid.queue[index] for index in range(grid.spread(cell, color)))
                    seen.update(group)
                    if name := STRUCTURES[grid.structure(cell)]:
                        yield Annotation("chain", name, tuple(group), color)


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
    rules=Havannah,
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
