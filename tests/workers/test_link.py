"""What an event loop asks of a worker: whatever becomes of the process, the task ends, and it is known how."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, cast

import pytest

from hexrec.workers import Startup, TaskFailed, TaskTimeout, Worker, WorkerDied
from hexrec.workers.channel import framed
from hexrec.workers.link import Link
from hexrec.workers.process import TaskNotDelivered, task_message
from tests.workers import handlers
from tests.workers.test_pool import LONG

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
STARTUP = Startup(handlers.prepare, ("tests.workers.handlers",))
LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"asyncio": asyncio.new_event_loop}
try:
    import uvloop
except ImportError:
    pass
else:
    LOOPS["uvloop"] = uvloop.new_event_loop


@pytest.fixture
def worker() -> Iterator[Worker]:
    """A process."""
    found = Worker(STARTUP)
    yield found
    found.stop()


async def asked(link: Link, name: str, value: Any = None, seconds: float = LONG) -> Any:
    """Return what comes of a task, or raise what it ends with."""
    done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def finish(answer: Any, error: Exception | None) -> None:
        if error is None:
            done.set_result(answer)
        else:
            done.set_exception(error)

    link.begin((name, value), seconds, finish)
    return await done


@pytest.fixture(params=LOOPS)
def run(request: pytest.FixtureRequest, worker: Worker) -> Callable[[Callable[[Link], Awaitable[Any]]], Any]:
    """Call what asks a worker, in each kind of event loop."""

    async def connected(ask: Callable[[Link], Awaitable[Any]]) -> Any:
        link = Link(worker)
        await link.open()
        try:
            return await ask(link)
        finally:
            link.close()

    def run_in_loop(ask: Callable[[Link], Awaitable[Any]]) -> Any:
        with asyncio.Runner(loop_factory=LOOPS[request.param]) as runner:
            return runner.run(connected(ask))

    return run_in_loop


Run = Callable[[Callable[[Link], Awaitable[Any]]], Any]


def test_one_task_after_the_other(run: Run, worker: Worker) -> None:
    async def ask(link: Link) -> list[Any]:
        return [await asked(link, "echo", b"x" * 5_000_000), await asked(link, "pid"), link.lost]

    assert run(ask) == [b"x" * 5_000_000, worker.pid, False]


@pytest.mark.parametrize("task", ["raise", "unpicklable"])
def test_an_error_in_a_task_leaves_the_worker_as_it_is(run: Run, task: str) -> None:
    async def ask(link: Link) -> Any:
        with pytest.raises(TaskFailed, match="Traceback"):
            await asked(link, task, "no reason")
        return await asked(link, "echo", 1)

    assert run(ask) == 1


@pytest.mark.parametrize(
    ("task", "value", "seconds", "error"),
    [
        ("signal", signal.SIGKILL, LONG, WorkerDied),
        ("exit", 3, LONG, WorkerDied),
        ("half", signal.SIGKILL, LONG, WorkerDied),
        ("half", signal.SIGSTOP, 0.1, TaskTimeout),
        ("sleep", LONG, 0.1, TaskTimeout),
    ],
)
def test_a_task_ends_with_its_worker(run: Run, task: str, value: Any, seconds: float, error: type[Exception]) -> None:
    async def ask(link: Link) -> bool:
        with pytest.raises(error):
            await asked(link, task, value, seconds)
        return link.lost

    assert run(ask)


@pytest.mark.parametrize("size", [1, 5_000_000])
def test_a_worker_that_is_gone_has_not_begun_a_task(run: Run, worker: Worker, size: int) -> None:
    async def ask(link: Link) -> bool:
        os.kill(worker.pid, signal.SIGKILL)
        while worker.alive:
            time.sleep(0.001)  # the event loop is not to see it before the task
        with pytest.raises(TaskNotDelivered):
            await asked(link, "echo", b"x" * size)
        return link.lost

    assert run(ask)


def test_a_link_that_is_closed_ends_the_task(run: Run) -> None:
    async def ask(link: Link) -> bool:
        waiting = asyncio.ensure_future(asked(link, "sleep", LONG))
        await asyncio.sleep(0)
        link.close()
        with pytest.raises(WorkerDied):
            await waiting
        return link.lost

    assert run(ask)


class Connection:
    """In the place of a connection: what was sent, and how much of it is still to go."""

    def __init__(self, left: int) -> None:
        self.left = left
        self.sent: list[bytes] = []
        self.cut = False

    def write(self, data: bytes) -> None:
        self.sent.append(data)

    def abort(self) -> None:
        self.cut = True

    def get_write_buffer_size(self) -> int:
        return self.left


class Loop(asyncio.SelectorEventLoop):
    """An event loop that keeps its timers."""

    def __init__(self) -> None:
        super().__init__()
        self.timers: list[asyncio.TimerHandle] = []

    def call_later(self, *arguments: Any, **options: Any) -> asyncio.TimerHandle:  # type: ignore[override]
        self.timers.append(super().call_later(*arguments, **options))
        return self.timers[-1]


def told(left: int, hear: Callable[[Link], None]) -> tuple[Any, Exception | None, bool]:
    """Return what comes of a task by what a link hears, and whether it is lost. Its time ends with the task."""
    found: list[tuple[Any, Exception | None]] = []

    async def ask() -> bool:
        link, connection = Link(cast(Worker, None)), Connection(left)
        link.connection_made(cast(asyncio.Transport, connection))
        link.begin(("echo", 1), LONG, lambda *answer: found.append(answer))
        hear(link)
        assert connection.sent == [framed(task_message(("echo", 1)))]
        assert connection.cut == link.lost
        return link.lost

    with asyncio.Runner(loop_factory=Loop) as runner:
        lost = runner.run(ask())
        (timer,) = cast(Loop, runner.get_loop()).timers
        assert timer.cancelled()
    ((answer, error),) = found
    return answer, error, lost


def test_an_answer_ends_the_time_of_its_task() -> None:
    assert told(0, lambda link: link.data_received(framed(pickle.dumps((True, 7))))) == (7, None, False)


def test_what_is_no_answer_ends_the_worker() -> None:
    answer, error, lost = told(0, lambda link: link.data_received(framed(b"nothing of the kind")))
    assert (answer, type(error), lost) == (None, WorkerDied, True)


@pytest.mark.parametrize(("left", "kind"), [(0, WorkerDied), (1, TaskNotDelivered)])
def test_a_task_of_which_a_part_is_left_was_not_begun(left: int, kind: type[Exception]) -> None:
    answer, error, lost = told(left, Link.eof_received)
    assert (answer, type(error), lost) == (None, kind, True)


def test_a_link_that_was_never_opened_can_be_closed() -> None:
    """The service may be stopped before a connection is there."""
    link = Link(cast(Worker, None))
    link.close()
    assert not link.lost


def test_a_worker_that_ends_between_tasks_is_lost() -> None:
    link = Link(cast(Worker, None))
    link.connection_made(cast(asyncio.Transport, Connection(0)))
    link.connection_lost(None)
    assert link.lost
