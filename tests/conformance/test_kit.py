"""The conformance kit says what hexrec says, about every game, ruleset and variant.

Its answers are never changed: they keep old games' verdicts as they were. New rules are a new ruleset.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from hexrec import games
from hexrec.conformance import kit
from tests.completeness import COMPLETE
from tests.conformance import write
from tests.fixtures import FIXTURES

SCHEMA = json.loads((FIXTURES / "conformance/kit.schema.json").read_text(encoding="utf-8"))
LINES = {name: [*kit.lines(name)] for name in kit.FILES}
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


@pytest.mark.parametrize(("name", "kind"), kit.FILES.items())
def test_lines_are_of_the_schema(name: str, kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for line in LINES[name]:
        assert line["kind"] == kind
        validator.validate(line)
        assert not validator.is_valid({**line, "kit": "0"})
        assert not validator.is_valid({**line, "unknown": 1})


@pytest.mark.parametrize("name", sorted(kit.FILES.keys() - {"perft.jsonl"}))
def test_answers(name: str) -> None:
    for line in LINES[name]:
        assert write.answered(line) == line


def test_perft() -> None:
    for line in LINES["perft.jsonl"]:
        cheap = [count for count in line["counts"] if count <= CHEAP]
        assert write.answered({**line, "counts": cheap}) == {**line, "counts": cheap}


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES["perft.jsonl"], ids=lambda line: f"{'-'.join(map(str, rules(line)))}")
def test_deep_perft(line: dict[str, Any]) -> None:
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


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A kit of a few lines, to be changed at will."""
    for name, lines in LINES.items():
        few = [json.dumps(line, separators=(",", ":")) + "\n" for line in lines[:2]]
        (tmp_path / name).write_text("".join(few), encoding="utf-8")
    (tmp_path / write.RECORDS).write_text((kit.folder() / write.RECORDS).read_text(encoding="utf-8"), encoding="utf-8")
    for module in (kit, write):
        monkeypatch.setattr(module, "folder", lambda: tmp_path)
    return tmp_path


def test_missing_answers_are_added(copy: Path) -> None:
    before = {path.name: path.read_text(encoding="utf-8") for path in copy.iterdir()}
    first = LINES["games.jsonl"][0]
    question = {"kind": "game", "start": first["start"], "moves": first["moves"], "positions": [{"ply": 0}]}
    counting = {**LINES["perft.jsonl"][1], "counts": [None]}
    (copy / "games.jsonl").write_text(json.dumps(question), encoding="utf-8")
    (copy / "perft.jsonl").write_text(json.dumps(counting), encoding="utf-8")
    assert write.main() == 0
    assert [*kit.lines("games.jsonl")] == [{**first, "positions": first["positions"][:1]}]
    assert [*kit.lines("perft.jsonl")] == [{**counting, "counts": LINES["perft.jsonl"][1]["counts"][:1]}]
    for name, text in before.items():
        assert (copy / name).read_text(encoding="utf-8") == text or name in ("games.jsonl", "perft.jsonl")


def test_no_answer_is_changed(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {**LINES["perft.jsonl"][0], "counts": [18, 306]}
    odd = {**LINES["perft.jsonl"][0], "count": 18}
    text = f"{json.dumps(wrong)}\n{json.dumps(odd)}"
    (copy / "perft.jsonl").write_text(text, encoding="utf-8")
    assert write.main() == 1
    assert capsys.readouterr().err == (
        "perft.jsonl:1: counts is [18, 306], but hexrec says [18, 307]\n"
        "perft.jsonl:2: count is 18, but hexrec says None\n"
    )
    assert (copy / "perft.jsonl").read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("old", "new", "agree"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": 1}, None, False),
        (None, {"a": 1}, False),
        ([1, None], [1, {"a": 2}], True),
        ([None], [1, 2], False),
        ([1], 1, False),
        (1, [1], False),
    ],
)
def test_which_answers_agree(old: object, new: object, agree: bool) -> None:
    """What is null in a list, or not there, is still to be given."""
    assert [*write.changes({"answer": old}, {"answer": new})] == ([] if agree else ["answer"])


@pytest.mark.parametrize(
    "line",
    [
        {"kind": "illegal turn", "start": {"game": "sunspot", "ruleset": "2024", "size": 4}, "moves": [], "turn": "a1"},
        {"kind": "illegal start", "start": {"game": "sunspot", "ruleset": "2024", "size": 4}},
    ],
    ids=lambda line: str(line["kind"]),
)
def test_a_question_that_expects_a_refusal_gets_one(line: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="legal"):
        write.answered(line)


def test_a_valid_record_has_no_errors() -> None:
    record = json.loads((FIXTURES / "sunspot/valid/loop.json").read_text(encoding="utf-8"))
    with pytest.raises(ValueError, match=r"is a valid record$"):
        write.answered({"kind": "invalid record", "record": record})


def test_the_kit_is_beside_its_module_or_in_the_source_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "hexrec/conformance"
    monkeypatch.setattr(kit, "__file__", str(package / "kit.py"))
    assert kit.folder() == tmp_path / "fixtures/conformance"
    (package / "kit").mkdir(parents=True)
    assert kit.folder() == package / "kit"


def test_a_position_that_has_ended_the_game_has_no_hash() -> None:
    start = {"game": "sundraval", "ruleset": "2023", "size": 3, "opening": {"black": "b4", "white": "c1"}}
    plies = [{"ply": 1}, {"ply": 2}]
    before, after = write.answered({"kind": "game", "start": start, "moves": ["pass", "pass"], "positions": plies})[
        "positions"
    ]
    assert (set(before) - set(after), after["legal"]) == ({"hash"}, [])
