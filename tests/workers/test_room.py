"""How a pool counts its processes and their tasks, with processes that are only talked of."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from hexrec.workers import Pool, PoolClosed, Startup, TaskFailed, TaskTimeout, WorkerDied, WorkerStartError
from hexrec.workers.process import TaskNotDelivered
from tests.workers import handlers

STARTUP = Startup(handlers.prepare)


class Talked:
    """A worker that does what its pool has in store for it.

    Attributes:
        made: all of them, in the order in which they were started.
        failing: what the next starts raise.
        starting: is called when one is started.
    """

    made: list[Talked]
    failing: list[Exception]
    starting: Callable[[], object]

    def __init__(self, startup: Startup) -> None:
        assert startup is STARTUP
        Talked.starting()
        if Talked.failing:
            raise Talked.failing.pop(0)
        self.alive = True
        self.timed_out = False
        self.stopped: list[float] = []
        self.pid = len(Talked.made)
        Talked.made.append(self)

    def run(self, task: Any, seconds: float) -> Any:
        return task(self, seconds)

    def stop(self, seconds: float = 0) -> str:
        self.stopped.append(seconds)
        self.alive = False
        return f"how {self.pid} ended"


@pytest.fixture(autouse=True)
def talked(monkeypatch: pytest.MonkeyPatch) -> None:
    Talked.made, Talked.failing, Talked.starting = [], [], lambda: None
    monkeypatch.setattr("hexrec.workers.pool.Worker", Talked)


class Counted:
    """A pool, and what it has lost."""

    def __init__(self, limit: int, **options: int) -> None:
        self.lost: list[str] = []
        self.pool = Pool(limit, STARTUP, self.lost.append, **options)

    @property
    def state(self) -> tuple[int, int, list[str]]:
        return self.pool.workers, self.pool.idle, self.lost


def pid(worker: Talked, _seconds: float) -> int:
    return worker.pid


def raising(error: BaseException, *, late: bool = False) -> Callable[[Talked, float], None]:
    def task(worker: Talked, _seconds: float) -> None:
        worker.timed_out = late
        raise error

    return task


def test_a_task_has_its_seconds_and_a_process_without_a_task() -> None:
    counted = Counted(2)
    assert counted.pool.run(lambda _, seconds: seconds, 2.5) == 2.5
    assert counted.pool.run(pid, 1) == 0
    assert counted.state == (1, 1, [])


@pytest.mark.parametrize(
    ("error", "late", "reason"),
    [
        (TaskTimeout(), True, "time"),
        (WorkerDied("how"), False, "gone"),
        (WorkerDied("how"), True, "time"),
        (KeyboardInterrupt(), False, "gone"),
        (ZeroDivisionError(), True, "gone"),
    ],
)
def test_a_process_is_lost_with_its_task(error: BaseException, late: bool, reason: str) -> None:
    counted = Counted(1)
    with pytest.raises(type(error)):
        counted.pool.run(raising(error, late=late), 1)
    assert counted.state == (0, 0, [reason])
    assert Talked.made[0].stopped == [0]
    assert counted.pool.run(pid, 1) == 1


def test_a_task_that_fails_leaves_its_process() -> None:
    counted = Counted(1)
    with pytest.raises(TaskFailed):
        counted.pool.run(raising(TaskFailed("why")), 1)
    assert counted.state == (1, 1, [])
    assert Talked.made[0].stopped == []


@pytest.mark.parametrize(("late", "reason"), [(True, "time"), (False, "gone")])
def test_a_task_that_was_not_delivered_goes_to_another_process(late: bool, reason: str) -> None:
    counted = Counted(1)

    def task(worker: Talked, _seconds: float) -> str:
        if worker.pid < 2:
            worker.timed_out = late
            raise TaskNotDelivered
        return "done"

    assert counted.pool.run(task, 1) == "done"
    assert counted.state == (1, 1, [reason, reason])


def test_an_idle_process_that_is_gone_is_replaced() -> None:
    counted = Counted(1)
    counted.pool.run(pid, 1)
    Talked.made[0].alive = False
    assert counted.pool.workers == 0
    assert counted.pool.run(pid, 1) == 1
    assert counted.state == (1, 1, ["gone"])


def test_a_pool_need_not_tell_what_it_has_lost() -> None:
    pool = Pool(1, STARTUP)
    with pytest.raises(WorkerDied):
        pool.run(raising(WorkerDied("how")), 1)
    assert pool.workers == 0


def test_processes_that_are_taken_are_not_given_again() -> None:
    """They may be given back, or lost: then one counts once, however often that is said."""
    counted = Counted(3)
    assert counted.pool.take() is None
    begun: list[int] = []
    counted.pool.fill(lambda: begun.append(counted.pool.idle))
    assert (begun, counted.pool.pids) == ([1, 2, 3], [0, 1, 2])
    counted.pool.fill(lambda: begun.append(0))
    assert len(begun) == 3
    taken = [counted.pool.take() for _ in range(4)]
    assert [each and each.pid for each in taken] == [0, 1, 2, None]
    first, second, third, _ = taken
    assert first
    assert second
    assert third
    counted.pool.release(second)
    assert counted.pool.idle == 1
    assert counted.pool.take() is second
    assert counted.pool.discard(third, "time", 2.5) == "how 2 ended"
    assert counted.pool.discard(third, "time") == "how 2 ended"
    counted.pool.release(third)
    assert counted.state == (2, 0, ["time"])
    assert Talked.made[2].stopped == [2.5, 0]
    counted.pool.fill()
    assert counted.state == (3, 1, ["time"])


def test_a_process_with_the_fewest_tasks_gets_the_next() -> None:
    """Each gets a first task before any gets a second; no more than the depth, for which others wait."""
    counted = Counted(2, depth=2)
    go = Event()
    given: list[int] = []

    def task(worker: Talked, _seconds: float) -> int:
        given.append(worker.pid)
        go.wait(60)
        return worker.pid

    with ThreadPoolExecutor(5) as threads:
        running = []
        for number in range(4):
            running.append(threads.submit(counted.pool.run, task, 1))
            while len(given) <= number and not running[-1].done():
                go.wait(0.001)
        waiting = threads.submit(counted.pool.run, task, 1)
        go.wait(0.05)
        assert sorted(given[:2]) == sorted(given[2:]) == [0, 1]
        assert (len(given), counted.state) == (4, (2, 0, []))
        go.set()
        assert waiting.result() in (0, 1)
        assert sorted(each.result() for each in running) == [0, 0, 1, 1]
    assert counted.state == (2, 2, [])


@pytest.mark.parametrize("starts", [9, 10])
def test_a_process_is_started_ten_times_if_it_dies(starts: int) -> None:
    counted = Counted(1)
    Talked.failing = [WorkerStartError(f"death {number}", died=True) for number in range(starts)]
    if starts < 10:
        assert counted.pool.run(pid, 1) == 0
        assert counted.state == (1, 1, [])
    else:
        with pytest.raises(WorkerStartError, match="death 9"):
            counted.pool.run(pid, 1)
        assert counted.state == (0, 0, [])
    # Nothing counts as being started that is not.
    counted.pool.fill()
    assert counted.state == (1, 1, [])


def test_a_process_that_cannot_start_is_not_tried_again() -> None:
    counted = Counted(1)
    Talked.failing = [WorkerStartError("no tables"), WorkerStartError("never raised")]
    with pytest.raises(WorkerStartError, match="no tables"):
        counted.pool.run(pid, 1)
    assert len(Talked.failing) == 1


def test_no_process_is_tried_again_for_a_pool_that_is_closed() -> None:
    counted = Counted(1)
    Talked.failing = [WorkerStartError("it died", died=True), WorkerStartError("never raised")]
    Talked.starting = counted.pool.close
    with pytest.raises(WorkerStartError, match="it died"):
        counted.pool.run(pid, 1)
    assert len(Talked.failing) == 1


def test_a_process_that_starts_while_its_pool_is_closed_is_ended() -> None:
    counted = Counted(1)
    Talked.starting = counted.pool.close
    with pytest.raises(PoolClosed):
        counted.pool.run(pid, 1)
    assert Talked.made[0].stopped == [0]
    assert counted.state == (0, 0, [])


def test_a_process_has_one_task_unless_it_may_have_more() -> None:
    counted = Counted(1)
    go = Event()
    given: list[int] = []

    def task(worker: Talked, _seconds: float) -> None:
        given.append(worker.pid)
        go.wait(60)

    with ThreadPoolExecutor(2) as threads:
        running = [threads.submit(counted.pool.run, task, 1) for _ in range(2)]
        while not given:
            go.wait(0.001)
        go.wait(0.05)
        assert given == [0]
        go.set()
        assert [each.result() for each in running] == [None, None]


@pytest.mark.parametrize("filled", [True, False])
def test_no_more_processes_start_at_once_than_there_may_be(filled: bool) -> None:
    counted = Counted(2)
    go = Event()
    begun: list[None] = []

    def starting() -> None:
        begun.append(None)
        go.wait(60)

    Talked.starting = starting
    with ThreadPoolExecutor(4) as threads:
        running = [
            threads.submit(counted.pool.fill) if filled else threads.submit(counted.pool.run, pid, 1) for _ in range(4)
        ]
        while len(begun) < 2:
            go.wait(0.001)
        counted.pool.fill()
        go.wait(0.05)
        assert len(begun) == 2
        go.set()
        assert {each.result() for each in running} <= {0, 1, None}
    assert counted.state == (2, 2, [])


def test_a_closed_pool_ends_its_processes_and_takes_no_task() -> None:
    counted = Counted(3)
    counted.pool.fill()
    taken = counted.pool.take()
    assert taken
    counted.pool.close()
    assert [each.stopped for each in Talked.made] == [[0], [0], [0]]
    counted.pool.release(taken)
    counted.pool.discard(taken, "gone")
    counted.pool.fill()
    assert counted.state == (0, 0, [])
    assert len(Talked.made) == 3
    with pytest.raises(PoolClosed):
        counted.pool.run(pid, 1)
