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
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import pytest

from hexrec.formats.base import LINE_MARGIN
from hexrec.io.discovery import Discovery, Source
from hexrec.io.stamps import InputChanged, stamp
from hexrec.parallel.chunks import CHUNK_LIMITS, Chunk, ChunkLimits, ChunkReader, Slice, is_plain, is_text, lines, split
from hexrec.parallel.run import run
from hexrec.parallel.runners import InProcessRunner
from hexrec.parallel.tasks import ValidateTask
from hexrec.tools.dedupe import Duplicates
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.validation.lint import Lint
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from tests.cli.conftest import SHORT_GAME, Run
from tests.parallel.conftest import SMALL, record, scored
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


def test_a_digest_holds_no_more_than_the_content(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes("\u00e9".encode() * (1 << 20))
    (chunk,) = split([Source(str(path))])
    tracemalloc.start()
    try:
        chunk.digest()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 5 << 20, "a representation would be four times as long"


def test_rows_have_the_indexes_of_the_file(archive: Path) -> None:
    made = scored([archive, archive])
    assert made["index"] == [*range(44), *range(44)]
    assert made["id"][:44] == made["id"][44:]
    assert len(set(made["id"][:44])) == 42


LINES = b"a\nbb\n\nccc\n\xff\r\ndddd"


def reader(content: bytes) -> Any:
    return io.BufferedReader(io.BytesIO(content))


@pytest.mark.parametrize("size", range(1, len(LINES) + 2))
def test_each_line_is_in_the_part_that_it_begins_in(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    chunks = list(split([Source(str(path), "jsonl")], SMALL._replace(size=size, files=1)))
    parts = [chunk.slices[0] for chunk in chunks]
    begins = [0, *(at + 1 for at, byte in enumerate(LINES) if byte == 10)]
    for number, part in enumerate(parts):
        start, end = number * size, min((number + 1) * size, len(LINES))
        expected = [LINES[at:].split(b"\n")[0] for at in begins if start <= at < end]
        assert part.content().removesuffix(b"\n").split(b"\n") == (expected or [b""])
        assert (part.size, part.first, part.last) == (end - start, number == 0, number == len(parts) - 1)
        assert part.is_part is (len(parts) > 1)
        assert chunks[number].continues is (number > 0)
        assert chunks[number].size == end - start
    assert b"".join(part.content() for part in parts) == LINES


def changed(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


@pytest.mark.parametrize("size", [5, 100])
@pytest.mark.parametrize("change", [changed, Path.unlink])
def test_a_file_that_is_not_what_was_split(tmp_path: Path, size: int, change: Callable[[Path], None]) -> None:
    """It ends the run, unless it is a whole file that is gone, which is a record's fault."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    (slice, *_) = (chunk.slices[0] for chunk in split([Source(str(path), "jsonl")], SMALL._replace(size=size)))
    assert slice.content() == LINES[: 5 if size == 5 else None]
    change(path)
    if change is Path.unlink and size == 100:
        with pytest.raises(FileNotFoundError):
            slice.content()
        return
    with pytest.raises(InputChanged) as raised:
        slice.content()
    assert raised.value.diagnostic.file == str(path)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, b"a\n"),
        (2, b"a\n"),
        (3, b"a\nbb\n"),
        (5, b"a\nbb\n"),
        (6, b"a\nbb\n\n"),
        (7, b"a\nbb\n\nccc\n"),
        (99, LINES),
    ],
)
def test_the_next_lines_of_a_stream(size: int, expected: bytes) -> None:
    stream = reader(LINES)
    assert lines(stream, size) == (expected, None)
    assert stream.read() == LINES[len(expected) :]


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


@pytest.mark.parametrize("piece", [1, 2, 4, 5])
def test_a_stream_that_gives_a_little_at_a_time(piece: int) -> None:
    """No more is read than what was asked for, up to the end of its line."""
    stream: io.BufferedReader = io.BufferedReader(Torn(LINES, piece=piece))
    assert lines(stream, 5) == (b"a\nbb\n", None)
    assert stream.readline() == b"\n"


def test_the_whole_lines_of_a_stream_that_fails() -> None:
    found, failure = lines(io.BufferedReader(Torn(LINES), 4), 99)
    assert (found, str(failure)) == (LINES[: LINES.rfind(b"\n") + 1], "torn")
    found, failure = lines(io.BufferedReader(Torn(b"abc")), 99)
    assert (found, str(failure)) == (b"", "torn")


def test_a_line_that_is_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much of it is kept as shows that, and the next line is the next."""
    monkeypatch.setattr("hexrec.parallel.chunks.MAX_RECORD_BYTES", 10)
    for length in (9, 10, 11, 14, 15, 16, 17, 40):
        stream = reader(b"{}\n" + b"x" * length + b"\n[]\n")
        assert lines(stream, 3) == (b"{}\n", None)
        assert lines(stream, 1) == (b"x" * min(length, 16) + b"\n", None)
        assert stream.readline() == b"[]\n"
        end = b"" if length <= 10 else b"\n"
        stream = reader(b"{}\n{}\n" + b"x" * length)
        assert lines(stream, 7) == (b"{}\n{}\n" + b"x" * min(length, 16) + end, None)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_what_is_around_a_record_does_not_make_it_too_long(
    hexrec: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mark: bytes, end: bytes
) -> None:
    line = json.dumps({"hexrec": "1", "id": "a", **SHORT_GAME}, separators=(",", ":")).encode()
    data = mark + (line + end) * 2
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    for module in ("formats.base", "formats.jsonl", "batch.chunks", "edit.json"):
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
    monkeypatch.setattr("hexrec.parallel.chunks.MAX_RECORD_BYTES", 1_000)
    stream = reader(b"x" * (4 << 20) + b"\n{}\n")
    tracemalloc.start()
    try:
        found = lines(stream, 3)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found[0].startswith(b"x")
    assert most < 1 << 20
    assert stream.read() == b"{}\n"


def packed(*slices: Slice) -> str:
    return Chunk(slices).digest()


def test_what_a_digest_depends_on(tmp_path: Path) -> None:
    """What the slices are, what they hold, and why they cannot be read; names may be no text."""
    whole = Slice("a", "jsonl", data=b"{}")
    gone = Slice(str(tmp_path / "gone"), "jsonl")
    folder = Slice(str(tmp_path), "jsonl")
    chunks = [
        *((whole,), (whole, whole), (replace(whole, name="b"),), (replace(whole, data=b"[]"),), (gone,), (folder,)),
        *((replace(whole, format="json"),), (replace(whole, start=1),), (replace(whole, first=False),)),
        (replace(whole, name="\udcff"),),
    ]
    digests = [packed(*slices) for slices in chunks]
    assert digests == [packed(*slices) for slices in chunks]
    assert len(set(digests)) == len(chunks)
    assert {len(digest) for digest in digests} == {32}
    (tmp_path / "gone").mkdir()
    assert packed(gone) != digests[4]


def test_the_digest_of_a_stream_covers_what_was_read() -> None:
    """To compare it, as much is read of another one: no more, for one that was refused may never end."""
    data = bytes(3 << 20)

    def chunk(content: bytes = data) -> Chunk:
        return Chunk((Slice("a", "yaml", stream=io.BytesIO(content)),))

    def read(*sizes: int, content: bytes = data) -> str:
        reader = ChunkReader(chunk(content))
        assert [found for _, found in reader] == [b""]
        for size in sizes:
            reader.read(size)
        return reader.digest()

    assert chunk().digest() == read()
    assert read().endswith(":0")
    part, most, all_ = read(5), read(2 << 20, 5), read(3 << 20, 1)
    assert [part[32:], most[32:], all_[32:]] == [":5", f":{(2 << 20) + 5}", f":{(3 << 20) + 1}"]
    for digest in (part, most, all_):
        assert chunk().digest(digest) == digest
    stream = chunk()
    stream.digest(part)
    assert stream.stream is not None
    assert stream.stream.tell() == 5
    assert chunk(data + b"x").digest(most) == most
    assert chunk(data + b"x").digest(all_) != all_
    assert chunk(data[:-1]).digest(all_) != all_
    assert chunk(b"x" + data).digest(part) != part
    failing = Chunk((Slice("a", "yaml", stream=io.BufferedReader(Torn(b"ab"))),))
    assert failing.digest(part) != part


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("a.jsonl", True),
        ("a.JSONL", True),
        ("a", True),
        ("a.jsonl.gz", False),
        ("a.gz", False),
        ("a.zip", False),
        ("a.tar", False),
    ],
)
def test_which_names_say_that_a_file_is_plain(name: str, plain: bool) -> None:
    assert is_plain(name) is plain


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (b"{}", True),
        (b"\xef\xbb\xbf{}", True),
        (b"{}\n\0", True),
        (b"\0{}\n", False),
        (b"{\0\n\0}\0", False),
        (b" " * 8191 + b"\0", False),
        (b" " * 8192 + b"\0", True),
        (b"\xef\xbb\xbf" + b" " * 8191 + b"\0", False),
    ],
)
def test_which_first_lines_are_text(head: bytes, text: bool) -> None:
    assert is_text(head) is text


