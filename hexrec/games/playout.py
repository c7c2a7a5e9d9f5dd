"""Games in which every turn is drawn from the legal ones, each as likely as the others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from hexrec.board.coordinates import System
from hexrec.games.game import Game, Position


class Playout(NamedTuple):
    """A random game.

    Attributes:
        opening: the names of the cells of the opening stones, by colour.
        turns: the texts of the turns.
        position: the position after them.
    """

    opening: dict[str, str]
    turns: list[str]
    position: Position[Any]


def random_game(
    game: Game,
    size: int,
    variant: str | None,
    seed: str,
    plies: int,
    coordinates: System = "row",
    ruleset: str | None = None,
) -> Playout:
    """Play a random game of at most `plies` turns; the same arguments give the same game."""
    rng = Random(f"{game.name}/{size}/{variant}/{seed}")
    board = game.board(size)
    names = board.names(coordinates)
    cells = rng.sample(board.cells, len(game.opening))
    opening: dict[str, str] = {colour: names.single(cell) for colour, cell in zip(game.opening, cells, strict=True)}
    position = game.start(size, opening, variant, coordinates, ruleset=ruleset)
    return Playout(opening, list(random_turns(position, rng, plies)), position)


def random_turns(position: Position[Any], rng: Random, plies: int) -> Iterator[str]:
    """Play random turns, yielding each, until the game is over or `plies` turns of it were played."""
    while not position.is_over and position.plies < plies:
        turn = rng.choice(position.legal_turns())
        position.play(turn)
        yield turn
