"""What the processes of the tests do. They import this module: it imports little."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any


def prepare() -> Callable[[Any], Any]:
    return act


def cannot_prepare() -> Callable[[Any], Any]:
    raise RuntimeError("no tables")


def die() -> Callable[[Any], Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def act(task: tuple[str, Any]) -> Any:
    """Do what the task says."""
    name, value = task
    match name:
        case "echo":
            return value
        case "pid":
            return os.getpid()
        case "sleep":
            time.sleep(value)
        case "signal":
            os.kill(os.getpid(), value)
        case "exit":
            os._exit(value)
        case "raise":
            raise ValueError(value)
        case "unpicklable":
            return lambda: value
        case "print":
            print(value)
            os.write(1, b"and more")
            return sys.stdin.read()
        case "half":
            # The beginning of an answer, and then nothing: as if killed, or stopped, while it is written.
            for fd in range(3, 10):
                with suppress(OSError):  # not open, or the stream of tasks
                    os.write(fd, b"\0\0\0\0\0\0\1\0half of an answer")
            os.kill(os.getpid(), value)
    return None
