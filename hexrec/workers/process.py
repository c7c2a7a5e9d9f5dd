"""One process that does tasks, seen from both sides: the process itself, and the object that represents it."""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_all_start_methods, get_context, parent_process, resource_tracker
from socket import socket, socketpair
from threading import Lock
from time import monotonic
from typing import Any

from hexrec.workers.channel import Channel

#: Does one task, in the process.
Handler = Callable[[Any], Any]

#: What the process has imported that others are forked from. It starts with the first of them; what is added later is
#: imported by each that needs it.
PRELOADED: list[str] = []
#: How many seconds a new process may take until it is ready.
_START = 60.0
_LATE = f"it was not ready after {_START:g} seconds"
#: How many seconds a process that has closed its end may take to be gone, and one that was killed.
LEAVE, _KILL = 1.0, 10.0
#: The environment variable that keeps Python from importing from the current directory.
_SAFE_PATH = "PYTHONSAFEPATH"
#: What it was before, once for each start of processes that is under way.
_STARTING: list[str | None] = []
_STARTING_LOCK = Lock()
#: How many bytes the name of a socket may have, on the system that allows fewest.
_LONGEST_SOCKET_NAME = 103


class WorkerStartError(Exception):
    """A process that cannot be started; the message says why.

    Attributes:
        died: whether it ended before it was ready: another attempt may be luckier.
    """

    def __init__(self, reason: str, *, died: bool = False) -> None:
        super().__init__(f"no process can be started: {reason}")
        self.died = died


class WorkerDied(Exception):
    """A process that ended while it was at work on a task; the message says how."""


class TaskTimeout(Exception):
    """A task that was not done in time; its process has been killed."""


class TaskFailed(Exception):
    """A task in which the program failed; the message is the traceback."""


class TaskNotDelivered(Exception):
    """A process that was gone before it had all of the task."""


@dataclass(frozen=True)
class Startup:
    """How processes are started.

    Attributes:
        prepare: is called once in the process and returns what does the tasks. It travels to the process.
        preload: modules that `prepare` and the tasks need, imported before they are asked for where that can be done.
    """

    prepare: Callable[[], Handler]
    preload: tuple[str, ...] = ()

    def context(self) -> Any:
        """Return what starts the processes.

        They are forked from a process that has imported what they need and has no threads: they are there in no time.
        None is forked from this process: that would copy locks that other threads hold.
        """
        if "forkserver" not in get_all_start_methods() or not _has_room_for_a_socket():
            return get_context("spawn")
        context = get_context("forkserver")
        PRELOADED.extend(name for name in self.preload if name not in PRELOADED)
        context.set_forkserver_preload(PRELOADED)
        return context


@contextmanager
def safe_path() -> Iterator[None]:
    """Have Python processes that are started import nothing from the current directory.

    They start as `python -c`, which looks there first: a file among the inputs would run as code. The environment is
    as before once no thread starts any more, since other programs are not to inherit the setting. Raises OSError if
    Python would ignore it.
    """
    if sys.flags.ignore_environment and not sys.flags.safe_path:
        raise OSError("Python imports from the current directory (option -E): add the option -P")
    with _STARTING_LOCK:
        _STARTING.append(_STARTING[0] if _STARTING else os.environ.get(_SAFE_PATH))
        os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        with _STARTING_LOCK:
            before = _STARTING.pop()
            if not _STARTING:
                os.environ.pop(_SAFE_PATH, None)
                os.environ.update({} if before is None else {_SAFE_PATH: before})


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Have what is started inherit that interrupts are blocked.

    The process that forks the others ignores them only when it has imported what they need: one that came before would
    end it with a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # would let interrupts through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _has_room_for_a_socket() -> bool:
    """Return whether the folder for temporary files has a name that is short enough for one of a socket in it."""
    return len(os.fsencode(tempfile.gettempdir())) + len("/pymp-12345678/listener-12345678") <= _LONGEST_SOCKET_NAME


