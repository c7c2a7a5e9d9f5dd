from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hexrec import __version__
from tests.cli.conftest import SHORT_GAME, Run
from tests.fixtures import FIXTURES

SUNDRAVAL = """\
: Sundraval 3, after ply 4 (White pass), White wins, Black 0, White 1.5
  this is a win for White: Black has 0 points, White 1.5
  White has the half point: in the sizes of the territories, from the largest down, the first difference is number 1: \
Black has none, White has 17

  groups       stones  territories  points
  White a2 b2       2            1       1
      - of the black group of a1 (1 stone) and the black group of c3 (1 stone), to which it has a path, none is \
larger or has a territory

  strangled groups  stones
  Black a1               1
      - of the enemy groups to which it has a path, the white group of a2 (2 stones) is larger
      - it has no territory, and the black group of c3 (1 stone), to which it has a path, is strangled too
      - no smaller enemy group has a path to it
  Black c3               1
      - of the enemy groups to which it has a path, the white group of a2 (2 stones) is larger
      - it has no territory, and the black group of a1 (1 stone), to which it has a path, is strangled too
      - no smaller enemy group has a path to it

  territories                            empty cells
  White a1 a3 b1 b3 b4 c1 … (17 in all)           17
      - it touches the white group of a2 (2 stones)

  points  of groups  half point  total
  Black           0           0      0
  White           1         0.5    1.5

"""


@pytest.fixture
def file(tmp_path: Path, game: dict[str, Any]) -> Path:
    path = tmp_path / "games.jsonl"
    resigned = {**game, "id": "G7", "moves": ["a1"], "result": {"winner": "black", "termination": "resignation"}}
    illegal = {**game, "moves": ["a1", "a1"]}
    path.write_text("".join(f"{json.dumps(record)}\n" for record in (game, resigned, illegal)))
    return path


def test_a_record(hexrec: Run, file: Path) -> None:
    ran = hexrec("explain-result", file, "--record", "0")
    assert (ran.code, ran.out) == (0, f"{file}:0{SUNDRAVAL}")
    assert ran.err == "1 record in 1 file: 1 explained, 0 with errors; 4 plies replayed\n"


def test_several_records(hexrec: Run, file: Path) -> None:
    ran = hexrec("explain-result", file)
    assert ran.code == 1
    first, second, *_ = ran.out.split(f"{file}:")[1:]
    assert first == "0" + SUNDRAVAL
    assert "the recorded end is resignation, with a win for Black: no rule decides" in second
    assert "the game goes on; if both players passed now, this would be" in second
    assert f"{file}:3:" in ran.err
    assert "ply 2, turn a1: a1 is occupied" in ran.err
    assert ran.err.endswith("3 records in 1 file: 2 explained, 1 with errors; 6 plies replayed\n")


def test_a_position(hexrec: Run, file: Path) -> None:
    ran = hexrec("explain-result", file, "--ply", "1", "--quiet")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.count(", after ply 1 (Black a1), White to play\n") == 3
    assert "resignation" in ran.out
    assert "resignation" not in hexrec("explain-result", file, "--ply", "0").out
    late = hexrec("explain-result", file, "--ply", "4")
    assert late.code == 1
    assert late.out == f"{file}:0{SUNDRAVAL}"
    assert f"{file}:1: there is no ply 4: the record has 1 turns\n" in late.err


def test_data(hexrec: Run, file: Path) -> None:
    whole = json.loads(hexrec("explain-result", file, "--format", "json").out)
    lines = [json.loads(line) for line in hexrec("explain-result", file, "--format", "jsonl").out.splitlines()]
    assert whole == {"hexrec": __version__, "records": lines}
    first, second = lines
    assert (first["file"], first["index"], first["game"], first["ply"]) == (str(file), 0, "sundraval", 4)
    assert first["result"]["score"] == {"black": 0, "white": 1.5}
    assert (second["index"], second["id"], second["result"]) == (1, "G7", None)
    assert [each["code"] for each in second["conclusions"]] == ["claimed", "total", "half-point"]
    tables = {table["name"]: table["rows"] for table in first["tables"]}
    assert tables["groups"] == [
        {
            "color": "white",
            "cells": ["a2", "b2"],
            "values": {"stones": 2, "territories": 1, "points": 1},
            "reasons": [
                {
                    "code": "no-threat",
                    "text": "of the black group of a1 (1 stone) and the black group of c3 (1 stone), to which it has a "
                    "path, none is larger or has a territory",
                    "cells": ["a1", "c3"],
                }
            ],
        }
    ]


def test_a_record_of_each_file(hexrec: Run, file: Path, tmp_path: Path) -> None:
    """Where nothing is played yet, that is explained too."""
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps({**SHORT_GAME, "moves": []}) + "\n" + file.read_text())
    target = tmp_path / "reasons.txt"
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(file.read_bytes())
    ran = hexrec("explain-result", copy, other, file, "--record", "0", "-o", target)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err == "3 records in 3 files: 3 explained, 0 with errors; 8 plies replayed\n"
    first, second, third = target.read_text().split("Sundraval 3, ")[1:]
    assert first == f"{SUNDRAVAL.removeprefix(': Sundraval 3, ')}{other}:0: "
    assert second.startswith("before the first turn, Black to play\n")
    assert second.endswith(f"\n{file}:0: ")
    assert third == SUNDRAVAL.removeprefix(": Sundraval 3, ")
    ran = hexrec("explain-result", file, other, "--record", "1")
    assert ran.err == "2 records in 2 files: 2 explained, 0 with errors; 5 plies replayed\n"


def test_a_wrong_result_is_explained_all_the_same(hexrec: Run) -> None:
    path = FIXTURES / "sundraval/invalid/result.winner-mismatch~drawless.yaml"
    ran = hexrec("explain-result", path)
    assert ran.code == 1
    assert "result/winner-mismatch" in ran.err
    assert "this is a draw" in ran.out


def test_what_is_not_there(hexrec: Run, file: Path, tmp_path: Path) -> None:
    none = hexrec("explain-result", file, "--record", "9")
    assert (none.code, none.out) == (2, "")
    assert "there is no record 9" in none.err
    assert hexrec("explain-result", tmp_path / "missing.json").code == 2
