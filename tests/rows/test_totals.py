"""Scores and their totals as people read them, word for word."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexrec import rows as row_formats
from hexrec.files.discovery import Source
from hexrec.rows import Columns, Totals, write_totals
from hexrec.validation.sources import check_sources

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


def rows(records: list[dict[str, Any]]) -> Iterator[Columns]:
    Path("games.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return row_formats.batches(check_sources([Source("games.jsonl", "jsonl")]))


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_rows_as_a_table() -> None:
    out = io.StringIO()
    row_formats.get("table").write(rows([WON, {**WON, "result": {"winner": "black"}}, RECORDS[4]]), out)
    assert [line.rstrip() for line in out.getvalue().split("\n")] == [
        "file         index  game       size  plies  winner  termination  black  white  agrees  code",
        "games.jsonl  0      sundraval  3     4      white   rules        0      1.5",
        "games.jsonl  1      sundraval  3     4      white   rules        0      1.5    no      result/winner-mismatch",
        "games.jsonl  2      sunspot    4     1                                                 move/occupied",
        "",
    ]


def test_rows_as_a_table_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("COLUMNS", "72"), ("TERM", "xterm"), ("NO_COLOR", None), ("FORCE_COLOR", None)):
        monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name, raising=False)
    out = Terminal()
    row_formats.get("table").write(rows([WON, RECORDS[4]]), out)
    heading, *lines = out.getvalue().split("\n")
    assert set(re.findall("\x1b\\[[0-9;]*m", heading)) == {"\x1b[1m", "\x1b[0m"}
    assert len(re.sub("\x1b\\[[0-9;]*m", "", heading)) <= 72
    assert lines == [
        "games.…  0      sundr…  3     4      white  rules   0      1.5   \x1b[31m \x1b[0m\x1b[31m      \x1b[0m",
        "games.…  1      sunsp…  4     1                                  \x1b[31m \x1b[0m\x1b[31mmove/…\x1b[0m",
        "",
    ]


def test_totals_as_tables() -> None:
    totals, out = Totals(), io.StringIO()
    for batch in rows(RECORDS):
        totals.add(batch)
    write_totals(totals, out)
    assert out.getvalue() == TABLES
    assert [list(each) for each in totals.data()["terminations"]] == [
        ["termination", "records", "black", "white", "draw", "no_winner"],
    ] * 3
