"""Refusals as errors: what they say of themselves, and that other processes get them whole."""

from __future__ import annotations

import gc
import pickle
import weakref
from contextlib import suppress

import pytest

from hexrec.rules import games
from hexrec.rules.terms import IllegalOpening, IllegalSetup, IllegalTurn, RuleError


def refusals() -> list[RuleError]:
    return [
        IllegalTurn("move/occupied", lambda: "e5 is occupied"),
        IllegalOpening("opening/off-board", "z9 is not a cell", "white"),
        IllegalSetup("setup/malformed", "this is no position", 3),
    ]


def test_they_come_through_whole() -> None:
    for refusal in refusals():
        again = pickle.loads(pickle.dumps(refusal))
        assert type(again) is type(refusal)
        assert (again.code, str(again)) == (refusal.code, refusal.message)
        for place in ("colour", "column"):
            assert getattr(again, place, None) == getattr(refusal, place, None)


class Turns(list[str]):
    """Turns that can be watched."""


@pytest.mark.parametrize("turn", ["a1", "z99"])
def test_a_refusal_does_not_keep_the_turns(turn: str) -> None:
    """A long game with an illegal turn is freed at once, not when Python collects garbage."""
    turns = Turns(["a1", turn])
    kept = weakref.ref(turns)
    gc.disable()
    try:
        with suppress(IllegalTurn):
            games.get("sunspot").start(4).play_all(turns)
        del turns
        assert kept() is None
    finally:
        gc.enable()
