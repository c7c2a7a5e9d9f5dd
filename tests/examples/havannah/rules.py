"""Rules of Havannah: a ring, a bridge between two corners or a fork of three sides wins.

A turn is a cell.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64
from hexrec.rules.grid import DRAW, EMPTY, FIRST_CODE, LEGAL, NONE, OCCUPIED, OFF, CellGrid, zeros

SETUP_OVER: Final = FIRST_CODE
#: The winning structures.
BRIDGE: Final = 1
FORK: Final = 2
RING: Final = 3


class Havannah(CellGrid):
    """Position of Havannah."""

    @staticmethod
    def codes() -> list[str]:
        return ["setup/over"]

    def take_turn(self, move: i64) -> i64:
        if self.at[move] != EMPTY:
            return OCCUPIED
        self.at[move] = self.side
        if self.structure(move) != NONE:
            self.winner = self.side
        elif self.is_full():
            self.winner = DRAW
        return LEGAL

    def open_cells(self) -> Cells:
        marked = zeros(self.span)
        for cell in self.cells:
            if self.at[cell] == EMPTY:
                marked[cell] = 1
        return marked

    def fault(self) -> i64:
        if self.is_full():
            return SETUP_OVER
        for cell in self.cells:
            if self.at[cell] != EMPTY and self.structure(cell) != NONE:
                return SETUP_OVER
        return LEGAL

    def is_full(self) -> bool:
        """Return whether no cell is empty."""
        for cell in self.cells:
            if self.at[cell] == EMPTY:
                return False
        return True

    def structure(self, stone: i64) -> i64:
        """Return the structure that the group of a stone has formed, or NONE."""
        self.stamp += 1
        count = self.spread(stone, self.at[stone])
        member = zeros(self.span)
        sides = zeros(6)
        corners: i64 = 0
        filled = False
        index: i64
        direction: i64
        for index in range(count):
            member[self.queue[index]] = 1
        for index in range(count):
            cell = self.queue[index]
            beyond: i64 = 0
            friends: i64 = 0
            side: i64 = 0
            for direction in range(6):
                other = cell + self.steps[direction]
                if self.at[other] == OFF:
                    beyond += 1
                    # A cell of a side has no neighbors in two directions, of which this is the first counterclockwise.
                    if self.at[cell + self.steps[(direction + 1) % 6]] == OFF:
                        side = direction
                elif member[other] != 0:
                    friends += 1
            if beyond == 3:
                corners += 1
            elif beyond == 2:
                sides[side] = 1
            elif friends == 6:
                filled = True
        if corners >= 2:
            return BRIDGE
        if sides[0] + sides[1] + sides[2] + sides[3] + sides[4] + sides[5] >= 3:
            return FORK
        return RING if filled or self.encloses(member) else NONE

    def encloses(self, member: Cells) -> bool:
        """Return whether a group, whose cells are marked, cuts a cell off from the edge."""
        reached = zeros(self.span)
        queue = self.queue
        last: i64 = 0
        others: i64 = 0
        for cell in self.cells:
            if member[cell] == 0:
                others += 1
                if self.tables.edge[cell] != 0:
                    reached[cell] = 1
                    queue[last] = cell
                    last += 1
        first: i64 = 0
        while first < last:
            place = queue[first]
            first += 1
            for step in self.steps:
                other = place + step
                if self.at[other] != OFF and member[other] == 0 and reached[other] == 0:
                    reached[other] = 1
                    queue[last] = other
                    last += 1
        return last < others
