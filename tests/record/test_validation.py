"""What is refused is explained, whatever is wrong, and however much of it."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.record import validation
from hexrec.record.validation import read_json, read_record
from hexrec.rules import games
from hexrec.validation.clean import read_clean
from tests.properties import examples
from tests.record.helpers import diagnostics, fixture_data, put
from tests.record.strategies import records

LARGE = 2_000


@pytest.mark.parametrize("path", [("moves", 0, "nag"), ("result", "score", "black"), ("result", "score", "white")])
def test_any_number_of_whole_numbers_may_be_written_with_a_point(path: tuple[str | int, ...]) -> None:
    record: dict[str, Any] = {"hexrec": "1", "game": "valaturna", "size": 5, "opening": {"black": "c3", "white": "c5"}}
    record |= {"moves": [{"turn": "a1"}], "result": {"winner": "black", "score": {"black": [1], "white": [1]}}}
    assert diagnostics({**put(record, path, [3.0] * 150), "x-a": [0] * LARGE}) == []


@pytest.mark.parametrize("name", games.names())
@settings(max_examples=examples(4))
@given(data=st.data())
def test_the_bytes_of_a_record_are_read_as_its_data_is(name: str, data: st.DataObject) -> None:
    record = data.draw(records(name))
    read = read_record(record, turns_unchecked=True)
    from_bytes = read_json(json.dumps(record, ensure_ascii=False).encode())
    if from_bytes is not None:
        assert json.dumps(from_bytes[0]) == json.dumps(read.data)


@pytest.fixture(params=[0, 1_000_000])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read records with the fast validator, or as the first records of a process without it."""
    monkeypatch.setattr(validation, "_FIRST", iter(range(request.param)))
    if request.param:
        monkeypatch.delitem(sys.modules, "pydantic_core", raising=False)


@pytest.mark.usefixtures("reader")
def test_what_is_wrong_is_not_accepted_by_its_bytes() -> None:
    for data in fixture_data("record/invalid"):
        if diagnostics(data):
            raw = json.dumps(data, ensure_ascii=False).encode(errors="surrogatepass")
            assert read_json(raw) is None or diagnostics(data)[0].code == "schema/turn"


@pytest.mark.usefixtures("reader")
def test_a_record_is_clean_by_its_bytes_if_there_is_nothing_to_report() -> None:
    """Records with warnings, and bytes that only some readers accept, need a closer look."""
    record = json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["a1"], "x-a": ["\\", 1]})
    assert read_clean(record.encode(), "a.json", 0, 1)
    for old, new in (
        ('"1"', '"1.9"'),
        ('"size": 4', '"size": 4, "size": 4'),
        ("1]", "1e400]"),
        ("1]", "NaN]"),
        ("1]", '"\\ud800"]'),
        ("1]", "[" * 200 + "]" * 201),
        ("1]", "1" * 5_000 + "]"),
        ('"a1"', '"zz"'),
        ('"a1"', '"a1", "a1"'),
        ('"a1"', '{"turn": "a1", "variations": [["zz"]]}'),
        ("{", "\ufeff{"),
        ("{", "[{"),
        ("x-a", "xa"),
        ("sunspot", "sunspots"),
    ):
        assert old in record
        assert read_clean(record.replace(old, new, 1).encode(), "a.json", 0, 1) is None, new
