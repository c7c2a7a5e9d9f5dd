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
@settings(max_examples=examples(10))
@given(data=st.data())
def test_the_bytes_of_a_record_are_read_as_its_data_is(name: str, data: st.DataObject) -> None:
    record = data.draw(records(name))
    read = read_record(record, turns_unchecked=True)
    from_bytes = read_json(json.dumps(record, ensure_ascii=False).encode())
    if from_bytes is not None:
        assert json.dumps(from_bytes[0]) == json.dumps(read.data)


def test_what_is_wrong_is_not_accepted_by_its_bytes() -> None:
    for data in fixture_data():
        if diagnostics(data):
            raw = json.dumps(data, ensure_ascii=False).encode(errors="surrogatepass")
            assert read_json(raw) is None or diagnostics(data)[0].code == "schema/turn"


@pytest.mark.parametrize(
    "text",
    [
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"size":4}',
        '{"hexrec":"1","game":"sunspot","size" :4,"moves":[],"id":"a","id":"b"}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"s\\u0069ze":4}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[{"turn":"a1","turn":"b1"}]}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"x-a":{"b":1,"b":2}}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"x-a":NaN}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"x-a":1e400}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"x-a":' + "[" * 150 + "]" * 150 + "}",
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"players":{"black":{"rating":1e400}}}',
        '{"hexrec":"1","game":"sunspot","size":true,"moves":[]}',
        '{"hexrec":"1","game":"sunspot","size":"4","moves":[]}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"opening":{}}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[],"comment":"\\ud800"}',
        '\ufeff{"hexrec":"1","game":"sunspot","size":4,"moves":[]}',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[]}\u00a0',
        '{"hexrec":"1","game":"sunspot","size":4,"moves":[]} 1',
    ],
)
def test_bytes_that_have_to_be_looked_at_are_left_to_the_reader_that_locates(text: str) -> None:
    assert read_json(text.encode()) is None
