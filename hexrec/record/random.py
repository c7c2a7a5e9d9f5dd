"""Games in which every turn is drawn from the legal ones, each as likely as the others, as records."""

from __future__ import annotations

from random import Random
from typing import Any

from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.util.version import FORMAT_VERSION, __version__


def random_opening(game: Game, size: int, rng: Random, coordinates: System = "row") -> dict[str, str]:
    """Return the names of different cells for the opening stones of a game, by color."""
    board = game.board(size)
    cells = rng.sample(board.cells, len(game.opening))
    names = board.names(coordinates)
    return {color: names.single(cell) for color, cell in zip(game.opening, cells, strict=True)}


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
    rng = Random(f"{game.name}/{size}/{variant}/{seed}")
    opening = random_opening(game, size, rng, coordinates)
    position = game.start(size, opening, variant, coordinates, ruleset=ruleset)
    turns: list[str] = []
    while not position.is_over and len(turns) < plies:
        turns.append(rng.choice(position.legal_turns()))
        position.play(turns[-1])
    outcome = position.result()
    optional = {"variant": variant, "opening": opening, "result": outcome and outcome.as_data()}
    data = {
        "hexrec": FORMAT_VERSION,
        "game": game.name,
        "ruleset": position.ruleset,
        "size": size,
        "coordinates": coordinates,
        "source": f"hexrec {__version__}, random game, seed {seed}",
        "moves": turns,
        **{name: value for name, value in optional.items() if value},
    }
    return canonical_form(read_record(data))
