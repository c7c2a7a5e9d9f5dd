"""The names of cells, both ways, in the three systems, against the examples and the wording of the format page."""

from __future__ import annotations

import re

import pytest

from hexrec.rules.board import CELL_PATTERNS, MAX_SIZE, MIN_SIZE, SYSTEMS, CellNames, hexagon
from tests.cases import all_of

SIZES = (MIN_SIZE, 4, 5, 9, MAX_SIZE)
LETTERS = [*"abcdefghijklmnopqrstuvwxyz", "aa"]
every_size = all_of("size", SIZES)


def name(size: int, system: str, axial: tuple[int, int]) -> str:
    grid = hexagon(size)
    return grid.names(system).names[grid.cell(*axial)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("axial", "row", "skew"),
    [
        ((0, -4), "a1", "a1"),
        ((4, -4), "a5", "e1"),
        ((-1, -3), "b1", "a2"),
        ((4, -3), "b6", "f2"),
        ((-4, 0), "e1", "a5"),
        ((0, 0), "e5", "e5"),
        ((4, 0), "e9", "i5"),
        ((-4, 1), "f1", "b6"),
        ((-4, 4), "i1", "e9"),
        ((0, 4), "i5", "i9"),
    ],
)
def test_the_corners_rows_and_center_of_size_5(axial: tuple[int, int], row: str, skew: str) -> None:
    assert (name(5, "row", axial), name(5, "skew", axial)) == (row, skew)
    assert name(5, "axial", axial) == "({},{})".format(*axial)


def test_the_top_row_of_size_14_is_aa() -> None:
    names = hexagon(14).names("row").names
    assert [names[cell] for cell in hexagon(14).cells[-14:]] == [f"aa{number}" for number in range(1, 15)]
    assert name(14, "skew", (0, 13)) == "aa27"


@every_size
def test_row_names_count_rows_from_the_bottom_and_cells_from_the_left(size: int) -> None:
    expected = [
        f"{LETTERS[row]}{number}"
        for row in range(2 * size - 1)
        for number in range(1, 2 * size - 1 - abs(row - (size - 1)) + 1)
    ]
    assert list(hexagon(size).names("row").cells) == expected


@every_size
def test_in_skew_names_one_letter_is_one_line_and_one_number_is_one_line(size: int) -> None:
    grid = hexagon(size)
    names = grid.names("skew").names
    for cell in grid.cells:
        letter, number = re.fullmatch("([a-z]+)([0-9]+)", names[cell]).groups()  # type: ignore[union-attr]
        east, _, north_west, *_ = grid.rays[cell]
        assert [names[other] for other in north_west] == [
            f"{letter}{int(number) + step}" for step in range(1, len(north_west) + 1)
        ]
        assert [names[other] for other in east] == [
            f"{LETTERS[LETTERS.index(letter) + step]}{number}" for step in range(1, len(east) + 1)
        ]


@pytest.mark.parametrize("system", SYSTEMS)
class TestBothWays:
    @every_size
    def test_every_cell_has_one_name_and_every_name_one_cell(self, system: str, size: int) -> None:
        grid = hexagon(size)
        names = grid.names(system)  # type: ignore[arg-type]
        assert list(names.names) == list(grid.cells)
        assert len(names.cells) == len(grid.cells)
        assert all(names.cells[text] == cell for cell, text in names.names.items())

    @every_size
    def test_every_name_is_spelled_as_the_pattern_says(self, system: str, size: int) -> None:
        pattern = re.compile(CELL_PATTERNS[system])  # type: ignore[index]
        for text in hexagon(size).names(system).cells:  # type: ignore[arg-type]
            assert pattern.fullmatch(text)
            assert pattern.fullmatch(text.upper())

    @every_size
    def test_find_disregards_case_and_blanks(self, system: str, size: int) -> None:
        names = hexagon(size).names(system)  # type: ignore[arg-type]
        for cell in names.names:
            assert names.find(f" \t{names.single(cell).upper()}\r\n") == cell
            assert names.find(names.names[cell]) == cell


@pytest.mark.parametrize(
    ("system", "text"),
    [
        ("row", "a6"),
        ("row", "a0"),
        ("row", "a01"),
        ("row", "e10"),
        ("row", "j1"),
        ("row", "0,0"),
        ("row", ""),
        ("row", "e 5"),
        ("row", "e5\u00a0"),
        ("skew", "b9"),
        ("skew", "i1"),
        ("axial", "e5"),
        ("axial", "0, 0"),
        ("axial", "-0,0"),
        ("axial", "5,0"),
        ("axial", "(0,0"),
        ("axial", "((0,0))"),
    ],
)
def test_what_is_not_a_cell_of_size_5_is_not_found(system: str, text: str) -> None:
    assert hexagon(5).names(system).find(text) is None  # type: ignore[arg-type]


def test_axial_names_stand_alone_without_brackets() -> None:
    names = hexagon(5).names("axial")
    cell = hexagon(5).cell(-1, 4)
    assert names.single(cell) == "-1,4"
    assert names.find("(-1,4)") == names.find("-1,4") == cell


def test_an_unknown_system_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown coordinate system 'column'; known: row, skew, axial"):
        CellNames("column", {})  # type: ignore[arg-type]
