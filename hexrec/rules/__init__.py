"""Boards: geometry, names of cells, symmetries. Knows no game."""
