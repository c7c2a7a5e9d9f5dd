"""The value of every opening of a board: who wins if both sides play their best turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import NamedTuple

from hexrec.rules import games
from hexrec.rules.board import Board
from hexrec.rules.game import Game
from hexrec.tools.analysis.search import VALUES, Solver, estimate


class Opening(NamedTuple):
    """An opening, and its value.

    Attributes:
        cells: the cells of the opening stones, Black's first; without opening stones that of Black's first turn.
        images: the number of different openings that symmetries of the board make of it, itself included.
        winner: `black`, `white` or `draw`; None without a proof.
        positions: the number of positions that were searched.
        estimate: the value from -1 (White wins) to 1 (Black wins), by random games; None with a proof or without games.
    """

    cells: tuple[str, ...]
    images: int
    winner: str | None
    positions: int
    estimate: float | None


def colors(game: Game) -> tuple[str, ...]:
    """Return the colors of the stones that an opening consists of."""
    # Without opening stones, the pie rule applies to Black's first turn.
    return (*game.opening,) or ("black",)


def openings(board: Board, stones: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the openings with `stones` stones, one for all its images, each with their number."""
    for cells in permutations(board.cells, stones):
        images = {tuple(symmetry[cell] for cell in cells) for symmetry in board.symmetries}
        if cells == min(images):
            yield cells, len(images)


def solve_openings(
    part: Sequence[tuple[tuple[int, ...], int]],
    *,
    game: str,
    size: int,
    variant: str | None,
    positions: int,
    playouts: int,
) -> list[Opening]:
    """Return openings with their values.

    Each proof searches at most `positions` positions; `playouts` random games estimate what it does not prove.
    """
    rules = games.get(game)
    names = rules.board(size).names().names
    winners = {value: winner for winner, value in VALUES.items()}
    found = []
    for cells, images in part:
        stones = tuple(names[cell] for cell in cells)
        position = rules.start(size, dict(zip(rules.opening, stones, strict=False)) or None, variant)
        position.play_all(stones[len(rules.opening) :])
        solver = Solver(positions)
        proof = solver.solve(position)
        rough = estimate(position, Random(f"{stones}"), playouts).value if playouts and not proof else None
        found.append(Opening(stones, images, winners[proof.value] if proof else None, solver.searched, rough))
    return found
