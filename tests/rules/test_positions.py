"""Positions as texts: written, read, played on from; what is no position is refused with the column."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hexrec.rules import games
from hexrec.rules.terms import IllegalSetup
from tests.cases import all_of
from tests.fixtures import FIXTURES


@all_of(
    ("game", "text", "code", "column"),
    [
        ("valaturna", "", "setup/size", 1),
        ("valaturna", "4/5/6/7/6/5 b 0", "setup/size", 1),
        ("valaturna", "4/5/6/7/6/5/5 b 0", "setup/size", 13),
        ("valaturna", "4/5/6/7/6/4b2/4 b 0", "setup/size", 11),
        ("valaturna", "4/5/6/7/6/5/3b*1 b 0", "setup/malformed", 14),
        ("valaturna", "4/5/6/7/6/5/3b*0 b 0", "setup/malformed", 15),
        ("valaturna", "4/5/6/7/6/5/3b*12345678 b 0", "setup/malformed", 15),
        ("valaturna", "4/5/6/7/6/5/3B b 0", "setup/malformed", 14),
        ("valaturna", "4/5/6/7/6/5/22 b 0", "setup/size", 13),
        ("valaturna", "4/5/6/7/6/5/4", "setup/malformed", 14),
        ("valaturna", "4/5/6/7/6/5/4 b", "setup/malformed", 16),
        ("valaturna", "4/5/6/7/6/5/4  b 0", "setup/malformed", 15),
        ("valaturna", "4/5/6/7/6/5/4 b 0 b", "setup/malformed", 19),
        ("sunspot", "4/5/6/7/6/5/1b*2b*2 b 0", "setup/stack", 15),
        ("frasvel", "4/5/6/7/6/5/3b b 1", "setup/malformed", 18),
        ("nadraz", "4/5/6/7/6/5/3b b 0", "setup/malformed", 19),
        ("nadraz", "4/5/6/7/6/5/3b b 0 X", "setup/malformed", 20),
        ("valaturna", "4/5/6/7/6/5/4 b X", "setup/malformed", 17),
        ("frasvel", "4/5/6/7/6/5/3b b X", "setup/malformed", 18),
        ("nadraz", "4/5/1b1b2/2bb3/3b2/5/3w b 0 b", "setup/not-well-formed", 17),
        ("nadraz", "4/5/1w4/7/4b1/5/4 b 1 w", "setup/pass", 21),
        ("sunspot", "4/5/1ww3/1w1w3/1ww3/5/w3 w 0", "setup/over", 17),
        ("sunspot", "4/5/6/7/6/5/4 b 1", "setup/pass", 17),
        ("frasvel", "bbbb/bbbbb/bbbbbb/bbb1bbb/bbbbbb/bbbbb/bbbb b 0", "setup/over", 45),
        ("valaturna", "b*23/1w3/6/7/6/5/4 w 0", "setup/over", 1),
        ("valaturna", "3b/5/1w4/7/6/5/4 w 1", None, None),
        ("sundraval", "3b/5/1w4/7/6/5/4 w 1", None, None),
        ("frasvel", "4/5/6/bbbbbbb/6/5/4 b 0", None, None),
    ],
)
def test_refused_texts(game: str, text: str, code: str | None, column: int | None) -> None:
    if code is None:
        assert games.get(game).start(position=text).text() == text
        return
    with pytest.raises(IllegalSetup) as caught:
        games.get(game).start(4, position=text)
    assert (caught.value.code, caught.value.column) == (code, column)
    assert caught.value.message


@pytest.mark.parametrize(
    ("row", "heights"),
    [("1b*22", [2]), ("3b*22", [22]), ("b*2b*2w1", [2, 2]), ("1b*10b*12w", [10, 12]), ("3b*20", [20])],
)
def test_the_length_of_a_row_tells_heights_from_empty_cells(row: str, heights: list[int]) -> None:
    text = f"4/5/6/7/6/5/{row} b 0"
    position = games.get("frasvel").start(position=text)
    assert [stack.height for stack in position.stacks().values() if stack.height > 1] == heights
    assert position.text() == text


@pytest.mark.parametrize(
    "arguments",
    [{}, {"size": 5, "position": "4/5/6/7/6/5/4 b 0"}, {"size": 4, "opening": {"black": "a1"}, "position": "x"}],
)
def test_what_does_not_go_together(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"size|rows|opening"):
        games.get("sunspot").start(**arguments)


@given(text=st.text(st.sampled_from("123456789bw*/ 0-x"), max_size=60))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    for name in games.BUILT_IN:
        try:
            position = games.get(name).start(position=text)
        except IllegalSetup:
            continue
        assert position.text() == text


def test_a_pass_of_sunspot_is_in_the_text() -> None:
    data = yaml.safe_load((FIXTURES / "sunspot/valid/pass-on-a-full-board.yaml").read_text(encoding="utf-8"))
    position = games.get("sunspot").start(data["size"])
    for turn in data["moves"]:
        position.play(turn)
        assert position.text().endswith(" 1" if turn == "pass" else " 0")
        if not position.is_over:
            assert games.get("sunspot").start(position=position.text()) == position
    assert "pass" in data["moves"]


def test_a_pass_just_made_was_legal() -> None:
    """A pass leaves the stones as they are, so where only those without another turn may pass, it shows."""
    first = games.get("valaturna").start(7, {"black": "g4", "white": "g10"}, ruleset="2023-first")
    passed = f"{first.text().removesuffix('b 0')}b 1"
    with pytest.raises(IllegalSetup, match="the setup has a pass by White, which is not legal here"):
        games.get("valaturna").start(position=passed, ruleset="2023-first")
    assert games.get("valaturna").start(position=passed).text() == passed
