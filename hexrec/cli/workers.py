"""How many workers there are by default, and their start while the command that needs them is still imported."""

from __future__ import annotations

import os
import re

#: How many bytes the files have together that are worth it.
_LARGE = 8 << 20
_JOBS = re.compile(r"(?<!\S)(?:-j|--jobs)[ =]?(\d{1,9})(?!\S)")


def prepare_workers(arguments: list[str]) -> None:
    """Start the process from which workers are forked, if a command is going to need some.

    That is guessed from its arguments before they are read: a wrong guess changes nothing but how long it takes.
    """
    if _jobs(arguments) > 1 and _size(arguments) >= _LARGE:
        from hexrec.batch import PRELOAD
        from hexrec.workers.process import start_server

        start_server(PRELOAD)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _jobs(arguments: list[str]) -> int:
    """Return how many processes the arguments ask for."""
    given = _JOBS.search(" ".join(arguments))
    return int(given[1]) if given else cores()


def _size(arguments: list[str]) -> int:
    """Return how many bytes the files among the arguments have together."""
    return sum(os.path.getsize(argument) for argument in arguments if os.path.isfile(argument))
