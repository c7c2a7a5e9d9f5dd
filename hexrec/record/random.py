"""Random records: every turn is drawn uniformly from the legal turns, or chosen by a program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS
from hexrec.util.version import FORMAT_VERSION, __version__

#: Chooses a turn for the side to move.
Choose = Callable[[Position, Random], str]


def random_record(
    game: Game,
    size: int,
    variant: str | None,
    seed: str,
    plies: int,
    coordinates: System = "row",
    ruleset: str | None = None,
    readings: Sequence[str] = (),
    bots: Mapping[str, Choose] | None = None,
) -> dict[str, Any]:
    """Return the canonical data of a random game of at most `plies` turns, determined by the arguments.

    With `bots`, given by their names, two drawn ones play, which are different if there are several.
    """
    rng = Random(f"{game.name}/{size}/{variant}/{seed}")
    opening = game.random_opening(rng, size, coordinates)
    position = game.start(size, opening, variant, coordinates, ruleset=ruleset, readings=readings)
    players: dict[str, Any] = {}
    if bots:
        names = rng.sample([*bots], 2) if len(bots) > 1 else [*bots] * 2
        players = {color: {"name": name, "bot": True} for color, name in zip(COLORS, names, strict=True)}
        while not position.is_over and position.plies < plies:
            position.play(bots[players[position.turn]["name"]](position, rng))
        outcome = position.result()
    else:
        outcome = position.playout(rng, plies)
    optional = {
        "players": players,
        "variant": variant,
        "readings": [*readings],
        "opening": opening,
        "result": outcome and outcome.as_data(),
    }
    data = {
        "hexrec": FORMAT_VERSION,
        "game": game.name,
        "ruleset": position.ruleset,
        "size": size,
        "coordinates": coordinates,
        "source": f"hexrec {__version__}, {'game of programs' if bots else 'random game'}, seed {seed}",
        "moves": position.turns,
        **{name: value for name, value in optional.items() if value},
    }
    return canonical_form(read_record(data))


def random_records(game: str, numbers: range, *, seed: str, **options: Any) -> list[dict[str, Any]]:
    """Return a random game for each number, which extends the seed. Worker processes run this function."""
    return [random_record(games.get(game), seed=f"{seed}/{number}", **options) for number in numbers]
