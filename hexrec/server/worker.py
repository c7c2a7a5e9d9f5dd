"""What the processes of the service do. It imports neither the server nor what speaks to processes."""

from __future__ import annotations

import sys

from hexrec.parallel.child import Handler
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task


def prepare(memory: int) -> Handler:
    """Prepare a process that may have so many bytes of memory."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return lambda task, send: send(run_task(task))


def run_task(task: Task) -> Answer | Problem:
    """Return the answer to a task, or the problem that takes its place."""
    try:
        return task.answer()
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem("too-much-memory", "send fewer records in a body, or shorter ones")
