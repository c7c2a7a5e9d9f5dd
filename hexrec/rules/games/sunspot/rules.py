"""Rules of Sunspot: place a stone, optionally flip an interior enemy stone and flip back; close a loop to win.

A turn has three parts: the placement, the flip, and a stone of the edge subgroup to flip back; NONE stands for a
missing part.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64
from hexrec.rules.grid import (
    BLACK,
    CELL,
    CELL_BITS,
    DRAW,
    EMPTY,
    FIRST_CODE,
    LEGAL,
    NOBODY,
    NONE,
    OCCUPIED,
    OFF,
    PASS,
    UNREAD,
    WHITE,
    Grid,
    Tables,
    array,
    filled,
    pack,
    zeros,
)

#: The codes of the rules, in the order of `Sunspot.codes`.
PASS_BEFORE_FULL: Final = FIRST_CODE
PLACEMENT_MISSING: Final = FIRST_CODE + 1
BOARD_FULL: Final = FIRST_CODE + 2
PASS_WITH_FLIP: Final = FIRST_CODE + 3
FLIP_OWN: Final = FIRST_CODE + 4
FLIP_EMPTY: Final = FIRST_CODE + 5
FLIP_EDGE: Final = FIRST_CODE + 6
FLIP_NOT_COMBINED: Final = FIRST_CODE + 7
FLIP_BACK_NOT_DUE: Final = FIRST_CODE + 8
FLIP_BACK_MISSING: Final = FIRST_CODE + 9
FLIP_BACK_INTERIOR: Final = FIRST_CODE + 10
FLIP_BACK_ELSEWHERE: Final = FIRST_CODE + 11
FLIP_BACK_ENEMY: Final = FIRST_CODE + 12
FLIP_BACK_EMPTY: Final = FIRST_CODE + 13
SETUP_OVER: Final = FIRST_CODE + 14

#: Values of `sight`: a bit for each direction on the board, and off the board another one.
EVERY_DIRECTION: Final = 63
OUTSIDE: Final = 64
#: Values of `changes`: bits for targets, which some share if there are more, and one for exposed stones.
TARGET_BITS: Final = 30
EXPOSED_BIT: Final = 1073741824


class Sunspot(Grid):
    """Position of Sunspot.

    Attributes:
        sight: by cell, the bits of the directions in which its ray has no stone. A stone is an edge stone if this is
            not 0, else an interior stone. A cell on the edge of the board has a ray without cells.
        subgroup, subgroup_count: the stones of the edge subgroup that was found last; in a turn, those flipped back.
        subgroup_first: the first of these stones in board order.
        targets, target_count: the stones that can be flipped, as `find_targets` found them, and their number.
        order, rank: the parts of turns in order, and by part its index; see `order_parts`.
        keys, flips: the legal flips without a placement, sorted, as keys and as moves.
        changes: by cell, the `targets` whose flips a placement there may change, as bits.
        exposed, exposed_count: the enemy stones that one placement makes interior, and their number.
        changed: by index in `targets`, 1 if the placement being tried changes its flips, 2 if it makes them illegal.
        group, next_group: by stone, the number of its group, and that of the next group to be found.
        first_group: the number of the first group that is still up to date.
        backs, ends: the ranks of the first stones of the edge subgroups, group by group; for each group, counted from
            `first_group`, the index of its first one.
        taken, flip_count: by group, the number of the last flip that joins it, and the number of flips so far.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        super().__init__(tables, variant)
        self.has_synonyms = True
        self.sight = filled(self.span, OUTSIDE)
        for cell in self.cells:
            self.sight[cell] = EVERY_DIRECTION
        self.subgroup = tables.zero[:]
        self.subgroup_count: i64 = 0
        self.subgroup_first: i64 = NONE
        self.targets = tables.zero[:]
        self.target_count: i64 = 0
        # These are only needed, and so prepared, to list moves.
        self.order = zeros(0)
        self.rank = zeros(0)
        self.keys = zeros(0)
        self.flips = zeros(0)
        self.changes = zeros(0)
        self.exposed = zeros(0)
        self.exposed_count: i64 = 0
        self.changed = zeros(0)
        self.group = zeros(0)
        self.next_group: i64 = 1
        self.first_group: i64 = 1
        self.backs = zeros(0)
        self.ends = zeros(0)
        self.taken = zeros(0)
        self.flip_count: i64 = 0

    # Turns.

    def take_turn(self, move: i64) -> i64:
        placed = move & CELL
        flip = move >> CELL_BITS & CELL
        back = move >> 2 * CELL_BITS
        code = self.placement_code(placed, flip)
        if code != LEGAL:
            return code
        is_p1b = "P-1b" in self.readings
        standing: list[list[int]] = []
        if is_p1b and flip == NONE:
            standing = self.cut_off()
        if placed != NONE:
            self.put(placed, self.side, 1)
        if is_p1b and flip != NONE:
            standing = self.cut_off()
        self.subgroup_count = 0
        if flip != NONE:
            code = self.flip_code(flip, back)
            if code != LEGAL:
                if placed != NONE:
                    self.remove(placed)
                return code
            self.at[flip] = self.side
            index: i64
            for index in range(self.subgroup_count):
                self.at[self.subgroup[index]] = 1 - self.side
        self.passed = move == PASS  # passes do not end the game
        self.winner = self.new_loop_owner(standing) if is_p1b else self.loop_owner(placed, flip)
        if self.winner == NOBODY and self.is_stuck(1 - self.side):
            self.winner = DRAW
        return LEGAL

    def placement_code(self, placed: i64, flip: i64) -> i64:
        """Return the code of the rule that a turn breaks by its placement, or by having none."""
        if placed != NONE and self.at[placed] == EMPTY:
            return LEGAL
        if self.has_empty_cell():
            if placed != NONE:
                return OCCUPIED
            return PASS_BEFORE_FULL if flip == NONE else PLACEMENT_MISSING
        if placed != NONE:
            return BOARD_FULL
        # Without a flip on a full board, the turn is a pass (ruling P-2). By reading P-2b, the game is over instead.
        if flip == NONE and ("P-2b" in self.readings or self.find_targets(1 - self.side) > 0):
            return PASS_WITH_FLIP
        return LEGAL

    def is_stuck(self, color: i64) -> bool:
        """Return whether the game ends by reading P-2b: the board is full, and a color has nothing to flip."""
        if "P-2b" not in self.readings or self.has_empty_cell():
            return False
        return self.find_targets(1 - color) == 0

    def flip_code(self, flip: i64, back: i64) -> i64:
        """Return the code of the first rule that a flip breaks after the placement.

        If it is legal, `subgroup` has the stones to flip back.
        """
        enemy = 1 - self.side
        if self.at[flip] == self.side:
            return FLIP_OWN
        if self.at[flip] == EMPTY:
            return FLIP_EMPTY
        if self.sight[flip] != 0:
            return FLIP_EDGE
        if not self.reaches_edge(flip, enemy, True):
            return FLIP_NOT_COMBINED
        if back != NONE and self.at[back] == self.side and self.sight[back] != 0:
            self.stamp += 1
            self.subgroup_count = self.find_subgroup(back)
            self.stamp += 1
            self.spread(back, self.side)
            if self.has_found_neighbor(flip):
                return LEGAL
        is_due = self.reaches_edge(flip, self.side, True)
        if back == NONE:
            return FLIP_BACK_MISSING if is_due else LEGAL
        if not is_due:
            return FLIP_BACK_NOT_DUE
        self.stamp += 1
        self.spread(flip, self.side)
        if self.seen[back] == self.stamp:
            return FLIP_BACK_INTERIOR
        if self.at[back] == self.side:
            return FLIP_BACK_ELSEWHERE
        return FLIP_BACK_ENEMY if self.at[back] == enemy else FLIP_BACK_EMPTY

    def find_subgroup(self, back: i64) -> i64:
        """Put the edge subgroup of a stone of the side to move into `subgroup`; return its number of stones.

        Their number in `seen` becomes the negative stamp.
        """
        at, sight, seen, subgroup, steps = self.at, self.sight, self.seen, self.subgroup, self.steps
        side, mark = self.side, -self.stamp
        seen[back] = mark
        subgroup[0] = back
        lowest = back
        first: i64 = 0
        last: i64 = 1
        while first < last:
            cell = subgroup[first]
            first += 1
            for step in steps:
                other = cell + step
                if at[other] == side and sight[other] != 0 and seen[other] != mark:
                    seen[other] = mark
                    subgroup[last] = other
                    last += 1
                    lowest = min(lowest, other)
        self.subgroup_first = lowest
        return last

    def canonical(self, move: i64) -> i64:
        # Any stone of an edge subgroup can name it; the first in board order does.
        placed = move & CELL
        back = move >> 2 * CELL_BITS
        if self.find_subgroup_after(placed, back) != 0:
            back = self.subgroup_first
        return pack(placed, move >> CELL_BITS & CELL, back)

    def find_subgroup_after(self, placed: i64, back: i64) -> i64:
        """Put the edge subgroup of a stone after a placement, or NONE, into `subgroup`; return its number of stones.

        Return 0 if it is no edge stone of the side to move. The position does not change.
        """
        if back == NONE:
            return 0
        is_possible = self.at[placed] == EMPTY
        if is_possible:
            self.put(placed, self.side, 1)
        count: i64 = 0
        if self.at[back] == self.side and self.sight[back] != 0:
            self.stamp += 1
            count = self.find_subgroup(back)
        if is_possible:
            self.remove(placed)
        return count

    # The end.

    def loop_owner(self, placed: i64, flip: i64) -> i64:
        """Return the winner by a loop after a turn with this placement and flip, or NOBODY.

        The stones of `subgroup` have been flipped back. There was no loop before the turn. So those stones that are
        new in their color are taken off and return one by one, and one of them closes each loop. Later ones cannot fill
        it: a stone flipped back sees the edge, and the flipped stone, of a combined group, was not alone in the loop.
        """
        at, subgroup = self.at, self.subgroup
        side, enemy = self.side, 1 - self.side
        if flip == NONE:
            return side if placed != NONE and self.closes(placed, side) else NOBODY
        winner: i64 = NOBODY
        index: i64
        for index in range(self.subgroup_count):
            at[subgroup[index]] = EMPTY
        at[flip] = EMPTY
        # If both have a loop, that of the side to move wins (ruling P-1).
        if placed != NONE and at[placed] == side and self.closes(placed, side):
            winner = side
        at[flip] = side
        if winner == NOBODY and self.closes(flip, side):
            winner = side
        if winner == NOBODY and self.is_surrounded(flip, enemy):
            winner = enemy
        for index in range(self.subgroup_count):
            at[subgroup[index]] = enemy
            if winner == NOBODY and self.closes(subgroup[index], enemy):
                winner = enemy
        return winner

    def cut_off(self) -> list[list[int]]:
        """Return, by color, the cells that its loops cut off from the edge."""
        return [self.enclosed(BLACK), self.enclosed(WHITE)]

    def new_loop_owner(self, standing: list[list[int]]) -> i64:
        """Return the winner by reading P-1b: only a loop counts that cuts off a cell that was not cut off just before.

        Before means before the turn, or, when the turn flips, before the flip.
        """
        now = self.cut_off()
        owner: i64 = NOBODY
        color: i64
        for color in range(2):
            for cell in now[color]:
                if cell not in standing[color] and owner != self.side:
                    owner = color
        return owner

    def closes(self, stone: i64, color: i64) -> bool:
        """Return whether a new stone closes the first loop of its color.

        It does if it separates the other adjacent cells from each other, and some of them from the edge.
        """
        at, steps = self.at, self.steps
        ring: i64 = 0
        bit: i64 = 1
        for step in steps:
            if at[stone + step] == color:
                ring |= bit
            bit += bit
        # Around the stone, the first cell of each gap between stones of its color.
        gaps = (ring << 1 | ring >> 5) & ~ring & EVERY_DIRECTION
        if gaps & (gaps - 1) == 0:  # one gap at most
            return False
        direction: i64
        for direction in range(6):
            if gaps >> direction & 1 != 0:
                cell = stone + steps[direction]
                if self.sight[cell] == 0 and not self.reaches_edge(cell, color, False):
                    return True
        return False

    def is_surrounded(self, cell: i64, color: i64) -> bool:
        """Return whether all adjacent cells have stones of a color."""
        at, steps = self.at, self.steps
        for step in steps:
            if at[cell + step] != color:
                return False
        return True

    def fault(self) -> i64:
        return LEGAL if self.fault_cell() == NONE and not self.is_stuck(self.side) else SETUP_OVER

    def fault_cell(self) -> i64:
        if "P-1b" in self.readings:
            return NONE
        on_loop = self.first_on_loop(BLACK)
        return self.first_on_loop(WHITE) if on_loop == NONE else on_loop

    def first_on_loop(self, color: i64) -> i64:
        """Return the first stone of a color that is adjacent to a cell cut off from the edge by it, or NONE."""
        lowest: i64 = NONE
        for cell in self.enclosed(color):
            for step in self.steps:
                other = cell + step
                if self.at[other] == color and (lowest == NONE or other < lowest):
                    lowest = other
        return lowest

    def enclosed(self, color: i64) -> list[int]:
        """Return the cells that the loops of a color, wherever they are (ruling P-1), cut off from the edge."""
        at, seen, queue, steps = self.at, self.seen, self.queue, self.steps
        self.stamp += 1
        stamp = self.stamp
        first: i64 = 0
        last: i64 = 0
        for cell in self.cells:
            if at[cell] != color and self.tables.edge[cell] != 0:
                seen[cell] = stamp
                queue[last] = cell
                last += 1
        while first < last:
            reached = queue[first]
            first += 1
            for step in steps:
                other = reached + step
                if at[other] != color and at[other] != OFF and seen[other] != stamp:
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        found: list[int] = []
        for cell in self.cells:
            if at[cell] != color and seen[cell] != stamp:
                found.append(cell)
        return found

    # Searches.

    def has_found_neighbor(self, cell: i64) -> bool:
        """Return whether the last search found an adjacent cell."""
        for step in self.steps:
            if self.seen[cell + step] == self.stamp:
                return True
        return False

    def has_neighbor(self, cell: i64, color: i64) -> bool:
        """Return whether a cell has an adjacent stone of a color."""
        at, steps = self.at, self.steps
        for step in steps:
            if at[cell + step] == color:
                return True
        return False

    def has_empty_cell(self) -> bool:
        """Return whether a stone can be placed."""
        for cell in self.cells:
            if self.at[cell] == EMPTY:
                return True
        return False

    def reaches_edge(self, start: i64, color: i64, through: bool) -> bool:
        """Return whether a cell is connected to a cell that sees the edge of the board.

        The connection is through stones of a color if `through`, else through all other cells. Without a connection,
        the cells that were found are those whose number in `seen` is the stamp.
        """
        at, sight, seen, queue, steps = self.at, self.sight, self.seen, self.queue, self.steps
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
                    if sight[other] != 0:
                        return True
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        return False

    def find_targets(self, color: i64) -> i64:
        """Put the stones of a color that can be flipped into `targets`: interior stones of combined groups.

        Return their number. The search starts at all edge stones of the color.
        """
        at, sight, seen, queue, targets, steps = self.at, self.sight, self.seen, self.queue, self.targets, self.steps
        self.stamp += 1
        stamp = self.stamp
        count: i64 = 0
        last: i64 = 0
        for cell in self.cells:
            if at[cell] == color and sight[cell] != 0:
                queue[last] = cell
                last += 1
        first: i64 = 0
        while first < last:
            stone = queue[first]
            first += 1
            for step in steps:
                other = stone + step
                if at[other] == color and sight[other] == 0 and seen[other] != stamp:
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
                    targets[count] = other
                    count += 1
        return count

    # The list of legal moves. Most placements change nothing about the flips. So the flips without a placement are
    # found first, together with the placements that change them; only these are tried out.
    #
    # A key is a flip as an integer that sorts like its string. From the highest bits, it has the part in `rank` of the
    # flipped stone, the rank of the stone to flip back, and the index in `targets` of the flipped stone.

    def moves(self) -> list[int]:
        if len(self.order) == 0:
            self.prepare_lists()
        self.find_flips()
        at, changes, flips = self.at, self.changes, self.flips
        found: list[int] = []
        for part in self.order:
            placed = part >> 1
            if at[placed] == EMPTY:
                if part & 1 == 0:
                    found.append(placed)
                elif changes[placed] != 0:
                    self.add_moves(placed, found)
                else:
                    for flip in flips:
                        found.append(placed | flip)
        if len(found) == 0:  # the board is full
            for flip in flips:
                found.append(NONE | flip)
            if len(found) == 0:
                found.append(PASS)
        return found

    def prepare_lists(self) -> None:
        """Make the arrays that only `moves` needs."""
        if "sunspot" not in self.tables.prepared:
            self.tables.prepared["sunspot"] = order_parts(self.tables)
        parts = self.tables.prepared["sunspot"]
        self.order = parts[0]
        self.rank = parts[1]
        self.changes = self.tables.zero[:]
        self.exposed = self.tables.zero[:]
        self.changed = self.tables.zero[:]
        self.group = self.tables.zero[:]
        self.backs = self.tables.zero[:]
        self.ends = self.tables.zero[:]
        self.taken = self.tables.zero[:]

    def find_flips(self) -> None:
        """Find the flips without a placement, and the `changes` by placements."""
        at, changes, exposed, enemy = self.at, self.changes, self.exposed, 1 - self.side
        count: i64 = 0
        for cell in self.cells:
            changes[cell] = 0
        for cell in self.cells:
            if at[cell] == enemy and self.has_one_view(cell) and self.has_neighbor(cell, enemy):
                self.mark_view(cell, EXPOSED_BIT)
                exposed[count] = cell
                count += 1
        self.exposed_count = count
        self.target_count = self.find_targets(enemy)
        self.forget_groups()
        keys: list[int] = []
        index: i64
        for index in range(self.target_count):
            self.add_flips(self.targets[index], index, keys)
            self.mark_changes(self.targets[index], 1 << index % TARGET_BITS)
        keys.sort()
        self.keys = array(keys)
        self.flips = zeros(len(keys))
        for index in range(len(keys)):
            self.flips[index] = self.flip_of(self.keys[index])

    def mark_changes(self, flip: i64, bit: i64) -> None:
        """Add a bit to the `changes` by each placement that changes the flips of a stone."""
        at, queue, steps = self.at, self.queue, self.steps
        self.stamp += 1
        index: i64
        for index in range(self.spread(flip, self.side)):
            stone = queue[index]
            if self.has_one_view(stone):
                self.mark_view(stone, bit)
            for step in steps:
                cell = stone + step
                if at[cell] == EMPTY:
                    self.changes[cell] |= bit

    def has_one_view(self, stone: i64) -> bool:
        """Return whether a stone sees the edge in just one direction."""
        view = self.sight[stone]
        return view != 0 and view & (view - 1) == 0

    def mark_view(self, stone: i64, bit: i64) -> None:
        """Add a bit to the `changes` by placements on the line of a stone that sees the edge in just one direction."""
        direction: i64 = 0
        while self.sight[stone] >> direction != 1:
            direction += 1
        step = self.steps[direction]
        cell = stone + step
        while self.at[cell] == EMPTY:
            self.changes[cell] |= bit
            cell += step

    def add_moves(self, placed: i64, found: list[int]) -> None:
        """Add the moves with a flip after a placement that changes the flips."""
        changed = self.changed
        keys: list[int] = []
        self.put(placed, self.side, 1)
        self.forget_groups()
        index: i64
        for index in range(self.target_count):
            changed[index] = self.changes[placed] >> index % TARGET_BITS & 1
        if self.changes[placed] & EXPOSED_BIT != 0:
            self.add_exposed(keys)
        for index in range(self.target_count):
            if changed[index] == 1:
                self.add_flips(self.targets[index], index, keys)
        self.remove(placed)
        keys.sort()
        added: i64 = 0
        for index in range(len(self.keys)):
            while added < len(keys) and keys[added] < self.keys[index]:
                found.append(placed | self.flip_of(keys[added]))
                added += 1
            if changed[self.keys[index] & CELL] == 0:
                found.append(placed | self.flips[index])
        while added < len(keys):
            found.append(placed | self.flip_of(keys[added]))
            added += 1

    def add_exposed(self, keys: list[int]) -> None:
        """Add the flips of the exposed stones that a placement has made interior."""
        index: i64
        for index in range(self.exposed_count):
            stone = self.exposed[index]
            if self.sight[stone] == 0:
                if self.reaches_edge(stone, 1 - self.side, True):
                    self.add_flips(stone, 0, keys)
                else:  # the group is no longer combined: nothing of it can be flipped
                    target: i64
                    for target in range(self.target_count):
                        if self.seen[self.targets[target]] == self.stamp:
                            self.changed[target] = 2

    def add_flips(self, flip: i64, index: i64, keys: list[int]) -> None:
        """Add the keys of the flips of a stone, one with each edge subgroup to flip back, or one without."""
        at, group, backs, ends = self.at, self.group, self.backs, self.ends
        self.flip_count += 1
        is_combined = False
        for step in self.steps:
            stone = flip + step
            if at[stone] == self.side:
                if group[stone] < self.first_group:
                    self.find_group(stone)
                number = group[stone] - self.first_group
                if self.taken[number] != self.flip_count:
                    self.taken[number] = self.flip_count
                    place: i64
                    for place in range(ends[number], ends[number + 1]):
                        is_combined = True
                        keys.append(pack(index, backs[place], self.rank[2 * flip + 1]))
        if not is_combined:
            keys.append(pack(index, 0, self.rank[2 * flip]))

    def forget_groups(self) -> None:
        """Forget the groups that `find_group` has found: the position has changed."""
        self.first_group = self.next_group

    def find_group(self, stone: i64) -> None:
        """Give the group of a stone of the side to move the next number, and find the `backs` of its edge subgroups."""
        sight, seen, queue = self.sight, self.seen, self.queue
        self.stamp += 1
        stamp = self.stamp
        number = self.next_group - self.first_group
        end = self.ends[number]
        index: i64
        for index in range(self.spread(stone, self.side)):
            member = queue[index]
            self.group[member] = self.next_group
            if sight[member] != 0 and seen[member] == stamp:
                self.find_subgroup(member)
                self.backs[end] = self.tables.rank[self.subgroup_first]
                end += 1
        self.ends[number + 1] = end
        self.next_group += 1

    def flip_of(self, key: i64) -> i64:
        """Return the move of a key, without a placement."""
        part = self.order[key >> 2 * CELL_BITS]
        back: i64 = NONE
        if part & 1 != 0:
            back = self.tables.order[key >> CELL_BITS & CELL]
        return pack(NONE, part >> 1, back)

    # Stones.

    def put(self, cell: i64, color: i64, height: i64) -> None:
        sight, steps = self.sight, self.steps
        self.at[cell] = color
        opposite: i64 = 8  # the bit of the direction opposite to the step
        for step in steps:
            other = cell + step
            while sight[other] & opposite != 0:  # all cells behind a blocked one are blocked already
                sight[other] ^= opposite
                other += step
            opposite += opposite
            if opposite == OUTSIDE:
                opposite = 1

    def remove(self, cell: i64) -> None:
        """Remove the stone from a cell."""
        at, sight, steps = self.at, self.sight, self.steps
        at[cell] = EMPTY
        opposite: i64 = 8
        for step in steps:
            if sight[cell] & opposite != 0:
                other = cell + step
                while at[other] == EMPTY:
                    sight[other] |= opposite
                    other += step
                if at[other] != OFF:
                    sight[other] |= opposite
            opposite += opposite
            if opposite == OUTSIDE:
                opposite = 1

    def state(self) -> list[Cells]:
        return [self.at, self.sight]

    def set_state(self, state: list[Cells]) -> None:
        self.at = state[0]
        self.sight = state[1]

    # Strings.

    @staticmethod
    def codes() -> list[str]:
        return [
            "move/pass-before-full",
            "move/placement-missing",
            "move/board-full",
            "move/pass-with-flip",
            "move/flip-own",
            "move/flip-empty",
            "move/flip-edge",
            "move/flip-not-combined",
            "move/flip-back-not-due",
            "move/flip-back-missing",
            "move/flip-back-interior",
            "move/flip-back-elsewhere",
            "move/flip-back-enemy",
            "move/flip-back-empty",
            "setup/over",
        ]

    def read(self, turn: str) -> i64:
        number_of = self.number_of
        placed: i64 = number_of.get(turn, NONE)
        if placed != NONE:
            return placed
        if turn == "pass":
            return PASS
        parts = turn.split("x")
        if len(parts) < 2 or len(parts) > 3:
            return UNREAD
        if parts[0] != "":
            placed = number_of.get(parts[0], NONE)
            if placed == NONE:
                return UNREAD
        flip: i64 = number_of.get(parts[1], NONE)
        if flip == NONE:
            return UNREAD
        back: i64 = NONE
        if len(parts) == 3:
            back = number_of.get(parts[2], NONE)
            if back == NONE:
                return UNREAD
        return pack(placed, flip, back)

    def write(self, move: i64) -> str:
        if move == PASS:
            return "pass"
        name_of = self.name_of
        flip = move >> CELL_BITS & CELL
        back = move >> 2 * CELL_BITS
        text = name_of[move & CELL]
        if flip == NONE:
            return text
        return f"{text}x{name_of[flip]}" if back == NONE else f"{text}x{name_of[flip]}x{name_of[back]}"


def order_parts(tables: Tables) -> list[Cells]:
    """Return the order of the parts of turns: the names of cells, alone and followed by x.

    A part is 2 * cell for the name alone, and 2 * cell + 1 with the x. The first array has the parts, ordered by their
    strings, the second has by part its index in the first.
    """
    number_of: dict[str, int] = {}
    texts: list[str] = []
    for cell in tables.cells:
        name = tables.name_of[cell]
        number_of[name] = 2 * cell
        number_of[name + "x"] = 2 * cell + 1
        texts.append(name)
        texts.append(name + "x")
    texts.sort()
    order = zeros(len(texts))
    rank = zeros(2 * tables.span)
    index = 0
    for text in texts:
        order[index] = number_of[text]
        rank[number_of[text]] = index
        index += 1
    return [order, rank]
