"""Scores as people read them, word for word."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Source
from hexrec.output import rows as row_formats
from hexrec.output.rows import Row
from hexrec.validation.sources import check_sources
from tests.cli.conftest import SHORT_GAME

ILLEGAL = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["b2", "b2"]}


def rows(records: list[dict[str, Any]]) -> Iterator[Row]:
    Path("games.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return map(row_formats.make_row, check_sources([Source("games.jsonl", "jsonl")]))


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_rows_as_a_table() -> None:
    out = io.StringIO()
    row_formats.get("table").write(rows([SHORT_GAME, {**SHORT_GAME, "result": {"winner": "black"}}, ILLEGAL]), out)
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
    row_formats.get("table").write(rows([SHORT_GAME, ILLEGAL]), out)
    heading, *lines = out.getvalue().split("\n")
    assert set(re.findall("\x1b\\[[0-9;]*m", heading)) == {"\x1b[1m", "\x1b[0m"}
    assert len(re.sub("\x1b\\[[0-9;]*m", "", heading)) <= 72
    assert lines == [
        "games.…  0      sundr…  3     4      white  rules   0      1.5   \x1b[31m \x1b[0m\x1b[31m      \x1b[0m",
        "games.…  1      sunsp…  4     1                                  \x1b[31m \x1b[0m\x1b[31mmove/…\x1b[0m",
        "",
    ]
