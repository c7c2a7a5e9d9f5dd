"""A run over a cluster, from input to answer: one of its machines is lost, and only an object store is shared."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from hexrec.rules import games
from tests.cli.conftest import Run
from tests.cli.test_dedupe import cut, image
from tests.cli.test_merge import content
from tests.parallel.conftest import untidy
from tests.properties import FACTOR
from tests.store import Store, store
from tests.tools.test_duplicates import references

__all__ = ["store"]  # a fixture

SHARDS = 4
#: By command and its options: the suffix of the answer.
RUNS = {
    "dedupe --mirrored drop --prefixes drop": "jsonl",
    "stats": "json",
    "score --format parquet": "parquet",
    "turns": "tables",
}


@pytest.fixture
def archive(store: Store, monkeypatch: pytest.MonkeyPatch) -> str:
    """An archive on the store in which copies, images and beginnings of a game are far from it."""
    known = [data for game in games.names() for data in references(game)[:4]]
    records = [*known, *(cut(data, 6) for data in known), *(image(data, 5) for data in known), *known]
    lines = "".join(json.dumps(data).ljust(12_000) + "\n" for data in records)
    monkeypatch.setattr("hexrec.parallel.cluster.SHARD_SIZE", -(-len(lines) // SHARDS))
    store.write("in/archive.jsonl", lines.encode())
    return f"{store.url}/in/archive.jsonl"


@contextmanager
def losing_a_worker(cluster: Any, store: Store, directory: str) -> Iterator[list[int]]:
    """Kill one worker when the first part is there. Yield a list that then has the number of parts."""
    from distributed import Client

    over = Event()
    parts: list[int] = []

    def lose() -> None:
        while not over.wait(0.05):
            if count := sum(name.startswith(directory) and name.endswith(".hexrec-part") for name in store.names()):
                os.kill(next(iter(pids)), signal.SIGKILL)
                parts.append(count)
                return

    with Client(cluster, set_as_default=False) as client:
        pids = client.run(os.getpid).values()
    watch = Thread(target=lose)
    watch.start()
    try:
        yield parts
    finally:
        over.set()
        watch.join()


@pytest.mark.skipif(FACTOR == 1, reason="the session properties runs it: four workers and a store take a minute")
@untidy
def test_the_answers_of_a_cluster_are_those_of_one_machine(
    hexrec: Run, tmp_path: Path, store: Store, archive: str
) -> None:
    from distributed import LocalCluster

    address = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(n_workers=4, threads_per_worker=1, processes=True, silence_logs=50, **address) as cluster:
        for command, suffix in RUNS.items():
            name = command.split()[0]
            local = tmp_path / f"{name}.{suffix}"
            alone = hexrec(*command.split(), archive, "-j1", "-o", local)
            parts = f"{store.url}/{name}"
            run = [*command.split(), archive, "--dask", cluster.scheduler_address, "-o", parts]
            if name == "dedupe":
                with losing_a_worker(cluster, store, name) as finished:
                    divided = hexrec(*run)
                assert divided.code == 0, divided.err
                assert 1 <= finished[0] < SHARDS
            else:
                divided = hexrec(*run)
            assert divided.code == 0, divided.err
            merged = hexrec("merge", parts, "-o", f"{store.url}/answers/{local.name}")
            assert merged.code == alone.code == 0, merged.err
            answer = tmp_path / "answer" / local.name
            store.download(f"answers/{local.name}", answer)
            assert content(answer) == content(local) != []
            again = hexrec(*run)
            assert f"finished by an earlier run: {SHARDS} parts" in again.err
