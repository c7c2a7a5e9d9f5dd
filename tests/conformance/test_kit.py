"""The conformance kit says what hexrec says, about every game, ruleset and variant.

Its answers are never changed: they keep old games' verdicts as they were. New rules are a new ruleset.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from hexrec import conformance
from hexrec.rules import games
from tests.completeness import COMPLETE
from tests.conformance import write
from tests.fixtures import FIXTURES
from tests.properties import sample

SCHEMA = json.loads((FIXTURES / "engine/kit.schema.json").read_text(encoding="utf-8"))
LINES = {name: [*conformance.lines(name)] for name in conformance.FILES}
#: How many sequences of turns are counted without any hurry.
CHEAP = 8_000


def rules(line: dict[str, Any]) -> tuple[str, str, str | None]:
    """Return the game, ruleset and variant that a line is about."""
    start = line["start"]
    return start["game"], start["ruleset"], start.get("variant")


#: All games, rulesets and variants.
ALL = [
    (name, ruleset, variant)
    for name in COMPLETE
    for ruleset in games.get(name).rulesets
    for variant in (None, *games.get(name).variants)
]


@pytest.mark.parametrize(("name", "kind"), conformance.FILES.items())
def test_lines_are_of_the_schema(name: str, kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for line in LINES[name]:
        assert line["kind"] == kind
        validator.validate(line)
        assert not validator.is_valid({**line, "kit": "0"})
        assert not validator.is_valid({**line, "unknown": 1})


@pytest.mark.parametrize("name", sorted(conformance.FILES.keys() - {"perft.jsonl"}))
def test_answers(name: str) -> None:
    for line in LINES[name]:
        assert write.answered(line) == line


def test_perft() -> None:
    for line in LINES["perft.jsonl"]:
        cheap = [count for count in line["counts"] if count <= CHEAP]
        assert write.answered({**line, "counts": cheap}) == {**line, "counts": cheap}


@pytest.mark.slow
def test_deep_perft() -> None:
    for line in sample((line for line in LINES["perft.jsonl"] if max(line["counts"]) > CHEAP), 6):
        assert write.answered(line) == line


@pytest.mark.parametrize("wanted", ALL, ids=str)
def test_every_ruleset_and_variant_is_in_it(wanted: tuple[str, str, str | None]) -> None:
    game, ruleset, variant = wanted
    sizes = games.get(game).ruleset(ruleset).sizes
    for name in ("games.jsonl", "perft.jsonl"):
        found = {line["start"]["size"] for line in LINES[name] if rules(line) == wanted}
        assert len(found) >= min(3, len(sizes)), name
    assert variant or any(rules(line) == wanted for line in LINES["turns.jsonl"])


def test_every_way_to_refuse_a_turn_is_in_it() -> None:
    """Every code that a fixture of a game shows, except those that take another coordinate system."""
    shown = {
        (path.parent.parent.name, path.name.removeprefix("move.").partition("~")[0].partition(".")[0])
        for path in FIXTURES.glob("*/invalid/move.*")
    }
    asked = {(line["start"]["game"], line["code"].removeprefix("move/")) for line in LINES["turns.jsonl"]}
    assert asked == {(game, code) for game, code in shown if game in COMPLETE}


def test_every_way_to_refuse_a_start_is_in_it() -> None:
    """Every code that a fixture shows."""
    shown = {
        path.name.split("~")[0].removesuffix(".yaml") for path in FIXTURES.glob("*/invalid/*") if path.name[0] in "os"
    }
    codes = {code.replace(".", "/") for code in shown if code.startswith(("opening.", "setup."))}
    assert {line["code"] for line in LINES["starts.jsonl"]} == codes


def test_every_wrong_result_is_in_it() -> None:
    shown = {path.name.split("~")[0].removesuffix(".yaml") for path in FIXTURES.glob("*/invalid/*")}
    codes = {code.replace(".", "/") for code in shown if code.startswith(("result.", "variation."))}
    assert {error["code"] for line in LINES["invalid.jsonl"] for error in line["errors"]} >= codes


def test_the_kit_is_beside_its_module_or_in_the_source_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "hexrec/conformance"
    monkeypatch.setattr(conformance, "__file__", str(package / "__init__.py"))
    assert conformance.folder() == tmp_path / "fixtures/suite/engine"
    (package / "suite").mkdir(parents=True)
    assert conformance.folder() == package / "suite/engine"
