"""Pool of worker processes, for an event loop or for threads. A worker that ends or hangs is replaced."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

from hexrec.errors import reason_of
from hexrec.parallel import TaskError, TaskFailed, TaskTimeout, WorkerDied, WorkersUnavailable
from hexrec.parallel.child import BUFFER, FAILED, LENGTH, PART, Prepare

#: The program of a worker, which imports from the same paths as this process.
_PROGRAM = "import sys; sys.path[:] = sys.argv[2:]; from hexrec.parallel.child import serve; serve(int(sys.argv[1]))"
#: The timeouts in seconds for a new worker to become ready, and for a worker to exit after it was killed.
_START, _KILL = 60.0, 10.0
#: The pause in seconds before another attempt to start a worker.
_PAUSE = 1.0
_KILLED = getattr(signal, "SIGKILL", signal.SIGTERM)


class Worker:
    """A process that does one task at a time.

    Attributes:
        process: the process.
        work: its latest task.
        bulk: whether that is a bulk task.
        timed_out: whether it was killed after a timeout.
    """

    work: asyncio.Task[list[Any]] | None = None
    bulk = timed_out = False

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._tasks, self._answers = process.stdin, process.stdout

    @classmethod
    async def start(cls, prepare: Prepare) -> Worker:
        """Start a process. Raises WorkersUnavailable."""
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, *interpreter_options(), "-c", _PROGRAM, str(os.getpid()), *import_paths()),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=BUFFER,
                start_new_session=True,  # an interrupt from the terminal reaches the parent only
            )
        except OSError as error:
            raise WorkersUnavailable(f"no process can be started: {reason_of(error)}") from None
        worker = cls(process)
        try:
            await worker.run(prepare, _START)
        except TaskError as error:
            await worker.stop()
            raise WorkersUnavailable(f"no process can be started: {error}") from None
        return worker

    @property
    def alive(self) -> bool:
        """Whether the process can do tasks."""
        return self.process.returncode is None and not self.timed_out and not self._answers.at_eof()

    @property
    def busy(self) -> bool:
        """Whether a task is running."""
        return self.work is not None and not self.work.done()

    async def run(self, task: object, seconds: float) -> list[Any]:
        """Return the parts of the answer to a task; the first task is a `Prepare`.

        Raises TaskFailed; raises TaskTimeout or WorkerDied, after which the process has ended. If the caller is
        canceled, the process is killed: its answer would be read as the answer to the next task.
        """
        message = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        parts = []
        try:
            async with asyncio.timeout(seconds):
                self._tasks.write(LENGTH.pack(len(message)))
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
            await self.stop()
            raise WorkerDied(self.reason, parts) from None
        except BaseException:
            await self.stop()
            raise
        if kind == FAILED:
            raise TaskFailed(value.strip().rpartition("\n")[2], parts, value)
        return parts

    @property
    def reason(self) -> str:
        """The reason of the end of the process, as a clause."""
        code = self.process.returncode
        if code is None:  # a process in an uninterruptible wait cannot be killed
            code = -_KILLED
        if code >= 0:
            return f"it ended with exit code {code}"
        names = {known.value: known.name for known in signal.Signals}
        return f"it was ended by {names.get(-code, f'signal {-code}')}"

    async def stop(self) -> None:
        """Kill the process and wait for its end. In an uninterruptible wait, it remains."""
        if self.process.returncode is None:
            with suppress(ProcessLookupError):
                # `Process.kill` would poll the exit code, which the event loop could then not read.
                os.kill(self.process.pid, _KILLED)
        ended = asyncio.ensure_future(self._wait_for_end())
        try:
            # `asyncio.timeout` ends nothing in a canceled task before Python 3.11.3.
            await asyncio.wait({ended}, timeout=_KILL)
        finally:
            ended.cancel()

    async def _wait_for_end(self) -> None:
        with suppress(OSError, RuntimeError):  # a task that is running reads the rest itself
            await self._answers.read()  # a full buffer would keep the pipe open
        await self.process.wait()
        with suppress(OSError):  # before Python 3.11.4, asyncio prints the error of a pipe that nobody waits for
            await self._tasks.wait_closed()


class Pool:
    """A pool of up to `size` worker processes, started on demand.

    Attributes:
        size: the maximum number of workers.
        workers: the workers.
    """

    def __init__(self, size: int, prepare: Prepare, on_lost: Callable[[str, str], object] = lambda *_: None) -> None:
        """`on_lost` is called with a cause and a reason when a worker is lost.

        The cause is ``time`` after a timeout, ``start`` if no worker can be started, else ``gone``.
        """
        self.size = size
        self.workers: list[Worker] = []
        self._prepare = prepare
        self._on_lost = on_lost
        self._keepers: list[asyncio.Task[None]] = []
        self._changed = asyncio.Event()
        self._error: WorkersUnavailable | None = None

    @property
    def idle(self) -> list[Worker]:
        """The workers that can do a task now."""
        return [worker for worker in self.workers if worker.alive and not worker.busy]

    async def open(self) -> None:
        """Start all workers. Attempts that fail are repeated in the background."""
        while len(self._keepers) < self.size:
            self._keepers.append(asyncio.create_task(self._keep_worker()))
        while len(self.workers) < self.size and not self._error:
            await self._wait()

    async def run(self, task: object, seconds: float, *, bulk: bool = False, wait: float | None = None) -> list[Any]:
        """Return the parts of the answer to a task. If its worker ends, try it once more.

        `seconds` is the timeout of the task, `wait` the timeout for a worker. Bulk tasks use all workers but one, so
        that others need not wait for them. Cancellation drops a task that waits. A running task is finished, because
        stopping it would cost a worker. Raises TaskError, WorkersUnavailable.
        """
        clock = asyncio.get_running_loop().time
        deaths = 0
        while True:
            if seconds <= 0:
                raise TaskTimeout("took too long", [])
            worker = await self._find_idle(bulk, wait)
            begun = clock()
            work = worker.work = asyncio.create_task(worker.run(task, seconds))
            work.add_done_callback(lambda _: self._changed.set())
            worker.bulk = bulk
            try:
                return await asyncio.shield(work)
            except WorkerDied:
                deaths += 1
                if deaths == 2:
                    raise
            seconds -= clock() - begun

    async def _find_idle(self, bulk: bool, wait: float | None) -> Worker:
        """Wait for an idle worker that the task may use. Raises WorkersUnavailable."""
        most = max(1, self.size - 1) if bulk else self.size
        if not self.idle and not self._error and len(self._keepers) < self.size:
            self._keepers.append(asyncio.create_task(self._keep_worker()))
        try:
            async with asyncio.timeout(wait):
                while not (idle := self.idle) or sum(worker.busy and worker.bulk for worker in self.workers) >= most:
                    if self._error and not self.workers:
                        raise self._error
                    await self._wait()
        except TimeoutError:
            raise WorkersUnavailable("no worker was free in time") from None
        return idle[0]

    async def close(self) -> None:
        """Stop all workers, including busy ones."""
        self._error = WorkersUnavailable("the work has ended")
        self._changed.set()
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)

    async def _keep_worker(self) -> None:
        """Keep a worker running: start one, and another whenever it has ended."""
        while True:
            try:
                worker = await Worker.start(self._prepare)
            except WorkersUnavailable as error:
                self._error = error
                self._changed.set()
                self._on_lost("start", str(error))
                await asyncio.sleep(_PAUSE)
                continue
            self._error = None
            self.workers.append(worker)
            self._changed.set()
            try:
                await worker.process.wait()
            finally:
                self.workers.remove(worker)
                await worker.stop()
            self._on_lost("time" if worker.timed_out else "gone", worker.reason)

    async def _wait(self) -> None:
        self._changed.clear()
        await self._changed.wait()


@contextmanager
def in_thread(pool: Pool, seconds: float) -> Iterator[Callable[[object], Future[list[Any]]]]:
    """Run a pool in a thread; yield a function that submits a task, with a timeout. Close the pool at the end."""
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def work() -> None:
        end = asyncio.Event()
        begun.set_result((asyncio.get_running_loop(), end))
        await end.wait()
        await pool.close()

    thread = Thread(target=lambda: asyncio.run(work()), name="workers", daemon=True)
    thread.start()
    loop, end = begun.result()
    try:
        yield lambda task: asyncio.run_coroutine_threadsafe(pool.run(task, seconds), loop)
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()


def interpreter_options() -> list[str]:
    """Return the options of Python that restrict imports in the same way as in this process."""
    given = {"-E": sys.flags.ignore_environment, "-s": sys.flags.no_user_site}
    return ["-P", *(option for option, is_set in given.items() if is_set)]


def import_paths() -> list[str]:
    """Return the import paths of a worker, without the current directory unless it contains hexrec."""
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    return [path or home for path in sys.path if path or os.path.realpath(os.curdir) == home]
