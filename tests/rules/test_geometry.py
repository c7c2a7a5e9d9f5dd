"""Cells, neighbors, rays and the edge, worked out a second time from the axial coordinates."""

from __future__ import annotations

from math import isqrt

import pytest

from hexrec.rules.board import DIRECTIONS, MAX_SIZE, MAX_SPAN, MIN_SIZE, Board, hexagon
from tests.cases import all_of
from tests.examples.hex import rhombus

SIZES = (MIN_SIZE, 4, 5, 9, MAX_SIZE)
STEPS = {"E": (1, 0), "NE": (0, 1), "NW": (-1, 1), "W": (-1, 0), "SW": (0, -1), "SE": (1, -1)}
every_size = all_of("size", SIZES)


def on_board(size: int, q: int, r: int) -> bool:
    return max(abs(q), abs(r), abs(q + r)) < size


def walk(grid: Board, cell: int, direction: str) -> list[int]:
    (q, r), (dq, dr) = grid.axial(cell), STEPS[direction]
    cells = []
    while on_board(grid.size, q := q + dq, r := r + dr):
        cells.append(grid.cell(q, r))
    return cells


@every_size
def test_there_are_as_many_cells_as_the_rules_say(size: int) -> None:
    grid = hexagon(size)
    assert len(grid.cells) == len(set(grid.cells)) == 3 * size * (size - 1) + 1
    assert {grid.axial(cell) for cell in grid.cells} == {
        (q, r) for q in range(-size, size + 1) for r in range(-size, size + 1) if on_board(size, q, r)
    }
    assert all(grid.cell(*grid.axial(cell)) == cell for cell in grid.cells)


@every_size
def test_board_order_is_row_by_row_from_the_bottom_and_left_to_right(size: int) -> None:
    grid = hexagon(size)
    assert list(grid.cells) == sorted(grid.cells)
    assert list(grid.cells) == sorted(grid.cells, key=lambda cell: grid.axial(cell)[::-1])


@every_size
def test_rays_run_straight_to_the_edge(size: int) -> None:
    grid = hexagon(size)
    for cell in grid.cells:
        assert [list(ray) for ray in grid.rays[cell]] == [walk(grid, cell, direction) for direction in DIRECTIONS]
        assert all(ray[-1] in grid.edge for ray in grid.rays[cell] if ray)


@every_size
def test_neighbors_are_the_cells_one_step_away(size: int) -> None:
    grid = hexagon(size)
    for cell in grid.cells:
        around = [ray[0] for direction in DIRECTIONS if (ray := walk(grid, cell, direction))]
        assert list(grid.neighbors[cell]) == around
        assert all(cell in grid.neighbors[other] for other in around)
    off = set(range(grid.span)) - set(grid.cells)
    assert not any(grid.neighbors[cell] or grid.rays[cell] or grid.lines[cell] for cell in off)


@every_size
def test_the_rim_has_six_corners_with_three_neighbors_and_else_four(size: int) -> None:
    grid = hexagon(size)
    degrees = [len(grid.neighbors[cell]) for cell in grid.edge]
    assert sorted(degrees) == [3] * 6 + [4] * (6 * (size - 2))
    assert list(grid.edge) == [cell for cell in grid.cells if len(grid.neighbors[cell]) < 6]


@every_size
def test_corners_follow_each_other_counter_clockwise_from_the_west(size: int) -> None:
    grid, far = hexagon(size), size - 1
    corners = [(-far, 0), (0, -far), (far, -far), (far, 0), (0, far), (-far, far)]
    assert [grid.axial(cell) for cell in grid.corners] == corners


def test_corners_of_a_rhombus() -> None:
    """Those of its sharp angles have two neighbors."""
    grid = rhombus(4)
    assert [grid.axial(cell) for cell in grid.corners] == [(0, 0), (3, 0), (3, 3), (0, 3)]


def test_a_board_is_built_once() -> None:
    assert hexagon(5) is hexagon(5)
    assert repr(hexagon(5)) == "Hexagon(5)"
    assert hexagon(5).names() is hexagon(5).names("row")


def test_cells_are_drawn_in_rows_that_are_half_a_cell_apart() -> None:
    grid = hexagon(4)
    assert [grid.position(grid.cell(*axial)) for axial in ((0, 0), (1, 0), (0, 1), (-1, 3))] == [
        (0, 0),
        (1, 0),
        (0.5, 1),
        (0.5, 3),
    ]


def test_a_board_is_not_too_large_for_moves() -> None:
    """A row has a cell more on one side, and the board has a row more on both."""
    length = isqrt(MAX_SPAN)
    cells = [(q, r) for q in range(length - 1) for r in range(length - 1)]
    assert Board(0, [(q, r) for q, r in cells if r < length - 2]).span == MAX_SPAN == length**2
    with pytest.raises(ValueError, match=f"size 7 is too large: it takes {MAX_SPAN + length} places of {MAX_SPAN}"):
        Board(7, cells)


@pytest.mark.parametrize("size", [MIN_SIZE - 1, MAX_SIZE + 1, 0, -5])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"3 to 14 cells per side, not {size}"):
        hexagon(size)
