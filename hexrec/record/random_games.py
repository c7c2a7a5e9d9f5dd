"""Games in which every turn is drawn from the legal ones, each as likely as the others, and their records."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from hexrec._version import FORMAT_VERSION, __version__
from hexrec.board.coordinates import System
from hexrec.games import Game, Position
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record


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
    opening = random_opening(game, size, rng, coordinates)
    position = game.start(size, opening, variant, coordinates, ruleset=ruleset)
    return Playout(opening, list(random_turns(position, rng, plies)), position)


def random_opening(game: Game, size: int, rng: Random, coordinates: System = "row") -> dict[str, str]:
    """Return the names of different cells for the opening stones of a game, by colour."""
    board = game.board(size)
    cells = rng.sample(board.cells, len(game.opening))
    names = board.names(coordinates)
    return {colour: names.single(cell) for colour, cell in zip(game.opening, cells, strict=True)}


def random_turns(position: Position[Any], rng: Random, plies: int) -> Iterator[str]:
    """Play random turns, yielding each, until the game is over or `plies` turns of it were played."""
    while not position.is_over and position.plies < plies:
        turn = rng.choice(position.legal_turns())
        position.play(turn)
        yield turn


def random_record(
    game: Game,
    size: int,
    variant: str | None,
    seed: str,
    plies: int,
    coordinates: System = "row",
    ruleset: str | None = None,
) -> dict[str, Any]:
    """Return the canonical data of one random game of at most `plies` turns; the same arguments give the same game."""
    played = random_game(game, size, variant, seed, plies, coordinates, ruleset)
    data: dict[str, Any] = {
        "hexrec": FORMAT_VERSION,
        "game": game.name,
        "ruleset": played.position.ruleset,
        "size": size,
        "coordinates": coordinates,
        "source": f"hexrec {__version__}, random game, seed {seed}",
        "moves": played.turns,
    }
    if variant:
        data["variant"] = variant
    if played.opening:
        data["opening"] = played.opening
    if (outcome := played.position.result()) is not None:
        data["result"] = outcome.as_data()
    return canonical_form(read_record(data))
