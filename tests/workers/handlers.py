"""What the processes of the tests do. They import this module: it imports little."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
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
        case "later":
            time.sleep(0.3)
            return act(value)
        case "signal":
            os.kill(os.getpid(), value)
        case "exit":
            os._exit(value)
        case "raise":
            raise ValueError(value)
        case "unpicklable":
            return lambda: value
        case "half":
            # The beginning of a message, and then nothing: as if stopped, or killed, while it is being written.
            import gc

            from hexrec.workers.channel import Channel

            (channel,) = [each for each in gc.get_objects() if isinstance(each, Channel)]
            channel._sender.sendall(b"\0\0\0\0\0\0\1\0half of a mess")
            os.kill(os.getpid(), value)
    return None
