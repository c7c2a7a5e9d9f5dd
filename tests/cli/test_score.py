from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from hexrec.output.rows import COLUMNS
from tests.cli.conftest import Ran, Run


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


def test_an_empty_input_is_a_row_that_says_so(hexrec: Run) -> None:
    ran = hexrec("score", "-", "--from", "jsonl", "--format", "json", stdin=b"")
    assert ran.code == 1
    assert [row["code"] for row in json.loads(ran.out)] == ["syntax/empty"]


@pytest.mark.parametrize(("name", "first"), [("s.csv", "file,"), ("s.json", "["), ("s.jsonl", "{"), ("s.ndjson", "{")])
def test_name_of_the_output_tells_the_format(hexrec: Run, archive: Path, tmp_path: Path, name: str, first: str) -> None:
    ran = hexrec("score", archive, "-o", tmp_path / name)
    assert (ran.code, ran.out) == (1, "")
    assert (tmp_path / name).read_text().startswith(first)


TOTALS = """\
Records by game and size

game       size     records  black  white  draw  no winner  invalid
sundraval  3              4      1      1     0          0        2
unknown    unknown        1      0      0     0          0        1
all        all            5      1      1     0          0        3

Valid records by what ended the game

ended by     records  black  white  draw  no winner
resignation        1      1      0     0          0
rules              1      0      1     0          0

Plies of the valid games that have ended

game       games  shortest  lower quartile  median  upper quartile  longest  mean
sundraval      2         1               1       1               4        4   2.5

Invalid records by their first error

code                    records
move/occupied                 1
result/winner-mismatch        1
syntax/truncated              1

"""
SUMMARY = "5 records in 1 file: 2 valid, 3 invalid; 10 plies replayed\n"


def test_totals(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    """They take the place of the rows, unless these go to a file."""
    target = tmp_path / "scores.csv"
    rows = hexrec("score", archive).out
    assert hexrec("score", archive, "--summary") == Ran(1, TOTALS, SUMMARY)
    assert hexrec("score", archive, "--summary", "-q", "-o", target) == Ran(1, TOTALS, "")
    assert target.read_text() == rows
    ran = hexrec("score", archive, "--summary-json")
    assert (ran.code, ran.err) == (1, SUMMARY)
    assert {name: ran.report[name] for name in ("records", "valid", "invalid", "files", "plies")} == {
        "records": 5,
        "valid": 2,
        "invalid": 3,
        "files": 1,
        "plies": 10,
    }
    assert hexrec("score", archive, "--summary", "--summary-json").out == ran.out
    target.unlink()
    assert hexrec("score", archive, "--summary-json", "-o", tmp_path / "scores", "--format", "jsonl") == ran
    assert (tmp_path / "scores").read_text() == hexrec("score", archive, "--format", "jsonl").out


def test_rows_on_a_terminal(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    """They are a table, unless they are asked for in another form; what is no text never goes there."""
    table = hexrec("score", archive, "--format", "table", terminal=True)
    assert hexrec("score", archive, terminal=True) == table
    assert hexrec("score", archive).out == hexrec("score", archive, "--format", "csv", terminal=True).out != table.out
    ran = hexrec("score", archive, "--format", "parquet", terminal=True)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("Error: Invalid value for --format: binary format on a terminal: give -o FILE\n")
    target = tmp_path / "scores.parquet"
    assert hexrec("score", archive, "-o", target, terminal=True) == Ran(1, "", SUMMARY)
    assert target.read_bytes()[:4] == b"PAR1"


def test_formulas(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**game, "id": "=1+1"}))
    assert ",'=1+1," in hexrec("score", path).out
    assert ",'=1+1," in hexrec("score", path, "--escape-formulas").out
    ran = hexrec("score", path, "--no-escape-formulas")
    assert (ran.code, ",=1+1," in ran.out) == (0, True)


def test_settings(hexrec: Run, archive: Path) -> None:
    totals = ": 2 valid, 3 invalid;"
    for options, accepted in {
        ("--ignore", "result/"): "1 invalid record accepted by the options",
        ("--select", "move/"): "2 invalid records accepted by the options",
        (): f"1 invalid record accepted by {archive.parent / 'hexrec.toml'}",
        ("--no-config",): "",
    }.items():
        if not options:
            (archive.parent / "hexrec.toml").write_text('ignore = ["result/"]\n')
        err = hexrec("score", archive, *options).err
        assert totals in err
        assert accepted in err
        assert ("accepted" in err) == bool(accepted)
