"""A pool of processes: whatever becomes of a process, its task ends, and the next task is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import get_all_start_methods
from pathlib import Path
from typing import Any

import pytest

from hexrec.workers import Pool, PoolClosed, Startup, TaskFailed, TaskTimeout, WorkerDied, WorkerStartError
from tests.workers import handlers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
#: Longer than any task takes on the busiest machine.
LONG = 300.0
STARTUP = Startup(handlers.prepare, ("tests.workers.handlers",))
METHODS = ["forkserver", "spawn"]


class Watched:
    """A pool that tells what it has lost."""

    def __init__(self, startup: Startup, limit: int = 1, depth: int = 1) -> None:
        self.lost: list[str] = []
        self.pool = Pool(limit, startup, self.lost.append, depth)

    def run(self, name: str, value: Any = None, seconds: float = LONG) -> Any:
        return self.pool.run((name, value), seconds)


@pytest.fixture(params=METHODS)
def watched(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """A pool, also as it is where processes cannot be forked from another one."""
    monkeypatch.setattr("hexrec.workers.process.get_all_start_methods", lambda: [request.param])
    found = Watched(STARTUP)
    yield found
    found.pool.close()


def test_where_the_name_of_a_socket_would_be_too_long(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path.joinpath("a" * 60, "b" * 60)
    folder.mkdir(parents=True)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    assert STARTUP.context().get_start_method() == "spawn"
    monkeypatch.setattr("tempfile.tempdir", "/tmp")
    assert STARTUP.context().get_start_method() == "forkserver"


def is_gone(pid: int) -> bool:
    """Return whether a process is gone, or will be in a moment."""
    for _ in range(1200):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_a_process_does_one_task_after_the_other(watched: Watched) -> None:
    assert watched.pool.workers == 0
    assert watched.run("echo", b"x" * 5_000_000) == b"x" * 5_000_000
    assert watched.run("pid") == watched.run("pid") == watched.pool.pids[0]
    assert (watched.pool.workers, watched.pool.idle, watched.lost) == (1, 1, [])


@pytest.mark.parametrize("before", [{}, {"PYTHONSAFEPATH": ""}, {"PYTHONSAFEPATH": "1"}])
def test_the_environment_is_as_before(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, before: dict[str, str]
) -> None:
    """Programs that are started later import what lies next to them, as before."""
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    for name, value in before.items():
        monkeypatch.setenv(name, value)
    assert watched.run("pid") == watched.pool.pids[0]
    assert {name: value for name, value in os.environ.items() if name == "PYTHONSAFEPATH"} == before


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_a_process_that_is_killed_at_work_is_replaced(watched: Watched, number: signal.Signals) -> None:
    before = watched.run("pid")
    with pytest.raises(WorkerDied, match=f"it was ended by {number.name}"):
        watched.run("signal", number)
    assert watched.run("pid") != before
    assert (watched.pool.workers, watched.lost) == (1, ["gone"])


def test_a_process_that_ends_by_itself_is_replaced(watched: Watched) -> None:
    with pytest.raises(WorkerDied, match="it ended with exit code 3"):
        watched.run("exit", 3)
    assert watched.run("echo", 1) == 1


@pytest.mark.parametrize(("task", "value"), [("sleep", LONG), ("signal", signal.SIGSTOP), ("half", signal.SIGSTOP)])
def test_a_task_that_takes_too_long_is_ended(watched: Watched, task: str, value: Any) -> None:
    before = watched.run("pid")
    with pytest.raises(TaskTimeout):
        watched.run(task, value, 0.5)
    assert is_gone(before)
    assert watched.run("pid") != before
    assert watched.lost == ["time"]


def test_a_process_that_is_stopped_does_not_take_the_task(watched: Watched) -> None:
    """A message has to fit into what the system holds for it, or there is nobody who reads on."""
    os.kill(watched.run("pid"), signal.SIGSTOP)
    with pytest.raises(TaskTimeout):
        watched.run("echo", b"x" * 5_000_000, 0.5)
    assert watched.run("echo", 1) == 1


def test_an_answer_that_is_cut_off_is_no_answer(watched: Watched) -> None:
    with pytest.raises(WorkerDied):
        watched.run("half", signal.SIGKILL)
    assert watched.run("echo", 1) == 1


def test_nobody_notices_a_process_that_dies_idle(watched: Watched) -> None:
    pid = watched.run("pid")
    os.kill(pid, signal.SIGKILL)
    assert watched.run("echo", b"x" * 5_000_000)
    assert watched.run("pid") != pid
    assert watched.lost == ["gone"]


@pytest.mark.parametrize("task", ["raise", "unpicklable"])
def test_an_error_leaves_the_process_as_it_is(watched: Watched, task: str) -> None:
    before = watched.run("pid")
    with pytest.raises(TaskFailed, match="Traceback"):
        watched.run(task, "no reason")
    assert watched.run("pid") == before


def test_a_process_that_cannot_prepare_itself() -> None:
    pool = Pool(1, Startup(handlers.cannot_prepare))
    with pytest.raises(WorkerStartError, match="no process can be started: RuntimeError: no tables"):
        pool.run(("echo", 1), LONG)


def test_processes_that_die_before_they_are_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.workers.pool._ATTEMPTS", 2)
    pool = Pool(1, Startup(handlers.die))
    for _ in range(2):
        with pytest.raises(WorkerStartError, match="it was ended by SIGKILL"):
            pool.run(("echo", 1), LONG)


@pytest.fixture
def deep() -> Iterator[Watched]:
    """A pool of one process, which is sent a task while it is at work on another."""
    found = Watched(STARTUP, depth=2)
    yield found
    found.pool.close()


def both(watched: Watched, *first: Any, then: tuple[Any, ...]) -> tuple[Future[Any], Future[Any]]:
    """Return what came of two tasks, of which the second is sent while the first, which takes a while, is done."""
    watched.run("pid")
    with ThreadPoolExecutor(2) as threads:
        begun = threads.submit(watched.run, *first)
        while watched.pool.idle and not begun.done():
            time.sleep(0.001)
        return begun, threads.submit(watched.run, *then)


@pytest.mark.parametrize("size", [1, 5_000_000])
def test_a_task_that_was_sent_ahead_has_its_own_answer_and_time(deep: Watched, size: int) -> None:
    """Also one that does not fit into what the system holds: its rest is sent when the process reads on."""
    first, second = both(deep, "sleep", 1.5, then=("echo", b"x" * size, 1.2))
    assert (first.result(), second.result()) == (None, b"x" * size)
    assert (deep.pool.workers, deep.pool.idle, deep.lost) == (1, 1, [])


@pytest.mark.parametrize("size", [1, 5_000_000])
@pytest.mark.parametrize(
    ("first", "error", "reason"),
    [
        (("sleep", LONG, 0.5), TaskTimeout, "time"),
        (("later", ("signal", signal.SIGKILL)), WorkerDied, "gone"),
        (("later", ("half", signal.SIGKILL)), WorkerDied, "gone"),
    ],
)
def test_a_process_that_is_lost_takes_no_task_with_it_that_was_sent_ahead(
    deep: Watched, first: tuple[Any, ...], error: type[Exception], reason: str, size: int
) -> None:
    before = deep.run("pid")
    lost, second = both(deep, *first, then=("echo", b"x" * size))
    with pytest.raises(error):
        lost.result()
    assert second.result() == b"x" * size
    assert deep.run("pid") != before
    assert deep.lost == [reason]


def test_an_error_takes_no_task_with_it_that_was_sent_ahead(deep: Watched) -> None:
    failed, second = both(deep, "later", ("raise", "no reason"), then=("pid",))
    with pytest.raises(TaskFailed):
        failed.result()
    assert [second.result()] == deep.pool.pids


def test_so_many_and_no_more() -> None:
    watched = Watched(STARTUP, 2)
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: watched.run("pid"), range(40)))
        assert found == set(watched.pool.pids)
        assert len(found) <= 2
        watched.pool.fill()
        assert (watched.pool.workers, watched.pool.idle) == (2, 2)
        waiting = [threads.submit(watched.run, "sleep", LONG) for _ in range(4)]
        while watched.pool.idle:
            time.sleep(0.01)
        pids = watched.pool.pids
        watched.pool.close()
        for each in waiting:
            with pytest.raises((PoolClosed, WorkerDied)):
                each.result()
    assert all(map(is_gone, pids))
    assert watched.lost == []
    with pytest.raises(PoolClosed):
        watched.run("echo", 1)


PARENT = """
import signal, sys
from threading import Thread
from hexrec.workers import Pool, Startup, process
from tests.workers import handlers
if __name__ == "__main__":
    process.get_all_start_methods = lambda: [sys.argv[1]]
    pool = Pool(2, Startup(handlers.prepare, ("tests.workers.handlers",)))
    pool.fill()
    for name, value in (("sleep", 600), ("signal", signal.SIGSTOP)):
        Thread(target=pool.run, args=((name, value), 600), daemon=True).start()
    print(*pool.pids, flush=True)
    signal.pause()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a stopped process is not ended")
@pytest.mark.parametrize("method", METHODS)
def test_no_process_outlives_its_parent(method: str) -> None:
    """Neither one that is at work nor one that is stopped, though the parent has no time to end them."""
    with subprocess.Popen([sys.executable, "-c", PARENT, method], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        time.sleep(0.2)  # until the tasks have begun, or a little before: both are right
        parent.kill()
        parent.wait()
        assert len(pids) == 2
        assert all(map(is_gone, pids))


@pytest.mark.skipif("forkserver" not in get_all_start_methods(), reason="processes are not forked here")
def test_an_interrupt_while_the_first_process_starts_is_not_seen() -> None:
    program = (
        "from hexrec.workers import Pool, Startup\n"
        "from tests.workers import handlers\n"
        "pool = Pool(1, Startup(handlers.prepare, ('tests.workers.interrupted',)))\n"
        "print(pool.run(('pid', None), 60) in pool.pids)\n"
        "pool.close()\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("True\n", "", 0)
