"""Positions as NumPy arrays, for neural networks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hexrec

#: What the planes hold, in order.
PLANES = ("own heights", "enemy heights", "board", "unfinished turn", "last turn was a pass")


def planes(position: hexrec.Position[Any], entered: Iterable[int] = ()) -> NDArray[np.float32]:
    """Return a position as seen by the side to move: an array of `PLANES` by row by column.

    Row and column are axial coordinates, so that the neighbors of a cell are in the same places everywhere. `entered`
    are the actions of an unfinished turn.
    """
    board = position.board
    axial = np.array([board.axial(cell) for cell in board.cells])
    columns, rows = (axial - axial.min(axis=0)).T
    own = position.turn
    cells = [position.names.single(cell) for cell in board.cells]
    stones = position.stones
    made = np.zeros((len(PLANES), rows.max() + 1, columns.max() + 1), dtype=np.float32)
    for cell, row, column in zip(cells, rows, columns, strict=True):
        stone = stones.get(cell)
        if stone is not None:
            made[0 if stone.color == own else 1, row, column] = stone.height
    made[2, rows, columns] = 1
    for action in entered:
        made[3, rows[action], columns[action]] = 1
    made[4] = position.turns[-1:] == ["pass"]
    return made
