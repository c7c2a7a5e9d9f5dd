"""Sunspot on arrays. Left to the engine: nothing but turn texts that are not in the plain spelling."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from hexrec.rules.kernels.grid import BLACK, EMPTY, GOING_ON, Ending, Grid, Kernel, zeros

#: By direction, the bit that stands for it: the last one lowest, as `_closes` shifts them in.
_BITS: Final = (32, 16, 8, 4, 2, 1)
_EVERY_DIRECTION: Final = 63
#: What `_sight` is around the board: not blocked, and no direction that a stone could block.
_OUTSIDE: Final = 64
#: The part that a turn lacks; what is no name of a cell is read as this, and so is `pass` (see PASS).
_NONE: Final = -1


class SunspotKernel(Kernel):
    """Place, then perhaps flip and pay for it; close a loop to win.

    There is no loop before a turn, so only stones that are new in their color can close one: see `_closes`, `_flip`.

    `_sight` has, by cell, the bits of the directions in which no stone is on the cell's ray. A ray
    without cells has no stones: a rim cell always sees something. So a stone on a cell is an edge stone if the entry
    is not 0, and then the cell reaches the rim through empty cells, or is on it.
    """

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        super().__init__(grid, names, reverse)
        span = grid.span
        self._at = zeros(span)
        self._sight = zeros(span)
        self._seen = zeros(span)
        self._stamp: i64 = 0
        self._queue = zeros(span)
        self._subgroup = zeros(span)
        self._first: i64 = _NONE
        self._name_of = {cell: name for name, cell in names.items()}
        # Twice around.
        self._bits = vec[i64](list(_BITS + _BITS))
        self._opposite_bits = vec[i64](list(_BITS[3:] + _BITS[:3]))
        # Whether stones around a cell, as a set of directions, form more than one arc.
        self._several_arcs = vec[i64]([(ring & ~(ring << 1 | ring >> 5)).bit_count() // 2 for ring in range(64)])

    def replay(self, opening: list[int], turns: list[object]) -> Ending | None:  # noqa: ARG002
        """See `Kernel.replay`."""
        at, sight, blank, names = self._at, self._sight, self.grid.blank, self.names
        cell: i64
        for cell in range(self.grid.span):
            at[cell] = blank[cell]
            sight[cell] = _EVERY_DIRECTION if blank[cell] == EMPTY else _OUTSIDE
        free: i64 = len(self.grid.cells)
        mover: i64 = BLACK
        winner: i64 = GOING_ON
        self.respelled = None
        index: i64 = -1
        for turn in turns:
            index += 1
            if winner != GOING_ON or not isinstance(turn, str):
                return None
            if "x" in turn:
                parts = turn.split("x")
                if len(parts) > 3:
                    return None
                placed: i64 = names.get(parts[0], _NONE)
                flip: i64 = names.get(parts[1], _NONE)
                back: i64 = names.get(parts[2], _NONE) if len(parts) == 3 else _NONE
                if flip == _NONE or (len(parts) == 3 and back == _NONE):
                    return None
                if free:
                    if placed == _NONE or at[placed] != EMPTY:
                        return None
                    self._place(placed, mover)
                    free -= 1
                elif parts[0]:
                    return None
                if not self._may_flip(flip, mover):
                    return None
                due = self._find_subgroup(back, flip, mover)
                if due < 0:
                    return None
                if back != _NONE and self._first != back:
                    self._respell(turns, index, f"{parts[0]}x{parts[1]}x{self._name_of[self._first]}")
                winner = self._flip(placed, flip, due, mover)
            elif free:
                placed = names.get(turn, _NONE)
                if placed == _NONE or at[placed] != EMPTY:
                    return None
                self._place(placed, mover)
                free -= 1
                if self._closes(placed, mover):
                    winner = mover
            elif turn != "pass" or self._can_flip(mover):
                return None
            mover = 1 - mover
        return winner, None, None

    def _respell(self, turns: list[object], index: i64, turn: str) -> None:
        if self.respelled is None:
            self.respelled = turns.copy()
        self.respelled[index] = turn

    def _place(self, cell: i64, mover: i64) -> None:
        at, sight, steps, opposite_bits = self._at, self._sight, self.grid.steps, self._opposite_bits
        at[cell] = mover
        direction: i64 = 0
        while direction < 6:
            step = steps[direction]
            back = opposite_bits[direction]
            # Behind a cell that was blocked in this direction before, all are.
            other = cell + step
            while sight[other] & back:
                sight[other] ^= back
                other += step
            direction += 1

    def _closes(self, cell: i64, color: i64) -> bool:
        """Return whether a stone of `color` added on a cell closes a loop of that color, which had none without it.

        It does when it cuts the other cells around it off from each other, and some of them off from the rim.
        """
        at, sight, steps, bits = self._at, self._sight, self.grid.steps, self._bits
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
        # Around from a stone of an arc to the same stone again, which ends the last gap.
        end = direction + 6
        gap: i64 = _NONE
        is_open = False
        while direction < end:
            direction += 1
            if not ring & bits[direction]:
                gap = cell + steps[direction % 6]
                if open_ & bits[direction]:
                    is_open = True
            elif gap != _NONE:
                if not is_open and not self._escapes(gap, color):
                    return True
                gap = _NONE
                is_open = False
        return False

    def _escapes(self, start: i64, color: i64) -> bool:
        """Return whether a cell that is not of `color` reaches the rim through such cells."""
        at, sight, seen, queue, steps = self._at, self._sight, self._seen, self._queue, self.grid.steps
        self._stamp += 1
        stamp = self._stamp
        seen[start] = stamp
        queue[0] = start
        first: i64 = 0
        last: i64 = 1
        while first < last:
            cell = queue[first]
            first += 1
            for step in steps:
                other = cell + step
                if at[other] != color and seen[other] != stamp:
                    if sight[other]:
                        return True
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        return False

    def _may_flip(self, stone: i64, mover: i64) -> bool:
        """Return whether a cell holds an interior stone of a combined enemy group."""
        return self._at[stone] == 1 - mover and not self._sight[stone] and self._is_combined(stone, 1 - mover)

    def _can_flip(self, mover: i64) -> bool:
        """Return whether there is anything to flip."""
        at, sight, steps = self._at, self._sight, self.grid.steps
        # In a combined group some interior stone is next to an edge stone.
        for cell in self.grid.cells:
            if at[cell] == 1 - mover and not sight[cell]:
                for step in steps:
                    if at[cell + step] == 1 - mover and sight[cell + step]:
                        return True
        return False

    def _is_combined(self, stone: i64, color: i64) -> bool:
        """Return whether an interior stone, if it were of `color`, would be connected with an edge stone of it."""
        at, sight, seen, queue, steps = self._at, self._sight, self._seen, self._queue, self.grid.steps
        self._stamp += 1
        stamp = self._stamp
        seen[stone] = stamp
        queue[0] = stone
        first: i64 = 0
        last: i64 = 1
        while first < last:
            cell = queue[first]
            first += 1
            for step in steps:
                other = cell + step
                if at[other] == color and seen[other] != stamp:
                    if sight[other]:
                        return True
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        return False

    def _find_subgroup(self, back: i64, flip: i64, mover: i64) -> i64:
        """Put the edge subgroup of the stone `back` into `_subgroup` and return how many stones it has.

        Return -1 if that is not what a flip of the stone `flip` demands. `_first` becomes the subgroup's first stone in
        board order, which names it in the canonical spelling.
        """
        at, sight, seen, steps = self._at, self._sight, self._seen, self.grid.steps
        if back == _NONE:
            return -1 if self._is_combined(flip, mover) else 0
        if at[back] != mover or not sight[back]:
            return -1
        subgroup, rest = self._subgroup, self._queue
        self._stamp += 1
        stamp = self._stamp
        seen[back] = stamp
        self._first = back
        subgroup[0] = back
        first: i64 = 0
        last: i64 = 1
        rest_first: i64 = 0
        rest_last: i64 = 0
        connected = False
        cell: i64
        # First the subgroup, noting the interior stones next to it; then, if necessary, on from these.
        while first < last or (rest_first < rest_last and not connected):
            is_of_subgroup = first < last
            if is_of_subgroup:
                cell = subgroup[first]
                first += 1
            else:
                cell = rest[rest_first]
                rest_first += 1
            for step in steps:
                other = cell + step
                if other == flip:
                    connected = True
                elif at[other] == mover and seen[other] != stamp:
                    seen[other] = stamp
                    if is_of_subgroup and sight[other]:
                        subgroup[last] = other
                        last += 1
                        if other < self._first:
                            self._first = other
                    else:
                        rest[rest_last] = other
                        rest_last += 1
        return last if connected else -1

    def _flip(self, placed: i64, stone: i64, due: i64, mover: i64) -> i64:
        """Flip an enemy stone, and back the first `due` stones of `_subgroup`; return who has a loop then.

        New stones are set one by one, and each loop is closed by one of them. The later ones do not fill what it cuts
        off: those flipped back see the rim, and the flipped stone, of a combined group, was not cut off alone.
        """
        at, subgroup, steps = self._at, self._subgroup, self.grid.steps
        enemy = 1 - mover
        index: i64 = 0
        while index < due:
            at[subgroup[index]] = EMPTY
            index += 1
        if placed != _NONE and at[placed] == mover and self._closes(placed, mover):
            return mover
        at[stone] = mover
        if self._closes(stone, mover):
            return mover
        # A stone that leaves its own ring leaves a loop.
        direction: i64 = 0
        while at[stone + steps[direction]] == enemy:
            direction += 1
            if direction == 6:
                return enemy
        winner: i64 = GOING_ON
        index = 0
        while index < due:
            at[subgroup[index]] = enemy
            if winner == GOING_ON and self._closes(subgroup[index], enemy):
                winner = enemy
            index += 1
        return winner


KERNEL = SunspotKernel
