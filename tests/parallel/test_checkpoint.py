"""A run that ends anywhere is continued there, and gives the rows that it would have given."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import stat
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Discovery
from hexrec.parallel.checkpoint import Checkpoint, CheckpointError, _line
from hexrec.parallel.chunks import Chunk, Slice, split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ChunkResult, ScoreTask, run_chunk
from hexrec.util.limits import IN_FORCE
from hexrec.util.plugins import code_versions
from hexrec.util.version import __version__
from hexrec.validation.selection import Selection
from tests.parallel.conftest import SMALL, record, scored

Rows = dict[str, list[Any]]
TASK = ScoreTask(Selection())
CODE = code_versions()


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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.yaml", b"---\n" + record(0).encode()),
        ("a.yaml.gz", gzip.compress(record(0).encode())),
        ("a.yaml.gz", b"\x1f\x8b\x08" + bytes(300)),
    ],
    ids=["short", "packed", "damaged"],
)
def test_a_stream_that_is_none_any_more_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    text = "".join(f"---\n{record(number)}" for number in range(200)).encode()
    path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    runs = Runs(tmp_path, path)
    runs.batches()
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=rf"{re.escape(name)} has changed since"):
        runs.batches()


def test_a_file_that_has_become_a_stream_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"---\n{record(0)}")
    runs = Runs(tmp_path, path)
    runs.batches()
    path.write_text("".join(f"---\n{record(number)}" for number in range(200)))
    with pytest.raises(CheckpointError, match=r"a\.yaml has changed since"):
        runs.batches()


def test_what_is_damaged_now_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress("".join(map(record, range(40))).encode()))
    runs = Runs(tmp_path, path)
    runs.batches()
    path.write_bytes(b"\x1f\x8b\x08" + bytes(300))
    with pytest.raises(CheckpointError, match=r"a\.jsonl\.gz has changed since"):
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
    monkeypatch.setattr("hexrec.util.plugins.__version__", "99.0")
    said = rf"the code has changed since the run began \(hexrec {__version__}, hexrec 99\.0\): it cannot be continued"
    with pytest.raises(CheckpointError, match=said):
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
    with pytest.raises(CheckpointError, match=r"the code has changed since the run began \(col 1\.0, col 2\.0\)"):
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
    with pytest.raises(CheckpointError, match="is a symbolic link: delete it"):
        runs.batches()
    filled(tmp_path)
    assert not runs.checkpoint.is_symlink()
    assert other.read_text() == "not to be touched"


def filled(folder: Path, count: int = 3, **options: object) -> Checkpoint:
    """Return a checkpoint that a run with so many chunks has written."""
    checkpoint = Checkpoint(folder / "scores.csv", **options)
    chunks = (Chunk((Slice(f"{number}.jsonl", "jsonl", data=b"{}"),)) for number in range(count))
    assert len(list(checkpoint.save((chunk, run_chunk(chunk, TASK)) for chunk in chunks))) == count
    checkpoint.close()
    return checkpoint


def given(*names: str, data: bytes = b"{}") -> Iterator[Chunk]:
    """Yield chunks of such files."""
    return (Chunk((Slice(name, "jsonl", data=data),)) for name in names)


def test_a_checkpoint_counts_its_chunks(tmp_path: Path) -> None:
    """Also of a stream, which has several results."""
    checkpoint = filled(tmp_path)
    assert (checkpoint.path.name, checkpoint.chunks) == (".scores.csv.hexrec-checkpoint", 3)
    restored = Checkpoint(tmp_path / "scores.csv")
    assert restored.chunks == 0
    names = [chunk.slices[0].name for chunk, _ in restored.restore(given("0.jsonl", "1.jsonl", "2.jsonl", "3.jsonl"))]
    assert (names, restored.chunks) == (["0.jsonl", "1.jsonl", "2.jsonl"], 3)
    chunk = next(given("4.jsonl"))
    results = [(chunk, ChunkResult([], 2)), (chunk, ChunkResult([], 0, digest="end"))]
    assert list(restored.save(iter(results))) == results  # type: ignore[arg-type]
    assert restored.chunks == 4
    restored.close()


def test_what_a_checkpoint_says(tmp_path: Path) -> None:
    """A line for the run and one for each result, compact JSON, each after its digest of 32 digits."""
    checkpoint = filled(tmp_path, 1, paths=("a", 1))
    about, entry = checkpoint.path.read_text().splitlines()
    for line in (about, entry):
        text = line[33:]
        assert line[:33] == blake2b(text.encode(), digest_size=16).hexdigest() + " "
        assert text == json.dumps(json.loads(text), separators=(",", ":"))
    assert json.loads(about[33:]) == {
        "code": CODE,
        "options": {"paths": ["a", 1], "limits": IN_FORCE},
    }
    assert [*json.loads(entry[33:])] == ["gathered", "records", "lead", "tail", "digest", "continues"]


def test_a_checkpoint_without_a_result_is_no_file(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "scores.csv")
    assert not checkpoint.exists()
    assert list(checkpoint.restore(given("0.jsonl"))) == []
    assert list(checkpoint.save(iter(()))) == []  # type: ignore[arg-type]
    checkpoint.delete()
    assert not checkpoint.exists()
    filled(tmp_path).delete()
    assert not checkpoint.exists()


def test_a_checkpoint_that_was_closed_is_written_anew(tmp_path: Path) -> None:
    checkpoint = filled(tmp_path, 2)
    before = checkpoint.path.read_bytes()
    (chunk,) = given("0.jsonl")
    list(checkpoint.save(iter([(chunk, run_chunk(chunk, TASK))])))  # type: ignore[arg-type]
    checkpoint.close()
    assert before.startswith(checkpoint.path.read_bytes())
    assert len(checkpoint.path.read_bytes()) < len(before)


def test_a_disk_that_is_full_when_a_checkpoint_is_closed(tmp_path: Path) -> None:
    class Full(io.BytesIO):
        def close(self) -> None:
            raise OSError(28, "No space left on device")

    checkpoint = Checkpoint(tmp_path / "scores.csv")
    checkpoint._out = Full()
    checkpoint.close()
    assert checkpoint._out is None


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "the input has changed since the run began: it cannot be continued"),
        (("x",), "x has changed since the run began: it cannot be continued"),
        (("x", "y", "x", "z"), "x, y has changed since the run began: it cannot be continued"),
    ],
)
def test_what_has_changed_is_named(tmp_path: Path, names: tuple[str, ...], message: str) -> None:
    """The first three files of a chunk, each once."""
    filled(tmp_path)
    slices = tuple(Slice(name, "jsonl", data=b"{}") for name in names)
    with pytest.raises(CheckpointError) as raised:
        list(Checkpoint(tmp_path / "scores.csv").restore(iter([Chunk(slices)] if slices else ())))
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            {"code": [*CODE, "col 1.0"], "options": {}},
            "the code has changed since the run began (col 1.0)",
        ),
        ({"hexrec": __version__, "layout": 3}, f"the code has changed since the run began (hexrec {__version__})"),
        (
            {"code": CODE, "options": {"a": 1, "b": 3, "limits": IN_FORCE}},
            "the run was another one (compare b, c)",
        ),
        ({"code": CODE}, "the run was another one (compare a, b, c, limits)"),
        (
            {"code": CODE, "options": {"a": 1, "b": 2, "c": "new", "limits": {}}},
            "the run was another one (compare limits)",
        ),
    ],
)
def test_another_run_is_refused(tmp_path: Path, written: object, message: str) -> None:
    checkpoint = Checkpoint(tmp_path / "scores.csv", a=1, b=2, c="new")
    checkpoint.path.write_bytes(_line(written))
    with pytest.raises(CheckpointError) as raised:
        list(checkpoint.restore(given("0.jsonl")))
    assert str(raised.value) == f"{checkpoint.path}: {message}: it cannot be continued"


def test_what_follows_a_torn_line_is_written_again(tmp_path: Path) -> None:
    """Of a result of a stream of which the end is missing, too; a first line that is torn counts for all."""
    checkpoint = filled(tmp_path)
    lines = checkpoint.path.read_bytes().splitlines(keepends=True)
    for kept, count in (([*lines[:3], lines[3][:-1]], 2), ([lines[0], lines[1][:40]], 0), ([lines[0][:-2]], 0)):
        checkpoint.path.write_bytes(b"".join(kept))
        again = Checkpoint(tmp_path / "scores.csv")
        assert len(list(again.restore(given("0.jsonl", "1.jsonl", "2.jsonl")))) == count
        again.close()
        if kept[0] == lines[0]:
            assert checkpoint.path.read_bytes() == b"".join(lines[: count + 1])


@pytest.mark.skipif(os.name != "posix", reason="links of another system")
def test_a_checkpoint_that_has_become_a_link_is_not_continued(tmp_path: Path) -> None:
    checkpoint = filled(tmp_path)
    other = tmp_path / "other"
    checkpoint.path.rename(other)
    checkpoint.path.symlink_to(other)
    with pytest.raises(CheckpointError, match="is a symbolic link"):
        list(Checkpoint(tmp_path / "scores.csv").restore(given("0.jsonl", "1.jsonl", "2.jsonl")))


@pytest.mark.skipif(os.name != "posix", reason="owners of another system")
def test_a_checkpoint_of_another_user_is_not_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = filled(tmp_path).path
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(CheckpointError) as raised:
        list(Checkpoint(tmp_path / "scores.csv").restore(given("0.jsonl", "1.jsonl", "2.jsonl")))
    assert str(raised.value) == f"{path} belongs to another user: delete it"


def test_a_run_that_is_not_to_be_continued_begins_anew(tmp_path: Path, archive: Path) -> None:
    runs = Runs(tmp_path, archive)
    runs.batches()
    checkpoint = Checkpoint(runs.output)
    found = run(split(Discovery(runs.paths), SMALL), TASK, None, checkpoint)
    assert not next(found).restored
    found.close()
    checkpoint.close()
