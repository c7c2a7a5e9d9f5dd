"""What a format writes, it reads back equal; and what it writes means the same to other readers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.rules import games
from tests.cases import all_of
from tests.formats.helpers import COLLECTIONS, FORMATS, codes, read, read_one, write
from tests.properties import examples
from tests.record.helpers import exact
from tests.record.strategies import HOSTILE_TEXTS, json_values, records, texts

#: The formats with a notation of their own for each field.
TEXTS = ("sgf", "hgn")
canonical_records = st.sampled_from(games.names()).flatmap(records).map(read_record).map(canonical_form)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FORMATS, *TEXTS])
@settings(max_examples=examples(3))
@given(data=canonical_records)
def test_a_record_is_read_back_as_it_was_written(name: str, data: dict[str, Any]) -> None:
    text = write(name, data)
    (document,) = read(name, text)
    assert (document.error, document.warnings) == (None, ())
    assert exact(document.data) == exact(data)
    assert write(name, canonical_form(read_record(document.data))) == text


@pytest.mark.slow
@pytest.mark.parametrize("name", [*COLLECTIONS, *TEXTS])
@settings(max_examples=examples(2))
@given(several=st.lists(canonical_records, min_size=1, max_size=4))
def test_several_records_are_read_back_as_they_were_written(name: str, several: list[dict[str, Any]]) -> None:
    documents = read(name, write(name, *several))
    assert codes(documents) == [None] * len(several)
    assert [exact(document.data) for document in documents] == [exact(data) for data in several]


@pytest.mark.parametrize("name", FORMATS)
@all_of("text", HOSTILE_TEXTS, ids=ascii)
def test_a_text_survives_wherever_it_stands(name: str, text: str) -> None:
    data = {
        "comment": text,
        "rating": text,
        text: {text: [text, {text: [text]}]},
        "x-list": [text, [text], {"x-key": text}],
        "x-last": {"a": [], "b": {}, text: {"a": {text: text}}},
    }
    assert exact(read_one(name, write(name, data))) == exact(data)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=examples(10))
@given(data=st.dictionaries(texts, json_values, min_size=1, max_size=4))
def test_any_data_survives(name: str, data: dict[str, Any]) -> None:
    assert exact(read_one(name, write(name, data))) == exact(data)


@pytest.mark.parametrize("name", FORMATS)
def test_the_largest_number_of_digits_survives(name: str) -> None:
    data = read_one("json", '{"x-a": %s}' % ("7" * 4000))
    assert read_one(name, write(name, data)) == data


def test_json_lines_hold_one_record_a_line() -> None:
    text = write("jsonl", *({"comment": hostile} for hostile in HOSTILE_TEXTS))
    assert [json.loads(line) for line in text.split("\n")[:-1]] == [{"comment": hostile} for hostile in HOSTILE_TEXTS]


@pytest.mark.parametrize("name", FORMATS)
def test_data_that_is_one_object_in_two_places_is_written_twice(name: str) -> None:
    shared = {"a": [1]}
    data = {"x-a": shared, "x-b": shared, "x-c": [shared["a"], shared["a"]]}
    assert exact(read_one(name, write(name, data))) == exact(data)
