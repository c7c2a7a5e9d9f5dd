"""Rules of Nadraz: grow snakes in straight lines and cut enemy snakes; every snake has exactly two heads.

A turn is a line of cells: its first and its last cell, and its direction as in `Grid.read_line`. A single cell is its
own last cell, in the direction 1.
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
    GAME_OVER,
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
    larger,
    pack,
    sort_descending,
    zeros,
)

#: The codes of the rules, in the order of `Nadraz.codes`.
NOT_A_LINE: Final = FIRST_CODE
OWN_STONE: Final = FIRST_CODE + 1
NO_CUT_CELL: Final = FIRST_CODE + 2
NO_ORIGIN: Final = FIRST_CODE + 3
START_CROWDED: Final = FIRST_CODE + 4
NO_HEAD: Final = FIRST_CODE + 5
FLIPS_HEAD: Final = FIRST_CODE + 6
PAST_MERGE: Final = FIRST_CODE + 7
MERGE_CROWDED: Final = FIRST_CODE + 8
RIM: Final = FIRST_CODE + 9
OWN_HEADS: Final = FIRST_CODE + 10
ENEMY_HEADS: Final = FIRST_CODE + 11
EARLY_PASS: Final = FIRST_CODE + 12
NOT_WELL_FORMED: Final = FIRST_CODE + 13

#: More than the cells of a line, and than the snakes that it touches or cuts off: they are not adjacent to each other.
LONGEST: Final = 32
#: Instead of a code, before it is known.
NOT_JUDGED: Final = -1


class Nadraz(Grid):
    """Position of Nadraz.

    A stone with one friendly neighbor is a head, a stone without any is an egg. A snake is named by one of its cells.
    A set of directions is an integer with a bit for each. In arrays for both colors, the half for Black comes first.

    Attributes:
        links: by color and place, the directions in which a stone of the color is adjacent.
        snakes: by stone, the name of its snake.
        count, step_to: by set of directions, their number, and the step in the first one.
        back, behind: by direction, the opposite one, and the two next to that one, as sets.
        heads_followed: the number of heads that `follow` has passed.

    The code of a turn is that of the line that `start_line` and `aim` begin and `extend` makes longer:

    Attributes:
        own, foe: the starts of the friendly and the enemy half of arrays.
        first, direction: the first cell, and the index of the direction.
        origin: the snake with a head or egg on the cell before the first one, or NONE.
        has_own: whether the line has a friendly stone.
        flipped, flipped_count: its enemy stones, and their number.
        flips_head: whether one of those is a head or egg.
        on_edge: whether an empty cell of it is on the edge.
        touched, touched_count: the friendly snakes that it touches, and their number.
        heads: the number of heads of these snakes after the turn, without the last cell of the line.
        first_touched, first_heads: the last two numbers for the first cell alone.
        starts_crowded: whether the first cell touches more than two stones of one snake, and no other friendly snake.
        must_end: whether the line may not become longer, since it met another friendly snake.
        past_merge: whether it has become longer nevertheless.
        cut_code: the code for the parts of enemy snakes that it cuts off, or NOT_JUDGED.
        part_start, part_count: by part, its start in `queue`; the number of parts.

    To list the legal lines:

    Attributes:
        cuts: by first cell, the directions in which a line with flips could be legal; none between two lists.
        ends, end_count: the last cells of legal lines from the first cell, packed by `keep`, and their number.
        open_code: the code of a line from the first cell over open cells to an open cell, or NOT_JUDGED. A cell is open
            if it is empty, away from the edge, and next to no friendly stone.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        super().__init__(tables, variant)
        self.links = zeros(2 * self.span)
        self.snakes = zeros(self.span)
        if "nadraz" not in tables.prepared:
            tables.prepared["nadraz"] = prepare_directions(tables.steps)
        prepared = tables.prepared["nadraz"]
        self.count = prepared[0]
        self.step_to = prepared[1]
        self.back = prepared[2]
        self.behind = prepared[3]
        self.heads_followed: i64 = 0
        self.own: i64 = 0
        self.foe: i64 = 0
        self.first: i64 = NONE
        self.direction: i64 = 0
        self.origin: i64 = NONE
        self.has_own = False
        self.flipped = zeros(LONGEST)
        self.flipped_count: i64 = 0
        self.flips_head = False
        self.on_edge = False
        self.touched = zeros(LONGEST)
        self.touched_count: i64 = 0
        self.heads: i64 = 0
        self.first_touched: i64 = 0
        self.first_heads: i64 = 0
        self.starts_crowded = False
        self.must_end = False
        self.past_merge = False
        self.cut_code: i64 = NOT_JUDGED
        self.part_start = zeros(LONGEST)
        self.part_count: i64 = 0
        self.cuts = zeros(self.span)
        self.ends = zeros(3 * LONGEST)
        self.end_count: i64 = 0
        self.open_code: i64 = NOT_JUDGED

    @staticmethod
    def codes() -> list[str]:
        return [
            "move/not-a-line",
            "move/own-stone",
            "move/no-cut-cell",
            "move/no-origin",
            "move/start-crowded",
            "move/no-head",
            "move/flips-head",
            "move/past-merge",
            "move/merge-crowded",
            "move/rim",
            "move/own-heads",
            "move/enemy-heads",
            "move/early-pass",
            "setup/not-well-formed",
        ]

    # Turns.

    def take_turn(self, move: i64) -> i64:
        code = self.turn_code(move)
        if code != LEGAL:
            return code
        if move == PASS:
            self.pass_turn()
        else:
            self.carry_out(move >> CELL_BITS & CELL)
            self.last = self.side
            self.passed = False
        return LEGAL

    def code(self, move: i64) -> i64:
        return self.turn_code(move) if self.winner == NOBODY else GAME_OVER

    def turn_code(self, move: i64) -> i64:
        """Return LEGAL, or the code of the first rule that a turn breaks."""
        if move == PASS:
            return EARLY_PASS if len(self.lines(True)) > 0 else LEGAL
        cell = move & CELL
        last = move >> CELL_BITS & CELL
        direction = (move >> 2 * CELL_BITS) - 1
        if direction < 0 or direction > 5 or (cell == last and direction != 0):
            return NOT_A_LINE
        step = self.steps[direction]
        self.start_line(cell)
        self.aim(direction)
        while cell != last:
            cell += step
            if self.at[cell] == OFF:
                return NOT_A_LINE
            self.extend(cell)
        return self.line_code(last)

    def line_code(self, last: i64) -> i64:
        """Return LEGAL, or the code of the first rule that the line breaks; `last` is its last cell so far."""
        first = self.first
        ways = self.links[self.own + last]
        if self.has_own or self.at[last] != EMPTY:
            if first == last:
                return OCCUPIED
            return OWN_STONE if self.has_own else NO_CUT_CELL

        # 1. Start. Ruling N-2: without flips, the line may have any direction. Of several snakes that a cell touches,
        # one at least is touched once or twice, so that it can be the origin.
        # 2. Cuts. Ruling N-3: the first cell may have an enemy stone, and may then touch more. By reading N-3b, it is
        # empty.
        if self.flipped_count == 0:
            if self.first_touched == 0:
                return NO_ORIGIN
            if self.starts_crowded:
                return START_CROWDED
        else:
            if self.at[first] != EMPTY and "N-3b" in self.readings:
                return OCCUPIED
            if self.origin == NONE:
                return NO_HEAD
            if self.at[first] == EMPTY and self.touches(first, self.origin) > 2:
                return START_CROWDED
            if self.flips_head:
                return FLIPS_HEAD

        # 3. Merging. Ruling N-4: touching enemy snakes is free. Ruling N-7: several snakes may merge.
        if self.past_merge:
            return PAST_MERGE
        if self.touched_count > 1 and self.count[ways] > 2 and self.is_merge_crowded(last):
            return MERGE_CROWDED

        # 4. Edge, by ruling N-5. By reading N-5b, such a turn may not even leave a friendly stone there.
        if self.flipped_count == 0 and (self.on_edge or ("N-5b" in self.readings and self.has_edge_stone())):
            return RIM

        # 5. Form, by ruling N-1. The last cell becomes a head if it has one friendly neighbor, which may be the cell
        # before it in the line.
        is_head = ways == 0 or (first == last and self.count[ways] == 1)
        if self.heads != (1 if is_head else 2):
            return OWN_HEADS
        if self.flipped_count == 0:
            return LEGAL
        if self.cut_code == NOT_JUDGED:
            self.cut_code = self.find_parts()
        return self.cut_code

    def has_edge_stone(self) -> bool:
        """Return whether the side to move has a stone on the edge."""
        for cell in self.cells:
            if self.at[cell] == self.side and self.tables.edge[cell] != 0:
                return True
        return False

    # The line.

    def start_line(self, first: i64) -> None:
        """Begin a line; `aim` gives it a direction."""
        self.own = self.side * self.span
        self.foe = self.span - self.own
        self.first = first
        self.touched[0] = NONE
        self.touched_count = 0
        self.heads = 0
        self.touch(first, 0)
        self.first_touched = self.touched_count
        self.first_heads = self.heads
        self.starts_crowded = self.touched_count == 1 and self.count[self.links[self.own + first]] > 2
        self.open_code = NOT_JUDGED

    def aim(self, direction: i64) -> None:
        """Make the line a line of one cell, in a direction."""
        first = self.first
        content = self.at[first]
        self.direction = direction
        self.origin = NONE
        before = first - self.steps[direction]
        if self.at[before] == self.side and self.count[self.links[self.own + before]] <= 1:
            self.origin = self.snakes[before]
        self.has_own = content == self.side
        self.flipped_count = 0
        self.flips_head = False
        self.on_edge = False
        self.touched_count = self.first_touched
        self.heads = self.first_heads
        self.past_merge = False
        self.enter(first, content)

    def extend(self, cell: i64) -> None:
        """Make the line one cell longer."""
        if self.must_end:
            self.past_merge = True
        content = self.at[cell]
        if content == self.side:
            self.has_own = True
        else:
            if self.links[self.own + cell] != 0:
                self.touch(cell, self.behind[self.direction])
            self.enter(cell, content)

    def enter(self, cell: i64, content: i64) -> None:
        """Add an empty cell or an enemy stone, whose friendly neighbors are known, as last cell."""
        if content == EMPTY:
            if self.tables.edge[cell] != 0:
                self.on_edge = True
            # From a flipped stone that meets a snake, the line goes on to the cut cell.
            self.must_end = self.touched_count > 1
        else:
            self.must_end = False
            self.flipped[self.flipped_count] = cell
            self.flipped_count += 1
            self.cut_code = NOT_JUDGED
            if self.count[self.links[self.foe + cell]] <= 1:
                self.flips_head = True

    def touch(self, cell: i64, behind: i64) -> None:
        """Count the heads of the snakes that a cell of the line touches.

        The stones in the directions `behind` are adjacent to the cell before it in the line, too.
        """
        links, snakes, count, step_to, own = self.links, self.snakes, self.count, self.step_to, self.own
        heads = self.heads
        ways = links[own + cell]
        while ways != 0:
            rest = ways & (ways - 1)
            stone = cell + step_to[ways]
            friends = count[links[own + stone]]
            if snakes[stone] != self.touched[0] and self.is_new(snakes[stone]) and friends > 0:
                heads += 2
            # A head becomes a middle stone. An egg becomes a head or, next to two cells of the line, a middle stone.
            if friends <= 1:
                if (ways - rest) & behind == 0:
                    heads += 1 - 2 * friends
                elif friends == 0:
                    heads -= 1
            ways = rest
        self.heads = heads

    def is_new(self, snake: i64) -> bool:
        """Add a snake to those that the line touches; return False if it is among them."""
        index: i64
        for index in range(self.touched_count):
            if self.touched[index] == snake:
                return False
        self.touched[self.touched_count] = snake
        self.touched_count += 1
        return True

    def touches(self, cell: i64, snake: i64) -> i64:
        """Return the number of stones of a friendly snake that are adjacent to a cell."""
        number: i64 = 0
        ways = self.links[self.own + cell]
        while ways != 0:
            if self.snakes[cell + self.step_to[ways]] == snake:
                number += 1
            ways &= ways - 1
        return number

    def is_merge_crowded(self, last: i64) -> bool:
        """Return whether the last cell touches more than two stones of a snake other than the origin.

        A line of one cell has the origin that it touches less.
        """
        origin = self.origin
        if self.flipped_count == 0:
            origin = NONE if last == self.first else self.touched[0]
        index: i64
        for index in range(self.touched_count):
            snake = self.touched[index]
            if snake != origin and self.touches(last, snake) > 2:
                return True
        return False

    # The cuts.

    def find_parts(self) -> i64:
        """Find the parts of enemy snakes that the line cuts off; return ENEMY_HEADS if one is not well formed."""
        links, seen, step_to = self.links, self.seen, self.step_to
        self.stamp += 1
        self.part_count = 0
        code: i64 = LEGAL
        self.toggle_flipped()
        index: i64
        for index in range(self.flipped_count):
            cell = self.flipped[index]
            ways = links[self.foe + cell]
            while ways != 0 and code == LEGAL:
                stone = cell + step_to[ways]
                ways &= ways - 1
                if seen[stone] != self.stamp:
                    start = self.part_start[self.part_count]
                    end = self.follow(stone, self.foe, start)
                    if not self.is_well_formed(start, end):
                        code = ENEMY_HEADS
                    self.part_count += 1
                    self.part_start[self.part_count] = end
        self.toggle_flipped()
        return code

    def toggle_flipped(self) -> None:
        """Remove the enemy stones of the line from `links`, or restore them."""
        links, steps, back = self.links, self.steps, self.back
        index: i64
        direction: i64
        for index in range(self.flipped_count):
            place = self.foe + self.flipped[index]
            for direction in range(6):
                links[place + steps[direction]] ^= back[direction]

    def carry_out(self, last: i64) -> None:
        """Carry out the line that `line_code` has just found legal."""
        if self.flipped_count > 0:
            part: i64
            for part in range(self.part_count):
                self.name_snake(self.part_start[part], self.part_start[part + 1])
            self.toggle_flipped()
        name = self.touched[0]
        cell = self.first
        self.place(cell, self.side, name)
        while cell != last:
            cell += self.steps[self.direction]
            self.place(cell, self.side, name)
        if self.touched_count > 1:
            self.merge(cell)

    # Snakes.

    def put(self, cell: i64, color: i64, height: i64) -> None:
        snakes = self.snakes
        ways = self.links[color * self.span + cell]
        self.place(cell, color, cell if ways == 0 else snakes[cell + self.step_to[ways]])
        while ways != 0:
            if snakes[cell + self.step_to[ways]] != snakes[cell]:
                self.merge(cell)
            ways &= ways - 1

    def place(self, cell: i64, color: i64, name: i64) -> None:
        """Add a stone to a snake."""
        links, steps, back = self.links, self.steps, self.back
        place = color * self.span + cell
        self.at[cell] = color
        self.snakes[cell] = name
        direction: i64
        for direction in range(6):
            links[place + steps[direction]] |= back[direction]

    def merge(self, stone: i64) -> None:
        """Give all stones that are connected with a stone the same name."""
        self.stamp += 1
        self.name_snake(0, self.follow(stone, self.at[stone] * self.span, 0))

    def follow(self, stone: i64, half: i64, start: i64) -> i64:
        """Put the stones of a snake into `queue`, from an index on; return the index after them."""
        links, seen, queue, step_to, stamp = self.links, self.seen, self.queue, self.step_to, self.stamp
        count = self.count
        queue[start] = stone
        seen[stone] = stamp
        end = start + 1
        heads: i64 = 0
        while start < end:
            cell = queue[start]
            start += 1
            ways = links[half + cell]
            if count[ways] == 1:
                heads += 1
            while ways != 0:
                # Writing the stone in either case saves a branch that the processor could not predict.
                other = cell + step_to[ways]
                ways &= ways - 1
                queue[end] = other
                if seen[other] != stamp:
                    end += 1
                seen[other] = stamp
        self.heads_followed = heads
        return end

    def is_well_formed(self, start: i64, end: i64) -> bool:
        """Return whether the snake that `follow` found is an egg or has exactly two heads (ruling N-1)."""
        return self.heads_followed == 2 or end == start + 1

    def is_end(self, cell: i64, color: i64) -> bool:
        """Return whether a stone of a color is a head or an egg."""
        return self.count[self.links[color * self.span + cell]] <= 1

    def name_snake(self, start: i64, end: i64) -> None:
        """Name the snake in a part of `queue` by its first stone there."""
        name = self.queue[start]
        index: i64
        for index in range(start, end):
            self.snakes[self.queue[index]] = name

    # The list of legal moves.

    def moves(self) -> list[int]:
        found = self.lines(False)
        if len(found) == 0:
            found.append(PASS)
        return found

    def lines(self, is_one_enough: bool) -> list[int]:
        """Return the legal lines, in the order of their strings; if one is enough, those from one cell."""
        at, links, edge, cuts = self.at, self.links, self.tables.edge, self.cuts
        order = self.tables.order
        own = self.side * self.span
        found: list[int] = []
        self.find_cuts()
        index: i64
        for first in order:
            # Without flips, a line starts away from the edge.
            if cuts[first] != 0 or (at[first] == EMPTY and edge[first] == 0 and links[own + first] != 0):
                self.find_ends(first, cuts[first])
                cuts[first] = 0
                for index in range(self.end_count):
                    key = self.ends[index]
                    last = first if key < 8 else order[(key >> 3) - 1]
                    found.append(pack(first, last, key & 7))
                if is_one_enough and self.end_count > 0:
                    for cell in order:
                        cuts[cell] = 0
                    return found
        return found

    def find_cuts(self) -> None:
        """Fill `cuts`: enemy middle stones, then an empty cell must come first in the direction from a head or egg."""
        at, links, cuts, steps, count, side = self.at, self.links, self.cuts, self.steps, self.count, self.side
        own = side * self.span
        foe = self.span - own
        direction: i64
        for head in self.cells:
            if at[head] == side and count[links[own + head]] <= 1:
                for direction in range(6):
                    step = steps[direction]
                    cell = head + step
                    while at[cell] == EMPTY:
                        cell += step
                    stone = cell
                    while at[cell] == 1 - side and count[links[foe + cell]] > 1:
                        cell += step
                    if cell != stone and at[cell] == EMPTY:
                        cuts[head + step] |= 1 << direction

    def find_ends(self, first: i64, cuts: i64) -> None:
        """Put the last cells of the legal lines from a cell into `ends`, in the order of their names."""
        at, edge = self.at, self.tables.edge
        self.end_count = 0
        self.start_line(first)
        needs_no_cut = at[first] == EMPTY and edge[first] == 0 and not self.starts_crowded
        if needs_no_cut:
            self.aim(0)
            if self.line_code(first) == LEGAL:
                self.keep(first, 0)
            if self.must_end:
                return
        direction: i64
        for direction in range(6):
            if cuts & 1 << direction != 0:
                self.find_longer(direction, True)
            elif needs_no_cut:
                cell = first + self.steps[direction]
                if at[cell] == EMPTY and edge[cell] == 0:
                    self.find_longer(direction, False)

    def find_longer(self, direction: i64, may_flip: bool) -> None:
        """Add the last cells of the longer lines in a direction to `ends`."""
        at, links, edge, own = self.at, self.links, self.tables.edge, self.own
        enemy = 1 - self.side
        step = self.steps[direction]
        second = self.first + step
        cell = second
        code = self.open_code
        self.aim(direction)
        while not self.must_end:
            # An open cell changes nothing about a line that does not merge.
            if self.touched_count == 1:
                while at[cell] == EMPTY and links[own + cell] == 0 and edge[cell] == 0:
                    if code == NOT_JUDGED:
                        code = self.line_code(cell)
                        if cell == second:
                            self.open_code = code
                    if code == LEGAL:
                        self.keep(cell, direction)
                    cell += step
            if at[cell] == EMPTY and (may_flip or edge[cell] == 0):
                self.extend(cell)
                if self.line_code(cell) == LEGAL:
                    self.keep(cell, direction)
            elif may_flip and at[cell] == enemy:
                self.extend(cell)
            else:
                return
            code = NOT_JUDGED
            cell += step

    def keep(self, last: i64, direction: i64) -> None:
        """Insert the last cell and the direction of a legal line into `ends`."""
        ends = self.ends
        key = direction + 1
        if last != self.first:
            key |= self.tables.rank[last] + 1 << 3
        index = self.end_count
        while index > 0 and ends[index - 1] > key:
            ends[index] = ends[index - 1]
            index -= 1
        ends[index] = key
        self.end_count += 1

    # The end.

    def finish(self) -> None:
        self.winner = self.leader()

    def leader(self) -> i64:
        """Return the winner if the game ended now."""
        black, white = self.ranking(BLACK), self.ranking(WHITE)
        leader = larger(black, white)
        if leader == DRAW:
            # Ruling N-6: the last stone decides; without one, the game is a draw.
            return DRAW if self.last == NOBODY else self.last
        return fewest_shortest(black, white) if self.variant == "reverse" else leader

    def ranking(self, color: i64) -> list[int]:
        lengths: list[int] = []
        sizes = zeros(self.span)
        for cell in self.cells:
            if self.at[cell] == color:
                sizes[self.snakes[cell]] += 1
        for size in sizes:
            if size > 0:
                lengths.append(size)
        sort_descending(lengths)
        return lengths

    def fault(self) -> i64:
        return LEGAL if self.fault_cell() == NONE else NOT_WELL_FORMED

    def fault_cell(self) -> i64:
        color: i64
        for color in range(2):
            self.stamp += 1
            for cell in self.cells:
                if self.at[cell] == color and self.seen[cell] != self.stamp:
                    end = self.follow(cell, color * self.span, 0)
                    if not self.is_well_formed(0, end):
                        return cell
        return NONE

    # State and strings.

    def state(self) -> list[Cells]:
        return [self.at, self.links, self.snakes]

    def set_state(self, state: list[Cells]) -> None:
        self.at = state[0]
        self.links = state[1]
        self.snakes = state[2]

    def fields(self) -> list[int]:
        return [0 if self.last == NOBODY else self.last + 1]

    def set_fields(self, fields: list[int]) -> None:
        self.last = NOBODY if fields[0] == 0 else fields[0] - 1

    def named_cells(self, move: i64) -> list[int]:
        if move == PASS:
            return []
        first = move & CELL
        last = move >> CELL_BITS & CELL
        return [first] if first == last and move >> 2 * CELL_BITS != 0 else [first, last]

    def read(self, turn: str) -> i64:
        line: i64 = self.tables.lines.get(turn, UNREAD)
        if line != UNREAD:
            return line
        cell: i64 = self.number_of.get(turn, NONE)
        if cell != NONE:
            return pack(cell, cell, 1)
        return PASS if turn == "pass" else self.read_line(turn)

    def write(self, move: i64) -> str:
        if move == PASS:
            return "pass"
        first = move & CELL
        last = move >> CELL_BITS & CELL
        name_of = self.name_of
        is_cell = first == last and move >> 2 * CELL_BITS != 0
        return name_of[first] if is_cell else f"{name_of[first]}-{name_of[last]}"


def prepare_directions(steps: Cells) -> list[Cells]:
    """Return `count`, `step_to`, `back` and `behind` of the positions of Nadraz."""
    count = zeros(64)
    step_to = zeros(64)
    back = zeros(6)
    behind = zeros(6)
    direction: i64
    for direction in range(6):
        back[direction] = 1 << (direction + 3) % 6
        behind[direction] = 1 << (direction + 2) % 6 | 1 << (direction + 4) % 6
        lowest = 32 >> direction
        ways = lowest
        while ways < 64:
            count[ways] = count[ways - lowest] + 1
            step_to[ways] = steps[5 - direction]
            ways += 2 * lowest
    return [count, step_to, back, behind]


def fewest_shortest(black: list[int], white: list[int]) -> i64:
    """Return the color with fewer of the shortest snakes of which the colors have different numbers.

    The lengths are in descending order, and not all the same.
    """
    index: i64 = 1
    while index <= len(black) and index <= len(white):
        shortest_black = black[len(black) - index]
        shortest_white = white[len(white) - index]
        if shortest_black != shortest_white:
            return BLACK if shortest_black > shortest_white else WHITE
        index += 1
    return BLACK if len(black) < len(white) else WHITE
