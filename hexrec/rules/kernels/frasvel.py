"""Kernel of Frasvel. Only turns in unusual spellings need the engine."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.kernel import CELL, CELL_BITS, EMPTY, GOING_ON, NONE, PASS, Grid, Kernel, zeros


class FrasvelKernel(Kernel):
    """Move and absorb, then place; a player who cannot place wins."""

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = self.span
        self._absorbed = zeros(span)
        self._raised = zeros(span)
        self._absorbed_count: i64 = 0
        self._raised_count: i64 = 0
        # By cell, the number of adjacent black stacks minus that of adjacent white stacks.
        self._lead = zeros(span)
        # By color, the index in board order of the last legal placement found, where the next search starts.
        self._placeable = zeros(2)
        # The legal moves at the last `count`, sorted: landing, packed line, and number of turns with this move.
        self._legal_moves: list[tuple[str, int, int]] = []

    def clear(self) -> None:
        self._lead = zeros(self.span)

    def put(self, cell: i64, color: i64, height: i64) -> None:
        lead = self._lead
        self.at[cell] = color
        self.heights[cell] = height
        for step in self.steps:
            lead[cell + step] += 1 - 2 * color

    def play(self, turn: str) -> bool:
        side = self.side
        moved, slash, place = turn.partition("/")
        placed: i64 = self.names.get(place if slash else turn, NONE)
        if slash or placed == NONE:
            move = self.lines.get(moved) or self.find_line(moved)
            if move is None or not self._move(move):
                return False
            if slash and placed == NONE:
                return False
        if placed == NONE:
            if self._can_place(side):
                return False
            self.winner = side
        else:
            if not self._fits(placed, side):
                return False
            self.put(placed, side, 1)
            if not self._can_place(1 - side) and not self._can_move(1 - side):
                self.winner = 1 - side
        self.is_over = self.winner != GOING_ON
        return True

    def count(self) -> i64:
        """Count placements, and moves with each placement after them."""
        at, side, steps, name_of = self.at, self.side, self.steps, self.name_of
        total: i64 = 0
        self._legal_moves = []
        direction: i64
        for start in self.cells:
            if at[start] != side:
                continue
            for direction in range(6):
                at[start] = EMPTY
                is_legal = self._touches(start, steps[direction], side, collecting=False)
                at[start] = side
                if is_legal:
                    landing = start + self.heights[start] * steps[direction]
                    move = start | landing << CELL_BITS | direction << 2 * CELL_BITS
                    turns = max(self._mark_placements_after(move), 1)
                    self._legal_moves.append((name_of[landing], move, turns))
                    total += turns
        self._legal_moves.sort()
        return total + self._mark_placements()

    def turn_at(self, index: i64) -> str:
        for cell in self.order:
            if cell == PASS:
                continue
            if self.open[cell]:
                if index == 0:
                    return self.name_of[cell]
                index -= 1
            elif self.at[cell] == self.side:
                for landing, move, turns in self._legal_moves:
                    if move & CELL == cell:
                        if index < turns:
                            return self._turn_after(f"{self.name_of[cell]}-{landing}", move, index)
                        index -= turns
        raise IndexError(index)

    def _turn_after(self, text: str, move: i64, index: i64) -> str:
        """Return the turn with a move and the placement with an index in sorted order, if any placement exists."""
        if self._mark_placements_after(move):
            text = f"{text}/{self.name_at(index, has_pass=False)}"
        self._mark_placements()
        return text

    def _mark_placements_after(self, move: i64) -> i64:
        """Do as `_mark_placements` for the position after a move; return to the present position."""
        at, heights, lead = self.at, self.heights, self._lead
        self.at, self.heights, self._lead = at[:], heights[:], lead[:]
        self._move(move)
        marked = self._mark_placements()
        self.at, self.heights, self._lead = at, heights, lead
        return marked

    def _mark_placements(self) -> i64:
        """Mark the legal cells for a placement by the side to move in `open`; return their number."""
        open_, side = self.open, self.side
        marked: i64 = 0
        for cell in self.cells:
            open_[cell] = 1 if self._fits(cell, side) else 0
            marked += open_[cell]
        return marked

    def _fits(self, cell: i64, color: i64) -> bool:
        """Return whether a color can place on a cell."""
        return self.at[cell] == EMPTY and self._lead[cell] * (1 - 2 * color) <= 0

    def _remove(self, cell: i64) -> None:
        lead = self._lead
        color = self.at[cell]
        self.at[cell] = EMPTY
        for step in self.steps:
            lead[cell + step] -= 1 - 2 * color

    def _can_place(self, color: i64) -> bool:
        cells, first = self.cells, self._placeable[color]
        tried: i64
        for tried in range(len(cells)):
            index = (first + tried) % len(cells)
            if self._fits(cells[index], color):
                self._placeable[color] = index
                return True
        return False

    def _can_move(self, color: i64) -> bool:
        at, steps = self.at, self.steps
        for start in self.cells:
            if at[start] == color:
                at[start] = EMPTY
                for step in steps:
                    if self._touches(start, step, color, collecting=False):
                        at[start] = color
                        return True
                at[start] = color
        return False

    def _move(self, move: i64) -> bool:
        """Carry out a move; return False if it is illegal. The position is then undefined."""
        at, height, absorbed, raised, side = self.at, self.heights, self._absorbed, self._raised, self.side
        start = move & CELL
        landing = move >> CELL_BITS & CELL
        step = self.steps[move >> 2 * CELL_BITS]
        distance = height[start]
        if at[start] != side or start + distance * step != landing:
            return False
        self._remove(start)
        if not self._touches(start, step, side, collecting=True):
            return False
        higher = distance + self._absorbed_count
        index: i64
        for index in range(self._absorbed_count):
            stack = absorbed[index]
            height[stack] -= 1
            if height[stack] == 0:
                self._remove(stack)
        for index in range(self._raised_count):
            height[raised[index]] = higher
        self.put(landing, side, higher)
        return True

    def _touches(self, start: i64, step: i64, side: i64, *, collecting: bool) -> bool:
        """Return whether a move is legal (ruling F-2). The moving stack must have been removed from `start`.

        With `collecting`, put the stacks that the move absorbs or raises into `_absorbed` and `_raised`.
        """
        at, height, steps = self.at, self.heights, self.steps
        enemy = 1 - side
        distance = height[start]
        self.stamp += 1
        self._absorbed_count = 0
        self._raised_count = 0
        absorbs = False
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
                        absorbs = True
                        if collecting:
                            self._absorbed_count = self._collect(other, self._absorbed, self._absorbed_count)
                    elif collecting and at[other] == side and height[other] == distance:
                        self._raised_count = self._collect(other, self._raised, self._raised_count)
            elif at[cell] != side:
                return False
        return absorbs and at[cell] == EMPTY

    def _collect(self, stack: i64, collected: vec[i64], count: i64) -> i64:
        """Add the group of a stack to the first `count` entries of `collected`; return the new count."""
        at, height, seen, steps, stamp = self.at, self.heights, self.seen, self.steps, self.stamp
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
