"""Where games end, for formats that hold turns after that."""

from __future__ import annotations

from typing import Any

import pytest

from hexrec.formats.base import Document, LocatedText
from hexrec.record.canonical import in_coordinates
from hexrec.rules.board import SYSTEMS, System
from hexrec.validation.verdict import game_end, within_rules
from tests.formats.test_abstractplay import LOOP

TURNS = [turn.lower().replace(";", "") for turn in LOOP]


def game(*further: Any) -> dict[str, Any]:
    return {"hexrec": "1", "game": "sunspot", "size": 5, "moves": [*TURNS, *further]}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_end_is_found_in_all_coordinates(system: System) -> None:
    assert game_end(in_coordinates(game("h5", "i2"), system)) == len(TURNS)


def test_turns_are_texts_or_have_them() -> None:
    data = game("h5")
    assert game_end({**data, "moves": [{"turn": turn} for turn in data["moves"]]}) == len(TURNS)
    assert game_end({**data, "moves": [7, *data["moves"]]}) is None


def test_a_format_that_fails_on_the_turns_after_the_end_leaves_a_document_in_its_place() -> None:
    def fail(_: object) -> Document:
        raise RuntimeError("this is the test")

    text = LocatedText("a game")
    failed = within_rules(Document(game("h5"), text=text, with_rules=fail))
    assert failed.error
    assert failed.error.code == "internal/error"
    assert (failed.data, failed.text) == (None, text)
