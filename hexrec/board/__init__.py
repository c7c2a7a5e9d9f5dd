"""The hexagonal board: geometry, names of cells, symmetries. Knows no game."""

from hexrec.board.coordinates import SYSTEMS, CellNames, System
from hexrec.board.geometry import DIRECTIONS, MAX_SIZE, MIN_SIZE, Board, board
from hexrec.board.symmetry import symmetries

__all__ = [
    "DIRECTIONS",
    "MAX_SIZE",
    "MIN_SIZE",
    "SYSTEMS",
    "Board",
    "CellNames",
    "System",
    "board",
    "symmetries",
]
