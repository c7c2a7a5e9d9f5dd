"""Cells in texts that need not be turns: what a picture of an illegal turn marks, and how it writes it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexrec.render.views import cells_through
from hexrec.rules.board import Board, hexagon
from hexrec.rules.terms import IllegalTurn
from tests.examples.hex import HEX

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
    assert NAMES.translate(f"{name.upper()}-g9", axial) == "(0,0)-g9"
    assert NAMES.translate(f"É{name}", axial) == "É(0,0)"


def test_the_last_row_may_be_one_cell() -> None:
    def triangle(size: int) -> Board:
        return Board(size, [(q, r) for q in range(size) for r in range(size - q)])

    with pytest.raises(IllegalTurn, match=r"the rows run from a to e on"):
        replace(HEX, sizes=range(5, 6), recommended=(5,), board=triangle).start(5).play("z1")
