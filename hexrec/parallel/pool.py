"""A pool of processes on this machine works on chunks. One that ends or hangs is replaced."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial

from hexrec.parallel.apart import RunnerError
from hexrec.parallel.chunks import Chunk
from hexrec.parallel.process import TaskFailed, TaskTimeout, WorkerDied, WorkerStartError
from hexrec.parallel.runners import ChunkResults, Wait, in_order
from hexrec.parallel.tasks import ChunkFailure, ChunkResult, ChunkTask, prepare
from hexrec.parallel.worker_pool import Pool, PoolClosed, in_thread

#: How many seconds a process may work on a chunk: by an estimate more than ten times what
#: the largest takes, 32 MiB of turns.
CHUNK_SECONDS = 1800.0


class PoolRunner:
    """Works on chunks in a pool of processes.

    Attributes:
        pool: the processes of the current run.
    """

    def __init__(self, jobs: int, seconds: float | None = None) -> None:
        """`seconds` is how long a process may work on a chunk; `CHUNK_SECONDS` if it is None."""
        self._jobs = jobs
        self._seconds = seconds or CHUNK_SECONDS
        self.pool: Pool | None = None

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        """Yield the results of chunks, in order. Raises RunnerError."""
        self.pool = Pool(self._jobs, partial(prepare, task))
        with in_thread(self.pool) as submit:

            def begin(chunk: Chunk) -> Wait:
                return partial(self._outcome, submit(chunk, self._seconds))

            yield from in_order(chunks, task, begin, 2 * self._jobs + 1)

    def _outcome(self, future: Future[ChunkResult | ChunkFailure]) -> ChunkResult | ChunkFailure:
        try:
            return future.result()
        except WorkerDied as death:
            message = f"the process working on this record ended twice; the last time, {death}"
            return ChunkFailure(message, worker_died=True)
        except TaskTimeout:
            return ChunkFailure(f"the work on this record took longer than {self._seconds:g} s and was ended")
        except TaskFailed as error:
            return ChunkFailure(f"the program failed on this record: {str(error).strip().rpartition(chr(10))[2]}")
        except WorkerStartError as error:
            raise RunnerError(str(error)) from None
        except PoolClosed:
            raise RunnerError("the work has ended") from None
