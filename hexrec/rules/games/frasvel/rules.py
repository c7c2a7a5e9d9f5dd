"""Rules of Frasvel: move a stack to absorb enemy stacks, then place; a player who cannot place wins.

A turn has three parts: the start and the landing of the move, and the placement; NONE stands for a missing part.
"""

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64
from hexrec.rules.grid import (
    CELL,
    CELL_BITS,
    EMPTY,
    FIRST_CODE,
    LEGAL,
    NONE,
    OCCUPIED,
    OFF,
    UNREAD,
    Grid,
    Tables,
    pack,
    zeros,
)

#: The codes of the rules, in the order of `Frasvel.codes`.
NO_STACK: Final = FIRST_CODE
NOT_YOUR_STACK: Final = FIRST_CODE + 1
NOT_IN_LINE: Final = FIRST_CODE + 2
WRONG_DISTANCE: Final = FIRST_CODE + 3
LANDING_OCCUPIED: Final = FIRST_CODE + 4
PATH_BLOCKED: Final = FIRST_CODE + 5
ABSORBS_NOTHING: Final = FIRST_CODE + 6
TOUCHES_HIGHER: Final = FIRST_CODE + 7
MUST_PLACE: Final = FIRST_CODE + 8
TOO_MANY_FRIENDS: Final = FIRST_CODE + 9
SETUP_OVER: Final = FIRST_CODE + 10


