"""Rules of Catchup: fill the board with up to three stones a turn; the player with the largest group wins.

A turn has one to three cells, in board order; NONE stands for missing ones.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64
from hexrec.rules.grid import (
    BLACK,
    CELL,
    CELL_BITS,
    EMPTY,
    FIRST_CODE,
    LEGAL,
    NONE,
    OCCUPIED,
    UNREAD,
    WHITE,
    Grid,
    Tables,
    larger,
    pack,
    sort_descending,
    zeros,
)

SETUP_OVER: Final = FIRST_CODE
SETUP_NO_BONUS: Final = FIRST_CODE + 1
SAME_CELL: Final = FIRST_CODE + 2
TOO_MANY_STONES: Final = FIRST_CODE + 3


class Catchup(Grid):
    """Position of Catchup.

    Attributes:
        bonus: 1 in its only entry if the last turn has made the largest group larger.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        super().__init__(tables, variant)
        self.bonus = zeros(1)
        self.has_synonyms = True

    @staticmethod
    def codes() -> list[str]:
        return ["setup/over", "setup/no-bonus", "move/same-cell", "move/too-many-stones"]

    # Turns.

    def take_turn(self, move: i64) -> i64:
        cells = self.named_cells(self.canonical(move))
        index: i64
        for cell in cells:
            if self.at[cell] != EMPTY:
                return OCCUPIED
        for index in range(1, len(cells)):
            if cells[index] == cells[index - 1]:
                return SAME_CELL
        if len(cells) > self.limit():
            return TOO_MANY_STONES
        is_first = self.count(EMPTY) == len(self.cells)
        before = self.largest()
        for cell in cells:
            self.at[cell] = self.side
        self.bonus[0] = 1 if not is_first and self.largest() > before else 0
        if self.count(EMPTY) == 0:
            # The number of cells is odd, so the two lists differ.
            self.winner = larger(self.ranking(BLACK), self.ranking(WHITE))
        return LEGAL

    def limit(self) -> i64:
        """Return the most stones that the turn may have."""
        if self.count(EMPTY) == len(self.cells):
            return 1
        return 3 if self.bonus[0] != 0 else 2

    def moves(self) -> list[int]:
        limit = self.limit()
        order = self.tables.order
        found: list[int] = []
        for first in order:
            if self.at[first] == EMPTY:
                found.append(pack(first, NONE, NONE))
                for second in order:
                    if limit > 1 and second > first and self.at[second] == EMPTY:
                        found.append(pack(first, second, NONE))
                        for third in order:
                            if limit > 2 and third > second and self.at[third] == EMPTY:
                                found.append(pack(first, second, third))
        return found

    def canonical(self, move: i64) -> i64:
        cells = self.named_cells(move)
        cells.sort()
        sorted_move: i64 = 0
        shift: i64 = 0
        for cell in cells:
            sorted_move |= cell << shift
            shift += CELL_BITS
        return sorted_move

    # The score.

    def ranking(self, color: i64) -> list[int]:
        sizes: list[int] = []
        self.stamp += 1
        for cell in self.cells:
            if self.at[cell] == color and self.seen[cell] != self.stamp:
                sizes.append(self.spread(cell, color))
        sort_descending(sizes)
        return sizes

    def largest(self) -> i64:
        """Return the size of the largest group, 0 on an empty board."""
        return max(self.largest_of(BLACK), self.largest_of(WHITE))

    def largest_of(self, color: i64) -> i64:
        """Return the size of the largest group of a color, 0 without one."""
        sizes = self.ranking(color)
        return sizes[0] if len(sizes) > 0 else 0

    def count(self, content: i64) -> i64:
        """Return the number of cells with a content."""
        number: i64 = 0
        for cell in self.cells:
            if self.at[cell] == content:
                number += 1
        return number

    # Setups and the state.

    def fault(self) -> i64:
        if self.count(EMPTY) == 0:
            return SETUP_OVER
        if self.bonus[0] != 0 and self.largest_of(1 - self.side) <= self.largest_of(self.side):
            return SETUP_NO_BONUS
        return LEGAL

    def fields(self) -> list[int]:
        return [self.bonus[0]]

    def set_fields(self, fields: list[int]) -> None:
        self.bonus[0] = fields[0]

    def state(self) -> list[Cells]:
        return [self.at, self.bonus]

    def set_state(self, state: list[Cells]) -> None:
        self.at = state[0]
        self.bonus = state[1]

    # Strings.

    def read(self, turn: str) -> i64:
        move: i64 = 0
        shift: i64 = 0
        parts = turn.split(",")
        index: i64 = 0
        while index < len(parts):
            name = parts[index]
            index += 1
            if name[:1] == "(" and index < len(parts):  # axial coordinates: a comma is a part of the cell
                name += "," + parts[index]
                index += 1
            cell: i64 = self.number_of.get(name, NONE)
            if cell == NONE or shift > 2 * CELL_BITS:
                return UNREAD
            move |= cell << shift
            shift += CELL_BITS
        return move

    def write(self, move: i64) -> str:
        text = self.name_of[move & CELL]
        left = move >> CELL_BITS
        while left != 0:
            text += "," + self.name_of[left & CELL]
            left = left >> CELL_BITS
        return text
