"""Cells in what formats keep for themselves."""

from __future__ import annotations

from typing import Any

from hexrec import formats
from hexrec.tools.convert import find_kept_cells
from hexrec.util.limits import MAX_DIAGNOSTICS

FIELD = formats.get("sgf").keeps[0]
KEPT = {FIELD: {"C": ["not e5"]}}


def test_they_are_found_in_turns_and_variations() -> None:
    line = ["a1", {"turn": "a2", **KEPT}]
    moves: list[Any] = [{"turn": "a1", **KEPT, "variations": [line]}, {"turn": "a2", FIELD: {"C": ["nothing"]}}]
    data = {"hexrec": "1", "game": "sunspot", "size": 5, **KEPT, "moves": moves}
    found = [(each.code, each.pointer) for each in find_kept_cells(data, "skew")]
    places = ["", "/moves/0", "/moves/0/variations/0/1"]
    assert found == [("convert/kept-cell", f"{place}/{FIELD}") for place in places]
    assert find_kept_cells(data, "row") == []


def test_the_names_are_those_of_the_record() -> None:
    data = {"game": "sunspot", "size": 5, "coordinates": "axial", FIELD: {"C": [1, None, "a1", "4,-4"]}, "moves": []}
    (found,) = find_kept_cells(data, "row")
    assert found.message == f"{FIELD} names 4,-4, which is not renamed: extension fields stay as they are"
    assert (found.severity, found.pointer) == ("warning", f"/{FIELD}")
    assert find_kept_cells(data, "axial") == []
    # No part of a number is a cell; to try all of them would take quadratic time.
    assert find_kept_cells({**data, FIELD: {"C": ["14,-4", "4,-41", "1" * 500_000]}}, "row") == []


def test_very_many_are_counted() -> None:
    data = {"game": "sunspot", "size": 5, "moves": [{"turn": "a1", **KEPT}] * (MAX_DIAGNOSTICS + 2)}
    *_, more = find_kept_cells(data, "axial")
    assert more.code == "convert/more"
