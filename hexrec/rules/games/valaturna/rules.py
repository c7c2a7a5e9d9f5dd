"""Rules of Valaturna and of its first edition: flank enemy stacks to take them, until a tallest stack is secure.

A turn is a cell, or PASS.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64
from hexrec.rules.grid import (
    BLACK,
    EMPTY,
    FIRST_CODE,
    LEGAL,
    NOBODY,
    NONE,
    OCCUPIED,
    OFF,
    PASS,
    WHITE,
    CellGrid,
    Tables,
    array,
    larger,
    zeros,
)

#: The codes of the rules, in the order of `Valaturna.codes`.
NO_FRIENDLY_STACK: Final = FIRST_CODE
EARLY_PASS: Final = FIRST_CODE + 1
SETUP_OVER: Final = FIRST_CODE + 2

#: The possible ends of an enemy flank on one side of a stack, in `Valaturna.ends`: bits 0 and 1 are set if a flank of
#: a black and of a white stack could end there, bits 2 and 3 if it could end on an empty cell.
#: Past each cell of a line, some bits are kept and some are added: the bits to add, plus 16 times the bits to keep.
PAST_EDGE: Final = 0
PAST_EMPTY: Final = 15
PAST_UNPROVED: Final = 3 + 16 * 15
PAST_PROVED_BLACK: Final = 2 + 16 * 5
PAST_PROVED_WHITE: Final = 1 + 16 * 10

#: The entries of `Valaturna.summit`: the greatest height; from TALLEST on, by color, the number of stacks of that
#: height; the number of them that are proved secure; and the number of cells in `fresh`.
HEIGHT: Final = 0
TALLEST: Final = 1
PROVED: Final = 3
FRESH: Final = 4


class Valaturna(CellGrid):
    """Position of Valaturna.

    Attributes:
        flanked: the number of stacks in `queue` that a placement flanks; see `look`.
        summit: the tallest stacks, and the progress of the proof.
        past: by cell, the effect of the cell on the possible ends of a flank.
        dangers: by cell, three bits for each line through it: whether the enemy could flank a black stack, and a white
            stack, as far as proved; and whether the line may have empty cells.
        fresh: the cells that were filled or proved since the proof was last continued; each occurs at most twice.
        ends: by cell, the possible ends of a flank behind it, while a line is followed.
        every_line: by color, the bits of `dangers` for its stacks.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        super().__init__(tables, variant)
        self.has_pass = True
        self.flanked: i64 = 0
        self.summit = zeros(5)
        self.fresh = zeros(2 * self.span)
        self.ends = zeros(self.span)
        self.every_line = array([0b001001001, 0b010010010])
        if "valaturna" not in tables.prepared:
            tables.prepared["valaturna"] = self.blank_proof()
        blank = tables.prepared["valaturna"]
        self.past = blank[0][:]
        self.dangers = blank[1][:]
        place: i64
        for place in range(self.span):  # compiled, another array would leak the one that `Grid` has made
            self.heights[place] = 0

    def blank_proof(self) -> list[Cells]:
        """Return `past` and `dangers` of the empty board."""
        past = zeros(self.span)
        dangers = zeros(self.span)
        line: i64
        for cell in self.cells:
            past[cell] = PAST_EMPTY
            for line in range(3):
                step = self.steps[line]
                # A cell at the end of a line is in no danger there.
                is_end = self.at[cell + step] == OFF or self.at[cell - step] == OFF
                dangers[cell] |= (4 if is_end else 7) << 3 * line
        return [past, dangers]

    @staticmethod
    def codes() -> list[str]:
        return ["move/no-friendly-stack", "move/early-pass", "setup/over"]

    # Turns.

    def take_turn(self, move: i64) -> i64:
        if move == PASS:
            if self.open_cells()[PASS] == 0:
                return EARLY_PASS
            self.pass_turn()  # ruling V-1
            return LEGAL
        if self.at[move] != EMPTY:
            return OCCUPIED
        if not self.look(move, self.side):
            return NO_FRIENDLY_STACK
        # All flanked stacks are captured, and capture nothing themselves (ruling V-5).
        index: i64
        for index in range(self.flanked):
            self.capture(self.queue[index], self.side)
        self.put(move, self.side, 1)
        self.passed = False
        self.winner = self.secure_winner(self.side)
        return LEGAL

    def look(self, placed: i64, color: i64) -> bool:
        """Return whether the first stack in some direction from an empty cell has a color.

        Put the enemy stacks that a placement of that color there flanks into `queue`.
        """
        at, steps = self.at, self.steps
        self.flanked = 0
        sees_friend = False
        for step in steps:
            cell = placed + step
            apart: i64 = 0
            while at[cell] == EMPTY:
                cell += step
                apart += 1
            if at[cell] == color:
                sees_friend = True
            elif at[cell] != OFF:
                self.find_flanked(cell, step, apart)
        return sees_friend

    def find_flanked(self, first: i64, step: i64, apart: i64) -> None:
        """Add the stacks that are flanked in one direction to `queue`: from the first, after `apart` empty cells, on.

        Runs of enemy stacks, each between as many empty cells, must be followed by a friendly stack.
        """
        at = self.at
        enemy = at[first]
        cell = first
        gap: i64 = 0
        while at[cell] == EMPTY or (at[cell] == enemy and (gap == 0 or gap == apart)):
            gap = gap + 1 if at[cell] == EMPTY else 0
            cell += step
        if at[cell] == 1 - enemy and gap == apart:
            self.add_flanked(first, cell, step)

    def add_flanked(self, first: i64, end: i64, step: i64) -> None:
        """Add the stacks from a cell up to another to `queue`."""
        cell = first
        while cell != end:
            if self.at[cell] != EMPTY:
                self.queue[self.flanked] = cell
                self.flanked += 1
            cell += step

    def capture(self, cell: i64, color: i64) -> None:
        """Put one piece of a color on top of an enemy stack."""
        self.at[cell] = color
        self.heights[cell] += 1
        self.count_height(self.heights[cell], color)
        # In its new color, it may be in danger on no line.
        if self.dangers[cell] & self.every_line[color] == 0:
            self.set_proved(cell)

    def open_cells(self) -> Cells:
        marked = self.visible(self.side)
        marked[PASS] = 1
        return marked

    def visible(self, color: i64) -> Cells:
        """Return, by cell, 1 if it is empty and a stack of a color is the first in some direction."""
        at = self.at
        marked = self.tables.zero[:]
        for stack in self.cells:
            if at[stack] == color:
                for step in self.steps:
                    cell = stack + step
                    while at[cell] == EMPTY:
                        marked[cell] = 1
                        cell += step
        return marked

    # The end.

    def finish(self) -> None:
        # The heights decide; equal lists are a draw (ruling V-4).
        self.winner = larger(self.ranking(BLACK), self.ranking(WHITE))

    def ranking(self, color: i64) -> list[int]:
        counts = zeros(self.summit[HEIGHT] + 1)
        for cell in self.cells:
            if self.at[cell] == color:
                counts[self.heights[cell]] += 1
        heights: list[int] = []
        height = self.summit[HEIGHT]
        while height > 0:
            while counts[height] > 0:
                heights.append(height)
                counts[height] -= 1
            height -= 1
        return heights

    def secure_winner(self, player: i64) -> i64:
        """Return the winner after a turn of a player, or NOBODY.

        All of the tallest stacks must have the winner's color, and one of them must be secure (ruling V-2).
        """
        summit = self.summit
        if summit[TALLEST + BLACK] > 0 and summit[TALLEST + WHITE] > 0:
            return NOBODY
        self.prove()
        if summit[PROVED] == 0:
            return NOBODY
        # By reading V-2b, a single stack must be the tallest.
        if summit[TALLEST + BLACK] + summit[TALLEST + WHITE] > 1 and "V-2b" in self.readings:
            return NOBODY
        winner = BLACK if summit[TALLEST + BLACK] > 0 else WHITE
        # By reading V-2c, only the player who has just placed can win.
        return NOBODY if winner != player and "V-2c" in self.readings else winner

    def fault(self) -> i64:
        return LEGAL if self.secure_winner(1 - self.side) == NOBODY else SETUP_OVER

    def fault_cell(self) -> i64:
        for cell in self.cells:
            if self.at[cell] != EMPTY and self.heights[cell] == self.summit[HEIGHT] and self.is_proved(cell):
                return cell
        return NONE

    # Secure stacks (ruling V-3). The proof is continued after each turn: what is proved remains so, since a proved
    # stack is never flanked, and filled cells and proved stacks only take possibilities from the enemy. Only flanks
    # without gaps (N = 0) are tried: empty cells can be filled, so the ends of another flank are those of such a one.

    def is_proved(self, cell: i64) -> bool:
        """Return whether the stack on a cell is proved secure so far."""
        return self.past[cell] == PAST_PROVED_BLACK or self.past[cell] == PAST_PROVED_WHITE

    def prove(self) -> None:
        """Continue the proof until it proves no more."""
        summit = self.summit
        while summit[FRESH] > 0:
            summit[FRESH] -= 1
            self.look_around(self.fresh[summit[FRESH]])

    def look_around(self, middle: i64) -> None:
        """Update the dangers on the lines through a cell that was filled or proved.

        On each line, that concerns only the stacks up to the nearest empty cells. The first pass finds the ends on one
        side of these stacks, the second those on the other side.
        """
        at, past, dangers, ends, every_line = self.at, self.past, self.dangers, self.ends, self.every_line
        line: i64
        for line in range(3):
            shift = 3 * line
            if dangers[middle] >> shift & 4 == 0:
                continue
            step = self.steps[line]
            cell = middle - step
            while past[cell] > PAST_EMPTY:
                cell -= step
            start = past[cell]
            behind = start
            cell += step
            while past[cell] > PAST_EMPTY:
                ends[cell] = behind
                behind = past[cell] >> 4 & behind | past[cell] & 15
                cell += step
            if behind == PAST_EMPTY and past[cell] == PAST_EMPTY:
                continue  # empty cells on both sides, and no proved stack: all stacks are in danger
            not_full: i64 = 0 if start == PAST_EDGE and past[cell] == PAST_EDGE else 4
            other_lines = 511 - (7 << shift)
            behind = past[cell]
            cell -= step
            while past[cell] > PAST_EMPTY:
                # Both ends must exist, and one of them must be an empty cell.
                danger = ends[cell] & behind & (ends[cell] | behind) >> 2 | not_full
                dangers[cell] &= danger << shift | other_lines
                if past[cell] == PAST_UNPROVED and dangers[cell] & every_line[at[cell]] == 0:
                    self.set_proved(cell)
                behind = past[cell] >> 4 & behind | past[cell] & 15
                cell -= step

    def set_proved(self, cell: i64) -> None:
        """Note that the stack on a cell is proved secure."""
        self.past[cell] = PAST_PROVED_BLACK if self.at[cell] == BLACK else PAST_PROVED_WHITE
        self.add_fresh(cell)
        if self.heights[cell] == self.summit[HEIGHT]:
            self.summit[PROVED] += 1

    def add_fresh(self, cell: i64) -> None:
        """Note that a cell was filled or proved."""
        self.fresh[self.summit[FRESH]] = cell
        self.summit[FRESH] += 1

    # Stacks.

    def put(self, cell: i64, color: i64, height: i64) -> None:
        self.at[cell] = color
        self.heights[cell] = height
        self.past[cell] = PAST_UNPROVED
        self.add_fresh(cell)
        self.count_height(height, color)

    def count_height(self, height: i64, color: i64) -> None:
        """Count a stack that has a new height, if it is one of the tallest. A captured stack rises, so none is lost."""
        summit = self.summit
        if height > summit[HEIGHT]:
            summit[HEIGHT] = height
            summit[TALLEST + BLACK] = 0
            summit[TALLEST + WHITE] = 0
            summit[PROVED] = 0
        if height == summit[HEIGHT]:
            summit[TALLEST + color] += 1

    def state(self) -> list[Cells]:
        return [self.at, self.heights, self.summit, self.past, self.dangers, self.fresh]

    def set_state(self, state: list[Cells]) -> None:
        self.at = state[0]
        self.heights = state[1]
        self.summit = state[2]
        self.past = state[3]
        self.dangers = state[4]
        self.fresh = state[5]


class ValaturnaFirst(Valaturna):
    """Position of the first edition: no pass while a stack can be placed, other flanks, no end by a secure stack."""

    def open_cells(self) -> Cells:
        # A pass is legal exactly when no placement is (ruling V1-1).
        marked = self.visible(self.side)
        for cell in self.cells:
            if marked[cell] != 0:
                return marked
        marked[PASS] = 1
        return marked

    def find_flanked(self, first: i64, step: i64, apart: i64) -> None:
        """Add the stacks before the next friendly stack to `queue`, if their pattern is symmetric (ruling V1-2)."""
        at = self.at
        end = first + step
        while at[end] != OFF and at[end] != 1 - at[first]:
            end += step
        if at[end] == OFF:
            return
        left = first - apart * step
        right = end - step
        while left != end and (at[left] == EMPTY) == (at[right] == EMPTY):
            left += step
            right -= step
        if left == end:
            self.add_flanked(first, end, step)

    def secure_winner(self, player: i64) -> i64:
        """Return NOBODY: only passes end the game (ruling V1-3)."""
        return NOBODY
