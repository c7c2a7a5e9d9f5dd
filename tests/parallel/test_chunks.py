"""However an archive is split, its records get the same reports as when it is read whole."""

from __future__ import annotations

import gzip
import io
import json
import sys
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import fsspec
import pytest

from hexrec.formats.base import LINE_MARGIN
from hexrec.formats.json import read_lines
from hexrec.io.discovery import Discovery, Source
from hexrec.io.stamps import InputChanged
from hexrec.parallel.chunks import CHUNK_LIMITS, ChunkLimits, split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ValidateTask
from hexrec.tools.duplicates import Duplicates
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.validation.configuration import Settings
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from tests.cli.conftest import SHORT_GAME, Run
from tests.parallel.conftest import SMALL, copy_of, record, scored
from tests.record.helpers import FIXTURES


def shown(report: Report) -> tuple[Any, ...]:
    """Return what a report says; the record and the document do not travel."""
    return report.file, report.index, report.diagnostics, report.plies, report.result, report.game, report.id


def whole(*paths: Path | str) -> list[tuple[Any, ...]]:
    return [shown(report) for report in Duplicates().find(check_sources(Discovery(map(str, paths)), lint=True))]


def in_chunks(*paths: Path | str, limits: ChunkLimits = SMALL) -> list[tuple[Any, ...]]:
    chunks = split(Discovery(map(str, paths)), limits, settings=Settings(lint=True, files=False))
    batches = run(chunks, ValidateTask())
    return [shown(report) for report in Duplicates().find(report for batch in batches for report in batch.gathered)]


@pytest.mark.parametrize("size", [1, 7, 100, 1_000, 100_000])
def test_ranges_of_a_file(archive: Path, size: int) -> None:
    limits = SMALL._replace(size=size)
    assert sum(chunk.size for chunk in split([Source(str(archive))], limits)) <= archive.stat().st_size
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
        limits = SMALL._replace(size=size)
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
    limits = SMALL._replace(size=1 << 19)
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
    assert found == whole(path, archive)
    before = found[:-44]
    assert [index for _, index, *_ in before] == list(range(len(before)))
    assert [diagnostic.code for diagnostic in before[-1][2]] == ["syntax/unreadable"]


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
    return sorted(FIXTURES.joinpath("formats", format).glob("*/*"))[:40]


@pytest.mark.parametrize("whole_size", [10, 1_000_000])
@pytest.mark.parametrize("format", ["json", "yaml", "sgf", "hgn", "abstractplay"])
def test_other_formats(format: str, whole_size: int) -> None:
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
    batches = run(chunks, ValidateTask())
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
        ("json", b"{\n", "syntax/too-large"),
    ],
)
def test_a_stream_that_is_refused_is_not_read_on(
    monkeypatch: pytest.MonkeyPatch, format: str, content: bytes, code: str
) -> None:
    monkeypatch.setattr(sys, "stdin", Standard(content))
    batches = run(split([Source("-", format)]), ValidateTask())
    assert [diagnostic.code for batch in batches for report in batch.gathered for diagnostic in report.diagnostics] == [
        code
    ]


