"""What a pool is asked to do with chunks, and what is made of how that ends, without processes."""

from __future__ import annotations

from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from hexrec.batch import pool as module
from hexrec.batch.chunks import Chunk, split
from hexrec.batch.pool import CHUNK_SECONDS, ChunkPool, PoolRunner
from hexrec.batch.run import run
from hexrec.batch.runners import RunnerError, try_chunk
from hexrec.batch.tasks import ChunkFailure, ScoreTask
from hexrec.files.discovery import Discovery
from hexrec.settings.selection import Selection
from hexrec.workers import PoolClosed, Startup, TaskFailed, TaskTimeout, WorkerDied, WorkerStartError
from tests.batch.conftest import SMALL, record, scored
from tests.batch.deadly import Deadly

TASK = ScoreTask(Selection())


class Pool:
    """Does what processes would do.

    Attributes:
        made: all of them.
        failure: what a task ends with.
        seconds: what each task had.
    """

    made: list[Pool]
    failure: Exception | None

    def __init__(self, limit: int, startup: Startup, *, depth: int) -> None:
        self.limit = limit
        self.startup = startup
        self.depth = depth
        self.seconds: list[float] = []
        self.closed = False
        self.pids = [17]
        Pool.made.append(self)

    def run(self, chunk: Chunk, seconds: float) -> Any:
        self.seconds.append(seconds)
        if Pool.failure is not None:
            raise Pool.failure
        return self.startup.prepare()(chunk)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    Pool.made, Pool.failure = [], None
    monkeypatch.setattr(module, "Pool", Pool)
    return Pool.made


def chunks(archive: Path) -> list[Chunk]:
    return list(split(Discovery([str(archive)]), SMALL))


def test_how_processes_are_started(archive: Path, pools: list[Pool]) -> None:
    pool = ChunkPool(TASK, 3, None)
    (made,) = pools
    assert (made.limit, made.depth, made.startup.preload) == (3, 2, ("hexrec.batch.tasks",))
    assert isinstance(made.startup.prepare, partial)
    for chunk in chunks(archive):
        assert pool.run(chunk) == try_chunk(TASK, chunk)
    assert set(made.seconds) == {CHUNK_SECONDS}
    assert pool.pids == [17]
    pool.close()
    assert made.closed


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (
            WorkerDied("it was ended by SIGKILL"),
            ChunkFailure(
                "the process working on this record ended 5 times; the last time, it was ended by SIGKILL",
                worker_died=True,
            ),
        ),
        (TaskTimeout(), ChunkFailure("the work on this record took longer than 2.5 s and was ended")),
        (
            TaskFailed("Traceback:\n  in a line\n  and another\nOSError: no room\n"),
            ChunkFailure("the program failed on this record: OSError: no room"),
        ),
    ],
)
def test_why_there_is_no_result(archive: Path, failure: Exception, expected: ChunkFailure) -> None:
    Pool.failure = failure
    found = ChunkPool(TASK, 1, 2.5).attempt(chunks(archive)[0])
    assert found == expected
    assert isinstance(found, ChunkFailure)
    assert found.worker_died is expected.worker_died


@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (WorkerStartError("no tables"), "no process can be started: no tables"),
        (PoolClosed(), "the work has ended"),
    ],
)
def test_a_pool_that_cannot_work(archive: Path, pools: list[Pool], failure: Exception, message: str) -> None:
    Pool.failure = failure
    with pytest.raises(RunnerError) as raised:
        scored([archive], PoolRunner(1))
    assert str(raised.value) == message
    assert pools[0].closed


def test_records_that_fail_are_found(archive: Path) -> None:
    made = scored([archive], PoolRunner(1), Deadly(Selection(), ("game 17",), error=True))
    expected = scored([archive])
    assert made["index"] == expected["index"]
    assert [message for message in made["message"] if message not in expected["message"]] == [
        "the program failed on this record: ZeroDivisionError: in game 17"
    ]


