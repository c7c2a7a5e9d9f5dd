"""The random games of a comparison, with an engine in this process."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import pytest

from hexrec.conformance import comparison
from hexrec.conformance.comparison import Comparison, Disagreement
from hexrec.conformance.engine import KnownRules
from tests.conformance.player import Engine, Player

Line = dict[str, Any]


@pytest.fixture(autouse=True)
def no_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "lines", lambda _: iter(()))


def compare(engine: Engine, rules: KnownRules, *, seed: int = 1, count: int = 1) -> list[Disagreement]:
    made = Comparison(lambda: engine, None, (rules,))  # type: ignore[arg-type, return-value]
    return [*made.run(seed, count)]


@pytest.mark.parametrize(
    ("rules", "count", "asked"),
    [
        (KnownRules("sundraval", "2023"), 2, "ca87cc7f467364a4"),
        (KnownRules("sunspot", "2024", None, frozenset({4, 99})), 2, "2a9cad5605fe0a00"),
        (KnownRules("nadraz", "2023", "reverse", frozenset({4, 5})), 2, "2c38b382497fc92f"),
    ],
    ids=str,
)
def test_random_games_stay_as_they_are(rules: KnownRules, count: int, asked: str) -> None:
    """Whoever has a seed can look at the same games with any version."""
    engine = Engine()
    assert compare(engine, rules, seed=5, count=count) == []
    text = "\n".join(json.dumps(request) for request in engine.asked)
    assert sha256(text.encode()).hexdigest()[:16] == asked


class StrictPlayer(Player):
    """Accepts a turn in the canonical spelling only, which is all that the protocol asks of an engine."""

    def play(self, request: Line) -> Line:
        if request["turn"] not in self.position.legal_turns():
            return {"illegal": True}
        return super().play(request)


def test_a_turn_that_is_legal_in_another_spelling_is_not_tried() -> None:
    """Such turns are frequent in Sunspot: any stone of an edge subgroup stands for all of them."""
    engine = Engine(StrictPlayer)
    assert compare(engine, KnownRules("sunspot", "2024", None, frozenset({4})), count=12) == []
    assert {"illegal": True} in engine.answers, "turns that are legal in no spelling are tried"


def test_random_games_that_do_not_end_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.conformance.comparison._MAX_PLIES", 4)
    engine = Engine()
    compare(engine, KnownRules("sunspot", "2024"))
    assert [request["command"] for request in engine.asked] == ["start", *["legal", "play"] * 4, "legal", "result"]


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (KnownRules("sunspot", "2024"), [4, 5, 6, 7, 4]),
        (KnownRules("sunspot", "2024", None, frozenset({6, 7, 8})), [6, 7, 6, 7, 6]),
        (KnownRules("sunspot", "2024", None, frozenset({9, 8})), [8, 9, 8, 9, 8]),
        (KnownRules("valaturna", "2023-first"), [7] * 5),
    ],
    ids=repr,
)
def test_random_games_take_turns_in_sizes(rules: KnownRules, sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those above the recommended one take long, and are played only if there are no others."""
    monkeypatch.setattr("hexrec.conformance.comparison._MAX_PLIES", 0)
    engine = Engine()
    compare(engine, rules, count=5)
    assert [request["size"] for request in engine.asked if request["command"] == "start"] == sizes
