"""Whoever does the chunks, and whatever becomes of the processes: the same rows."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest
from distributed import LocalCluster

from hexrec.batch.chunks import split
from hexrec.batch.cluster import ClusterRunner
from hexrec.batch.pool import PoolRunner
from hexrec.batch.run import run
from hexrec.batch.runners import InProcessRunner, Runner, RunnerError
from hexrec.batch.tasks import ScoreTask
from hexrec.files.discovery import Discovery
from hexrec.limits import IN_FORCE
from hexrec.settings.selection import Selection
from tests.batch.conftest import SMALL, record, scored, untidy
from tests.batch.deadly import Deadly

posix = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
ONE = PoolRunner(1)
POOLS = [pytest.param(lambda: ONE, id="one"), pytest.param(lambda: PoolRunner(3), id="three")]
#: A cluster takes seconds to start: where none of its processes ends, `test_a_cluster_that_is_there_already` has one,
#: and where one is killed once, `test_processes_killed_from_outside`.
RUNNERS = [*POOLS, pytest.param(lambda: ClusterRunner("local", 1), id="dask", marks=[untidy, pytest.mark.slow])]


def rows_but(expected: dict[str, list[Any]], fatal: list[str], made: dict[str, list[Any]]) -> None:
    """Check that all rows are as expected, but those of some records, which have a fault."""
    assert made["file"] == expected["file"]
    assert made["index"] == expected["index"]
    for number, own in enumerate(expected["id"]):
        if own in fatal:
            assert (made["code"][number], made["game"][number]) == ("batch/crashed", None)
        else:
            assert [made[name][number] for name in made] == [expected[name][number] for name in expected]


@pytest.mark.parametrize("make", POOLS)
def test_the_same_rows_in_the_same_order(archive: Path, make: Any) -> None:
    assert scored([archive, archive], make()) == scored([archive, archive])


@posix
@pytest.mark.parametrize("make", POOLS)
def test_a_process_that_is_killed_is_replaced(archive: Path, tmp_path: Path, make: Any) -> None:
    task = Deadly(Selection(), ("game 4", "game 30"), tmp_path, 1)
    assert scored([archive], make(), task) == scored([archive])
    assert len(list(tmp_path.glob("game *-0"))) == 2


@pytest.mark.slow
@posix
@pytest.mark.parametrize("kind", ["pool", pytest.param("dask", marks=untidy)])
def test_processes_killed_from_outside(tmp_path: Path, kind: str) -> None:
    """Every process is killed, at moments that are as good as random; those of a cluster take long to be replaced."""
    moments = (3, 50) if kind == "pool" else (3,)
    path = tmp_path / "long.jsonl"
    path.write_text("".join(record(number) for number in range(300)))
    expected = scored([path])
    killed: set[int] = set()
    runner: Any = PoolRunner(2) if kind == "pool" else ClusterRunner("local", 2)

    def pids() -> list[int]:
        if kind == "pool":
            return [pid for pid in runner.pool.pids if pid]
        return list(runner.client.run(os.getpid).values())

    made: list[Any] = []
    chunks = split(Discovery([str(path)]), SMALL)
    for number, batch in enumerate(run(chunks, ScoreTask(Selection()), lambda: runner)):
        made += batch.gathered["id"]
        if number in moments:
            for pid in pids():
                killed.add(pid)
                os.kill(pid, signal.SIGKILL)
    assert made == expected["id"]
    assert len(killed) > len(moments)


@posix
@pytest.mark.parametrize("make", RUNNERS)
def test_a_record_that_ends_processes_is_found(archive: Path, make: Any) -> None:
    runner = make()
    # It takes its time to replace processes: one runner is enough for many of them.
    fatal = ["game 17"] if runner is not ONE else ["game 17", "game 18"]
    made = scored([archive], runner, Deadly(Selection(), tuple(fatal)))
    rows_but(scored([archive]), fatal, made)
    assert {
        each for each in made["message"] if each and "ended 5 times; the last time, it was ended by SIGKILL" in each
    }


@pytest.mark.parametrize("make", [pytest.param(InProcessRunner, id="here"), *POOLS])
def test_an_error_in_the_program_is_a_row(archive: Path, make: Any) -> None:
    assert_errors_are_rows(archive, make())


def assert_errors_are_rows(archive: Path, runner: Runner) -> None:
    fatal = ["game 0", "game 39"]
    made = scored([archive], runner, Deadly(Selection(), tuple(fatal), error=True))
    rows_but(scored([archive]), fatal, made)
    assert "the program failed on this record: ZeroDivisionError: in game 39" in made["message"]


@posix
@pytest.mark.parametrize("suffix", [".yaml", ".jsonl"])
def test_a_record_in_a_file_among_others(tmp_path: Path, suffix: str) -> None:
    lead = "---\n" if suffix == ".yaml" else ""
    for number in range(3):
        content = "".join(lead + record(3 * number + each) for each in range(3))
        (tmp_path / f"{number}{suffix}").write_text(content)
    made = scored([tmp_path], PoolRunner(2), Deadly(Selection(), ("game 4",)), SMALL._replace(files=2, size=5_000))
    rows_but(scored([tmp_path]), ["game 4"], made)


@pytest.mark.slow
@posix
@pytest.mark.parametrize("make", RUNNERS)
def test_a_record_at_which_a_process_hangs_is_found(archive: Path, make: Any) -> None:
    """The process is stopped there, which is as good as a deadlock. A tenth of the time has to do for parts."""
    runner = make()
    runner._seconds = 5.0
    made = scored([archive], runner, Deadly(Selection(), ("game 17",), hang=True))
    rows_but(scored([archive]), ["game 17"], made)
    assert "the work on this record took longer than 5 s and was ended" in made["message"]


@pytest.mark.slow
@posix
def test_a_process_that_is_stopped_from_outside_is_replaced(archive: Path, tmp_path: Path) -> None:
    runner = PoolRunner(2, 2.0)
    made = scored([archive], runner, Deadly(Selection(), ("game 4", "game 30"), tmp_path, 1, hang=True))
    assert made == scored([archive])
    assert len(list(tmp_path.glob("game *-0"))) == 2


@pytest.mark.slow
@posix
@pytest.mark.parametrize("suffix", [".yaml", ".jsonl"])
def test_every_record_that_ends_processes_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    """However many there are in a row, and in a notation that has to be read from the beginning as in any other."""
    # How often a record is tried is no matter here, but takes a process each time.
    monkeypatch.setattr("hexrec.batch.runners.RECORD_DEATHS", 2)
    lead = "---\n" if suffix == ".yaml" else ""
    for name in "ab":
        (tmp_path / f"{name}{suffix}").write_text("".join(lead + record(number) for number in range(6)))
    fatal = ["game 0", *(f"game {number}" for number in range(2, 6))]
    made = scored([tmp_path], PoolRunner(2), Deadly(Selection(), tuple(fatal)), SMALL._replace(files=1, size=10_000))
    rows_but(scored([tmp_path]), fatal, made)


@posix
def test_a_record_that_cannot_be_read_without_dying(tmp_path: Path) -> None:
    """In a notation that has to be read from the beginning, nothing can be said of what follows it."""
    content = "".join(f"---\n{record(number)}" for number in range(6))
    (tmp_path / "a.yaml").write_text(content)
    (tmp_path / "b.yaml").write_text(content)
    made = scored([tmp_path], PoolRunner(1), Deadly(Selection(), ("game 2", "game 3"), reading=True))
    assert made["index"] == [0, 1, 2] * 2
    assert made["code"][2] == made["code"][5] == "batch/crashed"
    assert made["message"][2].endswith("; what follows it in the file cannot be read, and was not judged")


@posix
def test_a_line_that_cannot_be_read_without_dying(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(map(record, range(6))))
    fatal = ["game 2", "game 3"]
    rows_but(
        scored([tmp_path]), fatal, scored([tmp_path], PoolRunner(1), Deadly(Selection(), tuple(fatal), reading=True))
    )


@pytest.mark.slow
@posix
def test_kills_at_random(tmp_path: Path) -> None:
    """Processes are killed from outside, at work and idle, all the while: the rows are those of an undisturbed run."""
    path = tmp_path / "long.jsonl"
    path.write_text("".join(record(number) for number in range(2_000)))
    compressed = tmp_path / "some.yaml"
    compressed.write_text("".join(f"---\n{record(number)}" for number in range(100)))
    limits = SMALL._replace(size=60_000, whole=1_000_000)
    expected = scored([path, compressed], limits=limits)
    runner = PoolRunner(2)
    chance = Random(1)
    over = Event()
    killed = 0

    def kill() -> None:
        nonlocal killed
        while not over.wait(chance.random() * 0.1) and killed < 30:
            if runner.pool and (pids := runner.pool.pids):
                with suppress(ProcessLookupError):
                    os.kill(chance.choice(pids), chance.choice([signal.SIGKILL, signal.SIGTERM]))
                    killed += 1

    killer = Thread(target=kill)
    killer.start()
    try:
        made = scored([path, compressed], runner, limits=limits)
    finally:
        over.set()
        killer.join()
    assert made == expected
    assert killed


def test_what_vanishes_is_a_row(archive: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(record(0))

    def vanishing() -> Iterator[Any]:
        for chunk in split(Discovery([str(other), str(archive)]), SMALL._replace(files=1)):
            other.unlink(missing_ok=True)
            yield chunk

    (first, *rest) = (batch.gathered for batch in run(vanishing(), ScoreTask(Selection()), lambda: PoolRunner(2)))
    assert (first["code"], first["index"]) == (["syntax/unreadable"], [0])
    assert sum(len(batch["file"]) for batch in rest) == 44


def test_no_more_chunks_are_begun_than_it_takes(archive: Path) -> None:
    taken = 0

    def counted() -> Iterator[Any]:
        nonlocal taken
        for chunk in split(Discovery([str(archive)]), SMALL):
            taken += 1
            yield chunk

    found = run(counted(), ScoreTask(Selection()), lambda: PoolRunner(2))
    next(found)
    assert taken == 5  # two for each process, and the first
    found.close()


def test_when_a_run_is_given_up_its_processes_end(archive: Path) -> None:
    pool = PoolRunner(2)
    found = run(split(Discovery([str(archive)]), SMALL), ScoreTask(Selection()), lambda: pool)
    next(found)
    assert pool.pool is not None
    pids = [pid for pid in pool.pool.pids if pid]
    assert pids
    found.close()
    assert pool.pool.pids == []
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@posix
def test_the_only_chunk_is_done_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text("".join(map(record, range(5))))
    made = scored([path], PoolRunner(1), Deadly(Selection(), ("game 3",)), SMALL._replace(size=100_000))
    rows_but(scored([path]), ["game 3"], made)


def test_one_chunk_takes_no_other_process(archive: Path) -> None:
    def refused() -> Runner:
        raise AssertionError

    batches = list(run(split(Discovery([str(archive)])), ScoreTask(Selection()), refused, small_here=True))
    assert len(batches) == 1


@pytest.mark.slow
@untidy
def test_a_cluster_that_is_there_already(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalCluster(2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
        runner = ClusterRunner(cluster.scheduler_address, 1)
        assert scored([archive, archive], runner) == scored([archive, archive])
        assert_errors_are_rows(archive, runner)
        with monkeypatch.context() as lowered:
            lowered.setitem(IN_FORCE, "MAX_DEPTH", IN_FORCE["MAX_DEPTH"] - 1)
            with pytest.raises(RunnerError, match="has other limits: set the same HEXREC_MAX_… in the environment"):
                scored([archive], runner)
        monkeypatch.setattr("hexrec.batch.cluster.__version__", "99.0")
        with pytest.raises(RunnerError, match="has other versions of hexrec"):
            scored([archive], runner)


@pytest.mark.slow
@untidy
def test_a_cluster_that_loses_its_processes_is_waited_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text("".join(record(number) for number in range(40)))
    given_up: list[Any] = []
    monkeypatch.setattr("hexrec.batch.cluster._PATIENCE", 1)
    monkeypatch.setattr("hexrec.batch.cluster._restart", lambda _, future: given_up.append(future))
    made: list[Any] = []
    with LocalCluster(n_workers=1, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:
        runner = ClusterRunner(cluster.scheduler_address, 1)
        chunks = split(Discovery([str(path)]), SMALL)
        for number, batch in enumerate(run(chunks, ScoreTask(Selection()), lambda: runner)):
            made += batch.gathered["id"]
            if number == 0:
                cluster.sync(cluster.workers[0].close)
    assert made == scored([path])["id"]
    assert len(given_up) == 1


@untidy
def test_a_cluster_that_is_not_there() -> None:
    with pytest.raises(RunnerError, match="cannot be used"):
        scored([__file__, __file__], ClusterRunner("no scheduler here", 1), limits=SMALL._replace(files=1))