def test_a_stream_is_read_here(tmp_path: Path, pools: list[Pool]) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("".join(f"---\n{record(number)}" for number in range(9)))
    assert scored([path], PoolRunner(1), limits=SMALL._replace(whole=100)) == scored([path])
    assert pools[0].seconds == []


@pytest.mark.parametrize("jobs", [1, 20])
def test_two_chunks_are_given_to_each_process_and_one_waits(archive: Path, pools: list[Pool], jobs: int) -> None:
    runner = PoolRunner(jobs, 7)
    assert runner.pool is None
    go, begun, taken = Event(), [], []

    def run(chunk: Chunk, seconds: float) -> Any:
        begun.append(seconds)
        if len(begun) > 1:
            go.wait(60)
        return try_chunk(TASK, chunk)

    def counted() -> Any:
        for chunk in chunks(archive) * 9:
            taken.append(chunk)
            yield chunk

    found = runner.run(counted(), TASK)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Pool, "run", lambda _, chunk, seconds: run(chunk, seconds))
        assert [chunk for chunk, _ in islice(found, 1)] == taken[:1]
        assert runner.pool is not None
        while len(begun) < 2 * jobs + 1:
            go.wait(0.001)
        go.wait(0.05)
        assert len(begun) == len(taken) == 2 * jobs + 1
        assert set(begun) == {7}
        go.set()
        found.close()
    assert pools[0].closed
    assert pools[0].limit == jobs


@pytest.mark.parametrize(
    ("small_here", "count", "made"),
    [(None, 1, 1), (False, 1, 1), (True, 1, 0), (True, 2, 1), (True, 3, 1), (True, 0, 0), (None, 0, 0)],
)
def test_when_a_runner_is_made(archive: Path, small_here: bool | None, count: int, made: int) -> None:
    """For the first chunk, unless that is the only one and is to be done here."""
    runners: list[PoolRunner] = []

    def make() -> PoolRunner:
        runners.append(PoolRunner(1))
        return runners[-1]

    options: Any = {} if small_here is None else {"small_here": small_here}
    found = list(run(iter(chunks(archive)[:count]), TASK, make, **options))
    assert [batch.chunk for batch in found] == chunks(archive)[:count]
    assert not any(batch.restored for batch in found)
    assert len(runners) == made


def test_a_stream_is_read_before_the_next_chunk_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("".join(f"---\n{record(number)}" for number in range(9)))
    taken: list[Chunk] = []

    def counted() -> Any:
        for chunk in split(Discovery([str(path), str(path)]), SMALL._replace(whole=100)):
            taken.append(chunk)
            yield chunk

    found = run(counted(), TASK, lambda: PoolRunner(1), small_here=True)
    next(found)
    assert len(taken) == 1
    found.close()


@pytest.mark.parametrize("here", [True, False])
def test_streams_among_chunks_stay_in_their_place(tmp_path: Path, archive: Path, here: bool) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("".join(f"---\n{record(number)}" for number in range(9)))
    limits = SMALL._replace(whole=100)
    made = scored([archive, path, archive], None if here else PoolRunner(2), limits=limits)
    one, other = scored([archive]), scored([path])
    assert made == {name: one[name] + other[name] + one[name] for name in one}


def test_here_one_chunk_is_done_after_the_other(archive: Path) -> None:
    taken: list[Chunk] = []

    def counted() -> Any:
        for chunk in chunks(archive):
            taken.append(chunk)
            yield chunk

    found = run(counted(), TASK, None)
    next(found)
    assert len(taken) == 1
    found.close()


def test_here_a_record_that_fails_is_a_row(archive: Path) -> None:
    made = scored([archive], None, Deadly(Selection(), ("game 17",), error=True))
    assert "the program failed on this record: ZeroDivisionError: in game 17" in made["message"]
    assert made["index"] == scored([archive])["index"]
