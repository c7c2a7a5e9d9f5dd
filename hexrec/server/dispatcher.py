"""Hands the tasks of requests to worker processes: queueing, timeouts, processes that end."""

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
#: How many seconds the service waits for its processes before it answers requests.
_PATIENCE = 10.0
#: How many seconds pass before another attempt to start a process.
_PAUSE = 1.0
#: How many processes a task may cost that end while they work on it.
_TRIES = 2


class Dispatcher:
    """A pool of processes, and the tasks that wait for one.

    Large bodies get all processes but one, if there are several: small ones do not wait for them.

    Attributes:
        pool: the processes.
    """

    def __init__(self, workers: int, memory: int, wait: float, on_lost: Callable[[str], None]) -> None:
        """`memory` is the limit of each process, `wait` how many seconds a task may wait for one.

        `on_lost` is called when a process has to be replaced, with the reason: `time` or `gone`.
        """
        self._wait = wait
        self.pool = Pool(workers, partial(prepare, memory), on_lost)
        self._bulk = asyncio.Semaphore(max(1, workers - 1))
        self._side_tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Start the processes. Those that cannot be started at once are started while requests are answered."""
        await asyncio.wait([self._aside(self._fill()) for _ in range(self.pool.size)], timeout=_PATIENCE)

    async def stop(self) -> None:
        """End all processes."""
        await self.pool.close()
        for task in self._side_tasks:
            task.cancel()

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        """Return the answer to a task and how many seconds it took. Raises Problem.

        If the caller is canceled, the task is not begun, but once begun it is finished: that costs no process.
        """
        clock = asyncio.get_running_loop().time
        for _ in range(_TRIES):
            worker, places = await self._take(bulk)
            begun = clock()
            work = self._aside(self._work(worker, places, task, seconds))
            try:
                answer = await asyncio.shield(work)
            except WorkerDied as death:
                _LOG.error("a worker ended", extra={"data": {"reason": str(death)}})
                seconds -= clock() - begun
            else:
                return answer, clock() - begun
        raise Problem("busy", f"{_TRIES} processes working on this body ended")

    async def _take(self, bulk: bool) -> tuple[Worker, ExitStack]:
        """Return a process that has nothing to do, and what gives up the places of its task. Raises Problem."""
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
            self._aside(self._fill())

    async def _work(self, worker: Worker, places: ExitStack, task: Task, seconds: float) -> Answer:
        """Have a process do a task. Raises Problem, and WorkerDied."""
        with places:
            try:
                (answer,) = await worker.run(task, seconds)
            except TaskTimeout:
                raise Problem("too-much-work", "send fewer records in a body, or shorter ones") from None
            except TaskFailed as error:
                _LOG.error("a task failed", extra={"data": {"traceback": str(error)}})
                raise Problem("failed", "this is an error in hexrec: report it, with the body") from None
        if isinstance(answer, Problem):
            raise answer
        found: Answer = answer
        return found

    async def _fill(self, pause: float = 0) -> None:
        """Start a process that is missing; if that fails, try again after a pause."""
        await asyncio.sleep(pause)
        try:
            await self.pool.fill()
        except WorkersUnavailable as error:
            if self.pool.closed:
                return
            _LOG.error("a worker cannot be started", extra={"data": {"reason": str(error)}})
            self._aside(self._fill(_PAUSE))

    def _aside(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something that goes on when nobody waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._side_tasks.add(task)
        task.add_done_callback(self._side_tasks.discard)
        return task