class Frasvel(Grid):
    """Position of Frasvel.

    The opening stack is set before the game, so Black has the first turn all the same (ruling F-1). A stack has a color
    and a height, and nothing else (ruling F-3).

    Attributes:
        lead: by place, the number of adjacent black stacks minus that of adjacent white ones.
        absorbed, absorbed_count: the enemy stacks that the last move made lower, and their number.
        raised, raised_count: the friendly stacks that the last move made higher, and their number.
        moved, numbers: the legal moves of stacks at the last `count_moves`, and the number of turns with each.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        super().__init__(tables, variant)
        self.lead = zeros(self.span)
        self.absorbed = zeros(self.span)
        self.absorbed_count: i64 = 0
        self.raised = zeros(self.span)
        self.raised_count: i64 = 0
        self.numbers = zeros(self.span)
        place: i64
        for place in range(self.span):  # compiled, another array would leak the one that `Grid` has made
            self.heights[place] = 0

    @staticmethod
    def codes() -> list[str]:
        return [
            "move/no-stack",
            "move/not-your-stack",
            "move/not-in-line",
            "move/wrong-distance",
            "move/landing-occupied",
            "move/path-blocked",
            "move/absorbs-nothing",
            "move/touches-higher",
            "move/must-place",
            "move/too-many-friends",
            "setup/over",
        ]

    # Turns.

    def take_turn(self, move: i64) -> i64:
        start = move & CELL
        landing = move >> CELL_BITS & CELL
        placed = move >> 2 * CELL_BITS
        height: i64 = 0
        if start != NONE:
            code = self.move_code(start, landing)
            if code != LEGAL:
                return code
            height = self.heights[start]
            self.carry_out(start, landing)
        code = self.placement_code(placed)
        if code != LEGAL:
            if start != NONE:
                self.take_back(start, landing, height)
            return code
        enemy = 1 - self.side
        if placed == NONE:
            self.winner = self.side
        else:
            self.put(placed, self.side, 1)
            if not self.can_place(enemy) and not self.can_move(enemy):
                self.winner = enemy
        return LEGAL

    # The move.

    def move_code(self, start: i64, landing: i64) -> i64:
        """Return the code of the first rule that a move breaks, without the placement after it."""
        if self.at[start] == EMPTY:
            return NO_STACK
        if self.at[start] != self.side:
            return NOT_YOUR_STACK
        for step in self.steps:
            if start + self.heights[start] * step == landing:
                code = self.path_code(start, step)
                if code != NOT_IN_LINE:
                    return code
        if start == landing or self.is_in_line(start, landing):
            return WRONG_DISTANCE
        return NOT_IN_LINE

    def path_code(self, start: i64, step: i64) -> i64:
        """Return the code of the first rule that a move in a direction breaks; off the board there is no line."""
        at, heights, steps, color = self.at, self.heights, self.steps, self.at[start]
        height = heights[start]
        is_blocked = False
        cell = start
        left = height
        while left > 0:
            cell += step
            left -= 1
            if at[cell] == OFF:
                return NOT_IN_LINE
            if at[cell] == 1 - color:
                is_blocked = True
        if at[cell] != EMPTY:
            return LANDING_OCCUPIED
        if is_blocked:
            return PATH_BLOCKED
        code = ABSORBS_NOTHING
        while cell != start:
            if at[cell] == EMPTY:
                for aside in steps:
                    if at[cell + aside] == 1 - color:
                        if heights[cell + aside] > height:
                            return TOUCHES_HIGHER
                        code = LEGAL
            cell -= step
        return code

    def carry_out(self, start: i64, landing: i64) -> None:
        """Carry out a legal move.

        Path, touched stacks and groups are those before the turn, without the moving stack (ruling F-2). By reading
        F-2b, it is still in its place when groups are found.
        """
        at, heights, absorbed, raised, side = self.at, self.heights, self.absorbed, self.raised, self.side
        height = heights[start]
        step = (landing - start) // height
        is_f2b = "F-2b" in self.readings
        if not is_f2b:
            self.remove(start)
        self.stamp += 1
        self.absorbed_count = 0
        self.raised_count = 0
        cell = start
        while cell != landing:
            cell += step
            if at[cell] == EMPTY:
                for aside in self.steps:
                    other = cell + aside
                    if at[other] == 1 - side:
                        self.absorbed_count = self.collect(other, absorbed, self.absorbed_count)
                    elif at[other] == side and heights[other] == height and other != start:
                        self.raised_count = self.collect(other, raised, self.raised_count)
        higher = height + self.absorbed_count
        index: i64
        for index in range(self.absorbed_count):
            stack = absorbed[index]
            heights[stack] -= 1
            if heights[stack] == 0:
                self.remove(stack)
        for index in range(self.raised_count):
            heights[raised[index]] = higher
        if is_f2b:
            self.remove(start)
        self.put(landing, side, higher)

    def collect(self, stack: i64, members: Cells, count: i64) -> i64:
        """Add the group of a stack, unless it is there, to the first `count` of `members`; return the new count.

        A group is connected stacks of one color and one height.
        """
        at, heights, seen, steps, stamp = self.at, self.heights, self.seen, self.steps, self.stamp
        if seen[stack] == stamp:
            return count
        color = at[stack]
        height = heights[stack]
        seen[stack] = stamp
        members[count] = stack
        first = count
        last = count + 1
        while first < last:
            cell = members[first]
            first += 1
            for step in steps:
                other = cell + step
                if at[other] == color and heights[other] == height and seen[other] != stamp:
                    seen[other] = stamp
                    members[last] = other
                    last += 1
        return last

    def take_back(self, start: i64, landing: i64, height: i64) -> None:
        """Undo a move that was just carried out with a stack of a height."""
        heights, absorbed, raised, side = self.heights, self.absorbed, self.raised, self.side
        self.remove(landing)
        index: i64
        for index in range(self.raised_count):
            heights[raised[index]] = height
        for index in range(self.absorbed_count):
            stack = absorbed[index]
            if heights[stack] == 0:
                self.put(stack, 1 - side, 1)
            else:
                heights[stack] += 1
        self.put(start, side, height)

    # The placement.

    def placement_code(self, placed: i64) -> i64:
        """Return the code of the rule that a placement breaks after the move; without one, none may exist."""
        if placed == NONE:
            return MUST_PLACE if self.can_place(self.side) else LEGAL
        if self.at[placed] != EMPTY:
            return OCCUPIED
        return LEGAL if self.fits(placed, self.side) else TOO_MANY_FRIENDS

    def fits(self, cell: i64, color: i64) -> bool:
        """Return whether a cell is empty, with at most as many adjacent stacks of a color as of the other."""
        return self.at[cell] == EMPTY and self.lead[cell] * (1 - 2 * color) <= 0

    # The end.

    def can_place(self, color: i64) -> bool:
        """Return whether a placement of a color exists."""
        for cell in self.cells:
            if self.fits(cell, color):
                return True
        return False

    def can_move(self, color: i64) -> bool:
        """Return whether a legal move of a color exists."""
        for start in self.cells:
            if self.at[start] == color:
                for step in self.steps:
                    if self.path_code(start, step) == LEGAL:
                        return True
        return False

    def fault(self) -> i64:
        # With the black stack of an opening alone, Black can place on every size.
        return LEGAL if self.can_place(self.side) or self.can_move(self.side) else SETUP_OVER

    # The list of legal moves.

    def moves(self) -> list[int]:
        found: list[int] = []
        for start in self.tables.order:
            if self.fits(start, self.side):
                found.append(pack(NONE, NONE, start))
            for landing in self.landings(start):
                for placed in self.placements_after(start, landing):
                    found.append(pack(start, landing, placed))
        return found

    def count_moves(self) -> i64:
        at, heights, numbers, side = self.at, self.heights, self.numbers, self.side
        total = self.count_fitting()
        for start in self.cells:
            numbers[start] = 0
            if at[start] == side:
                height = heights[start]
                for step in self.steps:
                    if self.path_code(start, step) == LEGAL:
                        landing = start + height * step
                        self.carry_out(start, landing)
                        numbers[start] += max(self.count_fitting(), 1)  # without a placement, the move is a turn alone
                        self.take_back(start, landing, height)
                total += numbers[start]
        return total

    def move_at(self, index: i64) -> i64:
        left = index
        for start in self.tables.order:
            if self.fits(start, self.side):
                if left == 0:
                    return pack(NONE, NONE, start)
                left -= 1
            elif left < self.numbers[start]:
                for landing in self.landings(start):
                    placements = self.placements_after(start, landing)
                    if left < len(placements):
                        return pack(start, landing, placements[left])
                    left -= len(placements)
            else:
                left -= self.numbers[start]
        return NONE

    def count_fitting(self) -> i64:
        """Return the number of placements of the side to move."""
        at, lead = self.at, self.lead
        sign = 1 - 2 * self.side
        number: i64 = 0
        for cell in self.cells:
            if at[cell] == EMPTY and lead[cell] * sign <= 0:
                number += 1
        return number

    def landings(self, start: i64) -> list[int]:
        """Return the landings of the legal moves from a cell, in the order of their names."""
        order, rank = self.tables.order, self.tables.rank
        ranks: list[int] = []
        if self.at[start] == self.side:
            for step in self.steps:
                if self.path_code(start, step) == LEGAL:
                    ranks.append(rank[start + self.heights[start] * step])
        ranks.sort()
        found: list[int] = []
        for place in ranks:
            found.append(order[place])
        return found

    def placements_after(self, start: i64, landing: i64) -> list[int]:
        """Return the placements after a legal move, in the order of their names; without any, NONE."""
        height = self.heights[start]
        self.carry_out(start, landing)
        found: list[int] = []
        for cell in self.tables.order:
            if self.fits(cell, self.side):
                found.append(cell)
        self.take_back(start, landing, height)
        if len(found) == 0:
            found.append(NONE)
        return found

    # Cells and stacks.

    def is_in_line(self, start: i64, landing: i64) -> bool:
        """Return whether two cells are in one line."""
        for step in self.steps:
            cell = start + step
            while self.at[cell] != OFF:
                if cell == landing:
                    return True
                cell += step
        return False

    def put(self, cell: i64, color: i64, height: i64) -> None:
        self.at[cell] = color
        self.heights[cell] = height
        self.count_around(cell, 1 - 2 * color)

    def remove(self, cell: i64) -> None:
        """Remove the stack from a cell."""
        self.count_around(cell, 2 * self.at[cell] - 1)
        self.at[cell] = EMPTY

    def count_around(self, cell: i64, change: i64) -> None:
        """Change the `lead` of the neighbors of a cell."""
        lead, steps = self.lead, self.steps
        for step in steps:
            lead[cell + step] += change

    def state(self) -> list[Cells]:
        return [self.at, self.heights, self.lead]

    def set_state(self, state: list[Cells]) -> None:
        self.at = state[0]
        self.heights = state[1]
        self.lead = state[2]

    # Strings.

    def read(self, turn: str) -> i64:
        parts = turn.split("/")
        placed: i64 = self.number_of.get(parts[len(parts) - 1], NONE)
        if len(parts) == 1 and placed != NONE:
            return pack(NONE, NONE, placed)
        if len(parts) > 2 or (len(parts) == 2 and placed == NONE):
            return UNREAD
        move = self.read_line(parts[0])
        return move if move == UNREAD else move & (CELL | CELL << CELL_BITS) | placed << 2 * CELL_BITS

    def write(self, move: i64) -> str:
        name_of = self.name_of
        start = move & CELL
        placed = move >> 2 * CELL_BITS
        if start == NONE:
            return name_of[placed]
        text = f"{name_of[start]}-{name_of[move >> CELL_BITS & CELL]}"
        return text if placed == NONE else f"{text}/{name_of[placed]}"
