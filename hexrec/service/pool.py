"""The workers of the service: so many and no more, each killed when it takes too long, each that ends replaced."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from hexrec.service.problems import Problem
from hexrec.service.work import Answer, Task
from hexrec.service.worker import Crash, Gone, Overrun, Worker

_LOG = logging.getLogger("hexrec.service")
#: How many seconds pass before another attempt to start a worker.
_PAUSE = 1.0


class Pool:
    """Workers, and the tasks that wait for one.

    Large bodies get all workers but one, if there are several: however many there are, small ones do not wait for them.

    Attributes:
        killed: is called when a worker had to be replaced, with the reason: `time` or `gone`.
    """

    def __init__(self, workers: int, memory: int, wait: float, killed: Callable[[str], None]) -> None:
        """`memory` is what each worker may have, `wait` how many seconds a task may wait for one."""
        self._count = workers
        self._memory = memory
        self._wait = wait
        self._killed = killed
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._bulk = asyncio.Semaphore(max(1, workers - 1))
        self._threads = ThreadPoolExecutor(workers, "worker")
        self._workers: set[Worker] = set()
        self._going_on: set[asyncio.Task[None] | asyncio.Task[tuple[Answer, float]]] = set()
        self._stopped = False

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return sum(worker.alive for worker in self._workers)

    @property
    def idle(self) -> int:
        """How many of them have nothing to do."""
        return self._free.qsize()

    @property
    def pids(self) -> list[int]:
        """The numbers of their processes."""
        return [worker.pid for worker in self._workers]

    async def start(self) -> None:
        """Start the workers."""
        await asyncio.gather(*(self._add() for _ in range(self._count)))

    async def stop(self) -> None:
        """End all workers."""
        self._stopped = True
        for task in list(self._going_on):
            task.cancel()
        for worker in self._workers:
            worker.kill()
        self._workers.clear()
        self._threads.shutdown(cancel_futures=True)

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        """Return the answer to a task and how many seconds it took. Raises Problem.

        If nobody waits for the answer any more, the task is not begun, but once begun it is finished.
        """
        try:
            async with asyncio.timeout(self._wait):
                if bulk:
                    await self._bulk.acquire()
                try:
                    worker = await self._next()
                except BaseException:
                    if bulk:
                        self._bulk.release()
                    raise
        except TimeoutError:
            raise Problem("busy", "no worker was free in time") from None
        job = asyncio.create_task(self._work(worker, task, seconds, bulk))
        self._keep(job)
        return await asyncio.shield(job)

    async def _next(self) -> Worker:
        """Wait for a worker that is free and has not ended while it was."""
        while not (worker := await self._free.get()).alive:
            self._replace(worker, "gone")
        return worker

    async def _work(self, worker: Worker, task: Task, seconds: float, bulk: bool) -> tuple[Answer, float]:
        begun = perf_counter()
        lost = None
        try:
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, worker.do, task, seconds)
            return answer, perf_counter() - begun
        except Overrun:
            lost = "time"
            raise Problem("too-much-work", "send fewer records in a body, or shorter ones") from None
        except Gone as error:
            lost = "gone"
            _LOG.error("a worker ended", extra={"data": {"reason": str(error)}})
            raise Problem("failed", "the process at work on this body ended") from None
        except Crash as error:
            _LOG.error("a task failed", extra={"data": {"traceback": str(error)}})
            raise Problem("failed", "this is an error in hexrec: report it, with the body") from None
        finally:
            if bulk:
                self._bulk.release()
            if lost is None:
                self._free.put_nowait(worker)
            elif not self._stopped:
                self._replace(worker, lost)

    def _replace(self, worker: Worker, reason: str) -> None:
        self._workers.discard(worker)
        self._killed(reason)
        self._keep(asyncio.create_task(self._add()))

    async def _add(self) -> None:
        while not self._stopped:
            try:
                worker = await asyncio.get_running_loop().run_in_executor(self._threads, Worker, self._memory)
            except Gone as error:
                _LOG.error("a worker cannot be started", extra={"data": {"reason": str(error)}})
                await asyncio.sleep(_PAUSE)
            else:
                self._workers.add(worker)
                self._free.put_nowait(worker)
                return

    def _keep(self, task: asyncio.Task[None] | asyncio.Task[tuple[Answer, float]]) -> None:
        """Hold a task until it is done, whoever waits for it: else it could be collected."""
        self._going_on.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None] | asyncio.Task[tuple[Answer, float]]) -> None:
        self._going_on.discard(task)
        if not task.cancelled():
            task.exception()
