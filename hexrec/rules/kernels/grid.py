"""What all kernels share: the cells of a board as arrays, and what a kernel answers.

A cell is the number that `hexrec.rules` gives it; around the board the numbering has places off the board, so that a
neighbor is always a cell plus a step.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

#: What is on a cell, and whose turn it is.
BLACK: Final = 0
WHITE: Final = 1
EMPTY: Final = 2
OFF_BOARD: Final = 3
#: How a game ended, besides BLACK and WHITE.
DRAW: Final = 2
GOING_ON: Final = 3
#: What the turn text `pass` is among the names of cells.
PASS: Final = -1

#: How a game stands after its last turn, BLACK, WHITE, DRAW or GOING_ON, and the scores of Black and White, if the game
#: has ended and has scores.
Ending = tuple[int, object, object]


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
    """The rules of one game on arrays, for boards of one size: a second author of verdicts that refuses nothing.

    Attributes:
        grid: the board.
        names: the cells by name, in one coordinate system, and PASS.
        reverse: whether the game's variant is played.
        respelled: the turns of the record played last, if all were legal, in their canonical spelling; None if they are
            in it. Only a game of which several plain texts can be the same turn ever sets this.
    """

    def __init__(self, grid: Grid, names: dict[str, int], reverse: bool) -> None:
        self.grid = grid
        self.names = names
        self.reverse = reverse
        self.respelled: list[object] | None = None

    def replay(self, opening: list[int], turns: list[object]) -> Ending | None:
        """Play a whole record on a board with opening stones, those of Black first.

        Return how it stands if all turns are legal; None if one is not, or if the answer is left to the engine, which
        then plays the record from the start.
        """
        raise NotImplementedError
