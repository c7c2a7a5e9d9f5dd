"""A run that ends anywhere is continued there, and gives the rows that it would have given."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import stat
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
from hexrec.util.version import __version__
from hexrec.validation.report import Summary
from tests.parallel.conftest import SMALL, copy_of, record, scored

TASK = ScoreTask()


class Runs:
    """Runs over the same files, with the same checkpoint.

    Attributes:
        restored: how many chunks of the latest run came from the checkpoint, and how many were done.
    """

    def __init__(self, folder: Path, *paths: Path, task: ScoreTask = TASK) -> None:
        self.task = task
        self.output = folder / "scores.csv"
        self.paths = [*map(str, paths)]
        self.restored = (0, 0)

    def batches(self, *, stop: int | None = None, limits: Any = SMALL, **options: object) -> list[EncodedRows]:
        checkpoint = Checkpoint(self.output, **options)
        chunks = split(Discovery(self.paths), limits)
        found = run(chunks, self.task, checkpoint=checkpoint, resume=True)
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


def joined(batches: list[EncodedRows]) -> dict[str, list[Any]]:
    found = [row for batch in batches for row in rows.decode_rows(batch.part)]
    return {name: [row[place] for row in found] for place, name in enumerate(COLUMNS)}


def entries(content: bytes) -> list[tuple[bytes, bytes]]:
    """Return the lines of a checkpoint, each with the bytes of its result."""
    found, stream = [], io.BytesIO(content)
    while line := stream.readline():
        found.append((line, stream.read(int(line.split(b" ")[1]))))
    return found


def test_a_run_is_continued_where_it_ended(tmp_path: Path, archive: Path) -> None:
    copy = copy_of(archive)
    runs = Runs(tmp_path, archive, copy)
    expected = scored([archive, copy])
    for stop in (1, 5, 17):
        runs.batches(stop=stop)
    assert joined(runs.batches()) == expected
    assert runs.restored[0] == 17
    assert runs.restored[1] > 10
    assert joined(runs.batches()) == expected
    assert runs.restored == (sum(runs.restored), 0)


@pytest.mark.parametrize("name", rows.names())
def test_encoded_rows_and_totals_are_continued(tmp_path: Path, archive: Path, name: str) -> None:
    writer = rows.get(name)
    runs = Runs(tmp_path, archive, task=ScoreTask(encode=writer.encode))
    runs.batches(stop=5)
    found = [written(writer, runs.batches())]
    assert runs.restored[0] == 5
    runs.checkpoint.unlink()
    found.append(written(writer, runs.batches()))
    assert runs.restored[0] == 0
    assert found[0] == found[1]
    assert found[0][1]["records"] == 44


def written(writer: rows.RowWriter, batches: list[EncodedRows]) -> tuple[str | bytes, dict[str, Any]]:
    """Return the output and the totals of batches of encoded rows."""
    out = io.BytesIO() if writer.binary else io.StringIO()
    writer.join((batch.part for batch in batches), out)
    totals = Totals()
    for batch in batches:
        totals.add_all(Totals.unpack(batch.totals))
    return out.getvalue(), totals.data()


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
    lines = [line + data for line, data in entries(runs.checkpoint.read_bytes())]
    runs.checkpoint.write_bytes(b"".join([*lines[:5], lines[1], *lines[5:]]))
    assert runs.batches() == expected
    assert runs.restored[0] == 4


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


def records(count: int) -> bytes:
    return "".join(f"---\n{record(number)}" for number in range(count)).encode()


#: Files before and after a change. More than 10,000 bytes are not held, but read as a stream.
CHANGED: dict[str, tuple[str, bytes, bytes | None]] = {
    "binary": ("a.yaml", bytes(1 << 20), b"\0\1" + bytes(1 << 20)),
    "grown stream": ("a.yaml", records(200), records(201)),
    "shorter": ("a.yaml", records(200), records(1)),
    "longer": ("a.yaml", records(1), records(200)),
    "packed": ("a.yaml.gz", gzip.compress(records(200)), gzip.compress(records(1))),
    "damaged stream": ("a.yaml.gz", gzip.compress(records(200)), b"\x1f\x8b\x08" + bytes(300)),
    "damaged": ("a.jsonl.gz", gzip.compress("".join(map(record, range(40))).encode()), b"\x1f\x8b\x08" + bytes(300)),
    "less": ("a.jsonl", "".join(map(record, range(40))).encode(), record(0).encode()),
    "gone": ("a.json", record(0).encode(), None),
}


@pytest.mark.parametrize("change", CHANGED)
def test_an_input_that_has_changed_is_refused(tmp_path: Path, change: str) -> None:
    """A run that has not is continued, even where nothing was read beyond an error."""
    name, before, after = CHANGED[change]
    path = tmp_path / name
    path.write_bytes(before)
    runs = Runs(tmp_path, path)
    expected = runs.batches()
    assert runs.batches() == expected
    assert runs.restored[1] == 0
    if after is None:
        path.unlink()
    else:
        path.write_bytes(after)
    with pytest.raises(RunError, match=rf"{re.escape(name)} has changed since the run began"):
        runs.batches()


def test_an_input_that_lost_its_end_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.jsonl").write_text(record(number))
    runs = Runs(tmp_path, folder)
    assert len(runs.batches()) > 1
    *_, last = split(Discovery(runs.paths), SMALL)
    for name in {slice.name for slice in last.slices}:
        Path(name).unlink()
    with pytest.raises(RunError, match="the input has changed since the run began: it cannot be continued"):
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
        with pytest.raises(RunError, match=r"archive\.jsonl has changed since the run began"):
            runs.batches()


def test_other_options_are_refused(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(stop=2, paths=["a"], select="x")
    with pytest.raises(RunError, match=r"another one \(compare select\)"):
        runs.batches(paths=["a"], select="y")


def test_another_version_is_refused(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(stop=2)
    monkeypatch.setattr("hexrec.util.plugins.__version__", "99.0")
    said = rf"the run was another one \(compare hexrec {__version__}, hexrec 99\.0\): it cannot be continued"
    with pytest.raises(RunError, match=said):
        runs.batches()


def test_another_version_of_a_plug_in_is_refused(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for version in ("1.0", "2.0"):
        information = tmp_path / f"col-{version}.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: col\nVersion: {version}\n")
        (information / "entry_points.txt").write_text("[hexrec.games]\ncol = hexrec_col:COL\n")
        if version == "1.0":
            runs = Runs(tmp_path, archive)
            runs.batches(stop=2)
            shutil.rmtree(information)
    with pytest.raises(RunError, match=r"another one \(compare col 1\.0, col 2\.0\)"):
        runs.batches()


@pytest.mark.skipif(os.name != "posix", reason="permissions and links of another system")
def test_a_checkpoint_is_for_its_owner_and_no_link(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(stop=2)
    assert stat.S_IMODE(runs.checkpoint.stat().st_mode) == 0o600
    other = tmp_path / "other"
    runs.checkpoint.rename(other)
    content = other.read_bytes()
    runs.checkpoint.symlink_to(other)
    with pytest.raises(RunError, match="is a symbolic link: delete it"):
        runs.batches()
    begun_anew(runs)
    assert not runs.checkpoint.is_symlink()
    assert other.read_bytes() == content


@pytest.mark.skipif(os.name != "posix", reason="owners of another system")
def test_a_checkpoint_of_another_user_is_not_continued(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches(stop=2)
    monkeypatch.setattr(os, "geteuid", lambda: runs.checkpoint.stat().st_uid + 1)
    with pytest.raises(RunError, match="belongs to another user: delete it"):
        runs.batches()


def begun_anew(runs: Runs) -> None:
    """Begin a run that is not to be continued."""
    checkpoint = Checkpoint(runs.output)
    found = run(split(Discovery(runs.paths), SMALL), TASK, checkpoint=checkpoint)
    assert not next(found).restored
    found.close()
    checkpoint.close()


def test_a_run_that_is_not_to_be_continued_begins_anew(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches()
    before = runs.checkpoint.read_bytes()
    begun_anew(runs)
    assert before.startswith(runs.checkpoint.read_bytes())
    assert len(runs.checkpoint.read_bytes()) < len(before)


def test_a_checkpoint_counts_its_results_and_goes_with_its_file(tmp_path: Path, archive: Path) -> None:
    """What is missing of its last chunk is added."""
    chunks = list(split(Discovery([str(archive)]), SMALL))
    checkpoint = Checkpoint(tmp_path / "scores.csv")
    assert (checkpoint.path.name, checkpoint.path.exists()) == (".scores.csv.hexrec-checkpoint", False)
    assert list(checkpoint.restore(iter(chunks))) == []
    first, last = (EncodedRows(Summary(), b"[]", part) for part in (b"1", b"2"))
    for chunk in chunks[:3]:
        assert list(checkpoint.save(chunk, iter([first, last]))) == [first, last]
    assert checkpoint.results == 6
    checkpoint.close()
    again = Checkpoint(tmp_path / "scores.csv")
    assert list(again.restore(iter(chunks))) == [
        (chunk, batch.pack()) for chunk in chunks[:3] for batch in (first, last)
    ]
    assert list(again.save(chunks[2], iter([first, last, first]))) == [first]
    assert again.results == 7
    again.delete()
    assert not again.path.exists()


def test_a_run_without_results_has_no_checkpoint_to_delete(tmp_path: Path) -> None:
    runs = Runs(tmp_path)
    assert runs.batches() == []
    Checkpoint(runs.output).delete()
    assert [*tmp_path.iterdir()] == []


def test_a_disk_that_is_full_when_a_checkpoint_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.BytesIO):
        def close(self) -> None:
            raise OSError(28, "No space left on device")

    checkpoint = Checkpoint(tmp_path / "scores.csv")
    monkeypatch.setattr(checkpoint, "_out", Full())
    checkpoint.close()
