"""Turns as integers and positions as arrays, for programs that learn to play.

An action is the index of a cell in board order, or the number of cells, which passes or ends a turn to which another
cell could be added.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.errors import ArgumentError, MissingExtraError
from hexrec.rules.board import Board
from hexrec.rules.grid import NONE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TurnEntry(NamedTuple):
    """A turn that is entered cell by cell.

    Attributes:
        cells: the cells entered so far.
        moves: the legal moves that begin with these cells, each after all cells that it names.
    """

    cells: list[int]
    moves: list[tuple[list[int], int]]

    def legal(self, board: Board) -> list[int]:
        """Return the next actions, in ascending order."""
        done, number_of = len(self.cells), _numbers(board)
        following = {cells[done] if len(cells) > done else NONE for cells, _ in self.moves}
        return sorted([number_of[cell] for cell in following])

    def enter(self, board: Board, action: int) -> TurnEntry:
        """Return the turn after one more action. Raises ArgumentError if no legal move has it next."""
        done, number_of = len(self.cells), _numbers(board)
        moves = [
            (cells, move)
            for cells, move in self.moves
            if number_of[cells[done] if len(cells) > done else NONE] == action
        ]
        if not moves:
            raise ArgumentError(f"action {action} is not legal here: see legal_actions()")
        return TurnEntry(moves[0][0][: done + 1], moves)

    def move(self) -> int | None:
        """Return the move that is complete, or None if another action follows."""
        is_complete = all(len(cells) == len(self.cells) for cells, _ in self.moves)
        return self.moves[0][1] if is_complete else None


def begin(grid: Any, moves: list[int]) -> TurnEntry:
    """Return the entry of a turn without any action, given the legal moves."""
    return TurnEntry([], [*zip(map(grid.named_cells, moves), moves, strict=True)])


def symmetries(board: Board) -> list[list[int]]:
    """Return the image of each action under each symmetry of the board, the identity first."""
    number_of = _numbers(board)
    return [[*(number_of[image[cell]] for cell in board.cells), len(board.cells)] for image in board.symmetries]


def planes(board: Board, grid: Any, entry: TurnEntry | None) -> NDArray[np.float32]:
    """Return the planes of a position with an unfinished turn, if any; see `Position.planes`.

    Raises MissingExtraError without NumPy.
    """
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise MissingExtraError("planes are arrays of NumPy, which is not installed: pip install numpy") from None

    cells, rows, columns = _places(board)
    contents = np.array(grid.contents())[cells]
    heights, is_mine = (contents + 1) // 2, contents % 2 != grid.side
    array = np.zeros((5, rows.max() + 1, columns.max() + 1), dtype=np.float32)
    array[0, rows, columns] = heights * is_mine
    array[1, rows, columns] = heights * ~is_mine
    array[2, rows, columns] = 1
    if entry is not None:
        entered = np.isin(cells, entry.cells)
        array[3, rows[entered], columns[entered]] = 1
    array[4] = grid.passed
    return array


@lru_cache(maxsize=64)
def _numbers(board: Board) -> dict[int, int]:
    """Return the action of each cell; that of NONE ends a turn."""
    return {cell: number for number, cell in enumerate((*board.cells, NONE))}


@lru_cache(maxsize=64)
def _places(board: Board) -> NDArray[np.intp]:
    """Return the cells of a board, and the row and the column of each in planes."""
    import numpy as np

    axial = np.array([board.axial(cell) for cell in board.cells])
    columns, rows = (axial - axial.min(axis=0)).T
    return np.array([board.cells, rows, columns])
