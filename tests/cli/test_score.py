from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from hexrec.scores import COLUMNS
from tests.cli.conftest import Run


@pytest.fixture
def archive(tmp_path: Path, game: dict[str, Any]) -> Path:
    """A file with a finished game, a wrong claim, a resignation, an illegal turn and a line that is no record."""
    records = [
        {**game, "id": "first", "result": {"winner": "white"}},
        {**game, "result": {"winner": "black"}},
        {**game, "moves": ["a1"], "result": {"winner": "black", "termination": "resignation"}},
        {**game, "moves": ["a1", "c3"]},
    ]
    path = tmp_path / "archive.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records) + "{\n")
    return path


def test_csv(hexrec: Run, archive: Path) -> None:
    ran = hexrec("score", archive)
    assert ran.code == 1
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert tuple(rows[0]) == COLUMNS
    shown = [[row[name] for name in ("index", "plies", "winner", "termination", "black", "white")] for row in rows]
    assert shown == [
        ["0", "4", "white", "rules", "0", "1.5"],
        ["1", "4", "white", "rules", "0", "1.5"],
        ["2", "1", "black", "resignation", "", ""],
        ["3", "1", "", "", "", ""],
        ["4", "0", "", "", "", ""],
    ]
    assert [row["agrees"] for row in rows] == ["yes", "no", "yes", "", ""]
    assert [row["code"] for row in rows] == ["", "result/winner-mismatch", "", "move/occupied", "syntax/truncated"]
    assert [row["claimed_winner"] for row in rows] == ["white", "black", "black", "", ""]
    assert (rows[0]["id"], rows[0]["ruleset"], rows[0]["size"], rows[3]["ply"]) == ("first", "2023", "3", "2")
    assert "5 records in 1 file: 2 valid, 3 invalid" in ran.err


def test_json_and_jsonl_hold_the_same_rows_as_csv(hexrec: Run, archive: Path) -> None:
    from_json = json.loads(hexrec("score", archive, "--format", "json").out)
    from_jsonl = [json.loads(line) for line in hexrec("score", archive, "--format", "jsonl").out.splitlines()]
    assert from_json == from_jsonl
    assert from_json[0]["white"] == 1.5
    assert [row["agrees"] for row in from_json] == [True, False, True, None, None]
    from_csv = list(csv.DictReader(io.StringIO(hexrec("score", archive, "--format", "csv").out)))
    assert [row["message"] for row in from_csv] == [row["message"] or "" for row in from_json]


def test_an_empty_input_is_a_row_that_says_so(hexrec: Run) -> None:
    ran = hexrec("score", "-", "--from", "jsonl", "--format", "json", stdin=b"")
    assert ran.code == 1
    assert [row["code"] for row in json.loads(ran.out)] == ["syntax/empty"]


def test_table(hexrec: Run, archive: Path) -> None:
    lines = hexrec("score", archive, "--format", "table").out.splitlines()
    assert len(lines) == 6
    assert "winner" in lines[0]
    assert "result/winner-mismatch" in lines[2]


@pytest.mark.parametrize(("name", "first"), [("s.csv", "file,"), ("s.json", "["), ("s.jsonl", "{"), ("s.ndjson", "{")])
def test_name_of_the_output_tells_the_format(hexrec: Run, archive: Path, tmp_path: Path, name: str, first: str) -> None:
    ran = hexrec("score", archive, "-o", tmp_path / name)
    assert (ran.code, ran.out) == (1, "")
    assert (tmp_path / name).read_text().startswith(first)


def test_name_that_tells_nothing_is_wrong_usage(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    ran = hexrec("score", archive, "-o", tmp_path / "scores.xyz")
    assert ran.code == 2
    assert "cannot tell the format from the name" in ran.err
    assert not (tmp_path / "scores.xyz").exists()
