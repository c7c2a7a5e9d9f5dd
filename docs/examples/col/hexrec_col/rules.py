"""Rules of Col: place a stone next to none of your own; whoever cannot loses.

A turn is a cell.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64, mypyc_attr
from hexrec.rules.grid import EMPTY, FIRST_CODE, LEGAL, OCCUPIED, CellGrid, zeros

NEXT_TO_OWN: Final = FIRST_CODE
SETUP_OVER: Final = FIRST_CODE + 1


@mypyc_attr(native_class=False)  # to be compiled apart from hexrec
class Col(CellGrid):
    """Position of Col."""

    @staticmethod
    def codes() -> list[str]:
        """Return the names of the game's own codes, in the order of their numbers."""
        return ["move/next-to-own", "setup/over"]

    def take_turn(self, move: i64) -> i64:
        """Place a stone, or return the code of the rule that this breaks."""
        if self.at[move] != EMPTY:
            return OCCUPIED
        if self.free(self.side)[move] == 0:
            return NEXT_TO_OWN
        self.at[move] = self.side
        if not self.can_place(1 - self.side):
            self.winner = self.side
        return LEGAL

    def open_cells(self) -> Cells:
        """Return, by cell, 1 if it is a legal turn."""
        return self.free(self.side)

    def fault(self) -> i64:
        """Return the code for a setup in which the player to move cannot place."""
        return LEGAL if self.can_place(self.side) else SETUP_OVER

    def can_place(self, color: i64) -> bool:
        """Return whether a color can place a stone anywhere."""
        free = self.free(color)
        for cell in self.cells:
            if free[cell] != 0:
                return True
        return False

    def free(self, color: i64) -> Cells:
        """Return, by cell, 1 if a color may place there."""
        at, steps = self.at, self.steps
        free = zeros(self.span)
        for cell in self.cells:
            if at[cell] == EMPTY:
                free[cell] = 1
                for step in steps:
                    if at[cell + step] == color:
                        free[cell] = 0
        return free
