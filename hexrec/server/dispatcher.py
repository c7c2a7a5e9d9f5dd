"""Hands the tasks of requests to the processes of a pool: how long who waits, and what becomes of tasks that fail."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Event
from time import perf_counter

from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task
from hexrec.workers import Handler, Pool, PoolClosed, Startup, TaskFailed, TaskTimeout, WorkerDied, WorkerStartError

_LOG = logging.getLogger("hexrec.server")
#: How many seconds pass before another attempt to start processes.
_PAUSE = 1.0


class Dispatcher:
    """Processes, and the tasks that wait for one.

    Large bodies get all processes but one, if there are several: however many there are, small ones do not wait for
    them.

    Attributes:
        pool: the processes.
    """

    def __init__(self, workers: int, memory: int, wait: float, on_lost: Callable[[str], None]) -> None:
        """`memory` is what each process may have, `wait` how many seconds a task may wait for one.

        `on_lost` is called when a process has to be replaced, with the reason: `time` or `gone`.
        """
        self._wait = wait
        self._on_lost = on_lost
        self.pool = Pool(workers, Startup(partial(_prepare_worker, memory), ("hexrec.server.warmup",)), self._refill)
        self._bulk = asyncio.Semaphore(max(1, workers - 1))
        self._threads = ThreadPoolExecutor(workers, "worker")
        self._starter = ThreadPoolExecutor(1, "starter")
        self._stopped = Event()

    async def start(self) -> None:
        """Start the processes."""
        await asyncio.wrap_future(self._starter.submit(self._fill))

    async def stop(self) -> None:
        """End all processes."""
        self._stopped.set()
        self.pool.close()
        for threads in (self._threads, self._starter):
            threads.shutdown(cancel_futures=True)

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        """Return the answer to a task and how many seconds it took. Raises Problem.

        If nobody waits for the answer any more, the task is not begun, but once begun it is finished.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + self._wait
        if bulk:
            try:
                await asyncio.wait_for(self._bulk.acquire(), self._wait)
            except TimeoutError:
                raise _busy() from None
        begun = self._threads.submit(self._work, task, seconds)
        if bulk:
            begun.add_done_callback(partial(self._release, loop))
        answer = asyncio.wrap_future(begun)
        try:
            await asyncio.wait([answer], timeout=max(0.0, end - loop.time()))
            if not answer.done() and begun.cancel():
                raise _busy()
            return await answer
        finally:
            answer.cancel()

    def _release(self, loop: asyncio.AbstractEventLoop, _: Future[tuple[Answer, float]]) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._bulk.release)

    def _work(self, task: Task, seconds: float) -> tuple[Answer, float]:
        begun = perf_counter()
        try:
            answer = self.pool.run(task, seconds)
        except TaskTimeout:
            raise Problem("too-much-work", "send fewer records in a body, or shorter ones") from None
        except WorkerDied as death:
            _LOG.error("a worker ended", extra={"data": {"reason": str(death)}})
            raise Problem("failed", "the process working on this body ended") from None
        except TaskFailed as error:
            _LOG.error("a task failed", extra={"data": {"traceback": str(error)}})
            raise Problem("failed", "this is an error in hexrec: report it, with the body") from None
        except (WorkerStartError, PoolClosed):
            raise _busy() from None
        if isinstance(answer, Problem):
            raise answer
        assert isinstance(answer, Answer)
        return answer, perf_counter() - begun

    def _refill(self, reason: str) -> None:
        self._on_lost(reason)
        with suppress(RuntimeError):  # the service has been stopped meanwhile
            self._starter.submit(self._fill)

    def _fill(self) -> None:
        """Start the processes that are missing, however long that takes."""
        while not self._stopped.is_set():
            try:
                self.pool.fill()
            except PoolClosed:
                return
            except WorkerStartError as error:
                _LOG.error("a worker cannot be started", extra={"data": {"reason": str(error)}})
                self._stopped.wait(_PAUSE)
            else:
                return


def _busy() -> Problem:
    return Problem("busy", "no worker was free in time")


def _prepare_worker(memory: int) -> Handler:
    """Prepare a process that may have so many bytes of memory."""
    from hexrec.server import warmup

    del warmup
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
