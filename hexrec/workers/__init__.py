"""Processes that do tasks: a bounded pool, a task ended at its time limit, a process that dies replaced."""

from hexrec.workers.pool import LossReason, Pool, PoolClosed
from hexrec.workers.process import Handler, Startup, TaskFailed, TaskTimeout, Worker, WorkerDied, WorkerStartError

__all__ = [
    "Handler",
    "LossReason",
    "Pool",
    "PoolClosed",
    "Startup",
    "TaskFailed",
    "TaskTimeout",
    "Worker",
    "WorkerDied",
    "WorkerStartError",
]
