"""`--shard` and `--dask`: the rows of all parts together, one after the other, are the rows of one run."""

from __future__ import annotations

import gzip
import json
import sys
import zipfile
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from hexrec.io.discovery import Discovery
from hexrec.parallel import chunks
from hexrec.parallel.chunks import Shard, total_size
from hexrec.util.limits import IN_FORCE
from hexrec.util.version import __version__
from tests.cli.conftest import Run
from tests.parallel.conftest import SMALL, record, untidy


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of all kinds, some of them cut into parts of a few records."""
    monkeypatch.setattr(chunks, "CHUNK_LIMITS", SMALL)
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL,))
    folder = tmp_path / "in"
    folder.mkdir()
    lines = [record(number) for number in range(40)]
    lines[7:7] = ["\n", "{\n", "  \n"]
    lines[30:30] = ["\udcff\n", "x" * 2_000 + "\n"]
    (folder / "a.jsonl").write_text("\ufeff" + "".join(lines) + record(40).strip(), errors="surrogateescape")
    (folder / "b.jsonl").write_text("\n\n" + record(0))
    (folder / "c.jsonl").write_bytes(b"\0" + b"{}\n" * 900)
    (folder / "d.yaml").write_text("".join(f"---\n{line}" for line in lines[:6]))
    (folder / "e.jsonl.gz").write_bytes(gzip.compress("".join(lines[20:30]).encode()))
    (folder / "f.jsonl").write_bytes(gzip.compress("".join(lines[20:30]).encode()) + bytes(500))
    (folder / "g.jsonl").write_text("")
    (folder / "h.json").symlink_to("nowhere")
    (folder / "i.jsonl").write_bytes(b"\n" * 1_000)
    with zipfile.ZipFile(folder / "z.zip", "w") as archive:
        archive.writestr("one.json", record(1))
        archive.writestr("many.jsonl", "".join(lines[10:25]))
    return folder


@pytest.mark.parametrize(
    ("command", "count"), [("score --format jsonl", 3), ("hash", 60)]
)  # 60 are more than the parts
def test_the_rows_of_all_shards_are_those_of_one_run(hexrec: Run, inputs: Path, command: str, count: int) -> None:
    paths = [inputs, inputs / "missing.json", inputs / "a.jsonl"]
    whole = hexrec(*command.split(), *paths, "-j1")
    ran = [hexrec(*command.split(), *paths, "-j1", "--shard", f"{number}/{count}") for number in range(1, count + 1)]
    assert "".join(each.out for each in ran) == whole.out
    assert max(each.code for each in ran) == whole.code == 2


@pytest.mark.parametrize("count", [1, 7])
def test_the_reports_of_all_shards_are_those_of_one_run(hexrec: Run, inputs: Path, count: int) -> None:
    """With lines, indexes and everything else that is counted in a file."""

    def records(*options: str) -> Iterator[Any]:
        yield from json.loads(hexrec("validate", inputs, "--format", "json", "-j1", *options).out)["records"]

    assert [each for number in range(1, count + 1) for each in records("--shard", f"{number}/{count}")] == [*records()]


def test_the_positions_of_all_shards_are_those_of_one_run(hexrec: Run, inputs: Path, tmp_path: Path) -> None:
    """The same rows; those of one key follow one another in the order of the input."""
    target = tmp_path / "positions.parquet"

    def rows(*options: str) -> list[dict[str, Any]]:
        assert hexrec("positions", inputs, "-o", target, "-j1", *options).code in (0, 1, 2)
        return list(parquet.read_table(target).to_pylist())

    shards_rows = [row for number in range(1, 4) for row in rows("--shard", f"{number}/3")]
    assert sorted(shards_rows, key=itemgetter("key")) == rows() != []


def test_shards_are_about_as_large(inputs: Path) -> None:
    discovery = Discovery([str(inputs / "a.jsonl")])
    parts = [source.part for number in range(1, 5) for source in Shard(number, 4).among(discovery)]  # type: ignore[union-attr]
    size = (inputs / "a.jsonl").stat().st_size
    assert total_size(discovery) == size
    assert [(part.start, part.stop) for part in parts if part] == [
        (size * number // 4, size * (number + 1) // 4) for number in range(4)
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(
            (("--shard", name), f"{name!r} is not I/N, with I from 1 to N")
            for name in ("0/3", "4/3", "1", "a/b", "1/0")
        ),
        (("--shard", "1/2", "-"), "stdin cannot be divided: name files"),
    ],
)
@pytest.mark.parametrize("command", ["score", "validate", "hash"])
def test_shards_that_cannot_be(hexrec: Run, command: str, options: tuple[str, ...], message: str) -> None:
    ran = hexrec(command, "a.jsonl", *options)
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


def test_shards_share_a_cache_with_the_whole(hexrec: Run, inputs: Path, tmp_path: Path) -> None:
    """Reports on a part of a file are not taken for those on the whole."""
    cached = ("--cache", "--cache-dir", tmp_path / "cache")
    for options in (("--shard", "1/2"), ("--shard", "2/2"), ()):
        plain = hexrec("validate", inputs, *options)
        for _ in range(2):
            ran = hexrec("validate", inputs, *options, *cached)
            assert (ran.code, ran.out) == (plain.code, plain.out)
        assert "taken from the cache" in ran.err


def test_the_checkpoint_of_a_shard_is_not_that_of_another(hexrec: Run, inputs: Path, tmp_path: Path) -> None:
    target = tmp_path / "part.csv"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hexrec.parallel.checkpoint.Checkpoint.delete", lambda _: None)
        hexrec("score", inputs, "-j1", "-o", target, "--shard", "1/3")
    for shard in ("2/3", "1/3"):
        resumed = hexrec("score", inputs, "-j1", "-o", target, "--shard", shard, "--resume")
        whole = hexrec("score", inputs, "-j1", "--shard", shard)
        assert (target.read_text(), resumed.err.splitlines()[-1]) == (whole.out, whole.err.splitlines()[-1])


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of a megabyte, most of it blank, that becomes three shards, each a process."""
    monkeypatch.setattr("hexrec.parallel.cluster.SHARD_SIZE", 1 << 19)
    path = tmp_path / "archive.jsonl"
    path.write_text("".join(record(number) + " " * 9_000 + "\n" for number in range(120)))
    return path


