"""Worker process of the service. Imports neither the server nor the process pool."""

from __future__ import annotations

import sys
from time import perf_counter

from hexrec.parallel.child import Handler
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task


def prepare(memory: int) -> Handler:
    """Limit the memory of this process to `memory` bytes and return its handler of tasks."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return lambda task: [run_task(task)]


def run_task(task: Task) -> Answer | Problem:
    """Return the answer to a task, or a problem if it fails."""
    begun = perf_counter()
    try:
        return task.answer()._replace(seconds=perf_counter() - begun)
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem("too-much-memory", "out of memory: send fewer or shorter records in a body")
