"""Run the tasks of shards on a Dask cluster."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, suppress
from typing import Any, TypeVar

import dask
from distributed import Client, KilledWorker, LocalCluster, as_completed

from hexrec.parallel import WorkersUnavailable
from hexrec.util.limits import IN_FORCE
from hexrec.util.version import __version__

#: The address that stands for a local cluster, started for the run.
LOCAL = "local"
#: The size of a shard in bytes, and the maximum number of shards, beyond which shards are larger.
SHARD_SIZE, MOST_SHARDS = 16 << 20, 500
#: The number of processes that a shard may lose before it fails: processes may end for unrelated reasons.
_LOSSES = 10
#: The number of times that a task which raises an exception is tried again.
_RETRIES = 2
#: The timeout in seconds for closing a cluster, which can wait forever for a process that was killed at its start.
_PATIENCE = 30

T = TypeVar("T")


def count_shards(size: int) -> int:
    """Return the number of shards for an input of a size in bytes."""
    return max(1, min(MOST_SHARDS, -(-size // SHARD_SIZE)))


def run_tasks(address: str, jobs: int, work: Callable[[T], str], tasks: Mapping[int, T]) -> Generator[tuple[int, str]]:
    """Call a function with each task on a cluster; yield the numbers of tasks that are done, each with its result.

    `address` is the address of a scheduler; ``local`` starts a cluster of `jobs` processes. A task that raises an
    exception is tried again. Raises WorkersUnavailable, and the exceptions of `work`.
    """
    if not tasks:
        return
    with ExitStack() as opened:
        client = _connect(address, jobs, opened)
        futures = {client.submit(work, task, pure=False, retries=_RETRIES): number for number, task in tasks.items()}
        for future in as_completed(futures, loop=client.loop):
            number = futures[future]
            try:
                result = future.result()
            except KilledWorker:
                message = f"the Dask cluster lost {_LOSSES} processes that worked on shard {number}/{len(tasks)}"
                raise WorkersUnavailable(message) from None
            except RuntimeError as error:
                raise WorkersUnavailable(f"shard {number}: {error}") from None
            yield number, result


def _connect(address: str, jobs: int, opened: ExitStack) -> Any:
    opened.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": _LOSSES}))
    try:
        target: Any = address
        if target == LOCAL:
            if sys.flags.ignore_environment and not sys.flags.safe_path:
                raise OSError("Python imports from the current directory (option -E): add the option -P")
            if not os.environ.get("PYTHONSAFEPATH"):
                # `python -c` would import from the current directory first.
                os.environ["PYTHONSAFEPATH"] = "1"
                opened.callback(os.environ.pop, "PYTHONSAFEPATH", None)
            target = LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
            opened.callback(_close, target)
        client = opened.enter_context(Client(target, timeout="10s", set_as_default=False))
        about = client.run(_about).values()
        if others := {version for version, _ in about} - {__version__}:
            raise ValueError(f"it has other versions of hexrec: {', '.join(sorted(others))}")
        if any(limits != IN_FORCE for _, limits in about):
            raise ValueError("it has other limits: set the same HEXREC_MAX_… in the environment of its processes")
    except (OSError, ImportError, ValueError, RuntimeError) as error:
        raise WorkersUnavailable(f"the Dask cluster {address} cannot be used: {error}") from None
    return client


def _close(cluster: LocalCluster) -> None:
    with suppress(TimeoutError):
        cluster.close(timeout=_PATIENCE)


def _about() -> tuple[str, dict[str, int]]:
    return __version__, IN_FORCE
