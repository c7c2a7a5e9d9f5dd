"""Kernel of Valaturna. Only turns in unusual spellings need the engine.

The proof of ruling V-3 is updated after each turn: filled cells and proved stacks only remove possibilities of the
enemy, and a proved stack is never flanked. As in the engine, only flanks without gaps (N = 0) are tried.

The possible ends of a flank on one side of a stack are four bits. Bits 0 and 1 tell, for a black and a white stack,
whether the enemy could have an end there. Bits 2 and 3 tell whether this end could be an empty cell. Each further cell
on the ray removes some bits and adds others; `_passage` has this effect by cell.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.kernel import BLACK, DRAW, EMPTY, GOING_ON, OFF_BOARD, WHITE, Ending, Grid, Kernel, zeros

#: The effects of cells on the bits: the bits to add, plus 16 times the bits to keep. Only stacks keep bits.
_PAST_EDGE: Final = 0
_PAST_EMPTY: Final = 15
_PAST_UNPROVED: Final = 3 + 16 * 15
_PAST_PROVED_BLACK: Final = 2 + 16 * 5
_PAST_PROVED_WHITE: Final = 1 + 16 * 10


class ValaturnaKernel(Kernel):
    """Place where a friendly stack is in sight; two passes, or a secure stack among the tallest, end the game."""

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = self.span
        self._tallest: i64 = 0
        # The numbers of tallest stacks by color, and the number of them that are proved secure. A captured stack rises,
        # so the numbers only grow until a stack has a new greatest height.
        self._tallest_stacks = zeros(2)
        self._tallest_proved: i64 = 0
        # By cell, its effect on the bits.
        self._passage = zeros(span)
        self._blank_passage = zeros(span)
        # By cell, three bits for each line: whether the enemy could flank a black stack, or a white stack, according to
        # the proof so far, and whether the line may have empty cells.
        self._dangers = zeros(span)
        self._blank_dangers = zeros(span)
        self._every_line = vec[i64]([0b001001001, 0b010010010])
        # Cells that were filled or proved since the last update of the proof; each cell occurs at most twice.
        self._fresh = zeros(2 * span)
        self._fresh_cells: i64 = 0
        # By cell, the bits of the ends behind it, during `_look_around`.
        self._ends_before = zeros(span)
        direction: i64
        for cell in self.cells:
            self._blank_passage[cell] = _PAST_EMPTY
            for direction in range(3):
                step = self.steps[direction]
                is_end = self.blank[cell + step] == OFF_BOARD or self.blank[cell - step] == OFF_BOARD
                self._blank_dangers[cell] |= (4 if is_end else 7) << 3 * direction

    def clear(self) -> None:
        self._passage = self._blank_passage[:]
        self._dangers = self._blank_dangers[:]
        self._fresh_cells = 0
        self._tallest = 0

    def put(self, cell: i64, color: i64, height: i64) -> None:
        super().put(cell, color, height)
        self._passage[cell] = _PAST_UNPROVED
        self._fresh[self._fresh_cells] = cell
        self._fresh_cells += 1
        self._count_height(height, color)

    def place(self, cell: i64) -> bool:
        if not self._flank(cell, self.side):
            return False
        self.put(cell, self.side, 1)
        self.winner = self._secure_winner()
        self.is_over = self.winner != GOING_ON
        return True

    def count(self) -> i64:
        """Count the empty cells in sight of a friendly stack, and the pass."""
        self.open = zeros(self.span)
        at, open_, steps = self.at, self.open, self.steps
        side = self.side
        legal: i64 = 1
        for stack in self.cells:
            if at[stack] == side:
                for step in steps:
                    cell = stack + step
                    while at[cell] == EMPTY:
                        legal += 1 - open_[cell]
                        open_[cell] = 1
                        cell += step
        return legal

    def _count_height(self, height: i64, color: i64) -> None:
        """Count a stack with a new height, if it is one of the tallest."""
        if height > self._tallest:
            self._tallest = height
            self._tallest_stacks = zeros(2)
            self._tallest_proved = 0
        if height == self._tallest:
            self._tallest_stacks[color] += 1

    def _flank(self, placed: i64, color: i64) -> bool:
        """Capture the stacks that a placement flanks (V-5); return whether a friendly stack is in sight.

        Rays have no cell in common, so captures on one ray do not affect the others.
        """
        at, steps = self.at, self.steps
        enemy = 1 - color
        sees_friend = False
        for step in steps:
            cell = placed + step
            apart: i64 = 0
            while at[cell] == EMPTY:
                cell += step
                apart += 1
            if at[cell] == color:
                sees_friend = True
            elif at[cell] == enemy:
                first = cell
                gap: i64 = 0
                while True:
                    cell += step
                    content = at[cell]
                    if content == EMPTY:
                        gap += 1
                    elif content == enemy and (gap == 0 or gap == apart):
                        gap = 0
                    else:
                        break
                if content == color and gap == apart:
                    while cell != first:
                        cell -= step
                        if at[cell] == enemy:
                            self._take(cell, color)
        return sees_friend

    def _take(self, cell: i64, color: i64) -> None:
        """Put a piece on top of an enemy stack."""
        self.at[cell] = color
        height = self.heights[cell] + 1
        self.heights[cell] = height
        self._count_height(height, color)
        # In its new color, it may be safe on every line.
        if self._dangers[cell] & self._every_line[color] == 0:
            self._set_proved(cell)

    def _set_proved(self, cell: i64) -> None:
        self._passage[cell] = _PAST_PROVED_BLACK if self.at[cell] == BLACK else _PAST_PROVED_WHITE
        self._fresh[self._fresh_cells] = cell
        self._fresh_cells += 1
        if self.heights[cell] == self._tallest:
            self._tallest_proved += 1

    def _secure_winner(self) -> i64:
        """Return the color of all the tallest stacks if one of them is secure (V-2), else GOING_ON."""
        if self._tallest_stacks[BLACK] > 0 and self._tallest_stacks[WHITE] > 0:
            return GOING_ON
        while self._fresh_cells > 0:
            self._fresh_cells -= 1
            self._look_around(self._fresh[self._fresh_cells])
        if self._tallest_proved == 0:
            return GOING_ON
        return BLACK if self._tallest_stacks[BLACK] > 0 else WHITE

    def _look_around(self, middle: i64) -> None:
        """Update the dangers on the lines through a cell after a change there.

        On each line, the change affects only the stacks up to the nearest empty cells. The first pass computes the ends
        on one side of these stacks, the second pass those on the other side.
        """
        at, passage, dangers, every_line = self.at, self._passage, self._dangers, self._every_line
        steps, ends_before = self.steps, self._ends_before
        line: i64
        for line in range(3):
            shift = 3 * line
            if dangers[middle] >> shift & 4 == 0:
                continue
            step = steps[line]
            cell = middle - step
            while passage[cell] > _PAST_EMPTY:
                cell -= step
            start = passage[cell]
            ends = start
            cell += step
            while (past := passage[cell]) > _PAST_EMPTY:
                ends_before[cell] = ends
                ends = past >> 4 & ends | past & 15
                cell += step
            if ends == _PAST_EMPTY and past == _PAST_EMPTY:
                # Empty cells on both sides and no proved stack: all stacks are in danger.
                continue
            not_full: i64 = 0 if start == _PAST_EDGE and past == _PAST_EDGE else 4
            other_lines = 511 - (7 << shift)
            ends = past
            cell -= step
            while (past := passage[cell]) > _PAST_EMPTY:
                before = ends_before[cell]
                # Both ends must exist, and one of them must be an empty cell.
                here = before & ends & (before | ends) >> 2 | not_full
                updated = dangers[cell] & (here << shift | other_lines)
                dangers[cell] = updated
                if past == _PAST_UNPROVED and updated & every_line[at[cell]] == 0:
                    self._set_proved(cell)
                    past = passage[cell]
                ends = past >> 4 & ends | past & 15
                cell -= step

    def score(self) -> Ending | None:
        """Without a secure stack, the heights decide (V-1, V-4)."""
        counts = zeros(2 * self._tallest + 2)
        for cell in self.cells:
            if self.at[cell] != EMPTY:
                counts[2 * self.heights[cell] + self.at[cell]] += 1
        black: list[int] = []
        white: list[int] = []
        height: i64
        for height in range(self._tallest, 0, -1):
            black += [height] * counts[2 * height]
            white += [height] * counts[2 * height + 1]
        if self.winner != GOING_ON:
            return self.winner, black, white
        return DRAW if black == white else BLACK if black > white else WHITE, black, white
