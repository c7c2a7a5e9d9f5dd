"""Boards: geometry, names of cells, symmetries. Knows no game."""

from hexrec.board.board import BIT, DIRECTIONS, Board, Symmetry, cells_of
from hexrec.board.coordinates import SYSTEMS, CellNames, System
from hexrec.board.hexagon import MAX_SIZE, MIN_SIZE, Hexagon, hexagon

__all__ = [
    "BIT",
    "DIRECTIONS",
    "MAX_SIZE",
    "MIN_SIZE",
    "SYSTEMS",
    "Board",
    "CellNames",
    "Hexagon",
    "Symmetry",
    "System",
    "cells_of",
    "hexagon",
]
