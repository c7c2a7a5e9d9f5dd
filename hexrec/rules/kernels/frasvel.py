"""Frasvel on arrays. Left to the engine: nothing but turn texts that are not in the plain spelling."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.grid import BLACK, EMPTY, GOING_ON, PASS, Ending, Grid, Kernel, zeros

#: The part that a turn lacks; what is no name of a cell is read as this, and so is `pass` (see PASS).
_NONE: Final = -1
_DIRECTIONS: Final = 6


class FrasvelKernel(Kernel):
    """Move and absorb, place; who can no longer place wins."""

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = grid.span
        self._at = zeros(span)
        self._height = zeros(span)
        self._seen = zeros(span)
        self._stamp: i64 = 0
        self._absorbed = zeros(span)
        self._raised = zeros(span)
        self._absorbed_count: i64 = 0
        self._raised_count: i64 = 0
        # By color, where in board order a cell is on which it could place when last asked: where to look first.
        self._placeable = zeros(2)
        # By the text of a move, its start, length and direction, as one number.
        self._moves = self._name_moves()

    def _name_moves(self) -> dict[str, int]:
        """Return the numbers of all straight ways from one cell to another: see `_moves`."""
        name_of = {cell: name for name, cell in self.names.items() if cell != PASS}
        cells = [int(cell) for cell in self.grid.cells]
        steps = [int(step) for step in self.grid.steps]
        moves = {}
        for start in cells:
            for direction, step in enumerate(steps):
                length = 1
                while start + step * length in name_of:
                    text = f"{name_of[start]}-{name_of[start + step * length]}"
                    moves[text] = (start * self.grid.span + length) * _DIRECTIONS + direction
                    length += 1
        return moves

    def replay(self, opening: list[int], turns: list[object]) -> Ending | None:
        """See `Kernel.replay`."""
        at, height, blank, names, moves = self._at, self._height, self.grid.blank, self.names, self._moves
        cell: i64
        for cell in range(self.grid.span):
            at[cell] = blank[cell]
            height[cell] = 0
        at[opening[BLACK]] = BLACK
        height[opening[BLACK]] = 1
        mover: i64 = BLACK
        winner: i64 = GOING_ON
        for turn in turns:
            if winner != GOING_ON or not isinstance(turn, str):
                return None
            moved, slash, place = turn.partition("/")
            placed: i64 = names.get(place if slash else turn, _NONE)
            if slash or placed == _NONE:
                move = moves.get(moved)
                if move is None or not self._move(move, mover):
                    return None
                if slash and placed == _NONE:
                    return None
            if placed == _NONE:
                if self._can_place(mover):
                    return None
                winner = mover
            else:
                if not self._fits(placed, mover):
                    return None
                at[placed] = mover
                height[placed] = 1
                if not self._can_place(1 - mover) and not self._can_move(1 - mover):
                    winner = 1 - mover
            mover = 1 - mover
        return winner, None, None

    def _fits(self, cell: i64, color: i64) -> bool:
        """Return whether a color may place on a cell."""
        at, steps = self._at, self.grid.steps
        if at[cell] != EMPTY:
            return False
        more_friends: i64 = 0
        for step in steps:
            content = at[cell + step]
            if content == color:
                more_friends += 1
            elif content == 1 - color:
                more_friends -= 1
        return more_friends <= 0

    def _can_place(self, color: i64) -> bool:
        cells = self.grid.cells
        count: i64 = len(cells)
        index = self._placeable[color]
        tried: i64 = 0
        while tried < count:
            if self._fits(cells[index], color):
                self._placeable[color] = index
                return True
            tried += 1
            index += 1
            if index == count:
                index = 0
        return False

    def _can_move(self, color: i64) -> bool:
        at, steps = self._at, self.grid.steps
        for start in self.grid.cells:
            if at[start] == color:
                at[start] = EMPTY
                for step in steps:
                    if self._touch(start, step, color):
                        at[start] = color
                        return True
                at[start] = color
        return False

    def _move(self, move: i64, mover: i64) -> bool:
        """Carry out a move; return False if it is not legal, and then the board is of no more use."""
        at, height, absorbed, raised = self._at, self._height, self._absorbed, self._raised
        start = move // _DIRECTIONS // self.grid.span
        distance = move // _DIRECTIONS % self.grid.span
        if at[start] != mover or height[start] != distance:
            return False
        at[start] = EMPTY
        step = self.grid.steps[move % _DIRECTIONS]
        if not self._touch(start, step, mover):
            return False
        higher = distance + self._absorbed_count
        index: i64 = 0
        while index < self._absorbed_count:
            stack = absorbed[index]
            height[stack] -= 1
            if height[stack] == 0:
                at[stack] = EMPTY
            index += 1
        index = 0
        while index < self._raised_count:
            height[raised[index]] = higher
            index += 1
        landing = start + distance * step
        at[landing] = mover
        height[landing] = higher
        return True

    def _touch(self, start: i64, step: i64, mover: i64) -> bool:
        """Collect the stacks that a move absorbs or raises (ruling F-2), the stack that moves being lifted off.

        Return False if the move is not legal.
        """
        at, height, steps = self._at, self._height, self.grid.steps
        enemy = 1 - mover
        distance = height[start]
        self._stamp += 1
        self._absorbed_count = 0
        self._raised_count = 0
        cell = start
        left = distance
        while left:
            cell += step
            left -= 1
            if at[cell] == EMPTY:
                for aside in steps:
                    other = cell + aside
                    if at[other] == enemy:
                        if height[other] > distance:
                            return False
                        self._absorbed_count = self._collect(other, self._absorbed, self._absorbed_count)
                    elif at[other] == mover and height[other] == distance:
                        self._raised_count = self._collect(other, self._raised, self._raised_count)
            elif at[cell] != mover:
                return False
        return at[cell] == EMPTY and self._absorbed_count > 0

    def _collect(self, stack: i64, collected: vec[i64], count: i64) -> i64:
        """Add the group of a stack to the first `count` of the collected stacks; return how many there are then."""
        at, height, seen, steps, stamp = self._at, self._height, self._seen, self.grid.steps, self._stamp
        if seen[stack] == stamp:
            return count
        color = at[stack]
        level = height[stack]
        seen[stack] = stamp
        collected[count] = stack
        first = count
        count += 1
        while first < count:
            cell = collected[first]
            first += 1
            for step in steps:
                other = cell + step
                if at[other] == color and height[other] == level and seen[other] != stamp:
                    seen[other] = stamp
                    collected[count] = other
                    count += 1
        return count


KERNEL = FrasvelKernel
