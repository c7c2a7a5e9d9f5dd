"""`hexrec hash`: a line for each game that can be replayed, in the order of the input, whoever does the work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import hexrec as library
from hexrec.record.validation import read_record
from tests.cli.conftest import SHORT_GAME, Run
from tests.fixtures import FIXTURES

VECTORS = FIXTURES / "engine/records.jsonl"


@pytest.mark.parametrize("options", [[], ["--symmetric"]], ids=str)
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_lines(hexrec: Run, tmp_path: Path, options: list[str], jobs: str) -> None:
    records = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
    hashes = [library.game_hash(read_record(data), symmetric=bool(options)) for data in records]
    ran = hexrec("hash", VECTORS, *options, "--jobs", jobs)
    expected = "".join(f"{each}  {VECTORS}:{index}\n" for index, each in enumerate(hashes))
    assert (ran.code, ran.out) == (0, expected)
    assert ran.err.startswith("11 records in 1 file: 11 with a hash, 0 without; ")
    target = tmp_path / "hashes"
    ran = hexrec("hash", "-", "--from", "jsonl", *options, "-o", target, "-q", stdin=VECTORS.read_bytes())
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert target.read_text() == expected.replace(f"{VECTORS}:", "-:")


@pytest.mark.parametrize("annotated", [False, True], ids=["plain", "annotated"])
@pytest.mark.parametrize("name", ["sundraval", "valaturna", "nadraz"])
def test_the_order_of_the_opening_stones_makes_no_other_game(
    hexrec: Run, tmp_path: Path, name: str, annotated: bool
) -> None:
    with open(FIXTURES / name / "reference/games.jsonl", encoding="utf-8") as file:
        game = json.loads(file.readline())
    if annotated:
        game["moves"][0] = {"turn": game["moves"][0], "comment": "!"}
    swapped = {**game, "opening": dict(reversed(game["opening"].items()))}
    path = tmp_path / "games.jsonl"
    path.write_text(f"{json.dumps(game)}\n{json.dumps(swapped)}\n")
    for symmetric in (False, True):
        (expected,) = {library.game_hash(record, symmetric=symmetric) for record in library.records(path)}
        ran = hexrec("hash", path, *(["--symmetric"] if symmetric else []))
        assert ran.out == f"{expected}  {path}:0\n{expected}  {path}:1\n"
    rows = [json.loads(line) for line in hexrec("score", path, "--format", "jsonl").out.splitlines()]
    assert [row["hash"] for row in rows] == [library.game_hash(read_record(game))] * 2
    assert len(hexrec("dedupe", path, "--to", "jsonl").out.splitlines()) == 1


def test_records_without_a_hash(hexrec: Run, tmp_path: Path) -> None:
    """What keeps them from one is said; a wrong result does not."""
    lines = [{**SHORT_GAME, "moves": ["a1", "a1"]}, {**SHORT_GAME, "result": {"winner": "black"}}, {"game": "chess"}]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    ran = hexrec("hash", path)
    assert ran.code == 1
    assert ran.out == f"{library.game_hash(read_record(SHORT_GAME))}  {path}:1\n"
    assert "error move/occupied: record 0, ply 2, turn a1: " in ran.err
    assert "result/" not in ran.err
    assert ran.err.endswith("3 records in 1 file: 1 with a hash, 2 without; 5 plies replayed\n")


def test_an_input_that_cannot_be_read(hexrec: Run, tmp_path: Path) -> None:
    ran = hexrec("hash", tmp_path / "missing.jsonl", VECTORS)
    assert ran.code == 2
    assert "syntax/unreadable" in ran.err
    assert len(ran.out.splitlines()) == 11


def test_hashes_of_whole_records(hexrec: Run, tmp_path: Path) -> None:
    """They do not depend on the format; turns need not be legal."""
    lines = [SHORT_GAME, {**SHORT_GAME, "event": "Open"}, {**SHORT_GAME, "moves": ["a1", "a1"]}]
    lines += [{**SHORT_GAME, "x-acme-n": 2**53 + 1}, {"game": "chess"}]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    hashes = [library.record_hash(read_record(line)) for line in lines[:3]]
    assert len({*hashes}) == 3
    ran = hexrec("hash", "--record", path)
    assert (ran.code, ran.out) == (1, "".join(f"{each}  {path}:{index}\n" for index, each in enumerate(hashes)))
    assert "convert/number" in ran.err
    assert "schema/unknown-game" in ran.err
    sgf = tmp_path / "games.sgf"
    hexrec("convert", path, "-o", sgf, "--no-validate")
    assert hexrec("hash", "--record", sgf).out.splitlines()[:2] == [f"{hashes[i]}  {sgf}:{i}" for i in range(2)]
    assert hexrec("hash", "--record", "--symmetric", path).code == 2
