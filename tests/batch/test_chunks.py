"""However an archive is split, its records get the same reports as when it is read whole."""

from __future__ import annotations

import gzip
import io
import json
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest

from hexrec.batch.chunks import ChunkLimits, split
from hexrec.batch.run import run
from hexrec.batch.tasks import ValidateTask
from hexrec.check import Report, check_sources
from hexrec.check.lint import Lint
from hexrec.dedup.duplicates import Duplicates
from hexrec.diagnostics import Diagnostic
from hexrec.files.discovery import Discovery, Source
from hexrec.limits import MAX_RECORD_BYTES
from tests.batch.conftest import SMALL, record, scored
from tests.cli.conftest import SHORT_GAME
from tests.record.helpers import FIXTURES

LINT = Lint()


def shown(report: Report) -> tuple[Any, ...]:
    """Return what a report says; the record and the document do not travel."""
    return report.file, report.index, report.diagnostics, report.plies, report.result, report.game, report.id


def whole(*paths: Path | str) -> list[tuple[Any, ...]]:
    return [shown(report) for report in Duplicates().find(check_sources(Discovery(map(str, paths)), lint=LINT))]


def in_chunks(*paths: Path | str, limits: ChunkLimits = SMALL) -> list[tuple[Any, ...]]:
    batches = run(split(Discovery(map(str, paths)), limits), ValidateTask(lint=LINT), None)
    return [shown(report) for report in Duplicates().find(report for batch in batches for report in batch.gathered)]


@pytest.mark.parametrize("size", [1, 7, 100, 1_000, 100_000])
def test_ranges_of_a_file(archive: Path, size: int) -> None:
    limits = SMALL._replace(size=size)
    assert len(list(split([Source(str(archive))], limits))) == -(-archive.stat().st_size // size)
    assert in_chunks(archive, limits=limits) == whole(archive)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_way_to_cut_two_lines(tmp_path: Path, ending: str, mark: str) -> None:
    path = tmp_path / "two.jsonl"
    path.write_bytes(f"{mark}{record(0).strip()}{ending}{ending}{record(1).strip()}{ending}".encode())
    expected = whole(path)
    assert [diagnostic.line for each in expected for diagnostic in each[2] if diagnostic.severity == "error"] == [3]
    for size in range(1, path.stat().st_size + 1, 5):
        assert in_chunks(path, limits=SMALL._replace(size=size)) == expected


@pytest.mark.parametrize(
    "content", [b"", b"\n\n\n", b"\0{}\n{}\n", b"\xff\xfe{\0}\0\n\0{\0}\0", b"\n" * 2_000, b"{}\n\0\n"]
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_files_without_a_readable_record(tmp_path: Path, content: bytes, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(pack(content))
    for size in (1, 3, 1_000):
        limits = SMALL._replace(size=size, compressed=0)
        assert in_chunks(path, limits=limits) == whole(path)
        assert in_chunks(path, path, limits=limits) == whole(path, path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "ending", "pack"),
    [
        *(
            (length, f"\n{record(1)}", bytes)
            for length in (MAX_RECORD_BYTES - 1, MAX_RECORD_BYTES, MAX_RECORD_BYTES + 1, 2 * MAX_RECORD_BYTES)
        ),
        *((MAX_RECORD_BYTES + 1, ending, bytes) for ending in ("", "\n")),
        *((MAX_RECORD_BYTES + 1, ending, gzip.compress) for ending in ("", f"\n{record(1)}")),
    ],
)
def test_a_line_that_is_too_long_does_not_hide_the_next(
    tmp_path: Path, length: int, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(pack(f"{record(0)}{'x' * length}{ending}".encode()))
    limits = SMALL._replace(size=1 << 19, compressed=0)
    assert in_chunks(path, limits=limits) == whole(path)


def packed_in(archive: Path, name: str) -> Path:
    """Return the archive in a file of another kind beside it."""
    content = archive.read_bytes()
    path = archive.with_name(name)
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(content))
    elif name.endswith(".zip"):
        with zipfile.ZipFile(path, "w") as zipped:
            zipped.writestr("b/archive.jsonl", content)
            zipped.writestr("one.json", record(0))
            zipped.writestr("readme.txt", "")
    else:
        with tarfile.open(path, "w") as tarred:
            for member, data in (("b/archive.jsonl", content), ("one.json", record(1).encode())):
                about = tarfile.TarInfo(member)
                about.size = len(data)
                tarred.addfile(about, io.BytesIO(data))
    return path


@pytest.mark.parametrize("name", ["archive.jsonl.gz", "telling.nothing.gz", "a.zip", "a.tar"])
def test_what_is_packed(archive: Path, name: str) -> None:
    path = packed_in(archive, name)
    assert in_chunks(path, archive) == whole(path, archive)
    assert len(list(split(Discovery([str(path)]), SMALL))) > 5


@pytest.mark.parametrize("kept", [0.3, 0.9])
def test_what_is_damaged(archive: Path, kept: float) -> None:
    """What could be read before the damage counts, and the damage is a row of its own."""
    path = packed_in(archive, "archive.jsonl.gz")
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * kept)])
    found = in_chunks(path, archive)
    assert found[-44:] == whole(archive)
    before = found[:-44]
    assert [index for _, index, *_ in before] == list(range(len(before)))
    assert [diagnostic.code for diagnostic in before[-1][2]] == ["syntax/unreadable"]
    assert before[:-1] == whole(path)[: len(before) - 1]


