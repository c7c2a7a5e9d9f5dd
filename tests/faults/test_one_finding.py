"""A record that once ended a command in a traceback: one finding in every command, and its neighbors are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hexrec.server.negotiation import LINES
from hexrec.server.records import ConvertRecords, ScoreRecords, ValidateRecords
from hexrec.server.tasks import Task
from tests.cli.conftest import Run

SITE: dict[str, Any] = {
    "header": {
        "game": {"name": "Sunspot", "variants": ["size-5"]},
        "site": {"name": "Abstract Play"},
        "date-start": "2026-11-20T00:00:00Z",
        "players": [{"name": "Ada", "result": 1}, {"name": "Ben", "result": 0}],
    },
    "moves": [["e5", "resign"]],
}
SGF = "(;FF[4]GM[5001]SZ[5]HX[sunspot];B[e5])"


def with_header(**fields: Any) -> dict[str, Any]:
    return {**SITE, "header": {**SITE["header"], **fields}}


#: Names of files, the records in them (of which the second is at fault), and the code of its finding.
FILES: dict[str, tuple[list[Any], str]] = {
    "null-date.jsonl": ([SITE, with_header(**{"date-start": None}), SITE], "schema/null"),
    "players.json": ([SITE, with_header(players=[[], {}]), SITE], "syntax/abstractplay"),
    "site.json": ([SITE, with_header(site=[1]), SITE], "syntax/abstractplay"),
    "kept.sgf": ([SGF, SGF.replace(";B", 'HJ[{"x-sgf":1}]RE[0]HR[{"winner":"black"}];B'), SGF], "syntax/sgf"),
}
COMMANDS = {
    "validate": "2 valid, 1 invalid",
    "validate --lint": "2 valid, 1 invalid",
    "convert --to yaml": "2 converted, 1 left out",
    "convert --to abstractplay --no-validate": "2 converted, 1 left out",
    "score": "2 valid, 1 invalid",
    "stats": "2 valid, 1 invalid",
    "hash": "2 with a hash, 1 without",
    "dedupe --to jsonl": "1 dropped, 1 left out",
    "fix --diff": "2 unchanged, 1 left invalid",
    "fmt --check": " skipped",
}


def content(name: str) -> str:
    records, _ = FILES[name]
    if name.endswith("json"):
        return json.dumps(records, indent=1)
    return "".join(f"{record if isinstance(record, str) else json.dumps(record)}\n" for record in records)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands(hexrec: Run, tmp_path: Path, command: str, name: str) -> None:
    path = tmp_path / name
    path.write_text(content(name))
    ran = hexrec(*command.split(), path)
    said = ran.out + ran.err
    assert ran.code == 1
    assert said.count(FILES[name][1]) == 1
    assert COMMANDS[command] in said
    assert "3 records" in said


@pytest.mark.parametrize("name", FILES)
def test_show(hexrec: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(content(name))
    for index in range(3):
        ran = hexrec("show", path, "--record", str(index))
        assert (ran.code, FILES[name][1] in ran.err) == ((1, True) if index == 1 else (0, False))


@pytest.mark.parametrize("name", FILES)
def test_service(name: str) -> None:
    about: dict[str, Any] = {"body": content(name).encode(), "notation": None, "records": 100, "plies": 1000}
    judged = Task(ValidateRecords(), **about, media_type=LINES).answer().body.decode()
    assert [json.loads(line)["valid"] for line in judged.splitlines()] == [True, False, True]
    assert judged.count(FILES[name][1]) == 1
    assert Task(ScoreRecords(), **about, media_type="text/csv").answer().body.decode().count(FILES[name][1]) == 1
    converted = Task(ConvertRecords(to="yaml", report=True), **about, media_type=LINES).answer().body.decode()
    assert [json.loads(line)["text"] is None for line in converted.splitlines()] == [False, True, False]
