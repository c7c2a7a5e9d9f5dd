"""Hands the tasks of requests to the processes of a pool: how long who waits, and what becomes of tasks that fail."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any

from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task
from hexrec.workers import (
    Handler,
    LossReason,
    Pool,
    PoolClosed,
    Startup,
    TaskFailed,
    TaskTimeout,
    Worker,
    WorkerStartError,
)
from hexrec.workers.link import Link
from hexrec.workers.process import LEAVE, TaskNotDelivered

_LOG = logging.getLogger("hexrec.server")
#: How many seconds pass before another attempt to start processes.
_PAUSE = 1.0


class _Job:
    """A task that waits for a process, or on which one is at work.

    Attributes:
        answer: what comes of it, and how many seconds that took; done before that if nobody waits for it any more.
        running: whether a process is at work on it.
        bulk: whether it still counts as a large one.
    """

    def __init__(self, task: Task, seconds: float, bulk: bool, loop: asyncio.AbstractEventLoop) -> None:
        self.task = task
        self.seconds = seconds
        self.bulk = bulk
        self.answer: asyncio.Future[tuple[Answer, float]] = loop.create_future()
        self.running = False
        self.begun = 0.0

    def settle(self, result: Answer | Problem, spent: float = 0.0) -> None:
        """Give the answer to whoever still waits for it."""
        if self.answer.done():
            return
        if isinstance(result, Problem):
            self.answer.set_exception(result)
        else:
            self.answer.set_result((result, spent))


class Dispatcher:
    """Processes, and the tasks that wait for one.

    Large bodies get all processes but one, if there are several: however many there are, small ones do not wait for
    them. The event loop speaks to the processes itself; threads only start and end them, which takes a while.

    Attributes:
        pool: the processes.
    """

    def __init__(self, workers: int, memory: int, wait: float, on_lost: Callable[[str], None]) -> None:
        """`memory` is what each process may have, `wait` how many seconds a task may wait for one.

        `on_lost` is called when a process has to be replaced, with the reason: `time` or `gone`.
        """
        self._wait = wait
        self._on_lost = on_lost
        self.pool = Pool(workers, Startup(partial(_prepare_worker, memory), ("hexrec.server.tasks",)), self._refill)
        self._bulk = asyncio.Semaphore(max(1, workers - 1))
        self._waiting: deque[_Job] = deque()
        self._links: dict[Worker, Link] = {}
        self._side_tasks: set[asyncio.Task[object]] = set()
        self._loop: asyncio.AbstractEventLoop
        self._starter = ThreadPoolExecutor(1, "starter")
        self._enders = ThreadPoolExecutor(workers, "ender")
        self._stopped = Event()

    async def start(self) -> None:
        """Start the processes. If that fails, it is tried again while requests are answered already."""
        self._loop = asyncio.get_running_loop()
        await self._loop.run_in_executor(self._starter, self._fill)

    async def stop(self) -> None:
        """End all processes."""
        self._stopped.set()
        for link in list(self._links.values()):
            link.close()
        self.pool.close()
        for threads in (self._starter, self._enders):
            threads.shutdown(cancel_futures=True)

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        """Return the answer to a task and how many seconds it took. Raises Problem.

        If nobody waits for the answer any more, the task is not begun, but once begun it is finished.
        """
        end = self._loop.time() + self._wait
        if bulk:
            try:
                await asyncio.wait_for(self._bulk.acquire(), self._wait)
            except TimeoutError:
                raise _busy() from None
        job = _Job(task, seconds, bulk, self._loop)
        self._waiting.append(job)
        self._begin_next()
        patience = None if job.running else self._loop.call_at(end, self._give_up, job)
        try:
            return await job.answer
        finally:
            job.answer.cancel()
            if patience is not None:
                patience.cancel()
            if not job.running:
                self._release_bulk(job)

    def _give_up(self, job: _Job) -> None:
        if not job.running:
            job.settle(_busy())

    def _release_bulk(self, job: _Job) -> None:
        if job.bulk:
            job.bulk = False
            self._bulk.release()

    def _begin_next(self) -> None:
        """Give the tasks that wait to the processes that are free."""
        while self._waiting:
            if self._waiting[0].answer.done():
                self._waiting.popleft()
                continue
            link = self._free_link()
            if link is None:
                return
            job = self._waiting.popleft()
            job.running, job.begun = True, self._loop.time()
            link.begin(job.task, job.seconds, partial(self._finish, link, job))

    def _free_link(self) -> Link | None:
        while (worker := self.pool.take()) is not None:
            link = self._links.get(worker)
            if link is None:
                self._aside(self._connect(worker))
            elif link.lost:
                self._aside(self._end(link, "gone"))
            else:
                return link
        return None

    async def _connect(self, worker: Worker) -> None:
        """Connect the event loop to a process that was started, and let it be free again."""
        link = self._links[worker] = Link(worker)
        try:
            await link.open()
        except OSError:  # the service has been stopped meanwhile, or has too many open files
            await self._end(link, "gone")
            return
        self.pool.release(worker)
        self._begin_next()

    def _finish(self, link: Link, job: _Job, answer: Any, error: Exception | None) -> None:
        """Take what came of a task."""
        job.running = False
        if link.lost:
            self._aside(self._fail(link, job, error))
            return
        self.pool.release(link.worker)
        self._release_bulk(job)
        self._begin_next()
        if error is None:
            job.settle(answer, self._loop.time() - job.begun)
        else:
            assert isinstance(error, TaskFailed)
            _LOG.error("a task failed", extra={"data": {"traceback": str(error)}})
            job.settle(Problem("failed", "this is an error in hexrec: report it, with the body"))

    async def _fail(self, link: Link, job: _Job, error: Exception | None) -> None:
        """Replace the process that a task has cost, or that has not taken it."""
        if self._stopped.is_set():
            job.settle(_busy())
        elif isinstance(error, TaskNotDelivered):
            self._waiting.appendleft(job)
            await self._end(link, "gone")
        elif isinstance(error, TaskTimeout):
            await self._end(link, "time")
            self._release_bulk(job)
            job.settle(Problem("too-much-work", "send fewer records in a body, or shorter ones"))
        else:
            how = await self._end(link, "gone", LEAVE)
            self._release_bulk(job)
            _LOG.error("a worker ended", extra={"data": {"reason": how}})
            job.settle(Problem("failed", "the process working on this body ended"))

    async def _end(self, link: Link, reason: LossReason, seconds: float = 0) -> str:
        """End a process, wait until it is gone, and say how it ended. Once the service stops, the pool ends all."""
        self._links.pop(link.worker, None)
        if self._stopped.is_set():
            return "stopped"
        return await self._loop.run_in_executor(self._enders, self.pool.discard, link.worker, reason, seconds)

    def _aside(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something while others are answered."""
        task = self._loop.create_task(work)
        self._side_tasks.add(task)
        task.add_done_callback(self._side_tasks.discard)

    def _refill(self, reason: str) -> None:
        self._on_lost(reason)
        with suppress(RuntimeError):  # the service has been stopped meanwhile
            self._starter.submit(self._fill)

    def _fill(self) -> None:
        """Start the processes that are missing; if that fails, try again after a pause."""
        try:
            self.pool.fill(self._note_started)
        except PoolClosed:
            pass
        except WorkerStartError as error:
            _LOG.error("a worker cannot be started", extra={"data": {"reason": str(error)}})
            with suppress(RuntimeError):  # the service has been stopped meanwhile
                self._starter.submit(self._fill_later)

    def _fill_later(self) -> None:
        if not self._stopped.wait(_PAUSE):
            self._fill()

    def _note_started(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._begin_next)


def _busy() -> Problem:
    return Problem("busy", "no worker was free in time")


def _prepare_worker(memory: int) -> Handler:
    """Prepare a process that may have so many bytes of memory."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return _run_task


def _run_task(task: Task) -> Answer | Problem:
    try:
        return task.answer()
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem("too-much-memory", "send fewer records in a body, or shorter ones")
