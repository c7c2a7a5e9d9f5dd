"""Queue tasks for worker processes, and handle timeouts and crashes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.workers import Pool, TaskFailed, TaskTimeout, Worker, WorkerDied
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task
from hexrec.server.worker import prepare

_LOG = logging.getLogger("hexrec.server")
#: The maximum number of workers that may end on one task.
_TRIES = 2


class Dispatcher:
    """A pool of workers and a queue of tasks.

    Large bodies use all workers but one, so that small bodies need not wait for them.

    Attributes:
        pool: the worker processes.
    """

    def __init__(self, workers: int, memory: int, wait: float, on_lost: Callable[[str], object]) -> None:
        """`memory` is the limit of each worker in bytes, `wait` the timeout in the queue in seconds.

        `on_lost` is called with the cause, `time` or `gone`, when a worker is replaced.
        """
        self._wait = wait
        self._on_lost = on_lost
        self.pool = Pool(workers, partial(prepare, memory), self._report_loss)
        self._bulk = asyncio.Semaphore(max(1, workers - 1))
        self._running: set[asyncio.Task[Any]] = set()

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        """Return the answer to a task and its duration in seconds. Raises Problem.

        Cancellation drops a queued task. A running task is finished, because stopping it would cost a worker.
        """
        clock = asyncio.get_running_loop().time
        for _ in range(_TRIES):
            worker, places = await self._take(bulk)
            begun = clock()
            work = asyncio.create_task(self._work(worker, places, task, seconds))
            self._running.add(work)  # protects it from garbage collection
            work.add_done_callback(self._running.discard)
            try:
                answer = await asyncio.shield(work)
            except WorkerDied:
                seconds -= clock() - begun
            else:
                return answer, clock() - begun
        raise Problem("busy", f"{_TRIES} processes working on this body ended")

    async def _take(self, bulk: bool) -> tuple[Worker, ExitStack]:
        """Return an idle worker and a stack that releases it. Raises Problem."""
        with ExitStack() as places:
            try:
                async with asyncio.timeout(self._wait):
                    if bulk:
                        await self._bulk.acquire()
                        places.callback(self._bulk.release)
                    worker = await self.pool.take()
            except (TimeoutError, WorkersUnavailable):
                raise Problem("busy", "no worker was free in time") from None
            places.callback(self.pool.release, worker)
            return worker, places.pop_all()

    async def _work(self, worker: Worker, places: ExitStack, task: Task, seconds: float) -> Answer:
        """Run a task on a worker. Raises Problem and WorkerDied."""
        with places:
            try:
                (answer,) = await worker.run(task, seconds)
            except TaskTimeout:
                raise Problem("too-much-work", "timeout: send fewer or shorter records in a body") from None
            except TaskFailed as error:
                _LOG.error("a task failed", extra={"data": {"traceback": error.traceback}})
                raise Problem("failed", "this is an error in hexrec: report it, with the body") from None
        if isinstance(answer, Problem):
            raise answer
        result: Answer = answer
        return result

    def _report_loss(self, cause: str, reason: str) -> None:
        if cause == "start":
            _LOG.error("a worker cannot be started", extra={"data": {"reason": reason}})
            return
        if cause == "gone":
            _LOG.error("a worker ended", extra={"data": {"reason": reason}})
        self._on_lost(cause)
