"""Who does the work of the commands on archives, what is shown meanwhile, and which of their files nobody else writes.

The processes, and the bar that shows progress, have tests of their own: here something takes their place that notes
what it is told.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

import pytest

from hexrec.batch import chunks
from hexrec.batch.runners import InProcessRunner, Runner
from tests.batch.conftest import SMALL
from tests.cli.conftest import SHORT_GAME, Run

COMMANDS = ["hash", "score", "validate"]


class Noted:
    """What commands ask for: who is to work, how often that was begun; what was to be shown, in which order."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.begun = 0
        self.total: int | None = None
        self.shown: list[tuple[int, int, int, bool]] = []
        self.ended = False

    def runner(self, *given: Any) -> Any:
        self.asked.append(given)
        return self.make

    def make(self) -> Runner:
        self.begun += 1
        return InProcessRunner()

    def progress(self, out: TextIO, total: int | None) -> Noted:
        assert out.writable()
        self.total = total
        return self

    def add(self, records: int, errors: int, size: int, *, before: bool = False) -> None:
        self.shown.append((records, errors, size, before))

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    made = Noted()
    monkeypatch.setattr("hexrec.cli.runs.runner", made.runner)
    monkeypatch.setattr("hexrec.cli.runs.Progress", made.progress)
    return made


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Thirty records, two of three without an error."""
    good, bad = json.dumps(SHORT_GAME), json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]})
    path = tmp_path / "archive.jsonl"
    path.write_text(f"{good}\n{bad}\n{good}\n" * 10)
    return path


@pytest.fixture
def tiny_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut archives into chunks of a few records."""
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL,))


@pytest.mark.usefixtures("tiny_chunks")
@pytest.mark.parametrize("command", COMMANDS)
def test_progress_counts_each_record_once(hexrec: Run, noted: Noted, archive: Path, command: str) -> None:
    assert hexrec(command, archive).code == 1
    assert len(noted.shown) > 3
    assert all(0 < records < 15 and errors <= records for records, errors, *_ in noted.shown)
    records, errors, sizes, before = zip(*noted.shown, strict=True)
    size = archive.stat().st_size
    assert (sum(records), sum(errors), sum(sizes), any(before)) == (30, 10, size, False)
    assert (noted.total, noted.ended) == (size, True)


@pytest.mark.parametrize(
    ("options", "terminal", "shown"),
    [
        ([], False, True),
        (["-q"], False, False),
        ([], True, False),  # the rows go to the same place
        (["-o", "out"], True, True),
        (["-o", "out", "-q"], True, False),
    ],
    ids=["piped", "quiet", "terminal", "file", "quiet file"],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_when_progress_is_shown(
    hexrec: Run,
    noted: Noted,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    options: list[str],
    terminal: bool,
    shown: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    form = ["--format", "csv"] if command == "score" else []
    given = json.dumps(SHORT_GAME).encode()
    assert hexrec(command, "-", *options, *form, stdin=given, terminal=terminal).code == 0
    assert (bool(noted.shown), noted.ended) == (shown, shown)
