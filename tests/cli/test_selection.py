from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def archive(tmp_path: Path, game: dict[str, Any]) -> Path:
    """A file with a valid record, an illegal turn, a wrong winner and score, and an unknown field."""
    records = [
        game,
        {**game, "moves": ["a1", "c3"]},
        {**game, "result": {"winner": "black", "score": {"black": 3, "white": 1}}},
        {**game, "colour": "red"},
    ]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def found(report: dict[str, Any]) -> list[tuple[int, str, str]]:
    """Return the index, the severity or `ignored`, and the code of every diagnostic."""
    return [
        (record["index"], "ignored" if "ignored" in diagnostic else diagnostic["severity"], diagnostic["code"])
        for record in report["records"]
        for diagnostic in record["diagnostics"]
    ]


MOVE = (1, "error", "move/occupied")
WINNER = (2, "error", "result/winner-mismatch")
SCORE = (2, "error", "result/score-mismatch")
FIELD = (3, "error", "schema/unknown-field")
ALL = [MOVE, WINNER, SCORE, FIELD]


def ignored(diagnostic: tuple[int, str, str]) -> tuple[int, str, str]:
    return diagnostic[0], "ignored", diagnostic[2]


@pytest.mark.parametrize(
    ("options", "counted", "downgraded"),
    [
        ([], ALL, []),
        (["--select", "result"], [WINNER, SCORE], []),
        (["--select", "move/", "--select", "schema/unknown-field"], [MOVE, FIELD], []),
        (["--select", "move, schema"], [MOVE, FIELD], []),
        (["--ignore", "result,move/occupied"], [FIELD], []),
        (["--ignore", "move", "--warn", "result/score"], [WINNER, FIELD], [SCORE]),
        # The most specific rule wins, whatever the order and the option.
        (["--select", "result/score-mismatch", "--ignore", "result"], [SCORE], []),
        (["--ignore", "result", "--warn", "result/score-mismatch"], [MOVE, FIELD], [SCORE]),
        (["--warn", "result", "--ignore", "result/score-"], [MOVE, FIELD], [WINNER]),
        (["--warn", "result/", "--select", "result/score-mismatch"], [SCORE], [WINNER]),
        # Of rules that are as specific as each other: ignore, then warn, then select.
        (["--select", "result", "--warn", "result/", "--ignore", "move"], [], [WINNER, SCORE]),
        (["--select", "result", "--warn", "result", "--ignore", "result/"], [], []),
    ],
)
def test_which_diagnostics_count(
    hexrec: Run,
    archive: Path,
    options: list[str],
    counted: list[tuple[int, str, str]],
    downgraded: list[tuple[int, str, str]],
) -> None:
    ran = hexrec("validate", archive, "--format", "json", *options)
    assert found(ran.report) == [each if each in counted else ignored(each) for each in ALL]
    records = ran.report["records"]
    left = {index for index, _, _ in counted}
    assert [record["valid"] for record in records] == [True, False, False, False]
    assert [record["accepted"] for record in records] == [index not in left for index in range(4)]
    assert (ran.report["summary"]["invalid"], ran.report["summary"]["accepted"]) == (3, 3 - len(left))
    assert ran.code == (1 if counted else 0)
    text = hexrec("validate", archive, *options).out
    for each in ALL:
        assert (f" error {each[2]}: " in text) == (each in counted)
        assert (f" error {each[2]} (ignored by options): " in text) == (each in downgraded)


@pytest.mark.parametrize("command", ["validate", "score"])
@pytest.mark.parametrize("option", ["--select", "--ignore", "--warn"])
def test_unknown_codes_are_wrong_usage(hexrec: Run, archive: Path, command: str, option: str) -> None:
    ran = hexrec(command, archive, option, "move,result/winer-mismatch")
    assert (ran.code, ran.out) == (2, "")
    assert "unknown code 'result/winer-mismatch': perhaps result/winner-mismatch" in ran.err
    assert hexrec(command, archive, option, "").code == 2


@pytest.mark.parametrize("options", [["--select", "move"], ["--ignore", "syntax"], ["--warn", "syntax/"]])
def test_what_cannot_be_read_is_always_reported(hexrec: Run, tmp_path: Path, options: list[str]) -> None:
    ran = hexrec("validate", tmp_path / "missing.json", *options)
    assert ran.code == 2
    assert "error syntax/unreadable" in ran.out


@pytest.mark.parametrize("code", ["syntax/unreadable", "batch/crashed"])
@pytest.mark.parametrize("option", ["--ignore", "--warn"])
def test_what_cannot_be_read_has_no_rule_of_its_own(hexrec: Run, archive: Path, option: str, code: str) -> None:
    ran = hexrec("validate", archive, option, code)
    assert ran.code == 2
    assert "always an error" in ran.err


def test_scores_name_the_first_error_that_counts(hexrec: Run, archive: Path) -> None:
    ran = hexrec("score", archive, "--format", "csv", "--ignore", "move,result/winner-mismatch", "--warn", "schema")
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert ran.code == 1
    assert [(row["code"], row["accepted_by"]) for row in rows] == [
        ("", ""),
        ("move/occupied", "options"),
        ("result/score-mismatch", ""),
        ("schema/unknown-field", "options"),
    ]
    assert "4 records in 1 file: 1 valid, 3 invalid" in ran.err
    assert "2 invalid records accepted by the options" in ran.err


@pytest.mark.parametrize("option", ["--ignore", "--warn"])
def test_an_ignored_contradiction_does_not_make_a_result_agree(hexrec: Run, archive: Path, option: str) -> None:
    ran = hexrec("score", archive, "--format", "jsonl", option, "result,move,schema")
    row = json.loads(ran.out.splitlines()[2])
    code = "result/winner-mismatch"
    assert (ran.code, row["code"], row["claimed_winner"], row["winner"]) == (0, code, "black", "white")
    assert row["agrees"] is False
