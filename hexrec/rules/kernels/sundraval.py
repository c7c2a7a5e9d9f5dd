"""Kernel of Sundraval. The engine decides ties of ruling S-2 and final positions with more than 62 groups."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.kernel import BLACK, DRAW, EMPTY, WHITE, Ending, Grid, Kernel, zeros

#: The maximum number of groups: a set of groups is a bitmask in a signed 64-bit integer.
_MOST_GROUPS: Final = 62


class SundravalKernel(Kernel):
    """Place stones with a path to the enemy; two passes end the game.

    Groups are numbered in board order. `_friends`, `_enemies` and `_smaller_enemies` have a set of groups by group.
    """

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = self.span
        self._group_at = zeros(span)
        self._groups: i64 = 0
        self._color = zeros(_MOST_GROUPS)
        self._size = zeros(_MOST_GROUPS)
        self._friends = zeros(_MOST_GROUPS)
        self._enemies = zeros(_MOST_GROUPS)
        self._smaller_enemies = zeros(_MOST_GROUPS)
        self._territories = zeros(_MOST_GROUPS)
        # A table because mypyc compiles the literal in `1 << group` as a 32-bit number.
        self._bit = vec[i64]([1 << group for group in range(_MOST_GROUPS + 1)])

    def place(self, cell: i64) -> bool:
        if not self._reaches(cell, 1 - self.side):
            return False
        self.at[cell] = self.side
        return True

    def count(self) -> i64:
        """Count the cells with a path to an enemy stone, and the pass."""
        self.open = zeros(self.span)
        at, open_, steps = self.at, self.open, self.steps
        enemy = 1 - self.side
        legal: i64 = 1
        for cell in self.cells:
            if at[cell] != EMPTY:
                continue
            # Usually an adjacent stone or cell decides, so no search is needed.
            is_open = False
            for step in steps:
                if at[cell + step] == enemy or open_[cell + step]:
                    is_open = True
                    break
            if is_open or self._reaches(cell, enemy):
                open_[cell] = 1
                legal += 1
        return legal

    def _reaches(self, start: i64, enemy: i64) -> bool:
        """Return whether the region of an empty cell touches an enemy stone."""
        at, seen, queue, steps = self.at, self.seen, self.queue, self.steps
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
                if at[other] == enemy:
                    return True
                if at[other] == EMPTY and seen[other] != stamp:
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        return False

    def score(self) -> Ending | None:
        if not self._find_groups():
            return None
        self._find_regions()
        strangled = self._find_strangled()
        if strangled < 0:
            return None
        if strangled:
            at, group_at = self.at, self._group_at
            for cell in self.cells:
                if at[cell] != EMPTY and strangled >> group_at[cell] & 1:
                    at[cell] = EMPTY
        sizes = self._find_regions()
        points = [0.0, 0.0]
        group: i64
        for group in range(self._groups):
            count = self._territories[group]
            points[self._color[group]] += float(count * (count + 1) // 2)
        for territories in sizes:
            territories.sort(reverse=True)
        if sizes[BLACK] != sizes[WHITE]:
            points[BLACK if sizes[BLACK] > sizes[WHITE] else WHITE] += 0.5
        black, white = points
        return DRAW if black == white else BLACK if black > white else WHITE, black, white

    def _find_groups(self) -> bool:
        """Number the groups and find their sizes and adjacent enemies; return False if there are too many groups."""
        bit, at, seen, queue, group_at = self._bit, self.at, self.seen, self.queue, self._group_at
        self._groups = 0
        self.stamp += 1
        index: i64
        for start in self.cells:
            if at[start] == EMPTY or seen[start] == self.stamp:
                continue
            group = self._groups
            if group == _MOST_GROUPS:
                return False
            self._groups += 1
            size = self.spread(start, at[start])
            self._color[group] = at[start]
            self._size[group] = size
            self._enemies[group] = 0
            self._friends[group] = bit[group]
            for index in range(size):
                group_at[queue[index]] = group
        enemies = self._enemies
        for cell in self.cells:
            if at[cell] == BLACK:
                black = group_at[cell]
                for step in self.steps:
                    if at[cell + step] == WHITE:
                        white = group_at[cell + step]
                        enemies[black] |= bit[white]
                        enemies[white] |= bit[black]
        return True

    def _find_regions(self) -> list[list[int]]:
        """Find the regions: count the territories of each group, and add the friends and enemies that it has paths to.

        Return the sizes of the territories by color.
        """
        bit, at, seen, queue, steps = self._bit, self.at, self.seen, self.queue, self.steps
        group_at = self._group_at
        self.stamp += 1
        sizes: list[list[int]] = [[], []]
        group: i64
        index: i64
        for group in range(self._groups):
            self._territories[group] = 0
        for start in self.cells:
            if at[start] != EMPTY or seen[start] == self.stamp:
                continue
            size = self.spread(start, EMPTY)
            black: i64 = 0
            white: i64 = 0
            for index in range(size):
                cell = queue[index]
                for step in steps:
                    content = at[cell + step]
                    if content == BLACK:
                        black |= bit[group_at[cell + step]]
                    elif content == WHITE:
                        white |= bit[group_at[cell + step]]
            is_territory = (black == 0) != (white == 0)
            if is_territory:
                sizes[BLACK if white == 0 else WHITE].append(size)
            for group in range(self._groups):
                if (black | white) >> group & 1:
                    is_black = self._color[group] == BLACK
                    self._friends[group] |= black if is_black else white
                    self._enemies[group] |= white if is_black else black
                    if is_territory:
                        self._territories[group] += 1
        return sizes

    def _find_strangled(self) -> i64:
        """Return the strangled groups by ruling S-1, or -1 if it leaves groups undecided (ruling S-2)."""
        bit = self._bit
        every = bit[self._groups] - 1
        alive: i64 = 0
        group: i64
        other: i64
        for group in range(self._groups):
            threatened = False
            smaller: i64 = 0
            for other in range(self._groups):
                if self._enemies[group] >> other & 1:
                    if self._size[other] < self._size[group]:
                        smaller |= bit[other]
                    if self._size[other] > self._size[group] or self._territories[other] > 0:
                        threatened = True
            self._smaller_enemies[group] = smaller
            if self._territories[group] > 0 or not threatened:
                alive |= bit[group]
        alive = self._derive(alive, 0)
        while True:
            possible = self._derive(alive, every & ~alive)
            certain = self._derive(alive, every & ~possible)
            if certain == alive:
                return every & ~alive if possible == alive else -1
            alive = certain

    def _derive(self, alive: i64, assumed: i64) -> i64:
        """Return the groups that can be derived to be alive if exactly the `assumed` groups count as strangled."""
        bit = self._bit
        derived = alive
        group: i64
        for group in range(self._groups):
            if self._smaller_enemies[group] & assumed:
                derived |= bit[group]
        spread = True
        while spread:
            spread = False
            for group in range(self._groups):
                if not derived >> group & 1 and self._friends[group] & derived:
                    derived |= bit[group]
                    spread = True
        return derived
