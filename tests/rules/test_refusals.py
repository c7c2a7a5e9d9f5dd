"""Refusals as errors: what they say of themselves, and that other processes get them whole."""

from __future__ import annotations

import pickle

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
