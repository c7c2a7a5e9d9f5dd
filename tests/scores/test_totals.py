"""The totals of scores as people read them, word for word."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from hexrec import scores
from hexrec.check import check_sources
from hexrec.files.discovery import Source
from hexrec.scores.totals import Totals, write_totals

WON: dict[str, Any] = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 3,
    "opening": {"black": "c3", "white": "b2"},
    "moves": ["a1", "a2", "pass", "pass"],
}
OPEN: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["b2"]}
DRAWN = {**OPEN, "result": {"winner": "draw", "termination": "agreement"}}
RECORDS = [WON, WON, DRAWN, {**OPEN, "size": 5}, {**OPEN, "moves": ["b2", "b2"]}, {"hexrec": "1"}]
TABLES = """\
Records by game and size

game       size     records  black  white  draw  no winner  invalid
sundraval  3              2      0      2     0          0        0
sunspot    all            3      0      0     1          1        1
sunspot    4              2      0      0     1          0        1
sunspot    5              1      0      0     0          1        0
unknown    unknown        1      0      0     0          0        1
all        all            6      0      2     1          1        2

Valid records by what ended the game

ended by    records  black  white  draw  no winner
agreement         1      0      0     1          0
rules             2      0      2     0          0
unfinished        1      0      0     0          1

Plies of the valid games that have ended

game       games  shortest  lower quartile  median  upper quartile  longest  mean
sundraval      2         4               4       4               4        4   4.0
sunspot        1         1               1       1               1        1   1.0

Invalid records by their first error

code                  records
move/occupied               1
schema/missing-field        1

"""


def test_totals_as_tables(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    totals, out = Totals(), io.StringIO()
    for batch in scores.batches(check_sources([Source(str(file), "jsonl")])):
        totals.add(batch)
    write_totals(totals, out)
    assert out.getvalue() == TABLES
    assert [list(each) for each in totals.data()["terminations"]] == [
        ["termination", "records", "black", "white", "draw", "no_winner"],
    ] * 3
