"""What is said of data that is no record: the code, the place, and a message that names the field."""

from __future__ import annotations

import re
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.record.game_shapes import record_shape
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games
from hexrec.util.diagnostics import pointer_to
from tests.cases import all_of
from tests.properties import examples
from tests.record.helpers import FIXTURES, at, diagnostics, fixture_data, full_record, places, put, without
from tests.record.strategies import json_values, records

Path = tuple[int | str, ...]
FULL = full_record()
PLACES = list(places(FULL))
OBJECTS = [path for path in PLACES if isinstance(at(FULL, path), dict)]
REQUIRED = [
    *(("hexrec",), ("game",), ("size",), ("moves",), ("opening",), ("opening", "black"), ("opening", "white")),
    *(path for path in PLACES[1:] if path[-1] in ("kind", "cells")),
    *(("pie", "chosen"), ("result", "score", "black"), ("result", "score", "white"), ("moves", 1, "turn")),
]
#: Of two fields, one has to be there.
ONE_OF_TWO = [path for path in PLACES[1:] if path[0] == "time_control" and path[-1] in ("seconds", "per_turn")]
BASE: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": []}


def dotted(path: Path) -> str:
    """Return a path as messages write it."""
    return re.sub(r"^\.", "", "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path))


def only(data: Any) -> tuple[str, str | None, str]:
    (diagnostic,) = diagnostics(data)
    return diagnostic.code, diagnostic.pointer, diagnostic.message


def test_the_full_record_is_one_and_has_every_field() -> None:
    assert diagnostics(FULL) == []
    assert {path for path in PLACES if len(path) == 1} == {
        (field,) for field in record_shape(read_record(FULL).rules).fields if field not in ("variant", "setup")
    }


@all_of("path", PLACES[1:], ids=dotted)
def test_a_value_of_the_wrong_type_is_named_with_its_place(path: Path) -> None:
    old = at(FULL, path)
    # A list or an object is never right for a text or a number, nor each for the other.
    code, pointer, message = only(put(FULL, path, {"x-a": 1} if isinstance(old, list) else [["a"]]))
    assert code == {"hexrec": "schema/version"}.get(str(path[-1]), "schema/type")
    assert pointer == pointer_to(path)
    assert message.startswith(f"{dotted(path)} ")


@all_of("path", REQUIRED, ids=dotted)
def test_a_missing_field_is_named_with_what_it_is_missing_from(path: Path) -> None:
    code, pointer, message = only(without(FULL, path))
    assert (code, pointer) == ("schema/missing-field", pointer_to(path[:-1]))
    if path == ("game",):
        assert "name one of " in message
    elif path == ("opening",):
        assert message.endswith("add opening: {black: CELL, white: CELL}")
    else:
        assert message.startswith(f'{dotted(path[:-1]) or "the record"} lacks the field "{path[-1]}": add ')


@all_of("path", [path for path in PLACES[1:] if isinstance(path[-1], str)], ids=dotted)
def test_only_what_is_required_may_not_be_left_out(path: Path) -> None:
    assert bool(diagnostics(without(FULL, path))) == (path in [*REQUIRED, *ONE_OF_TWO] or path[-1] == "turn")


@all_of("path", OBJECTS, ids=dotted)
def test_an_unknown_field_is_named_with_its_place(path: Path) -> None:
    names = ("evnet", "Event", "x", "X-a", "", "a/b~c", "[key]", "str", "Move", "$defs", "\U0001f600")
    for field, value in zip(names, cycle((1, {"turn": 1, "black": {}}, [["a"]])), strict=False):
        code, pointer, message = only(put(FULL, (*path, field), value))
        assert (code, pointer) == ("schema/unknown-field", pointer_to((*path, field)))
        assert f'has no field "{field}" ' in message


@all_of("path", [path for path in PLACES[1:] if isinstance(path[-1], str) and path not in REQUIRED], ids=dotted)
def test_null_is_refused_in_every_optional_field(path: Path) -> None:
    code, pointer, message = only(put(FULL, path, None))
    assert code in ("schema/null", "schema/type")
    assert pointer == pointer_to(path)
    assert message.startswith(f"{dotted(path)} should ")


@pytest.mark.parametrize("data", [None, True, 5, "a", [], [BASE]], ids=str)
def test_what_is_no_object_is_no_record(data: Any) -> None:
    code, pointer, message = only(data)
    assert (code, pointer) == ("schema/type", "")
    assert message.startswith("no record in JSON" if isinstance(data, str) else "a record should be an object, not ")


def test_the_spelling_of_turns_may_be_left_to_the_engine() -> None:
    record = read_record({**BASE, "moves": ["no turn"]}, turns_unchecked=True)
    assert record.turns == ["no turn"]
    with pytest.raises(RecordError, match='"no turn" is not a turn'):
        read_record({**BASE, "moves": [{"turn": "e5", "variations": [["no turn"]]}]}, turns_unchecked=True)


@pytest.mark.parametrize("value", [10**4000, -(10**4000), "a" * 10_000, 1e300], ids=["large", "small", "long", "float"])
@all_of("path", [("size",), ("hexrec",), ("game",), ("coordinates",), ("date",), ("x" * 10_000,)])
def test_a_message_is_short_whatever_it_is_about(path: Path, value: Any) -> None:
    assert len(only(put(BASE, path, value))[2]) < 400


@pytest.mark.slow
@settings(max_examples=examples(10))
@given(data=st.data())
def test_whatever_the_data_each_diagnostic_names_a_place_that_is_there(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(games.names()).flatmap(records))
    path = data.draw(st.sampled_from(list(places(record))))
    record = put(record, path, data.draw(json_values))
    _check(record)


def test_the_same_for_the_fixtures() -> None:
    for data in fixture_data(str(FIXTURES / "record")):
        _check(data)


def _check(data: Any) -> None:
    for diagnostic in diagnostics(data):
        at(data, _steps(diagnostic.pointer or "", data))
        assert diagnostic.message
        assert "\n" not in diagnostic.message
        assert (diagnostic.line, diagnostic.ply, diagnostic.file) == (None, None, None)


def _steps(pointer: str, data: Any) -> Path:
    path: Path = ()
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        path = (*path, int(name) if isinstance(at(data, path), list) else name)
    return path
