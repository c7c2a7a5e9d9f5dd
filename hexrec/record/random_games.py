"""Random games as records."""

from __future__ import annotations

from typing import Any

from hexrec._version import FORMAT_VERSION, __version__
from hexrec.board.coordinates import System
from hexrec.games import Game
from hexrec.games.playout import random_game
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record


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
