"""The reference games replay to their results, and the reference legal sets are what the engines list.

Every line of every `fixtures/<game>/reference/*.jsonl` becomes a test by lying there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hexrec.rules import games
from hexrec.rules.position import Position
from tests.completeness import COMPLETE

FIXTURES = Path(__file__).parents[2] / "fixtures"


def entries(kind: str) -> list[Any]:
    """Return the lines that hold legal sets (`legal`) or whole records (`hexrec`)."""
    found = []
    for path in sorted(FIXTURES.glob("*/reference/*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            entry = json.loads(line)
            if kind in entry:
                found.append(pytest.param(entry, id=f"{path.relative_to(FIXTURES)}:{number}"))
    return found


def replay(entry: dict[str, Any]) -> Position[Any]:
    setting = (entry["size"], entry.get("opening"), entry.get("variant"))
    position = games.get(entry["game"]).start(*setting, ruleset=entry.get("ruleset"))
    for turn in entry["moves"]:
        position.play(turn)
    return position


@pytest.mark.parametrize("record", entries("hexrec"))
def test_reference_game(record: dict[str, Any]) -> None:
    outcome = replay(record).result()
    stored = record.get("result")
    if stored is None:
        assert outcome is None
    else:
        assert outcome is not None
        assert (outcome.winner, outcome.score) == (stored["winner"], stored.get("score"))


@pytest.mark.parametrize("entry", entries("legal"))
def test_reference_legal_set(entry: dict[str, Any]) -> None:
    assert replay(entry).legal_turns() == entry["legal"]


@pytest.mark.parametrize("name", COMPLETE)
def test_every_game_has_references(name: str) -> None:
    for kind in ("hexrec", "legal"):
        assert any(entry.values[0]["game"] == name for entry in entries(kind))
