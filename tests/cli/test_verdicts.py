"""Whether a record is valid does not depend on settings, options and baselines: they decide whether it is accepted."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import hexrec as library
from hexrec.server.limits import Limits
from tests.cli.conftest import Run
from tests.server import in_process


@pytest.fixture
def games(tmp_path: Path, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three games: a valid one, one with an illegal turn, one with a wrong winner; and settings that ignore errors."""
    monkeypatch.chdir(tmp_path)
    folder = Path("games")
    folder.mkdir()
    for name, record in {
        "good": game,
        "illegal": {**game, "moves": ["a1", "c3"]},
        "liar": {**game, "result": {"winner": "black"}},
    }.items():
        (folder / f"{name}.json").write_text(json.dumps(record))
    (folder / "hexrec.toml").write_text('ignore = ["move"]\nwarn = ["result"]')
    return folder


VALID = {"good": True, "illegal": False, "liar": False}


def test_the_report(hexrec: Run, games: Path) -> None:
    ran = hexrec("validate", games, "--format", "json")
    assert (ran.code, ran.err) == (0, "")
    totals = {"records": 3, "valid": 1, "invalid": 2, "accepted": 2, "files": 3, "plies": 9, "unreadable": 0}
    assert ran.report["summary"] == totals
    assert {Path(each["file"]).stem: each["valid"] for each in ran.report["records"]} == VALID
    assert all(each["accepted"] for each in ran.report["records"])
    errors = [error for each in ran.report["records"] for error in each["diagnostics"]]
    assert [(error["severity"], error["ignored"], error["by"]) for error in errors] == [
        ("error", True, "games/hexrec.toml"),
        ("error", True, "games/hexrec.toml"),
    ]


@pytest.mark.parametrize("options", [("--no-config",), ("--no-config", "--ignore", "move")])
def test_one_error_that_counts_is_enough(hexrec: Run, games: Path, options: tuple[str, ...]) -> None:
    for command in ("validate", "score"):
        ran = hexrec(command, games, *options)
        assert ran.code == 1
        assert ("1 invalid record accepted by the options" in ran.out + ran.err) == ("--ignore" in options)
    (games / "both.json").write_text(
        json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["a1", "a1"], "date": "x"})
    )
    ran = hexrec("validate", games, "--format", "json")
    assert (ran.code, ran.report["summary"]["invalid"], ran.report["summary"]["accepted"]) == (1, 3, 2)


def test_every_command_and_every_way_in_agree(hexrec: Run, games: Path) -> None:
    """Files, archives, stdin, the library and the service; settings lie beside the records for all of them."""
    with tarfile.open(games / "all.tar", "w") as archive:
        for name in VALID:
            archive.add(games / f"{name}.json")
    for paths in ([games / f"{name}.json" for name in VALID], [games / "all.tar"], ["games"]):
        repeated = 2 if paths == ["games"] else 1
        valid = [each["valid"] for each in hexrec("validate", *paths, "--format", "json").report["records"]]
        assert sorted(valid) == sorted([*VALID.values()] * repeated)
        for config in (True, False, games / "hexrec.toml"):
            assert [report.valid for report in library.check(paths, config=config)] == valid
        rows = [json.loads(line) for line in hexrec("score", *paths, "--format", "jsonl").out.splitlines()]
        assert [row["code"] is None for row in rows] == valid
        assert [row["accepted_by"] for row in rows] == [None if good else "games/hexrec.toml" for good in valid]
        assert hexrec("score", *paths).code == 0
        totals = f"{repeated} valid, {2 * repeated} invalid;"
        for command in ("stats", "dedupe --check"):
            ran = hexrec(*command.split(), *paths)
            assert ran.code == 1
            assert command != "stats" or totals in ran.out
        converted = hexrec("convert", *paths, "--to", "jsonl")
        assert (converted.code, len(converted.out.splitlines())) == (1, repeated)
        assert hexrec("hash", *paths).code == 1
    with in_process.client(Limits()) as client:
        answers = {
            name: client.post("/v1/validate", content=(games / f"{name}.json").read_bytes()).json() for name in VALID
        }
    for name, good in VALID.items():
        data = (games / f"{name}.json").read_bytes()
        (record,) = hexrec("validate", "-", "--format", "json", stdin=data).report["records"]
        assert (record["valid"], record["accepted"]) == (good, good)
        (row,) = json.loads(hexrec("score", "-", "--format", "json", stdin=data).out)
        assert (row["code"] is None) == good
        (answer,) = answers[name]["records"]
        assert (answer["valid"], answer["accepted"]) == (good, good)
        (report,) = library.check_text(data)
        assert (report.valid, report.accepted) == (good, good)


