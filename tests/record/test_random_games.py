"""Random games as records."""

from __future__ import annotations

from typing import Any

import pytest

import hexrec
from hexrec import __version__, games
from hexrec.board import System
from hexrec.record import canonical_form, read_record
from hexrec.record.random_games import random_game, random_record


@pytest.mark.parametrize(
    ("name", "size", "variant", "coordinates", "ruleset"),
    [
        ("sundraval", 4, None, "row", None),
        ("sunspot", 4, None, "skew", "2024"),
        ("frasvel", 4, None, "row", None),
        ("valaturna", 7, None, "axial", "2023-first"),
        ("nadraz", 4, "reverse", "row", None),
    ],
)
@pytest.mark.parametrize("plies", [3, 1000])
def test_a_random_game_is_a_valid_record_of_it(
    name: str, size: int, variant: str | None, coordinates: System, ruleset: str | None, plies: int
) -> None:
    game = games.get(name)
    data = random_record(game, size, variant, "a seed", plies, coordinates, ruleset)
    played = random_game(game, size, variant, "a seed", plies, coordinates, ruleset)
    outcome = played.position.result()
    expected: dict[str, Any] = {
        "hexrec": "1",
        "game": name,
        "ruleset": ruleset or game.rulesets[0],
        "variant": variant,
        "size": size,
        "coordinates": coordinates,
        "source": f"hexrec {__version__}, random game, seed a seed",
        "opening": played.opening or None,
        "moves": played.turns,
        "result": outcome.as_data() if outcome else None,
    }
    assert (outcome is not None) == (plies == 1000)
    given = {field: value for field, value in expected.items() if value is not None}
    assert data == canonical_form(read_record(given))
    assert hexrec.validate(read_record(data)).valid


def test_cells_are_named_in_rows_by_default_and_the_rules_are_the_newest() -> None:
    game = games.get("valaturna")
    assert random_record(game, 4, None, "1", 5) == random_record(game, 4, None, "1", 5, "row", game.rulesets[0])