def test_a_digest_is_that_of_the_content(archive: Path) -> None:
    def digests() -> list[str]:
        return [chunk.digest for chunk in split([Source(str(archive), "jsonl")], SMALL)]

    before = digests()
    assert before == digests()
    assert len(set(before)) == len(before) > 5
    data = bytearray(archive.read_bytes())
    data[len(data) // 2] ^= 1
    archive.write_bytes(data)
    assert sum(one != other for one, other in zip(before, digests(), strict=True)) == 1


def test_a_digest_holds_no_more_than_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("\u00e9".encode() * (1 << 20))
    (chunk,) = split([Source(str(path))])
    tracemalloc.start()
    try:
        assert chunk.digest
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1 << 20, "a representation would be four times as long as the content"


def test_rows_have_the_indexes_of_the_file(archive: Path) -> None:
    made = scored([archive, copy_of(archive)])
    assert made["index"] == [*range(44), *range(44)]
    assert made["id"][:44] == made["id"][44:]
    assert len(set(made["id"][:44])) == 42


LINES = b"a\nbb\n\nccc\n\xff\r\ndddd"


def reader(content: bytes) -> Any:
    return io.BufferedReader(io.BytesIO(content))


class Torn(io.RawIOBase):
    """A stream that gives some bytes in pieces and then fails: always, or once if there are others to come."""

    def __init__(self, content: bytes, *, piece: int = 1 << 20, later: bytes | None = None) -> None:
        self.content = content
        self.piece = piece
        self.later = later

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.content and self.later != b"":
            self.content, self.later = self.later or b"", self.later and b""
            raise OSError("torn")
        size = min(len(buffer), self.piece)
        part, self.content = self.content[:size], self.content[size:]
        buffer[: len(part)] = part
        return len(part)


def test_the_whole_lines_of_a_stream_that_fails() -> None:
    found, failure = read_lines(io.BufferedReader(Torn(LINES), 4), 99)
    assert (found, str(failure)) == (LINES[: LINES.rfind(b"\n") + 1], "torn")
    found, failure = read_lines(io.BufferedReader(Torn(b"abc")), 99)
    assert (found, str(failure)) == (b"", "torn")


def test_a_line_that_is_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much of it is kept as shows that, and the next line is the next."""
    monkeypatch.setattr("hexrec.formats.json.MAX_RECORD_BYTES", 10)
    for length in (9, 10, 11, 14, 15, 16, 17, 40):
        stream = reader(b"{}\n" + b"x" * length + b"\n[]\n")
        assert read_lines(stream, 3) == (b"{}\n", None)
        assert read_lines(stream, 1) == (b"x" * min(length, 16) + b"\n", None)
        assert stream.readline() == b"[]\n"
        end = b"" if length <= 10 else b"\n"
        stream = reader(b"{}\n{}\n" + b"x" * length)
        assert read_lines(stream, 7) == (b"{}\n{}\n" + b"x" * min(length, 16) + end, None)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_what_is_around_a_record_does_not_make_it_too_long(
    hexrec: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mark: bytes, end: bytes
) -> None:
    line = json.dumps({"hexrec": "1", "id": "a", **SHORT_GAME}, separators=(",", ":")).encode()
    data = mark + (line + end) * 2
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    for module in ("formats.base", "formats.json", "tools.edit.files"):
        monkeypatch.setattr(f"hexrec.{module}.MAX_RECORD_BYTES", len(line))
    monkeypatch.setattr("hexrec.io.discovery._LONGEST_HEAD", len(line) + LINE_MARGIN)
    for command in ("validate", "score", "fmt"):
        assert (hexrec(command, path).code, hexrec(command, "-", stdin=data).code) == (0, 0)
    assert path.read_bytes() == (line + b"\n") * 2


@pytest.mark.parametrize("name", ["a.jsonl", "-"])
@pytest.mark.parametrize("record", [b"", b"{}\n"])
def test_blank_lines_after_a_byte_order_mark(hexrec: Run, tmp_path: Path, name: str, record: bytes) -> None:
    """They are no record, and a file without any is empty, in several chunks as in one."""
    blank = 2 * CHUNK_LIMITS.size
    data = b"\xef\xbb\xbf" + b"\n" * blank + record
    path = tmp_path / name
    path.write_bytes(data)
    ran = hexrec("validate", name if name == "-" else path, "--from", "jsonl", "--format", "json", stdin=data)
    (report,) = ran.report["records"]
    diagnostic = report["diagnostics"][0]
    expected = ("schema/missing-field", blank + 1) if record else ("syntax/empty", 1)
    assert (report["index"], diagnostic["code"], diagnostic["line"]) == (0, *expected)


def test_a_line_that_is_too_long_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.formats.json.MAX_RECORD_BYTES", 1_000)
    stream = reader(b"x" * (4 << 20) + b"\n{}\n")
    tracemalloc.start()
    try:
        found = read_lines(stream, 3)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found[0].startswith(b"x")
    assert most < 1 << 20
    assert stream.read() == b"{}\n"


@pytest.mark.parametrize(
    ("size", "files", "expected"),
    [(20, 9, [2, 2, 1]), (19, 9, [1] * 5), (21, 9, [2, 2, 1]), (30, 9, [3, 2]), (99, 9, [5]), (99, 2, [2, 2, 1])],
)
def test_files_share_a_chunk_as_long_as_it_has_room(tmp_path: Path, size: int, files: int, expected: list[int]) -> None:
    for number in range(5):
        (tmp_path / f"{number}.json").write_bytes(b" " * 10)
    chunks = list(split(Discovery([str(tmp_path)]), ChunkLimits(size=size, files=files)))
    assert [len(chunk.slices) for chunk in chunks] == expected
    assert [chunk.size for chunk in chunks] == [10 * count for count in expected]


@pytest.mark.parametrize("blank", [0, 1, 9, 40])
@pytest.mark.parametrize("line", [b"\n", b" \n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_blank_lines_before_the_first_record_count(tmp_path: Path, blank: int, line: bytes, mark: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(mark + line * blank + b"{}\n[]\n" + line * blank)
    for size in (3, 20, 1_000):
        assert in_chunks(path, limits=SMALL._replace(size=size)) == whole(path)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", [(0, "syntax/unreadable")]),
        (b"{}\n{}\n[", [(0, "schema"), (1, "schema"), (2, "syntax/unreadable")]),
    ],
)
@pytest.mark.parametrize("size", [3, 100])
def test_what_cannot_be_read_on_is_said_once(content: bytes, expected: list[tuple[int, str]], size: int) -> None:
    """After what could be read; nothing is read on after that."""
    stream = io.BufferedReader(Torn(content, later=b"[]\n"))
    source = Source("a", "jsonl", opener=lambda: stream)
    batches = run(split([source], SMALL._replace(size=size)), ValidateTask())
    found = [(report.index, report.diagnostics[0].code) for batch in batches for report in batch.gathered]
    assert [index for index, _ in found] == [index for index, _ in expected]
    assert all(code.startswith(beginning) for (_, code), (_, beginning) in zip(found, expected, strict=True))


@pytest.mark.parametrize("name", ["a.jsonl", "a.yaml", "a.jsonl.gz"])
@pytest.mark.parametrize("whole", [5, 1_000])
def test_a_file_that_changes_while_it_is_split(tmp_path: Path, name: str, whole: int) -> None:
    """Or while it is read, if it is not held."""
    path = tmp_path / name
    content = LINES * 100
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    chunks = split([Source(str(path), name.split(".")[1])], ChunkLimits(size=5, whole=whole))
    next(chunks)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(InputChanged) as raised:
        list(chunks)
    assert raised.value.diagnostic.file == str(path)


def test_a_part_that_is_not_there_any_more(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    with pytest.raises(InputChanged):
        list(split([Source(str(path), "jsonl", part=range(len(LINES) + 1))]))


def test_a_folder_that_moves_while_a_file_is_split(tmp_path: Path) -> None:
    """The file that is open is still the same."""
    path = tmp_path / "in" / "a.jsonl"
    path.parent.mkdir()
    path.write_bytes(b"{}\n" * 100)
    chunks = split([Source(str(path), "jsonl")], ChunkLimits(size=5))
    assert next(chunks).size
    path.parent.rename(tmp_path / "moved")
    assert all(slice.diagnostic is None for chunk in chunks for slice in chunk.slices)


@pytest.mark.parametrize("content", [LINES, b"\n" * 40, b"\0{}\n" + LINES, gzip.compress(LINES, mtime=0), b""])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_parts_of_a_file_are_the_whole(tmp_path: Path, content: bytes, count: int) -> None:
    """Each line is in the part that it begins in; what cannot be cut is in the first."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    cuts = [len(content) * number // count for number in range(count + 1)]
    parts = [Source(str(path), "jsonl", part=range(*cut)) for cut in pairwise(cuts) if cut[0] < cut[1]]
    for size in (1, 5, 1_000):
        batches = run(split(parts or [Source(str(path), "jsonl")], SMALL._replace(size=size)), ValidateTask())
        expected = run(split([Source(str(path), "jsonl")], SMALL), ValidateTask())
        assert [report for batch in batches for report in batch.gathered] == [
            report for batch in expected for report in batch.gathered
        ]
