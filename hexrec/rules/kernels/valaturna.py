"""Valaturna on arrays. Nothing is left to the engine.

The proof of ruling V-3 is kept from turn to turn: filled cells and proved stacks only take possibilities away from the
enemy, and a proved stack is never flanked. As in the engine, only N = 0 is tried.

An end of a flank is looked for along a ray. What is found is four bits: for a black and for a white stack (bits 0 and
1), whether the enemy could have an end on that side; and whether it could be a cell that is empty now (bits 2 and 3).
Going on by one cell keeps some of these bits and adds others, which `_passage` remembers of every cell.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.grid import BLACK, DRAW, EMPTY, GOING_ON, OFF_BOARD, WHITE, Ending, Grid, Kernel, zeros

#: The effect of passing a cell on the bits: those to add and, times 16, those to keep. Only stacks have bits to keep.
_PAST_EDGE: Final = 0
_PAST_EMPTY: Final = 15
_PAST_UNPROVED: Final = 3 + 16 * 15
_PAST_PROVED_BLACK: Final = 2 + 16 * 5
_PAST_PROVED_WHITE: Final = 1 + 16 * 10


class ValaturnaKernel(Kernel):
    """Placements must see a friendly stack; two passes or a secure stack among the tallest end the game."""

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = grid.span
        self._height = zeros(span)
        # By cell, whether it was legal when last counted.
        self._sighted = zeros(span)
        self._tallest: i64 = 0
        # How many of the tallest stacks there are of each color, and how many of them are proved. A stack that is
        # taken rises, so that none ever leaves these numbers: they start again.
        self._tallest_stacks = zeros(2)
        self._tallest_proved: i64 = 0
        # By cell, what passing it makes of the bits.
        self._passage = zeros(span)
        self._blank_passage = zeros(span)
        # By cell, three bits a line: whether the enemy could flank a black or a white stack there, as far as the proof
        # has come, and whether the line is not known to be full.
        self._dangers = zeros(span)
        self._blank_dangers = zeros(span)
        self._every_line = vec[i64]([0b001001001, 0b010010010])
        # Cells just filled or just proved, whose lines the proof has yet to look at; no cell is there more than twice.
        self._fresh = zeros(2 * span)
        self._fresh_cells: i64 = 0
        # By cell, for `_look_around`, what is found on the way back from it.
        self._ends_before = zeros(span)
        direction: i64
        for cell in grid.cells:
            self._blank_passage[cell] = _PAST_EMPTY
            for direction in range(3):
                step = grid.steps[direction]
                is_end = grid.blank[cell + step] == OFF_BOARD or grid.blank[cell - step] == OFF_BOARD
                self._blank_dangers[cell] |= (4 if is_end else 7) << 3 * direction

    def clear(self) -> None:
        """See `Kernel.clear`."""
        passage, dangers = self._passage, self._dangers
        blank_passage, blank_dangers = self._blank_passage, self._blank_dangers
        cell: i64
        for cell in range(self.grid.span):
            passage[cell] = blank_passage[cell]
            dangers[cell] = blank_dangers[cell]
        self._fresh_cells = 0
        self._set_tallest(1)

    def put(self, cell: i64, color: i64, height: i64) -> None:
        """See `Kernel.put`."""
        self.at[cell] = color
        self._height[cell] = height
        self._passage[cell] = _PAST_UNPROVED
        self._fresh[self._fresh_cells] = cell
        self._fresh_cells += 1
        if height > self._tallest:
            self._set_tallest(height)
        if height == self._tallest:
            self._tallest_stacks[color] += 1

    def height(self, cell: i64) -> i64:
        """See `Kernel.height`."""
        return self._height[cell]

    def place(self, cell: i64) -> bool:
        """See `Kernel.place`."""
        if not self._flank(cell, self.side):
            return False
        self.put(cell, self.side, 1)
        self.winner = self._secure_winner()
        self.is_over = self.winner != GOING_ON
        return True

    def ending(self) -> Ending | None:
        """See `Kernel.ending`."""
        return self._score(self.winner) if self.is_over else (GOING_ON, None, None)

    def count(self) -> i64:
        """See `Kernel.count`: all empty cells that a stack of the side to move sees, and the pass."""
        at, sighted, steps = self.at, self._sighted, self.grid.steps
        side = self.side
        found: i64 = 1
        for cell in self.grid.cells:
            sighted[cell] = 0
        for stack in self.grid.cells:
            if at[stack] == side:
                for step in steps:
                    cell = stack + step
                    while at[cell] == EMPTY:
                        found += 1 - sighted[cell]
                        sighted[cell] = 1
                        cell += step
        return found

    def turn_at(self, index: i64) -> str:
        """See `Kernel.turn_at`."""
        return self.name_at(index, self._sighted, 1, has_pass=True)

    def _set_tallest(self, height: i64) -> None:
        """Start counting the stacks of a height that none has had so far."""
        self._tallest = height
        self._tallest_stacks[BLACK] = 0
        self._tallest_stacks[WHITE] = 0
        self._tallest_proved = 0

    def _flank(self, placed: i64, color: i64) -> bool:
        """Take the stacks that a placement flanks (V-5); return whether it sees a friendly stack.

        Rays have no cell in common, so that what is taken on one changes nothing on the others.
        """
        at, steps = self.at, self.grid.steps
        enemy = 1 - color
        sees_friend = False
        direction: i64 = 0
        while direction < 6:
            step = steps[direction]
            direction += 1
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
        height = self._height[cell] + 1
        self._height[cell] = height
        if height > self._tallest:
            self._set_tallest(height)
        if height == self._tallest:
            self._tallest_stacks[color] += 1
        # It may be in danger on no line in its new color.
        if self._dangers[cell] & self._every_line[color] == 0:
            self._set_proved(cell)

    def _set_proved(self, cell: i64) -> None:
        self._passage[cell] = _PAST_PROVED_BLACK if self.at[cell] == BLACK else _PAST_PROVED_WHITE
        self._fresh[self._fresh_cells] = cell
        self._fresh_cells += 1
        if self._height[cell] == self._tallest:
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
        """Bring the dangers on the lines through a cell up to date after a change there.

        On each line it concerns no stack beyond the nearest empty cells. In both directions, the ends before every
        stack are known when those after it are.
        """
        at, passage, dangers, every_line = self.at, self._passage, self._dangers, self._every_line
        steps, ends_before = self.grid.steps, self._ends_before
        line: i64 = -1
        while line < 2:
            line += 1
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
                # Empty cells on both sides and not one proved stack: all are in danger.
                continue
            not_full: i64 = 0 if start == _PAST_EDGE and past == _PAST_EDGE else 4
            other_lines = 511 - (7 << shift)
            ends = past
            cell -= step
            while (past := passage[cell]) > _PAST_EMPTY:
                before = ends_before[cell]
                # Both ends must exist, and one of them be empty now.
                here = before & ends & (before | ends) >> 2 | not_full
                found = dangers[cell] & (here << shift | other_lines)
                dangers[cell] = found
                if past == _PAST_UNPROVED and found & every_line[at[cell]] == 0:
                    self._set_proved(cell)
                    past = passage[cell]
                ends = past >> 4 & ends | past & 15
                cell -= step

    def _score(self, winner: i64) -> Ending:
        """Return the outcome of the final position; unless there is a winner, the heights decide (V-1, V-4)."""
        counts = zeros(2 * self._tallest + 2)
        for cell in self.grid.cells:
            if self.at[cell] != EMPTY:
                counts[2 * self._height[cell] + self.at[cell]] += 1
        black: list[int] = []
        white: list[int] = []
        height = self._tallest
        while height > 0:
            black += [height] * counts[2 * height]
            white += [height] * counts[2 * height + 1]
            height -= 1
        if winner == GOING_ON:
            winner = DRAW if black == white else BLACK if black > white else WHITE
        return winner, black, white


KERNEL = ValaturnaKernel