def test_what_holds_nothing_has_no_bytes() -> None:
    assert Slice("a", "jsonl", data=b"").content() == b""
    assert Slice("a", diagnostic=Diagnostic("syntax/unreadable", "why")).content() == b""
    assert not Slice("a", diagnostic=Diagnostic("syntax/unreadable", "why"), last=False).is_part


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


@pytest.mark.parametrize(
    ("name", "size", "expected"),
    [
        *(("a.jsonl", size, kind) for size, kind in ((40, "file"), (39, "ranges"))),
        *(("a.yaml", size, "file") for size in (40, 39)),
        *(("a.jsonl.gz", size, kind) for size, kind in ((40, "file"), (39, "data"))),
        *(("a.yaml.gz", size, kind) for size, kind in ((40, "file"), (39, "data"))),
    ],
)
def test_how_a_file_is_read(tmp_path: Path, name: str, size: int, expected: str) -> None:
    """Whole, as ranges, or here: by its size, its format, and whether it is compressed."""
    text = b"{}\n" * 13 if "jsonl" in name else b"a: 12\n" * 6
    path = tmp_path / name
    path.write_bytes(gzip.compress(text).ljust(40, b"\0") if name.endswith("gz") else text.ljust(40, b"\n"))
    assert path.stat().st_size == 40
    limits = ChunkLimits(size=size if "gz" not in name else 9, files=9, whole=1_000, compressed=size)
    slices = [slice for chunk in split([Source(str(path))], limits) for slice in chunk.slices]
    kinds = {
        "data" if each.data is not None or each.diagnostic else "ranges" if each.start is not None else "file"
        for each in slices
    }
    assert kinds == {expected}
    if expected == "ranges":
        assert [(each.start, each.end, each.size, each.first, each.last) for each in slices] == [
            (0, 39, 39, True, False),
            (39, 40, 1, False, True),
        ]
        assert {each.format for each in slices} == {"jsonl"}
    if expected == "file":
        assert [(each.size, each.stamp is not None) for each in slices] == [(40, True)]


