"""What is asked of a cluster, and what is made of its answers, without any of its processes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask
import pytest
from distributed import KilledWorker

from hexrec._version import __version__
from hexrec.batch import cluster as module
from hexrec.batch.chunks import Chunk, split
from hexrec.batch.cluster import ClusterRunner
from hexrec.batch.pool import CHUNK_SECONDS
from hexrec.batch.run import run
from hexrec.batch.runners import RunnerError, try_chunk
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ScoreTask
from hexrec.files.discovery import Discovery
from hexrec.limits import IN_FORCE
from hexrec.settings.selection import Selection
from tests.batch.conftest import SMALL, record, scored
from tests.batch.deadly import Deadly

TASK = ScoreTask(Selection())
SETTINGS = {"distributed.scheduler.allowed-failures": 1, "distributed.admin.log-length": 0}


class Future:
    """A chunk that the cluster was given: what was asked of it."""

    def __init__(self, cluster: Cluster, key: str, work: Callable[[], Any]) -> None:
        self.cluster = cluster
        self.key = key
        self.work = work
        self.timeouts: list[float] = []
        self.cancelled: list[bool] = []

    def done(self) -> bool:
        return self.cluster.all_done

    def result(self, timeout: float) -> Any:
        self.timeouts.append(timeout)
        self.cluster.clock += timeout
        return self.cluster.outcome(self)

    def cancel(self, force: bool = False) -> None:
        self.cancelled.append(force)


class Cluster:
    """A scheduler and its client, as far as a runner knows them.

    Attributes:
        outcome: what comes of a chunk.
        cores: the processes that there are.
        about: what the processes say of themselves.
        restarted: which processes were restarted, and how.
        made: how the client was made, and how a local cluster was.
    """

    def __init__(self) -> None:
        self.outcome: Callable[[Future], Any] = lambda future: future.work()
        self.cores = {"first": 1, "second": 1}
        self.about: dict[str, Any] = dict.fromkeys(self.cores, (__version__, IN_FORCE))
        self.futures: list[Future] = []
        self.restarted: list[tuple[list[str], dict[str, Any]]] = []
        self.made: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {}
        self.closed: list[float] = []
        self.open = False
        self.all_done = False
        self.clock = 0.0
        self.failure: Exception | None = None

    def client(self, *arguments: Any, **options: Any) -> Cluster:
        if self.failure:
            raise self.failure
        assert {name: dask.config.get(name) for name in SETTINGS} == SETTINGS
        self.made["client"] = arguments, options
        return self

    def local(self, *arguments: Any, **options: Any) -> Cluster:
        self.made["local"] = arguments, options
        return self

    def __enter__(self) -> Cluster:
        self.open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.open = False

    def close(self, timeout: float) -> None:
        self.closed.append(timeout)
        raise TimeoutError

    def run(self, function: Callable[[], Any]) -> dict[str, Any]:
        assert function() == (__version__, IN_FORCE)
        return self.about

    def ncores(self) -> dict[str, int]:
        return self.cores

    def submit(self, function: Any, task: Any, chunk: Any, *, pure: bool) -> Future:
        assert (function, pure) == (try_chunk, False)
        self.futures.append(Future(self, f"chunk {len(self.futures)}", lambda: function(task, chunk)))
        return self.futures[-1]

    def processing(self) -> dict[str, tuple[str, ...]]:
        return {"first": ("chunk 0", "chunk 2"), "second": ("chunk 1",)}

    def restart_workers(self, workers: list[str], **options: Any) -> None:
        self.restarted.append((workers, options))


class Pool:
    """The pool of one process for chunks that fail on the cluster.

    Attributes:
        made: with what it was made.
        chunks: what it has done.
        tries: how often a chunk was tried.
        closed: whether it was closed.
    """

    def __init__(self, *arguments: Any) -> None:
        self.made = arguments
        self.task = arguments[0]
        self.chunks: list[Chunk] = []
        self.tries = 0
        self.closed = False

    def run(self, chunk: Chunk) -> ChunkResult:
        found = self.attempt(chunk)
        assert isinstance(found, ChunkResult)
        self.chunks.append(chunk)
        return found

    def attempt(self, chunk: Chunk) -> ChunkResult | ChunkFailure:
        self.tries += 1
        return try_chunk(self.task, chunk)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def cluster(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    found = Cluster()
    monkeypatch.setattr(module, "Client", found.client)
    monkeypatch.setattr(module, "LocalCluster", found.local)
    monkeypatch.setattr(module, "monotonic", lambda: found.clock)
    return found


@pytest.fixture(autouse=True)
def pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    found: list[Pool] = []

    def make(*arguments: Any) -> Pool:
        found.append(Pool(*arguments))
        return found[-1]

    monkeypatch.setattr(module, "ChunkPool", make)
    return found


def rows(archive: Path, runner: ClusterRunner, task: ScoreTask = TASK) -> dict[str, list[Any]]:
    return scored([archive], runner, task)


def test_every_chunk_is_done_by_the_cluster(archive: Path, cluster: Cluster, pools: list[Pool]) -> None:
    runner = ClusterRunner("tcp://there:8786", 3)
    assert runner.client is None
    assert rows(archive, runner) == scored([archive])
    assert cluster.made == {"client": (("tcp://there:8786",), {"timeout": "10s", "set_as_default": False})}
    assert not cluster.open
    (pool,) = pools
    assert (pool.made, pool.tries, pool.closed) == ((TASK, 1, CHUNK_SECONDS), 0, True)
    assert {tuple(future.timeouts) for future in cluster.futures} == {(30,)}
    assert dask.config.get("distributed.admin.log-length") != 0


def test_a_stream_is_read_here(tmp_path: Path, cluster: Cluster) -> None:
    path = tmp_path / "long.yaml"
    path.write_text("".join(f"---\n{record(number)}" for number in range(9)))
    limits = SMALL._replace(whole=100)
    assert scored([path], ClusterRunner("local", 1), limits=limits) == scored([path])
    assert cluster.futures == []


def test_a_cluster_that_is_made_for_the_run_is_closed(archive: Path, cluster: Cluster) -> None:
    """Also one that is not closed in time, which is not said."""
    assert rows(archive, ClusterRunner("local", 3)) == scored([archive])
    assert cluster.made["local"] == (
        (),
        {
            "n_workers": 3,
            "threads_per_worker": 1,
            "processes": True,
            "host": "127.0.0.1",
            "dashboard_address": "127.0.0.1:0",
            "silence_logs": logging.CRITICAL,
        },
    )
    assert cluster.made["client"][0] == (cluster,)
    assert cluster.closed == [30]


@pytest.mark.parametrize("processes", [0, 1, 3])
def test_two_chunks_are_given_for_each_process_and_one_more(
    archive: Path, cluster: Cluster, pools: list[Pool], processes: int
) -> None:
    cluster.cores = {str(number): 1 for number in range(processes)}
    runner = ClusterRunner("local", processes)
    found = run(split(Discovery([str(archive)]), SMALL), TASK, lambda: runner)
    next(found)
    assert len(cluster.futures) == 2 * max(1, processes) + 1
    assert runner.client is cluster
    assert not any(future.cancelled for future in cluster.futures)
    found.close()
    assert pools[0].closed


def test_a_chunk_that_ends_processes_is_done_apart(archive: Path, cluster: Cluster, pools: list[Pool]) -> None:
    def outcome(future: Future) -> Any:
        if future.key in ("chunk 1", "chunk 3"):
            raise KilledWorker("", None, 1)
        return future.work()

    cluster.outcome = outcome
    assert rows(archive, ClusterRunner("local", 1)) == scored([archive])
    assert len(pools[0].chunks) == 2
    assert cluster.restarted == []


def test_a_record_that_raises_is_found(archive: Path) -> None:
    made = rows(archive, ClusterRunner("local", 1), Deadly(Selection(), ("game 17",), error=True))
    expected = scored([archive])
    assert made["index"] == expected["index"]
    faults = [message for message in made["message"] if message not in expected["message"]]
    assert faults == ["the program failed on this record: ZeroDivisionError: in game 17"]


@pytest.mark.parametrize(("seconds", "timeouts"), [(70, [30, 30, 30]), (2, [2, 2])])
def test_a_process_that_hangs_is_restarted(
    archive: Path, cluster: Cluster, pools: list[Pool], seconds: float, timeouts: list[float]
) -> None:
    """Chunks that have been given to it are asked for again."""

    def outcome(future: Future) -> Any:
        if future.key == "chunk 1":
            raise TimeoutError
        cluster.clock = 0
        return future.work()

    cluster.outcome = outcome
    runner = ClusterRunner("local", 1, seconds)
    assert rows(archive, runner) == scored([archive])
    assert pools[0].made[2] == seconds
    assert len(pools[0].chunks) == 1
    assert cluster.restarted == [(["second"], {"timeout": 30, "raise_for_error": False})]
    assert cluster.futures[1].timeouts == timeouts
    assert [future.cancelled for future in cluster.futures[:3]] == [[], [True], []]


def test_a_process_that_cannot_be_restarted_is_no_matter(
    archive: Path, cluster: Cluster, pools: list[Pool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def outcome(future: Future) -> Any:
        if future.key == "chunk 1":
            raise TimeoutError
        return future.work()

    cluster.outcome = outcome
    monkeypatch.setattr(cluster, "processing", None)
    assert rows(archive, ClusterRunner("local", 1)) == scored([archive])
    assert len(pools[0].chunks) == 1


@pytest.mark.parametrize(("all_done", "back"), [(False, False), (True, False), (False, True)])
def test_a_cluster_without_processes_is_waited_for_once(
    archive: Path, cluster: Cluster, pools: list[Pool], all_done: bool, back: bool
) -> None:
    """After that, only what it has already done is taken from it, unless it has processes again."""

    def outcome(future: Future) -> Any:
        if future.key == "chunk 0":
            cluster.cores, cluster.all_done = {}, all_done
            raise TimeoutError
        cluster.cores = {"new": 1} if back else {}
        return future.work()

    cluster.outcome = outcome
    runner = ClusterRunner("local", 1)
    chunks = len(list(split(Discovery([str(archive)]), SMALL)))
    found = run(split(Discovery([str(archive)]), SMALL), TASK, lambda: runner)
    ids = list(next(found).gathered["id"])
    if back:
        cluster.cores = {"new": 1}
    ids += [each for batch in found for each in batch.gathered["id"]]
    assert ids == scored([archive])["id"]
    assert len(cluster.restarted) == 1
    assert cluster.futures[0].timeouts == [30]
    given_up = [future for future in cluster.futures[1:] if future.cancelled == [False]]
    assert len(given_up) == (0 if all_done or back else chunks - 1)
    assert len(pools[0].chunks) == 1 + len(given_up)


@pytest.mark.parametrize(
    ("about", "message"),
    [
        (
            [(__version__, IN_FORCE), ("98.0", IN_FORCE)],
            "the Dask cluster tcp://there:1 has other versions of hexrec: 98.0",
        ),
        (
            [(__version__, IN_FORCE), (__version__, {**IN_FORCE, "MAX_DEPTH": 1})],
            "the Dask cluster tcp://there:1 has other limits: "
            "set the same HEXREC_MAX_… in the environment of its processes",
        ),
    ],
)
def test_a_cluster_that_judges_otherwise_is_refused(
    archive: Path, cluster: Cluster, about: list[Any], message: str
) -> None:
    cluster.about = dict(zip(cluster.cores, about, strict=True))
    with pytest.raises(RunnerError) as raised:
        rows(archive, ClusterRunner("tcp://there:1", 1))
    assert str(raised.value) == message
    assert not cluster.open


def test_all_other_versions_are_named(archive: Path, cluster: Cluster) -> None:
    cluster.about = {"first": ("97.0", IN_FORCE), "second": ("98.0", IN_FORCE)}
    with pytest.raises(RunnerError, match=r"has other versions of hexrec: (97\.0, 98\.0|98\.0, 97\.0)$"):
        rows(archive, ClusterRunner("local", 1))


@pytest.mark.parametrize("error", [OSError, ImportError, ValueError, RuntimeError])
def test_a_cluster_that_cannot_be_reached_is_refused(archive: Path, cluster: Cluster, error: type[Exception]) -> None:
    cluster.failure = error("no one is there")
    with pytest.raises(RunnerError) as raised:
        rows(archive, ClusterRunner("tcp://there:1", 1))
    assert str(raised.value) == "the Dask cluster tcp://there:1 cannot be used: no one is there"
