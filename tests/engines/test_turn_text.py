"""Cells in texts that need not be turns: what a picture of an illegal turn marks, and how it writes it."""

from __future__ import annotations

import pytest

from hexrec.board import hexagon
from hexrec.games.turn_text import cells_through, in_names

BOARD = hexagon(4)
NAMES = BOARD.names("row")


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", ""),
        ("C3", "c3"),
        ("c2-c5", "c2 c3 c4 c5"),
        ("c5-c3/A1", "c5 c4 c3 a1"),
        ("b1 c2-c4", "b1 c2 c3 c4"),
        ("-c3-", "c3"),
        ("c2xc4", "c2 c4"),
        ("a1-c6", "a1 c6"),  # no line
        ("c2-g9-c4", "c2 c4"),  # g9 is no cell
        ("c2-c3-c5", "c2 c3 c4 c5"),
    ],
)
def test_cells_that_a_text_names_or_passes(text: str, cells: str) -> None:
    assert [NAMES.single(cell) for cell in cells_through(text, NAMES, BOARD)] == cells.split()


def test_a_text_in_other_names() -> None:
    axial = BOARD.names("axial")
    middle = next(cell for cell in BOARD.cells if BOARD.axial(cell) == (0, 0))
    name = NAMES.single(middle)
    assert in_names(f"{name.upper()}-g9", NAMES, axial) == "(0,0)-g9"
    assert in_names(f"É{name}", NAMES, axial) == "É(0,0)"
