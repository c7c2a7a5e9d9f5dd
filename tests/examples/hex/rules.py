"""Rules of Hex: Black connects the bottom of a rhombus with its top, White its left side with its right one.

A turn is a cell.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64
from hexrec.rules.grid import EMPTY, FIRST_CODE, LEGAL, OCCUPIED, OFF, CellGrid, zeros

SETUP_OVER: Final = FIRST_CODE


class Hex(CellGrid):
    """Position of Hex."""

    @staticmethod
    def codes() -> list[str]:
        return ["setup/over"]

    def take_turn(self, move: i64) -> i64:
        if self.at[move] != EMPTY:
            return OCCUPIED
        self.at[move] = self.side
        if self.has_chain(self.side):
            self.winner = self.side
        return LEGAL

    def open_cells(self) -> Cells:
        marked = zeros(self.span)
        for cell in self.cells:
            if self.at[cell] == EMPTY:
                marked[cell] = 1
        return marked

    def fault(self) -> i64:
        return SETUP_OVER if self.has_chain(0) or self.has_chain(1) else LEGAL

    def has_chain(self, color: i64) -> bool:
        """Return whether stones of a color connect its two sides."""
        chain = self.chain(color)
        for cell in self.cells:
            if chain[cell] != 0:
                return True
        return False

    def chain(self, color: i64) -> Cells:
        """Return, by cell, 1 for the stones that connect the two sides of a color."""
        found = zeros(self.span)
        self.stamp += 1
        index: i64
        for start in self.cells:
            if self.at[start] == color and self.seen[start] != self.stamp:
                count = self.spread(start, color)
                touches_first = False
                touches_second = False
                for index in range(count):
                    if self.is_on_side(self.queue[index], 4 - color):
                        touches_first = True
                    if self.is_on_side(self.queue[index], 1 - color):
                        touches_second = True
                if touches_first and touches_second:
                    for index in range(count):
                        found[self.queue[index]] = 1
        return found

    def is_on_side(self, cell: i64, direction: i64) -> bool:
        """Return whether a cell is on the side of the rhombus in a direction."""
        return self.at[cell + self.steps[direction]] == OFF
