from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from hexrec import loads, records
from hexrec.rules import games
from tests.cli.conftest import Run


@pytest.mark.parametrize("game", games.names())
def test_games_are_valid_and_canonical(hexrec: Run, tmp_path: Path, game: str) -> None:
    size = str(max(4, games.get(game).sizes[0]))
    ran = hexrec("random", game, "--size", size, "--count", "3", "-o", tmp_path / "games.jsonl")
    assert ran.code == 0
    checked = hexrec("validate", tmp_path / "games.jsonl", "--finished")
    assert checked.out.startswith("3 records in 1 file: 3 valid")
    lines = (tmp_path / "games.jsonl").read_text().splitlines()
    assert len(set(lines)) == 3


@pytest.mark.parametrize("coordinates", ["row", "skew", "axial"])
@pytest.mark.parametrize("format", ["json", "yaml", "jsonl"])
def test_any_format_and_coordinates(hexrec: Run, tmp_path: Path, format: str, coordinates: str) -> None:
    path = tmp_path / f"game.{format}"
    assert hexrec("random", "frasvel", "--size", "4", "--coordinates", coordinates, "-o", path).code == 0
    assert hexrec("validate", path).code == 0
    assert loads(path.read_text(), format).coordinates == coordinates


@pytest.mark.parametrize("game", games.names())
def test_any_ruleset(hexrec: Run, tmp_path: Path, game: str) -> None:
    rules = games.get(game)
    for name in rules.rulesets:
        assert hexrec("random", game, "--ruleset", name, "--plies", "4", "-o", tmp_path / "game.jsonl").code == 0
        (record,) = records(tmp_path / "game.jsonl")
        assert (record.ruleset, record.size in rules.ruleset(name).sizes) == (name, True)
        assert ("ruleset" in json.loads((tmp_path / "game.jsonl").read_text())) == (name != rules.rulesets[0])
    ran = hexrec("random", game, "--ruleset", "1066")
    assert (ran.code, "has no ruleset '1066'; known:" in ran.err) == (2, True)


def test_a_size_that_only_another_ruleset_has(hexrec: Run) -> None:
    ran = hexrec("random", "valaturna", "--ruleset", "2023-first", "--size", "5")
    assert ran.code == 2
    assert "Valaturna is played on size 7 only under ruleset 2023-first, not 5" in ran.err


def test_programs_of_several_strengths(hexrec: Run) -> None:
    command = ("random", "valaturna", "--size", "4", "--playouts", "0,100", "--count", "8")
    alone = hexrec(*command, "-j1")
    assert alone.out == hexrec(*command, "-j2").out
    wins = 0
    for line in alone.out.splitlines():
        record = json.loads(line)
        names = {color: player["name"] for color, player in record["players"].items()}
        assert {*names.values()} == {"random", "UCT 100"}
        wins += names[record["result"]["winner"]] == "UCT 100"
    assert wins > 5
    refused = hexrec("random", "valaturna", "--playouts", "10,strong")
    assert (refused.code, "whole numbers from 0" in refused.err) == (2, True)


LINE = "# yaml-language-server: $schema="


def schema_lines(path: Path) -> list[str]:
    return [line.removeprefix(LINE) for line in path.read_text().splitlines() if line.startswith(LINE)]


@pytest.mark.parametrize("folder", [".", "games/2026", "..", "a b"])
def test_yaml_leads_to_the_schema(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    """The address is relative to the file, percent-encoded, and stands once in every document."""
    here = tmp_path / "here"
    (here / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(here)
    assert hexrec("schema", "--write").code == 0
    path = Path(folder, "game.yaml")
    assert hexrec("random", "frasvel", "--size", "4", "--count", "2", "-o", path).code == 0
    first, second = schema_lines(path)
    assert first == second
    assert not set(first) & set(" \\")
    assert path.parent.joinpath(unquote(first)).resolve() == here / "schemas" / "frasvel.schema.json"
    assert path.read_text().startswith(LINE)
    assert f"---\n{LINE}" in path.read_text()
    assert hexrec("validate", path).out.startswith("2 records in 1 file: 2 valid")


def test_the_line_is_a_comment(hexrec: Run, tmp_path: Path) -> None:
    """The records are those that are written in other formats, which have no such line."""
    for name in ("games.yaml", "games.jsonl"):
        assert hexrec("random", "nadraz", "--size", "4", "--count", "3", "-o", tmp_path / name).code == 0
    assert "schema" not in (tmp_path / "games.jsonl").read_text()
    assert list(records(tmp_path / "games.yaml")) == list(records(tmp_path / "games.jsonl"))


def test_yaml_on_standard_output(hexrec: Run) -> None:
    ran = hexrec("random", "frasvel", "--size", "4", "--to", "yaml")
    assert ran.out.splitlines()[:2] == [f"{LINE}schemas/frasvel.schema.json", "hexrec: '1'"]


def test_schema_at_another_address(hexrec: Run, tmp_path: Path) -> None:
    address = "https://example.org/frasvel.schema.json"
    path = tmp_path / "game.yml"
    assert hexrec("random", "frasvel", "--size", "4", "--schema", address, "-o", path).code == 0
    assert schema_lines(path) == [address]


def test_plies_leave_a_game_unfinished(hexrec: Run) -> None:
    record = json.loads(hexrec("random", "frasvel", "--size", "4", "--plies", "5").out)
    assert len(record["moves"]) == 5
    assert "result" not in record
    assert "Stop a game after N turns.  [default: 10000; x>=0]\n" in hexrec("random", "--help").out


def test_what_the_format_cannot_hold_is_said(hexrec: Run) -> None:
    ran = hexrec("random", "sunspot", "--coordinates", "skew", "--to", "abstractplay")
    assert ran.code == 0
    assert "warning convert/abstractplay-coordinates" in ran.err


def test_the_same_games_on_any_number_of_processes(hexrec: Run) -> None:
    outputs = [hexrec("random", "frasvel", "--size", "3", "--count", "45", "--jobs", jobs).out for jobs in ("1", "2")]
    assert outputs[0].count("\n") == 45
    assert len(set(outputs)) == 1
