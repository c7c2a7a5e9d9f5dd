"""Who does the work of the commands on archives, what is shown meanwhile, and which of their files nobody else writes.

The processes, and the bar that shows progress, have tests of their own: here something takes their place that notes
what it is told.
"""

from __future__ import annotations

import json
import re
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO, cast

import pytest
import typer

from hexrec.batch import chunks
from hexrec.batch.checkpoint import Checkpoint, CheckpointError
from hexrec.batch.runners import InProcessRunner, Runner, RunnerError
from hexrec.cli import runs
from hexrec.errors import MissingExtraError
from hexrec.files.locks import Locked
from tests.batch.conftest import SMALL, untidy
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


@pytest.mark.parametrize(
    ("options", "asked", "begun"),
    [
        ([], (None, None, None), 0),
        (["--jobs", "3", "--chunk-timeout", "7.5"], (3, 7.5, None), 1),
        (["--dask", "local", "-j", "2"], (2, None, "local"), 1),
    ],
    ids=["usual", "jobs", "dask"],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_who_works(
    hexrec: Run, noted: Noted, command: str, options: list[str], asked: tuple[Any, ...], begun: int
) -> None:
    """A single chunk is done in this process, unless a number of processes is asked for."""
    if command == "validate":  # which has no cluster
        asked = asked[:2]
        if "--dask" in options:
            assert hexrec(command, "-", *options).code == 2
            return
    assert hexrec(command, "-", *options, stdin=json.dumps(SHORT_GAME).encode()).code == 0
    assert (noted.asked, noted.begun) == ([asked], begun)


@pytest.mark.usefixtures("tiny_chunks")
@pytest.mark.parametrize("command", COMMANDS)
def test_several_chunks_are_for_several_processes(hexrec: Run, noted: Noted, archive: Path, command: str) -> None:
    assert hexrec(command, archive).code == 1
    assert noted.begun == 1


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


def test_an_output_for_which_another_run_keeps_a_checkpoint_is_refused_before_anything_is_read(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For locks that really are held by other processes see the tests of locks."""
    target = tmp_path / "taken.jsonl"

    def refuse(output: Path) -> AbstractContextManager[None]:
        raise Locked(f"{output}: another run writes it")

    monkeypatch.setattr("hexrec.cli.outputs.locked", refuse)
    ran = hexrec("score", tmp_path / "missing.json", "-o", target, "--resume")
    assert (ran.code, ran.out, ran.err) == (2, "", f"hexrec: {target}: another run writes it\n")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The pools and the clusters that were made, on a machine with four cores."""
    found: list[tuple[Any, ...]] = []
    monkeypatch.setattr("hexrec.batch.pool.PoolRunner", lambda *given: found.append(("pool", *given)))
    monkeypatch.setattr("hexrec.batch.cluster.ClusterRunner", lambda *given: found.append(("cluster", *given)))
    monkeypatch.setattr("hexrec.cli.runs.cores", lambda: 4)
    return found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((None, None), ("pool", 4, None)),
        ((2, 5.0), ("pool", 2, 5.0)),
        ((1, 5.0), None),
        ((None, None, "local"), ("cluster", "local", 4, None)),
        ((1, 5.0, "tcp://there"), ("cluster", "tcp://there", 1, 5.0)),
    ],
    ids=str,
)
def test_the_runner(made: list[tuple[Any, ...]], given: tuple[Any, ...], expected: tuple[Any, ...] | None) -> None:
    """Nothing is begun before there is work."""
    make = runs.runner(*given)
    assert made == []
    if make is not None:
        make()
    assert made == ([expected] if expected else [])


@untidy
@pytest.mark.parametrize("name", ["distributed.client", "dask.base"])
def test_without_dask(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Its absence is noticed before any work; that of a part of it, when a cluster is to begin."""

    class Lacking(ModuleType):
        def __getattr__(self, _: str) -> None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    said = re.escape("for --dask, install hexrec-games[dask]")
    monkeypatch.setitem(sys.modules, "hexrec.batch.cluster", Lacking("hexrec.batch.cluster"))
    make = runs.runner(None, None, "local")
    assert make is not None
    with pytest.raises(MissingExtraError, match=f"^{said}$"):
        make()
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(MissingExtraError, match=f"^{said}$"):
        runs.runner(None, None, "local")


def test_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the process may use, where the system tells."""
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {1, 5, 7} if process == 0 else set(), raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    assert runs.cores() == 3
    monkeypatch.delattr("os.sched_getaffinity")
    assert runs.cores() == 8
    monkeypatch.setattr("os.cpu_count", lambda: None)
    assert runs.cores() == 1


class Kept:
    """A checkpoint that says what is done to it."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks
        self.path = Path("kept")
        self.done: list[str] = []

    def close(self) -> None:
        self.done.append("closed")

    def delete(self) -> None:
        self.done.append("deleted")


@pytest.mark.parametrize("chunks", [0, 1])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (None, ""),
        (RunnerError("no process begins"), "hexrec: no process begins\n"),
        (CheckpointError("it is another run's"), "hexrec: it is another run's\n"),
        (KeyboardInterrupt(), ""),
    ],
    ids=["done", "runner", "checkpoint", "interrupt"],
)
def test_what_is_kept_of_a_run(
    capsys: pytest.CaptureFixture[str], error: BaseException | None, said: str, chunks: int
) -> None:
    """What is finished, if the run is not; and all errors that are no others' are told in a line."""
    kept = Kept(chunks)
    checkpoint = cast(Checkpoint, kept)

    def work() -> None:
        with runs.unbroken(checkpoint) as given:
            assert given is checkpoint
            if error is not None:
                raise error

    if error is None:
        work()
        assert kept.done == ["deleted"]
        assert capsys.readouterr().err == ""
        return
    with pytest.raises(typer.Exit if said else KeyboardInterrupt) as ended:
        work()
    assert getattr(ended.value, "exit_code", 2) == 2
    assert kept.done == ["closed"]
    hint = "hexrec: what is finished is kept in kept: --resume continues\n" * bool(chunks)
    assert capsys.readouterr().err == hint + said
