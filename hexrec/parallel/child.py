"""The process that does tasks. It imports little: `prepare` imports what the tasks need.

Tasks arrive on stdin and answers leave on stdout, each as a length and a pickle. Whatever else the process prints goes
to stderr.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from struct import Struct
from typing import Any, BinaryIO

#: Sends a part of an answer.
Send = Callable[[Any], None]
#: Does one task, in the process, and sends the parts of its answer.
Handler = Callable[[Any, Send], None]
#: Called once in the process, to which it travels.
Prepare = Callable[[], Handler]

LENGTH = Struct("!Q")
#: How messages begin: a part of an answer, its end, and the traceback of an error that ends it.
PART, END, FAILED = range(3)
#: The option of `prctl` for the signal that a process receives when its parent ends.
_PR_SET_PDEATHSIG = 1


def serve(parent: int) -> None:
    """Do tasks until there are no more. `parent` is the process that has started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(parent)
    tasks, answers = _take_over_streams()

    def send(kind: int, value: object = None) -> None:
        answers.write(framed((kind, value)))
        answers.flush()

    with suppress(EOFError, OSError, MemoryError):
        prepare = _receive(tasks)
        try:
            handler: Handler = pickle.loads(prepare)()
        except Exception as error:
            send(FAILED, f"{type(error).__name__}: {error}")
            return
        send(END)
        while True:
            task = _receive(tasks)
            try:
                handler(pickle.loads(task), partial(send, PART))
            except Exception:
                send(FAILED, traceback.format_exc())
            else:
                send(END)


def framed(message: object) -> bytes:
    """Return a message as it is sent. Raises whatever pickling it raises."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def _receive(stream: BinaryIO) -> bytes:
    """Return the next message. Raises EOFError when there are no more."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    return stream.read(LENGTH.unpack(head)[0])


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return the streams of tasks and answers, which nothing else in this process can read or write."""
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return tasks, answers


def _end_with(parent: int) -> None:
    """End this process when its parent ends, on Linux even in the middle of a task or while it is stopped.

    Elsewhere a process ends when it asks for the next task: then stdin has ended.
    """
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)
