"""docs/game-hooks.md lists every field of a description, and every method that engines define or call."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from importlib import import_module

import pytest
from hexrec_col import COL

from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.position import CellPosition, Position
from hexrec.rules.terms import IllegalSetup
from tests.examples.catchup import CATCHUP
from tests.examples.havannah import HAVANNAH
from tests.examples.hex import HEX
from tests.test_docs import ROOT

PAGE = (ROOT / "docs/game-hooks.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
LISTED = {name for row in ROWS for name in re.findall(r"`(\w+)", row)}
ENGINES = {game.position for game in (COL, CATCHUP, HAVANNAH, HEX, *map(games.get, games.BUILT_IN))}


def overridden() -> Iterator[str]:
    """Yield the attributes of positions that an engine of hexrec or of an example overrides."""
    for engine in ENGINES:
        own = engine.__mro__[: engine.__mro__.index(Position)]
        for name in {name for cls in own if cls is not CellPosition for name in vars(cls)}:
            if hasattr(Position, name) and not name.startswith(("__", "_abc")):
                yield name


def test_every_field_of_a_description_is_listed() -> None:
    assert {field.name for field in fields(Game)} <= LISTED


def test_every_hook_is_listed() -> None:
    assert {*Position.__abstractmethods__, *overridden()} <= LISTED


def test_every_listed_name_is_there() -> None:
    known = {*dir(Position), *(field.name for field in fields(Game))}
    assert {name for name in LISTED if name.startswith("_") or name.endswith("_values")} <= known


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
    """A limit that docs/not-yet.md names."""
    catchup = import_module("tests.examples.catchup").CatchupPosition

    class TwoTexts(catchup):  # type: ignore[misc, valid-type]
        __slots__ = ()

        def legal_turns(self) -> list[str]:
            return [f"{cell}{color}" for cell in self.names.cells for color in "bw"]

    position = replace(CATCHUP, position=TwoTexts).start(3)
    assert len(position.legal_actions()) == 19
    assert len(position.legal_turns()) == 38
