"""A game from elsewhere that differs from all of hexrec's own in what the description of a game leaves free."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hexrec_col import COL, ColPosition
from hexrec_col.rules import NEXT_TO_OWN, Col

import hexrec
from hexrec.codes import codes_named
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.board import hexagon
from hexrec.rules.terms import Ruleset
from hexrec.tools.examined import Examined
from hexrec.tools.statistics import Statistics, examine
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.grading import Rules
from hexrec.validation.verdict import check_record
from tests.tools.test_duplicates import respelled


class Late(Col):
    """Stones may be placed under some rules only."""

    def take_turn(self, move: int) -> int:
        return NEXT_TO_OWN if self.variant == "Big" else super().take_turn(move)


class Later(Col):
    """The rules under which no stone may be placed in the normal game."""

    def take_turn(self, move: int) -> int:
        return NEXT_TO_OWN if self.variant == "" else super().take_turn(move)


class LatePosition(ColPosition):
    """Position of either, with its words."""

    __slots__ = ()

    def _wording(self, code: str, move: int) -> str:
        return "not under these rules" if code == "move/next-to-own" else super()._wording(code, move)


LATE = replace(
    COL,
    name="late",
    rulesets=("1976", "1999", "2001"),
    revisions=(Ruleset("2001", range(7, 9), Col), Ruleset("1999", COL.sizes, Later)),
    variants=("Big", "10-handed"),
    opening=("black",),
    synonyms=True,
    rules=Late,
    position=LatePosition,
)
GAME: dict[str, Any] = {"hexrec": "1", "game": "late", "size": 3, "opening": {"black": "a1"}, "moves": ["b3", "c5"]}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    games.register(LATE)
    yield
    games.unregister("late")


@pytest.mark.parametrize("rules", [{"variant": variant, "ruleset": "1999"} for variant in LATE.variants])
def test_images_are_spelled_under_the_rules_of_the_game(rules: dict[str, str]) -> None:
    images = [read_record(respelled({**GAME, **rules}, image)) for image in hexagon(3).symmetries]
    assert {hexrec.game_hash(image, symmetric=True) for image in images} == {min(map(hexrec.game_hash, images))}


def test_the_normal_game_is_counted_before_variants() -> None:
    statistics = Statistics()
    given = [{**GAME, "variant": "Big", "ruleset": "1999"}, {**GAME, "variant": "10-handed"}, GAME]
    records = [(record, check_record(record)) for record in map(read_record, given)]
    statistics.count(Examined(report, value=examine(record, report)) for record, report in records)
    assert [(kind.ruleset, kind.variant) for kind in statistics.tallies] == [
        ("1976", None),
        ("1976", "10-handed"),
        ("1999", "Big"),
    ]


@pytest.mark.parametrize("name", ["move", "move/next-to-own"])
def test_rules_name_codes_of_plug_ins(name: str) -> None:
    assert "move/next-to-own" in codes_named("move")
    assert Rules(ignore=[name]).action(Diagnostic("move/next-to-own", "")) == "ignore"
    assert Rules(ignore=[name]).action(Diagnostic("mover/thing", "")) is None
