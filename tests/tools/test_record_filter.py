"""Selecting records: every command reads only those that the rows of a file name, whatever the rows are written in."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from hexrec.cli import run
from hexrec.tools.record_filter import RowsError, read_rows
from tests.cases import all_of
from tests.cli.conftest import SHORT_GAME, Run, hexrec

__all__ = ["hexrec"]  # a fixture

#: Different games; the last two records cannot be replayed to their ends.
GAMES: list[dict[str, Any]] = [
    {**SHORT_GAME, "id": "=first"},
    {**SHORT_GAME, "id": "second", "moves": ["a1"]},
    {**SHORT_GAME, "moves": ["a2"]},
    {**SHORT_GAME, "id": "fourth", "moves": ["a1", "c3"]},
    {"game": "chess"},
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of these games and its scores."""
    folder = tmp_path_factory.mktemp("archive")
    (folder / "archive.jsonl").write_text("".join(f"{json.dumps(game)}\n" for game in GAMES), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with pytest.raises(SystemExit):
            run(["score", "archive.jsonl", "-o", "scores.parquet"])
    return folder


@pytest.fixture
def archive(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of these games in the current directory, next to its scores."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Path("archive.jsonl")


def indexes(hexrec: Run, *arguments: str | Path) -> list[int]:
    ran = hexrec("score", *arguments, "--format", "jsonl")
    return [json.loads(line)["index"] for line in ran.out.splitlines()]


def query(columns: str, where: str, target: str) -> None:
    duckdb.sql(f"copy (select {columns} from 'scores.parquet' where {where}) to '{target}'")


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "jsonl", "json", "parquet"])
@all_of(
    ("columns", "where", "selected"),
    [
        ("file, index", "index in (1, 4)", [1, 4]),
        ("hash", "index = 2", [2]),
        ("id", "index in (0, 3)", [0, 3]),
        ("*", "code is not null", [3, 4]),
        ("file, index", "false", []),
        ("hash", "index >= 3", []),
        ("id", "index = 2", []),
    ],
)
def test_rows_of_a_query_select(
    hexrec: Run, archive: Path, suffix: str, columns: str, where: str, selected: list[int]
) -> None:
    query(columns, where, f"rows.{suffix}")
    assert indexes(hexrec, archive, "--keep", f"rows.{suffix}") == selected
    assert indexes(hexrec, archive, "--drop", f"rows.{suffix}") == [each for each in range(5) if each not in selected]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet"])
def test_what_score_writes_selects_all(hexrec: Run, archive: Path, suffix: str) -> None:
    """Also where CSV has an apostrophe before a text that is no formula."""
    names = ["=1.jsonl", "'a'=1.jsonl"]
    for name in names:
        Path(name).write_text(json.dumps(SHORT_GAME), encoding="utf-8")
    hexrec("score", archive, *names, "-o", f"rows.{suffix}")
    assert indexes(hexrec, archive, *names, "--keep", f"rows.{suffix}") == [0, 1, 2, 3, 4, 0, 0]


def test_what_hash_and_dedupe_write_selects(hexrec: Run, archive: Path) -> None:
    hexrec("hash", archive, "-o", "hashes.txt")
    assert indexes(hexrec, archive, "--keep", "hashes.txt") == [0, 1, 2]
    copy = archive.with_name(f"a-{archive.name}")
    copy.write_bytes(archive.read_bytes())
    hexrec("dedupe", copy, archive, "--check", "--report", "duplicates.jsonl", "--prefixes", "ignore")
    assert indexes(hexrec, archive, "--drop", "duplicates.jsonl") == [3, 4]


#: What each command does with records, and what it says of how many there are.
COMMANDS: dict[str, tuple[list[str], str]] = {
    "validate": ([], "1 record in 1 file: 1 valid, 0 invalid"),
    "convert": (["--to", "jsonl"], "1 record in 1 file: 1 converted, 0 left out"),
    "score": ([], "1 record in 1 file: 1 valid, 0 invalid"),
    "stats": (["--format", "json"], '"records": 1'),
    "dedupe": (["--to", "jsonl"], "1 of 1 records written"),
    "hash": ([], "1 record in 1 file: 1 with a hash, 0 without"),
    "fmt": (["--check"], "5 records in 1 file: 1 to be formatted, 4 unchanged"),
    "fix": (["--check"], "5 records in 1 file: 1 to be fixed, 4 unchanged"),
}


@pytest.mark.parametrize("command", COMMANDS)
@all_of(
    ("option", "columns"), [("--keep", "file, index"), ("--drop", "file, index"), ("--keep", "hash"), ("--keep", "id")]
)
def test_each_command_keeps_and_drops(hexrec: Run, archive: Path, command: str, option: str, columns: str) -> None:
    query(columns, "index = 0" if option == "--keep" else "index > 0", "rows.csv")
    arguments, said = COMMANDS[command]
    ran = hexrec(command, archive, *arguments, option, "rows.csv")
    assert said in ran.out + ran.err


