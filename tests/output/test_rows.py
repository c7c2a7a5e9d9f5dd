"""Rows of scores: every writer holds the same ones, whatever pieces they came in."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from hexrec.errors import MissingExtraError
from hexrec.io.discovery import Source
from hexrec.output import rows
from hexrec.output.rows import COLUMNS, Row
from hexrec.output.totals import Totals
from hexrec.rules import games
from hexrec.validation.sources import check_sources
from tests.cli.conftest import SHORT_GAME, Run, hexrec

__all__ = ["hexrec"]  # a fixture

REFERENCE = Path(__file__).parent.parent.parent / "fixtures/suite"
GAMES = games.BUILT_IN
#: Fields of the players and the game that rows have as recorded.
PLAYED: dict[str, Any] = {
    "date": "2026-11-20T18:03:11Z",
    "rated": False,
    "players": {
        "black": {"name": "=Ada", "id": "17", "rating": 1850.0625, "bot": False},
        "white": {"id": "18", "rating": 12345678901234567890, "team": "Alpha"},
    },
}
#: The changes that make records with every kind of row of the short game.
CHANGES: list[dict[str, Any]] = [
    {"id": "first", "result": {"winner": "white"}, "event": "City Open", "site": "+club", "round": "3", **PLAYED},
    {"id": 'a comma, a "quote"\r and a\nline', "result": {"winner": "black"}},
    {"id": "=1+1", "moves": ["a1"], "result": {"winner": "black", "termination": "resignation"}},
    {"moves": ["a1"], "result": {"termination": "abandoned"}, "players": {"white": {"name": "Ben", "bot": True}}},
    {"moves": ["a1", "c3"], "date": "2026-11"},
    {"id": "\u00e9\u2028\U0001f600", "moves": ["a1"]},
    {"game": "chess"},
]

#: What has CSV hold texts as they are, formulas included.
AS_THEY_ARE = {".csv": ["--no-escape-formulas"]}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with reference games of all games, records with every kind of row, and a line that is no record."""
    path = tmp_path_factory.mktemp("rows") / "archive.jsonl"
    lines = [
        line for game in GAMES for line in (REFERENCE / game / "reference" / "games.jsonl").read_text().splitlines()[:3]
    ]
    lines += [json.dumps({**SHORT_GAME, **change}) for change in CHANGES]
    path.write_text("".join(f"{line}\n" for line in [*lines, "{"]))
    return path


def read_back(path: Path) -> list[dict[str, Any]]:
    table = pa.parquet.read_table(path) if path.suffix == ".parquet" else pa.feather.read_table(path)
    return list(table.to_pylist())


def fetched(query: str) -> list[Any]:
    """Return the rows that DuckDB finds."""
    found = duckdb.sql(query)
    assert found is not None
    return found.fetchall()


