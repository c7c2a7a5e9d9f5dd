"""Chunks of work, and pools of worker processes, for commands and the service."""

from __future__ import annotations

from typing import Any

from hexrec.errors import RunError


class WorkersUnavailable(RunError):
    """No worker process is available; the message gives the reason."""


class TaskError(Exception):
    """A task that was not completed.

    Attributes:
        parts: the parts of the answer that were received.
        traceback: the traceback of the exception that the task raised, if it did.
    """

    def __init__(self, message: str, parts: list[Any], traceback: str = "") -> None:
        super().__init__(message)
        self.parts = parts
        self.traceback = traceback


class WorkerDied(TaskError):
    """A worker that ended during a task; the message gives its exit code or signal."""


class TaskTimeout(TaskError):
    """A task that exceeded its timeout; its worker was killed."""


class TaskFailed(TaskError):
    """A task that raised an exception, which is the message."""