def test_keep_and_drop_together(hexrec: Run, archive: Path) -> None:
    query("file, index", "index < 3", "keep.csv")
    query("id", "index = 1", "drop.csv")
    assert indexes(hexrec, archive, "--keep", "keep.csv", "--drop", "drop.csv") == [0, 2]


def test_rows_that_select_nothing_are_reported(hexrec: Run, archive: Path) -> None:
    rows = [("archive.jsonl", 0), *(("archive.jsonl", index) for index in range(7, 14)), ("./other.jsonl", 0)]
    Path("rows.jsonl").write_text("".join(json.dumps({"file": f, "index": i}) + "\n" for f, i in rows))
    ran = hexrec("validate", archive, "--keep", "rows.jsonl")
    places = ", ".join(f"archive.jsonl:{index}" for index in range(7, 12))
    assert (ran.code, ran.err) == (0, f"hexrec: rows.jsonl: 8 of 9 rows select no record ({places}, …)\n")
    Path("none.jsonl").write_text('{"hash": null}\n')
    assert (
        "none.jsonl: its only row selects no record (no hash)"
        in hexrec("validate", archive, "--keep", "none.jsonl").err
    )
    Path("one.csv").write_text("id\nnobody\n")
    assert (
        "one.csv: its only row selects no record (nobody)"
        in hexrec("convert", archive, "--to", "sgf", "--keep", "one.csv").err
    )


def test_shards_with_rows_are_one_run_with_rows(hexrec: Run, archive: Path) -> None:
    query("hash", "index in (0, 2)", "rows.csv")
    paths = [archive, Path("b.jsonl"), Path("c.jsonl")]
    for path in paths[1:]:
        path.write_bytes(archive.read_bytes())
    shards = [hexrec("score", *paths, "--keep", "rows.csv", "--shard", f"{number}/2") for number in (1, 2)]
    rows = [line for shard in shards for line in shard.out.splitlines() if not line.startswith("file,")]
    assert rows == hexrec("score", *paths, "--keep", "rows.csv").out.splitlines()[1:]
    assert len(rows) == 6
    assert not any("no record" in shard.err for shard in shards)


def test_what_cannot_be_read_is_reported_whatever_is_selected(hexrec: Run, archive: Path) -> None:
    query("file, index", "index = 0", "rows.csv")
    for command in ("validate", "score", "hash"):
        ran = hexrec(command, archive, "missing.jsonl", "--keep", "rows.csv")
        assert ran.code == 2
        assert "could not be read" in ran.out + ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,index\na,1\n", "no columns file and index, hash or id (found: name, index)"),
        ("file,index\na,1\nb,x\n", "row 1: index should be a whole number (x)"),
        ('{"file": "a", "index": null}\n', "row 0: index should be a whole number (None)"),
        ('{"file": "a", "index": 1.5}\n', "row 0: index should be a whole number (1.5)"),
        ('{"file": "a", "index": 1e999}\n', "row 0: index should be a whole number (inf)"),
        ("[1]", "a row should be an object, not 1"),
        ('{"id": "a"}\n5\n', "a row should be an object, not 5"),
        ("[" * 100_000, "not rows in CSV, JSON Lines or Parquet"),
        ("id\n" + "a" * 200_000, "not rows in CSV, JSON Lines or Parquet"),
        ('{"id": \n', "not rows in CSV, JSON Lines or Parquet"),
        ("PAR1", "not rows in CSV, JSON Lines or Parquet"),
        ("0" * 32 + "  a:0\nb\n", "a line that hexrec hash does not print (b)"),
    ],
)
def test_files_that_select_nothing_end_the_command(hexrec: Run, archive: Path, text: str, message: str) -> None:
    Path("rows").write_text(text)
    ran = hexrec("validate", archive, "--keep", "rows")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"hexrec: rows: {message}")
    with pytest.raises(RowsError):
        read_rows("rows")


def test_usage(hexrec: Run, archive: Path) -> None:
    query("hash", "index = 0", "rows.csv")
    refused: dict[str, Callable[[], Any]] = {
        "missing.csv: cannot be read": lambda: hexrec("validate", archive, "--keep", "missing.csv"),
        "the cache has no hashes": lambda: hexrec("validate", archive, "--cache", "--keep", "rows.csv"),
        "its rows select by game hashes, not by these": lambda: hexrec(
            "hash", archive, "--symmetric", "--keep", "rows.csv"
        ),
    }
    for message, call in refused.items():
        ran = call()
        assert ran.code == 2
        assert message in " ".join(ran.err.split())
