"""A pool of processes on this machine. One that is killed is replaced, and its unit is done again."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock, local

from hexrec.batch.isolation import isolated
from hexrec.batch.runners import Done, RunnerError, attempted, in_order
from hexrec.batch.units import Unit
from hexrec.batch.work import Failed, Result, Work

#: Where forking would copy the locks of other threads, as they are at that moment, a fresh interpreter is safe.
_CONTEXT = get_context("spawn")


class Worker:
    """A process that does one unit at a time."""

    def __init__(self, work: Work) -> None:
        """Raises RunnerError."""
        self._ours, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(theirs, work), daemon=True)
        try:
            self._process.start()
        except OSError as error:
            raise RunnerError(f"no process can be started: {error.strerror or error}") from None
        finally:
            theirs.close()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def do(self, unit: Unit) -> Result:
        """Return the result of a unit. Raises Failed; EOFError or OSError if the process is gone."""
        self._ours.send(unit)
        answer: Result | Failed = self._ours.recv()
        if isinstance(answer, Failed):
            raise answer
        return answer

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()


def _serve(connection: Connection, work: Work) -> None:
    """Do units until there are no more. Who runs this process decides when an interrupt ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while True:
            unit = connection.recv()
            try:
                answer: Result | Failed = attempted(unit, work)
            except Failed as failure:
                answer = failure
            connection.send(answer)
    except (EOFError, OSError):
        return


class Crew:
    """Processes, as many as there are threads that ask for one."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._mine = local()
        self._all: set[Worker] = set()
        self._lock = Lock()
        self._ended = False

    @property
    def pids(self) -> list[int | None]:
        """The numbers of the processes."""
        return [worker.pid for worker in list(self._all)]

    def do(self, unit: Unit) -> Result:
        """Return the result of a unit, even if the process that does it is killed, or kills itself."""
        try:
            return self.attempt(unit)
        except Failed:
            return isolated(unit, self.attempt)

    def end(self) -> None:
        """End all processes."""
        with self._lock:
            self._ended = True
            for worker in self._all:
                worker.end()
            self._all.clear()

    def attempt(self, unit: Unit) -> Result:
        """Return the result of a unit. Raises Failed if it makes the program fail, or ends two processes."""
        for _ in range(2):
            worker = self._worker()
            try:
                return worker.do(unit)
            except (EOFError, OSError):
                with self._lock:
                    self._mine.worker = None
                    if worker in self._all:
                        self._all.remove(worker)
                        worker.end()
        raise Failed("the process that was at work on this record was ended twice")

    def _worker(self) -> Worker:
        if getattr(self._mine, "worker", None) is None:
            with self._lock:
                if self._ended:
                    raise RunnerError("the work is over")
                self._mine.worker = Worker(self._work)
                self._all.add(self._mine.worker)
        found: Worker = self._mine.worker
        return found


class Pool:
    """Does units in processes of their own.

    Attributes:
        crew: the processes of the run that goes on.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self.crew: Crew | None = None

    def run(self, units: Iterable[Unit], work: Work) -> Done:
        """Yield the results of units, in order. Raises RunnerError."""
        crew = self.crew = Crew(work)
        with ThreadPoolExecutor(self._jobs) as threads:
            try:
                yield from in_order(units, work, lambda unit: threads.submit(crew.do, unit).result, 2 * self._jobs + 1)
            finally:
                crew.end()
                threads.shutdown(cancel_futures=True)
