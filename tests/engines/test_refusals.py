"""Refusals as errors: what they say of themselves, and that other processes get them whole."""

from __future__ import annotations

import pickle

import pytest

from hexrec.games import IllegalOpening, IllegalSetup, IllegalTurn
from hexrec.games.refusal import RuleError

REFUSALS = [
    IllegalTurn("move/occupied", lambda: "e5 is occupied"),
    IllegalOpening("opening/off-board", "z9 is not a cell", "white"),
    IllegalSetup("setup/malformed", "this is no position", 3),
]


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.code)
def test_it_comes_through_whole(refusal: RuleError) -> None:
    again = pickle.loads(pickle.dumps(refusal))
    assert type(again) is type(refusal)
    assert (again.code, str(again)) == (refusal.code, refusal.message)
    for place in ("colour", "column"):
        assert getattr(again, place, None) == getattr(refusal, place, None)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.code)
def test_its_representation_names_the_code(refusal: RuleError) -> None:
    assert repr(refusal) == f"{type(refusal).__name__}({refusal.code!r})"
