"""A run that ends anywhere is continued there, and gives the rows that it would have given."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hexrec.errors import RunError
from hexrec.io.discovery import Discovery
from hexrec.output import rows
from hexrec.output.rows import COLUMNS
from hexrec.output.totals import Totals
from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import EncodedRows, ScoreTask
from tests.parallel.conftest import SMALL, copy_of, record, scored

Batches = list[EncodedRows]


class Runs:
    """Runs over the same files, with the same checkpoint.

    Attributes:
        saved: the numbers of chunks of the latest run that were saved before, and that it saved.
    """

    def __init__(self, folder: Path, *paths: Path, encode: Callable[[list[Any]], bytes] | None = None) -> None:
        self.output = folder / "scores.csv"
        self.paths = [*map(str, paths)]
        self.encode = encode
        self.saved = (0, 0)

    def batches(self, *, stop: int | None = None, limits: Any = SMALL, jobs: int = 0, **options: object) -> Batches:
        before = self._files()
        task = ScoreTask(encode=self.encode, checkpoint=Checkpoint(self.output, **options))
        found = run(split(Discovery(self.paths), limits), task, jobs)
        batches = [batch.gathered for batch in islice(found, stop)]
        found.close()
        written = self._files()
        self.saved = (len(written.items() & before.items()), len(written.items() - before.items()))
        return batches

    def _files(self) -> dict[str, tuple[int, int]]:
        """The inodes and times of the files of the checkpoint: two files may be written within a tick of the clock."""
        found = {path.name: path.stat() for path in (self.files if self.checkpoint.is_dir() else ())}
        return {name: (status.st_ino, status.st_mtime_ns) for name, status in found.items()}

    @property
    def checkpoint(self) -> Path:
        return Checkpoint(self.output).path

    @property
    def files(self) -> list[Path]:
        return sorted(self.checkpoint.iterdir())


def joined(batches: Batches) -> dict[str, list[Any]]:
    found = [row for batch in batches for row in rows.decode_rows(batch.part)]
    return {name: [row[place] for row in found] for place, name in enumerate(COLUMNS)}


@pytest.mark.parametrize("jobs", [0, 2])
def test_a_run_is_continued_where_it_ended(tmp_path: Path, archive: Path, jobs: int) -> None:
    copy = copy_of(archive)
    runs = Runs(tmp_path, archive, copy)
    expected = scored([archive, copy])
    for stop in (1, 5, 17):
        runs.batches(stop=stop)
    assert joined(runs.batches(jobs=jobs)) == expected
    assert runs.saved[0] >= 16
    assert runs.saved[1] > 10
    assert joined(runs.batches(jobs=jobs)) == expected
    assert runs.saved == (sum(runs.saved), 0)


@pytest.mark.parametrize("name", rows.names())
def test_encoded_rows_and_totals_are_continued(tmp_path: Path, archive: Path, name: str) -> None:
    writer = rows.get(name)
    runs = Runs(tmp_path, archive, encode=writer.encode)
    runs.batches(stop=5)
    found = [written(writer, runs.batches())]
    shutil.rmtree(runs.checkpoint)
    found.append(written(writer, runs.batches()))
    assert found[0] == found[1]
    assert found[0][1]["records"] == 44


def written(writer: rows.RowWriter, batches: Batches) -> tuple[str | bytes, dict[str, Any]]:
    """Return the output and the totals of batches of encoded rows."""
    out = io.BytesIO() if writer.binary else io.StringIO()
    writer.join((batch.part for batch in batches), out)
    totals = Totals()
    for batch in batches:
        totals.add_all(batch.totals)
    return out.getvalue(), totals.data()


def test_damaged_results_are_made_again(tmp_path: Path, archive: Path) -> None:
    """A machine that lost its power may have written a part of a file, or a file with the content of another."""
    runs = Runs(tmp_path, archive)
    expected = runs.batches()
    first, second, *_ = runs.files
    content = first.read_bytes()
    for damaged in (b"", content[:1], content[:-1], content + b"x", bytes(len(content))):
        first.write_bytes(damaged)
        assert runs.batches() == expected
        assert runs.saved[1] == 1
        assert first.read_bytes() == content
    second.write_bytes(content[:20] + b"x" + content[21:])
    assert runs.batches() == expected


@pytest.mark.parametrize("name", ["a.yaml", "a.jsonl.gz"])
def test_a_stream_among_other_files(tmp_path: Path, name: str) -> None:
    """What is too large to be held is read again; lines are held in parts."""
    path, other = tmp_path / name, tmp_path / "other.jsonl"
    text = "".join(f"---\n{record(number)}" if "yaml" in name else record(number) for number in range(400))
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    other.write_text("".join(map(record, range(10))))
    runs = Runs(tmp_path, other, path, other)
    limits = SMALL._replace(size=20_000)
    expected = scored([other, path, other], limits=limits)
    for stop in (1, 2, 3, None, None):
        batches = runs.batches(stop=stop, limits=limits)
    assert joined(batches) == expected
    assert runs.saved[1] == 0


def records(count: int) -> bytes:
    return "".join(f"---\n{record(number)}" for number in range(count)).encode()


#: Files before and after a change. More than 10,000 bytes are not held, but read as a stream.
CHANGED: dict[str, tuple[str, bytes, bytes | None]] = {
    "binary": ("a.yaml", bytes(1 << 20), b"\0\1" + bytes(1 << 20)),
    "grown stream": ("a.yaml", records(80), records(81)),
    "shorter": ("a.yaml", records(80), records(1)),
    "longer": ("a.yaml", records(1), records(80)),
    "packed": ("a.yaml.gz", gzip.compress(records(80)), gzip.compress(records(1))),
    "damaged stream": ("a.yaml.gz", gzip.compress(records(80)), b"\x1f\x8b\x08" + bytes(300)),
    "damaged": ("a.jsonl.gz", gzip.compress("".join(map(record, range(40))).encode()), b"\x1f\x8b\x08" + bytes(300)),
    "less": ("a.jsonl", "".join(map(record, range(40))).encode(), record(0).encode()),
    "gone": ("a.json", record(0).encode(), None),
}


@pytest.mark.parametrize("change", CHANGED)
def test_an_input_that_has_changed_is_read_again(tmp_path: Path, change: str) -> None:
    name, before, after = CHANGED[change]
    path = tmp_path / name
    path.write_bytes(before)
    runs = Runs(tmp_path, path)
    assert runs.batches() == runs.batches()
    assert runs.saved[1] == 0
    if after is None:
        path.unlink()
    else:
        path.write_bytes(after)
    assert joined(runs.batches()) == scored([path])


@pytest.mark.parametrize("late", [False, True])
def test_only_what_has_changed_is_worked_on_again(tmp_path: Path, archive: Path, late: bool) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches()
    data = archive.read_bytes()
    archive.write_bytes(data[:-20] + b"x" + data[-19:] if late else data[:20] + b"x" + data[21:])
    assert joined(runs.batches()) == scored([archive])
    assert runs.saved[1] == 1


def test_a_run_with_other_options_or_limits_begins_anew(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(select="x")
    assert len(runs.files) == runs.saved[1]
    runs.batches(select="y")
    assert runs.saved[0] == runs.saved[1]
    monkeypatch.setattr("hexrec.util.plugins.__version__", "99.0")
    runs.batches(select="y")
    assert runs.saved[0] == 2 * runs.saved[1]


def test_another_version_of_a_plug_in(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    runs = Runs(tmp_path, archive)
    for version in ("1.0", "2.0"):
        information = tmp_path / f"col-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: col\nVersion: {version}\n")
        (information / "entry_points.txt").write_text("[hexrec.games]\ncol = hexrec_col:COL\n")
        runs.batches(stop=2)
        assert runs.saved[1]
        shutil.rmtree(information)


@pytest.mark.skipif(os.name != "posix", reason="permissions and owners of another system")
def test_a_checkpoint_is_for_its_owner(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches()
    modes = {stat.S_IMODE(path.stat().st_mode) for path in runs.files}
    assert (stat.S_IMODE(runs.checkpoint.stat().st_mode), modes) == (0o700, {0o600})
    Checkpoint(runs.output).expect_own()
    monkeypatch.setattr(os, "geteuid", lambda: runs.checkpoint.stat().st_uid + 1)
    with pytest.raises(RunError, match="belongs to another user: delete it"):
        Checkpoint(runs.output).expect_own()


def test_a_place_where_nothing_can_be_saved_does_no_harm(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.checkpoint.write_text("a file")
    assert joined(runs.batches()) == scored([archive])
    Checkpoint(runs.output).delete()
    assert not runs.checkpoint.exists()
