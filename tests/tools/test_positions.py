"""Positions as rows: folded by symmetry, sorted, the same from shards; and what explore answers from them."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import hexrec as library
from hexrec.tools import positions_file
from hexrec.tools.positions import positions
from tests.cli.conftest import SHORT_GAME, Run, hexrec
from tests.properties import sample

__all__ = ["hexrec"]  # a fixture

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
REFERENCE = sorted(FIXTURES.glob("*/reference/games.jsonl"))
START = "4/5/6/7/6/5/4 b 0"
SUNSPOT: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 4}
#: A game, and the same turned by half a circle.
TWO_ORIENTATIONS = [{**SUNSPOT, "moves": ["a1", "a2", "d4"]}, {**SUNSPOT, "moves": ["g4", "g3", "c2"]}]
PASS = {**SHORT_GAME, "moves": ["pass", "a1"]}
SETUP = {**SUNSPOT, "setup": "1b2/5/6/7/6/5/4 w 0", "moves": ["a1"]}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some reference games of each game."""
    path = tmp_path_factory.mktemp("positions") / "games.jsonl"
    path.write_text("\n".join(line for file in REFERENCE for line in sample(file.read_text().splitlines(), 9)))
    return path


@pytest.fixture
def rows(hexrec: Run, tmp_path: Path) -> Any:
    """Return a function that writes records to a file, and returns the rows of their positions."""

    def positions(*records: dict[str, Any], options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
        (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
        ran = hexrec("positions", tmp_path / "a.jsonl", "-o", tmp_path / "a.parquet", *options)
        assert ran.code in (0, 1)
        return list(pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pylist())

    return positions


def key(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()[:16]


def test_the_columns(rows: Any, tmp_path: Path) -> None:
    found = sorted(rows(SHORT_GAME), key=lambda row: row["ply"])
    assert tuple(found[0]) == (
        "key", "game", "ruleset", "variant", "size", "ply", "turn", "winner", "file", "index",
    )  # fmt: skip
    assert [row["ply"] for row in found] == [0, 1, 2, 3, 4]
    assert found[-1]["turn"] is None
    same = {"game": "sundraval", "ruleset": "2023", "variant": None, "size": 3, "winner": "white", "index": 0}
    assert all(row | same | {"file": str(tmp_path / "a.jsonl")} == row for row in found)


def test_a_position_in_two_orientations_has_one_key(rows: Any) -> None:
    found = rows(*TWO_ORIENTATIONS)
    by_ply = {ply: {row["key"] for row in found if row["ply"] == ply} for ply in range(4)}
    assert [len(keys) for keys in by_ply.values()] == [1, 1, 1, 2]
    assert by_ply[0] == {key("4/5/6/7/6/5/4 b")}
    # The image that counts has its stones last.
    assert by_ply[1] == {key("4/5/6/7/6/5/3b w")}
    turns = {row["turn"] for row in found if row["ply"] < 2}
    assert len(turns) == 2


def test_passes_are_no_part_of_a_key(rows: Any) -> None:
    before, after, _ = sorted(rows(PASS), key=lambda row: row["ply"])
    assert before["turn"] == "pass"
    assert before["key"] != after["key"]  # another side is to move
    (again, *_) = sorted(rows({**PASS, "moves": ["pass", "pass"]}), key=lambda row: -row["ply"])
    assert again["key"] == before["key"]


def test_a_setup(rows: Any) -> None:
    (first, _) = sorted(rows(SETUP), key=lambda row: row["ply"])
    assert first["key"] == key("4/5/6/7/6/5/2b1 w")


def test_rows_are_sorted_and_invalid_records_left_out(rows: Any) -> None:
    found = rows(*TWO_ORIENTATIONS, {**SUNSPOT, "moves": ["a1", "a1"]}, {"game": "chess"}, PASS)
    assert [row["key"] for row in found] == sorted(row["key"] for row in found)
    assert {row["index"] for row in found} == {0, 1, 4}


@pytest.mark.parametrize("file", REFERENCE, ids=lambda path: path.parent.parent.name)
def test_images_of_reference_games_have_the_same_rows(file: Path) -> None:
    record = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    loaded = library.loads(json.dumps(record))
    board = library.games.get(record["game"]).board(record["size"])
    name = board.names().single
    images = {name(cell): name(image) for cell, image in board.symmetries[5].items()}

    def turned(text: str) -> str:
        return re.sub(r"[a-z]\d+", lambda cell: images[cell[0]], text)

    image = {
        **record,
        "opening": {color: turned(cell) for color, cell in record.get("opening", {}).items()},
        "moves": [*map(turned, record["moves"])],
    }
    if not image["opening"]:
        del image["opening"]
    assert positions(library.loads(json.dumps(image))) == positions(loaded)


def test_shards_and_processes_make_the_same_rows(
    hexrec: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the rows are divided into temporary files."""

    def table(*options: str) -> list[dict[str, Any]]:
        hexrec("positions", games, "-o", tmp_path / "a.parquet", *options)
        return list(pyarrow.parquet.read_table(tmp_path / "a.parquet").to_pylist())

    whole = table()
    assert table("--jobs", "2") == whole
    shards = [row for number in (1, 2, 3) for row in table("--shard", f"{number}/3")]
    assert sorted(shards, key=str) == sorted(whole, key=str)
    monkeypatch.setattr(positions_file, "_BATCH", 100)
    monkeypatch.setattr(positions_file, "_BUFFERED", 300)
    assert table() == whole


def test_merged_shards_are_explored_like_one_run(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    games = FIXTURES / "sunspot" / "reference"
    hexrec("positions", games, "-o", "whole.parquet")
    Path("parts").mkdir()
    for number in range(1, 4):
        hexrec("positions", games, "-o", f"parts/{number}.parquet", "--shard", f"{number}/3")
    hexrec("merge", "parts", "-o", "positions.parquet")
    whole, merged = (hexrec("explore", START, file) for file in ("whole.parquet", "positions.parquet"))
    assert whole.out == merged.out != ""


def test_the_same_bytes_with_interpreted_rules(hexrec: Run, games: Path, tmp_path: Path) -> None:
    usual, pure = tmp_path / "usual.parquet", tmp_path / "pure.parquet"
    hexrec("positions", games, "-o", usual)
    program = [sys.executable, "-m", "hexrec", "positions", str(games), "-o", str(pure), "--quiet"]
    subprocess.run(program, check=True, env={**os.environ, "HEXREC_PURE": "1"})
    assert usual.read_bytes() == pure.read_bytes()


def test_the_library_has_the_same_rows(rows: Any, tmp_path: Path) -> None:
    found = rows(*TWO_ORIENTATIONS)
    assert library.positions(tmp_path / "a.jsonl").to_pylist() == found
    with pytest.raises(library.UnknownNameError):
        library.positions(tmp_path / "a.jsonl", format="chess")


def test_selected_records_alone(rows: Any, tmp_path: Path) -> None:
    (tmp_path / "keep.csv").write_text(f"file,index\n{tmp_path / 'a.jsonl'},1\n")
    found = rows(*TWO_ORIENTATIONS, options=("--keep", str(tmp_path / "keep.csv")))
    assert {row["index"] for row in found} == {1}


class TestExplore:
    @pytest.fixture
    def file(self, rows: Any, tmp_path: Path) -> Path:
        rows(*TWO_ORIENTATIONS, {**SUNSPOT, "moves": ["d4"], "result": {"winner": "black", "termination": "time"}})
        return tmp_path / "a.parquet"

    def turns(self, hexrec: Run, *arguments: str | Path) -> dict[str | None, list[int]]:
        data = json.loads(hexrec("explore", *arguments, "--format", "json").out)
        return {row["turn"]: [row[name] for name in ("games", "black", "no_winner")] for row in data["turns"]}

    def test_turns_are_those_of_the_position_as_it_is_given(self, hexrec: Run, file: Path) -> None:
        assert self.turns(hexrec, START, file) == {"a1": [2, 0, 2], "d4": [1, 1, 0]}
        assert self.turns(hexrec, "4/5/6/7/6/5/b3 w 0", file) == {"a2": [2, 0, 2]}
        assert self.turns(hexrec, "3b/5/6/7/6/5/4 w 0", file) == {"f5": [2, 0, 2]}

    def test_the_table(self, hexrec: Run, file: Path) -> None:
        ran = hexrec("explore", START, file)
        assert [line.split() for line in ran.out.splitlines()] == [
            ["turn", "games", "black", "white", "draw", "no_winner"],
            ["a1", "2", "0", "0", "0", "2"],
            ["d4", "1", "1", "0", "0", "0"],
        ]

    def test_records_for_keep(self, hexrec: Run, file: Path, tmp_path: Path) -> None:
        ran = hexrec("explore", "3b/5/6/7/6/5/4 w 0", file, "--records")
        assert [row["index"] for row in csv.DictReader(io.StringIO(ran.out))] == ["0", "1"]
        (tmp_path / "keep.csv").write_text(ran.out)
        assert "2 records in 1 file" in hexrec("validate", tmp_path / "a.jsonl", "--keep", tmp_path / "keep.csv").out

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            (("4/5/6/7/6/5/bb2 w 0", "a.parquet"), 1, "no game of a.parquet reached this position"),
            (("4/5/6 w 0", "a.parquet"), 2, "setup/"),
            ((START, "a.jsonl"), 2, "a.jsonl: not a file written by `hexrec positions`"),
            ((START, "missing.parquet"), 2, "missing.parquet: cannot be read"),
            ((START, "two.parquet"), 2, "two.parquet has several games: name one"),
        ],
    )
    def test_refusals(
        self, hexrec: Run, file: Path, monkeypatch: pytest.MonkeyPatch, arguments: Any, code: int, message: str
    ) -> None:
        monkeypatch.chdir(file.parent)
        Path("two.jsonl").write_text(f"{json.dumps(PASS)}\n{json.dumps(SETUP)}\n")
        hexrec("positions", "two.jsonl", "-o", "two.parquet")
        ran = hexrec("explore", *arguments)
        assert (ran.code, ran.out) == (code, "")
        assert message in " ".join(ran.err.split())
