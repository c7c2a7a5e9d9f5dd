from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

SIZE, RESULT, CANONICAL = "lint/size", "lint/no-result", "lint/not-canonical"
OCCUPIED = "move/occupied"


@pytest.fixture
def archive(tmp_path: Path, game: dict[str, Any]) -> Path:
    """Two games on a board of an unusual size: one with no result, the other with an illegal turn in capitals."""
    file = tmp_path / "games.jsonl"
    records = [game, {**game, "moves": ["a1", "C3"]}]
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def found(hexrec: Run, *arguments: str | Path) -> list[list[str]]:
    """Return the codes of the diagnostics that are warnings or not ignored, by record."""
    report = hexrec("validate", *arguments, "--format", "json").report
    return [
        [diagnostic["code"] for diagnostic in record["diagnostics"] if "ignored" not in diagnostic]
        for record in report["records"]
    ]


PLAIN: list[list[str]] = [[], [OCCUPIED]]
ALL = [[RESULT, SIZE], [SIZE, OCCUPIED, CANONICAL]]


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ([], PLAIN),
        (["--no-lint"], PLAIN),
        (["--lint"], ALL),
        (["--select", "lint"], [[RESULT, SIZE], [SIZE, CANONICAL]]),
        (["--select", "lint/no-result"], [[RESULT], []]),
        (["--select", "move,lint/size"], [[SIZE], [SIZE, OCCUPIED]]),
        (["--warn", "lint/size"], ALL),
        (["--select", "lint", "--no-lint"], [[], []]),
        (["--select", "move"], [[], [OCCUPIED]]),
        (["--warn", "move"], [[], []]),
        (["--ignore", "lint/size"], PLAIN),
        (["--lint", "--ignore", "lint/size"], [[RESULT], [OCCUPIED, CANONICAL]]),
        (["--lint", "--ignore", "lint"], PLAIN),
        (["--lint", "--select", "move"], [[], [OCCUPIED]]),
    ],
)
def test_options(hexrec: Run, archive: Path, options: list[str], codes: list[list[str]]) -> None:
    assert found(hexrec, archive, *options) == codes


def test_warnings_do_not_change_the_exit_code(hexrec: Run, archive: Path) -> None:
    assert hexrec("validate", archive, "--lint").code == 1
    assert hexrec("validate", archive, "--select", "lint").code == 0
    ran = hexrec("validate", archive, "--lint", "--warn", "move")
    assert ran.code == 0
    assert "1 valid, 1 invalid" in ran.out
    assert "1 invalid record accepted by the options" in ran.out


def test_scores_are_without_lint(hexrec: Run, archive: Path) -> None:
    (archive.parent / "hexrec.toml").write_text('lint = true\nwarn = ["lint"]')
    linted = hexrec("score", archive, "--format", "jsonl")
    plain = hexrec("score", archive, "--format", "jsonl", "--no-config")
    assert (linted.code, linted.out) == (plain.code, plain.out)
    assert "lint/" not in linted.out


def test_duplicates_are_found_across_files(hexrec: Run, archive: Path, game: dict[str, Any]) -> None:
    second = archive.parent / "second.json"
    second.write_text(json.dumps({**game, "id": "again"}, indent=1))
    ran = hexrec("validate", archive, second, "--select", "lint/duplicate")
    assert (
        f"{second}:1:1: warning lint/duplicate: record 0 (again): the same game as record 0 of {archive}\n" in ran.out
    )
    assert found(hexrec, archive, second, "--lint")[2] == [RESULT, "lint/duplicate", SIZE]
    assert found(hexrec, second, archive, "--lint")[1] == [RESULT, "lint/duplicate", SIZE]
