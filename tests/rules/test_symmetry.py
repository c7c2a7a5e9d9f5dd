"""The twelve symmetries: each keeps what a board is, and together they are a group."""

from __future__ import annotations

from hexrec.rules.board import MAX_SIZE, MIN_SIZE, Board, hexagon
from tests.cases import all_of
from tests.properties import sample

every_size = all_of("size", range(MIN_SIZE, MAX_SIZE + 1))


@every_size
def test_there_are_twelve_and_the_first_changes_nothing(size: int) -> None:
    images = {tuple(symmetry[cell] for cell in hexagon(size).cells) for symmetry in hexagon(size).symmetries}
    assert len(images) == len(hexagon(size).symmetries) == 12
    assert all(cell == image for cell, image in hexagon(size).symmetries[0].items())


def test_a_rhombus_has_four_about_its_middle() -> None:
    board = Board(3, [(q, r) for q in range(3) for r in range(1, 4)])
    assert len(board.symmetries) == 4
    assert {symmetry[board.cell(0, 1)] for symmetry in board.symmetries} == {board.cell(0, 1), board.cell(2, 3)}


@every_size
def test_each_maps_the_board_onto_itself_and_keeps_the_center(size: int) -> None:
    grid = hexagon(size)
    center = grid.cell(0, 0)
    for symmetry in hexagon(size).symmetries:
        assert sorted(symmetry.values()) == sorted(symmetry) == list(grid.cells)
        assert symmetry[center] == center


@all_of("size", sample(range(MIN_SIZE, MAX_SIZE + 1), 4))
def test_each_keeps_neighbors_the_rim_and_straight_lines(size: int) -> None:
    grid = hexagon(size)
    for symmetry in hexagon(size).symmetries:
        assert {symmetry[cell] for cell in grid.edge} == set(grid.edge)
        for cell in grid.cells:
            image = symmetry[cell]
            assert {symmetry[other] for other in grid.neighbors[cell]} == set(grid.neighbors[image])
            rays = {tuple(symmetry[other] for other in ray) for ray in grid.rays[cell]}
            assert rays == set(grid.rays[image])


@every_size
def test_two_in_a_row_are_another_one(size: int) -> None:
    cells = hexagon(size).cells
    images = {tuple(symmetry[cell] for cell in cells) for symmetry in hexagon(size).symmetries}
    for first in hexagon(size).symmetries:
        for second in hexagon(size).symmetries:
            assert tuple(second[first[cell]] for cell in cells) in images
