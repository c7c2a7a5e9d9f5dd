"""Descriptions of games that no record could be validated with are refused when they are made."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from hexrec_col import COL
from hexrec_col.rules import Col

from hexrec.rules.board import MAX_SIZE
from hexrec.rules.grid import Grid
from hexrec.rules.terms import Ruleset
from tests.examples.havannah import HAVANNAH
from tests.examples.hex import HEX


class Unfinished(Grid):
    """Rules that list moves and cannot do more."""

    def moves(self) -> list[int]:
        return []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Hex Big!"}, "name is not possible ('Hex Big!'): use lower-case letters, digits, - and _"),
        ({"name": ""}, "name is not possible (''): use"),
        ({"name": "5-in-a-row"}, "name is not possible ('5-in-a-row'): use"),
        ({"name": "../col"}, "name is not possible ('../col'): use"),
        ({"name": "col\n"}, "name is not possible ('col\\n'): use"),
        ({"name": "record"}, "name is not possible ('record'): use"),
        ({"title": " "}, "title is not printable (' '): give the name of the game for people"),
        ({"title": "Col\n"}, "title is not printable ('Col\\n'): give"),
        ({"rulesets": ()}, "rulesets are missing or repeated (()): give one or more names, as in ('2023',)"),
        ({"rulesets": ("1976", "1976")}, "rulesets are missing or repeated (('1976', '1976')): give"),
        ({"rulesets": ("first",)}, "the name of a ruleset should begin with the year of its publication, such as 2023"),
        ({"sizes": range(0)}, "sizes are not consecutive numbers from 1 (range(0, 0)): give a range such as range(3,"),
        ({"sizes": range(3, 9, 2)}, "sizes are not consecutive numbers from 1 (range(3, 9, 2)): give"),
        ({"sizes": range(9)}, "sizes are not consecutive numbers from 1 (range(0, 9)): give"),
        ({"sizes": range(4, MAX_SIZE + 2)}, "sizes are not all possible (range(4, 16)): leave 15 out: a board"),
        ({"sizes": range(2, 9)}, "sizes are not all possible (range(2, 9)): leave 2 out: a board has 3 to 14"),
        ({"recommended": (2,)}, "recommended sizes are missing or not in range(3, 9) ((2,)): give one at least"),
        ({"recommended": ()}, "recommended sizes are missing or not in range(3, 9) (()): give"),
        ({"opening": ("red",)}, "opening does not list colors (('red',)): give (), ('black',)"),
        ({"opening": "black"}, "opening does not list colors ('black'): give"),
        ({"opening": ("white", "black")}, "opening does not list colors (('white', 'black')): give"),
        ({"score": "points"}, "score is of no known shape ('points'): give 'number', 'list' or None"),
        ({"variants": ("big", "big")}, "variants are empty or repeated (('big', 'big')): name each once"),
        ({"variants": ("",)}, "variants are empty or repeated (('',)): name each once"),
        ({"turn": "{cell"}, "turn has no cell ('{cell'): write {cell} where a turn names one"),
        ({"turn": "({cell}"}, "turn is not a regular expression ('({cell}'): correct it: missing ), unterminated"),
        ({"example": "zzz"}, "example is not a turn ('zzz'): it should match the pattern '{cell}'"),
        ({"example": "b2 "}, "example is not a turn ('b2 '): it should"),
        ({"revisions": (Ruleset("1977", range(3, 5), Col),)}, "revisions name an unknown ruleset ('1977')"),
        ({"revisions": (Ruleset("1976", range(3, 10), Col),)}, "sizes of ruleset 1976 are not in range(3, 9)"),
        ({"revisions": (Ruleset("1976", range(0), Col),)}, "sizes of ruleset 1976 are not in range(3, 9)"),
        ({"refusals": {"col/own": COL.refusals["setup/over"]}}, "code of a refusal is not possible ('col/own'): begin"),
        ({"refusals": {"move/own": "A stone."}}, "refusal move/own is not explained ('A stone.'): give a hexrec.util"),
        ({"rules": Unfinished}, "rules are not complete (Unfinished): define take_turn"),
        ({"score": "number"}, "rules are not complete (Col): define points"),
        ({"position": Col}, "position is no position (Col): subclass hexrec.rules.position.Position"),
        ({"revisions": (Ruleset("1976", range(3, 5), Unfinished),)}, "rules are not complete (Unfinished): define"),
    ],
    ids=str,
)
def test_a_mistake_is_named_when_the_description_is_made(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^the game {changes.get('name', 'col')!r}: ".replace("\\", "\\\\")) as raised:
        replace(COL, **changes)
    assert message in str(raised.value)


def test_a_size_that_is_too_large_for_a_board_of_a_package() -> None:
    with pytest.raises(ValueError, match=re.escape("(range(3, 40)): leave 39 out: a board of size 39 is too large")):
        replace(HEX, sizes=range(3, 40))


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "a-5_b"},
        {"sizes": range(MAX_SIZE, MAX_SIZE + 1), "recommended": (MAX_SIZE,)},
        {"opening": ("white",)},
        {"rulesets": ("1979-first", "1979"), "variants": ("Big", "10-handed")},
        {"turn": "pass|{cell}(?:/{cell}){0,2}", "example": "e5/E6"},
    ],
    ids=str,
)
def test_what_a_description_is_free_to_say(changes: dict[str, Any]) -> None:
    game = replace(HAVANNAH, **changes)
    assert game.start(game.recommended[0], dict.fromkeys(game.opening, "a1")).legal_turns()
