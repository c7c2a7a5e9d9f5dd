"""`hexrec.scores`: the rows of `hexrec score` as a table in memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import hexrec
from hexrec.errors import MissingExtraError
from tests.processes import PROGRAM

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
BOTH = [FIXTURES / "frasvel/reference/games.jsonl", FIXTURES / "nadraz/invalid"]


def rows_of_command(*paths: Path) -> list[dict[str, Any]]:
    command = [*PROGRAM, "score", "--no-config", "--quiet", "--jobs", "1", "--format", "jsonl", *map(str, paths)]
    rows = [json.loads(line) for line in subprocess.run(command, capture_output=True).stdout.splitlines()]
    for row in rows:
        for color in ("black", "white"):
            if isinstance(row[color], int | float):
                row[color] = [row[color]]
    return rows


def test_rows_are_those_of_the_command() -> None:
    read = hexrec.scores(BOTH)
    assert read.to_pylist() == rows_of_command(*BOTH)
    assert {"frasvel", "nadraz"} <= set(read["game"].to_pylist())
    assert len(set(read["code"].to_pylist())) > 10


def test_one_path_a_pattern_and_a_format(tmp_path: Path) -> None:
    (tmp_path / "games").write_bytes(BOTH[0].read_bytes())
    assert (
        hexrec.scores(tmp_path / "games", format="jsonl").num_rows
        == hexrec.scores(str(tmp_path / "g*"), format="jsonl").num_rows
        == 18
    )


def test_the_format_can_be_forced() -> None:
    """What the name says does not count then."""
    (row,) = hexrec.scores(FIXTURES / "sunspot/valid/loop.json", format="sgf").to_pylist()
    assert row["code"].startswith("syntax/sgf")


def test_what_cannot_be_read_is_a_row(tmp_path: Path) -> None:
    (row,) = hexrec.scores(tmp_path / "none.json").to_pylist()
    assert (row["code"], row["plies"], row["game"]) == ("syntax/unreadable", 0, None)
    empty = hexrec.scores([])
    assert (empty.num_rows, empty.schema) == (0, hexrec.scores(BOTH).schema)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"^to read scores as a table, install hexrec-games\[arrow\]$"):
        hexrec.scores(BOTH)