class Restless(Source):
    """A source whose file grows, or whose folder gets another name, while it is split.

    Attributes:
        at: what is to happen at the next calls of `recognize` or `open`.
    """

    at: ClassVar[list[str]] = []

    def recognize(self, stream: Any) -> tuple[str, Any]:
        self._change()
        return super().recognize(stream)

    def open(self) -> Any:
        self._change()
        return super().open()

    def _change(self) -> None:
        match Restless.at.pop(0) if Restless.at else "no":
            case "grow":
                changed(Path(self.name))
            case "move":
                moved(self.name)


def moved(path: Path | str) -> None:
    folder = Path(path).parent
    folder.rename(folder.with_name("moved"))


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("a.jsonl", ["grow"]),
        *(("a.yaml", [*["no"] * before, "grow"]) for before in range(3)),
        *(("a.yaml.gz", [*["no"] * before, "grow"]) for before in range(3)),
    ],
)
def test_a_file_that_changes_while_it_is_split(tmp_path: Path, name: str, calls: list[str]) -> None:
    """Whether it is looked into, opened again, or read here."""
    path = tmp_path / name
    path.write_bytes(gzip.compress(LINES) if name.endswith("gz") else LINES)
    Restless.at = list(calls)
    with pytest.raises(InputChanged) as raised:
        list(split([Restless(str(path), name.split(".")[1])], ChunkLimits(size=5, whole=5, compressed=5)))
    assert raised.value.diagnostic.file == str(path)
    assert Restless.at == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that may get another name."""
    path = tmp_path / "in"
    path.mkdir()
    return path


@pytest.mark.parametrize(("name", "calls"), [("a.jsonl", ["move"]), ("a.yaml.gz", ["no", "no", "move"])])
def test_a_folder_that_moves_while_a_file_is_split(folder: Path, name: str, calls: list[str]) -> None:
    """The file that is open is still the same."""
    path = folder / name
    path.write_bytes(gzip.compress(LINES) if name.endswith("gz") else LINES)
    Restless.at = list(calls)
    found = split([Restless(str(path), name.split(".")[1])], ChunkLimits(size=5, whole=99, compressed=5))
    assert all(slice.diagnostic is None for chunk in found for slice in chunk.slices)
    assert not folder.exists()


def test_a_folder_that_moves_while_a_part_of_a_file_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "a.jsonl"
    path.write_bytes(LINES)
    (first, *_) = split([Source(str(path), "jsonl")], SMALL._replace(size=5))

    def late(stream: io.BufferedReader, size: int) -> tuple[bytes, OSError | None]:
        moved(path)
        return lines(stream, size)

    monkeypatch.setattr("hexrec.parallel.chunks.lines", late)
    assert first.slices[0].content() == LINES[:5]
    assert not folder.exists()


@pytest.mark.parametrize("name", ["a.jsonl", "a.yaml"])
def test_a_file_that_has_changed_since_it_was_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(LINES)
    before = stamp(str(path))
    assert before
    monkeypatch.setattr("hexrec.parallel.chunks.stamp", lambda _: before._replace(modified=1))
    with pytest.raises(InputChanged) as raised:
        list(split([Source(str(path), name.split(".")[1])], ChunkLimits(size=5, whole=5)))
    assert raised.value.diagnostic.file == str(path)


def slices(source: Source | Diagnostic, **limits: int) -> list[Slice]:
    return [slice for chunk in split([source], ChunkLimits(**limits)) for slice in chunk.slices]


def test_what_is_no_file_is_read_here() -> None:
    for format in ("jsonl", "yaml"):
        assert slices(Source("/dev/null", format)) == [Slice("/dev/null", format, data=b"")]
    found = slices(Source("inner.jsonl", opener=lambda: io.BytesIO(b"{}\n{}\n")), size=3)
    assert [(each.name, each.format, each.data, each.first, each.last) for each in found] == [
        ("inner.jsonl", "jsonl", b"{}\n", True, False),
        ("inner.jsonl", "jsonl", b"{}\n", False, True),
    ]


def test_what_is_known_of_a_file_stays_known(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert slices(Source(str(path), "sgf")) == [Slice(str(path), "sgf")]
    path.write_bytes(b"{}")
    assert slices(Source(str(path), "sgf")) == [Slice(str(path), "sgf", 2, stamp=stamp(str(path)))]
    fault = Diagnostic("syntax/unreadable", "why")
    assert slices(fault) == [Slice("", diagnostic=fault)]
    fault = Diagnostic("syntax/unreadable", "why", file="x")
    assert slices(fault) == [Slice("x", diagnostic=fault)]


@pytest.mark.parametrize(("content", "read"), [(b"", []), (b"{}\n", [b"{}\n"]), (b"{}\n{}\n[", [b"{}\n", b"{}\n"])])
def test_what_cannot_be_read_on_is_said_once(content: bytes, read: list[bytes]) -> None:
    """After what could be read; it begins a file only if nothing could."""
    *found, last = slices(Source("a", "jsonl", opener=lambda: io.BufferedReader(Torn(content), 3)), size=3)
    assert [each.data for each in found] == read
    assert [each.first for each in found] == [True, False][: len(found)]
    assert not any(each.last for each in found)
    assert (last.first, last.last) == (not found, True)
    assert last.diagnostic is not None
    assert (last.diagnostic.code, last.diagnostic.file) == ("syntax/unreadable", "a")


def test_nothing_is_read_on_after_a_failure() -> None:
    stream = io.BufferedReader(Torn(b"{}\n", later=b"[]\n"))
    assert [each.data for each in slices(Source("a", "jsonl", opener=lambda: stream), size=9)] == [b"{}\n", None]


@pytest.mark.parametrize(("whole", "held"), [(len(LINES), True), (len(LINES) - 1, False)])
@pytest.mark.parametrize("opened", [True, False])
def test_how_much_is_held(tmp_path: Path, whole: int, held: bool, opened: bool) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(LINES)
    opener = (lambda: io.BytesIO(LINES)) if opened else None
    (slice,) = slices(Source(str(path), "yaml", opener=opener), size=5, whole=whole)
    assert (slice.stream is None) is held
    assert slice.size == (len(LINES) if held else 0)
    if slice.stream is not None:
        assert slice.format == "yaml"
    elif opened:
        assert slice.data == LINES


@pytest.mark.parametrize("blank", [0, 1, 9, 10])
@pytest.mark.parametrize("line", [b"\n", b" \n"])
def test_blank_lines_before_the_first_record_are_kept(monkeypatch: pytest.MonkeyPatch, blank: int, line: bytes) -> None:
    """Lines are counted; as many bytes of blank lines as a record may have are looked through."""
    monkeypatch.setattr("hexrec.parallel.chunks.MAX_RECORD_BYTES", 10 * len(line))
    content = line * blank + b"{}\n[]\n"
    found = slices(Source("a", "jsonl", opener=lambda: io.BytesIO(content)), size=3)
    assert b"".join(each.data or b"" for each in found) == content
    assert len(found) > 1


def test_records_may_be_limited_to_one_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.parallel.chunks.MAX_RECORD_BYTES", 1)
    found = slices(Source("a", "jsonl", opener=lambda: io.BytesIO(b"{}\n{}\n")), size=3)
    assert [each.data for each in found] == [b"{}\n", b"{}\n"]


@pytest.mark.parametrize(("blank", "held"), [(10, True), (11, False)])
def test_how_many_blank_lines_are_held(monkeypatch: pytest.MonkeyPatch, blank: int, held: bool) -> None:
    monkeypatch.setattr("hexrec.parallel.chunks.MAX_RECORD_BYTES", 10)
    (slice,) = slices(Source("a", "jsonl", opener=lambda: io.BytesIO(b"\n" * blank)), size=3, whole=1)
    assert (slice.data == b"\n" * blank) is held
    assert (slice.stream is None) is held


class Late:
    """A runner during which a file changes after it was read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, chunks: Any, task: Any) -> Any:
        for chunk, result in InProcessRunner().run(chunks, task):
            if chunk.slices[-1].last:
                changed(self.path)
            yield chunk, result


@pytest.mark.parametrize(("size", "ends"), [(5, True), (100, False)])
def test_a_file_that_changes_after_it_was_read(tmp_path: Path, size: int, ends: bool) -> None:
    """Parts are of one file only if it is the same up to the last; a whole file was read at once."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    found = run(split([Source(str(path), "jsonl")], SMALL._replace(size=size)), ValidateTask(), lambda: Late(path))
    if not ends:
        assert len(list(found)) == 1
        return
    with pytest.raises(InputChanged) as raised:
        list(found)
    assert raised.value.diagnostic.file == str(path)


def test_a_file_that_changes_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(LINES)
    chunks = list(split([Source(str(path), "jsonl")], SMALL))
    changed(path)
    with pytest.raises(InputChanged) as raised:
        list(run(chunks, ValidateTask(), None))
    assert raised.value.diagnostic.file == str(path)
