"""Clocks may gain what the time control adds, and nothing else; numbers of any length are looked at."""

from __future__ import annotations

from typing import Any

import pytest

from hexrec.record.validation import read_record
from hexrec.validation.verdict import check_record

TURNS = ["d4", "e6", "f3", "f4", "c2", "c5", "b2", "b5", "a1", "a2"]


def warnings(clocks: list[float], color: int = 0, **fields: Any) -> list[tuple[str, str | None]]:
    """Return the warnings about a game in which a color's clock shows these times after its turns."""
    moves: list[Any] = [*TURNS[: 2 * len(clocks)]]
    for number, clock in enumerate(clocks):
        moves[2 * number + color] = {"turn": moves[2 * number + color], "clock": clock}
    record = read_record({"hexrec": "1", "game": "sunspot", "size": 7, "moves": moves, **fields})
    return [(each.code, each.pointer) for each in check_record(record, lint=True).diagnostics]


@pytest.mark.parametrize(
    ("stages", "clocks", "at"),
    [
        ([{"seconds": 60}], [50, 40, 30, 20], None),
        (None, [50, 40, 30, 20], None),
        (None, [50, 40, 41, 42], 4),
        ([{"seconds": 60}], [50, 40, 41, 42], 4),
        ([{"turns": 3, "seconds": 60}], [50, 51, 40, 30], 2),
        ([{"seconds": 60, "delay": 5}], [50, 50, 51, 40], 4),
        ([{"seconds": 60, "increment": 5}], [64, 69, 70, 75], None),
        # A clock in whole seconds may show a second too many after an increment.
        ([{"seconds": 60, "increment": 5}], [64, 70, 74, 79], None),
        ([{"seconds": 60, "increment": 5}], [64, 69, 70, 76.5], 6),
        ([{"turns": 2, "seconds": 60}, {"seconds": 30}], [50, 70, 60, 50], None),
        ([{"turns": 2, "seconds": 60}, {"seconds": 30}], [50, 70, 60, 90], 6),
        ([{"turns": 2, "seconds": 60}], [50, 100, 90, 140], None),
        ([{"turns": 2, "seconds": 60}], [50, 100, 150, 140], 4),
        ([{"turns": 1, "seconds": 60}, {"turns": 3, "seconds": 30}], [50, 40, 30, 20, 21], 8),
        ([{"seconds": 60}], [50, 10**9, 40, 30], None),
        ([{"seconds": 30, "periods": 3}], [5, 30, 5, 30], None),
        ([{"per_turn": 60}], [5, 30, 5, 30], None),
        ([{"seconds": 60, "increment": 10**400}], [1.5, 2.5, 10**400, 1.5], None),
    ],
)
def test_clocks(stages: list[Any] | None, clocks: list[float], at: int | None) -> None:
    for color in (0, 1):
        expected = [] if at is None else [("lint/clock", f"/moves/{at + color}/clock")]
        fields = {} if stages is None else {"time_control": stages}
        assert warnings(clocks, color, **fields) == expected


def test_the_clock_of_who_begins_after_a_setup() -> None:
    moves = [{"turn": "a1", "clock": 50}, "a2", {"turn": "a3", "clock": 60}]
    setup = "7/8/9/10/11/12/13/12/11/10/9/8/7 w 0"
    record = read_record({"hexrec": "1", "game": "sunspot", "size": 7, "setup": setup, "moves": moves})
    (found,) = check_record(record, lint=True).diagnostics
    assert found.message == "White's clock grows from 50 to 60 s, but no time control is given"


@pytest.mark.parametrize(
    ("date", "end", "warned"),
    [
        ("2024-05-02", "2024-05-01", True),
        ("2024-05-02", "2024-05-02", False),
        ("2024-05", "2024-04-30", True),
        ("2024-05-31", "2024-05", False),
        ("2024-05-02T10:00:00Z", "2024-05-01", True),
        ("2024-05-02T10:00:00Z", "2024-05-02", False),
        ("2024-05-02", "2024-05-01T23:00:00Z", True),
        ("2024-05-02T10:00:00Z", "2024-05-02T11:00:00+02:00", True),
        ("2024-05-02T10:00:00Z", "2024-05-02T09:00:00-02:00", False),
        ("2024-05-02T10:00:00Z", "2024-05-02T12:00:00+02:00", False),
    ],
)
def test_dates(date: str, end: str, warned: bool) -> None:
    expected = [("lint/date-order", "/date_end")] if warned else []
    assert warnings([], date=date, date_end=end) == expected


@pytest.mark.parametrize("rating", [10**1000, 10**5000, -(10**5000), 1e300], ids=["1000", "5000", "negative", "float"])
def test_ratings_of_any_length(rating: float) -> None:
    assert warnings([], players={"black": {"rating": rating}}) == [("lint/rating", "/players/black/rating")]


def test_the_highest_rating() -> None:
    for rating, said in ((10_000, []), (10_001, ["10001"]), (10**5000, ["thousands of digits"])):
        data = {"hexrec": "1", "game": "sunspot", "size": 7, "players": {"white": {"rating": rating}}, "moves": []}
        found = [each.message for each in check_record(read_record(data), lint=True).diagnostics]
        assert found == [f"no player has such a rating ({number})" for number in said]


def test_two_turns_of_one_moment_and_marks_of_the_record() -> None:
    assert warnings([], marks=[{"kind": "area", "cells": ["a1", "a9"]}]) == [("lint/mark", "/marks/0/cells/1")]
    moves = [{"turn": turn, "at": "2026-11-20T12:00:00Z"} for turn in TURNS]
    assert warnings([], moves=moves) == []
