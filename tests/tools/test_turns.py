"""The tables of games and turns: their rows, their files, and the questions that they answer."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

import hexrec as library
from hexrec.record.random import random_record
from hexrec.tools.turns import GAMES, PARTITION, TURNS, data_package
from tests.cli.conftest import SHORT_GAME, Run, hexrec
from tests.properties import examples

__all__ = ["hexrec"]  # a fixture

QUESTIONS = Path(__file__).parent.parent.parent / "docs/questions.md"
#: In the order of the files.
KEY = ("hash", "file", "index")


def write_archive(file: Path, count: int) -> None:
    """Write random games of all games on small boards, with players, dates, events, clocks and evaluations."""
    rng = Random("archive")
    with file.open("w", encoding="utf-8") as out:
        for number in range(count):
            name = library.games.names()[number % 5]
            record = random_record(library.games.get(name), 4 + number // 5 % 2, None, str(number), 10_000)
            black, white = rng.sample(range(40), 2)
            clocks = [300.0, 300.0]
            moves = []
            for ply, turn in enumerate(record["moves"]):
                seconds = rng.randrange(0, 250) / 10
                clocks[ply % 2] = max(0.0, round(clocks[ply % 2] - seconds, 1))
                value = rng.randint(-100, 100) / 100
                moves.append({"turn": turn, "seconds": seconds, "clock": clocks[ply % 2], "eval": {"value": value}})
            record |= {
                "players": {
                    "black": {"name": f"Player {black}", "rating": 1200 + 20 * black},
                    "white": {"name": f"Player {white}", "rating": 1200 + 20 * white},
                },
                "event": f"Event {rng.randint(1, 12)}",
                "date": f"{rng.randint(2019, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
                "moves": moves,
            }
            out.write(json.dumps(record) + "\n")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive, and the directory `data` beside it."""
    file = tmp_path_factory.mktemp("archive") / "archive.jsonl"
    write_archive(file, examples(500))
    return file


def write_first(archive: Path, count: int, directory: Path) -> Path:
    """Write the first games of an archive to a file."""
    file = directory / "first.jsonl"
    file.write_text("".join(archive.read_text().splitlines(keepends=True)[:count]), encoding="utf-8")
    return file


