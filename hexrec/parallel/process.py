"""A process that does one task at a time, from the side of the event loop that has started it."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from contextlib import suppress
from typing import Any

from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.child import FAILED, LENGTH, PART, framed

#: What the process runs. It imports from where this process does.
_PROGRAM = "import sys; sys.path[:] = sys.argv[2:]; from hexrec.parallel.child import serve; serve(int(sys.argv[1]))"
#: How many seconds a process that has closed its end may take to exit, and one that was killed.
_LEAVE, _KILL = 1.0, 10.0
#: How many bytes of an answer are read ahead.
_BUFFER = 1 << 20
#: The signal that no process survives.
_KILLED = getattr(signal, "SIGKILL", signal.SIGTERM)


class TaskError(Exception):
    """A task that was not done.

    Attributes:
        parts: what its process had sent before.
    """

    def __init__(self, message: str, parts: list[Any]) -> None:
        super().__init__(message)
        self.parts = parts


class WorkerDied(TaskError):
    """A process that ended while it worked on a task; the message says how."""


class TaskTimeout(TaskError):
    """A task that was not done in time; its process has been killed."""


class TaskFailed(TaskError):
    """A task in which the program failed; the message is the traceback."""


class Worker:
    """A process that does one task at a time.

    Attributes:
        timed_out: whether it was killed since a task was not done in time.
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
        """Return a process whose first task is to prepare itself. Raises WorkersUnavailable."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, *_options(), "-c", _PROGRAM, str(os.getpid()), *_paths()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_BUFFER,
                start_new_session=True,  # an interrupt from the terminal is for the parent alone
            )
        except OSError as error:
            raise WorkersUnavailable(f"no process can be started: {error.strerror or error}") from None
        return cls(process)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process can do tasks."""
        return self._process.returncode is None and not self._killed and not self._answers.at_eof()

    async def run(self, task: object, seconds: float) -> list[Any]:
        """Return the parts of the answer to a task.

        Raises TaskFailed; TaskTimeout and WorkerDied, after which the process is gone. If the caller is canceled, the
        process is killed: its answer would be taken for that of the next task.
        """
        message = framed(task)
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
        """End the process, which has some seconds to end by itself, and say how it ended."""
        with suppress(TimeoutError):
            if seconds:
                await asyncio.wait_for(self._process.wait(), seconds)
        self._kill()
        with suppress(TimeoutError):  # the system may not let it go
            code = await asyncio.wait_for(self._process.wait(), _KILL)
            self._tasks.close()
            with suppress(OSError):
                await self._answers.read()  # or the event loop could be closed before this end is
            return _exit_reason(code)
        return _exit_reason(-_KILLED)

    def _kill(self) -> None:
        """Kill the process. `Process.kill` would ask how it ended, and the event loop could not learn it any more."""
        self._killed = True
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, _KILLED)


def _options() -> list[str]:
    """Return the options of Python that keep a process from importing what this one would not."""
    given = {"-E": sys.flags.ignore_environment, "-s": sys.flags.no_user_site}
    return ["-P", *(option for option, is_set in given.items() if is_set)]


def _paths() -> list[str]:
    """Return where a process imports from: not from the current directory, unless hexrec itself is there."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    return [path or home for path in sys.path if path or os.path.realpath(os.curdir) == home]


def _exit_reason(code: int) -> str:
    """Return how a process with such an exit code ended."""
    if code >= 0:
        return f"it ended with exit code {code}"
    names = {each.value: each.name for each in signal.Signals}
    return f"it was ended by {names.get(-code, f'signal {-code}')}"
