"""A record in other coordinates is the same game; the way back gives the same record."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

import hexrec
from hexrec.record.canonical import canonical_form, in_coordinates
from hexrec.record.validation import RecordError, read_record
from hexrec.rules.board import SYSTEMS, System
from tests.completeness import COMPLETE

FIXTURES = Path(__file__).parents[2] / "fixtures/suite"


def reference(game: str) -> list[dict[str, Any]]:
    return [canonical_form(record) for record in hexrec.records(FIXTURES / game / "reference" / "games.jsonl")]


@pytest.mark.parametrize(("game", "system"), [*product(COMPLETE, SYSTEMS)])
def test_the_same_game(game: str, system: System) -> None:
    for data in reference(game):
        changed = in_coordinates(data, system)
        record = read_record(changed)
        assert record.coordinates == system
        assert canonical_form(record) == changed
        assert list(canonical_form(record)) == list(changed)
        report, original = hexrec.validate(record), hexrec.validate(read_record(data))
        assert (report.diagnostics, report.plies, report.result) == ((), original.plies, original.result)


@pytest.mark.parametrize("route", [*permutations(SYSTEMS)])
def test_there_and_back(route: tuple[System, ...]) -> None:
    for data in reference("nadraz"):
        changed = data
        for system in (*route, "row"):
            changed = in_coordinates(changed, system)
        assert changed == data


def test_all_cells_of_a_record() -> None:
    data = {
        "hexrec": "1",
        "game": "frasvel",
        "size": 5,
        "opening": {"black": "a1", "x-a1": "e1"},
        "comment": "a1",
        "marks": [{"kind": "area", "cells": ["e1"]}],
        "moves": [
            {
                "turn": "i1",
                "comment": "not i1",
                "taken_back": ["e1"],
                "eval": {"engine": "e1", "line": ["a1", "i5"]},
                "marks": [{"kind": "line", "cells": ["e1", "i1"], "text": "a1"}],
                "variations": [["i5", {"turn": "e1-e3/i1", "x-e1": "e1"}]],
            },
            "e1-e3/i1",
        ],
    }
    assert in_coordinates(data, "skew") == {
        "hexrec": "1",
        "game": "frasvel",
        "size": 5,
        "coordinates": "skew",
        "opening": {"black": "a1", "x-a1": "e1"},
        "comment": "a1",
        "marks": [{"kind": "area", "cells": ["a5"]}],
        "moves": [
            {
                "turn": "e9",
                "comment": "not i1",
                "taken_back": ["a5"],
                "eval": {"engine": "e1", "line": ["a1", "i9"]},
                "marks": [{"kind": "line", "cells": ["a5", "e9"], "text": "a1"}],
                "variations": [["i9", {"turn": "a5-c5/e9", "x-e1": "e1"}]],
            },
            "a5-c5/e9",
        ],
    }


def test_what_is_no_cell_has_no_other_name() -> None:
    data = {
        "hexrec": "1",
        "game": "sundraval",
        "size": 3,
        "opening": {"black": "z9", "white": "a1"},
        "marks": [{"kind": "area", "cells": ["a1", "f1"]}],
        "moves": [
            "a1",
            "e9",
            {"turn": "hello", "variations": [["pass", "f1"]]},
            {
                "turn": "a1",
                "eval": {"line": ["f1"]},
                "marks": [{"kind": "area", "cells": ["f1"]}],
                "taken_back": ["f1"],
            },
        ],
    }
    with pytest.raises(RecordError) as refused:
        in_coordinates(data, "axial")
    found = [(diagnostic.code, diagnostic.pointer) for diagnostic in refused.value.diagnostics]
    pointers = ["/opening/black", "/marks/0/cells/1", "/moves/1", "/moves/2/turn", "/moves/2/variations/0/1"]
    pointers += ["/moves/3/eval/line/0", "/moves/3/marks/0/cells/0", "/moves/3/taken_back/0"]
    assert found == [("convert/cell", pointer) for pointer in pointers]
    words = [
        diagnostic.message.partition(": it has no name in axial coordinates")[0]
        for diagnostic in refused.value.diagnostics
    ]
    assert words[0] == "z9 is not a cell of the board"
    assert words[3] == "hello is not spelled like a turn"
