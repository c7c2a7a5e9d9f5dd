"""The calls of the library on archives: what the command does, as functions."""

from __future__ import annotations

import gzip
import json
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hexrec
from tests.cli.conftest import SHORT_GAME

GOOD = {**SHORT_GAME, "result": {"winner": "white"}}
UNFINISHED = {**SHORT_GAME, "moves": ["a1"]}
ILLEGAL = {**UNFINISHED, "id": "bad", "moves": ["a1", "a1"]}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A directory with a good record, an illegal one in a compressed file, and an unfinished one in a zip archive."""
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(GOOD))
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(json.dumps(ILLEGAL).encode()))
    with zipfile.ZipFile(folder / "c.zip", "w") as made:
        made.writestr("in.json", json.dumps(UNFINISHED))
    return folder


@pytest.mark.parametrize("jobs", [1, 2])
def test_check(archive: Path, jobs: int) -> None:
    good, bad, unfinished = hexrec.check(archive, jobs=jobs)
    assert (good.file, good.index, good.game, good.valid, good.plies) == (
        str(archive / "a.json"),
        0,
        "sundraval",
        True,
        4,
    )
    assert good.result == hexrec.Outcome("white", {"black": 0.0, "white": 1.5})
    assert good.record is not None
    assert good.record.turns == SHORT_GAME["moves"]
    (diagnostic,) = bad.diagnostics
    assert (diagnostic.code, diagnostic.line, diagnostic.ply, diagnostic.turn) == ("move/occupied", 1, 2, "a1")
    assert str(diagnostic).startswith(f"{archive / 'b.jsonl.gz'}:1:")
    assert bad.id == "bad"
    assert (unfinished.valid, unfinished.result) == (True, None)


def test_what_is_checked_can_be_chosen(archive: Path, tmp_path: Path) -> None:
    codes = [[each.code for each in report.diagnostics] for report in hexrec.check([archive], finished=True)]
    assert codes == [[], ["move/occupied"], ["result/missing"]]
    assert all(report.accepted for report in hexrec.check(archive, ignore=["move"]))
    assert [report.accepted for report in hexrec.check(archive, warn=["move/occupied"])] == [True] * 3
    assert [report.accepted for report in hexrec.check(archive, warn="move/occupied")] == [True] * 3
    assert {each.code for report in hexrec.check(archive, lint=True) for each in report.diagnostics} > {"lint/size"}
    settings = tmp_path / "games" / "hexrec.toml"
    settings.write_text("ignore = ['move']")
    assert [report.accepted for report in hexrec.check(archive)] == [True, False, True]
    assert all(report.accepted for report in hexrec.check(archive, config=True))
    assert all(report.accepted for report in hexrec.check(archive / "b.jsonl.gz", config=settings))
    every: list[dict[str, Any]] = [{}, {"ignore": ["move"]}, {"warn": "move"}, {"config": True}, {"config": settings}]
    for options in every:
        reports = [*hexrec.check(archive, **options)]
        assert [report.valid for report in reports] == [True, False, True]
        (error,) = reports[1].errors
        assert (error.severity, error.ignored) == ("error", bool(options))
    with pytest.raises(hexrec.UnknownNameError, match="unknown code 'mvoe'"):
        hexrec.check(archive, select=["mvoe"])
    with pytest.raises(hexrec.UnknownNameError, match="unknown format 'pgn'"):
        hexrec.check(archive, format="pgn")
    with pytest.raises(hexrec.Error, match="no such file"):
        hexrec.check(archive, config=tmp_path / "none.toml")
    with pytest.raises(ValueError, match="jobs should be at least 1, not 0"):
        hexrec.check(archive, jobs=0)


def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    (report,) = hexrec.check(tmp_path / "none.json")
    assert [each.code for each in report.diagnostics] == ["syntax/unreadable"]
    with pytest.raises(hexrec.RecordError, match="cannot be read"):
        list(hexrec.records(tmp_path / "none.json"))


def test_a_report_as_data_is_that_of_the_command(archive: Path) -> None:
    command = [sys.executable, "-m", "hexrec", "validate", "--no-config", "--format", "json", str(archive)]
    printed = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    assert [report.to_dict() for report in hexrec.check(archive)] == printed["records"]


def test_reports_and_records_can_be_pickled(archive: Path) -> None:
    for report in hexrec.check(archive):
        again = pickle.loads(pickle.dumps(report))
        assert (again, again.record) == (report, report.record)


def test_check_text() -> None:
    text = "\n".join(map(json.dumps, (GOOD, ILLEGAL)))
    good, bad = hexrec.check_text(text)
    assert (good.valid, bad.diagnostics[0].code, bad.diagnostics[0].line) == (True, "move/occupied", 2)
    assert [report.valid for report in hexrec.check_text(text.encode(), "jsonl", finished=True)] == [True, False]


def test_records(archive: Path) -> None:
    assert [record.id for record in hexrec.records(archive)] == [None, "bad", None]
    (archive / "d.jsonl").write_text("{}\n" + json.dumps(SHORT_GAME))
    errors: list[hexrec.RecordError] = []
    assert len(list(hexrec.records(archive, on_error=errors.append))) == 4
    assert [error.diagnostics[0].file for error in errors] == [str(archive / "d.jsonl")]
    assert len(list(hexrec.records([archive], on_error="skip"))) == 4
    with pytest.raises(ValueError, match='on_error should be "raise", "skip" or a function'):
        hexrec.records(archive, on_error="ignore")  # type: ignore[arg-type]


def test_a_loaded_record_keeps_its_places(archive: Path) -> None:
    record = next(record for record in hexrec.records(archive) if record.id == "bad")
    report = hexrec.validate(record)
    assert (report.file, report.index) == (str(archive / "b.jsonl.gz"), 0)
    assert (report.diagnostics[0].line, report.diagnostics[0].pointer) == (1, "/moves/1")
    with pytest.raises(TypeError, match="use check for files"):
        hexrec.validate("games.jsonl")  # type: ignore[arg-type]


@pytest.mark.parametrize("read", [hexrec.loads, hexrec.check_text, hexrec.import_text])
def test_data_is_no_text(read: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError, match="not dict: use json"):
        read(SHORT_GAME)


def test_a_file_that_cannot_be_written_is_named(archive: Path) -> None:
    missing = archive / "missing" / "game.json"
    with pytest.raises(FileNotFoundError) as refused:
        hexrec.dump(hexrec.loads(json.dumps(SHORT_GAME)), missing)
    assert refused.value.filename == str(missing)


def test_several_records_in_a_file(archive: Path, tmp_path: Path) -> None:
    records = [*hexrec.records(archive)]
    hexrec.dump(records, tmp_path / "all.yaml")
    assert [*hexrec.records(tmp_path / "all.yaml")] == records
    assert hexrec.dumps(records, "jsonl").count("\n") == 3
    with pytest.raises(ValueError, match="hexrec writes one record to a JSON file"):
        hexrec.dump(records, tmp_path / "all.json")
    assert not (tmp_path / "all.json").exists()


def test_convert(archive: Path, tmp_path: Path) -> None:
    summary = hexrec.convert(archive, tmp_path / "all.sgf")
    assert (summary.records, summary.converted) == (3, 2)
    assert "move/occupied" in {diagnostic.code for diagnostic in summary.diagnostics}
    assert len([*hexrec.records(tmp_path / "all.sgf")]) == 2
    with pytest.raises(hexrec.Error, match="does not show the format"):
        hexrec.convert(archive, tmp_path / "all")


def test_a_record_in_many_ways(archive: Path) -> None:
    record = hexrec.load(archive / "a.json")
    assert [position.plies for position in record.positions()] == [0, 1, 2, 3, 4]
    assert record.hash() == hexrec.game_hash(record)
    assert record.hash(symmetric=True) == hexrec.game_hash(record, symmetric=True)
    assert record["moves"] == record.moves == SHORT_GAME["moves"]
    assert ("opening" in record, "x-other" in record, record.get("x-other", 1)) == (True, False, 1)


ODD: list[tuple[dict[str, Any], list[str], int]] = [
    ({"date": "2026-02-30"}, ["schema/date", "move/occupied"], 1),
    ({"comment": 1, "players": {"black": "Ada"}}, ["schema/type", "schema/type", "move/occupied"], 1),
    ({"unknown": 1}, ["schema/unknown-field", "move/occupied"], 1),
    ({"moves": ["a1", {"turn": "a1", "clock": -1}]}, ["schema/range", "move/occupied"], 1),
    ({"moves": ["a1", "a2", "pass", "pass"], "result": {"winner": "blue"}}, ["schema/value"], 4),
    ({"hexrec": "2"}, ["schema/version"], 0),
    ({"size": 30}, ["schema/range"], 0),
    ({"opening": {"black": "c3"}}, ["schema/missing-field"], 0),
]


@pytest.mark.parametrize(("change", "codes", "plies"), ODD, ids=str)
def test_an_error_that_the_replay_does_not_need_hides_no_illegal_turn(
    change: dict[str, Any], codes: list[str], plies: int
) -> None:
    (report,) = hexrec.check_text(json.dumps({**ILLEGAL, **change}), "json")
    assert (sorted(each.code for each in report.diagnostics), report.plies) == (sorted(codes), plies)
    assert report.record is None


def test_every_exception_is_an_error_of_hexrec() -> None:
    raised = [value for name in hexrec.__all__ if isinstance(value := getattr(hexrec, name), type)]
    errors = [value for value in raised if issubclass(value, Exception) and not issubclass(value, Warning)]
    assert all(issubclass(error, hexrec.Error) for error in errors)
    assert len(errors) >= 9


def test_a_limit_that_cannot_be_does_not_keep_hexrec_from_being_imported() -> None:
    program = "import hexrec.api\ntry: hexrec.loads('{}')\nexcept hexrec.Error as error: print(error)"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={"HEXREC_MAX_DEPTH": "many", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "HEXREC_MAX_DEPTH should be a whole number from 1 to 100, not 'many'\n"
