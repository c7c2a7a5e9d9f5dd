"""From every format to every other and back: nothing is lost but what is announced."""

from __future__ import annotations

import copy
import io
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec import formats
from hexrec.record.canonical import canonical_form, canonicalize, in_coordinates
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.tools.convert import Conversion
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document
from tests.cases import all_of
from tests.properties import examples, sample
from tests.record.helpers import FIXTURES, exact
from tests.record.strategies import records

FORMATS = formats.names()
#: What is announced although nothing is lost: Abstract Play requires it, and the record does not say it.
MADE_UP = ("convert/abstractplay-date", "convert/abstractplay-draw", "convert/abstractplay-reading")


def write(name: str, data: dict[str, Any]) -> tuple[str, list[Diagnostic]]:
    losses: list[Diagnostic] = []
    return "".join(formats.get(name).write([data], losses.append)), losses


def read(name: str, text: str) -> dict[str, Any]:
    (document,) = formats.read(name, io.BytesIO(text.encode()))
    assert document.error is None, document.error
    return canonicalize(document.data)


def without(data: dict[str, Any], losses: list[Diagnostic]) -> dict[str, Any]:
    """Return a record without what was announced as lost."""
    left = copy.deepcopy(data)
    pointers = [loss.pointer or "" for loss in losses if loss.code not in MADE_UP]
    # From the end, so that what is taken out of a list moves nothing that is still to be taken out.
    for pointer in sorted(pointers, key=_path, reverse=True):
        if pointer != "/coordinates":
            _remove(left, _path(pointer))
    # Only what is left has to have names in other coordinates.
    if "/coordinates" in pointers:
        left = in_coordinates(left, "row")
    return canonicalize(left)


def _path(pointer: str) -> list[tuple[int, str]]:
    """Return the steps of a JSON Pointer, numbers in the order of numbers."""
    steps = pointer.split("/")[1:]
    return [(int(step) if step.isdigit() else -1, step.replace("~1", "/").replace("~0", "~")) for step in steps]


def _remove(data: Any, path: list[tuple[int, str]]) -> None:
    for _, step in path[:-1]:
        data = data[int(step)] if isinstance(data, list) else data.get(step, {})
    last = path[-1][1]
    if isinstance(data, list):
        del data[int(last)]
    else:
        data.pop(last, None)


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
@settings(max_examples=examples(2), deadline=None)
@given(data=st.data())
def test_there_and_back(game: str, data: st.DataObject) -> None:
    assert_there_and_back(canonical_form(read_record(data.draw(records(game, setups=True)))))


def written_in(record: dict[str, Any]) -> list[str]:
    """Return the formats that a record can be written in: games of Abstract Play start from no setup."""
    return [name for name in FORMATS if name != "abstractplay" or "setup" not in record]


def assert_there_and_back(record: dict[str, Any]) -> None:
    """Hold a record to pass through every format, and from each through every other, but for what is announced."""
    there = {}
    for name in written_in(record):
        text, losses = write(name, record)
        there[name] = read(name, text)
        assert exact(there[name]) == exact(without(record, losses)), name
        assert {loss.severity for loss in losses} <= {"warning"}
    for first, second in permutations(there, 2):
        text, losses = write(second, there[first])
        passed = read(second, text)
        assert exact(passed) == exact(without(there[first], losses)), (first, second)
        text, losses = write(first, passed)
        assert exact(read(first, text)) == exact(without(passed, losses)), (second, first)


def reports(name: str, texts: list[str]) -> Iterator[Report]:
    for index, text in enumerate(texts):
        for document in formats.read(name, io.BytesIO(text.encode())):
            yield check_document(document, f"{index}.{name}", 0)


def convert(source: str, texts: list[str], target: str) -> list[str]:
    converted = list(map(Conversion(target).convert, reports(source, texts)))
    assert all(each.text is not None for each in converted)
    return [each.text or "" for each in converted]


@pytest.fixture(scope="module")
def reference() -> dict[str, list[str]]:
    """Reference games, in every format."""
    lines = [
        f"{line}\n"
        for game in games.names()
        for line in sample((FIXTURES / game / "reference" / "games.jsonl").read_text("utf-8").splitlines(), 18)
    ]
    return {name: convert("jsonl", lines, name) for name in FORMATS}


@all_of(("first", "second"), permutations(FORMATS, 2))
def test_reference_games_are_the_same_bytes_on_a_second_pass(
    reference: dict[str, list[str]], first: str, second: str
) -> None:
    there = convert(first, reference[first], second)
    assert there == reference[second]
    assert convert(second, there, first) == reference[first]
