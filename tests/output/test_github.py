from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.output.conftest import NASTY, OCCUPIED, report, written


def read_back(command: str) -> tuple[str, dict[str, str], str]:
    """Read a workflow command as the runner does: the per cent sign is unescaped last."""
    parts = re.fullmatch(r"::(\w+) (.*?)::(.*)", command)
    assert parts is not None
    kind, properties, message = parts.groups()

    def plain(text: str, *escaped: str) -> str:
        for char in (*escaped, "\r", "\n", "%"):
            text = text.replace(f"%{ord(char):02X}", char)
        return text

    pairs = (pair.split("=", 1) for pair in properties.split(","))
    return kind, {name: plain(value, ":", ",") for name, value in pairs}, plain(message)


def test_escaping() -> None:
    diagnostic = replace(OCCUPIED, file="a:b,c%2C=d.jsonl", message=f"{NASTY}\r\n::error::x", severity="warning")
    command, sums, rest = written("github", report(diagnostic)).split("\n")
    assert command.startswith("::warning file=a%3Ab%2Cc%252C=d.jsonl,line=3,")
    kind, properties, message = read_back(command)
    assert (kind, properties["file"]) == ("warning", "a:b,c%2C=d.jsonl")
    assert message == f"record 1 (G7), ply 3, turn a1: {NASTY}\r\n::error::x"
    assert (sums[:8], rest) == ("1 record", "")


def test_annotations_that_github_does_not_show() -> None:
    """They are lines of the log, which begin no command, and each kind is counted for itself."""
    warning, odd = replace(OCCUPIED, severity="warning"), replace(OCCUPIED, file="::error::##[error]")
    of = [OCCUPIED] * 10 + [warning] * 10 + [odd] * 2 + [replace(warning, by="options")]
    lines = written("github", report(*of)).splitlines()
    assert [line.split()[0] for line in lines[:-2]] == [*["::error"] * 10, *["::warning"] * 10, "-", "-", "::notice"]
    assert lines[20] == f"- {odd}"
    assert "##[" not in lines[20]
    assert lines[-2] == (
        "2 errors without an annotation (GitHub shows 10 of each kind): see the lines that begin with -"
    )


def test_several_lines_have_no_columns() -> None:
    command = written("github", report(replace(OCCUPIED, end_line=5))).splitlines()[0]
    assert read_back(command)[1] == {
        "file": "games/1 of 2.jsonl",
        "line": "3",
        "endLine": "5",
        "title": "move/occupied",
    }


def test_without_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = replace(OCCUPIED, line=None, column=None, end_line=None, end_column=None)
    monkeypatch.chdir(tmp_path)
    below = replace(nowhere, file=str(tmp_path / "b" / "c.json"))
    outside = replace(nowhere, file=str(tmp_path.parent / "c.json"))
    read = replace(nowhere, file="-")
    commands = written("github", report(below, outside, read)).splitlines()[:-1]
    assert [read_back(command)[1] for command in commands] == [
        {"file": "b/c.json", "title": "move/occupied"},
        {"file": (tmp_path.parent / "c.json").as_posix(), "title": "move/occupied"},
        {"title": "move/occupied"},
    ]