def as_arrow(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its numbers as Arrow and Parquet hold them: scores as lists, ratings as floats."""
    listed = {
        name: row[name] if row[name] is None or isinstance(row[name], list) else [row[name]]
        for name in ("black", "white")
    }
    ratings = {name: row[name] and float(row[name]) for name in ("black_rating", "white_rating")}
    return row | listed | ratings


def as_text(row: dict[str, Any]) -> dict[str, str]:
    """Return a row as CSV holds it."""

    def text(value: Any) -> str:
        if isinstance(value, list):
            return " ".join(map(text, value))
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:g}" if isinstance(value, int | float) else value or ""

    ratings = {name: str(row[name] or "") for name in ("black_rating", "white_rating")}
    return {name: text(value) for name, value in row.items()} | ratings


def test_all_writers_hold_the_same_rows(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    suffixes = ("jsonl", "json", "csv", "parquet", "arrow")
    outputs = {suffix: tmp_path / f"rows.{suffix}" for suffix in suffixes}
    for output in outputs.values():
        assert hexrec("score", archive, "-o", output, *AS_THEY_ARE.get(output.suffix, ())).code == 1
    expected = [json.loads(line) for line in outputs["jsonl"].read_text().split("\n")[:-1]]
    assert len(expected) == 3 * len(GAMES) + len(CHANGES) + 1
    assert all(tuple(row) == COLUMNS for row in expected)
    assert json.loads(outputs["json"].read_text()) == expected
    with outputs["csv"].open(newline="") as stream:
        assert list(csv.DictReader(stream)) == [as_text(row) for row in expected]
    for suffix in ("parquet", "arrow"):
        assert read_back(outputs[suffix]) == [as_arrow(row) for row in expected]


def test_other_programs_read_the_same_rows(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    for suffix in ("csv", "jsonl", "parquet"):
        hexrec("score", archive, "-o", tmp_path / f"rows.{suffix}", *AS_THEY_ARE.get(f".{suffix}", ()))
    others = ("black", "white", "agrees", "rated", "black_bot", "white_bot", "black_rating", "white_rating")
    names = [name for name in COLUMNS if name not in others]
    texts = ", ".join(f"CAST({name} AS VARCHAR)" for name in names)
    sources = {
        "csv": f"read_csv('{tmp_path}/rows.csv', all_varchar=true)",
        "jsonl": f"read_json('{tmp_path}/rows.jsonl', columns={dict.fromkeys(names, 'VARCHAR')})",
        "parquet": f"'{tmp_path}/rows.parquet'",
    }
    found = {
        suffix: fetched(f"SELECT {texts} FROM {source} ORDER BY CAST(index AS INT)")
        for suffix, source in sources.items()
    }
    assert found["parquet"] == found["jsonl"] == found["csv"]
    assert len(found["parquet"]) == 3 * len(GAMES) + len(CHANGES) + 1


def test_what_was_recorded_follows_the_hash(hexrec: Run) -> None:
    """Also in rows of records that break the rules; those of refused records do not have it."""
    played = {"event": "City Open", "site": "the club", "round": "3", **PLAYED}
    lines = [{**SHORT_GAME, **played}, {**SHORT_GAME, **played, "moves": ["a1", "c3"]}, SHORT_GAME, {**played}]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    ran = hexrec("score", "-", "--from", "jsonl", "--format", "jsonl", stdin=text.encode())
    found = [list(json.loads(line).items()) for line in ran.out.splitlines()]
    recorded = [
        *(("event", "City Open"), ("site", "the club"), ("round", "3"), ("date", "2026-11-20T18:03:11Z")),
        *(("rated", False), ("black_name", "=Ada"), ("black_id", "17"), ("black_rating", 1850.0625)),
        *(("black_bot", False), ("white_name", None), ("white_id", "18"), ("white_rating", 12345678901234567890)),
        ("white_bot", None),
    ]
    nothing = [(name, None) for name, _ in recorded]
    after_hash = COLUMNS.index("hash") + 1
    assert [row[after_hash:] for row in found] == [recorded, recorded, nothing, nothing]


def test_a_rating_that_no_float_holds_is_infinite_in_parquet(hexrec: Run, tmp_path: Path) -> None:
    player = {"players": {"black": {"rating": 10**400}}}
    hexrec("score", "-", "-o", tmp_path / "rows.parquet", stdin=json.dumps({**SHORT_GAME, **player}).encode())
    assert [row["black_rating"] for row in read_back(tmp_path / "rows.parquet")] == [float("inf")]


#: Texts of records, and how cells hold them.
CELLS = {
    "=1+1": "'=1+1",
    "+1": "'+1",
    "-1+cmd": "'-1+cmd",
    "--1": "'--1",
    "@sum(a1)": "'@sum(a1)",
    "\t=1": "'\t=1",
    "\r=1": "'\r=1",
    "\n=1": "'\n=1",
    "\uff1d1": "'\uff1d1",
    "'=1": "''=1",
    "''-x": "'''-x",
    "-3.5": "-3.5",
    "-12": "-12",
    "-": "-",
    "-3.5\n": "'-3.5\n",
    "'a": "'a",
    " =1": " =1",
    "a=1": "a=1",
}


def test_no_text_is_a_formula_in_csv(hexrec: Run, tmp_path: Path) -> None:
    lines = "\n".join(json.dumps({**SHORT_GAME, "id": text}) for text in CELLS).encode()
    for suffix, wanted in (("csv", CELLS.values()), ("jsonl", CELLS), ("raw.csv", CELLS)):
        target = tmp_path / f"rows.{suffix}"
        hexrec("score", "-", "-o", target, *(AS_THEY_ARE[".csv"] if suffix == "raw.csv" else []), stdin=lines)
        text = target.read_bytes().decode()
        rows = (
            map(json.loads, text.splitlines()) if suffix == "jsonl" else csv.DictReader(io.StringIO(text, newline=""))
        )
        found = list(rows)
        assert [row["id"] for row in found] == list(wanted)
        assert {row["file"] for row in found} == {"-"}


def test_the_query_of_the_page_gives_the_texts_again(hexrec: Run, tmp_path: Path) -> None:
    page = (REFERENCE.parent.parent / "docs" / "scores.md").read_text(encoding="utf-8")
    (query,) = re.findall(r"```sql\n(SELECT regexp_replace.*;)\n```", page)
    lines = "\n".join(json.dumps({**SHORT_GAME, "id": text}) for text in CELLS).encode()
    hexrec("score", "-", "-o", tmp_path / "scores.csv", stdin=lines)
    source = f"read_csv('{tmp_path}/scores.csv', all_varchar=true)"
    assert [text for text, _ in fetched(query.replace("'scores.csv'", source))] == list(CELLS)


def test_types_do_not_depend_on_what_the_rows_hold(hexrec: Run, tmp_path: Path) -> None:
    """A run without a single known value has the types of any other, so that files can be read together."""
    schemas = []
    for name, text in (("full", json.dumps({**SHORT_GAME, **CHANGES[0]})), ("empty", "")):
        for suffix in ("parquet", "arrow"):
            output = tmp_path / f"{name}.{suffix}"
            hexrec("score", "-", "--from", "jsonl", "-o", output, stdin=text.encode())
            table = pa.parquet.read_table(output) if suffix == "parquet" else pa.feather.read_table(output)
            schemas.append(table.schema)
    assert all(schema.equals(schemas[0]) for schema in schemas)
    assert schemas[0].names == list(COLUMNS)
    assert schemas[0].field("winner").type.value_type == pa.string()


def made(archive: Path) -> Iterator[Row]:
    return map(rows.make_row, check_sources([Source(str(archive), "jsonl")]))


def written(name: str, found: Iterator[Row]) -> bytes:
    writer = rows.get(name)
    out = io.BytesIO()
    if writer.binary:
        writer.write(found, out)
    else:
        text = io.TextIOWrapper(out, encoding="utf-8", newline="")
        writer.write(found, text)
        text.detach()
    return out.getvalue()


@pytest.mark.parametrize("name", ["table", "parquet", "arrow"])
def test_a_format_that_gathers_rows_writes_all_of_them(
    archive: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(f"hexrec.output.{'rows' if name == 'table' else 'rows_arrow'}")
    found = []
    for size in (5, 10_000):
        monkeypatch.setattr(module, "_ROWS", size)
        raw = written(name, made(archive))
        if name == "table":
            found.append([line.split()[:2] for line in raw.decode().splitlines() if not line.startswith("file")])
        else:
            table = pa.parquet.read_table(io.BytesIO(raw)) if name == "parquet" else pa.ipc.open_file(raw).read_all()
            found.append(table.to_pylist())
    assert found[0] == found[1]
    assert len(found[0]) == len(list(made(archive)))


@pytest.mark.parametrize("name", rows.names())
def test_no_rows(name: str) -> None:
    raw = written(name, iter(()))
    if name == "parquet":
        assert pa.parquet.read_table(io.BytesIO(raw)).num_rows == 0
    elif name == "arrow":
        assert pa.ipc.open_file(raw).read_all().num_rows == 0
    else:
        assert raw.decode() == {"csv": ",".join(COLUMNS) + "\n", "json": "[]\n"}.get(name, "")


@pytest.mark.parametrize("name", ["parquet", "arrow"])
def test_without_the_library_the_extra_is_named(
    hexrec: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for module in list(sys.modules):
        if module.partition(".")[0] == "pyarrow" or module.startswith("hexrec.output.rows_ar"):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = hexrec("score", archive, "-o", tmp_path / f"rows.{name}")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"hexrec: to write {name.capitalize()}, install hexrec-games[arrow]\n"
    assert not list(tmp_path.iterdir())
    with pytest.raises(MissingExtraError):
        rows.get(name)


def test_a_claim_agrees_with_nothing_where_the_game_cannot_be_replayed(hexrec: Run) -> None:
    claim = {"result": {"winner": "white"}}
    records = [{**SHORT_GAME, **claim}, {**SHORT_GAME, **claim, "moves": ["a1", "c3"]}]
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    ran = hexrec("score", "-", "--from", "jsonl", "--format", "jsonl", stdin=lines.encode())
    assert [json.loads(line)["agrees"] for line in ran.out.splitlines()] == [True, None]


def test_the_game_of_a_record_that_fails_the_schema_is_known_where_it_names_one(hexrec: Run) -> None:
    lines = [{**SHORT_GAME, "size": 99}, {"game": "nadraz"}, {**SHORT_GAME, "game": "chess"}, {"game": 5}, []]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    ran = hexrec("score", "-", "--from", "jsonl", "--format", "jsonl", stdin=text.encode())
    assert [json.loads(line)["game"] for line in ran.out.splitlines()] == ["sundraval", "nadraz", "chess", None, None]


class TestTotals:
    @pytest.fixture
    def whole(self, archive: Path) -> Totals:
        totals = Totals()
        for row in made(archive):
            totals.add(row)
        return totals

    def test_the_sums_add_up(self, whole: Totals) -> None:
        data = whole.data()
        fates = ("black", "white", "draw", "no_winner", "invalid")
        assert data["records"] == data["valid"] + data["invalid"] == 3 * len(GAMES) + len(CHANGES) + 1
        assert data["invalid"] == data["outcomes"]["invalid"] == sum(data["errors"].values()) == 4
        assert data["valid"] == sum(each["records"] for each in data["terminations"])
        for name in ("records", *fates):
            assert data["outcomes"][name] == sum(game[name] for game in data["games"])
            for game in data["games"]:
                assert game[name] == sum(size[name] for size in game["sizes"])
            if name in fates[:-1]:
                assert data["outcomes"][name] == sum(each[name] for each in data["terminations"])
        for group in (data["outcomes"], *data["games"], *(size for game in data["games"] for size in game["sizes"])):
            assert group["records"] == sum(group[name] for name in fates)
        ended = sum(each["records"] for each in data["terminations"] if each["termination"])
        assert sum(game["lengths"]["games"] for game in data["games"] if game["lengths"]) == ended

    def test_what_becomes_of_each_record(self, whole: Totals) -> None:
        data = whole.data()
        assert data["errors"] == {
            "move/occupied": 1,
            "result/winner-mismatch": 1,
            "schema/unknown-game": 1,
            "syntax/truncated": 1,
        }
        small = next(
            size for game in data["games"] if game["game"] == "sundraval" for size in game["sizes"] if size["size"] == 3
        )
        changed = {"black": 1, "white": 1, "draw": 0, "no_winner": 2, "invalid": 2}
        assert {name: small[name] for name in changed} == changed
        endings = {each["termination"]: each["records"] for each in data["terminations"]}
        assert (endings["resignation"], endings["abandoned"]) == (1, 1)
        unknown = data["games"][-1]
        assert (unknown["game"], unknown["invalid"], unknown["lengths"]) == (None, 2, None)

    def lengths(self, *lengths: int) -> dict[str, Any]:
        """Return what there is to say of games that are so long."""
        totals = Totals()
        for plies in lengths:
            values = {"game": "nadraz", "plies": plies, "winner": "black", "termination": "rules"}
            totals.add([*map(values.get, COLUMNS)])
        (game,) = totals.data()["games"]
        return dict(game["lengths"])

    def test_lengths(self) -> None:
        assert self.lengths(1, 2, 3, 4, 1_000, 5_000) == {
            "games": 6,
            "shortest": 1,
            "lower_quartile": 2,
            "median": 3,
            "upper_quartile": 1_000,
            "longest": 5_000,
            "mean": 1_001.67,
        }

    def test_games_without_turns(self) -> None:
        found = self.lengths(0, 0)
        assert found.pop("games") == 2
        assert set(found.values()) == {0}

    def test_long_games(self) -> None:
        found = self.lengths(1_023, 1_025, 1_307)
        assert (found["lower_quartile"], found["median"], found["upper_quartile"]) == (1_023, 1_025, 1_307)
        assert (found["longest"], found["mean"]) == (1_307, 1_118.33)

    def test_sections_without_a_row_are_left_out(self, hexrec: Run) -> None:
        broken = hexrec("score", "-", "--from", "jsonl", "--summary", stdin=b"{\n").out
        assert "Invalid records" in broken
        assert "ended" not in broken
        sound = hexrec("score", "-", "--from", "jsonl", "--summary", stdin=json.dumps(SHORT_GAME).encode()).out
        assert "ended" in sound
        assert "Invalid records" not in sound
