"""What is refused is explained, whatever is wrong, and however much of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.record.validation import read_json, read_record
from hexrec.rules import games
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


def test_what_is_wrong_is_not_accepted_by_its_bytes() -> None:
    for data in fixture_data("record/invalid"):
        if diagnostics(data):
            raw = json.dumps(data, ensure_ascii=False).encode(errors="surrogatepass")
            assert read_json(raw) is None or diagnostics(data)[0].code == "schema/turn"
