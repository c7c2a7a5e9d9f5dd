"""Boards: geometry, names of cells, symmetries. Knows no game."""

from hexrec.board.board import BIT, DIRECTIONS, MAX_SIZE, MIN_SIZE, Board, Hexagon, Symmetry, cells_of, hexagon
from hexrec.board.coordinates import SYSTEMS, CellNames, System

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
