"""`hexrec readings` names the readings by which an archive was played, whatever its records say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexrec.record.random import random_records
from hexrec.rules import games
from tests.cli.conftest import Run, hexrec
from tests.fixtures import FIXTURES

__all__ = ["hexrec"]

READINGS = [(name, reading.name) for name in games.BUILT_IN for reading in games.get(name).readings]


def archive(path: Path, records: list[dict[str, object]]) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(("game", "reading"), READINGS, ids=[name for _, name in READINGS])
def test_the_reading_of_random_games_explains_all_of_them(hexrec: Run, tmp_path: Path, game: str, reading: str) -> None:
    size = games.get(game).sizes[0]
    played = random_records(game, range(40), seed="1", size=size, variant=None, plies=1000, readings=[reading])
    told = archive(tmp_path / "told.jsonl", played)
    found = json.loads(hexrec("readings", told, "--format", "json").out)["games"][game]
    assert found["agree"][reading] == found["records"] == 40
    assert found["best"] == [reading] or reading in found["tied"]
    assert (found["agree"][""] < 40) == (reading in found["apart"])
    # Recorded readings are disregarded.
    untold = archive(tmp_path / "told.jsonl", [{**record, "readings": []} for record in played])
    assert json.loads(hexrec("readings", untold, "--format", "json").out)["games"][game] == found


def test_pairs_where_no_single_reading_explains_all(hexrec: Run) -> None:
    paths = sorted((FIXTURES / "sunspot/valid").glob("reading-*.yaml"))
    ran = hexrec("readings", *paths, "--format", "json")
    found = json.loads(ran.out)["games"]["sunspot"]
    assert (ran.code, found["best"]) == (0, ["P-1b", "P-2b"])
    assert found["agree"] == {"": 0, "P-1b": 1, "P-2b": 1, "P-1b+P-2b": 2}
    alone = json.loads(hexrec("readings", paths[0], "--format", "json").out)["games"]["sunspot"]
    assert alone["agree"] == {"": 0, "P-1b": 1, "P-2b": 0}


def test_by_site_and_year(hexrec: Run, tmp_path: Path) -> None:
    head = {"hexrec": "1", "game": "valaturna", "size": 5, "opening": {"black": "c3", "white": "d4"}, "moves": []}
    records = [{**head, "site": "A", "date": "2025-03"}, {**head, "date": "2026"}, {**head, "date": "2026", "size": 99}]
    ran = hexrec("readings", archive(tmp_path / "a.jsonl", records))
    assert ran.code == 0
    assert ran.out == (
        "Valaturna: 2 records, best explained by rulings\n"
        "  site  year  records  rulings  V-2b  V-2c\n"
        "  -     2026  1        1        1     1\n"
        "  A     2025  1        1        1     1\n"
        "  V-2b explains as many\n"
        "  V-2c explains as many\n"
        "1 record skipped: other fields have errors\n"
    )
    assert hexrec("readings", tmp_path / "missing.jsonl").code == 2