class Worker:
    """A process that does one task at a time. Its methods block; any thread may call them.

    Attributes:
        connection: what leads to the process.
        pid: its number.
        timed_out: whether it was ended since a task took too long.
    """

    def __init__(self, startup: Startup) -> None:
        """Start the process. Raises WorkerStartError."""
        ours, theirs = socketpair()
        self.connection = ours
        self.timed_out = False
        self._channel = Channel(ours)
        self._lock = Lock()
        self._exit: int | None = None
        #: How many threads use the channel. While one does, it stays open: the system may give its number to another.
        self._users = 0
        #: Held while a task is sent: the answers come in the order of the tasks.
        self._order = Lock()
        #: Set when the task that was sent last is answered or given up, and by when that is.
        self._last = threading.Event()
        self._last.set()
        self._last_deadline = 0.0
        context = startup.context()
        self._process = context.Process(target=_serve, args=(theirs, startup.prepare), daemon=True)
        try:
            _start_in_time(self._process.start)
        except (OSError, EOFError) as error:
            self._channel.close()
            # An end of file is that of the process from which others are forked; a new one is started next time.
            died = isinstance(error, (EOFError, ConnectionError))
            raise WorkerStartError(getattr(error, "strerror", None) or str(error) or repr(error), died=died) from None
        finally:
            theirs.close()
        self.pid = int(self._process.pid)
        try:
            failure = pickle.loads(self._channel.receive(monotonic() + _START))
        except TimeoutError:
            failure = _LATE
        except (EOFError, OSError):
            raise WorkerStartError(self.stop(LEAVE), died=True) from None
        if failure is not None:
            self.stop()
            raise WorkerStartError(failure)

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        with self._lock:
            return self._exit is None and bool(self._process.is_alive())

    def run(self, task: object, seconds: float) -> Any:
        """Return what came of a task. It waits in the process for those sent before; its seconds begin after them.

        Raises TaskFailed; TaskTimeout, WorkerDied and TaskNotDelivered, after which the process is gone.
        """
        message = task_message(task)
        begun, done = False, threading.Event()
        with self._lock:
            self._users += 1
        try:
            with self._order:
                before, self._last = self._last, done
                start = monotonic() if before.is_set() else self._last_deadline
                deadline = self._last_deadline = start + seconds
                self._channel.send(message, deadline)
            before.wait()
            if self._exit is not None:
                raise EOFError
            begun = True
            received = self._channel.receive(min(deadline, monotonic() + seconds))
        except TimeoutError:
            self.timed_out = True
            self.stop()
            raise TaskTimeout from None
        except (EOFError, OSError):
            how = self.stop(LEAVE)
            raise (WorkerDied(how) if begun else TaskNotDelivered(how)) from None
        finally:
            done.set()
            with self._lock:
                self._users -= 1
                self._close_unused()
        return answer_in(received)

    def stop(self, seconds: float = 0) -> str:
        """End the process, whatever it is doing, and say how it ended. It is given some seconds to end by itself."""
        with self._lock:
            if self._exit is None:
                if seconds:
                    self._process.join(seconds)
                self._process.kill()
                self._process.join(_KILL)
                code = self._process.exitcode
                self._exit = -signal.SIGKILL if code is None else int(code)
                self._channel.shut_down()
                self._close_unused()
                with suppress(ValueError):  # the system has not let it go yet
                    self._process.close()
            return _exit_reason(self._exit)

    def _close_unused(self) -> None:
        if self._exit is not None and not self._users:
            self._channel.close()


def task_message(task: object) -> bytes:
    """Return the message that gives a task to a worker. Raises what the task raises if it cannot travel."""
    return pickle.dumps(task, pickle.HIGHEST_PROTOCOL)


def answer_in(message: bytes) -> Any:
    """Return what came of a task, by the message from the worker. Raises TaskFailed."""
    done, answer = pickle.loads(message)
    if not done:
        raise TaskFailed(answer)
    return answer


def _start_in_time(start: Callable[[], None]) -> None:
    """Start a process. Raises TimeoutError if the process that should fork it does nothing, and what `start` raises."""
    failures: list[BaseException] = []

    def begin() -> None:
        try:
            with safe_path(), _interrupts_blocked():
                start()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=begin, daemon=True)
    thread.start()
    thread.join(_START)
    if thread.is_alive():
        raise TimeoutError(_LATE)
    if failures:
        raise failures[0]


def _exit_reason(code: int) -> str:
    """Return how a process ended that has such an exit code."""
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"


def _serve(connection: socket, prepare: Callable[[], Handler]) -> None:
    """Do tasks until there are no more. Who runs this process decides when an interrupt ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with_parent()
    channel = Channel(connection)
    with suppress(EOFError, OSError, MemoryError):
        try:
            handler = prepare()
        except Exception as error:
            channel.send(pickle.dumps(f"{type(error).__name__}: {error}"))
            return
        channel.send(pickle.dumps(None))
        while True:
            channel.send(_run(handler, channel.receive()))


def _run(handler: Handler, task: bytes) -> bytes:
    try:
        return pickle.dumps((True, handler(pickle.loads(task))), pickle.HIGHEST_PROTOCOL)
    except Exception:
        return pickle.dumps((False, traceback.format_exc()))


def _end_with_parent() -> None:
    """See to it that this process ends when the one ends that started it, even in the middle of a task.

    Between tasks the end of the channel tells; a task that hangs would leave the process behind for ever. The pipe that
    tells of the parent's end has a signal sent by the system, which works whatever the interpreter is doing.
    """
    parent = parent_process()
    if parent is None:
        return
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(parent.sentinel, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(parent.sentinel, fcntl.F_GETFL)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, flags | os.O_ASYNC)
        if select.select([parent.sentinel], [], [], 0)[0]:
            os._exit(1)
    else:
        threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()
