"""All that hurts, through every command: no traceback, a documented exit code, and the others are judged."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hexrec import formats
from hexrec.server.positions import ListLegalTurns, RenderPosition, ReplayRecord
from hexrec.server.problems import Problem
from hexrec.server.records import ConvertRecords, ScoreRecords, ValidateRecords
from hexrec.server.tasks import Operation, Task
from tests.cli.conftest import Ran, Run
from tests.faults import hostile
from tests.properties import examples, sample

NOT_CANONICAL = '{"hexrec":"1","game":"sunspot","size":5,"moves":["E5"],"id":"first"}\n'
NO_RESULT = json.dumps(
    {
        "hexrec": "1",
        "game": "sundraval",
        "size": 3,
        "opening": {"black": "c3", "white": "b2"},
        "moves": ["a1", "a2", "pass", "pass"],
        "id": "last",
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with some hostile files between two good ones, for commands that only read."""
    return write_folder(tmp_path_factory.mktemp("hostile") / "games", 4)


def write_folder(made: Path, step: int = 1) -> Path:
    hostile.write(made, 1, examples(50), step)
    (made / "!first.jsonl").write_text(NOT_CANONICAL)
    (made / "zz-last.jsonl").write_text(NO_RESULT + "\n")
    return made


def assert_sound(ran: Ran, codes: tuple[int, ...] = (2,)) -> None:
    said = ran.out + ran.err
    for word in ("Traceback", "internal/error", "batch/crashed", "error in hexrec", "Exception ignored"):
        assert word not in said, said[max(0, said.index(word) - 500) : said.index(word) + 500]
    assert ran.code in codes


def test_validate(hexrec: Run, tmp_path: Path) -> None:
    """All of the files."""
    folder = write_folder(tmp_path / "games")
    reports = ("json", "jsonl", "sarif", "junit", "github", "markdown")
    outputs = (argument for report in reports for argument in ("-o", f"{report}={tmp_path / report}"))
    ran = hexrec("validate", folder, "--lint", "--board", "-o", "-", *outputs)
    assert_sound(replace(ran, out=ran.out + "".join((tmp_path / report).read_text() for report in reports)))
    entries = [json.loads(line) for line in (tmp_path / "jsonl").read_text().splitlines()]
    named = {f"name{number}" for number, _ in enumerate(hostile.names())}
    assert {entry["id"] for entry in entries if entry["valid"]} >= {"first", "last", *named}


@pytest.mark.slow
def test_score(hexrec: Run, folder: Path) -> None:
    ran = hexrec("score", folder, "--format", "csv")
    assert_sound(ran)
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert {row["id"] for row in rows if not row["code"]} >= {"first", "last"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("to", "options"),
    [
        *((name, ("--no-validate",)) for name in formats.names() if name != "json"),
        ("jsonl", ()),
        ("hgn", ("--coordinates", "axial", "--strict")),
    ],
    ids=str,
)
def test_convert(hexrec: Run, folder: Path, to: str, options: tuple[str, ...]) -> None:
    ran = hexrec("convert", folder, "--to", to, *options)
    assert_sound(ran)
    if to == "jsonl":
        assert {"first", "last"} <= {json.loads(line).get("id") for line in ran.out.splitlines()}


@pytest.mark.slow
def test_convert_into_many_files(hexrec: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert_sound(hexrec("convert", folder, "--split", "{game}/{id}-{index}-{event}.json", "-o", out, "--no-validate"))
    assert len(list(out.rglob("*.json"))) > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [("--to", "jsonl"), ("--to", "sgf", "--no-validate", "--mirrored", "drop"), ("--check",)], ids=str
)
def test_dedupe(hexrec: Run, folder: Path, options: tuple[str, ...]) -> None:
    assert_sound(hexrec("dedupe", folder, *options))


@pytest.mark.slow
def test_hash(hexrec: Run, folder: Path) -> None:
    assert_sound(hexrec("hash", folder, "--symmetric"))


@pytest.mark.slow
@pytest.mark.parametrize("format", ["text", "json"])
def test_stats(hexrec: Run, folder: Path, format: str) -> None:
    assert_sound(hexrec("stats", folder, "--format", format, "--fold"))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["fmt", "fix"])
