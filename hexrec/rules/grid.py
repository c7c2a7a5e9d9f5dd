"""Grid: the position of a game as arrays of integers. The rules of a game are a subclass, in its `rules.py`.

This module and those are written in a subset of Python that runs interpreted, compiled and translated to JavaScript;
CONTRIBUTING.md describes it. Cells and turns are integers here; `Position` has names, sentences and pictures.

A cell has the number that `hexrec.rules.board` gives it. There are places off the board around its edge, so a neighbor
is always a cell plus a step, and the place NONE is off every board. A *move* is a turn as an integer: its cells, of ten
bits each, the first one lowest.
"""

from __future__ import annotations

from typing import Final, final

from hexrec.rules import copies
from hexrec.rules.cells import Cells, Draw, i64, mypyc_attr, vec

#: The content of a cell; BLACK and WHITE are the players, too.
BLACK: Final = 0
WHITE: Final = 1
EMPTY: Final = 2
OFF: Final = 3
#: The winner, if not a player: nobody before the end of the game.
DRAW: Final = 2
NOBODY: Final = 3

#: The content of no place.
NOTHING: Final = -1

#: The place of a missing cell, and the move that passes.
NONE: Final = 0
PASS: Final = 0
#: A string that is no turn in its canonical form, instead of a move.
UNREAD: Final = -1

#: The code of a legal turn, and the codes of rules in all games. Those of a game begin with FIRST_CODE.
LEGAL: Final = 0
GAME_OVER: Final = 1
OCCUPIED: Final = 2
FIRST_CODE: Final = 3
#: Instead of a code: the string is not in canonical form, so `Grid.read` does not know its move.
NOT_CANONICAL: Final = -1

#: The number of bits of a cell in a move, and the mask of one.
CELL_BITS: Final = 10
CELL: Final = 1023


def zeros(length: i64) -> Cells:
    """Return an array of zeros."""
    return vec[i64]([0] * length)


def filled(length: i64, value: i64) -> Cells:
    """Return an array of one value."""
    return vec[i64]([value] * length)


def array(values: list[int]) -> Cells:
    """Return an array with the values of a list."""
    return vec[i64](values)


def pack(first: i64, second: i64, third: i64) -> i64:
    """Return the move with these cells; NONE stands for a missing one."""
    return first | second << CELL_BITS | third << 2 * CELL_BITS


class Tables:
    """Constants that all positions on a board share.

    Attributes:
        span: the length of an array that is indexed by cells and their neighbors.
        cells: the cells in board order.
        steps: the six differences between a neighbor and its cell, counterclockwise from the east.
        blank: by place, EMPTY, or OFF around the board.
        zero, one: by place, 0 and 1; a copy of them is faster than a new array.
        edge: by cell, 1 on the edge of the board, else 0.
        number_of: the cells by name, in one coordinate system.
        name_of: by cell, its name in turns.
        order: the cells in the order of their names, with NONE in the place of `pass`.
        rank: by cell, its index in `order`.
        lines: by name of a line of cells, such as ``e5-e8``, its move; see `Grid.read_line`.
        prepared: by name of a game, the arrays that it prepares once for all positions on the board.
    """

    def __init__(self, span: int, cells: list[int], steps: list[int], names: list[str]) -> None:
        """Prepare a board; `names` has the names of the cells, in the same order."""
        self.span: i64 = span
        self.cells = array(cells)
        self.steps = array(steps)
        self.blank = filled(span, OFF)
        self.zero = zeros(span)
        self.one = filled(span, 1)
        self.edge = self.zero[:]
        self.name_of: list[str] = [""] * span
        self.number_of: dict[str, int] = {}
        self.lines: dict[str, int] = {}
        self.prepared: dict[str, list[Cells]] = {}
        index = 0
        for cell in cells:
            self.blank[cell] = EMPTY
            self.name_of[cell] = names[index]
            self.number_of[names[index]] = cell
            index += 1
        for cell in cells:
            for step in steps:
                if self.blank[cell + step] == OFF:
                    self.edge[cell] = 1
        ordered = names.copy()
        ordered.append("pass")
        ordered.sort()
        self.order = zeros(len(ordered))
        self.rank = zeros(span)
        index = 0
        for name in ordered:
            self.order[index] = self.number_of.get(name, NONE)
            self.rank[self.order[index]] = index
            index += 1


