"""Queue tasks for worker processes, and handle timeouts and crashes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

from hexrec.parallel import TaskFailed, TaskTimeout, WorkerDied, WorkersUnavailable
from hexrec.parallel.workers import Pool
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task
from hexrec.server.worker import prepare

_LOG = logging.getLogger("hexrec.server")


class Dispatcher:
    """A pool of workers that does the tasks of requests.

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

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        """Return the answer to a task and its duration in seconds, as `Pool.run` does. Raises Problem."""
        try:
            (answer,), spent = await self.pool.run(task, seconds, bulk=bulk, wait=self._wait)
        except WorkersUnavailable:
            raise Problem("busy", "no worker was free in time") from None
        except WorkerDied:
            raise Problem("busy", "2 processes working on this body ended") from None
        except TaskTimeout:
            raise Problem("too-much-work", "timeout: send fewer or shorter records in a body") from None
        except TaskFailed as error:
            _LOG.error("a task failed", extra={"data": {"traceback": error.traceback}})
            raise Problem("failed", "this is an error in hexrec: report it, with the body") from None
        if isinstance(answer, Problem):
            raise answer
        return answer, spent

    def _report_loss(self, cause: str, reason: str) -> None:
        if cause == "start":
            _LOG.error("a worker cannot be started", extra={"data": {"reason": reason}})
            return
        if cause == "gone":
            _LOG.error("a worker ended", extra={"data": {"reason": reason}})
        self._on_lost(cause)
