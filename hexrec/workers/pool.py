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
    """Processes that do tasks. Any number of threads may ask for one; each waits until one has room for its task."""

    def __init__(
        self, limit: int, startup: Startup, on_lost: Callable[[LossReason], None] | None = None, depth: int = 1
    ) -> None:
        """Up to `limit` processes are started as they are needed; `on_lost` is called for each that is lost.

        A process is sent up to `depth` tasks. With two, it need not wait for the next one, which this process may be
        too busy to send at once.
        """
        self._limit = limit
        self._depth = depth
        self._startup = startup
        self._on_lost = on_lost
        #: The processes, and how many tasks each has.
        self._tasks: dict[Worker, int] = {}
        self._starting = 0
        self._changed = Condition()
        self._closed = False

    @property
    def workers(self) -> int:
        """How many processes there are."""
        with self._changed:
            return sum(worker.alive for worker in self._tasks)

    @property
    def idle(self) -> int:
        """How many of them have nothing to do."""
        with self._changed:
            return sum(not tasks for tasks in self._tasks.values())

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        with self._changed:
            return [worker.pid for worker in self._tasks]

    def run(self, task: object, seconds: float) -> Any:
        """Return what came of a task, on which a process is at work for so many seconds at most.

        Raises TaskTimeout, WorkerDied and TaskFailed; WorkerStartError and PoolClosed if there is no process for it.
        """
        while True:
            worker = self._acquire()
            try:
                answer = worker.run(task, seconds)
            except (TaskTimeout, WorkerDied):
                self.discard(worker, "time" if worker.timed_out else "gone")
                raise
            except TaskNotDelivered:  # perhaps since the task before it took too long
                self.discard(worker, "time" if worker.timed_out else "gone")
            except TaskFailed:
                self.release(worker)
                raise
            except BaseException:  # such as a task that cannot travel, or an interrupt
                self.discard(worker, "gone")
                raise
            else:
                self.release(worker)
                return answer

    def take(self) -> Worker | None:
        """Return a process that was free, which is to be released or discarded; None if there is none."""
        with self._changed:
            return self._with_room(1)

    def release(self, worker: Worker) -> None:
        """Note that a process has done a task."""
        with self._changed:
            if worker in self._tasks:
                self._tasks[worker] -= 1
                self._changed.notify_all()

    def discard(self, worker: Worker, reason: LossReason, seconds: float = 0) -> str:
        """End a process and say how it ended; another may be started. It has some seconds to end by itself."""
        how = worker.stop(seconds)
        with self._changed:
            known = self._tasks.pop(worker, None) is not None
            self._changed.notify_all()
        if known and self._on_lost is not None:
            self._on_lost(reason)
        return how

    def fill(self, on_started: Callable[[], None] = lambda: None) -> None:
        """Start processes until there are as many as there may be, with a call for each. Raises WorkerStartError."""
        while True:
            with self._changed:
                if self._closed or len(self._tasks) + self._starting >= self._limit:
                    return
                self._starting += 1
            self.release(self._start())
            on_started()

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        with self._changed:
            self._closed = True
            workers = list(self._tasks)
            self._tasks.clear()
            self._changed.notify_all()
        for worker in workers:
            worker.stop()

    def _acquire(self) -> Worker:
        """Return a process with room for a task, a free one or a new one first. Raises WorkerStartError, PoolClosed."""
        while True:
            with self._changed:
                if self._closed:
                    raise PoolClosed
                worker = self._with_room(1)
                if worker is None and len(self._tasks) + self._starting < self._limit:
                    self._starting += 1
                    break
                worker = worker or self._with_room(self._depth)
                if worker is None:
                    self._changed.wait()
                    continue
            if worker.alive:
                return worker
            self.discard(worker, "gone")
        return self._start()

    def _with_room(self, depth: int) -> Worker | None:
        """Return a process with fewer than `depth` tasks and as few as there are, which has one more now."""
        worker = min(self._tasks, key=self._tasks.__getitem__, default=None)
        if worker is None or self._tasks[worker] >= depth:
            return None
        self._tasks[worker] += 1
        return worker

    def _start(self) -> Worker:
        """Start a process for which there is room, with a task for it. Raises WorkerStartError, PoolClosed."""
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
                    self._tasks[worker] = 1
                self._changed.notify_all()
        assert worker is not None
        if ended:
            worker.stop()
            raise PoolClosed
        return worker