@mypyc_attr(allow_interpreted_subclasses=True)
class Grid:
    """Position of a game, and its rules.

    A game defines `take_turn` and `moves`; all turns go through `play`. It defines `read` and
    `write` if a turn is more than a cell or a pass, `finish` if two passes end the game, and `points` or `ranking` if
    it has a score. If it has arrays of its own that turns change, it defines `state` and `set_state`, and keeps them up
    to date in `put`.

    Attributes:
        tables: the board.
        span, cells, steps, number_of, name_of: those of the board.
        variant: the name of the variant, or an empty string.
        readings: the readings that hold instead of rulings; set before the first stone.
        at: by place, BLACK, WHITE, EMPTY or OFF.
        heights: by occupied cell, the height of its stack. In games without stacks it is 1 everywhere.
        side: the side to move.
        passed: whether the last turn was a pass.
        last: the color that placed the last stone, NOBODY before the first one; only kept by games in which it matters.
        plies: the number of turns played.
        has_pass: whether a turn may be a pass, in games that do not define `read`.
        has_synonyms: whether different moves can have the same effect; see `canonical`.
        winner: BLACK, WHITE or DRAW; NOBODY while the game is in progress.
        seen, stamp: by place, the number of the last search that found it, and the number of the current search.
        queue: the cells that a search has found, in order.
        listed: the legal moves at the last `count_moves`.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        """Start with an empty board."""
        self.tables = tables
        self.variant = variant
        self.readings: list[str] = []
        self.number_of = tables.number_of
        self.name_of = tables.name_of
        self.span: i64 = tables.span
        self.cells = tables.cells
        self.steps = tables.steps
        self.at = tables.blank[:]
        self.heights = tables.one[:]
        self.side: i64 = BLACK
        self.passed = False
        self.last: i64 = NOBODY
        self.plies: i64 = 0
        self.has_pass = False
        self.has_synonyms = False
        self.winner: i64 = NOBODY
        self.seen = tables.zero[:]
        self.stamp: i64 = 0
        self.listed: list[int] = []
        self.queue = tables.zero[:]

    # Turns.

    @final
    def play(self, move: i64) -> i64:
        """Play a turn. Return LEGAL, or the code of the first rule that it breaks, with the position unchanged."""
        if self.winner != NOBODY:
            return GAME_OVER
        code = self.take_turn(move)
        if code == LEGAL:
            self.side = 1 - self.side
            self.plies += 1
        return code

    def code(self, move: i64) -> i64:
        """Return LEGAL, or the code of the first rule that a turn breaks. The position does not change."""
        saved = self.save()
        code = self.play(move)
        if code == LEGAL:
            self.restore(saved)
        return code

    @final
    def play_all(self, turns: list[str], start: i64) -> i64:
        """Play the turns from an index on; stop at the first that is not legal, and return its code.

        The code is NOT_CANONICAL if the string is not a turn in canonical form, though the turn may be legal.
        """
        index: i64
        for index in range(start, len(turns)):
            move = self.read(turns[index])
            if move == UNREAD or (self.has_synonyms and self.canonical(move) != move):
                return NOT_CANONICAL
            code = self.play(move)
            if code != LEGAL:
                return code
        return LEGAL

    @final
    def legal_turns(self) -> list[str]:
        """Return the legal turns of a game in progress, sorted."""
        turns: list[str] = []
        for move in self.moves():
            turns.append(self.write(move))
        return turns

    @final
    def play_random(self, draw: Draw, most: i64, turns: list[str]) -> None:
        """Play and append turns until the game ends, or there are `most`; `draw(n)` returns an index below n."""
        while self.winner == NOBODY and len(turns) < most:
            move = self.move_at(draw(self.count_moves()))
            self.play(move)
            turns.append(self.write(move))

    @final
    def pass_turn(self) -> None:
        """Pass; the second pass in a row ends the game."""
        if self.passed:
            self.finish()
        self.passed = True

    # The methods that games define.

    @staticmethod
    def codes() -> list[str]:
        """Return the names of the game's own codes, from FIRST_CODE on: `move/…` and `setup/…`."""
        return []

    def put(self, cell: i64, color: i64, height: i64) -> None:
        """Put a stack on an empty cell."""
        self.at[cell] = color

    def take_turn(self, move: i64) -> i64:
        """Carry out a turn of a game in progress, up to the change of sides, and set `winner` if it ends the game.

        Return LEGAL, or the code of the first rule that the turn breaks; the position is unchanged then. The move is
        made of cells of the board, but need not be more than that.
        """
        raise NotImplementedError

    def moves(self) -> list[int]:
        """Return the legal moves of a game in progress, each once, in the order of their strings."""
        raise NotImplementedError

    def finish(self) -> None:
        """Set `winner` after two passes in a row."""
        raise NotImplementedError

    def count_moves(self) -> i64:
        """Return the number of legal moves of a game in progress, and prepare for `move_at`."""
        self.listed = self.moves()
        return len(self.listed)

    def move_at(self, index: i64) -> i64:
        """Return the legal move with an index in the order of `moves`, right after `count_moves`."""
        return self.listed[index]

    def canonical(self, move: i64) -> i64:
        """Return the move that stands for all moves with the same effect as this one, which need not be legal."""
        return move

    def named_cells(self, move: i64) -> list[int]:
        """Return the cells that a turn names, in order; by default the parts of the move."""
        found: list[int] = []
        while move != 0:
            if move & CELL != NONE:
                found.append(move & CELL)
            move = move >> CELL_BITS
        return found

    def points(self, color: i64) -> float:
        """Return the points of a color at the end, in games with a number as score."""
        return 0.0

    def ranking(self, color: i64) -> list[int]:
        """Return the score of a color at the end, in descending order, in games with a list as score."""
        return []

    def fields(self) -> list[int]:
        """Return the game's own fields of position texts: for each, the index of its value."""
        return []

    def set_fields(self, fields: list[int]) -> None:
        """Take over the fields of a position text. The stones are on the board already."""

    def fault(self) -> i64:
        """Return LEGAL, or the code for a setup that no game can continue from. `fault_cell` is the cell to blame."""
        return LEGAL

    def fault_cell(self) -> i64:
        """Return the occupied cell to blame for the `fault`, or NONE to blame the side to move."""
        return NONE

    def state(self) -> list[Cells]:
        """Return the arrays that turns change."""
        return [self.at]

    def set_state(self, state: list[Cells]) -> None:
        """Take over the arrays that turns change."""
        self.at = state[0]

    # Strings.

    def read(self, turn: str) -> i64:
        """Return the move that a string in canonical form means, else UNREAD; this is for cells and passes."""
        cell: i64 = self.number_of.get(turn, UNREAD)
        return PASS if self.has_pass and turn == "pass" else cell

    def write(self, move: i64) -> str:
        """Return the canonical string of a legal move; this is for cells and passes."""
        return "pass" if move == PASS else self.name_of[move]

    @final
    def read_line(self, text: str) -> i64:
        """Return the move with the two ends that a string such as ``e5-e8`` names, and the direction of the line.

        The direction is the third part of the move: its index in `steps`, plus 1; 0 if the two cells are in no line.
        Return UNREAD if the string does not name two cells.
        """
        known = self.tables.lines.get(text, UNREAD)
        if known != UNREAD:
            return known
        number_of = self.number_of
        hyphen = text.find("-")
        while hyphen >= 0 and text[:hyphen] not in number_of:  # the minus sign of a coordinate
            hyphen = text.find("-", hyphen + 1)
        if hyphen < 0:
            return UNREAD
        first: i64 = number_of[text[:hyphen]]
        last: i64 = number_of.get(text[hyphen + 1 :], UNREAD)
        if last == UNREAD:
            return UNREAD
        blank = self.tables.blank
        direction: i64
        for direction in range(6):
            cell = first + self.steps[direction]
            while blank[cell] == EMPTY:
                if cell == last:
                    move = pack(first, last, direction + 1)
                    self.tables.lines[text] = move
                    return move
                cell += self.steps[direction]
        return pack(first, last, 0)

    # Positions.

    @final
    def save(self) -> list[Cells]:
        """Return a copy of the state that turns change, for `restore`."""
        passed: i64 = 1 if self.passed else 0
        saved = [vec[i64]([self.side, passed, self.last, self.plies, self.winner])]
        for part in self.state():
            saved.append(part[:])
        return saved

    @final
    def restore(self, saved: list[Cells]) -> None:
        """Return to a saved position."""
        numbers = saved[0]
        self.side = numbers[0]
        self.passed = numbers[1] != 0
        self.last = numbers[2]
        self.plies = numbers[3]
        self.winner = numbers[4]
        state: list[Cells] = []
        index: i64
        for index in range(1, len(saved)):
            state.append(saved[index][:])
        self.set_state(state)

    @final
    def restore_lists(self, saved: list[list[int]]) -> None:
        """Return to a position that was saved elsewhere, as lists."""
        arrays: list[Cells] = []
        for part in saved:
            arrays.append(array(part))
        self.restore(arrays)

    def __reduce__(self) -> tuple[object, ...]:
        """Return the parts for a copy, for the modules `copy` and `pickle`."""
        return copies.reduce(self)

    @final
    def contents(self) -> list[int]:
        """Return the content of each place: 0 if empty, 2h - 1 for Black's stack of height h, 2h for White's."""
        contents = [0] * self.span
        for cell in self.cells:
            color = self.at[cell]
            if color != EMPTY:
                contents[cell] = 2 * self.heights[cell] - 1 + color
        return contents

    # Searches.

    @final
    def spread(self, start: i64, content: i64) -> i64:
        """Put a cell, and the cells with a content that are connected to it, into `queue`; return their number.

        Cells whose number in `seen` is the stamp are left out; the cells that are found get that number.
        """
        return self.spread_until(start, content, NOTHING)

    @final
    def spread_until(self, start: i64, content: i64, goal: i64) -> i64:
        """Do the same, but return 0 as soon as a cell that was found is adjacent to one with the content `goal`."""
        at, seen, queue, steps, stamp = self.at, self.seen, self.queue, self.steps, self.stamp
        seen[start] = stamp
        queue[0] = start
        first: i64 = 0
        last: i64 = 1
        while first < last:
            cell = queue[first]
            first += 1
            for step in steps:
                other = cell + step
                if at[other] == goal:
                    return 0
                if at[other] == content and seen[other] != stamp:
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        return last


