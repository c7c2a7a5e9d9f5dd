"""A process that does one task at a time, from the side of the event loop that has started it."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from contextlib import suppress
from typing import Any

from hexrec.parallel.child import LENGTH, Prepare, framed

#: What the process runs. It imports from where this process does.
_PROGRAM = "import sys; sys.path[:] = sys.argv[2:]; from hexrec.parallel.child import serve; serve(int(sys.argv[1]))"
#: How many seconds a new process may take until it is ready.
_START = 60.0
#: How many seconds a process that has closed its end may take to exit, and one that was killed.
_LEAVE, _KILL = 1.0, 10.0
#: How many bytes of an answer are read ahead.
_BUFFER = 1 << 20
#: The signal that no process survives.
_KILLED = getattr(signal, "SIGKILL", signal.SIGTERM)


class WorkerStartError(Exception):
    """A process that cannot be started.

    Attributes:
        died: whether it ended before it was ready, so that another attempt may succeed.
    """

    def __init__(self, reason: str, *, died: bool = False) -> None:
        super().__init__(f"no process can be started: {reason}")
        self.died = died


class WorkerDied(Exception):
    """A process that ended while it worked on a task; the message says how."""


class TaskTimeout(Exception):
    """A task that was not done in time; its process has been killed."""


class TaskFailed(Exception):
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
        """Return a process that is to be prepared. Raises WorkerStartError."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, *_options(), "-c", _PROGRAM, str(os.getpid()), *_paths()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_BUFFER,
                start_new_session=True,  # an interrupt from the terminal is for the parent alone
            )
        except OSError as error:
            raise WorkerStartError(error.strerror or str(error)) from None
        return cls(process)

    async def prepare(self, prepare: Prepare) -> None:
        """Make the process ready for tasks. Raises WorkerStartError, after which it is gone."""
        try:
            await self.run(prepare, _START)
        except TaskTimeout:
            raise WorkerStartError(f"it was not ready after {_START:g} seconds") from None
        except WorkerDied as death:
            raise WorkerStartError(str(death), died=True) from None
        except TaskFailed as failure:
            await self.stop()
            raise WorkerStartError(str(failure)) from None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process can do tasks."""
        return self._process.returncode is None and not self._killed and not self._answers.at_eof()

    async def run(self, task: object, seconds: float) -> Any:
        """Return the result of a task. Raises TaskFailed; TaskTimeout and WorkerDied, after which the process is gone.

        If the caller is canceled, the process is killed: its answer would be taken for that of the next task.
        """
        message = framed(task)
        try:
            async with asyncio.timeout(seconds):
                self._tasks.write(message)
                (length,) = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
                done, answer = pickle.loads(await self._answers.readexactly(length))
        except TimeoutError:
            self.timed_out = True
            await self.stop()
            raise TaskTimeout from None
        except (asyncio.IncompleteReadError, OSError):
            raise WorkerDied(await self.stop(_LEAVE)) from None
        except BaseException:
            await self.stop()
            raise
        if not done:
            raise TaskFailed(answer)
        return answer

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
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"
