"""Rules of Sundraval: place stones with a path to the enemy; score the territories of living groups.

A turn is a cell, or PASS.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64
from hexrec.rules.grid import (
    BLACK,
    DRAW,
    EMPTY,
    FIRST_CODE,
    LEGAL,
    OCCUPIED,
    PASS,
    WHITE,
    CellGrid,
    Tables,
    array,
    larger,
    sort_descending,
    zeros,
)

#: The code of the only rule of the game's own.
NO_PATH: Final = FIRST_CODE


class Sundraval(CellGrid):
    """Position of Sundraval.

    Attributes:
        halves: by color, the score at the end, in half points.

    `settle` finds these. Groups have numbers from 0, in the order of their first cells:

    Attributes:
        ground: `at` without the strangled groups.
        groups: the number of groups.
        group_at: by stone, its group.
        colors, sizes, firsts: by group, its color, its number of stones, and its first cell.
        territories_before: by group, the number of territories that it touches before the removal of strangled groups.
        degrees, links: by group, the number of groups to which it has a path, and these, from ``group * groups`` on.
        is_linked: by ``group * groups + other``, 1 if there is a path between them.
        firm: by group, 1 if it is alive whether or not others are.
        alive, strangled: by group, 1 if it is certainly alive, and if it is strangled.
        undecided: by group, 1 if ruling S-1 alone does not decide about it.
        territories: by group, the number of territories that it touches after the removal.
        scored: by group, the number of those that count for it.
        areas: by color, the sizes of its territories after the removal, in descending order.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        super().__init__(tables, variant)
        self.has_pass = True
        self.halves = zeros(2)
        self.ground = zeros(0)
        self.groups: i64 = 0
        self.group_at = zeros(0)
        self.colors = zeros(0)
        self.sizes = zeros(0)
        self.firsts = zeros(0)
        self.territories_before = zeros(0)
        self.degrees = zeros(0)
        self.links = zeros(0)
        self.is_linked = zeros(0)
        self.firm = zeros(0)
        self.alive = zeros(0)
        self.strangled = zeros(0)
        self.undecided = zeros(0)
        self.territories = zeros(0)
        self.scored = zeros(0)
        self.areas: list[list[int]] = [[], []]

    @staticmethod
    def codes() -> list[str]:
        return ["move/no-path"]

    # Turns.

    def take_turn(self, move: i64) -> i64:
        if move == PASS:
            self.pass_turn()
            return LEGAL
        if self.at[move] != EMPTY:
            return OCCUPIED
        if not self.has_path(move, 1 - self.side):
            return NO_PATH
        self.at[move] = self.side
        self.passed = False
        return LEGAL

    def has_path(self, cell: i64, enemy: i64) -> bool:
        """Return whether the region of an empty cell touches an enemy stone."""
        self.stamp += 1
        return self.spread_until(cell, EMPTY, enemy) == 0

    def open_cells(self) -> Cells:
        at, steps = self.at, self.steps
        enemy = 1 - self.side
        marked = self.tables.zero[:]
        marked[PASS] = 1
        for cell in self.cells:
            # Usually a neighbor before the cell in board order has the same region, and no search is needed.
            if at[cell] == EMPTY and (
                marked[cell + steps[3]] != 0
                or marked[cell + steps[4]] != 0
                or marked[cell + steps[5]] != 0
                or self.has_path(cell, enemy)
            ):
                marked[cell] = 1
        return marked

    # The score.

    def finish(self) -> None:
        self.settle()
        black = self.half_points(BLACK)
        white = self.half_points(WHITE)
        self.halves[BLACK] = black
        self.halves[WHITE] = white
        # Equal totals without a half point are a draw (ruling S-4).
        self.winner = DRAW if black == white else BLACK if black > white else WHITE

    def points(self, color: i64) -> float:
        return self.halves[color] / 2

    def half_points(self, color: i64) -> i64:
        """Return the score of a color after `settle`, in half points: N(N+1) for a group with N territories."""
        # The color with the larger territories gets half a point.
        halves: i64 = 1 if larger(self.areas[BLACK], self.areas[WHITE]) == color else 0
        group: i64
        for group in range(self.groups):
            if self.colors[group] == color:
                halves += self.scored[group] * (self.scored[group] + 1)
        return halves

    def settle(self) -> None:
        """Find the strangled groups of the position, remove them from `ground`, and find the territories that are left.

        Whether groups are strangled is decided on the position before any removal.
        """
        ground = self.at[:]
        self.ground = ground
        self.find_groups()
        self.find_regions(True)
        self.find_strangled()
        group_at, strangled = self.group_at, self.strangled
        removed = False
        for cell in self.cells:
            if ground[cell] != EMPTY and strangled[group_at[cell]] != 0:
                ground[cell] = EMPTY
                removed = True
        if removed:
            self.find_regions(False)

    def find_groups(self) -> None:
        """Find the groups, and the enemies adjacent to each other."""
        at, seen, queue = self.at, self.seen, self.queue
        group_at = zeros(self.span)
        self.group_at = group_at
        colors: list[int] = []
        sizes: list[int] = []
        firsts: list[int] = []
        self.stamp += 1
        index: i64
        for start in self.cells:
            if at[start] != EMPTY and seen[start] != self.stamp:
                group = len(colors)
                size = self.spread(start, at[start])
                colors.append(at[start])
                sizes.append(size)
                firsts.append(start)
                for index in range(size):
                    group_at[queue[index]] = group
        self.groups = len(colors)
        self.colors = array(colors)
        self.sizes = array(sizes)
        self.firsts = array(firsts)
        self.degrees = zeros(self.groups)
        self.links = zeros(self.groups * self.groups)
        self.is_linked = zeros(self.groups * self.groups)
        for stone in self.cells:
            if at[stone] == BLACK:
                for step in self.steps:
                    if at[stone + step] == WHITE:
                        self.link(group_at[stone], group_at[stone + step])

    def link(self, group: i64, other: i64) -> None:
        """Note that two groups have a path between them."""
        groups, links, degrees, is_linked = self.groups, self.links, self.degrees, self.is_linked
        if is_linked[group * groups + other] == 0:
            is_linked[group * groups + other] = 1
            is_linked[other * groups + group] = 1
            links[group * groups + degrees[group]] = other
            degrees[group] += 1
            links[other * groups + degrees[other]] = group
            degrees[other] += 1

    def find_regions(self, linking: bool) -> None:
        """Find the regions of empty cells on the `ground`: the territories of each group, and their sizes by color.

        A territory that touches several groups counts for each of them (ruling S-3); by reading S-3b, it counts for the
        largest of them, and of equal ones for the one with the first cell. With `linking`, note that groups that touch
        the same region have a path between them.
        """
        ground, seen, queue, group_at, steps = self.ground, self.seen, self.queue, self.group_at, self.steps
        touching = zeros(self.groups)
        touched_in = zeros(self.groups)
        self.territories = zeros(self.groups)
        self.scored = self.territories
        if "S-3b" in self.readings:
            self.scored = zeros(self.groups)
        self.areas = [[], []]
        self.stamp += 1
        regions: i64 = 0
        index: i64
        other: i64
        for start in self.cells:
            if ground[start] != EMPTY or seen[start] == self.stamp:
                continue
            regions += 1
            groups: i64 = 0
            touches_black = False
            touches_white = False
            seen[start] = self.stamp
            queue[0] = start
            first: i64 = 0
            last: i64 = 1
            while first < last:
                cell = queue[first]
                first += 1
                for step in steps:
                    beside = cell + step
                    if ground[beside] == EMPTY:
                        if seen[beside] != self.stamp:
                            seen[beside] = self.stamp
                            queue[last] = beside
                            last += 1
                    elif ground[beside] <= WHITE:
                        if ground[beside] == BLACK:
                            touches_black = True
                        else:
                            touches_white = True
                        group = group_at[beside]
                        if touched_in[group] != regions:
                            touched_in[group] = regions
                            touching[groups] = group
                            groups += 1
            if touches_black != touches_white:
                self.areas[BLACK if touches_black else WHITE].append(last)
                largest = touching[0]
                for index in range(groups):
                    group = touching[index]
                    self.territories[group] += 1
                    size = self.sizes[group]
                    if size > self.sizes[largest] or (size == self.sizes[largest] and group < largest):
                        largest = group
                if "S-3b" in self.readings:
                    self.scored[largest] += 1
            if linking:
                for index in range(groups):
                    for other in range(index):
                        self.link(touching[index], touching[other])
        sort_descending(self.areas[BLACK])
        sort_descending(self.areas[WHITE])

    # Strangled groups.

    def find_strangled(self) -> None:
        """Find the strangled groups.

        By ruling S-1, a group is alive if that can be derived. It is alive if it has a territory; or if no enemy group
        with a path to it is larger or has a territory; or if a friendly group with a path to it is alive; or if a
        smaller enemy group with a path to it is strangled. Where this leaves groups undecided, ruling S-2 decides about
        some of them, and then S-1 about others.
        """
        self.territories_before = self.territories
        self.firm = zeros(self.groups)
        self.alive = zeros(self.groups)
        self.strangled = zeros(self.groups)
        group: i64
        for group in range(self.groups):
            if self.territories_before[group] != 0 or not self.is_threatened(group):
                self.firm[group] = 1
        left = self.derive_all()
        self.undecided = left
        while self.decide_tie(left):
            left = self.derive_all()

    def derive_all(self) -> Cells:
        """Find the groups that are alive or strangled by ruling S-1; return the others.

        A group is possibly alive if it can be derived to be alive while all groups but those certainly alive count as
        strangled. It is certainly alive if it can be derived while only the impossible ones count as strangled.
        """
        group: i64
        changes = True
        possible = self.alive
        while changes:
            possible = self.derive(self.alive)
            certain = self.derive(possible)
            # Once all possible groups are certain, or no others become so, nothing changes any more.
            changes = differ(certain, self.alive) and differ(certain, possible)
            self.alive = certain
        undecided = zeros(self.groups)
        for group in range(self.groups):
            if possible[group] == 0:
                self.strangled[group] = 1
            elif self.alive[group] == 0:
                undecided[group] = 1
        return undecided

    def derive(self, unstrangled: Cells) -> Cells:
        """Return, by group, 1 if it can be derived to be alive when exactly the other groups count as strangled."""
        firm, strangled, colors = self.firm, self.strangled, self.colors
        degrees, links = self.degrees, self.links
        derived = zeros(self.groups)
        queue = self.queue
        last: i64 = 0
        group: i64
        index: i64
        for group in range(self.groups):
            if strangled[group] == 0 and (firm[group] != 0 or self.is_saved(group, unstrangled)):
                derived[group] = 1
                queue[last] = group
                last += 1
        # Friends of living groups live.
        first: i64 = 0
        while first < last:
            friend = queue[first]
            first += 1
            start = friend * self.groups
            for index in range(degrees[friend]):
                other = links[start + index]
                if derived[other] == 0 and colors[other] == colors[friend] and strangled[other] == 0:
                    derived[other] = 1
                    queue[last] = other
                    last += 1
        return derived

    def is_saved(self, group: i64, unstrangled: Cells) -> bool:
        """Return whether a smaller enemy group with a path to a group is strangled."""
        colors, sizes, links = self.colors, self.sizes, self.links
        start = group * self.groups
        index: i64
        for index in range(self.degrees[group]):
            other = links[start + index]
            if unstrangled[other] == 0 and sizes[other] < sizes[group] and colors[other] != colors[group]:
                return True
        return False

    def is_threatened(self, group: i64) -> bool:
        """Return whether an enemy group with a path to a group is larger or has a territory."""
        index: i64
        for index in range(self.degrees[group]):
            other = self.links[group * self.groups + index]
            if self.colors[other] != self.colors[group] and self.is_threat(other, group):
                return True
        return False

    def is_threat(self, enemy: i64, group: i64) -> bool:
        """Return whether an enemy group is larger than a group or has a territory."""
        return self.sizes[enemy] > self.sizes[group] or self.territories_before[enemy] != 0

    def decide_tie(self, undecided: Cells) -> bool:
        """Decide about some undecided groups by ruling S-2; return False if no group is undecided.

        Of the sets of undecided groups that depend on each other and on no other undecided group, the one with the
        smallest group (of equal ones, that with the first cell) is decided: the groups of the color of the smallest are
        strangled, the others alive.
        """
        smallest: i64 = -1
        group: i64
        other: i64
        for group in range(self.groups):
            if undecided[group] != 0 and (smallest < 0 or self.sizes[group] < self.sizes[smallest]):
                reached = self.dependencies(group, undecided)
                is_closed = True
                for other in range(self.groups):
                    if reached[other] != 0 and self.dependencies(other, undecided)[group] == 0:
                        is_closed = False
                if is_closed:
                    smallest = group
        if smallest < 0:
            return False
        tied = self.dependencies(smallest, undecided)
        for group in range(self.groups):
            if tied[group] != 0:
                if self.colors[group] == self.colors[smallest]:
                    self.strangled[group] = 1
                else:
                    self.firm[group] = 1
        return True

    def dependencies(self, start: i64, undecided: Cells) -> Cells:
        """Return, by group, 1 for an undecided group itself and those on which it depends, directly or not.

        It depends on undecided friendly groups, and on undecided smaller enemy groups, to which it has a path.
        """
        reached = zeros(self.groups)
        queue = self.queue
        reached[start] = 1
        queue[0] = start
        first: i64 = 0
        last: i64 = 1
        index: i64
        while first < last:
            group = queue[first]
            first += 1
            for index in range(self.degrees[group]):
                other = self.links[group * self.groups + index]
                counts = self.colors[other] == self.colors[group] or self.sizes[other] < self.sizes[group]
                if counts and undecided[other] != 0 and reached[other] == 0:
                    reached[other] = 1
                    queue[last] = other
                    last += 1
        return reached

    # The state.

    def state(self) -> list[Cells]:
        return [self.at, self.halves]

    def set_state(self, state: list[Cells]) -> None:
        self.at = state[0]
        self.halves = state[1]


def differ(one: Cells, other: Cells) -> bool:
    """Return whether two arrays of the same length differ."""
    index: i64
    for index in range(len(one)):
        if one[index] != other[index]:
            return True
    return False
