"""Run shards on a Dask cluster: each task reads its part of the input and writes a separate file.

All processes must reach the inputs and the directory of the parts by the same names.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import dask
from distributed import Client, KilledWorker, LocalCluster, as_completed

from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.checkpoint import Journal
from hexrec.parallel.chunks import Shard
from hexrec.util.limits import IN_FORCE
from hexrec.util.version import __version__
from hexrec.validation.report import Summary

#: The address that stands for a local cluster, started for the run.
LOCAL = "local"
#: The size of a shard in bytes, and the maximum number of shards, beyond which shards are larger.
SHARD_SIZE, MOST_SHARDS = 16 << 20, 500
#: The number of processes that a shard may lose before it fails: processes may end for unrelated reasons.
_LOSSES = 10
#: The timeout in seconds for closing a cluster, which can wait forever for a process that was killed at its start.
_PATIENCE = 30

#: Write the rows of a shard to a file. It is pickled to the cluster.
WriteShard = Callable[[Shard, Path], Summary]


def run_shards(
    address: str, jobs: int, directory: Path, suffix: str, size: int, write: WriteShard, **options: object
) -> Generator[tuple[Summary, bool]]:
    """Write each shard to a file of a directory; yield its totals, and whether an earlier run finished it.

    `address` is the address of a scheduler; ``local`` starts a cluster of `jobs` processes. `size` is the size of the
    input in bytes. `options` must include every option on which the rows depend. Raises WorkersUnavailable, RunError,
    OSError, and the errors of `write`.
    """
    count = max(1, min(MOST_SHARDS, -(-size // SHARD_SIZE)))
    files = {number: directory / f"part-{number:04}-of-{count:04}{suffix}" for number in range(1, count + 1)}
    with closing(Journal(directory / ".hexrec-parts", size=size, **options)) as journal, ExitStack() as opened:
        try:
            restored = (_restore(entry) for entry, _ in journal.read())
            finished = {number: summary for number, summary in restored if files[number].exists()}
        except (LookupError, TypeError, ValueError):
            raise journal.malformed() from None
        yield from ((summary, True) for summary in finished.values())
        missing = {number: file for number, file in files.items() if number not in finished}
        if not missing:
            return
        client = _connect(address, jobs, opened)
        futures = {
            client.submit(write, Shard(number, count, size), file, pure=False): number
            for number, file in missing.items()
        }
        for future in as_completed(futures, loop=client.loop):
            number = futures[future]
            try:
                summary = future.result()
            except KilledWorker:
                message = f"the Dask cluster lost {_LOSSES} processes that worked on shard {number}/{count}"
                raise WorkersUnavailable(message) from None
            journal.write([number, asdict(summary)])
            yield summary, False


def _restore(entry: Any) -> tuple[int, Summary]:
    """Return a number and a summary from a journal. Raises TypeError and ValueError for another form."""
    number, data = entry
    return number, Summary.restore(data)


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
