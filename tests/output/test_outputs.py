"""The options --format and --output: which report goes where."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexrec.output import report_formats
from hexrec.validation.report import Report
from tests.cli.conftest import Run

#: How each report begins: enough to tell which one it is.
BEGINNINGS = {
    "text": "bad.json:1:",
    "sarif": '{"$schema": ',
    "gitlab": '[\n  {"description": ',
    "rdjson": '{"source": ',
    "rdjsonl": '{"message": ',
    "json": '{"hexrec": ',
    "jsonl": '{"file": ',
    "junit": "<?xml ",
    "github": "::error ",
    "markdown": "## hexrec: ",
}


@pytest.fixture
def archive(tmp_path: Path, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one invalid record."""
    (tmp_path / "bad.json").write_text(json.dumps({**game, "moves": ["c3"]}))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def kind(text: str) -> str:
    (name,) = [name for name, beginning in BEGINNINGS.items() if text.startswith(beginning)]
    return name


@pytest.mark.parametrize("name", report_formats.names())
def test_format(hexrec: Run, archive: Path, name: str) -> None:
    ran = hexrec("validate", "bad.json", "--format", name)
    assert (ran.code, kind(ran.out)) == (1, name)
    assert list(archive.iterdir()) == [archive / "bad.json"]


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("a.sarif", "sarif"),
        ("a.sarif.json", "sarif"),
        ("gl-code-quality-report.json", "gitlab"),
        ("a.rdjson", "rdjson"),
        ("a.rdjsonl", "rdjsonl"),
        ("a.XML", "junit"),
        ("a.md", "markdown"),
        ("a.json", "json"),
        ("a.jsonl", "jsonl"),
        ("a.txt", "text"),
        ("a.log", "text"),
        ("./json=a.md", "markdown"),
    ],
)
def test_names_tell_the_report(hexrec: Run, archive: Path, file: str, told: str) -> None:
    ran = hexrec("validate", "bad.json", "-o", file)
    assert (ran.code, ran.out) == (1, "")
    assert kind((archive / file).read_text()) == told


def test_several_outputs_of_one_run(hexrec: Run, archive: Path) -> None:
    outputs = ["-o", "github=-", "-o", "a.sarif", "--output", "junit=b.xml", "-o", "c.md", "-o", "d.txt"]
    ran = hexrec("validate", "-", *outputs, stdin=(archive / "bad.json").read_bytes())
    assert ran.code == 1
    alone = {
        name: hexrec("validate", "-", "--format", name, stdin=(archive / "bad.json").read_bytes()).out
        for name in report_formats.names()
    }
    assert ran.out == alone["github"]
    written = {path.name: path.read_text() for path in archive.iterdir() if path.name != "bad.json"}
    assert written == {
        "a.sarif": alone["sarif"],
        "b.xml": alone["junit"],
        "c.md": alone["markdown"],
        "d.txt": alone["text"],
    }


def test_a_name_without_a_suffix_needs_the_format(hexrec: Run, archive: Path) -> None:
    ran = hexrec("validate", "bad.json", "--format", "jsonl", "-o", "a", "-o", "junit=b", "-o", "-")
    assert kind(ran.out) == "jsonl"
    assert kind((archive / "a").read_text()) == "jsonl"
    assert kind((archive / "b").read_text()) == "junit"


@pytest.mark.parametrize("order", [list, lambda outputs: outputs[::-1]], ids=["first", "last"])
def test_an_output_that_cannot_be_written(hexrec: Run, archive: Path, order: Callable[[list[str]], list[str]]) -> None:
    """It is named, and the others are not there, not even in part."""
    first, second = order(["none/a.md", "b.xml"])
    ran = hexrec("validate", "bad.json", "-o", first, "-o", second, "-o", "text=-")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"hexrec: {Path('none/a.md')}: cannot be written")
    assert list(archive.iterdir()) == [archive / "bad.json"]


def test_a_writer_that_fails(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An output that breaks in the middle is the one that is named; no other is begun or left in part."""
    (archive / "c.xml").write_text("as before")

    def fail(_: Report) -> Report:
        raise OSError("no space left")

    def write_broken(reports: Iterable[Report], *_: object) -> Iterator[Report]:
        return map(fail, reports)

    get = report_formats.get
    monkeypatch.setattr(report_formats, "get", lambda name: write_broken if name == "markdown" else get(name))
    ran = hexrec("validate", "bad.json", "-o", "a.sarif", "-o", "b.md", "-o", "c.xml")
    assert (ran.code, ran.err) == (2, "hexrec: b.md: cannot be written: no space left\n")
    assert sorted(path.name for path in archive.iterdir()) == ["bad.json", "c.xml"]
    assert (archive / "c.xml").read_text() == "as before"
