"""What games say of themselves: what they have, how they can be started, and what their positions are called."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from hexrec.rules import games
from hexrec.rules import games as registry
from hexrec.rules.games.sunspot import SUNSPOT
from hexrec.rules.terms import IllegalTurn

HEX = replace(SUNSPOT, name="hex")
TWO_STONES = {"opening", "two-stone opening", "pass", "score"}


@pytest.mark.parametrize(
    ("name", "features"),
    [
        ("sundraval", {*TWO_STONES, "stones"}),
        ("sunspot", {"pass", "stones"}),
        ("frasvel", {"opening"}),
        ("valaturna", TWO_STONES),
        ("nadraz", {*TWO_STONES, "stones"}),
    ],
)
def test_features(name: str, features: set[str]) -> None:
    game = games.get(name)
    assert game.has("")
    assert {feature for feature in (*TWO_STONES, "stones") if game.has(feature)} == features


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("valaturna", {"size": 7, "ruleset": "1"}, "Valaturna has no ruleset '1'; known: 2023, 2023-first"),
        ("valaturna", {"size": 10}, "Valaturna is played on sizes 4 to 9, not 10"),
        ("sunspot", {"size": "4"}, "Sunspot is played on sizes 4 to 11, not '4'"),
        (
            "valaturna",
            {"size": 5, "ruleset": "2023-first"},
            "Valaturna is played on size 7 only under ruleset 2023-first, not 5",
        ),
        ("valaturna", {}, "Valaturna needs a board size: give a size or a position text"),
        (
            "nadraz",
            {"opening": {"black": "a1", "white": "a2"}, "position": "4/5/6/7/6/5/4 b 0 -"},
            "a game starts from an opening or from a position text, not from both",
        ),
        ("nadraz", {"size": 4, "variant": "x"}, "Nadraz has no variant 'x'"),
        ("valaturna", {"size": 7}, "Valaturna starts with one black and one white stack"),
        ("frasvel", {"size": 5, "opening": {"white": "a1"}}, "Frasvel starts with one black stack"),
        ("frasvel", {"size": 5, "opening": "a1"}, "Frasvel starts with one black stack"),
        ("sunspot", {"size": 5, "opening": {"black": "a1"}}, "Sunspot has no opening"),
    ],
)
def test_what_no_game_starts_from(name: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        games.get(name).start(**arguments)


def test_cells_are_named_by_rows_unless_another_system_is_asked_for() -> None:
    sunspot = games.get("sunspot")
    assert sunspot.start(4).names.system == "row"
    assert sunspot.start(4, coordinates="axial").names.system == "axial"
    assert re.fullmatch(sunspot.turn_pattern(), "C4xb3")
    assert re.fullmatch(sunspot.turn_pattern("axial"), "(0,1)x(1,0)")


def test_a_turn_that_is_none_is_answered_with_what_turns_are() -> None:
    with pytest.raises(IllegalTurn, match=f'"e" is not a turn of Sunspot: a turn is {games.get("sunspot").turn_help}'):
        games.get("sunspot").start(4).play("e")


def test_only_blanks_may_stand_around_a_turn() -> None:
    assert games.get("sunspot").start(4).is_legal(" \t\r\nc4")
    assert not any(games.get("sunspot").start(4).is_legal(f"{space}c4") for space in "\v\f\x85\xa0\u3000")


def test_a_game_that_is_not_there() -> None:
    message = f"unknown game 'go'; known: {', '.join(games.names())}"
    with pytest.raises(LookupError, match=message):
        games.get("go")
    assert not games.is_known("go")


def test_a_game_that_is_there_already() -> None:
    with pytest.raises(ValueError, match="there is a game 'sunspot' already"):
        games.register(SUNSPOT)


def test_a_game_of_an_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.GAMES, "offered", lambda: {"hex": HEX})
    assert games.names() == (*games.BUILT_IN, "hex")
    assert games.is_known("hex")
    assert games.get("hex") is HEX
    with pytest.raises(ValueError, match="there is a game 'hex' already"):
        games.register(HEX)
