"""Random games as records: the same arguments give the same game everywhere, and other arguments another one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import hexrec
from hexrec.record.random import random_record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.util.version import __version__


@pytest.mark.parametrize(
    ("name", "arguments", "opening", "turns"),
    [
        ("nadraz", (5, None, "1", 3), "a1 c5", "b2-h5 c6 d3-g4"),
        ("nadraz", (5, None, "1", 2), "a1 c5", "b2-h5 c6"),
        ("nadraz", (5, None, "2", 2), "c6 b5", "d7-g5 b4-f3"),
        ("nadraz", (5, "reverse", "1", 2), "b2 b5", "b3-d5 c6-d7"),
        ("nadraz", (6, None, "1", 2), "e8 d2", "d7-c7 e2-i3"),
        ("sunspot", (4, None, "1", 2), "", "b5 e6"),
        ("sundraval", (4, None, "1", 3), "g3 f4", "d7 b3 f3"),
        ("sundraval", (4, None, "1", 3, "axial"), "-1,3 0,2", "(1,-2) (-2,0) (2,1)"),
        ("valaturna", (7, None, "1", 2, "axial", "2023-first"), "5,-6 -1,-3", "(4,-5) (-1,5)"),
    ],
)
def test_arguments_decide(name: str, arguments: tuple[Any, ...], opening: str, turns: str) -> None:
    game = games.get(name)
    size, variant, seed, _, *rest = arguments
    record = read_record(random_record(game, *arguments))
    assert record.opening == dict(zip(game.opening, opening.split(), strict=True))
    assert record.turns == turns.split()
    assert (record.size, record.variant) == (size, variant)
    assert [record.coordinates, record.ruleset] == [*rest, *["row", game.rulesets[0]][len(rest) :]]
    assert record["source"] == f"hexrec {__version__}, random game, seed {seed}"
    assert "result" not in record


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
def test_a_random_game_ends_with_its_result(
    name: str, size: int, variant: str | None, coordinates: System, ruleset: str | None
) -> None:
    record = read_record(random_record(games.get(name), size, variant, "a seed", 1000, coordinates, ruleset))
    report = hexrec.validate(record, finished=True)
    assert report.valid
    assert report.result is not None
    assert {"termination": "rules", **(record.result or {})} == report.result.as_data()


def test_an_opening_is_in_row_coordinates_unless_it_is_to_be_in_others() -> None:
    game = games.get("nadraz")
    assert game.random_opening(Random("1"), 5) == game.random_opening(Random("1"), 5, "row")
