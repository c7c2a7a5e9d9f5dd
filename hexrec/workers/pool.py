"""A pool of processes: so many and no more, each killed when it takes too long, each that ends is replaced."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition
from typing import Any, Literal

from hexrec.workers.process import (
    Startup,
    TaskFailed,
    TaskNotDelivered,
    TaskTimeout,
    Worker,
    WorkerDied,
    WorkerStartError,
)

#: Why a worker had to be replaced.
LossReason = Literal["time", "gone"]
#: How often in a row a process may end before it is ready, until it is said that none can be started.
_ATTEMPTS = 10


class PoolClosed(Exception):
    """A task for a pool that is closed."""


class Pool:
    """Processes that do tasks. Any number of threads may ask for one; each waits until one is free."""

    def __init__(self, limit: int, startup: Startup, on_lost: Callable[[LossReason], None] | None = None) -> None:
        """Up to `limit` processes are started as they are needed; `on_lost` is called for each that is lost."""
        self._limit = limit
        self._startup = startup
        self._on_lost = on_lost
        self._free: list[Worker] = []
        self._workers: set[Worker] = set()
        self._starting = 0
        self._changed = Condition()
        self._closed = False

    @property
    def workers(self) -> int:
        """How many processes there are."""
        with self._changed:
            return sum(worker.alive for worker in self._workers)

    @property
    def idle(self) -> int:
        """How many of them have nothing to do."""
        return len(self._free)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        with self._changed:
            return [worker.pid for worker in self._workers]

    def run(self, task: object, seconds: float) -> Any:
        """Return what came of a task, on which a process is at work for so many seconds at most.

        Raises TaskTimeout, WorkerDied and TaskFailed; WorkerStartError and PoolClosed if there is no process for it.
        """
        while True:
            worker = self._acquire()
            try:
                answer = worker.run(task, seconds)
            except (TaskTimeout, WorkerDied) as error:
                self._discard(worker, "time" if isinstance(error, TaskTimeout) else "gone")
                raise
            except TaskNotDelivered:
                self._discard(worker, "gone")
            except TaskFailed:
                self._release(worker)
                raise
            except BaseException:  # such as a task that cannot travel, or an interrupt
                self._discard(worker, "gone")
                raise
            else:
                self._release(worker)
                return answer

    def fill(self) -> None:
        """Start processes until there are as many as there may be. Raises WorkerStartError."""
        while True:
            with self._changed:
                if self._closed or len(self._workers) + self._starting >= self._limit:
                    return
                self._starting += 1
            self._release(self._start())

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        with self._changed:
            self._closed = True
            workers = list(self._workers)
            self._workers.clear()
            self._free.clear()
            self._changed.notify_all()
        for worker in workers:
            worker.stop()

    def _acquire(self) -> Worker:
        """Return a process that is free, or a new one, or wait for one. Raises WorkerStartError, PoolClosed."""
        while True:
            with self._changed:
                if self._closed:
                    raise PoolClosed
                if self._free:
                    worker = self._free.pop()
                elif len(self._workers) + self._starting < self._limit:
                    self._starting += 1
                    break
                else:
                    self._changed.wait()
                    continue
            if worker.alive:
                return worker
            self._discard(worker, "gone")
        return self._start()

    def _start(self) -> Worker:
        """Start a process for which there is room. Raises WorkerStartError, PoolClosed."""
        worker = None
        try:
            for attempt in range(_ATTEMPTS):
                try:
                    worker = Worker(self._startup)
                    break
                except WorkerStartError as error:
                    if self._closed or not error.died or attempt == _ATTEMPTS - 1:
                        raise
        finally:
            with self._changed:
                self._starting -= 1
                ended = self._closed
                if worker is not None and not ended:
                    self._workers.add(worker)
                self._changed.notify_all()
        assert worker is not None
        if ended:
            worker.stop()
            raise PoolClosed
        return worker

    def _release(self, worker: Worker) -> None:
        with self._changed:
            if worker in self._workers:
                self._free.append(worker)
                self._changed.notify_all()

    def _discard(self, worker: Worker, reason: LossReason) -> None:
        worker.stop()
        with self._changed:
            known = worker in self._workers
            self._workers.discard(worker)
            self._changed.notify_all()
        if known and self._on_lost is not None:
            self._on_lost(reason)
