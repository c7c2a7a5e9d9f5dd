"""Newer minor versions of the format, and the canonical bytes of records."""

from __future__ import annotations

import json
from typing import Any

import pytest

import hexrec
from hexrec.record.validation import RecordError, read_record
from tests.cases import all_of
from tests.record.helpers import validator

GAME: dict[str, Any] = {"hexrec": "1.3", "game": "sunspot", "size": 5, "moves": ["e5"]}
NEW: dict[str, Any] = {
    **GAME,
    "weather": {"z": 1, "a": None},
    "moves": [{"turn": "E5", "mood": 3, "variations": [[{"turn": "e6", "mood": 4}]]}],
    "result": {"winner": "black", "termination": "time", "seen": True},
    "x-acme-club": "Hexes",
}


def codes(data: dict[str, Any]) -> list[str]:
    (report,) = hexrec.check_text(json.dumps(data))
    return [diagnostic.code for diagnostic in report.diagnostics]


def test_unknown_fields_of_a_newer_version_are_kept_unchecked_with_one_warning() -> None:
    assert codes(NEW) == ["schema/newer-version"]
    assert validator("sunspot").is_valid(NEW)
    text = hexrec.dumps(hexrec.loads(json.dumps(NEW)), format="jsonl")
    assert json.loads(text) == {**NEW, "moves": [{**NEW["moves"][0], "turn": "e5"}]}
    assert list(json.loads(text)) == ["hexrec", "game", "size", "moves", "result", "weather", "x-acme-club"]
    for name in ("sgf", "hgn", "yaml"):
        again = hexrec.loads(hexrec.dumps(hexrec.loads(text), format=name), format=name)
        assert again.data == json.loads(text)


@all_of(
    ("field", "code"),
    [
        ({"size": "5"}, "schema/type"),
        ({"moves": ["e5", {"turn": "e6", "mood": 1, "comment": 5}]}, "schema/type"),
        ({"result": {"termination": "illegal", "seen": 1}}, "schema/illegal"),
        ({"moves": ["e5", "e5"]}, "move/occupied"),
        ({"x": None, "event": None}, "schema/null"),
    ],
)
def test_what_is_known_is_checked(field: dict[str, Any], code: str) -> None:
    assert set(codes({**GAME, **field})) - {"schema/newer-version"} == {code}
    assert validator("sunspot").is_valid({**GAME, **field}) == (code == "move/occupied")


@all_of(
    ("version", "accepted"),
    [("1", True), ("1.0", True), ("1.1", True), ("1.10", True), ("1.01", False), ("1.", False), ("2", False)],
)
def test_versions(version: str, accepted: bool) -> None:
    data = {**GAME, "hexrec": version}
    assert (codes(data) in ([], ["schema/newer-version"])) == validator("sunspot").is_valid(data) == accepted
    data["weather"] = "fine"
    assert validator("sunspot").is_valid(data) == (version in ("1.1", "1.10"))


def test_version_1_0_is_written_1() -> None:
    assert hexrec.loads(json.dumps({**GAME, "hexrec": "1.0"})).data["hexrec"] == "1"


def test_canonical_bytes() -> None:
    data = {
        "x-b": {
            "é": 1.0,
            "z": [1e21, -0.0, 1e-7, 0.000001, 123456789012345680000, 5e-324],
            "a": '\u0007"\\\u007f\U0001f600',
        },
        "x-a": False,
        **NEW,
        "hexrec": "1.0",
    }
    data = {name: value for name, value in data.items() if name not in ("weather", "result")}
    data["moves"] = [{"x-c": {"b": 2, "a": 1}, "turn": " E5 ", "nag": [], "seconds": 30.0}]
    record = hexrec.loads(json.dumps(data))
    assert hexrec.canonical_bytes(record).decode() == (
        '{"hexrec":"1","game":"sunspot","size":5,"moves":[{"turn":"e5","seconds":30,"x-c":{"a":1,"b":2}}],'
        '"x-a":false,"x-acme-club":"Hexes",'
        '"x-b":{"a":"\\u0007\\"\\\\\u007f\U0001f600","z":[1e+21,0,1e-7,0.000001,123456789012345680000,5e-324],"é":1}}'
    )
    again = hexrec.loads(hexrec.canonical_bytes(record).decode())
    assert hexrec.record_hash(again) == hexrec.record_hash(record)
    assert hexrec.canonical_bytes(again) == hexrec.canonical_bytes(record)


@pytest.mark.parametrize("number", [2**53 + 1, 10**400, 12345678901234567890])
def test_a_number_that_is_no_double_leaves_a_record_without_canonical_bytes(number: int) -> None:
    with pytest.raises(RecordError) as refused:
        hexrec.canonical_bytes(read_record({**GAME, "x-acme-n": [number]}))
    (diagnostic,) = refused.value.diagnostics
    assert (diagnostic.code, diagnostic.pointer) == ("convert/number", "/x-acme-n/0")
