"""The start of a worker process of the service. It imports the operations of most tasks before the first one comes."""

from __future__ import annotations

import sys

import hexrec.server.records  # noqa: F401
from hexrec.parallel.child import Handler
from hexrec.server.tasks import run_task


def prepare(memory: int) -> Handler:
    """Limit the memory of a worker process to `memory` bytes and return its handler of tasks."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return lambda task: [run_task(task)]
