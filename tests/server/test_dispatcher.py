"""Who gets a process, and what becomes of a task that fails: with processes that only seem to be some."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar, cast

import pytest

from hexrec.server import dispatcher
from hexrec.server.dispatcher import Dispatcher
from hexrec.server.limits import MEBIBYTE
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task
from hexrec.summary import Summary
from hexrec.workers import PoolClosed, TaskFailed, TaskTimeout, WorkerDied, WorkerStartError
from hexrec.workers.process import LEAVE, TaskNotDelivered
from tests.processes import PATIENCE
from tests.server import in_process

#: When something should have happened, and all of a test. Faults that keep it from that are to be noticed soon.
SOON, END = (2, 4) if in_process.WANTED else (PATIENCE, 2 * PATIENCE)
ANSWER = Answer(b"", Summary())
FIRST, SECOND, THIRD = (cast(Task, name) for name in ("first", "second", "third"))


class Pool:
    """Has processes that are names, which do nothing.

    Attributes:
        made_with: what it was made with.
        free: the processes that have nothing to do.
        ended: what was discarded, and why.
        threads: the names of the threads in which processes were started and ended.
        refuses: what the next attempts to start processes raise.
    """

    last: Pool
    refuses: ClassVar[list[Exception]] = []

    def __init__(self, limit: int, startup: Any, on_lost: Callable[[str], None]) -> None:
        Pool.last = self
        self.made_with = limit, startup
        self.on_lost = on_lost
        self.all = 0
        self.free: list[str] = []
        self.ended: list[tuple[str, str, float]] = []
        self.threads: set[str] = set()
        self.closed = False

    def fill(self, on_started: Callable[[], None]) -> None:
        self.threads.add(threading.current_thread().name)
        if Pool.refuses:
            raise Pool.refuses.pop(0)
        while self.all - len(self.ended) < self.made_with[0]:
            self.all += 1
            self.free.append(f"worker {self.all}")
            on_started()

    def take(self) -> str | None:
        return self.free.pop(0) if self.free else None

    def release(self, worker: str) -> None:
        assert worker not in self.free
        self.free.append(worker)

    def discard(self, worker: str, reason: str, seconds: float) -> str:
        self.threads.add(threading.current_thread().name)
        self.ended.append((worker, reason, seconds))
        self.on_lost(reason)
        return "killed"

    def close(self) -> None:
        self.closed = True


class Link:
    """What leads to such a process.

    Attributes:
        begun: the links that have a task, with it and its seconds, in order.
    """

    begun: ClassVar[list[tuple[Link, Task, float]]] = []
    all: ClassVar[list[Link]] = []
    broken = 0

    def __init__(self, worker: str) -> None:
        self.worker = worker
        self.lost = False
        self.closed = False
        self.finish: Callable[[Any, Exception | None], None]
        Link.all.append(self)

    async def open(self) -> None:
        await asyncio.sleep(0)
        if Link.broken:
            Link.broken -= 1
            raise OSError

    def begin(self, task: Task, seconds: float, finish: Callable[[Any, Exception | None], None]) -> None:
        Link.begun.append((self, task, seconds))
        self.finish = finish

    def close(self) -> None:
        self.closed = True

    def fail(self, error: Exception) -> None:
        self.lost = True
        self.finish(None, error)


@pytest.fixture(autouse=True)
def nothing_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "Pool", Pool)
    monkeypatch.setattr(dispatcher, "Link", Link)
    monkeypatch.setattr(dispatcher, "_PAUSE", 0.01)
    monkeypatch.setattr(Link, "begun", [])
    monkeypatch.setattr(Link, "all", [])
    monkeypatch.setattr(Link, "broken", 0)
    monkeypatch.setattr(Pool, "refuses", [])


class Case:
    """A dispatcher that has begun.

    Attributes:
        lost: the reasons for which it has lost processes.
    """

    def __init__(self, workers: int, wait: float) -> None:
        self.lost: list[str] = []
        self.dispatcher = Dispatcher(workers, 7 * MEBIBYTE, wait, self.lost.append)
        self.pool = Pool.last

    def run(self, task: Task, *, bulk: bool = False) -> asyncio.Task[tuple[Answer, float]]:
        return asyncio.create_task(self.dispatcher.run(task, 5.0, bulk=bulk))

    async def begun(self, count: int) -> Link:
        """Wait until so many tasks have begun; return the link of the last."""
        await until(lambda: len(Link.begun) >= count)
        assert len(Link.begun) == count
        return Link.begun[-1][0]


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(SOON):
        while not condition():
            await asyncio.sleep(0.001)


async def rest() -> None:
    """Let everything be done that can be."""
    for _ in range(20):
        await asyncio.sleep(0)


def case(
    does: Callable[[Case], Awaitable[None]], *, workers: int = 1, wait: float = PATIENCE, stops: bool = True
) -> Case:
    """Do something with a dispatcher."""

    async def run() -> Case:
        found = Case(workers, wait)
        await found.dispatcher.start()
        await does(found)
        if stops:
            await found.dispatcher.stop()
            await until(lambda: not found.dispatcher._side_tasks)
        return found

    return asyncio.run(asyncio.wait_for(run(), END))


async def refused(asked: asyncio.Task[Any]) -> tuple[str, str]:
    with pytest.raises(Problem) as problem:
        await asked
    return problem.value.name, problem.value.detail


BUSY = ("busy", "no worker was free in time")
#: What the log has beside the words, by these.
Logged = Callable[[], dict[str, dict[str, str]]]


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Logged:
    caplog.set_level(logging.ERROR, "hexrec.server")
    return lambda: {
        entry.getMessage(): vars(entry)["data"] for entry in caplog.records if entry.name == "hexrec.server"
    }


def test_tasks_are_done_one_after_the_other() -> None:
    async def does(own: Case) -> None:
        asked = [own.run(task) for task in (FIRST, SECOND, THIRD)]
        begun = asyncio.get_running_loop().time()
        for count, each in enumerate(asked, 1):
            link = await own.begun(count)
            await rest()
            assert len(Link.begun) == count
            await asyncio.sleep(0.02)
            link.finish(ANSWER, None)
            answer, spent = await each
            assert answer is ANSWER
            assert 0.01 < spent <= asyncio.get_running_loop().time() - begun
        assert [(task, seconds) for _, task, seconds in Link.begun] == [(FIRST, 5.0), (SECOND, 5.0), (THIRD, 5.0)]

    own = case(does)
    assert len(Link.all) == 1
    assert own.pool.free == ["worker 1"]
    assert own.pool.ended == []
    assert own.lost == []
    assert own.pool.closed
    assert Link.all[0].closed
    assert all(name.startswith("starter") for name in own.pool.threads)
    limit, startup = own.pool.made_with
    assert limit == 1
    assert startup.preload == ("hexrec.server.tasks",)
    assert (startup.prepare.func, startup.prepare.args) == (dispatcher._prepare_worker, (7 * MEBIBYTE,))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_large_bodies_leave_a_process_free(workers: int) -> None:
    large = max(1, workers - 1)

    async def does(own: Case) -> None:
        asked = [own.run(FIRST, bulk=True) for _ in range(large + 2)]
        await own.begun(large)
        if workers > 1:
            small = own.run(SECOND)
            link = await own.begun(large + 1)
            link.finish(ANSWER, None)
            await small
        await rest()
        assert own.dispatcher.pool.take() is not None if workers > 1 else own.pool.free == []
        own.pool.free.extend([f"worker {workers}"] * (workers > 1))
        # Each of them makes room for another.
        for link, task, _ in Link.begun:
            if task is FIRST:
                link.finish(ANSWER, None)
                await rest()
        assert len(await asyncio.gather(*asked)) == large + 2

    case(does, workers=workers)


@pytest.mark.parametrize("bulk", [False, True])
def test_a_task_waits_only_so_long(bulk: bool) -> None:
    Pool.refuses = [PoolClosed()]  # there is no process for it

    async def does(own: Case) -> None:
        asked = [own.run(task, bulk=bulk) for task in (FIRST, SECOND, THIRD)]
        assert [await refused(each) for each in asked] == [BUSY] * 3

    case(does, wait=0.05)
    assert Link.begun == []


def test_a_task_that_was_given_up_is_not_begun() -> None:
    async def does(own: Case) -> None:
        first = own.run(FIRST, bulk=True)
        link = await own.begun(1)
        own.dispatcher._wait = 0
        for bulk in (False, True):
            assert await refused(own.run(SECOND, bulk=bulk)) == BUSY
        link.finish(ANSWER, None)
        await first
        # A process is free: it begins at once, and is not given up then.
        last = own.run(THIRD)
        await own.begun(2)
        await asyncio.sleep(0.02)
        link.finish(ANSWER, None)
        await last
        own.dispatcher._wait = PATIENCE
        large = own.run(FIRST, bulk=True)
        await own.begun(3)
        link.finish(ANSWER, None)
        await large

    case(does)
    assert [task for _, task, _ in Link.begun] == [FIRST, THIRD, FIRST]


def test_a_task_for_which_nobody_waits_is_not_begun() -> None:
    async def does(own: Case) -> None:
        first = own.run(FIRST)
        link = await own.begun(1)
        second, third = own.run(SECOND, bulk=True), own.run(THIRD, bulk=True)
        await rest()
        second.cancel()
        await rest()
        link.finish(ANSWER, None)
        await own.begun(2)
        assert Link.begun[-1][1] == THIRD
        third.cancel()  # what has begun is finished
        await rest()
        link.finish(ANSWER, None)
        await first
        last = own.run(FIRST, bulk=True)
        await own.begun(3)
        link.finish(ANSWER, None)
        await last

    case(does)


def test_those_behind_a_task_for_which_nobody_waits_begin_at_once() -> None:
    async def does(own: Case) -> None:
        asked = [own.run(task) for task in (FIRST, SECOND, THIRD)]
        link = await own.begun(1)
        asked[1].cancel()
        await rest()
        link.finish(ANSWER, None)
        assert [task for _, task, _ in Link.begun] == [FIRST, THIRD]
        link.finish(ANSWER, None)
        await asyncio.gather(asked[0], asked[2])

    case(does)


def test_a_large_body_makes_room_for_one_other() -> None:
    async def does(own: Case) -> None:
        first = own.run(FIRST, bulk=True)
        (await own.begun(1)).finish(ANSWER, None)
        await first
        small = [own.run(SECOND) for _ in range(3)]
        await own.begun(4)
        for link, *_ in Link.begun[1:]:
            link.finish(ANSWER, None)
        await asyncio.gather(*small)
        # All three processes are there now, and two of them for large bodies.
        large = [own.run(THIRD, bulk=True) for _ in range(3)]
        await own.begun(6)
        await rest()
        for count in (6, 7):
            (await own.begun(count)).finish(ANSWER, None)
            await rest()
        Link.begun[4][0].finish(ANSWER, None)
        await asyncio.gather(*large)

    case(does, workers=3)


@pytest.mark.parametrize(
    ("error", "ended", "problem"),
    [
        (TaskTimeout(), ("time", 0), ("too-much-work", "send fewer records in a body, or shorter ones")),
        (WorkerDied(), ("gone", LEAVE), ("failed", "the process working on this body ended")),
    ],
)
def test_a_process_that_is_lost_is_replaced(
    error: Exception, ended: tuple[str, float], problem: tuple[str, str], logged: Logged
) -> None:
    async def does(own: Case) -> None:
        asked, next_one = own.run(FIRST, bulk=True), own.run(SECOND, bulk=True)
        (await own.begun(1)).fail(error)
        assert await refused(asked) == problem
        link = await own.begun(2)
        assert link.worker == "worker 2"
        link.finish(ANSWER, None)
        await next_one

    own = case(does)
    assert own.pool.ended == [("worker 1", *ended)]
    assert own.lost == [ended[0]]
    assert {name.partition("_")[0] for name in own.pool.threads} == {"starter", "ender"}
    assert logged() == ({"a worker ended": {"reason": "killed"}} if ended[1] else {})


def test_a_task_that_did_not_arrive_is_the_next_one_again() -> None:
    async def does(own: Case) -> None:
        asked, other = own.run(FIRST), own.run(SECOND)
        (await own.begun(1)).fail(TaskNotDelivered())
        for count, each in ((2, asked), (3, other)):
            (await own.begun(count)).finish(ANSWER, None)
            await each
        assert [task for _, task, _ in Link.begun] == [FIRST, FIRST, SECOND]

    own = case(does)
    assert own.pool.ended == [("worker 1", "gone", 0)]


def test_whoever_leaves_while_a_task_waits_again_makes_room() -> None:
    async def does(own: Case) -> None:
        asked = own.run(FIRST, bulk=True)
        Pool.refuses = [WorkerStartError("no room", died=False)] * 3
        (await own.begun(1)).fail(TaskNotDelivered())
        await rest()
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        other = own.run(SECOND, bulk=True)
        (await own.begun(2)).finish(ANSWER, None)
        await other
        assert Link.begun[-1][1] is SECOND

    case(does)


def test_a_task_in_which_the_program_fails(logged: Logged) -> None:
    async def does(own: Case) -> None:
        for count in (1, 2):
            asked = own.run(FIRST, bulk=True)
            (await own.begun(count)).finish(None, TaskFailed("where"))
            assert await refused(asked) == ("failed", "this is an error in hexrec: report it, with the body")

    own = case(does)
    assert own.pool.ended == []
    assert logged() == {"a task failed": {"traceback": "where"}}


def test_a_process_that_dies_idle_is_not_given_a_task() -> None:
    async def does(own: Case) -> None:
        asked = own.run(FIRST)
        link = await own.begun(1)
        link.finish(ANSWER, None)
        await asked
        link.lost = True
        again = own.run(SECOND)
        other = await own.begun(2)
        assert other.worker == "worker 2"
        other.finish(ANSWER, None)
        await again

    assert case(does).pool.ended == [("worker 1", "gone", 0)]


def test_a_process_that_cannot_be_connected_to() -> None:
    async def does(own: Case) -> None:
        Link.broken = 1
        asked = own.run(FIRST)
        link = await own.begun(1)
        assert link.worker == "worker 2"
        link.finish(ANSWER, None)
        await asked

    assert case(does).pool.ended == [("worker 1", "gone", 0)]


def test_a_service_that_is_stopped_before_it_is_connected(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is done that fails once there are no threads for it, which the log would say."""

    async def does(own: Case) -> None:
        stopped = asyncio.Event()

        async def fail(_: Link) -> None:
            await stopped.wait()
            raise OSError

        monkeypatch.setattr(Link, "open", fail)
        asked = own.run(FIRST)
        await until(lambda: Link.all)
        await own.dispatcher.stop()
        stopped.set()
        await rest()
        asked.cancel()

    own = case(does, stops=False)
    gc.collect()  # what no one has asked a task for is told when that is gone
    assert (own.pool.ended, own.pool.closed, caplog.messages) == ([], True, [])


