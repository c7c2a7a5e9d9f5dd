"""A bounded pool of processes, for an event loop or from threads without one."""

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

#: How often in a row a process may end before it is ready, until starting one fails.
_ATTEMPTS = 10
#: How many seconds a new process may take until it is ready.
_START = 60.0


class Pool:
    """Up to `size` processes, each started when it is needed.

    Attributes:
        size: how many processes there may be.
        closed: whether it does no more tasks.
    """

    def __init__(self, size: int, prepare: Prepare, on_lost: Callable[[str], object] = lambda _: None) -> None:
        """`on_lost` is called when a process has to be replaced: its `time` was over, or it is `gone`."""
        self.size = size
        self._prepare = prepare
        self._on_lost = on_lost
        self._room = asyncio.Semaphore(size)
        self._workers: set[Worker] = set()
        self._ready: list[Worker] = []
        self._spawning = 0
        self.closed = False

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

    async def run(self, task: object, seconds: float) -> list[Any]:
        """Return the parts of the answer to a task, on which a process may work for so many seconds.

        Raises TaskError, or WorkersUnavailable if there is no process for it.
        """
        worker = await self.take()
        try:
            return await worker.run(task, seconds)
        finally:
            self.release(worker)

    async def take(self) -> Worker:
        """Wait for a process that has nothing to do, or start one; it is to be released.

        Raises WorkersUnavailable.
        """
        await self._room.acquire()
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
        """Start a process if there is room for one. Raises WorkersUnavailable."""
        async with self._room:
            if not self.closed and len(self._workers) + self._spawning < self.size:
                self._ready.append(await self._start())

    async def close(self) -> None:
        """End all processes, whatever they are doing."""
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
                if self.closed or not isinstance(error, WorkerDied):  # or else killed by someone else, perhaps
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
