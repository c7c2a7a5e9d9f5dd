"""Bounded pool of worker processes, for an event loop or for threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import Any

from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.child import Prepare
from hexrec.parallel.process import TaskError, Worker, WorkerDied

#: The maximum number of attempts to start a worker that dies before it is ready.
_ATTEMPTS = 10
#: The timeout in seconds for a new worker to become ready.
_START = 60.0


class Pool:
    """A pool of up to `size` worker processes, started on demand.

    Attributes:
        size: the maximum number of workers.
        closed: whether the pool is closed.
    """

    def __init__(self, size: int, prepare: Prepare, on_lost: Callable[[str], object] = lambda _: None) -> None:
        """`on_lost` is called when a worker is lost, with ``time`` after a timeout, else with ``gone``."""
        self.size = size
        self._prepare = prepare
        self._on_lost = on_lost
        self._slots = asyncio.Semaphore(size)
        self._workers: set[Worker] = set()
        self._ready: list[Worker] = []
        self._spawning = 0
        self.closed = False

    @property
    def workers(self) -> int:
        """The number of living workers."""
        return sum(worker.alive for worker in list(self._workers))

    @property
    def idle(self) -> int:
        """The number of idle workers."""
        return sum(worker.alive for worker in list(self._ready))

    @property
    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return [worker.pid for worker in list(self._workers)]

    async def run(self, task: object, seconds: float) -> list[Any]:
        """Return the parts of the answer to a task, with a timeout in seconds.

        Raises TaskError, WorkersUnavailable.
        """
        worker = await self.take()
        try:
            return await worker.run(task, seconds)
        finally:
            self.release(worker)

    async def take(self) -> Worker:
        """Wait for an idle worker, or start one. The caller must release it.

        Raises WorkersUnavailable.
        """
        await self._slots.acquire()
        try:
            if self.closed:
                raise WorkersUnavailable("the work has ended")
            while self._ready:
                worker = self._ready.pop()
                if worker.alive:
                    return worker
                await worker.stop()
                self._discard(worker)
            return await self._start()
        except BaseException:
            self._slots.release()
            raise

    def release(self, worker: Worker) -> None:
        """Return a worker to the pool; discard it if it has ended."""
        if worker.alive:
            self._ready.append(worker)
        else:
            self._discard(worker)
        self._slots.release()

    async def fill(self) -> None:
        """Start a worker if there are fewer than `size`. Raises WorkersUnavailable."""
        async with self._slots:
            if not self.closed and len(self._workers) + self._spawning < self.size:
                self._ready.append(await self._start())

    async def close(self) -> None:
        """Stop all workers, including busy ones."""
        self.closed = True
        await asyncio.gather(*(worker.stop() for worker in self._workers))
        self._workers.clear()
        self._ready.clear()

    def _discard(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if not self.closed:
            self._on_lost("time" if worker.timed_out else "gone")

    async def _start(self) -> Worker:
        reason = ""
        for _ in range(_ATTEMPTS):
            worker = await self._spawn()
            try:
                if self.closed:
                    await worker.stop()
                await worker.run(self._prepare, _START)
                return worker
            except TaskError as error:
                await worker.stop()
                reason = str(error)
                # A worker that died may have been killed from outside: try again.
                if self.closed or not isinstance(error, WorkerDied):
                    break
            finally:
                if not worker.alive:
                    self._workers.discard(worker)
        raise WorkersUnavailable(f"no process can be started: {reason}")

    async def _spawn(self) -> Worker:
        self._spawning += 1
        try:
            worker = await Worker.spawn()
        finally:
            self._spawning -= 1
        self._workers.add(worker)
        return worker


@contextmanager
def in_thread(pool: Pool) -> Iterator[Callable[[object, float], Future[list[Any]]]]:
    """Run a pool in a thread; yield a function that submits a task with a timeout. Close the pool at the end."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="workers", daemon=True)
    thread.start()
    try:
        yield lambda task, seconds: asyncio.run_coroutine_threadsafe(pool.run(task, seconds), loop)
    finally:
        asyncio.run_coroutine_threadsafe(_end(pool), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end(pool: Pool) -> None:
    await pool.close()
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}), return_exceptions=True)