def test_an_archive_that_is_cut_off(archive: Path) -> None:
    path = packed_in(archive, "a.tar")
    path.write_bytes(path.read_bytes()[: archive.stat().st_size // 2])
    found = in_chunks(path, archive)
    assert [each[:2] for each in found[-44:]] == [each[:2] for each in whole(archive)]
    assert [each[2][0].code for each in found[:-44]][-2:] == ["syntax/unreadable"] * 2


def test_standard_input(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Standard:
        buffer: Any

    for path in (archive, packed_in(archive, "archive.jsonl.gz"), *fixtures("yaml"), *fixtures("sgf")):
        found = []
        for way in (whole, in_chunks):
            Standard.buffer = io.BufferedReader(io.BytesIO(path.read_bytes()))
            monkeypatch.setattr(sys, "stdin", Standard)
            found.append(way("-"))
        assert found[0] == found[1]


def test_addresses(archive: Path) -> None:
    fsspec.filesystem("memory").pipe("/far/a.jsonl", archive.read_bytes())
    assert in_chunks("memory://far/a.jsonl") == whole("memory://far/a.jsonl")


def fixtures(format: str) -> list[Path]:
    return sorted(FIXTURES.joinpath("notations", format).glob("*/*"))[:40]


@pytest.mark.parametrize("whole_size", [10, 1_000_000])
@pytest.mark.parametrize("format", ["json", "yaml", "sgf", "hgn", "abstractplay"])
def test_other_notations(format: str, whole_size: int) -> None:
    """Files that are small, held, or read as streams."""
    paths = fixtures(format)
    assert paths
    for size in (10, 1_000_000):
        assert in_chunks(*paths, limits=SMALL._replace(size=size, whole=whole_size)) == whole(*paths)


def test_small_files_share_chunks(tmp_path: Path) -> None:
    for number in range(10):
        (tmp_path / f"{number}.json").write_text(json.dumps(SHORT_GAME))
    (tmp_path / "5.json").unlink()
    sources = [*Discovery([str(tmp_path)]), Source(str(tmp_path / "5.json")), Diagnostic("syntax/empty", "", file="x")]
    chunks = list(split(sources, ChunkLimits(files=4)))
    assert [len(chunk.slices) for chunk in chunks] == [4, 4, 3]
    batches = run(chunks, ValidateTask(), None)
    assert [shown(report) for batch in batches for report in batch.gathered] == [*map(shown, check_sources(sources))]


class Endless(io.RawIOBase):
    """Gives the same again and again; it fails where nobody who has refused it would still be reading."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        assert self.given < 100 << 20
        self.given += len(buffer)
        buffer[:] = (self.content * (len(buffer) // len(self.content) + 1))[: len(buffer)]
        return len(buffer)


class Standard:
    def __init__(self, content: bytes) -> None:
        self.endless = Endless(content)
        self.buffer = io.BufferedReader(self.endless)


def test_a_large_file_is_not_read_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a stream, two slices are held."""
    standard = Standard(b"{}\n")
    monkeypatch.setattr(sys, "stdin", standard)
    chunks = split([Source("-", "jsonl")], SMALL._replace(size=1 << 16))
    for _ in range(10):
        next(chunks)
    assert standard.endless.given < 13 << 16


@pytest.mark.parametrize(
    ("format", "content", "code"),
    [
        *((name, b"\0", "syntax/binary") for name in ("json", "jsonl", "yaml", "sgf", "hgn")),
        ("json", b"[", "syntax/too-large"),
        ("json", b"{\n", "syntax/too-large"),
    ],
)
def test_a_stream_that_is_refused_is_not_read_on(
    monkeypatch: pytest.MonkeyPatch, format: str, content: bytes, code: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Standard(content))
    batches = run(split([Source("-", format)]), ValidateTask(), None)
    assert [diagnostic.code for batch in batches for report in batch.gathered for diagnostic in report.diagnostics] == [
        code
    ]


def test_a_digest_is_that_of_the_content(archive: Path) -> None:
    def digests() -> list[str]:
        return [chunk.digest() for chunk in split([Source(str(archive), "jsonl")], SMALL)]

    before = digests()
    assert before == digests()
    assert len(set(before)) == len(before) > 5
    data = bytearray(archive.read_bytes())
    data[len(data) // 2] ^= 1
    archive.write_bytes(data)
    assert sum(one != other for one, other in zip(before, digests(), strict=True)) == 1


def test_rows_have_the_indexes_of_the_file(archive: Path) -> None:
    made = scored([archive, archive])
    assert made["index"] == [*range(44), *range(44)]
    assert made["id"][:44] == made["id"][44:]
    assert len(set(made["id"][:44])) == 42
