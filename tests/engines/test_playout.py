"""Random games: the same arguments give the same game, everywhere; other arguments give another."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from hexrec import games
from hexrec.record.random_games import random_game, random_opening


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
    played = random_game(game, *arguments)
    assert played.opening == dict(zip(game.opening, opening.split(), strict=True))
    assert played.turns == turns.split()
    assert played.position.plies == len(played.turns)
    assert (played.position.variant, *arguments[5:]) == (arguments[1], *[played.position.ruleset] * len(arguments[5:]))


def test_an_opening_is_in_row_coordinates_unless_it_is_to_be_in_others() -> None:
    game = games.get("nadraz")
    assert random_opening(game, 5, Random("1")) == random_opening(game, 5, Random("1"), "row")


def test_the_end_of_the_game_ends_it() -> None:
    played = random_game(games.get("sunspot"), 4, None, "1", 1000)
    assert played.position.is_over
    assert len(played.turns) < 1000
