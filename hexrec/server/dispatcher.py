"""Run tasks on worker processes, and answer timeouts and crashes with problems."""

from __future__ import annotations

import logging
from functools import partial

from hexrec.parallel import TaskFailed, TaskTimeout, WorkerDied, WorkersUnavailable
from hexrec.parallel.workers import Pool
from hexrec.server.limits import Limits
from hexrec.server.middleware import Metrics
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task
from hexrec.server.worker import prepare

_LOG = logging.getLogger("hexrec.server")


class Dispatcher:
    """A pool of workers that does the tasks of requests.

    Attributes:
        pool: the worker processes.
    """

    def __init__(self, limits: Limits, workers: int, metrics: Metrics) -> None:
        self._wait = limits.wait
        self._metrics = metrics
        self.pool = Pool(workers, partial(prepare, limits.memory), self._report_loss)

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> Answer:
        """Return the answer to a task, as `Pool.run` does, and count it. Raises Problem."""
        try:
            answer: Answer | Problem = (await self.pool.run(task, seconds, bulk=bulk, wait=self._wait))[0]
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
        self._metrics.count(answer.summary)
        return answer

    def _report_loss(self, cause: str, reason: str) -> None:
        if cause == "start":
            _LOG.error("a worker cannot be started", extra={"data": {"reason": reason}})
            return
        if cause == "gone":
            _LOG.error("a worker ended", extra={"data": {"reason": reason}})
        self._metrics.replaced.labels(cause).inc()
