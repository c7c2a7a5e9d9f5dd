"""One process that does tasks, seen from both sides: the process itself, and the object that stands for it."""

from __future__ import annotations

import contextlib
import signal
import sys
import traceback
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from typing import Any

from hexrec.service.problems import Problem
from hexrec.service.work import Answer, Task

#: Workers are forked from a process that has imported all they need and has no threads; they are there in no time.
_METHOD = "forkserver" if "forkserver" in get_all_start_methods() else "spawn"
_CONTEXT: Any = get_context(_METHOD)
if _METHOD == "forkserver":
    _CONTEXT.set_forkserver_preload(["hexrec.service.warm"])

#: How many seconds a new process may take until it is ready.
_START = 60.0
_READY = "ready"


class Overrun(Exception):
    """A task that was not done in time; its process has been killed."""


class Gone(Exception):
    """A process that ended by itself, in a task or before it was ready."""


class Crash(Exception):
    """A task that made the program fail; the message is the traceback."""


class Worker:
    """A process that does one task at a time. Its methods block."""

    def __init__(self, memory: int) -> None:
        """Start the process, which may have so many bytes of memory. Raises Gone."""
        self._ours, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(theirs, memory), daemon=True)
        try:
            self._process.start()
        except OSError as error:
            raise Gone(f"no process can be started: {error.strerror or error}") from None
        finally:
            theirs.close()
        try:
            self._answer(_START)
        except Overrun:
            raise Gone("a process was not ready in time") from None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return int(self._process.pid)

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return bool(self._process.is_alive())

    def do(self, task: Task, seconds: float) -> Answer:
        """Return the answer to a task. Raises Problem, Crash, Overrun and Gone; after the last two it is of no use."""
        try:
            self._ours.send(task)
        except OSError as error:
            self.kill()
            raise Gone(str(error)) from None
        answer = self._answer(seconds)
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, Answer)
        return answer

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()

    def _answer(self, seconds: float) -> object:
        try:
            if self._ours.poll(seconds):
                answer: object = self._ours.recv()
                return answer
        except (EOFError, OSError):
            self.kill()
            raise Gone("the process ended by itself") from None
        self.kill()
        raise Overrun


def _serve(connection: Connection, memory: int) -> None:
    """Do tasks until there are no more. An interrupt ends the service when it has answered, and this process then."""
    from hexrec.service import warm

    del warm
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(memory)
    with contextlib.suppress(EOFError, OSError):
        connection.send(_READY)
        while True:
            connection.send(_done(connection.recv()))


def _done(task: Task) -> Answer | Exception:
    try:
        return task.run()
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem("too-much-memory", "send fewer records in a body, or shorter ones")
    except Exception:
        return Crash(traceback.format_exc())


def _limit_memory(memory: int) -> None:
    """Let the process have no more memory than that, where the system can see to it."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
