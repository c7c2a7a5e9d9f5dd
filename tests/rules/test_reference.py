"""The reference games replay to their results, and the reference legal sets are those that the rules list.

Every line of every `fixtures/suite/<game>/reference/*.jsonl` is tried by lying there.
"""

from __future__ import annotations

import json
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from hexrec.rules import games
from hexrec.rules.position import Position
from tests.cases import all_of
from tests.completeness import COMPLETE
from tests.properties import sample

FIXTURES = Path(__file__).parents[2] / "fixtures/suite"


@cache
def entries(kind: str) -> list[Any]:
    """Return the lines that hold legal sets (`legal`) or whole records (`hexrec`)."""
    found = []
    for path in sorted(FIXTURES.glob("*/reference/*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            entry = json.loads(line)
            if kind in entry:
                found.append(pytest.param(entry, id=f"{path.relative_to(FIXTURES)}:{number}"))
    return found


def some(found: list[Any], step: int) -> list[Any]:
    """Return the first of every `step` lines, and of every game, size, variant and ruleset."""
    settings = [[entry.values[0].get(key) for key in ("game", "size", "variant", "ruleset")] for entry in found]
    firsts = {number for number, setting in enumerate(settings) if settings.index(setting) == number}
    return [found[number] for number in sorted({*firsts, *sample(range(len(found)), step)})]


def replay(entry: dict[str, Any]) -> Position:
    setting = (entry["size"], entry.get("opening"), entry.get("variant"))
    position = games.get(entry["game"]).start(*setting, ruleset=entry.get("ruleset"))
    for turn in entry["moves"]:
        position.play(turn)
    return position


@all_of("line", entries("hexrec"), ids=attrgetter("id"))
def test_reference_games(line: Any) -> None:
    (record,) = line.values
    outcome = replay(record).result()
    stored = record.get("result")
    if stored is None:
        assert outcome is None
    else:
        assert outcome is not None
        assert (outcome.winner, outcome.score) == (stored["winner"], stored.get("score"))


@all_of("line", entries("legal"), ids=attrgetter("id"))
def test_reference_legal_sets(line: Any) -> None:
    (entry,) = line.values
    assert replay(entry).legal_turns() == entry["legal"]


@pytest.mark.parametrize("kind", ["hexrec", "legal"])
def test_every_game_has_references(kind: str) -> None:
    assert {*COMPLETE} <= {entry.values[0]["game"] for entry in entries(kind)}
