from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from hexrec.cli.runs import Progress, size_of_files
from hexrec.validation.report import Summary
from tests.cli.conftest import SHORT_GAME, Run


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Counted(Progress):
    """Progress that counts the records itself."""

    def __init__(self, total: int | None, clock: Clock, before: Summary | None = None) -> None:
        self.out, self.summary = Terminal(), before or Summary()
        super().__init__(self.out, total, self.summary, clock)

    def count(self, records: int, invalid: int, size: int) -> str:
        """Return all that was printed."""
        self.summary.records += records
        self.summary.invalid += invalid
        self.add(size)
        return self.out.getvalue()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return Clock()


def test_the_line_is_erased_at_the_end(clock: Clock) -> None:
    progress = Counted(4_000, clock)
    assert progress.count(100, 1, 10) == ""
    clock.now += 2
    shown = progress.count(1_900, 2, 990)
    assert "2,000 records, 1,000 a second, 3 invalid, 25 %, 0:06 left" in shown
    assert progress.count(1, 0, 10) == shown
    progress.end()
    assert progress.out.getvalue() == shown + "\r\x1b[K"


def test_the_total_is_known_of_plain_files_only(tmp_path: Path) -> None:
    one, other, compressed = (tmp_path / name for name in ("a.jsonl", "b.yaml", "c.jsonl.gz"))
    for path in (one, other, compressed):
        path.write_text("1234")
    assert size_of_files([str(one), str(other)]) == 8
    for unknown in (str(compressed), str(tmp_path), str(tmp_path / "none.json"), "-"):
        assert size_of_files([str(one), unknown]) is None


def test_the_line_is_no_wider_than_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    progress = Counted(None, clock)
    clock.now += 0.5
    assert progress.count(10, 1, 250) == "\r\x1b[K10 records, 20 a se"


@pytest.mark.parametrize(
    ("total", "size", "shown"),
    [
        (1_000, 999, "99 %, 0:00 left"),
        (1_000, 1_000, "99 %, 0:00 left"),
        (1_000, 2_000, "99 %, 0:00 left"),
        (1_000, 15, "1 %, 16:25 left"),
        (100_000, 100, "0 %, 4:09:45 left"),
        (1, 1, "99 %, 0:00 left"),
    ],
)
def test_a_run_is_never_said_to_be_done(clock: Clock, total: int, size: int, shown: str) -> None:
    progress = Counted(total, clock)
    clock.now += 15
    assert progress.count(15, 0, size) == f"\r\x1b[K15 records, 1 a second, 0 invalid, {shown}"


def test_what_an_earlier_run_has_done_takes_no_time(clock: Clock) -> None:
    progress = Counted(1_000, clock, Summary(records=15, invalid=2))
    clock.now += 0.5
    assert progress.count(0, 0, 0) == "\r\x1b[K15 records, 0 a second, 2 invalid"
    clock.now += 0.5
    assert progress.count(15, 0, 750).endswith("\r\x1b[K30 records, 15 a second, 2 invalid, 75 %, 0:00 left")


@pytest.mark.parametrize(
    ("options", "stdout", "stderr", "shown"),
    [
        ([], False, True, True),
        ([], False, False, False),
        (["-q"], False, True, False),
        ([], True, True, False),  # the rows go to the same place
        (["-o", "out.txt"], True, True, True),
        (["-o", "out.txt", "-q"], True, True, False),
    ],
    ids=["piped", "log", "quiet", "terminal", "file", "quiet file"],
)
@pytest.mark.parametrize(
    "command", [["hash"], ["score", "--format", "table"], ["validate"]], ids=lambda command: command[0]
)
def test_when_progress_is_shown(
    hexrec: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    options: list[str],
    stdout: bool,
    stderr: bool,
    shown: bool,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("hexrec.cli.runs._FIRST", 0.0)
    stdin = json.dumps(SHORT_GAME).encode()
    ran = hexrec(*command, "-", *options, stdin=stdin, terminal=stdout, watched=stderr)
    assert (ran.code, " a second, " in ran.err) == (0, shown)


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_terminals_that_cannot_erase(hexrec: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TERM", name)
    monkeypatch.setattr("hexrec.cli.runs._FIRST", 0.0)
    ran = hexrec("hash", "-", stdin=json.dumps(SHORT_GAME).encode(), watched=True)
    assert (ran.code, " a second, " in ran.err) == (0, False)
