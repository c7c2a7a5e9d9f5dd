"""A Dask cluster works on chunks wherever it has processes. All of them must see the files under the same names."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from time import monotonic
from typing import Any

import dask
from distributed import Client, Future, KilledWorker, LocalCluster

from hexrec._version import __version__
from hexrec.batch.chunks import Chunk
from hexrec.batch.pool import CHUNK_SECONDS, ChunkPool
from hexrec.batch.runners import ChunkResults, RunnerError, in_order, retry, try_chunk
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ChunkTask
from hexrec.limits import IN_FORCE
from hexrec.workers.process import safe_path

#: Stands for the address of a cluster that is made for the run.
LOCAL = "local"
#: How many seconds it may take to restart a process of the cluster, or to end them all.
_PATIENCE = 30


class ClusterRunner:
    """Works on chunks on a cluster.

    Attributes:
        client: the connection to it, while there is a run.
    """

    def __init__(self, address: str, jobs: int, seconds: float | None = None) -> None:
        """`address` is that of a scheduler; for ``local`` a cluster of `jobs` processes is started.

        `seconds` is how long a process may be at work on a chunk; `CHUNK_SECONDS` if it is None.
        """
        self._address = address
        self._jobs = jobs
        self._seconds = seconds or CHUNK_SECONDS
        self.client: Any = None

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        """Yield the results of chunks, in order. Raises RunnerError."""
        with ExitStack() as opened:
            client = self.client = self._connect(opened)
            deserted = False  # whether the cluster once had no process left: then it may never have one again
            pool = ChunkPool(task, 1, self._seconds)  # for chunks that end the processes of the cluster
            opened.callback(pool.close)

            def result(chunk: Chunk, future: Future) -> ChunkResult:
                nonlocal deserted
                if deserted and not future.done() and not client.ncores():
                    future.cancel()
                    return pool.run(chunk)
                try:
                    # It is the oldest chunk there is: whatever it had to wait for is done.
                    answer = _result(client, future, self._seconds)
                except KilledWorker:
                    return pool.run(chunk)
                except TimeoutError:
                    deserted = not client.ncores()
                    _restart(client, future)
                    return pool.run(chunk)
                return retry(chunk, pool.attempt) if isinstance(answer, ChunkFailure) else answer

            def submit(chunk: Chunk) -> Any:
                future = client.submit(try_chunk, task, chunk, pure=False)
                return lambda: result(chunk, future)

            yield from in_order(chunks, task, submit, 2 * max(1, len(client.ncores())) + 1)

    def _connect(self, opened: ExitStack) -> Any:
        settings = {"distributed.scheduler.allowed-failures": 1, "distributed.admin.log-length": 0}
        opened.enter_context(dask.config.set(settings))
        try:
            target: Any = self._address
            if target == LOCAL:
                opened.enter_context(safe_path())  # until the end, for processes that are replaced
                target = LocalCluster(
                    n_workers=self._jobs,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
                opened.callback(_close, target)
            client = opened.enter_context(Client(target, timeout="10s", set_as_default=False))
            versions, limits = zip(*client.run(_about).values(), strict=True)
        except (OSError, ImportError, ValueError, RuntimeError) as error:
            raise RunnerError(f"the Dask cluster {self._address} cannot be used: {error}") from None
        others = set(versions) - {__version__}
        if others:
            raise RunnerError(f"the Dask cluster {self._address} has other versions of hexrec: {', '.join(others)}")
        if any(theirs != IN_FORCE for theirs in limits):
            message = "has other limits: set the same HEXREC_MAX_… in the environment of its processes"
            raise RunnerError(f"the Dask cluster {self._address} {message}")
        return client


def _result(client: Any, future: Future, seconds: float) -> ChunkResult | ChunkFailure:
    """Return what comes of a chunk. Raises KilledWorker, and TimeoutError also if no process is left to work on it."""
    end = monotonic() + seconds
    while True:
        try:
            answer: ChunkResult | ChunkFailure = future.result(timeout=min(_PATIENCE, seconds))
            return answer
        except TimeoutError:
            # A process that is killed while it starts is not always replaced.
            if monotonic() > end or not client.ncores():
                raise


def _close(cluster: LocalCluster) -> None:
    """End a cluster: left to itself, it can wait for ever for a process that was killed while it was being replaced."""
    with suppress(TimeoutError):
        cluster.close(timeout=_PATIENCE)


def _restart(client: Any, future: Future) -> None:
    """Restart the process of a cluster that hangs in a chunk. One that cannot be restarted is no longer counted on."""
    with suppress(Exception):  # whatever the cluster makes of it: the chunk is tried elsewhere
        hanging = [address for address, keys in client.processing().items() if future.key in keys]
        future.cancel(force=True)
        client.restart_workers(hanging, timeout=_PATIENCE, raise_for_error=False)


def _about() -> tuple[str, dict[str, int]]:
    return __version__, IN_FORCE
