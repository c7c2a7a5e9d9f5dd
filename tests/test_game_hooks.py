"""docs/game-hooks.md lists every field of a description, and every method that games define or call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from hexrec_col import COL

from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.grid import CELL, Grid, pack
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalSetup
from tests.examples.catchup import CATCHUP
from tests.examples.catchup.rules import Catchup
from tests.examples.havannah import HAVANNAH
from tests.examples.hex import HEX
from tests.test_docs import ROOT

PAGE = (ROOT / "docs/game-hooks.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
LISTED = {name for row in ROWS for name in re.findall(r"`(\w+)", row)}
GAMES = (COL, CATCHUP, HAVANNAH, HEX, *map(games.get, games.BUILT_IN))


def overridden() -> Iterator[str]:
    """Yield the attributes of grids and positions that a game of hexrec or of an example overrides."""
    for game in GAMES:
        for own, base in ((game.rules, Grid), (game.position, Position)):
            for cls in own.__mro__[: own.__mro__.index(base)]:
                yield from (name for name in vars(cls) if hasattr(base, name) and not name.startswith("__"))


def test_every_field_of_a_description_is_listed() -> None:
    assert {field.name for field in fields(Game)} <= LISTED


def test_every_hook_is_listed() -> None:
    assert {*overridden()} <= LISTED


def test_every_listed_name_is_there() -> None:
    known = {*dir(Position), *dir(HEX.start(3).grid), *(field.name for field in fields(Game))}
    assert known >= LISTED


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("3/4/2b2/4/ww1 b 0", 18),
        ("3/4/2b2/4/ww1 b 0 2", 19),
        ("3/4/2b2/4/ww1 b 0 11", 19),
        ("3/4/2b2/4/ww1 b 0 1 1", 21),
        ("3/4/2b2/4/3 b 0 1", 13),
    ],
)
def test_fields_of_position_texts_are_checked(text: str, column: int) -> None:
    with pytest.raises(IllegalSetup) as refused:
        CATCHUP.start(position=text)
    assert refused.value.column == column


def test_positions_with_different_fields_are_different() -> None:
    one, other = (CATCHUP.start(position=f"3/4/2b2/4/ww1 b 0 {value}") for value in "01")
    assert one != other
    assert one.hash() != other.hash()
    assert one.text() != other.text()


def test_values_of_fields_are_words() -> None:
    (field,) = CATCHUP.position_fields
    for values in ((), ("",), ("a b",)):
        with pytest.raises(ValueError, match="values of a position field are not possible"):
            replace(CATCHUP, position_fields=(field._replace(values=values),))


def test_actions_reach_one_of_two_turns_with_the_same_cells() -> None:
    """A limit that docs/game-hooks.md names."""

    class TwoTexts(Catchup):
        def moves(self) -> list[int]:
            return [pack(cell, 0, 0) | color << 20 for cell in self.cells for color in (0, 1)]

        def named_cells(self, move: int) -> list[int]:
            return [move & CELL]

        def write(self, move: int) -> str:
            return self.name_of[move & CELL] + "bw"[move >> 20]

    position = replace(CATCHUP, rules=TwoTexts).start(3)
    assert len(position.legal_actions()) == 19
    assert len(position.legal_turns()) == 38
