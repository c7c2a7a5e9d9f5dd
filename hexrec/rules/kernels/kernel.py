"""Base class of all kernels: the rules of a game on the cells of a board, as arrays.

Cells have the numbers of `hexrec.rules.board`. The numbering has places off the board around its edge, so a neighbor is
always a cell plus a step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

#: The content of a cell, and the side to move.
BLACK: Final = 0
WHITE: Final = 1
EMPTY: Final = 2
OFF_BOARD: Final = 3
#: Winners besides BLACK and WHITE; GOING_ON means that the game is in progress.
DRAW: Final = 2
GOING_ON: Final = 3
#: The number of a pass among the names of cells.
PASS: Final = -1

#: The number of a missing cell.
NONE: Final = -1

#: A line of cells is packed into an integer: from the lowest bits, the first cell, the last cell and the direction.
CELL_BITS: Final = 10
CELL: Final = 1023

#: The winner (BLACK, WHITE, DRAW or GOING_ON), and the scores of Black and White, or None without scores.
Ending = tuple[int, object, object]
#: A board: `span`, `cells` and `steps` of a kernel.
Grid = tuple[int, tuple[int, ...], tuple[int, ...]]
#: A position: the content of each cell as in `Position.contents`, the side to move, whether the last turn was a pass,
#: and the color that placed the last stone, or NONE if it does not matter.
State = tuple[list[int], int, bool, int]


def zeros(length: i64) -> vec[i64]:
    """Return an array of zeros."""
    return vec[i64]([0] * length)


class Kernel:
    """Rules of one game on arrays, for boards of one size.

    A kernel holds one position: `start` sets it up, `play` plays a turn, `count` and `turn_at` list the legal turns.

    Attributes:
        span: the length of an array that is indexed by cells and their neighbors.
        cells: the cells in board order.
        steps: the differences between a cell and its neighbors, counterclockwise from the east.
        blank: by cell, EMPTY, or OFF_BOARD around the board.
        names: the cells by name in one coordinate system, and PASS.
        name_of: the names by cell.
        order: the cells and PASS in the order of their names.
        reverse: whether the variant of the game is played.
        at: by cell, BLACK, WHITE, EMPTY or OFF_BOARD.
        heights: by occupied cell, the height of its stack, always 1 in games without stacks.
        open: by cell, whether the side to move could place there at the last `count`, in games that mark it.
        side: the side to move.
        passed: whether the last turn was a pass.
        last: the color that placed the last stone; NONE before the first stone, or if it does not matter.
        winner: the winner, in games that a turn can win; GOING_ON in other games.
        is_over: whether the game has ended.
        lines: by turn, the packed lines found so far, in games with lines.
        queue: the cells that a search has found, in order.
        seen, stamp: by cell, the number of the last search that visited it, and the number of the current search.
        spelling: the canonical form of the last turn, if it differs; only for games with synonyms.
        respelled: the canonical turns of the last record, if any differ, else None.
    """

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        span, cells, steps = grid
        self.span: i64 = span
        self.cells = vec[i64](cells)
        self.steps = vec[i64](steps)
        self.blank = vec[i64]([OFF_BOARD] * span)
        for cell in cells:
            self.blank[cell] = EMPTY
        self.names = names | {"pass": PASS}
        self.name_of = {cell: name for name, cell in self.names.items()}
        self.order = vec[i64]([self.names[name] for name in sorted(self.names)])
        self.reverse = reverse
        self.at = zeros(span)
        self.heights = vec[i64]([1] * span)
        self.open = zeros(span)
        self.side: i64 = BLACK
        self.passed = False
        self.last: i64 = NONE
        self.winner: i64 = GOING_ON
        self.is_over = False
        self.lines: dict[str, int] = {}
        self.queue = zeros(span)
        self.seen = zeros(span)
        self.stamp: i64 = 0
        self.spelling: str | None = None
        self.respelled: list[object] | None = None

    # The public methods.

    def replay(self, opening: list[int], turns: list[object], states: list[State] | None = None) -> Ending | None:
        """Replay a record on a board with opening stones, Black's first.

        Return None if a turn is illegal, or if only the engine can compute the result. The position before the first
        turn and the position after each turn are added to `states`, if given.
        """
        self.start([(cell, 1 + color) for color, cell in enumerate(opening)], BLACK, False, NONE)
        self.respelled = None
        if states is not None:
            states.append(self.state())
        for ply, turn in enumerate(turns):
            if self.is_over or not isinstance(turn, str) or not self.play(turn):
                return None
            self.side = 1 - self.side
            if self.spelling is not None:
                if self.respelled is None:
                    self.respelled = turns.copy()
                self.respelled[ply] = self.spelling
                self.spelling = None
            if states is not None:
                states.append(self.state())
        return self.ending()

    def start(self, stacks: list[tuple[int, int]], side: int, passed: bool, last: int) -> None:
        """Set up a game in progress: the occupied cells with their contents, and the rest as in `State`."""
        self.at = self.blank[:]
        self.side = side
        self.passed = passed
        self.last = last
        self.winner = GOING_ON
        self.is_over = False
        self.clear()
        for place, content in stacks:
            self.put(place, 1 - content % 2, (content + 1) // 2)

    def play_out(self, randrange: Callable[[int], int], turns: list[str], most: int) -> None:
        """Play at most `most` random turns and add them to `turns`.

        Each turn is drawn by one call of `randrange`, which returns its index in the sorted legal turns.
        """
        while not self.is_over and len(turns) < most:
            turn = self.turn_at(randrange(self.count()))
            if not self.play(turn):
                raise RuntimeError(turn)  # unreachable: the turn is legal
            self.side = 1 - self.side
            turns.append(turn)

    def ending(self) -> Ending | None:
        """Return the ending; None if only the engine can compute it."""
        return self.score() if self.is_over else (GOING_ON, None, None)

    def state(self) -> State:
        """Return the position."""
        at = self.at
        contents = [0] * self.span
        for cell in self.cells:
            color = at[cell]
            if color != EMPTY:
                contents[cell] = 2 * self.heights[cell] - 1 + color
        return contents, self.side, self.passed, self.last

    # The methods that games define.

    def clear(self) -> None:
        """Reset the game's own state for an empty board."""

    def put(self, cell: i64, color: i64, height: i64) -> None:
        """Put a stack on an empty cell."""
        self.at[cell] = color
        self.heights[cell] = height

    def play(self, turn: str) -> bool:
        """Play a turn; return False if it is illegal or its spelling unusual. The caller changes the side to move.

        After False, the position is undefined. This implementation is for games with a cell or a pass as turn that two
        passes end.
        """
        named = self.names.get(turn)
        if named is None:
            return False
        cell: i64 = named
        if cell == PASS:
            self.is_over = self.passed
            self.passed = True
            return True
        if self.at[cell] != EMPTY or not self.place(cell):
            return False
        self.passed = False
        return True

    def place(self, cell: i64) -> bool:
        """Place on an empty cell; return False if that is illegal. For games with a cell as turn."""
        raise NotImplementedError

    def score(self) -> Ending | None:
        """Return the ending of a final position; None if only the engine can compute it."""
        return self.winner, None, None

    def count(self) -> i64:
        """Return the number of legal turns of a game in progress, and prepare for `turn_at`."""
        raise NotImplementedError

    def turn_at(self, index: i64) -> str:
        """Return the legal turn with an index in sorted order. `count` must have been called for the position.

        This implementation is for games in which a turn is an open cell or a pass.
        """
        return self.name_at(index, has_pass=True)

    # For the methods of games.

    def name_at(self, index: i64, *, has_pass: bool) -> str:
        """Return the name with an index in the sorted names of the open cells and, with `has_pass`, the pass."""
        for cell in self.order:
            is_among: bool = has_pass if cell == PASS else self.open[cell] != 0
            if is_among:
                if index == 0:
                    return self.name_of[cell]
                index -= 1
        raise IndexError(index)

    def find_line(self, turn: str) -> int | None:
        """Return the packed line with the ends that a turn such as ``e5-e8`` names, and add it to `lines`; or None."""
        names = self.names
        hyphen = turn.find("-")
        while hyphen >= 0 and turn[:hyphen] not in names:  # the minus sign of a coordinate
            hyphen = turn.find("-", hyphen + 1)
        first: i64 = names.get(turn[:hyphen], PASS) if hyphen >= 0 else PASS
        last: i64 = names.get(turn[hyphen + 1 :], PASS)
        direction: i64
        for direction in range(6):
            cell = first
            while cell != PASS and self.blank[cell] == EMPTY:
                cell += self.steps[direction]
                if cell == last:
                    packed = first | last << CELL_BITS | direction << 2 * CELL_BITS
                    self.lines[turn] = packed
                    return packed
        return None

    def spread(self, start: i64, content: i64) -> i64:
        """Put a cell, and the cells with a content that are connected to it, into `queue`; return their number.

        Cells whose number in `seen` is the stamp are left out; the cells that are found get that number.
        """
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
                if at[other] == content and seen[other] != stamp:
                    seen[other] = stamp
                    queue[last] = other
                    last += 1
        return last