def test_text_shows_what_was_asked_for(hexrec: Run, games: Path) -> None:
    lines = hexrec("validate", games, "--suggest", "0").out.splitlines()
    assert lines[0].startswith("games/liar.json:1:")
    assert "error result/winner-mismatch (ignored by games/hexrec.toml): " in lines[0]
    assert lines[-2:] == [
        "3 records in 3 files: 1 valid, 2 invalid; 9 plies replayed",
        "2 invalid records accepted by games/hexrec.toml",
    ]
    assert not [line for line in lines if "move/" in line]


def test_markdown(hexrec: Run, games: Path) -> None:
    ran = hexrec("validate", games, "--format", "markdown")
    assert ran.out.startswith("## hexrec: accepted\n\n3 records in 3 files: 1 valid, 2 invalid;")
    assert "\n2 invalid records accepted by games/hexrec.toml\n" in ran.out
    assert "move/" not in ran.out
    assert "<code>result/winner-mismatch</code> | ignored by games/hexrec.toml: " in ran.out
    assert hexrec("validate", games, "--format", "markdown", "--no-config").out.startswith("## hexrec: invalid\n")


def test_sarif(hexrec: Run, games: Path) -> None:
    """All results of a run have suppressions, or none."""
    (run,) = hexrec("validate", games, "--format", "sarif", "--ignore", "move").report["runs"]
    notes = {
        result["ruleId"]: [(each["kind"], each["status"], each["justification"]) for each in result["suppressions"]]
        for result in run["results"]
    }
    assert notes == {
        "move/occupied": [("external", "accepted", "ignored by options")],
        "result/winner-mismatch": [("external", "accepted", "ignored by games/hexrec.toml")],
    }
    assert {result["level"] for result in run["results"]} == {"error"}
    (run,) = hexrec("validate", games, "--format", "sarif", "--no-config").report["runs"]
    assert [result["suppressions"] for result in run["results"]] == [[], []]


def test_junit(hexrec: Run, games: Path) -> None:
    suites = ElementTree.fromstring(hexrec("validate", games, "--format", "junit").out)
    assert (suites.get("tests"), suites.get("failures")) == ("3", "0")
    assert [suite.get("skipped") for suite in suites] == ["0", "1", "1"]
    skipped = [each.get("message", "") for each in suites.iter("skipped")]
    assert [message.partition(":")[0] for message in skipped] == ["ignored by games/hexrec.toml"] * 2
    suites = ElementTree.fromstring(hexrec("validate", games, "--format", "junit", "--no-config").out)
    assert suites.get("failures") == "2"
    assert [suite.get("skipped") for suite in suites] == ["0", "0", "0"]


def test_github(hexrec: Run, games: Path) -> None:
    lines = hexrec("validate", games, "--format", "github").out.splitlines()
    assert [line.partition(",")[0] for line in lines[:2]] == [
        "::notice file=games/illegal.json",
        "::notice file=games/liar.json",
    ]
    assert lines[-1] == "2 invalid records accepted by games/hexrec.toml"
    assert hexrec("validate", games, "--format", "github", "--no-config").out.count("::error file=") == 2


def test_every_file_that_accepts_records_is_named(hexrec: Run, games: Path, game: dict[str, Any]) -> None:
    for number in range(3):
        folder = games / str(number)
        folder.mkdir()
        (folder / "a.json").write_text(json.dumps({**game, "moves": ["a1", "c3"]}))
        (folder / "hexrec.toml").write_text('ignore = ["move"]')
    ran = hexrec("validate", games)
    names = ", ".join(f"games/{name}hexrec.toml" for name in ("0/", "1/", "2/"))
    assert ran.out.splitlines()[-1] == f"5 invalid records accepted by {names} and games/hexrec.toml"
    (games / "3").mkdir()
    (games / "3/a.json").write_text((games / "illegal.json").read_text())
    (games / "3/pyproject.toml").write_text('[tool.hexrec]\nselect = ["result"]')
    ran = hexrec("validate", games)
    assert ran.out.splitlines()[-1] == f"6 invalid records accepted by {names} and 2 other files"


def test_warnings_are_not_among_the_errors(hexrec: Run, games: Path) -> None:
    """A warning that is ignored is gone; one that is downgraded stays."""
    for options, codes in {("--lint",): True, ("--lint", "--ignore", "lint"): False, ("--warn", "lint"): True}.items():
        report = hexrec("validate", games / "good.json", "--format", "json", *options).report
        (record,) = report["records"]
        assert (record["valid"], record["accepted"], bool(record["diagnostics"])) == (True, True, codes)
        assert report["summary"]["accepted"] == 0
        assert not [each for each in record["diagnostics"] if "ignored" in each]


def test_settings_that_are_obeyed_are_no_skipped_files(hexrec: Run, games: Path) -> None:
    (games / "notes.txt").write_text("")
    ran = hexrec("validate", games)
    assert ran.err == "hexrec: skipped 1 file without a known suffix (games/notes.txt)\n"