def rows(directory: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table, sorted."""
    found = pyarrow.parquet.read_table(directory / table, partitioning="hive").to_pylist()
    return sorted(found, key=lambda row: (*(row[name] for name in KEY), row.get("ply", 0)))


def test_the_questions_have_answers(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive.parent)
    assert hexrec("turns", "archive.jsonl", "-o", "data", "-j1").code == 0
    views, *questions = re.findall(r"```sql\n(.*?)```", QUESTIONS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(questions) == 20
    database = duckdb.connect()
    for statement in views.split(";")[:-1]:
        database.execute(statement)
    for question in questions:
        assert database.execute(question).fetchall(), question


def test_a_row_is_what_the_library_says_of_the_turn(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    some = write_first(archive, 15, tmp_path)
    assert hexrec("turns", some, "-o", tmp_path).code == 0
    games, turns = rows(tmp_path, "games"), rows(tmp_path, "turns")
    assert [*games[0]] == [column.name for column in (*GAMES, *PARTITION)]
    assert [*turns[0]] == [column.name for column in (*TURNS, *PARTITION)]
    positions = {(row["index"], row["ply"]): row for row in library.positions(some).to_pylist()}
    records = [*library.records(some)]
    for game in games:
        record = records[game["index"]]
        assert game["hash"].hex() == library.game_hash(record)
        assert game["symmetric_hash"].hex() == library.game_hash(record, symmetric=True)
        assert (game["plies"], game["winner"]) == (len(record.turns), record["result"]["winner"])
        assert game["date"] == date.fromisoformat(record.date or "")
    assert len(turns) == sum(game["plies"] for game in games)
    for row in turns:
        record, ply = records[row["index"]], row["ply"]
        position = record.start()
        position.play_all(record.turns[:ply])
        known = positions[row["index"], ply]
        assert row["key"].hex()[:16] == known["key"]
        assert (row["folded_turn"], row["turn"]) == (known["turn"], record.turns[ply])
        assert (row["player"], row["legal"]) == (position.turn, position.legal_count())
        move: Any = record.moves[ply]
        assert (row["elapsed"], row["clock"], row["eval"]) == (move["seconds"], move["clock"], move["eval"]["value"])


@pytest.mark.parametrize("game", ["sundraval", "valaturna", "nadraz"])
def test_the_score_is_that_of_a_game_that_ends_now(game: str) -> None:
    rules = library.games.get(game)
    position = rules.start(4, rules.random_opening(Random(2), 4))
    while not position.is_over:
        text, score = position.text(), position.score()
        assert position.text() == text
        position.play(position.random_turn(Random(position.plies)))
        if position.is_over and position.turns[-1] == "pass":
            assert score == position.result().score
    assert position.score() == position.result().score  # type: ignore[union-attr]


def test_processes_and_the_library_give_the_same_rows(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    lines = archive.read_text().splitlines(keepends=True)
    files = [tmp_path / f"{number}.jsonl" for number in range(4)]
    for number, file in enumerate(files):
        file.write_text("".join(lines[number * 5 : number * 5 + 5]), encoding="utf-8")
    for jobs in ("1", "2"):
        assert hexrec("turns", *files, "-o", tmp_path / jobs, "-j", jobs).code == 0
    assert rows(tmp_path / "1", "games") == rows(tmp_path / "2", "games")
    turns = rows(tmp_path / "1", "turns")
    assert rows(tmp_path / "2", "turns") == turns
    assert library.turns(files).sort_by([("hash", "ascending"), ("ply", "ascending")])["turn"].to_pylist() == [
        row["turn"] for row in turns
    ]


def test_files_are_sorted_and_described(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    assert hexrec("turns", write_first(archive, 50, tmp_path), "-o", tmp_path, "-j1").code == 0
    package = {resource["name"]: resource["schema"]["fields"] for resource in data_package()["resources"]}
    for table, order in (("games", KEY), ("turns", (*KEY, "ply"))):
        described = {field["name"]: field["description"] for field in package[table]}
        for path in (tmp_path / table).glob("*/*/*.parquet"):
            file = pyarrow.parquet.ParquetFile(path)
            group = file.metadata.row_group(0).sorting_columns
            assert [file.schema_arrow.names[column.column_index] for column in group] == [*order]
            keys = [tuple(row[name] for name in order) for row in file.read().to_pylist()]
            assert keys == sorted(keys)
            for field in file.schema_arrow:
                assert field.metadata[b"description"].decode() == described[field.name]
            assert file.schema_arrow.metadata[b"hexrec"].decode() == library.__version__


def test_dates_names_and_openings_become_comparable(hexrec: Run, tmp_path: Path) -> None:
    start = {**SHORT_GAME, "moves": []}
    records = [
        {**start, "date": when, "players": {"black": {"name": name}}, "opening": {"black": black, "white": white}}
        for when, name, black, white in (
            ("2024", "José  Álvarez", "a1", "a2"),
            ("2024-06", "JOSE ALVAREZ", "e3", "e2"),
            ("2024-06-07", "jose alvarez", "a3", "a2"),
            ("2024-06-07T10:00:00Z", "Jose\u0301 Alvarez", "c1", "b1"),
        )
    ]
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    assert hexrec("turns", file, "-o", tmp_path).code == 0
    games = sorted(rows(tmp_path, "games"), key=lambda row: row["index"])
    assert {row["black_player"] for row in games} == {"jose alvarez"}
    assert {row["opening"] for row in games} == {"a1 a2"}
    assert [(str(row["date"]), row["date_precision"]) for row in games] == [
        ("2024-01-01", "year"),
        ("2024-06-01", "month"),
        ("2024-06-07", "day"),
        ("2024-06-07", "time"),
    ]


def test_invalid_records_have_no_rows_and_files_stay(hexrec: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(SHORT_GAME) + "\n" + json.dumps({**SHORT_GAME, "moves": ["z9"]}), encoding="utf-8")
    ran = hexrec("turns", file, "-o", tmp_path / "data")
    assert ran.code == 1
    assert "move/off-board" in ran.err
    assert [row["index"] for row in rows(tmp_path / "data", "games")] == [0]
    again = hexrec("turns", file, "-o", tmp_path / "data")
    assert (again.code, "--force" in again.err) == (2, True)
    assert hexrec("turns", file, "-o", tmp_path / "data", "--force").code == 1
