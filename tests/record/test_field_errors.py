"""Large records are looked at part by part, and their errors are the same as at once."""

from __future__ import annotations

from typing import Any

import pytest

from hexrec.record import field_errors
from hexrec.record.field_errors import is_large
from tests.record.helpers import diagnostics, fixture_data, full_record, places, put

LARGE = 2_000


@pytest.mark.parametrize(
    "data",
    [
        [0] * LARGE,
        {str(number): 0 for number in range(LARGE)},
        {"moves": [0] * (LARGE - 1)},
        [[[0] * 999], [0] * 997, "long text" * LARGE],
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
    broken += [data for data in fixture_data("record/invalid") if isinstance(data, dict)]
    at_once = [diagnostics(data) for data in broken]
    assert sum(map(bool, at_once)) > len(broken) // 2
    monkeypatch.setattr(field_errors, "_LARGE", -1)
    monkeypatch.setattr(field_errors, "_TURNS", 2)
    assert [diagnostics(data) for data in broken] == at_once