def test_a_service_that_is_stopped_when_a_process_is_found_dead(caplog: pytest.LogCaptureFixture) -> None:
    async def does(own: Case) -> None:
        asked = own.run(FIRST)
        link = await own.begun(1)
        link.finish(ANSWER, None)
        await asked
        link.lost = True
        asked = own.run(SECOND)
        await asyncio.sleep(0)  # the process is to be ended, which has not begun
        await own.dispatcher.stop()
        await rest()
        asked.cancel()

    own = case(does, stops=False)
    gc.collect()
    assert (own.pool.ended, own.pool.closed, caplog.messages) == ([], True, [])


def test_one_thread_starts_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where they cannot be started, several would try, and complain, at once."""
    go_on = threading.Event()

    async def does(own: Case) -> None:
        asked = [own.run(FIRST), own.run(SECOND)]
        await own.begun(2)
        usual = own.pool.fill
        monkeypatch.setattr(own.pool, "fill", lambda on_started: (go_on.wait(END), usual(on_started)))
        before = set(threading.enumerate())
        try:
            for link, _, _ in tuple(Link.begun):
                link.fail(WorkerDied())
            for each in asked:
                await refused(each)
            started = [each.name for each in set(threading.enumerate()) - before]
            assert {name.partition("_")[0] for name in started} <= {"ender"}
        finally:
            go_on.set()

    own = case(does, workers=2)
    assert own.lost == ["gone", "gone"]


def test_processes_that_cannot_be_started_are_tried_again(logged: Logged) -> None:
    Pool.refuses = [WorkerStartError("no room", died=False), WorkerStartError("no room", died=False)]

    async def does(own: Case) -> None:
        asked = own.run(FIRST)
        (await own.begun(1)).finish(ANSWER, None)
        await asked

    case(does)
    assert logged() == {"a worker cannot be started": {"reason": "no process can be started: no room"}}
    Pool.refuses = [PoolClosed()]
    assert case(lambda _: asyncio.sleep(0)).pool.all == 0


def test_what_is_asked_for_when_it_ends() -> None:
    async def does(own: Case) -> None:
        asked = own.run(FIRST)
        link = await own.begun(1)
        await own.dispatcher.stop()
        link.fail(WorkerDied())
        assert await refused(asked) == BUSY
        # That a process is lost afterwards harms nobody.
        own.pool.on_lost("gone")
        assert own.lost == ["gone"]

    own = case(does, stops=False)
    assert own.pool.ended == []
    own.dispatcher._note_started()


def test_what_a_process_is_prepared_with(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: limits.append(limit))
    does = dispatcher._prepare_worker(99 * MEBIBYTE)
    assert limits == ([(resource.RLIMIT_AS, (99 * MEBIBYTE,) * 2)] if sys.platform == "linux" else [])
    problem = Problem("bad-record", "why")

    class Doing:
        def __init__(self, raised: Exception | None) -> None:
            self.raised = raised

        def answer(self) -> Answer:
            if self.raised:
                raise self.raised
            return ANSWER

    assert does(Doing(None)) is ANSWER
    assert does(Doing(problem)) is problem
    found = does(Doing(MemoryError()))
    assert (found.name, found.detail) == ("too-much-memory", "send fewer records in a body, or shorter ones")
    with pytest.raises(ZeroDivisionError):
        does(Doing(ZeroDivisionError()))
