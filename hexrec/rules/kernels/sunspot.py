"""Kernel of Sunspot. Only turns in unusual spellings need the engine."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.kernel import EMPTY, GOING_ON, NONE, Grid, Kernel, zeros

#: The bit of each direction; the last direction has the lowest bit, because `_closes` shifts bits in from the right.
_BITS: Final = (32, 16, 8, 4, 2, 1)
_EVERY_DIRECTION: Final = 63
#: The value of `_sight` off the board: not 0, but without any direction.
_OUTSIDE: Final = 64


class SunspotKernel(Kernel):
    """Place, optionally flip and flip back; close a loop to win.

    No loop exists before a turn, so only stones that are new in their color can close one; see `_closes` and `_flip`.

    `_sight` has, by cell, the bits of the directions in which the ray of the cell has no stone. A stone is an edge
    stone if the entry of its cell is not 0. Edge cells have a ray without cells, so their entry is never 0.
    """

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = self.span
        self._sight = zeros(span)
        self._blank_sight = vec[i64]([_EVERY_DIRECTION if content == EMPTY else _OUTSIDE for content in self.blank])
        self._subgroup = zeros(span)
        self._first: i64 = NONE
        self._free: i64 = 0
        # By the cell of the placement, the number of legal flips at the last `count`; on a full board, at index 0.
        self._flips = zeros(span)
        # The sorted parts of turns, as 2 * cell for the name alone, and 2 * cell + 1 for the name with an x after it.
        texts = {name: 2 * cell for name, cell in names.items()}
        texts |= {f"{name}x": 2 * cell + 1 for name, cell in names.items()}
        self._parts = vec[i64]([texts[text] for text in sorted(texts)])
        # The results of the last `_find_targets` and `_find_backs`.
        self._targets = zeros(span)
        self._is_target = zeros(span)
        self._targets_stamp: i64 = 0
        self._backs = zeros(span)
        # Twice, so that `_closes` can go around from any direction.
        self._bits = vec[i64](list(_BITS + _BITS))
        self._opposite_bits = vec[i64](list(_BITS[3:] + _BITS[:3]))
        # By set of directions, whether stones in these directions around a cell form more than one arc.
        self._several_arcs = vec[i64]([(ring & ~(ring << 1 | ring >> 5)).bit_count() // 2 for ring in range(64)])

    def clear(self) -> None:
        self._sight = self._blank_sight[:]
        self._free = len(self.cells)

    def put(self, cell: i64, color: i64, height: i64) -> None:
        at, sight, steps, opposite_bits = self.at, self._sight, self.steps, self._opposite_bits
        at[cell] = color
        self._free -= 1
        direction: i64
        for direction in range(6):
            step = steps[direction]
            back = opposite_bits[direction]
            # All cells behind a blocked cell are blocked already.
            other = cell + step
            while sight[other] & back:
                sight[other] ^= back
                other += step

    def play(self, turn: str) -> bool:
        side = self.side
        parts = turn.split("x") if "x" in turn else None
        placed: i64 = self.names.get(turn if parts is None else parts[0], NONE)
        if self._free:
            if placed == NONE or self.at[placed] != EMPTY:
                return False
            self.put(placed, side, 1)
        elif placed != NONE:
            return False
        if parts is not None:
            if not self._play_flips(placed, parts):
                return False
        elif placed == NONE:
            if turn != "pass" or self._find_targets():
                return False
        elif self._closes(placed, side):
            self.winner = side
        self.is_over = self.winner != GOING_ON
        self.passed = placed == NONE and parts is None
        return True

    def _play_flips(self, placed: i64, parts: list[str]) -> bool:
        """Play the flip and the flip back of a turn after its placement; return False if they are illegal."""
        if len(parts) > 3 or (placed == NONE and parts[0]):
            return False
        flip: i64 = self.names.get(parts[1], NONE)
        back: i64 = NONE
        if len(parts) == 3:
            back = self.names.get(parts[2], NONE)
            if back == NONE:
                return False
        side, enemy = self.side, 1 - self.side
        # Only interior stones of combined enemy groups can be flipped.
        if flip == NONE or self.at[flip] != enemy or self._sight[flip]:
            return False
        if not self._reaches_edge(flip, enemy, through=True):
            return False
        due: i64 = 0
        if back == NONE:
            if self._reaches_edge(flip, side, through=True):
                return False
        else:
            self.stamp += 1
            self.spread(flip, side)
            if not self._sight[back] or self.seen[back] != self.stamp:
                return False
            due = self._take_subgroup(back)
            if self._first != back:
                self.spelling = f"{parts[0]}x{parts[1]}x{self.name_of[self._first]}"
        self.winner = self._flip(placed, flip, due, side)
        return True

    def count(self) -> i64:
        """Count placements, alone and with each legal flip."""
        if not self._free:
            self._flips[0] = self._count_flips()
            return max(self._flips[0], 1)
        at, flips = self.at, self._flips
        total: i64 = 0
        for cell in self.cells:
            if at[cell] == EMPTY:
                sight = self._sight[:]
                self.put(cell, self.side, 1)
                flips[cell] = self._count_flips()
                self._lift(cell, sight)
                total += 1 + flips[cell]
        return total

    def turn_at(self, index: i64) -> str:
        if not self._free:
            return self._flip_at(index) if self._flips[0] else "pass"
        for part in self._parts:
            cell = part >> 1
            if self.at[cell] != EMPTY:
                continue
            turns = self._flips[cell] if part & 1 else 1
            if index < turns:
                if part & 1 == 0:
                    return self.name_of[cell]
                sight = self._sight[:]
                self.put(cell, self.side, 1)
                self._find_targets()
                turn = self.name_of[cell] + self._flip_at(index)
                self._lift(cell, sight)
                return turn
            index -= turns
        raise IndexError(index)

    def _count_flips(self) -> i64:
        """Return the number of legal flips, with each flip back, after a placement."""
        count = self._find_targets()
        total: i64 = 0
        index: i64
        for index in range(count):
            total += max(self._find_backs(self._targets[index]), 1)
        return total

    def _flip_at(self, index: i64) -> str:
        """Return the legal flip with an index in sorted order. `_find_targets` must have been called."""
        for part in self._parts:
            flip = part >> 1
            if self._is_target[flip] != self._targets_stamp:
                continue
            backs = self._find_backs(flip)
            if part & 1 != (backs > 0):
                continue
            if index >= max(backs, 1):
                index -= max(backs, 1)
                continue
            if not backs:
                return f"x{self.name_of[flip]}"
            names = sorted([self.name_of[self._backs[place]] for place in range(backs)])
            return f"x{self.name_of[flip]}x{names[index]}"
        raise IndexError(index)

    def _find_targets(self) -> i64:
        """Find the stones that can be flipped: interior stones of combined enemy groups. Return their number."""
        at, sight, seen, queue, steps = self.at, self._sight, self._is_target, self.queue, self.steps
        targets = self._targets
        enemy = 1 - self.side
        self.stamp += 1
        self._targets_stamp = self.stamp
        stamp = self.stamp
        target_count: i64 = 0
        last: i64 = 0
        for cell in self.cells:
            if at[cell] == enemy and sight[cell]:
                queue[last] = cell
                last += 1
        first: i64 = 0
        while first < last:
            cell = queue[first]
            first += 1
            for step in steps:
                other = cell + step
                if at[other] == enemy and not sight[other] and seen[other] != stamp:
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
                    targets[target_count] = other
                    target_count += 1
        return target_count

    def _find_backs(self, flip: i64) -> i64:
        """Find the first stone of each edge subgroup in the group that a flipped stone joins; return their number."""
        sight, seen, group = self._sight, self.seen, self.queue
        self.stamp += 1
        stones = self.spread(flip, self.side)
        subgroups: i64 = 0
        index: i64
        for index in range(1, stones):
            cell = group[index]
            if sight[cell] and seen[cell] == self.stamp:
                self._take_subgroup(cell)
                self._backs[subgroups] = self._first
                subgroups += 1
        return subgroups

    def _lift(self, cell: i64, sight: vec[i64]) -> None:
        """Undo `put`, given a copy of `_sight` from before it."""
        self.at[cell] = EMPTY
        self._sight = sight
        self._free += 1

    def _closes(self, cell: i64, color: i64) -> bool:
        """Return whether a new stone of `color` on a cell closes the first loop of that color.

        It does if it separates the other adjacent cells from each other, and some of them from the edge.
        """
        at, sight, steps, bits = self.at, self._sight, self.steps, self._bits
        ring: i64 = 0
        open_: i64 = 0
        for step in steps:
            ring += ring
            open_ += open_
            other = cell + step
            if at[other] == color:
                ring += 1
            elif sight[other]:
                open_ += 1
        if not self._several_arcs[ring] or ring | open_ == _EVERY_DIRECTION:
            return False
        direction: i64 = 0
        while not ring & bits[direction]:
            direction += 1
        # Go around from a stone of an arc back to the same stone, which ends the last gap.
        end = direction + 6
        gap: i64 = NONE
        is_open = False
        while direction < end:
            direction += 1
            if not ring & bits[direction]:
                gap = cell + steps[direction % 6]
                if open_ & bits[direction]:
                    is_open = True
            elif gap != NONE:
                if not is_open and not self._reaches_edge(gap, color, through=False):
                    return True
                gap = NONE
                is_open = False
        return False

    def _reaches_edge(self, start: i64, color: i64, *, through: bool) -> bool:
        """Return whether a cell is connected to a cell that sees the edge.

        The connection is through stones of `color` if `through`, else through all other cells.
        """
        at, sight, seen, queue, steps = self.at, self._sight, self.seen, self.queue, self.steps
        self.stamp += 1
        stamp = self.stamp
        seen[start] = stamp
        queue[0] = start
        first: i64 = 0
        last: i64 = 1
        while first < last:
            cell = queue[first]
            first += 1
            for step in steps:
                other = cell + step
                if (at[other] == color) == through and seen[other] != stamp:
                    if sight[other]:
                        return True
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        return False

    def _take_subgroup(self, back: i64) -> i64:
        """Put the edge subgroup of a marked stone into `_subgroup`, unmark it, and return its number of stones.

        Set `_first` to its first stone in board order, which stands for it in canonical turns.
        """
        sight, seen, subgroup, steps = self._sight, self.seen, self._subgroup, self.steps
        stamp = self.stamp
        seen[back] = 0
        self._first = back
        subgroup[0] = back
        first: i64 = 0
        last: i64 = 1
        while first < last:
            cell = subgroup[first]
            first += 1
            for step in steps:
                other = cell + step
                if seen[other] == stamp and sight[other]:
                    seen[other] = 0
                    subgroup[last] = other
                    last += 1
                    if other < self._first:
                        self._first = other
        return last

    def _flip(self, placed: i64, stone: i64, due: i64, side: i64) -> i64:
        """Flip an enemy stone, flip back the first `due` stones of `_subgroup`, and return the winner by a loop.

        Stones take their new color one by one, and one of them closes each loop. Later stones cannot fill the loop:
        stones flipped back see the edge, and the flipped stone, of a combined group, was not alone in it.
        """
        at, subgroup = self.at, self._subgroup
        enemy = 1 - side
        index: i64
        for index in range(due):
            at[subgroup[index]] = EMPTY
        winner: i64 = GOING_ON
        if placed != NONE and at[placed] == side and self._closes(placed, side):
            winner = side
        at[stone] = side
        if winner == GOING_ON and self._closes(stone, side):
            winner = side
        if winner == GOING_ON and all(at[stone + step] == enemy for step in self.steps):
            # The flipped stone is enclosed by its former group, which so has a loop.
            winner = enemy
        for index in range(due):
            at[subgroup[index]] = enemy
            if winner == GOING_ON and self._closes(subgroup[index], enemy):
                winner = enemy
        return winner