def test_edits(hexrec: Run, tmp_path: Path, command: str) -> None:
    folder = write_folder(tmp_path / "games", 3)
    dry = hexrec(command, folder, "--check", "--diff")
    assert_sound(dry)
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    ran = hexrec(command, folder)
    assert_sound(ran)
    changed = {path.name for path, content in before.items() if path.read_bytes() != content}
    assert ("!first.jsonl" if command == "fmt" else "zz-last.jsonl") in changed
    assert not list(folder.rglob("*.part"))
    again = hexrec(command, folder)
    assert_sound(again)
    kept = {path for path, content in before.items() if path.read_bytes() != content and path.name not in changed}
    assert not kept


@pytest.mark.slow
@pytest.mark.parametrize("command", ["show", "legal"])
def test_one_record(hexrec: Run, folder: Path, command: str) -> None:
    for path in filter(Path.is_file, folder.iterdir()):
        assert_sound(hexrec(command, path), (0, 1, 2))


def inputs() -> Iterator[bytes]:
    for _, content in [*hostile.texts(), *hostile.mutated(Random(3), examples(30)), *hostile.archives()]:
        yield content.encode(errors="surrogatepass") if isinstance(content, str) else content


@pytest.mark.slow
def test_standard_input(hexrec: Run) -> None:
    for content in sample(inputs(), 9):
        assert_sound(hexrec("validate", "-", stdin=content), (0, 1, 2))
        assert_sound(hexrec("convert", "-", "--to", "yaml", "--no-validate", stdin=content), (0, 1, 2))
        if content == content.decode(errors="replace").encode():  # what is not text passes through as it is
            assert_sound(hexrec("fmt", "-", stdin=content), (0, 1, 2))


@pytest.mark.slow
def test_every_format_is_told(hexrec: Run, folder: Path) -> None:
    """What is forced to be read as what it is not."""
    for name in formats.names():
        assert_sound(hexrec("validate", *folder.iterdir(), "--from", name))


@pytest.mark.slow
def test_lines_between_others(hexrec: Run) -> None:
    """In JSON Lines, no line touches another, whatever it holds."""
    lines = [content.replace(b"\n", b" ").replace(b"\r", b" ") for content in inputs() if b"\0" not in content[:9000]]
    good = [line.encode() for line in hostile.records("good", len(lines) + 1)]
    body = b"\n".join(part for pair in zip(good, lines, strict=False) for part in pair) + b"\n" + good[-1] + b"\n"
    ran = hexrec("validate", "-", "--format", "jsonl", "--from", "jsonl", stdin=body)
    assert_sound(ran, (1,))
    judged = [json.loads(line) for line in ran.out.splitlines()]
    valid = [report["id"] for report in judged if report["valid"] and str(report["id"]).startswith("good")]
    assert valid == [f"good{n}" for n in range(len(good))]
    converted = hexrec("convert", "-", "--to", "jsonl", "--from", "jsonl", stdin=body)
    assert_sound(converted, (1,))
    assert sum('"id":"good' in line for line in converted.out.splitlines()) == len(good)


@pytest.mark.slow
def test_settings_and_baselines(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text(hostile.GAME)
    for number, content in enumerate(sample(inputs(), 7)):
        Path("baseline.json").write_bytes(content)
        assert_sound(hexrec("validate", "a.json", "--baseline", "baseline.json"), (0, 2))
        Path("hexrec.toml").write_bytes(b"a = " + content if number % 2 else content)
        assert_sound(hexrec("validate", "a.json"), (0, 2))
        Path("hexrec.toml").unlink()


@pytest.mark.slow
@pytest.mark.parametrize(
    "operation",
    [
        ValidateRecords(lint=True),
        ScoreRecords(),
        ConvertRecords(to="sgf", report=True, invalid=True),
        ConvertRecords(to="jsonl"),
        ListLegalTurns(),
        RenderPosition(),
        ReplayRecord(),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_the_service(operation: Operation) -> None:
    kind = operation.choose_media_type(None)
    for content in sample(inputs(), 5):
        said = ""
        status = 200
        try:
            task = Task(operation, body=content, notation=None, records=1_000, plies=100_000, media_type=kind)
            said = task.answer().body.decode()
        except Problem as problem:
            status = problem.status
        assert status < 500, content[:200]
        assert "internal/error" not in said


@pytest.mark.slow
def test_as_a_program(folder: Path) -> None:
    program = [sys.executable, "-m", "hexrec", "validate", str(folder), "--jobs", "2"]
    ran = subprocess.run(program, capture_output=True, check=False)
    assert_sound(Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode()))
