"""A Dask cluster: units are done wherever it has processes. All of them must see the files under the same names."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

import dask
from distributed import Client, Future, KilledWorker, LocalCluster

from hexrec._version import __version__
from hexrec.batch.isolation import isolated
from hexrec.batch.pool import Crew
from hexrec.batch.runners import Done, RunnerError, attempted, in_order
from hexrec.batch.units import Unit
from hexrec.batch.work import Failed, Result, Work

#: Stands for the address of a cluster that is made for the run.
LOCAL = "local"


class Cluster:
    """Does units on a cluster.

    Attributes:
        client: the connection to it, while there is a run.
    """

    def __init__(self, address: str, jobs: int) -> None:
        """`address` is that of a scheduler; for ``local`` a cluster of `jobs` processes is started."""
        self._address = address
        self._jobs = jobs
        self.client: Any = None

    def run(self, units: Iterable[Unit], work: Work) -> Done:
        """Yield the results of units, in order. Raises RunnerError."""
        with ExitStack() as opened:
            client = self.client = self._connect(opened)
            crew = Crew(work)  # for units that end the processes of the cluster
            opened.callback(crew.end)

            def result(unit: Unit, future: Future) -> Result:
                try:
                    answer: Result | Failed = future.result()
                except KilledWorker:
                    return crew.do(unit)
                return isolated(unit, crew.attempt) if isinstance(answer, Failed) else answer

            def submit(unit: Unit) -> Any:
                future = client.submit(_attempted, unit, work, pure=False)
                return lambda: result(unit, future)

            yield from in_order(units, work, submit, 2 * max(1, len(client.ncores())) + 1)

    def _connect(self, opened: ExitStack) -> Any:
        settings = {"distributed.scheduler.allowed-failures": 1, "distributed.admin.log-length": 0}
        opened.enter_context(dask.config.set(settings))
        try:
            target: Any = self._address
            if target == LOCAL:
                target = opened.enter_context(
                    LocalCluster(
                        n_workers=self._jobs,
                        threads_per_worker=1,
                        processes=True,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",
                        silence_logs=logging.CRITICAL,
                    )
                )
            client = opened.enter_context(Client(target, timeout="10s", set_as_default=False))
            versions = set(client.run(_version).values())
        except (OSError, ImportError, ValueError, RuntimeError) as error:
            raise RunnerError(f"the Dask cluster {self._address} cannot be used: {error}") from None
        if versions - {__version__}:
            raise RunnerError(f"the Dask cluster {self._address} has other versions of hexrec: {', '.join(versions)}")
        return client


def _attempted(unit: Unit, work: Work) -> Result | Failed:
    """Return the result of a unit, or why there is none: the cluster would do a unit again that raised an error."""
    try:
        return attempted(unit, work)
    except Failed as failure:
        return failure


def _version() -> str:
    return __version__
