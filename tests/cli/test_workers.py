"""Workers are prepared while a command is imported, where its arguments show that it needs some."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hexrec.cli import COMMANDS, SHARING, imported
from hexrec.cli.workers import cores
from hexrec.workers import process
from tests.cli.conftest import SHORT_GAME, Run, hexrec

__all__ = ["hexrec"]

LINE = json.dumps(SHORT_GAME) + "\n"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What the process was asked to import from which workers are forked, on two cores."""
    found: list[tuple[str, ...]] = []
    monkeypatch.setattr(process, "start_server", found.append)
    monkeypatch.setattr("hexrec.cli.workers.cores", lambda: 2)
    return found


@pytest.mark.parametrize(("affinity", "there", "expected"), [({0, 3, 7}, 9, 3), (None, 9, 9), (None, None, 1)])
def test_how_many_cores_there_are(
    monkeypatch: pytest.MonkeyPatch, affinity: set[int] | None, there: int | None, expected: int
) -> None:
    """Those that this process may use, where the system tells; at least one."""
    monkeypatch.setattr(os, "cpu_count", lambda: there)
    if affinity is None:
        monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    else:
        monkeypatch.setattr(os, "sched_getaffinity", lambda process: affinity if process == 0 else set(), raising=False)
    assert cores() == expected


@pytest.mark.parametrize(("command", "prepared"), [("hash", True), ("explain", False)])
def test_workers_are_prepared_for_commands_that_share_their_work(
    hexrec: Run, monkeypatch: pytest.MonkeyPatch, command: str, prepared: bool
) -> None:
    found: list[list[str]] = []
    monkeypatch.setattr("hexrec.cli.prepare_workers", lambda given: found.append(list(given)))
    assert hexrec(command, "--no-such-option", "a", "-j2").code == 2
    assert found == ([["--no-such-option", "a", "-j2"]] if prepared else [])


@pytest.mark.parametrize(
    ("arguments", "size", "prepared"),
    [
        (["hash"], 8 << 20, True),
        (["hash"], (8 << 20) - 1, False),
        (["hash", "--jobs", "2"], 8 << 20, True),
        (["hash", "--jobs", "1"], 8 << 20, False),
        (["hash", "--jobs=1"], 8 << 20, False),
        (["hash", "-j1"], 8 << 20, False),
        (["hash", "-j", "12"], 8 << 20, True),
        (["hash", "-j", "x"], 8 << 20, True),
        (["explain"], 8 << 20, False),
    ],
)
def test_workers_are_prepared_for_large_files_alone(
    hexrec: Run, asked: list[tuple[str, ...]], tmp_path: Path, arguments: list[str], size: int, prepared: bool
) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_text(LINE.ljust(size - 1) + "\n")
    hexrec(*arguments, "--no-such-option", path)
    assert bool(asked) == prepared


def test_the_files_count_together(hexrec: Run, asked: list[tuple[str, ...]], tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.jsonl", "two.jsonl")]
    for path in paths:
        path.write_text(LINE.ljust(4 << 20))
    hexrec("score", "--no-such-option", *paths, tmp_path / "gone.jsonl", tmp_path)
    assert asked == [("hexrec.batch.warmup",)]


def test_the_commands_that_have_workers_are_listed() -> None:
    assert {name for name in COMMANDS if any(each.name == "jobs" for each in imported(name).params)} == SHARING


def test_prepared_workers_do_the_work(hexrec: Run, tmp_path: Path) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_text((LINE.rstrip().ljust(5 << 20) + "\n") * 2)
    one, two = (hexrec("score", path, jobs) for jobs in ("-j1", "-j2"))
    assert one.code == 0
    assert one.out.count("\n") == 3
    assert (two.code, two.out) == (one.code, one.out)
