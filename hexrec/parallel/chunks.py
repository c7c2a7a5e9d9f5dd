"""Chunks: what an archive is cut into, the same whatever works on them.

This process reads all inputs, in their order. A chunk holds half a megabyte of them: small files, or lines of a file in
JSON Lines. A large file in another format is a chunk of its own. What is too large to be held is read while this
process works on it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from io import BufferedReader, BytesIO
from typing import BinaryIO, NamedTuple, cast

from hexrec import formats
from hexrec.formats.base import BYTE_ORDER_MARK, LINE_MARGIN, WHITESPACE, Document, is_binary, is_utf16
from hexrec.io.compression import Allowance, counted, decompressed
from hexrec.io.discovery import Source, unreadable
from hexrec.io.stamps import InputChanged, Stamp, stamp, unchanged
from hexrec.util import internal_error
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.util.streams import ReadStream, prepended
from hexrec.validation.configuration import Configuration, Settings


class ChunkLimits(NamedTuple):
    """How inputs are cut into chunks.

    Attributes:
        size: how many bytes of input a chunk has, if the input can be cut there.
        files: how many files it has at most.
        whole: how many bytes a file may have that cannot be cut and is held whole.
    """

    size: int = 1 << 19
    files: int = 512
    whole: int = 32 << 20


CHUNK_LIMITS = ChunkLimits()


class Offset(NamedTuple):
    """How many records and lines of a file have come before."""

    records: int = 0
    lines: int = 0


START = Offset()

#: How much of the first line of a file is looked at, after a byte-order mark, to see whether it is text.
_HEAD = 8192


@dataclass(frozen=True)
class Slice(Source):
    """A file that has been read, or some lines of one in JSON Lines.

    Attributes:
        data: its bytes; of a file that is too large to be held, the first.
        before: how many records and lines of its file come before it.
        allowance: how many records it may have, if it was compressed.
        diagnostic: what is wrong with it, if there is nothing to read.
        failure: why its file cannot be read on.
        rest: the bytes that follow, which are to be read once, before the next chunk is asked for.
        stamp: of the file that has such a rest.
    """

    data: bytes = field(default=b"", repr=False)
    before: Offset = START
    allowance: Allowance | None = field(default=None, repr=False)
    diagnostic: Diagnostic | None = None
    failure: OSError | None = None
    rest: BinaryIO | None = field(default=None, repr=False)
    stamp: Stamp | None = None

    def documents(self) -> Generator[Document]:
        """Yield the documents of the slice. Raises OSError."""
        assert self.format is not None
        # Only the first line of a file tells whether it is text: what comes later has a blank line before it.
        head = b"\n" + self.data if self.before.lines else self.data
        stream: BinaryIO = BytesIO(head)
        if self.rest is not None:
            stream = prepended(head, self.rest)
        elif self.failure is not None:
            stream = prepended(head, BufferedReader(ReadStream(self._fail)))
        yield from counted(formats.read(self.format, stream), self.allowance)

    def _fail(self, _: int) -> bytes:
        assert self.failure is not None
        raise self.failure

    def lines_apart(self) -> list[Slice]:
        """Return a slice for each record, if these are in JSON Lines; else the slice itself."""
        found = []
        before = self.before
        if self.format == "jsonl" and (before.lines or is_text(self.data)):
            for line in BytesIO(self.data):
                records = count_records(line, before)
                if records:
                    found.append(replace(self, data=line, before=before, failure=None))
                before = Offset(before.records + records, before.lines + 1)
            if found and self.failure:
                found.append(replace(self, data=b"", before=before))
        return found or [self]


@dataclass(frozen=True)
class Chunk:
    """Slices that are worked on together.

    Attributes:
        slices: the slices; only one if it has a rest.
        settings: what is demanded of the records; None where nothing is.
        suggestions: how many of the records may have suggestions.
    """

    slices: tuple[Slice, ...]
    settings: Configuration | None = None
    suggestions: int = 0

    @property
    def is_stream(self) -> bool:
        """Whether it cannot be held, so that only the process that reads it can work on it."""
        return self.slices[0].rest is not None

    @property
    def size(self) -> int:
        """How many bytes of input it holds."""
        return sum(len(slice.data) for slice in self.slices)

    def digest(self) -> str:
        """Return a digest of what the chunk is and of the bytes that it holds."""
        found = blake2b(repr(self.settings).encode(errors="surrogateescape"), digest_size=16)
        for slice in self.slices:
            found.update(f"{slice!r} {len(slice.data)} ".encode(errors="surrogateescape"))
            found.update(slice.data)
        return found.hexdigest()


def split(
    sources: Iterable[Source | Diagnostic], limits: ChunkLimits = CHUNK_LIMITS, *, settings: Settings | None = None
) -> Iterator[Chunk]:
    """Yield the chunks of sources. Raises InputChanged, and what `settings` raise."""
    held: list[Slice] = []
    size = 0
    demanded: Configuration | None = None
    for source in sources:
        file = source.file or "" if isinstance(source, Diagnostic) else source.name
        found = settings.find(file) if settings else None
        for slice in _slices(source, file, limits):
            full = size + len(slice.data) > limits.size or len(held) == limits.files
            if held and (slice.rest or full or found is not demanded):
                yield Chunk(tuple(held), demanded)
                held, size = [], 0
            held.append(slice)
            size += len(slice.data)
            demanded = found
            if slice.rest:
                yield Chunk((held.pop(),), demanded)
    if held:
        yield Chunk(tuple(held), demanded)


def _slices(source: Source | Diagnostic, file: str, limits: ChunkLimits) -> Iterator[Slice]:
    if isinstance(source, Diagnostic):
        yield Slice(file, diagnostic=source)
        return
    try:
        with source.open() as raw, unchanged(file, raw):
            yield from _read(source, raw, limits)
    except InputChanged:
        raise
    except OSError as error:
        yield Slice(file, diagnostic=unreadable(file, error))
    except Exception as error:
        yield Slice(file, diagnostic=replace(internal_error.diagnostic(error, "file"), file=file))


def _read(source: Source, raw: BinaryIO, limits: ChunkLimits) -> Iterator[Slice]:
    """Yield the slices of a file that is open. Raises OSError if nothing of it can be read, and InputChanged."""
    unpacked = decompressed(raw)
    format, stream = source.recognize(unpacked)
    whole = Slice(source.name, format, allowance=getattr(unpacked, "allowance", None))
    part = source.part or range(0)
    if part.stop > getattr(stamp(raw), "size", 0):
        raise InputChanged(source.name)
    if format == "jsonl" and (not part or unpacked is raw):
        yield from _lines(cast(BufferedReader, stream), whole, limits.size, part)
    elif part.start == 0:  # what cannot be cut belongs to the first part
        taken, failure = bytearray(), None
        try:
            _fill(taken, cast(BufferedReader, stream), limits.whole + 1)
        except OSError as error:
            failure = _plain(error)
        whole = replace(whole, data=bytes(taken), failure=failure)
        yield whole if len(taken) <= limits.whole else replace(whole, rest=stream, stamp=stamp(raw))


def _lines(stream: BufferedReader, whole: Slice, size: int, part: range) -> Iterator[Slice]:
    """Yield the slices of a file in JSON Lines; if a part of it is given, of the lines that begin there."""
    head = stream.readline(len(BYTE_ORDER_MARK) + _HEAD)
    if not is_text(head):  # nothing that follows is looked at
        if part.start == 0:
            yield replace(whole, data=head)
        return
    before, at, is_blank = START, 0, True
    while not part or at < part.stop:
        end = at + size if not part else min(at + size, part.start if at < part.start else part.stop)
        data, failure = lines(stream, end - at, head)
        head = b""
        records = count_records(data, before)
        is_blank = is_blank and not records and not failure
        if whole.allowance and not failure:
            failure = _use(whole.allowance, records)
        if at >= part.start and (records or failure):
            yield replace(whole, data=data, before=before, failure=failure, allowance=None)
        if failure or not data:
            break
        before = Offset(before.records + records, before.lines + data.count(b"\n"))
        at = stream.tell() if part else 0
    rest = (block.strip(WHITESPACE) for block in iter(partial(stream.read, size), b""))
    if is_blank and part.start == 0 and not any(rest):
        yield whole


def _use(allowance: Allowance, records: int) -> OSError | None:
    """Count records towards an allowance; return what there is to say if they are too many."""
    try:
        allowance.use_records(records)
    except OSError as error:
        return _plain(error)
    return None


def lines(stream: BufferedReader, size: int, head: bytes = b"") -> tuple[bytes, OSError | None]:
    """Return the next lines of a stream, whole ones, which have `size` bytes together or reach beyond that.

    They begin with a `head` that has been read before. Of a line that is longer than a record may be, there is as much
    as shows that. If the stream cannot be read on, that is returned too.
    """
    taken = bytearray(head)
    try:
        _fill(taken, stream, size)
        if not taken.endswith(b"\n"):
            taken += stream.readline(MAX_RECORD_BYTES + LINE_MARGIN)
        if len(taken) - taken.rfind(b"\n") - 1 > MAX_RECORD_BYTES:
            taken += b"\n"
            while (part := stream.readline(MAX_RECORD_BYTES)) and not part.endswith(b"\n"):
                pass
    except OSError as error:
        return bytes(taken[: taken.rfind(b"\n") + 1]), _plain(error)
    return bytes(taken), None


def _fill(taken: bytearray, stream: BufferedReader, size: int) -> None:
    """Take bytes from a stream, up to so many together. Raises OSError."""
    while len(taken) < size and (part := stream.read1(size - len(taken))):
        taken += part


def _plain(error: OSError) -> OSError:
    """Return an error that says the same and can travel to another process."""
    return OSError(error.strerror or str(error))


def count_records(data: bytes, before: Offset) -> int:
    """Return how many records there are in lines of JSON Lines that come after others in their file."""
    texts = (data if before.lines else data.removeprefix(BYTE_ORDER_MARK)).split(b"\n")
    return sum(1 for text in texts if text.strip(WHITESPACE))


def is_text(head: bytes) -> bool:
    """Return whether the first line of a file in JSON Lines lets the others be read."""
    first = head.removeprefix(BYTE_ORDER_MARK).partition(b"\n")[0]
    return not is_binary(first[:_HEAD]) and not is_utf16(first)
