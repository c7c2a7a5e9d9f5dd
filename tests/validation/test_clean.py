"""Clean records are counted, and a closer look at each of them would find the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pydantic_core  # noqa: F401  # once it is imported, even a few records are first read by the fast validator
import pytest

import hexrec
from hexrec.tools.suggestions import Suggester
from hexrec.validation.report import Report
from tests.cli.conftest import SHORT_GAME, Run
from tests.cli.conftest import hexrec as command
from tests.fixtures import FIXTURES

__all__ = ["command"]  # a fixture

CLAIMS: list[dict[str, Any]] = [
    {},
    {"winner": "black"},
    {"winner": "draw"},
    {"winner": "white", "termination": "resignation"},
    {"winner": "draw", "termination": "time"},
    {"winner": "draw", "termination": "agreement"},
]


def lines() -> Iterator[str]:
    """Yield games of all kinds, and the same games with changes of which some are faults."""
    for file in sorted(FIXTURES.glob("*/reference/games.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines()[:2]:
            yield line
            yield line.replace('"moves"', '"moves" ', 1)
            yield line[:-9]
            game = json.loads(line)
            moves = game["moves"]
            yield from (json.dumps({**game, "result": claim}) for claim in CLAIMS)
            yield from (json.dumps({**game, "moves": moves[:9], "result": claim}) for claim in CLAIMS)
            yield json.dumps({**game, "moves": [*moves[:7], moves[0], *moves[7:]]})
            yield json.dumps({**game, "moves": [move.upper() for move in moves]})
            yield line.replace("g1xf2xf3", "g1xf2xf4")  # in Sunspot, the same turn
            yield json.dumps({**game, "moves": [{"turn": move, "comment": "a: b"} for move in moves]})
            yield json.dumps({**game, "moves": [*moves[:5], {"turn": moves[5], "variations": [[moves[6]]]}]})
            yield json.dumps({**game, "moves": [{"turn": move} for move in moves]}).replace("turn", "\\u0074urn")
            yield json.dumps({**game, "players": {"black": {"name": "A", "nam": "B"}}})
            yield json.dumps({**game, "size": 99})
            yield json.dumps({**game, "x-sgf": {"RE": "B+99"}})
            yield ""


def shown(report: Report) -> object:
    hashed = report.record.hash() if report.record and report.legal else None
    diagnostics = [{**each.to_dict(), "file": None} for each in report.diagnostics]
    return {**report.to_dict(), "file": None, "diagnostics": diagnostics, "hash": hashed}


@pytest.mark.parametrize("finished", [False, True])
def test_a_file_is_reported_on_as_its_text_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, finished: bool
) -> None:
    """`check` first asks whether a record is clean, `check_text` takes the closer look at once."""
    monkeypatch.setattr("hexrec.api.Suggester", partial(Suggester, 0))  # repairs would take most of the time
    text = "\ufeff\r\n" + "\n".join(lines())
    file = tmp_path / "games.jsonl"
    file.write_text(text, encoding="utf-8")
    reports = [*hexrec.check(file, finished=finished)]
    assert [*map(shown, reports)] == [*map(shown, hexrec.check_text(text, "jsonl", finished=finished))]
    assert {report.valid for report in reports} == {True, False}


def test_counted_records_are_those_listed(command: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("\n".join(lines()), encoding="utf-8")
    options = ("--no-config", "-j1", "--suggest", "0")
    counted = command("validate", file, *options)
    listed = json.loads(command("validate", file, *options, "--format", "json").out)
    totals = listed["summary"]
    assert f"{totals['records']} records in 1 file: {totals['valid']} valid" in counted.out
    errors = sum(each["severity"] == "error" for entry in listed["records"] for each in entry["diagnostics"])
    assert counted.out.count(": error ") == errors
    assert 0 < totals["valid"] < totals["records"]


def test_a_baseline_notes_what_is_gone_from_a_file_of_clean_records(command: Run, tmp_path: Path) -> None:
    file, baseline = tmp_path / "games.jsonl", tmp_path / "known.json"
    file.write_text(json.dumps({**SHORT_GAME, "id": "a", "result": {"winner": "black"}}))
    command("validate", file, "--write-baseline", baseline)
    file.write_text(json.dumps({**SHORT_GAME, "id": "a"}))
    ran = command("validate", file, "--baseline", baseline)
    assert "no longer found: games.jsonl: a result/winner-mismatch /result/winner" in ran.err
