"""Outputs at URLs: on an object store in this process, and in the memory of fsspec."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

from tests.cli.conftest import Run, hexrec
from tests.cli.test_merge import content
from tests.parallel.conftest import record
from tests.store import Store, store

__all__ = ["hexrec", "store"]  # fixtures


@pytest.fixture
def memory() -> Iterator[str]:
    """The URL of an empty directory."""
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield "memory://out"
    system.store.clear()


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(record(8 * number) for number in range(300)))
    return path


COMMANDS = [
    ("score", "rows.csv"),
    ("score", "rows.csv.gz"),
    ("score", "rows.parquet"),
    ("positions", "positions.parquet"),
    ("validate", "report.json"),
    ("hash", "hashes.txt"),
    ("stats", "stats.json"),
    ("convert", "games.sgf"),
    ("dedupe --prefixes drop", "once.jsonl"),
]


@pytest.mark.parametrize(("command", "name"), COMMANDS)
def test_an_output_at_a_url_is_the_local_one(
    hexrec: Run, tmp_path: Path, games: Path, memory: str, command: str, name: str
) -> None:
    local = hexrec(*command.split(), games, "-o", tmp_path / name)
    remote = hexrec(*command.split(), games, "-o", f"{memory}/{name}")
    assert (remote.code, remote.err) == (0, local.err)
    with fsspec.open(f"{memory}/{name}", "rb") as stream:
        assert stream.read() == (tmp_path / name).read_bytes()


def test_tables_at_a_url_are_the_local_ones(hexrec: Run, tmp_path: Path, games: Path, memory: str) -> None:
    assert hexrec("turns", games, "-o", tmp_path / "local").code == 0
    for shard, name in (("1/2", "a"), ("2/2", "b/")):
        assert hexrec("turns", games, "-o", f"{memory}/parts/{name}", "--shard", shard).code == 0
    assert hexrec("merge", f"{memory}/parts", "-o", f"{memory}/merged").code == 0
    fsspec.filesystem("memory").get("/out/merged", str(tmp_path / "merged"), recursive=True)
    assert content(tmp_path / "merged") == content(tmp_path / "local") != []


@pytest.mark.slow
@pytest.mark.parametrize(("command", "name"), [("score", "rows.csv"), ("positions", "positions.parquet")])
def test_an_object_appears_when_it_is_complete(
    hexrec: Run, tmp_path: Path, games: Path, store: Store, command: str, name: str
) -> None:
    """And not at all if the run fails, as here where its input changes."""
    local = hexrec(command, games, "-j1", "-o", tmp_path / name)
    remote = hexrec(command, games, "-j1", "-o", f"{store.url}/deep/{name}")
    assert (remote.code, remote.err) == (local.code, local.err)
    assert store.read(f"deep/{name}") == (tmp_path / name).read_bytes()
    before = store.names()
    wrong = hexrec(command, games, tmp_path / "none.jsonl", "-j1", "-o", f"s3://no-such-bucket/{name}")
    assert wrong.code == 2
    assert f"s3://no-such-bucket/{name}: cannot be written" in wrong.err
    assert store.names() == before


def test_a_failed_run_leaves_nothing(hexrec: Run, games: Path, memory: str) -> None:
    games.write_text(games.read_text() * 2)
    ran = hexrec("convert", games, "--to", "json", "-o", f"{memory}/one.json")  # it has one record at most
    assert ran.code == 2
    assert fsspec.filesystem("memory").find("/out") == []


def test_a_run_with_a_remote_output_is_not_resumed(hexrec: Run, games: Path, memory: str) -> None:
    ran = hexrec("score", games, "-o", f"{memory}/rows.csv", "--resume")
    assert ran.code == 2
    assert "only a run with -o FILE on this machine can be resumed" in ran.err


def test_an_existing_object_is_overwritten_on_demand(hexrec: Run, games: Path, memory: str) -> None:
    command = ["convert", games, "-o", f"{memory}/games.sgf"]
    assert hexrec(*command).code == 0
    refused = hexrec(*command)
    assert (refused.code, "already exists: --force overwrites it" in refused.err) == (2, True)
    assert hexrec(*command, "--force").code == 0
