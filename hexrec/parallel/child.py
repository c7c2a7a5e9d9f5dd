"""Main loop of a worker process. It imports little: `prepare` imports the code for the tasks.

Tasks arrive on stdin and answers leave on stdout, each as a length and a pickle. All other output goes to stderr.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from struct import Struct
from typing import Any, BinaryIO

#: Does one task in the worker; the parts of its answer are sent as they are made.
Handler = Callable[[Any], Iterable[Any]]
#: Called once in the worker, to which it is pickled.
Prepare = Callable[[], Handler]

LENGTH = Struct("!Q")
#: The number of bytes that pass at once: each time costs the parent a turn of its event loop.
BUFFER = 1 << 20
#: The kinds of messages: a part of an answer, the end of an answer, and the traceback of an error.
PART, END, FAILED = range(3)
#: The option of `prctl` that sets the signal on the end of the parent.
_PR_SET_PDEATHSIG = 1


def serve(parent: int) -> None:
    """Do tasks until stdin ends. The first one is a `Prepare`. `parent` is the process id of the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with(parent)
    tasks, answers = _take_over_streams()

    def send(kind: int, value: object = None) -> None:
        data = pickle.dumps((kind, value), pickle.HIGHEST_PROTOCOL)
        answers.write(LENGTH.pack(len(data)))
        answers.write(data)
        answers.flush()

    handler: Handler | None = None
    with suppress(EOFError, OSError, MemoryError):
        while True:
            task = _receive(tasks)
            try:
                if handler is None:
                    handler = pickle.loads(task)()
                else:
                    for part in handler(pickle.loads(task)):
                        send(PART, part)
            except Exception:
                send(FAILED, traceback.format_exc())
            else:
                send(END)


def _receive(stream: BinaryIO) -> bytes:
    """Return the next message. Raises EOFError at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    return stream.read(LENGTH.unpack(head)[0])


def _take_over_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return private streams for tasks and answers, and redirect stdin and stdout away from them."""
    if sys.platform == "linux":
        import fcntl

        for pipe in (0, 1):
            with suppress(OSError):  # not a pipe, or all pipes of the user together are too large
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, BUFFER)
    tasks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return tasks, answers


def end_with(parent: int) -> None:
    """On Linux, end this process with its parent. On other systems, it ends when it reads the next task."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # the parent ended before the call
        os._exit(1)