@mypyc_attr(allow_interpreted_subclasses=True)
class CellGrid(Grid):
    """Position of a game in which a turn is a cell, or a pass. Such a game defines `take_turn` and `open_cells`.

    Attributes:
        counted: the legal moves at the last `count_moves`, in the order of their strings.
    """

    def __init__(self, tables: Tables, variant: str) -> None:
        super().__init__(tables, variant)
        self.counted = tables.zero[:]

    def open_cells(self) -> Cells:
        """Return, by cell, 1 if it is a legal turn of a game in progress, else 0; by NONE, whether a pass is one."""
        raise NotImplementedError

    def moves(self) -> list[int]:
        """See `Grid.moves`."""
        found: list[int] = []
        is_open = self.open_cells()
        for cell in self.tables.order:
            if is_open[cell] != 0:
                found.append(cell)
        return found

    def count_moves(self) -> i64:
        """See `Grid.count_moves`."""
        is_open, counted = self.open_cells(), self.counted
        count: i64 = 0
        for cell in self.tables.order:
            counted[count] = cell
            count += is_open[cell]
        return count

    def move_at(self, index: i64) -> i64:
        """See `Grid.move_at`."""
        return self.counted[index]


def larger(black: list[int], white: list[int]) -> i64:
    """Return the color whose list, in descending order, is larger at the first difference, or DRAW.

    If one list is the beginning of the other, the longer one is larger.
    """
    index: i64
    for index in range(min(len(black), len(white))):
        if black[index] != white[index]:
            return BLACK if black[index] > white[index] else WHITE
    if len(black) == len(white):
        return DRAW
    return BLACK if len(black) > len(white) else WHITE


def sort_descending(values: list[int]) -> None:
    """Sort a list in place, the largest value first."""
    values.sort()
    values.reverse()
