"""Large records are looked at part by part, and their errors are the same as at once."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from hexrec.limits import MAX_DIAGNOSTICS
from hexrec.record import field_errors
from hexrec.record.field_errors import errors_in, is_large
from hexrec.record.model import record_model
from tests.record.helpers import diagnostics, fixture_data, full_record, places, put

LARGE = 2_000


@pytest.mark.parametrize(
    "data",
    [
        [0] * LARGE,
        {str(number): 0 for number in range(LARGE)},
        {"moves": [0] * (LARGE - 1)},
        [[0] * 997, [[0] * 999], "long text" * LARGE],
        [{"turn": "a1"}] * (LARGE // 2),
    ],
    ids=["list", "object", "moves", "lists", "objects"],
)
def test_all_values_count(data: Any) -> None:
    assert not is_large(data)
    if isinstance(data, dict):
        assert is_large({**data, "one": 0})
    else:
        assert is_large([*data, 0])


def test_no_large_data() -> None:
    assert not any(map(is_large, ("text" * LARGE, LARGE**2, None, [], {})))


def test_errors_are_the_same_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [None, 0, -1, "", "x", [], [0], {}, {"x": 0}, True, 0.5]
    whole = full_record()
    broken = [put(whole, path, wrong[number % len(wrong)]) for number, path in enumerate(places(whole))]
    broken += [{**whole, "moves": 0}, {name: value for name, value in whole.items() if name != "moves"}]
    broken.append({**whole, "moves": ["a1", "a1", {"turn": "a1", "variations": [[0]]}]})
    broken.append({**whole, "x-a": {"no": {"json"}}, "event": 0})
    broken += [data for data in fixture_data("record/invalid") if isinstance(data, dict)]
    at_once = [diagnostics(data) for data in broken]
    assert sum(map(bool, at_once)) > len(broken) // 2
    monkeypatch.setattr(field_errors, "_LARGE", -1)
    monkeypatch.setattr(field_errors, "_TURNS", 2)
    assert [diagnostics(data) for data in broken] == at_once


UNKNOWN = {f"u{number}": 0 for number in range(150)}


@pytest.mark.parametrize(
    ("field", "value", "count"),
    [
        ("time_control", UNKNOWN, 1),
        ("time_control", [{"seconds": 60, **UNKNOWN}, {"seconds": 60, **UNKNOWN}], 300),
        ("marks", UNKNOWN, 1),
        ("marks", [{"kind": "area", "cells": ["a1"], **UNKNOWN}], 150),
        ("moves", ["a1", {"turn": "b1", "marks": [{"kind": "area", "cells": ["a1"], **UNKNOWN}]}], 150),
        ("tags", ["a", UNKNOWN], 1),
        ("opening", {"black": UNKNOWN, "white": "a1"}, 1),
        ("result", {"winner": "black", "score": {"black": UNKNOWN, "white": 0}}, 1),
        ("players", {"black": UNKNOWN, "white": UNKNOWN}, 300),
    ],
)
def test_very_many_unknown_fields_are_counted_where_an_object_belongs_and_are_one_error_elsewhere(
    field: str, value: Any, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = {**full_record(), field: value}
    at_once = diagnostics(data)
    assert len(at_once) == min(count, 101)
    assert count <= 100 or at_once[-1].message.startswith(f"{count - 100} more diagnostics")
    monkeypatch.setattr(field_errors, "_LARGE", -1)
    assert [diagnostic.code for diagnostic in diagnostics(data)] == [diagnostic.code for diagnostic in at_once]
    assert diagnostics(data)[-1].message == at_once[-1].message
    # Of each object, no more of them are held at once than are told.
    held = max(1, count // len(UNKNOWN) * (MAX_DIAGNOSTICS + 1))
    assert all(part.total() - part.more <= held for part in errors_in(record_model("sundraval"), data))


def test_of_many_wrong_values_some_are_kept_and_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def mixed(right: Any, wrong: Any) -> list[Any]:
        return [wrong, wrong, wrong, right, wrong, right]

    mark = {"kind": "area", "cells": ["a1"]}
    lists = {"taken_back": mixed("a1", 0), "marks": mixed(mark, 0), "variations": [0, ["b1", 0], 0, []]}
    turn = {"turn": "a1", "nag": [*mixed(0, "!"), -1], "eval": {"line": mixed("a1", 0)}, **lists}
    unknown = {f"a{number}": 0 for number in range(6)}
    stages = mixed({"seconds": 60}, "x")
    data = {**full_record(), **unknown, "tags": mixed("a", 0), "marks": mixed(mark, 0), "time_control": stages}
    data["moves"] = ["a1", turn, 0]

    def found() -> tuple[set[Any], list[Any]]:
        parts = list(errors_in(record_model("sundraval"), data))
        places = {error["loc"] for part in parts for error in part.located()}
        return places, [(part.path, part.start, part.total(), part.more) for part in parts]

    inner = ("moves", 1, "Move")
    whole, counts = found()
    assert {*product(("tags", "marks", "time_control"), (0, 1, 2, 4)), ("moves", 2, "str")} <= whole
    others = [((*inner, "variations"), None, 2, 0), (inner, None, 0, 0), ((*inner, "variations", 1), 0, 1, 0)]
    assert counts == [((), None, 18, 0), (("moves",), 0, 2, 0), *others]
    monkeypatch.setattr(field_errors, "MAX_DIAGNOSTICS", 1)
    some, counts = found()
    others[1] = (inner, None, 9, 9)
    assert counts == [((), None, 18, 10), (("moves",), 0, 2, 0), *others]
    assert some < whole


@pytest.mark.parametrize("path", [("moves", 0, "nag"), ("result", "score", "black"), ("result", "score", "white")])
def test_any_number_of_whole_numbers_may_be_written_with_a_point(path: tuple[str | int, ...]) -> None:
    record: dict[str, Any] = {"hexrec": "1", "game": "valaturna", "size": 5, "opening": {"black": "c3", "white": "c5"}}
    record |= {"moves": [{"turn": "a1"}], "result": {"winner": "black", "score": {"black": [1], "white": [1]}}}
    large = {**put(record, path, [3.0] * 150), "x-a": [0] * LARGE}
    assert is_large(large)
    assert diagnostics(large) == []
    unknown = {f"unknown-{number}": 0 for number in range(MAX_DIAGNOSTICS + 5)}
    assert diagnostics({**large, **unknown}) == diagnostics({**record, "x-a": [0] * LARGE, **unknown})
