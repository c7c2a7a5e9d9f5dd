"""What the processes of the tests do. They import this module: it imports little."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from hexrec.parallel.child import Handler


def prepare() -> Handler:
    return act


def cannot_prepare() -> Handler:
    raise RuntimeError("no tables")


def die() -> Handler:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def act(task: tuple[str, Any]) -> Iterator[Any]:
    """Do what the task says, and yield the parts of the answer."""
    name, value = task
    answer = None
    match name:
        case "echo":
            answer = value
        case "pid":
            answer = os.getpid()
        case "sleep":
            time.sleep(value)
        case "signal":
            os.kill(os.getpid(), value)
        case "exit":
            os._exit(value)
        case "parts":
            yield from (1, 2)
            os.kill(os.getpid(), value)
        case "raise":
            raise ValueError(value)
        case "unpicklable":
            answer = lambda: value  # noqa: E731
        case "print":
            print(value)
            os.write(1, b"and more")
            answer = sys.stdin.read()
        case "half":
            # The beginning of an answer, and then nothing: as if killed, or stopped, while it is written.
            for fd in range(3, 10):
                with suppress(OSError):  # not open, or the stream of tasks
                    os.write(fd, b"\0\0\0\0\0\0\1\0half of an answer")
            os.kill(os.getpid(), value)
    yield answer
