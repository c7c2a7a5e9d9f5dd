"""Statements of the rules pages in words of their own: they hold in games by `rules.py`."""

from __future__ import annotations

import random

import pytest

from hexrec.rules import games
from hexrec.rules.board import Board
from hexrec.rules.position import Position
from tests.properties import examples
from tests.rules.random_games import RandomGame


def secure_by_the_page(position: Position) -> set[int]:
    """Return the secure stacks as "The end" on Valaturna's page defines them."""
    stacks, secure = position.stacks(), set[int]()

    def is_safe(cell: int, sides: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
        color = stacks[cell].color
        for side in sides:
            if all(other in secure and stacks[other].color == color for other in side):
                return True
        for side in sides:
            for other in side:
                if other not in stacks:
                    return False
                if other in secure and stacks[other].color != color:
                    break
        return True

    while more := {
        cell
        for cell in stacks
        if cell not in secure and all(is_safe(cell, sides) for sides in position.board.lines[cell])
    }:
        secure |= more
    return secure


@pytest.mark.parametrize("size", [4, 5])
def test_the_page_defines_the_secure_stacks_of_valaturna(size: int) -> None:
    found = 0
    # Odd seeds fill the board.
    for seed in range(1, 1 + 2 * examples(5), 2):
        played = RandomGame("valaturna", size, None, seed)
        position = played.start()
        for turn in played.turns:
            position.play(turn)
            marked = {cell for mark in position.highlights() if mark.role == "secure" for cell in mark.cells}
            assert secure_by_the_page(position) == marked
            found = max(found, len(marked))
    assert found > size


def edge_in_order(board: Board) -> list[int]:
    """Return the cells of the edge, each next to the one before it."""
    ordered = [board.edge[0]]
    while following := [cell for cell in board.neighbors[ordered[-1]] if cell in board.edge and cell not in ordered]:
        ordered.append(following[0])
    assert sorted(ordered) == sorted(board.edge)
    return ordered


def full_board(size: int, rng: random.Random, inside: str) -> str:
    """Return the text of a full position without a loop: every group has a stone on the edge.

    The inner cells have the color `inside`, or if it is empty random ones that grow inward from the edge.
    """
    board = games.get("sunspot").board(size)
    colors = {cell: rng.choice("bw") for cell in board.edge}
    if inside:
        colors |= {cell: inside for cell in board.cells if cell not in colors}
    while empty := [cell for cell in board.cells if cell not in colors]:
        cell = rng.choice(empty)
        if near := [colors[other] for other in board.neighbors[cell] if other in colors]:
            colors[cell] = rng.choice(near)
    rows: dict[str, str] = {}
    for cell in board.cells:
        row = board.names("row").single(cell).rstrip("0123456789")
        rows[row] = rows.get(row, "") + colors[cell]
    return "/".join(reversed(rows.values())) + " b 0"


def stretches(position: Position, edge: list[int]) -> int:
    """Return how many stretches of one color the edge of a full board has."""
    colors = [position.stacks()[cell].color for cell in edge]
    return max(1, sum(one != other for one, other in zip(colors, colors[-1:] + colors[:-1], strict=True)))


@pytest.mark.parametrize("size", [4, 5])
def test_a_full_board_of_sunspot_comes_to_a_loop(size: int) -> None:
    """Each flip that does not end the game makes the stretches of the edge two fewer, and no pass follows a pass."""
    passes = 0
    for seed in range(examples(20)):
        rng = random.Random(seed)
        position = games.get("sunspot").start(position=full_board(size, rng, "b" if seed % 4 == 0 else ""))
        edge = edge_in_order(position.board)
        turn = ""
        while not position.is_over:
            before, last = stretches(position, edge), turn
            for turn in rng.choices(position.legal_turns(), k=20):
                position.play(turn)
                if not position.is_over:
                    break
                position.undo()
            else:  # chance found no turn that avoids the end
                position.play(turn)
            passes += turn == "pass"
            assert (last, turn) != ("pass", "pass")
            assert position.is_over or stretches(position, edge) == before - (0 if turn == "pass" else 2)
        outcome = position.result()
        assert outcome is not None
        assert outcome.winner in ("black", "white")
    assert passes
