"""Kernel of Nadraz. Only turns in unusual spellings need the engine."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.kernel import (
    BLACK,
    CELL,
    CELL_BITS,
    DRAW,
    EMPTY,
    NONE,
    PASS,
    WHITE,
    Ending,
    Grid,
    Kernel,
    zeros,
)

#: Values instead of the last cell of a line: any last cell that makes the line legal, and every such cell.
_ANY: Final = -1
_EVERY: Final = -2


class NadrazKernel(Kernel):
    """Lines grow, merge and cut snakes; two passes end the game.

    A snake is identified by one of its cells. In arrays for both colors, the half for Black comes first.
    """

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = self.span
        # By color and cell, the set of directions with an adjacent stone of the color: heads and eggs have one or none.
        # By set of directions, the step in its first direction, and its number of directions.
        self._links = zeros(2 * span)
        self._step_to = vec[i64]([self.steps[(ways & -ways).bit_length() - 1] if ways else 0 for ways in range(64)])
        self._count = vec[i64]([ways.bit_count() for ways in range(64)])
        # By direction, the bit of the opposite direction.
        self._back = vec[i64]([8, 16, 32, 1, 2, 4])
        # By stone, its snake, and the next stone in a ring of all stones of the snake; by snake, its number of stones.
        self._snake = zeros(span)
        self._ring = zeros(span)
        self._size = zeros(span)
        # The legal lines at the last `count`, as `_keep` packs them; by cell, its index in the sorted names.
        self._found: list[int] = []
        self._rank = zeros(span)
        place: i64
        for place in range(len(self.order)):
            if self.order[place] != PASS:
                self._rank[self.order[place]] = place
        # By cell, whether it is not an edge cell.
        self._inner = zeros(span)
        # Friendly heads, eggs and snakes that the last tried line touches, by stamp; these snakes, and their number.
        self._stone_seen = zeros(span)
        self._snake_seen = zeros(span)
        self._touched = zeros(span)
        self._touched_count: i64 = 0
        # The parts of enemy snakes that this line cuts off: their stones by stamp, and their starts in `queue`.
        self._part_seen = zeros(span)
        self._part_start = zeros(span)
        self._parts: i64 = 0
        # Single cells are lines, too. PASS, all of whose bits are set, stays PASS.
        self.lines = {name: number << CELL_BITS | number for name, number in self.names.items()}
        cell: i64
        for cell in self.cells:
            self._inner[cell] = 1
            for step in self.steps:
                if self.blank[cell + step] != EMPTY:
                    self._inner[cell] = 0

    def clear(self) -> None:
        self._links = zeros(2 * self.span)

    def put(self, cell: i64, color: i64, height: i64) -> None:
        snakes = self._snake
        self._ring[cell] = cell
        self._size[cell] = 0
        self._put(color, cell, cell)
        ways = self._links[color * self.span + cell]
        while ways:
            snake = snakes[cell + self._step_to[ways]]
            ways &= ways - 1
            if snake != snakes[cell]:
                self._merge(snake, snakes[cell])

    def play(self, turn: str) -> bool:
        packed = self.lines.get(turn) or self.find_line(turn)
        if packed is None:
            return False
        line: i64 = packed
        if line == PASS:
            if self._find_lines(_ANY):
                return False
            self.is_over = self.passed
            self.passed = True
            return True
        first = line & CELL
        step = self.steps[line >> 2 * CELL_BITS]
        last = line >> CELL_BITS & CELL
        if not self._is_legal(self.side, first, step, last):
            return False
        self._play(self.side, first, step, last)
        self.last = self.side
        self.passed = False
        return True

    def count(self) -> i64:
        self._found = []
        self._find_lines(_EVERY)
        # Lines that flip and start next to a head may be found twice.
        self._found = sorted(set(self._found))
        return max(len(self._found), 1)

    def turn_at(self, index: i64) -> str:
        if not self._found:
            return "pass"
        line: i64 = self._found[index]
        first = self.name_of[self.order[line >> CELL_BITS]]
        last = line & CELL
        return f"{first}-{self.name_of[self.order[last - 1]]}" if last else first

    def _put(self, color: i64, cell: i64, snake: i64) -> None:
        links, ring, steps, back = self._links, self._ring, self.steps, self._back
        own = color * self.span
        self.at[cell] = color
        self._snake[cell] = snake
        self._size[snake] += 1
        ring[cell], ring[snake] = ring[snake], cell
        direction: i64
        for direction in range(6):
            links[own + cell + steps[direction]] |= back[direction]

    def _is_legal(self, side: i64, first: i64, step: i64, last: i64) -> bool:
        """Return whether a line is legal. With _ANY for `last`, return whether any line from `first` is legal.

        With _EVERY, add all legal lines from `first` to `_found` and return False. The numbers in comments are those of
        the conditions in the rules.
        """
        at, links, snakes, inner = self.at, self._links, self._snake, self._inner
        count, step_to = self._count, self._step_to
        enemy = 1 - side
        own = side * self.span
        foe = enemy * self.span
        before = first - step
        from_head = at[before] == side and count[links[own + before]] <= 1
        origin: i64 = NONE
        if at[first] == EMPTY:
            # 1. If several snakes could be the origin, the line ends here in any case.
            if links[own + first] == 0 or (count[links[own + first]] > 2 and self._is_crowded(side, first, NONE)):
                return False
        elif from_head:  # ruling N-3
            origin = snakes[before]
        else:
            return False
        self.stamp += 1
        stamp = self.stamp
        self._touched_count = 0
        self._parts = 0
        # The number of heads of the grown snake so far, without the end of the line.
        heads: i64 = 0
        flips = False
        on_edge = False
        merges = False
        cell = first
        while True:
            content = at[cell]
            if content == EMPTY:
                if inner[cell] == 0:
                    if not from_head:
                        return False
                    on_edge = True
            elif content == enemy:
                # 2. A line flips no head or egg, and does not end on an enemy stone.
                if not from_head or count[links[foe + cell]] <= 1 or cell == last:
                    return False
                flips = True
            else:
                return False
            ways = links[own + cell]
            while ways:
                stone = cell + step_to[ways]
                ways &= ways - 1
                snake = snakes[stone]
                if self._snake_seen[snake] != stamp:
                    self._snake_seen[snake] = stamp
                    self._touched[self._touched_count] = snake
                    self._touched_count += 1
                    if self._size[snake] > 1:
                        heads += 2
                    if origin == NONE:
                        origin = snake
                if snake != origin:
                    merges = True
                # A touched head becomes a middle stone. An egg becomes a head or, touched twice, a middle stone.
                linked = count[links[own + stone]]
                if linked <= 1:
                    if self._stone_seen[stone] != stamp:
                        self._stone_seen[stone] = stamp
                        heads += 1 - 2 * linked
                    elif linked == 0:
                        heads -= 1
            if content == EMPTY:
                if last < 0 or cell == last:
                    linked = count[links[own + cell]]
                    if cell != first:
                        linked += 1
                    # Conditions 5, 4 (ruling N-5), 3, and 5 for the enemy, which takes longest.
                    if (
                        (heads == 1 if linked == 1 else heads == 2)
                        and (flips or not on_edge)
                        and (linked <= 2 or cell == first or not self._is_crowded(side, cell, origin))
                        and (not flips or self._cuts_well(enemy, first, step, cell))
                    ):
                        if last != _EVERY:
                            return True
                        self._keep(first, cell)
                        if flips:
                            self._toggle(enemy, first, step, cell)
                    if cell == last:
                        return False
                if merges:  # 3.
                    return False
            cell += step

    def _is_crowded(self, color: i64, cell: i64, origin: i64) -> bool:
        """Return whether a cell touches more than two stones of a snake other than the origin."""
        snakes, step_to = self._snake, self._step_to
        ways = self._links[color * self.span + cell]
        while ways:
            snake = snakes[cell + step_to[ways]]
            ways &= ways - 1
            touched: i64 = 1
            others = ways
            while others:
                if snakes[cell + step_to[others]] == snake:
                    touched += 1
                others &= others - 1
            if touched > 2 and snake != origin:
                return True
        return False

    def _cuts_well(self, enemy: i64, first: i64, step: i64, last: i64) -> bool:
        """Return whether all parts that a line cuts off are well formed; if so, remove flipped stones from `_links`."""
        links, seen, step_to = self._links, self._part_seen, self._step_to
        foe = enemy * self.span
        self.stamp += 1
        self._parts = 0
        self._toggle(enemy, first, step, last)
        is_well = True
        cell = first
        while is_well and cell != last:
            if self.at[cell] == enemy:
                ways = links[foe + cell]
                while is_well and ways:
                    stone = cell + step_to[ways]
                    ways &= ways - 1
                    is_well = seen[stone] == self.stamp or self._find_part(foe, stone)
            cell += step
        if not is_well:
            self._toggle(enemy, first, step, last)
        return is_well

    def _toggle(self, enemy: i64, first: i64, step: i64, last: i64) -> None:
        """Remove the flipped stones of a line from `_links`, or restore them."""
        at, links, steps, back = self.at, self._links, self.steps, self._back
        foe = enemy * self.span
        direction: i64
        while first != last:
            if at[first] == enemy:
                for direction in range(6):
                    links[foe + first + steps[direction]] ^= back[direction]
            first += step

    def _find_part(self, foe: i64, stone: i64) -> bool:
        """Find the part of a cut snake that contains a stone, and return whether it is well formed."""
        links, seen, queue, step_to, count = self._links, self._part_seen, self.queue, self._step_to, self._count
        stamp = self.stamp
        start = self._part_start[self._parts]
        queue[start] = stone
        seen[stone] = stamp
        heads: i64 = 0
        place = start
        end = start + 1
        while place < end:
            cell = queue[place]
            place += 1
            ways = links[foe + cell]
            if count[ways] == 1:
                heads += 1
            while ways:
                # Writing the stone in either case saves a branch that the processor could not predict.
                other = cell + step_to[ways]
                ways &= ways - 1
                queue[end] = other
                if seen[other] != stamp:
                    end += 1
                seen[other] = stamp
        self._parts += 1
        self._part_start[self._parts] = end
        return heads == 2 or end == start + 1

    def _play(self, side: i64, first: i64, step: i64, last: i64) -> None:
        """Carry out the line that `_is_legal` accepted last."""
        snakes, ring, size, queue, touched = self._snake, self._ring, self._size, self.queue, self._touched
        index: i64
        place: i64
        for index in range(self._parts):
            start, end = self._part_start[index], self._part_start[index + 1]
            snake = queue[start]
            cell = queue[end - 1]
            for place in range(start, end):
                ring[cell] = queue[place]
                cell = queue[place]
                snakes[cell] = snake
            size[snake] = end - start
        grown = touched[0]
        for index in range(1, self._touched_count):
            grown = self._merge(touched[index], grown)
        while first != last:
            self._put(side, first, grown)
            first += step
        self._put(side, last, grown)

    def _merge(self, snake: i64, grown: i64) -> i64:
        """Merge two snakes; return the merged snake."""
        snakes, ring, size = self._snake, self._ring, self._size
        if size[snake] > size[grown]:
            snake, grown = grown, snake
        size[grown] += size[snake]
        cell = snake
        while snakes[cell] != grown:
            snakes[cell] = grown
            cell = ring[cell]
        # Swapping one link of each merges two rings into one.
        ring[snake], ring[grown] = ring[grown], ring[snake]
        return grown

    def _find_lines(self, which: i64) -> bool:
        """Find legal lines: with _ANY, return whether one exists; with _EVERY, add all to `_found`."""
        at, links, inner, steps, count = self.at, self._links, self._inner, self.steps, self._count
        side = self.side
        enemy = 1 - side
        own = side * self.span
        foe = enemy * self.span
        for cell in self.cells:
            ways = links[own + cell]
            content = at[cell]
            if content == EMPTY:
                if ways == 0 or inner[cell] == 0:
                    continue
                if self._is_legal(side, cell, steps[0], cell):
                    if which == _ANY:
                        return True
                    self._keep(cell, cell)
                # A longer line without flips starts next to a single snake, with at most two adjacent stones.
                if count[ways] > 2 or self._touched_count > 1:
                    continue
                for step in steps:
                    if at[cell + step] == EMPTY and inner[cell + step] and self._is_legal(side, cell, step, which):
                        return True
            elif content == side and count[ways] <= 1:
                # Lines with flips start at a head and cross a run of middle stones that an empty cell follows.
                for step in steps:
                    stone = cell + step
                    while at[stone] == EMPTY:
                        stone += step
                    met = stone
                    while at[stone] == enemy and count[links[foe + stone]] > 1:
                        stone += step
                    if stone != met and at[stone] == EMPTY and self._is_legal(side, cell + step, step, which):
                        return True
        return False

    def _keep(self, first: i64, last: i64) -> None:
        rank = self._rank
        self._found.append(rank[first] << CELL_BITS | (0 if first == last else rank[last] + 1))

    def score(self) -> Ending | None:
        at, snakes = self.at, self._snake
        lengths: tuple[list[int], list[int]] = ([], [])
        for cell in self.cells:
            if at[cell] != EMPTY and snakes[cell] == cell:  # each snake once
                lengths[at[cell]].append(self._size[cell])
        black, white = sorted(lengths[BLACK], reverse=True), sorted(lengths[WHITE], reverse=True)
        if black == white:
            # Ruling N-6.
            return DRAW if self.last == NONE else self.last, black, white
        if not self.reverse:
            return BLACK if black > white else WHITE, black, white
        shortest = min(length for length in (*black, *white) if black.count(length) != white.count(length))
        return BLACK if black.count(shortest) < white.count(shortest) else WHITE, black, white
