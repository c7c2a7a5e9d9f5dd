"""A run that ends anywhere is continued there, and gives the rows that it would have given."""

from __future__ import annotations

import gzip
import os
import stat
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hexrec.batch.checkpoint import Checkpoint, CheckpointError
from hexrec.batch.chunks import split
from hexrec.batch.run import run
from hexrec.batch.tasks import ScoreTask
from hexrec.files.discovery import Discovery
from hexrec.settings.selection import Selection
from tests.batch.conftest import SMALL, record, scored

Rows = dict[str, list[Any]]


class Runs:
    """Runs over the same files, with the same checkpoint.

    Attributes:
        restored: how many chunks of the latest run came from the checkpoint, and how many were done.
    """

    def __init__(self, folder: Path, *paths: Path) -> None:
        self.output = folder / "scores.csv"
        self.paths = [*map(str, paths)]
        self.restored = (0, 0)

    def batches(self, *, stop: int | None = None, limits: Any = SMALL, **options: object) -> list[Rows]:
        checkpoint = Checkpoint(self.output, **options)
        chunks = split(Discovery(self.paths), limits)
        found = run(chunks, ScoreTask(Selection()), None, checkpoint, resume=True)
        try:
            batches = list(islice(found, stop))
        finally:
            found.close()
            checkpoint.close()
        restored = sum(batch.restored for batch in batches)
        self.restored = (restored, len(batches) - restored)
        return [batch.gathered for batch in batches]

    @property
    def checkpoint(self) -> Path:
        return Checkpoint(self.output).path


def joined(batches: list[Rows]) -> Rows:
    return {name: [value for batch in batches for value in batch[name]] for name in batches[0]}


def test_a_run_is_continued_where_it_ended(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive, archive)
    expected = scored([archive, archive])
    for stop in (1, 5, 17):
        runs.batches(stop=stop)
    assert joined(runs.batches()) == expected
    assert runs.restored[0] == 17
    assert runs.restored[1] > 10
    assert joined(runs.batches()) == expected
    assert runs.restored == (sum(runs.restored), 0)


def test_a_checkpoint_cut_off_anywhere(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    expected = runs.batches()
    content = runs.checkpoint.read_bytes()
    for kept in (0, 1, 50, len(content) // 3, len(content) // 2, len(content) - 1):
        runs.checkpoint.write_bytes(content[:kept])
        assert runs.batches() == expected
        assert runs.restored[1] >= 1
        assert runs.checkpoint.read_bytes() == content


def test_a_checkpoint_with_a_torn_middle(tmp_path: Path, archive: Path) -> None:
    """A machine that lost its power may have written the end of a file and not what comes before it."""
    runs = Runs(tmp_path, archive)
    expected = runs.batches()
    content = bytearray(runs.checkpoint.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 100] = bytes(100)
    runs.checkpoint.write_bytes(content)
    assert runs.batches() == expected
    assert runs.restored[0] > 1
    assert runs.restored[1] > 1


def test_a_line_in_the_wrong_place_ends_what_counts(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    expected = runs.batches()
    lines = runs.checkpoint.read_bytes().splitlines(keepends=True)
    runs.checkpoint.write_bytes(b"".join([*lines[:3], lines[0], *lines[3:]]))
    assert runs.batches() == expected
    assert runs.restored[0] == 2


@pytest.mark.parametrize("name", ["a.yaml", "a.jsonl.gz"])
def test_what_is_read_as_a_stream_is_continued_too(tmp_path: Path, name: str) -> None:
    path, other = tmp_path / name, tmp_path / "other.jsonl"
    text = "".join(f"---\n{record(number)}" if "yaml" in name else record(number) for number in range(1_100))
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    other.write_text("".join(map(record, range(10))))
    runs = Runs(tmp_path, other, path, other)
    limits = SMALL._replace(size=20_000)
    expected = scored([other, path, other], limits=limits)
    for stop in (1, 2, 3):
        runs.batches(stop=stop, limits=limits)
    assert joined(runs.batches(limits=limits)) == expected
    assert joined(runs.batches(limits=limits)) == expected
    assert runs.restored[1] == 0


def test_a_stream_that_was_refused_is_continued_too(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(bytes(1 << 20))
    runs = Runs(tmp_path, path)
    expected = runs.batches()
    assert joined(expected)["code"] == ["syntax/binary"]
    assert runs.batches() == expected
    assert runs.restored[1] == 0
    path.write_bytes(b"\0\1" + bytes(1 << 20))
    with pytest.raises(CheckpointError, match=r"a\.yaml has changed since"):
        runs.batches()


def test_a_stream_that_has_grown_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("".join(f"---\n{record(number)}" for number in range(200)))
    runs = Runs(tmp_path, path)
    runs.batches()
    with path.open("a") as file:
        file.write(f"---\n{record(200)}")
    with pytest.raises(CheckpointError, match=r"a\.yaml has changed since"):
        runs.batches()


@pytest.mark.parametrize("late", [False, True])
def test_other_input_is_refused(tmp_path: Path, archive: Path, late: bool) -> None:
    """Only what the checkpoint tells the results of has to be the same."""
    runs = Runs(tmp_path, archive)
    runs.batches(stop=8)
    data = archive.read_bytes()
    archive.write_bytes(data[:-20] + b"x" + data[-19:] if late else data[:20] + b"x" + data[21:])
    if late:
        assert joined(runs.batches()) == scored([archive])
    else:
        with pytest.raises(CheckpointError, match=r"archive\.jsonl has changed since the run began"):
            runs.batches()


def test_less_input_is_refused(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches()
    archive.write_text(record(0))
    with pytest.raises(CheckpointError, match="has changed since"):
        runs.batches()


def test_a_file_that_is_gone_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "one.json"
    other.write_text(record(0))
    runs = Runs(tmp_path, other)
    runs.batches()
    other.unlink()
    with pytest.raises(CheckpointError, match=r"one\.json has changed since"):
        runs.batches()


def test_other_options_are_refused(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(stop=2, paths=["a"], select="x")
    with pytest.raises(CheckpointError, match=r"another one \(compare select\)"):
        runs.batches(paths=["a"], select="y")


def test_another_version_is_refused(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(stop=2)
    monkeypatch.setattr("hexrec.batch.checkpoint.__version__", "99.0")
    with pytest.raises(CheckpointError, match="the run was one of hexrec"):
        runs.batches()


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of another system")
def test_a_checkpoint_is_for_its_owner_and_no_link(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(stop=2)
    assert stat.S_IMODE(runs.checkpoint.stat().st_mode) == 0o600
    runs.checkpoint.unlink()
    other = tmp_path / "other"
    other.write_text("not to be touched")
    runs.checkpoint.symlink_to(other)
    with pytest.raises(OSError, match="checkpoint"):
        runs.batches()
    assert other.read_text() == "not to be touched"
