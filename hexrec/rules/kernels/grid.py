"""The base of all kernels: the cells of a board as arrays, and the answers of a kernel.

A cell is the number that `hexrec.rules` gives it; around the board the numbering has places off the board, so that a
neighbor is always a cell plus a step.
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
#: How a game ended, besides BLACK and WHITE.
DRAW: Final = 2
GOING_ON: Final = 3
#: The number of the turn text `pass` among the names of cells.
PASS: Final = -1

#: The value of a missing cell or part of a turn.
NONE: Final = -1

#: How a game stands after its last turn, BLACK, WHITE, DRAW or GOING_ON, and the scores of Black and White, if the game
#: has ended and has scores.
Ending = tuple[int, object, object]
#: A position: the content of each cell as `Position.contents` has it, 0 if empty, 2h - 1 for Black's stack of height h,
#: 2h for White's; whose turn it is; whether the last turn was a pass; the color that placed the last stone, where that
#: matters, or NONE.
State = tuple[list[int], int, bool, int]


def zeros(length: i64) -> vec[i64]:
    """Return an array of zeros."""
    return vec[i64]([0] * length)


class Grid:
    """The cells of a board of one size.

    Attributes:
        span: the length of an array that every cell and every neighbor of a cell indexes.
        cells: the cells in board order.
        blank: by cell, EMPTY, or OFF_BOARD around the board.
        steps: what to add to a cell to get to its neighbors, anticlockwise from the east.
    """

    def __init__(self, span: int, cells: tuple[int, ...], steps: tuple[int, ...]) -> None:
        self.span: i64 = span
        self.cells = vec[i64](cells)
        self.steps = vec[i64](steps)
        self.blank = vec[i64]([OFF_BOARD] * span)
        for cell in cells:
            self.blank[cell] = EMPTY


class Kernel:
    """The rules of one game on arrays, for boards of one size: a second way to results that refuses nothing.

    It holds one position: `start` sets it up, `play` plays a turn, `count` and `turn_at` list the legal ones.

    Attributes:
        grid: the board.
        names: the cells by name, in one coordinate system, and PASS.
        name_of: the other way round.
        order: the cells and PASS in the order of their names.
        reverse: whether the game's variant is played.
        at: by cell, BLACK, WHITE, EMPTY or OFF_BOARD.
        side: whose turn it is.
        passed: whether the last turn was a pass.
        last: the color that placed the last stone, in the games in which that matters, or NONE.
        winner: how the game stands, in games that a turn can win; GOING_ON in others.
        is_over: whether the game has ended.
        queue, seen, stamp: for searches on the board, the cells to visit; by cell, the stamp of the last search that
            visited it; the stamp of the last search.
        spelling: the canonical spelling of the turn played last, if that was in another. Only a game of which several
            plain texts can be the same turn ever sets this.
        respelled: the turns of the record played last, if all were legal, in their canonical spelling; None if they are
            in it.
    """

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        self.grid = grid
        self.names = names
        self.name_of = {cell: name for name, cell in names.items()}
        self.order = vec[i64]([names[name] for name in sorted(names)])
        self.reverse = reverse
        self.at = zeros(grid.span)
        self.side: i64 = BLACK
        self.passed = False
        self.last: i64 = NONE
        self.winner: i64 = GOING_ON
        self.is_over = False
        self.queue = zeros(grid.span)
        self.seen = zeros(grid.span)
        self.stamp: i64 = 0
        self.spelling: str | None = None
        self.respelled: list[object] | None = None

    # The calls for users of kernels.

    def replay(self, opening: list[int], turns: list[object], states: list[State] | None = None) -> Ending | None:
        """Play a whole record on a board with opening stones, those of Black first.

        Return how it stands if all turns are legal; None if one is not, or if the answer is left to the engine, which
        then plays the record from the start. The position before the first turn and those after each are added to
        `states`, where given.
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
        """Set up an unfinished game: the cells that are not empty, each with its content; the rest as in `State`."""
        at, blank = self.at, self.grid.blank
        cell: i64
        for cell in range(self.grid.span):
            at[cell] = blank[cell]
        self.side = side
        self.passed = passed
        self.last = last
        self.winner = GOING_ON
        self.is_over = False
        self.clear()
        for place, content in stacks:
            self.put(place, 1 - content % 2, (content + 1) // 2)

    def play_out(self, randrange: Callable[[int], int], turns: list[str], most: int) -> None:
        """Go on with at most `most` random turns, and add them to `turns`: each legal one is as likely as the others.

        Each is drawn by one call of `randrange`, which returns its place among the legal turns in sorted order.
        """
        while not self.is_over and len(turns) < most:
            turn = self.turn_at(randrange(self.count()))
            if not self.play(turn):
                raise RuntimeError(turn)  # unreachable: it was among the legal ones
            self.side = 1 - self.side
            turns.append(turn)

    def legal_turns(self) -> list[str]:
        """Return the legal turns in their canonical spelling, sorted."""
        return [self.turn_at(index) for index in range(self.count())]

    def state(self) -> State:
        """Return the position."""
        at = self.at
        contents = [0] * self.grid.span
        for cell in self.grid.cells:
            color = at[cell]
            if color != EMPTY:
                contents[cell] = 2 * self.height(cell) - 1 + color
        return contents, self.side, self.passed, self.last

    # The methods that a game defines.

    def clear(self) -> None:
        """Empty what the game keeps besides `at`."""

    def put(self, cell: i64, color: i64, height: i64) -> None:
        """Put a stack on an empty cell."""
        raise NotImplementedError

    def height(self, cell: i64) -> i64:  # noqa: ARG002
        """Return the height of the stack on an occupied cell."""
        return 1

    def play(self, turn: str) -> bool:
        """Play a turn of the side to move if it is legal and in a plain spelling; the caller sets the side to move.

        Return False for any other turn; the position is then of no more use. This method is for games in which a turn
        is one cell, or a pass; two passes end them.
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
        """Place on an empty cell, if that is legal, in games in which a turn is one cell."""
        raise NotImplementedError

    def ending(self) -> Ending | None:
        """Return how the game stands; None if that is left to the engine."""
        return self.winner, None, None

    def count(self) -> i64:
        """Return how many legal turns there are, and prepare for `turn_at`; not called once the game is over."""
        raise NotImplementedError

    def turn_at(self, index: i64) -> str:
        """Return a legal turn by its place among all in sorted order, in the position in which they were counted."""
        raise NotImplementedError

    # For games in which a turn is one cell, or a pass.

    def name_at(self, index: i64, marks: vec[i64], bit: i64, *, has_pass: bool) -> str:
        """Return the name at a place among those of the pass, if there is one, and of the cells marked with a bit."""
        for cell in self.order:
            is_among: bool = has_pass if cell == PASS else marks[cell] & bit != 0
            if is_among:
                if index == 0:
                    return self.name_of[cell]
                index -= 1
        raise IndexError(index)
