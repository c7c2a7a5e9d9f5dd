"""Turns as integers and positions as arrays, for programs that learn to play.

An action is the index of a cell in board order, or the number of cells, which passes or ends a turn to which another
cell could be added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from hexrec.errors import ArgumentError, MissingExtraError
from hexrec.rules.board import Board
from hexrec.rules.grid import EMPTY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Turns by their remaining actions.
Turns = Mapping[tuple[int, ...], str]


def count(board: Board) -> int:
    """Return the number of actions."""
    return len(board.cells) + 1


def turns_by_actions(board: Board, grid: Any, moves: Iterable[int]) -> dict[tuple[int, ...], str]:
    """Return the turns for legal moves of a grid by their actions."""
    place = {cell: number for number, cell in enumerate(board.cells)}
    return {tuple([place[cell] for cell in grid.named_cells(move)]): grid.write(move) for move in moves}


def entered(board: Board, grid: Any, turns: Turns) -> list[int]:
    """Return the actions of an unfinished turn, given the turns that it can become by their remaining actions."""
    left, turn = next(iter(turns.items()), ((), ""))
    if not turn:
        return []
    place = {cell: number for number, cell in enumerate(board.cells)}
    whole = [place[cell] for cell in grid.named_cells(grid.read(turn))]
    return whole[: len(whole) - len(left)]


def symmetries(board: Board) -> list[list[int]]:
    """Return the image of each action under each symmetry of the board, the identity first."""
    place = {cell: number for number, cell in enumerate(board.cells)}
    return [[*(place[image[cell]] for cell in board.cells), len(board.cells)] for image in board.symmetries]


def planes(board: Board, grid: Any, unfinished: Iterable[int]) -> NDArray[np.float32]:
    """Return the planes of a position with the actions of an unfinished turn; see `Position.planes`.

    Raises MissingExtraError without NumPy.
    """
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise MissingExtraError("planes are arrays of NumPy, which is not installed: pip install numpy") from None

    axial = np.array([board.axial(cell) for cell in board.cells])
    columns, rows = (axial - axial.min(axis=0)).T
    array = np.zeros((5, rows.max() + 1, columns.max() + 1), dtype=np.float32)
    for cell, row, column in zip(board.cells, rows, columns, strict=True):
        if grid.at[cell] != EMPTY:
            array[grid.at[cell] ^ grid.side, row, column] = grid.heights[cell]
    array[2, rows, columns] = 1
    for action in unfinished:
        array[3, rows[action], columns[action]] = 1
    array[4] = grid.passed
    return array


def legal(board: Board, turns: Turns) -> list[int]:
    """Return the next actions of turns, in ascending order."""
    end = len(board.cells)
    return sorted({left[0] if left else end for left in turns})


def choose(board: Board, turns: Turns, action: int) -> str | dict[tuple[int, ...], str]:
    """Return the turn that an action completes, or the turns that are left by their remaining actions.

    Raises ArgumentError if no turn has this action next.
    """
    end = len(board.cells)
    chosen = {left[1:]: turn for left, turn in turns.items() if (left[0] if left else end) == action}
    if not chosen:
        raise ArgumentError(f"action {action} is not legal here: see legal_actions()")
    return chosen[()] if chosen.keys() == {()} else chosen
