"""A bounded pool of processes, for an event loop or from threads without one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Thread
from typing import Any, Literal

from hexrec.parallel.child import Prepare
from hexrec.parallel.process import Worker, WorkerStartError

#: How often in a row a process may end before it is ready, until starting one fails.
_ATTEMPTS = 10
#: Why a process has to be replaced.
LossReason = Literal["time", "gone"]


class PoolClosed(Exception):
    """A task for a pool that is closed."""


class Pool:
    """Up to `size` processes, each started when it is needed.

    Attributes:
        size: how many processes there may be.
    """

    def __init__(self, size: int, prepare: Prepare, on_lost: Callable[[LossReason], None] = lambda _: None) -> None:
        """`on_lost` is called for each process that has ended without being asked to."""
        self.size = size
        self._prepare = prepare
        self._on_lost = on_lost
        self._room = asyncio.Semaphore(size)
        self._workers: set[Worker] = set()
        self._ready: list[Worker] = []
        self._unready: set[Worker] = set()
        self._starting = 0
        self._closed = False

    @property
    def workers(self) -> int:
        """How many processes there are."""
        return sum(worker.alive for worker in list(self._workers))

    @property
    def idle(self) -> int:
        """How many of them have nothing to do."""
        return sum(worker.alive for worker in list(self._ready))

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [worker.pid for worker in list(self._workers)]

    async def run(self, task: object, seconds: float) -> Any:
        """Return the result of a task, on which a process may work for so many seconds.

        Raises TaskTimeout, WorkerDied and TaskFailed; WorkerStartError and PoolClosed if there is no process for it.
        """
        worker = await self.take()
        try:
            return await worker.run(task, seconds)
        finally:
            self.release(worker)

    async def take(self) -> Worker:
        """Wait for a process that has nothing to do, or start one; it is to be released.

        Raises WorkerStartError, PoolClosed.
        """
        await self._room.acquire()
        try:
            if self._closed:
                raise PoolClosed
            while self._ready:
                worker = self._ready.pop()
                if worker.alive:
                    return worker
                await worker.stop()
                self._discard(worker)
            return await self._start()
        except BaseException:
            self._room.release()
            raise

    def release(self, worker: Worker) -> None:
        """Take back a process, which may be gone."""
        if worker.alive:
            self._ready.append(worker)
        else:
            self._discard(worker)
        self._room.release()

    async def fill(self) -> None:
        """Start a process if there is room for one. Raises WorkerStartError, PoolClosed."""
        async with self._room:
            if not self._closed and len(self._workers) + self._starting < self.size:
                self._ready.append(await self._start())

    async def close(self) -> None:
        """End all processes, whatever they are doing."""
        self._closed = True
        await asyncio.gather(*(worker.stop() for worker in self._workers | self._unready))
        self._workers.clear()
        self._ready.clear()

    def _discard(self, worker: Worker) -> None:
        self._workers.discard(worker)
        if not self._closed:
            self._on_lost("time" if worker.timed_out else "gone")

    async def _start(self) -> Worker:
        self._starting += 1
        try:
            for attempt in range(1, _ATTEMPTS + 1):
                try:
                    worker = await self._try_to_start()
                except WorkerStartError as error:
                    if self._closed:
                        break
                    if attempt == _ATTEMPTS or not error.died:
                        raise
                else:
                    self._workers.add(worker)
                    return worker
        finally:
            self._starting -= 1
        raise PoolClosed

    async def _try_to_start(self) -> Worker:
        worker = await Worker.spawn()
        self._unready.add(worker)
        try:
            if self._closed:
                await worker.stop()
            await worker.prepare(self._prepare)
        finally:
            self._unready.discard(worker)
        return worker


@contextmanager
def in_thread(pool: Pool) -> Iterator[Callable[[object, float], Future[Any]]]:
    """Run a pool in a thread; yield what has a task done, as `Pool.run`. The pool is closed at the end."""
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
