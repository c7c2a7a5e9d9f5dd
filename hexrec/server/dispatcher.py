"""Queue tasks for worker processes, and handle timeouts and crashes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from functools import partial
from typing import Any

from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.process import TaskFailed, TaskTimeout, Worker, WorkerDied
from hexrec.parallel.worker_pool import Pool
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task
from hexrec.server.worker import prepare

_LOG = logging.getLogger("hexrec.server")
#: Seconds that the service waits for its workers before it accepts requests.
_PATIENCE = 10.0
#: Seconds before another attempt to start a worker.
_PAUSE = 1.0
#: The maximum number of workers that may crash on one task.
_TRIES = 2


class Dispatcher:
    """A pool of workers and a queue of tasks.

    Large bodies use all workers but one, so that small bodies need not wait for them.

    Attributes:
        pool: the worker processes.
    """

    def __init__(self, workers: int, memory: int, wait: float, on_lost: Callable[[str], None]) -> None:
        """`memory` is the limit of each worker in bytes, `wait` the timeout in the queue in seconds.

        `on_lost` is called with the reason, `time` or `gone`, when a worker is replaced.
        """
        self._wait = wait
        self.pool = Pool(workers, partial(prepare, memory), on_lost)
        self._bulk = asyncio.Semaphore(max(1, workers - 1))
        self._side_tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Start the workers. Attempts that fail are repeated in the background."""
        await asyncio.wait([self._spawn(self._fill()) for _ in range(self.pool.size)], timeout=_PATIENCE)

    async def stop(self) -> None:
        """End all workers."""
        await self.pool.close()
        for task in self._side_tasks:
            task.cancel()

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        """Return the answer to a task and its duration in seconds. Raises Problem.

        Cancellation drops a queued task. A running task is finished, because stopping it would cost a worker.
        """
        clock = asyncio.get_running_loop().time
        for _ in range(_TRIES):
            worker, places = await self._take(bulk)
            begun = clock()
            work = self._spawn(self._work(worker, places, task, seconds))
            try:
                answer = await asyncio.shield(work)
            except WorkerDied as death:
                _LOG.error("a worker ended", extra={"data": {"reason": str(death)}})
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
            places.callback(self._release, worker)
            return worker, places.pop_all()

    def _release(self, worker: Worker) -> None:
        self.pool.release(worker)
        if not worker.alive:
            self._spawn(self._fill())

    async def _work(self, worker: Worker, places: ExitStack, task: Task, seconds: float) -> Answer:
        """Run a task on a worker. Raises Problem and WorkerDied."""
        with places:
            try:
                (answer,) = await worker.run(task, seconds)
            except TaskTimeout:
                raise Problem("too-much-work", "timeout: send fewer or shorter records in a body") from None
            except TaskFailed as error:
                _LOG.error("a task failed", extra={"data": {"traceback": str(error)}})
                raise Problem("failed", "this is an error in hexrec: report it, with the body") from None
        if isinstance(answer, Problem):
            raise answer
        result: Answer = answer
        return result

    async def _fill(self, pause: float = 0) -> None:
        """Start a missing worker; if that fails, try again after a pause."""
        await asyncio.sleep(pause)
        try:
            await self.pool.fill()
        except WorkersUnavailable as error:
            if self.pool.closed:
                return
            _LOG.error("a worker cannot be started", extra={"data": {"reason": str(error)}})
            self._spawn(self._fill(_PAUSE))

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a coroutine in the background, with a reference against garbage collection."""
        task = asyncio.get_running_loop().create_task(work)
        self._side_tasks.add(task)
        task.add_done_callback(self._side_tasks.discard)
        return task
