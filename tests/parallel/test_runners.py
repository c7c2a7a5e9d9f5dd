"""Whoever does the chunks, and whatever becomes of the processes: the same rows."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Discovery
from hexrec.parallel.apart import RunnerError
from hexrec.parallel.chunks import Chunk, split
from hexrec.parallel.pool import PoolRunner
from hexrec.parallel.run import run
from hexrec.parallel.runners import InProcessRunner, Runner
from hexrec.parallel.tasks import ScoreTask
from hexrec.validation.selection import Selection
from tests.parallel.conftest import SMALL, record, scored
from tests.parallel.deadly import Deadly

posix = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
TASK = ScoreTask(Selection())
RUNNERS: list[Callable[[], Runner]] = [InProcessRunner, lambda: PoolRunner(1), lambda: PoolRunner(3)]
runners = pytest.mark.parametrize("make", RUNNERS, ids=["here", "one", "three"])


def check_rows(expected: dict[str, list[Any]], fatal: list[str], made: dict[str, list[Any]]) -> list[str]:
    """Check that all rows are as expected, but those of some records; return the messages of these."""
    assert made["file"] == expected["file"]
    assert made["index"] == expected["index"]
    messages = []
    for number, own in enumerate(expected["id"]):
        if own in fatal:
            assert (made["code"][number], made["game"][number]) == ("batch/crashed", None)
            messages.append(made["message"][number])
        else:
            assert [made[name][number] for name in made] == [expected[name][number] for name in expected]
    return messages


class Watched:
    """The chunks of some paths, and how many of them have been taken."""

    def __init__(self, *paths: Path, limits: Any = SMALL) -> None:
        self.chunks = split(Discovery(map(str, paths)), limits)
        self.taken = 0

    def __iter__(self) -> Iterator[Chunk]:
        for chunk in self.chunks:
            self.taken += 1
            yield chunk


def stream(folder: Path) -> Path:
    """Write a file that is too large to be held, if no more than 100 bytes are."""
    path = folder / "long.yaml"
    path.write_text("".join(f"---\n{record(number)}" for number in range(9)))
    return path


@runners
def test_rows_come_in_order_and_streams_stay_in_their_place(tmp_path: Path, archive: Path, make: Any) -> None:
    path, limits = stream(tmp_path), SMALL._replace(whole=100)
    one, other = scored([archive]), scored([path])
    assert scored([archive, path, archive], make(), limits=limits) == {
        name: one[name] + other[name] + one[name] for name in one
    }


@pytest.mark.parametrize(("jobs", "taken"), [(None, 1), (1, 3), (2, 5)])
def test_no_more_chunks_are_begun_than_it_takes(archive: Path, jobs: int | None, taken: int) -> None:
    """Two for each process, and the one whose result is asked for. When the run is given up, its processes end."""
    watched = Watched(archive)
    runner = PoolRunner(jobs) if jobs else None
    found = run(watched, TASK, (lambda: runner) if runner else None)
    next(found)
    assert watched.taken == taken
    pids = runner.pool.pids if runner and runner.pool else []
    found.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize(
    ("small_here", "count", "made"),
    [(False, 1, 1), (True, 1, 0), (True, 2, 1), (True, 0, 0), (False, 0, 0)],
)
def test_when_a_runner_is_made(archive: Path, small_here: bool, count: int, made: int) -> None:
    """For the first chunk, unless that is the only one and is to be done here."""
    begun: list[Runner] = []

    def make() -> Runner:
        begun.append(InProcessRunner())
        return begun[-1]

    chunks = list(Watched(archive))[:count]
    assert len(list(run(chunks, TASK, make, small_here=small_here))) == count
    assert len(begun) == made


def test_a_stream_is_read_before_the_next_chunk_is_asked_for(tmp_path: Path) -> None:
    path = stream(tmp_path)
    watched = Watched(path, path, limits=SMALL._replace(whole=100))
    found = run(watched, TASK, InProcessRunner, small_here=True)
    next(found)
    assert watched.taken == 1
    found.close()


def test_an_input_that_vanishes_is_a_row(archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(record(0))

    def vanishing() -> Iterator[Chunk]:
        for chunk in split(Discovery([str(other), str(archive)]), SMALL._replace(files=1)):
            other.unlink(missing_ok=True)
            yield chunk

    (first, *others) = (batch.gathered for batch in run(vanishing(), TASK, lambda: PoolRunner(2)))
    assert (first["code"], first["index"]) == (["syntax/unreadable"], [0])
    assert sum(len(batch["file"]) for batch in others) == 44


def test_processes_that_cannot_be_started_end_the_run(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(RunnerError, match="no process can be started: No such file or directory"):
        scored([archive], PoolRunner(2))


@runners
def test_an_error_in_the_program_is_a_row(archive: Path, make: Any) -> None:
    fatal = ["game 0", "game 39"]
    made = scored([archive], make(), Deadly(Selection(), tuple(fatal), error=True))
    assert check_rows(scored([archive]), fatal, made) == [
        f"the program failed on this record: ZeroDivisionError: in {each}" for each in fatal
    ]


@posix
def test_a_process_that_is_killed_is_replaced(archive: Path, tmp_path: Path) -> None:
    task = Deadly(Selection(), ("game 4", "game 30"), tmp_path, 1)
    assert scored([archive], PoolRunner(2), task) == scored([archive])
    assert len(list(tmp_path.glob("game *-0"))) == 2


@posix
@pytest.mark.parametrize("suffix", [".yaml", ".jsonl"])
def test_records_that_end_processes_are_found(tmp_path: Path, suffix: str) -> None:
    """In the first file of a chunk and in others, alone and in a row."""
    lead = "---\n" if suffix == ".yaml" else ""
    for name in "abc":
        (tmp_path / f"{name}{suffix}").write_text("".join(lead + record(number) for number in range(5)))
    fatal = ["game 0", "game 3", "game 4"]
    limits = SMALL._replace(files=2, size=10_000)
    made = scored([tmp_path], PoolRunner(2), Deadly(Selection(), tuple(fatal)), limits)
    assert set(check_rows(scored([tmp_path]), fatal, made)) == {
        "the process working on this record ended twice; the last time, it was ended by SIGKILL"
    }


@posix
@pytest.mark.parametrize(("suffix", "hides"), [(".yaml", True), (".jsonl", False)])
def test_records_that_cannot_be_read_without_dying(tmp_path: Path, suffix: str, hides: bool) -> None:
    """In a format that has to be read from the beginning, nothing is known of what follows."""
    lead = "---\n" if suffix == ".yaml" else ""
    for name in "ab":
        (tmp_path / f"{name}{suffix}").write_text("".join(lead + record(number) for number in range(6)))
    fatal = ["game 2", "game 3"]
    made = scored([tmp_path], PoolRunner(1), Deadly(Selection(), tuple(fatal), reading=True))
    if not hides:
        check_rows(scored([tmp_path]), fatal, made)
        return
    assert made["index"] == [0, 1, 2] * 2
    assert made["code"][2] == made["code"][5] == "batch/crashed"
    assert made["message"][2].endswith("; what follows it in the file cannot be read, and was not judged")


@pytest.mark.slow
@posix
@pytest.mark.parametrize("suffix", [".yaml", ".jsonl"])
@pytest.mark.parametrize("lives", [1, None])
def test_a_record_at_which_a_process_hangs_is_found(tmp_path: Path, suffix: str, lives: int | None) -> None:
    """The process is stopped there, which is as good as a deadlock; once, as from outside, or each time."""
    lead = "---\n" if suffix == ".yaml" else ""
    path = tmp_path / f"a{suffix}"
    path.write_text("".join(lead + record(number) for number in range(12)))
    fatal = ["game 4"]
    made = scored([path], PoolRunner(2, 4.0), Deadly(Selection(), tuple(fatal), tmp_path, lives, hang=True))
    messages = check_rows(scored([path]), fatal if lives is None else [], made)
    assert messages == ["the work on this record took longer than 4 s and was ended"] * (lives is None)


@posix
def test_processes_killed_from_outside(tmp_path: Path) -> None:
    """All processes are killed now and then, whatever they are doing: the rows are those of an undisturbed run."""
    path, other = tmp_path / "long.jsonl", tmp_path / "some.yaml"
    path.write_text("".join(record(number) for number in range(200)))
    other.write_text("".join(f"---\n{record(number)}" for number in range(20)))
    limits = SMALL._replace(size=4_000)
    runner = PoolRunner(2)
    made: list[Any] = []
    for number, batch in enumerate(run(Watched(path, other, limits=limits), TASK, lambda: runner)):
        made += batch.gathered["id"]
        for pid in runner.pool.pids if runner.pool and number in (0, 1, 2, 5, 9) else ():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL if number % 2 else signal.SIGTERM)
    assert made == scored([path, other], limits=limits)["id"]
