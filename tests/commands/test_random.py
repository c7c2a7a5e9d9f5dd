from __future__ import annotations

import json
from pathlib import Path

import pytest

from hexrec import games, loads
from tests.commands.conftest import Run


@pytest.mark.parametrize("game", games.names())
def test_games_are_valid_and_canonical(hexrec: Run, tmp_path: Path, game: str) -> None:
    size = str(max(4, games.get(game).sizes[0]))
    ran = hexrec("random", game, "--size", size, "--count", "3", "-o", tmp_path / "games.jsonl")
    assert ran.code == 0
    checked = hexrec("validate", tmp_path / "games.jsonl", "--finished")
    assert checked.out.startswith("3 records in 1 file: 3 valid")
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert len(set(lines)) == 3


def test_seed_decides(hexrec: Run) -> None:
    again = [hexrec("random", "sundraval", "--size", "4", "--seed", seed).out for seed in ("1", "1", "2")]
    assert again[0] == again[1] != again[2]


@pytest.mark.parametrize("coordinates", ["row", "skew", "axial"])
@pytest.mark.parametrize("format", ["json", "yaml", "jsonl"])
def test_any_format_and_coordinates(hexrec: Run, tmp_path: Path, format: str, coordinates: str) -> None:
    path = tmp_path / f"game.{format}"
    assert hexrec("random", "frasvel", "--size", "4", "--coordinates", coordinates, "-o", path).code == 0
    assert hexrec("validate", path).code == 0
    assert loads(path.read_text(), format).coordinates == coordinates


def test_plies_leave_a_game_unfinished(hexrec: Run) -> None:
    record = json.loads(hexrec("random", "frasvel", "--size", "4", "--plies", "5").out)
    assert len(record["moves"]) == 5
    assert "result" not in record


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess"], "not one of"),
        (["sundraval", "--size", "30"], "sizes 3 to 11"),
        (["sundraval", "--variant", "reverse"], "it has none"),
        (["nadraz", "--variant", "loud"], "reverse"),
        (["sundraval", "--count", "2", "--format", "json"], "one record"),
        (["sundraval", "--coordinates", "polar"], "not one of"),
    ],
)
def test_wrong_usage(hexrec: Run, arguments: list[str], reason: str) -> None:
    ran = hexrec("random", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert reason in ran.err
