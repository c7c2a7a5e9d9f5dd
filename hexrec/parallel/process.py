"""Worker process, as seen by the event loop that starts it."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from contextlib import suppress
from typing import Any

from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.child import FAILED, LENGTH, PART, frame

#: The program of the worker, which imports from the same paths as this process.
_PROGRAM = "import sys; sys.path[:] = sys.argv[2:]; from hexrec.parallel.child import serve; serve(int(sys.argv[1]))"
#: The timeouts in seconds for a worker to exit after it closed its pipes, and after it was killed.
_LEAVE, _KILL = 1.0, 10.0
#: The size in bytes of the buffer for answers.
_BUFFER = 1 << 20
#: The signal that kills a process.
_KILLED = getattr(signal, "SIGKILL", signal.SIGTERM)


class TaskError(Exception):
    """A task that was not completed.

    Attributes:
        parts: the parts of the answer that were received.
    """

    def __init__(self, message: str, parts: list[Any]) -> None:
        super().__init__(message)
        self.parts = parts


class WorkerDied(TaskError):
    """A worker that ended during a task; the message gives its exit code or signal."""


class TaskTimeout(TaskError):
    """A task that exceeded its timeout; its worker was killed."""


class TaskFailed(TaskError):
    """A task that raised an exception; the message is the traceback."""


class Worker:
    """A process that does one task at a time.

    Attributes:
        timed_out: whether it was killed after a timeout.
    """

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._tasks, self._answers = process.stdin, process.stdout
        self._killed = False
        self.timed_out = False

    @classmethod
    async def spawn(cls) -> Worker:
        """Start a process. Its first task must be a `Prepare`. Raises WorkersUnavailable."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, *_options(), "-c", _PROGRAM, str(os.getpid()), *_paths()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_BUFFER,
                start_new_session=True,  # an interrupt from the terminal reaches the parent only
            )
        except OSError as error:
            raise WorkersUnavailable(f"no process can be started: {error.strerror or error}") from None
        return cls(process)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process can do tasks."""
        return self._process.returncode is None and not self._killed and not self._answers.at_eof()

    async def run(self, task: object, seconds: float) -> list[Any]:
        """Return the parts of the answer to a task.

        Raises TaskFailed; raises TaskTimeout or WorkerDied, after which the process has ended. If the caller is
        canceled, the process is killed: its answer would be read as the answer to the next task.
        """
        message = frame(task)
        parts = []
        try:
            async with asyncio.timeout(seconds):
                self._tasks.write(message)
                while True:
                    (length,) = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
                    kind, value = pickle.loads(await self._answers.readexactly(length))
                    if kind != PART:
                        break
                    parts.append(value)
        except TimeoutError:
            self.timed_out = True
            await self.stop()
            raise TaskTimeout(f"took longer than {seconds:g} s", parts) from None
        except (asyncio.IncompleteReadError, OSError):
            raise WorkerDied(await self.stop(_LEAVE), parts) from None
        except BaseException:
            await self.stop()
            raise
        if kind == FAILED:
            raise TaskFailed(value, parts)
        return parts

    async def stop(self, seconds: float = 0) -> str:
        """Kill the process after some seconds to exit; return the reason of its end as a clause."""
        with suppress(TimeoutError):
            if seconds:
                await asyncio.wait_for(self._process.wait(), seconds)
        self._kill()
        with suppress(TimeoutError):  # a process in an uninterruptible wait cannot be killed
            code = await asyncio.wait_for(self._process.wait(), _KILL)
            self._tasks.close()
            with suppress(OSError):
                await self._answers.read()  # otherwise the event loop could close before the pipe does
            return _exit_reason(code)
        return _exit_reason(-_KILLED)

    def _kill(self) -> None:
        """Kill the process. `Process.kill` would poll its exit code, which the event loop could then not read."""
        self._killed = True
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, _KILLED)


def _options() -> list[str]:
    """Return the options of Python that restrict imports in the same way as in this process."""
    given = {"-E": sys.flags.ignore_environment, "-s": sys.flags.no_user_site}
    return ["-P", *(option for option, is_set in given.items() if is_set)]


def _paths() -> list[str]:
    """Return the import paths of a worker, without the current directory unless it contains hexrec."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    return [path or home for path in sys.path if path or os.path.realpath(os.curdir) == home]


def _exit_reason(code: int) -> str:
    """Return a clause about the end of a process with an exit code."""
    if code >= 0:
        return f"it ended with exit code {code}"
    names = {known.value: known.name for known in signal.Signals}
    return f"it was ended by {names.get(-code, f'signal {-code}')}"