@pytest.fixture(scope="module")
def worker() -> Iterator[str]:
    """The address of a cluster with a worker, in threads of this process."""
    from distributed import LocalCluster

    options = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(1, threads_per_worker=1, processes=False, **options) as started:
        yield started.scheduler_address


@untidy
def test_a_cluster_writes_the_parts_and_none_of_them_twice(
    hexrec: Run, archive: Path, tmp_path: Path, worker: str
) -> None:
    """What is missing is made by the next run, and a finished part is not touched."""
    command = ["score", archive, "--dask", worker, "-o", tmp_path / "parts", "--format", "jsonl"]
    whole = hexrec("score", archive, "-j1", "--format", "jsonl")
    first = hexrec(*command)
    parts = sorted((tmp_path / "parts").glob("part-*.jsonl"))
    assert [path.name for path in parts] == [f"part-{number:04}-of-0003.jsonl" for number in range(1, 4)]
    assert "".join(path.read_text() for path in parts) == whole.out
    assert (first.code, first.err.splitlines()[-1]) == (whole.code, whole.err.splitlines()[-1])
    parts[1].unlink()
    before = [path.stat().st_mtime_ns for path in parts if path.exists()]
    again = hexrec(*command)
    assert again.err.splitlines() == ["hexrec: finished by an earlier run: 2 parts", first.err.splitlines()[-1]]
    assert "".join(path.read_text() for path in parts) == whole.out
    assert [path.stat().st_mtime_ns for path in parts if path != parts[1]] == before
    # Parts of another run are not mixed with these, and the scheduler is not even asked.
    changes = {"size": "", "selection": "--ignore move/", "source": "--from jsonl", "rows": "--format csv"}
    for said, changed in changes.items():
        if not changed:
            archive.write_text(archive.read_text() + record(0))
        refused = hexrec(*command, *changed.split())
        assert (refused.code, f"compare {said}" in refused.err) == (2, True)
        archive.write_bytes(archive.read_bytes()[: len(archive.read_bytes()) - len(record(0)) * (not changed)])


@untidy
def test_a_cluster_that_cannot_be_used(
    hexrec: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worker: str
) -> None:
    """One that would judge otherwise is none either."""

    def assert_refused(address: str, message: str) -> None:
        ran = hexrec("score", archive, "--dask", address, "-o", tmp_path / "parts")
        assert ran.code == 2
        assert message in ran.err

    assert_refused("nowhere", "the Dask cluster nowhere cannot be used")
    monkeypatch.setattr("hexrec.parallel.cluster._about", lambda: ("99.0", IN_FORCE))
    assert_refused(worker, "has other versions of hexrec: 99.0")
    monkeypatch.setattr("hexrec.parallel.cluster._about", lambda: (__version__, {**IN_FORCE, "MAX_DEPTH": 1}))
    limits = "has other limits: set the same HEXREC_MAX_… in the environment of its processes"
    assert_refused(worker, limits)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "give -o DIRECTORY"),
        (("-o", "parts", "--shard", "1/2"), "give -o DIRECTORY, and no --shard"),
        (("-o", "parts", "--summary"), "totals need a run on one machine"),
        (("-o", "parts", "-"), "stdin cannot be divided"),
        (("-o", "a.jsonl"), "a.jsonl: cannot be written"),
    ],
)
def test_what_a_cluster_is_not_asked_for(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text(record(0))
    ran = hexrec("score", "a.jsonl", "--dask", "nowhere", *options)
    assert ran.code == 2
    assert message in " ".join(ran.err.split())


def test_dask_is_an_extra(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small.jsonl").write_text(record(0))
    monkeypatch.delitem(sys.modules, "hexrec.parallel.cluster", raising=False)
    monkeypatch.delattr("hexrec.parallel.cluster", raising=False)
    monkeypatch.setitem(sys.modules, "dask", None)
    ran = hexrec("score", tmp_path / "small.jsonl", "--dask", "local", "-o", tmp_path / "parts")
    assert (ran.code, ran.err) == (2, "hexrec: for --dask, install hexrec-games[dask]\n")
