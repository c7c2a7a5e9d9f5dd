"""Catchup: messages and highlights."""

from __future__ import annotations

from collections.abc import Iterable

from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Annotation, pluralize
from tests.examples.catchup.rules import Catchup


class CatchupPosition(Position):
    """Position of Catchup with its words."""

    __slots__ = ()

    grid: Catchup

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        if code == "setup/over":
            return "in this position the game is over: the board is full"
        return f"{self.turn} may not place three stones: the enemy has not just made the largest group larger"

    def _wording(self, code: str, move: int) -> str:
        text = self.grid.write(move)
        if code == "move/same-cell":
            return f"{text} names a cell twice: place each stone on a cell of its own"
        if code != "move/too-many-stones":
            return super()._wording(code, move)
        count, limit = len(self.grid.named_cells(move)), pluralize(self.grid.limit(), "stone")
        return f"{text} has {pluralize(count, 'stone')}, but this turn may have no more than {limit}"

    def _highlights(self) -> Iterable[Annotation]:
        if self.is_over:
            for color in (0, 1):
                yield Annotation("chain", f"largest group of {COLORS[color]}", self._largest_group(color), color)

    def _largest_group(self, color: int) -> tuple[int, ...]:
        grid = self.grid
        groups: list[list[int]] = [[]]
        grid.stamp += 1
        for cell in self.board.cells:
            if grid.at[cell] == color and grid.seen[cell] != grid.stamp:
                groups.append([grid.queue[index] for index in range(grid.spread(cell, color))])  # noqa: PERF401
        largest = max(groups, key=len)
        return tuple(sorted(largest))
