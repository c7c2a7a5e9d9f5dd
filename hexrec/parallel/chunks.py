"""Split inputs into chunks of work for processes, and into shards for independent machines.

The chunks do not depend on the number of processes. This process reads all inputs in order. A chunk has half a
megabyte: small files, or lines of a JSON Lines file. A large file in another format is a separate chunk. A file that is
too large for memory is streamed in this process.

Shards are disjoint and cover the whole input. The files are concatenated in the order of discovery and divided into
equal ranges of bytes. A large JSON Lines file is split: a line belongs to the shard in which it begins. Every other
file, including an archive, belongs to the shard of its first byte. The rule depends only on paths and sizes, and the
rows of all shards in order are the rows of one run.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from io import BufferedReader, BytesIO
from itertools import islice, repeat
from typing import BinaryIO, NamedTuple, cast

from hexrec import formats
from hexrec.errors import reason_of
from hexrec.formats.base import BYTE_ORDER_MARK, WHITESPACE, Document
from hexrec.io.compression import Allowance, CompressionError, count_toward, decompress_stream
from hexrec.io.discovery import Discovery, Source, diagnose_input
from hexrec.io.frames import Frame, frames_in
from hexrec.io.stamps import InputChanged, expect_unchanged, stamp
from hexrec.tools.suggestions import Suggester
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import printable_path
from hexrec.util.hashing import blake2b
from hexrec.util.streams import ReadStream, prepend
from hexrec.validation.clean import Clean, read_each
from hexrec.validation.configuration import Configuration, Settings


class ChunkLimits(NamedTuple):
    """The sizes of chunks.

    Attributes:
        size: the number of bytes in a chunk, if the input can be split there.
        files: the maximum number of files in a chunk.
        whole: the maximum number of bytes of a file that cannot be split and is read into memory.
    """

    size: int = 1 << 19
    files: int = 512
    whole: int = 32 << 20


CHUNK_LIMITS = ChunkLimits()


class Offset(NamedTuple):
    """The number of records and lines before a part of a JSON Lines file."""

    records: int = 0
    lines: int = 0

    def after(self, data: bytes) -> Offset:
        """Return the offset after some lines that follow."""
        text = data if self.lines else data.removeprefix(BYTE_ORDER_MARK)
        lines = self.lines + text.count(b"\n")
        if not text.lstrip(WHITESPACE):  # there may be millions of blank lines
            return Offset(self.records, lines)
        return Offset(self.records + sum(map(bool, map(bytes.lstrip, BytesIO(text), repeat(WHITESPACE)))), lines)


START = Offset()


@dataclass(eq=False)
class Slice(Source):
    """A file that has been read, or some lines of a JSON Lines file.

    Attributes:
        data: the bytes; for a file that is too large for memory, only the first bytes.
        before: the number of records and lines before the slice in its file.
        allowance: the maximum number of records, if the file was compressed.
        diagnostic: the error, if the file cannot be read.
        failure: the reason why the file cannot be read after `data`.
        rest: the stream of the following bytes, to be read once, before the next chunk is requested.
    """

    data: bytes = field(default=b"", repr=False)
    before: Offset = START
    allowance: Allowance | None = field(default=None, repr=False)
    diagnostic: Diagnostic | None = None
    failure: str | None = None
    rest: BinaryIO | None = field(default=None, repr=False)

    def documents(self) -> Generator[Document]:
        """Yield the documents of the slice. Raises OSError."""
        assert self.format is not None
        stream = prepend(self.data, self.rest or BufferedReader(ReadStream(self._end)))
        documents = count_toward(formats.read(self.format, stream, self.before.lines + 1), self.allowance)
        if self.format != "jsonl":
            with suppress(OSError):  # reported before, like the records that are skipped
                deque(islice(documents, self.before.records), 0)
        yield from documents

    @property
    def is_whole(self) -> bool:
        """Whether all documents are in `data`."""
        return not (self.diagnostic or self.failure or self.rest)

    def examine(self, *, finished: bool) -> Iterator[Clean | Slice]:
        """Yield the clean records of the slice, and slices of the others, in order."""
        if (
            not self.is_whole
            or self.allowance
            or self.format not in ("json", "jsonl")
            or (self.format == "json" and self.before.records)
        ):
            yield self
            return
        lines = self.data.split(b"\n") if self.format == "jsonl" else [self.data]
        begin, before, is_empty = None, self.before, True  # of the records that need a closer look
        file = printable_path(self.name)
        for place, index, clean in read_each(lines, file, before.records, before.lines, finished=finished):
            is_empty = False
            if clean is None and begin is None:
                begin, before = place, Offset(index, self.before.lines + place)
            elif clean is not None:
                if begin is not None:
                    yield replace(self, data=b"\n".join(lines[begin:place]) + b"\n", before=before)
                    begin = None
                yield clean
        if begin is not None or is_empty:
            yield replace(self, data=b"\n".join(lines[begin or 0 :]), before=before)

    def is_readable(self) -> bool:
        """Return whether the slice has a first document and it can be read."""
        with suppress(Exception):
            return self.diagnostic is None and next(replace(self, allowance=None).documents(), None) is not None
        return False

    def _end(self, _: int) -> bytes:
        if self.failure is not None:
            raise OSError(self.failure)
        return b""

    def skip(self, count: int) -> Slice | None:
        """Return the slice without its first records, or None if it has no others.

        Only JSON Lines are removed; other formats must be read from the beginning.
        """
        if self.diagnostic:
            return None
        before = self.before._replace(records=self.before.records + count)
        if self.format != "jsonl":
            return replace(self, before=before)
        lines, after = BytesIO(self.data), self.before
        while after.records < before.records and (line := lines.readline()):
            after = after.after(line)
        data = lines.read()
        is_over = after.records < before.records or not (data.strip(WHITESPACE) or self.failure)
        return None if is_over else replace(self, data=data, before=after)


@dataclass(eq=False, repr=False)
class Chunk:
    """Slices for one task.

    Attributes:
        slices: the slices; a slice with a `rest` is the only one.
        settings: the settings for all files of the chunk.
        suggester: adds suggestions to the reports on the chunk, or None.
    """

    slices: tuple[Slice, ...]
    settings: Configuration = field(default_factory=Configuration)
    suggester: Suggester | None = None

    @property
    def is_stream(self) -> bool:
        """Whether the chunk is too large for memory, so that only the process that reads it can work on it."""
        return self.slices[0].rest is not None

    @property
    def size(self) -> int:
        """The number of bytes in memory."""
        return sum(len(slice.data) for slice in self.slices)

    @cached_property
    def digest(self) -> str:
        """A digest of the settings, the slices and their bytes."""
        content = blake2b(repr(self.settings).encode(errors="surrogateescape"), digest_size=16)
        for slice in self.slices:
            content.update(f"{slice!r} {len(slice.data)} ".encode(errors="surrogateescape"))
            content.update(slice.data)
        return content.hexdigest()


def split(
    sources: Iterable[Source | Diagnostic],
    limits: ChunkLimits = CHUNK_LIMITS,
    *,
    settings: Settings | None = None,
    suggester: Suggester | None = None,
) -> Iterator[Chunk]:
    """Yield the chunks of sources. Raises InputChanged, Misconfigured.

    Each chunk may use all suggestions that are left when it is made: `Suggester.limit` removes the excess.
    """
    held: list[Slice] = []
    size = 0
    demanded = Configuration()
    settings = settings or Settings(files=False)

    def chunk(slices: list[Slice]) -> Chunk:
        return Chunk(tuple(slices), demanded, copy(suggester))

    for source in sources:
        file = source.file or "" if isinstance(source, Diagnostic) else source.name
        in_force = settings.find(file)
        for slice in _read_slices(source, file, limits):
            full = size + len(slice.data) > limits.size or len(held) == limits.files
            if held and (slice.rest or full or in_force is not demanded):
                yield chunk(held)
                held, size = [], 0
            demanded = in_force
            if slice.rest:
                yield chunk([slice])
            else:
                held.append(slice)
                size += len(slice.data)
    if held:
        yield chunk(held)


def _read_slices(source: Source | Diagnostic, file: str, limits: ChunkLimits) -> Iterator[Slice]:
    """Yield the slices of a source. Raises InputChanged."""
    if isinstance(source, Diagnostic):
        yield Slice(file, diagnostic=source)
        return
    try:
        with source.open() as raw, expect_unchanged(file, raw):
            yield from _split_file(source, raw, limits)
    except Exception as error:
        yield Slice(file, diagnostic=diagnose_input(file, error))


def _split_file(source: Source, raw: BinaryIO, limits: ChunkLimits) -> Iterator[Slice]:
    """Yield the slices of an open file. Raises InputChanged, and OSError if nothing can be read."""
    unpacked = decompress_stream(raw)
    format, recognized = source.recognize(unpacked)
    stream = cast(BufferedReader, recognized)
    whole = Slice(source.name, format, allowance=getattr(unpacked, "allowance", None))
    part = source.part or range(0)
    now = stamp(raw)
    if now is not None and part.stop > now.size:
        raise InputChanged(source.name)
    first = last = Frame(0, 0)
    if part and unpacked is not raw:
        found = frames_in(raw, part)
        if found is None:
            return
        part, first, last = found
        raw.seek(first.at)
        unpacked = decompress_stream(raw)
        stream = cast(BufferedReader, unpacked)
        whole = replace(whole, allowance=getattr(unpacked, "allowance", None))
    if format == "jsonl":
        yield from _split_lines(stream, whole, limits.size, part, first, last)
    else:
        taken, failure = bytearray(), None
        try:
            while len(taken) <= limits.whole and (block := stream.read1(limits.whole + 1 - len(taken))):
                taken += block
        except OSError as error:
            failure = reason_of(error)
        whole = replace(whole, data=bytes(taken), failure=failure)
        yield whole if len(taken) <= limits.whole else replace(whole, rest=stream)


def _split_lines(
    stream: BufferedReader, whole: Slice, size: int, part: range, first: Frame, last: Frame
) -> Iterator[Slice]:
    """Yield the slices of a JSON Lines file, or only of the lines that begin in `part`.

    The stream begins with the frame `first`; `last` is the first frame after the part. Raises CompressionError if their
    numbers of records and lines are wrong.
    """
    from hexrec.formats.json import TEXT_HEAD, is_text, read_lines  # for no other format

    head = stream.readline(len(BYTE_ORDER_MARK) + TEXT_HEAD)
    if first.at == 0 and not is_text(head):  # the rest of the file is not read
        if part.start == 0:
            yield replace(whole, data=head)
        return
    before, at, is_blank = Offset(first.records or 0, first.lines or 0), 0, True
    while not part or at < part.stop:
        end = at + size if not part else min(at + size, part.start if at < part.start else part.stop)
        data, failure = read_lines(stream, end - at, head)
        head = b""
        after = before.after(data)
        has_records = after.records > before.records
        is_blank = is_blank and not has_records and not failure
        if whole.allowance and not failure:
            try:
                whole.allowance.use_records(after.records - before.records)
            except OSError as error:
                failure = str(error)
        if at >= part.start and (has_records or failure):
            yield replace(whole, data=data, before=before, failure=failure, allowance=None)
        if failure or not data:
            break
        before = after
        at = stream.tell() if part else 0
    if last.lines is not None and last.at and part.stop < sys.maxsize and before != (last.records, last.lines):
        raise CompressionError("damaged: its table of frames is wrong")
    remaining = (block.strip(WHITESPACE) for block in iter(partial(stream.read, size), b""))
    if is_blank and first.at == part.start == 0 and not any(remaining):
        yield whole


class Shard(NamedTuple):
    """A shard: its number, counted from 1, the number of shards, and the total size of the input, if it is known."""

    number: int
    of: int
    total: int | None = None

    def among(self, discovery: Discovery) -> Iterator[Source | Diagnostic]:
        """Yield the sources of the shard, complete or in part. Raises InputChanged."""
        total = total_size(discovery) if self.total is None else self.total
        begin, end = (total * number // self.of for number in (self.number - 1, self.number))
        at = 0
        for file in discovery.files():
            size = _size(file)
            own = range(max(begin - at, 0), min(end - at, size))
            if size > CHUNK_LIMITS.size and isinstance(file, Source) and file.format == "jsonl" and file.is_divisible:
                if own:
                    yield replace(file, part=own)
            elif 0 in own:
                yield from discovery.open_archive(file)
            at += size


def shard(text: str) -> Shard:
    """Parse a shard such as ``2/5``. Raises ValueError."""
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"{text!r} is not I/N, with I from 1 to N")
    return Shard(int(match[1]), int(match[2]))


def total_size(discovery: Discovery) -> int:
    """Return the total size of all files in bytes."""
    return sum(map(_size, discovery.again().files()))


def _size(file: Source | Diagnostic) -> int:
    """Return the size of a file; 1 for an empty or unreadable file, so that it belongs to one shard."""
    try:
        return max(1, file.size) if isinstance(file, Source) else 1
    except (OSError, ValueError):
        return 1
