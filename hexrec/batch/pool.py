"""A pool of processes on this machine. One that dies or hangs is replaced, and its chunk is tried again."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from hexrec.batch import PRELOAD
from hexrec.batch.chunks import Chunk
from hexrec.batch.runners import RECORD_DEATHS, ChunkResults, RunnerError, in_order, run_or_retry, try_chunk
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ChunkTask
from hexrec.workers import Handler, Pool, PoolClosed, Startup, TaskFailed, TaskTimeout, WorkerDied, WorkerStartError

#: How many seconds a process may be at work on a chunk: by an estimate more than ten times what
#: the largest takes, 32 MiB of turns.
CHUNK_SECONDS = 1800.0
#: How many chunks a process is given: one to work on, and the next.
_DEPTH = 2


class ChunkPool:
    """Processes that do the same task on chunks."""

    def __init__(self, task: ChunkTask, jobs: int, seconds: float | None) -> None:
        """`seconds` is how long a process may be at work on a chunk; `CHUNK_SECONDS` if it is None."""
        self._seconds = seconds or CHUNK_SECONDS
        self._pool = Pool(jobs, Startup(partial(_prepare, task), PRELOAD), depth=_DEPTH)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return self._pool.pids

    def run(self, chunk: Chunk) -> ChunkResult:
        """Return the result of a chunk, also if processes die. Raises RunnerError."""
        return run_or_retry(chunk, self.attempt)

    def attempt(self, chunk: Chunk) -> ChunkResult | ChunkFailure:
        """Return the result of a chunk, or the reason why it has none. Raises RunnerError."""
        try:
            result: ChunkResult | ChunkFailure = self._pool.run(chunk, self._seconds)
        except WorkerDied as death:
            message = f"the process working on this record ended {RECORD_DEATHS} times; the last time, {death}"
            return ChunkFailure(message, worker_died=True)
        except TaskTimeout:
            return ChunkFailure(f"the work on this record took longer than {self._seconds:g} s and was ended")
        except TaskFailed as error:
            return ChunkFailure(f"the program failed on this record: {str(error).strip().rpartition(chr(10))[2]}")
        except WorkerStartError as error:
            raise RunnerError(str(error)) from None
        except PoolClosed:
            raise RunnerError("the work has ended") from None
        return result

    def close(self) -> None:
        """End all processes."""
        self._pool.close()


def _prepare(task: ChunkTask) -> Handler:
    return partial(try_chunk, task)


class PoolRunner:
    """Works on chunks in a pool of processes.

    Attributes:
        pool: the processes of the current run.
    """

    def __init__(self, jobs: int, seconds: float | None = None) -> None:
        """`seconds` is how long a process may be at work on a chunk; `CHUNK_SECONDS` if it is None."""
        self._jobs = jobs
        self._seconds = seconds
        self.pool: ChunkPool | None = None

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        """Yield the results of chunks, in order. Raises RunnerError."""
        pool = self.pool = ChunkPool(task, self._jobs, self._seconds)
        given = _DEPTH * self._jobs
        with ThreadPoolExecutor(given) as threads:
            try:
                yield from in_order(chunks, task, lambda chunk: threads.submit(pool.run, chunk).result, given + 1)
            finally:
                pool.close()
                threads.shutdown(cancel_futures=True)
