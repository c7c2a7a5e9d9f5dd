"""Chunks: what an archive is split into, the same whatever works on them.

A chunk holds half a megabyte: many small files, a range of a large file in JSON Lines, or bytes that only the process
that reads them can get. What can neither be split nor be held in memory is one chunk, done by the reading process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from io import BufferedReader
from typing import BinaryIO, NamedTuple

from hexrec.formats.base import BYTE_ORDER_MARK, LINE_MARGIN, WHITESPACE, blank_lines, is_binary, is_utf16
from hexrec.io.archives import is_archive
from hexrec.io.compression import Allowance, decompressed, inner_suffix
from hexrec.io.discovery import STANDARD_INPUT, Source, unreadable
from hexrec.io.remote import is_address
from hexrec.io.stamps import InputChanged, Stamp, stamp, unchanged
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.util.streams import prepended
from hexrec.validation.configuration import Configuration, Settings


class ChunkLimits(NamedTuple):
    """How files are split into chunks.

    Attributes:
        size: how many bytes of input a chunk has, if the input can be split there.
        files: how many files it has at most.
        whole: how many bytes a file may have that cannot be split and is held whole.
        compressed: how many of a compressed file, of which nobody knows how large it really is.
    """

    size: int = 1 << 19
    files: int = 512
    whole: int = 32 << 20
    compressed: int = 1 << 18


CHUNK_LIMITS = ChunkLimits()


class Offset(NamedTuple):
    """How many records and lines of a file have come before."""

    records: int = 0
    lines: int = 0


START = Offset()

#: Stands in the digest of a stream before how many bytes have been asked for.
_COVERS = ":"


@dataclass(frozen=True)
class Slice:
    """A file, or a part of one.

    Attributes:
        name: the file as reports name it.
        format: its name; None to look at the content.
        size: how many bytes of input it is.
        data: its bytes; None if they are to be read from the file.
        start, end: in a file of JSON Lines, the slice is the lines that begin in this range; None for all of them.
        first, last: whether it is the first and the last slice of its file.
        before: what comes before it in its file, if no slice of that does; None if one does.
        diagnostic: what is wrong with it if it cannot be read.
        stamp: of the file when it was split; None where there is nothing to compare.
        stream: its bytes, if these cannot be held; they can be read once, and only before the next slice is asked for.
        allowance: how many records it may have, if it was compressed.
        settings: what is demanded of its records; None where nothing is.
    """

    name: str
    format: str | None = None
    size: int = 0
    data: bytes | None = field(default=None, repr=False)
    start: int | None = None
    end: int | None = None
    first: bool = True
    last: bool = True
    before: Offset | None = None
    diagnostic: Diagnostic | None = None
    stamp: Stamp | None = field(default=None, repr=False)
    stream: BinaryIO | None = field(default=None, repr=False)
    allowance: Allowance | None = field(default=None, repr=False)
    settings: Configuration | None = field(default=None, repr=False)

    @property
    def is_part(self) -> bool:
        """Whether it is a part of a file in JSON Lines, and not the whole."""
        return self.diagnostic is None and not (self.first and self.last)

    def content(self) -> bytes:
        """Return its bytes. Raises OSError, and InputChanged if they are not those that were split."""
        if self.data is not None or self.diagnostic is not None:
            return self.data or b""
        try:
            stream = open(self.name, "rb")  # noqa: SIM115
        except FileNotFoundError:
            if self.is_part:
                raise InputChanged(self.name) from None
            raise
        with stream, unchanged(self.name, stream, self.stamp):
            if self.start is None or self.end is None:
                return stream.read()
            if self.start > 0:
                stream.seek(self.start - 1)
                _skip_line(stream)
            found, failure = lines(stream, self.end - stream.tell()) if stream.tell() < self.end else (b"", None)
            if failure is not None:
                raise failure
            return found


@dataclass(frozen=True)
class Trial:
    """How to find the record of a slice at which a process fails.

    Attributes:
        log: the file that lists the records whose reading or validation has begun.
        start, stop: the indexes of the records to validate; None for all that follow.
    """

    log: str
    start: int = 0
    stop: int | None = None

    def begin(self, index: int, *, reading: bool) -> None:
        """Note that the reading, or else the validation, of a record begins."""
        with open(self.log, "a") as log:
            print(index, int(reading), file=log)


@dataclass(frozen=True)
class Chunk:
    """Slices that are worked on together: several with the same settings, or one that is a stream.

    Attributes:
        slices: the slices.
        trial: how to try its one slice record by record; None to work on all of it.
    """

    slices: tuple[Slice, ...]
    trial: Trial | None = None

    @property
    def stream(self) -> BinaryIO | None:
        """The bytes of the one slice that there is, if these cannot be held."""
        return self.slices[0].stream

    @property
    def settings(self) -> Configuration | None:
        """What is demanded of its records; None where nothing is."""
        return self.slices[0].settings if self.slices else None

    @property
    def size(self) -> int:
        """How many bytes of input it is."""
        return sum(slice.size for slice in self.slices)

    @property
    def continues(self) -> bool:
        """Whether all of it belongs to a file that an earlier chunk began."""
        return not any(slice.first for slice in self.slices)

    def digest(self, like: str = "") -> str:
        """Return a digest of what the chunk is and of what its files hold.

        Of a stream, as much is read as was read for the digest which this is to be compared with.
        """
        reader = ChunkReader(self)
        for _ in reader:
            pass
        if self.stream:  # the other digest may be one of a stream although this is none
            reader.skip(int(like.partition(_COVERS)[2] or 0))
        return reader.digest()


class ChunkReader:
    """Reads the slices of a chunk, once, and makes a digest of them and of their settings."""

    def __init__(self, chunk: Chunk) -> None:
        self._chunk = chunk
        self._hash = blake2b(repr(chunk.settings).encode(errors="surrogateescape"), digest_size=16)
        self._covered = 0
        self._ended = False

    def __iter__(self) -> Iterator[tuple[Slice, bytes | OSError]]:
        """Yield the slices, each with its bytes, or with why it cannot be read."""
        for slice in self._chunk.slices:
            content: bytes | OSError
            try:
                content = b"" if self._chunk.stream else slice.content()
            except OSError as error:
                content = error
            self._hash.update(repr(slice).encode(errors="surrogateescape"))
            self._hash.update(content if isinstance(content, bytes) else repr(content).encode(errors="replace"))
            yield slice, content

    def read(self, size: int) -> bytes:
        """Read from the stream of the chunk. Raises OSError."""
        assert self._chunk.stream is not None
        data = self._chunk.stream.read(size)
        self._hash.update(data)
        self._covered += len(data)
        self._ended = not data
        return data

    def skip(self, size: int) -> None:
        """Read so much of the stream, or as much as there is."""
        with suppress(OSError):
            while self._covered < size and self.read(min(size - self._covered, 1 << 20)):
                pass

    def digest(self) -> str:
        """Return the digest, of a stream with how much of it has been read: one that is refused may never end."""
        # To see again that it ends there, one more byte has to be asked for.
        covered = f"{_COVERS}{self._covered + self._ended}" if self._chunk.stream else ""
        return self._hash.hexdigest() + covered


def lines(stream: BufferedReader, size: int) -> tuple[bytes, OSError | None]:
    """Return the next lines of a stream, whole ones, which have `size` bytes together or reach beyond that.

    Of a line that is longer than a record may be, there is as much as shows that. If the stream cannot be read on, that
    is returned too.
    """
    taken = bytearray()
    try:
        while len(taken) < size and (part := stream.read1(size - len(taken))):
            taken += part
        if not taken.endswith(b"\n"):
            taken += stream.readline(MAX_RECORD_BYTES + LINE_MARGIN)
        if len(taken) - taken.rfind(b"\n") - 1 > MAX_RECORD_BYTES:
            _skip_line(stream)
            taken += b"\n"
    except OSError as error:
        return bytes(taken[: taken.rfind(b"\n") + 1]), error
    return bytes(taken), None


def count_before(stream: BufferedReader, size: int) -> Offset:
    """Count the records and lines of a file in JSON Lines that begin in its first bytes. Raises OSError."""
    stream.seek(0)
    records = count = 0
    while (at := stream.tell()) < size:
        found, failure = lines(stream, min(size - at, 1 << 20))
        if failure is not None:
            raise failure
        texts = found.removeprefix(BYTE_ORDER_MARK if at == 0 else b"").split(b"\n")
        records += sum(map(bool, (text.strip(WHITESPACE) for text in texts)))
        count += len(texts) - 1
    return Offset(records, count)


def _skip_line(stream: BinaryIO) -> None:
    """Read up to the next line."""
    while (part := stream.readline(MAX_RECORD_BYTES)) and not part.endswith(b"\n"):
        pass


def split(
    sources: Iterable[Source | Diagnostic], limits: ChunkLimits = CHUNK_LIMITS, *, settings: Settings | None = None
) -> Iterator[Chunk]:
    """Yield the chunks of sources. No more than one chunk is held. Raises InputChanged, and what `settings` raise."""
    held: list[Slice] = []
    size = 0
    for slice in _slices(sources, limits, settings):
        full = size + slice.size > limits.size or len(held) == limits.files
        if held and (slice.stream or full or slice.settings is not held[0].settings):
            yield Chunk(tuple(held))
            held, size = [], 0
        if slice.stream:
            yield Chunk((slice,))
        else:
            held.append(slice)
            size += slice.size
    if held:
        yield Chunk(tuple(held))


def _slices(sources: Iterable[Source | Diagnostic], limits: ChunkLimits, settings: Settings | None) -> Iterator[Slice]:
    for source in sources:
        if isinstance(source, Diagnostic):
            found = iter((Slice(source.file or "", diagnostic=source),))
        elif source.name == STANDARD_INPUT or source.opener or is_address(source.name):
            found = _slices_read_here(source, limits)
        else:
            found = _slices_of_file(source, limits)
        if settings is None:
            yield from found
            continue
        demanded = settings.find(source.file or "" if isinstance(source, Diagnostic) else source.name)
        for slice in found:
            yield replace(slice, settings=demanded)


def _slices_of_file(source: Source, limits: ChunkLimits) -> Iterator[Slice]:
    """Yield the slices of a file that every process can open."""
    begun = stamp(source.name)
    if begun is None:
        if os.path.exists(source.name):
            yield from _slices_read_here(source, limits)
        else:
            yield Slice(source.name, source.format)  # opening it tells what is wrong with it
        return
    whole = Slice(source.name, source.format, begun.size, stamp=begun)
    part = source.part or range(begun.size)
    if part.stop > begun.size:
        raise InputChanged(source.name)
    if not source.part and begun.size <= (limits.size if is_plain(source.name) else limits.compressed):
        yield whole
        return
    try:
        stream = open(source.name, "rb")  # noqa: SIM115
    except OSError:
        yield whole
        return
    # While the file is open, no other one gets its number.
    with stream, unchanged(source.name, stream, begun):
        try:
            plain = decompressed(stream) is stream
            format, found = source.recognize(stream)
            head = _head(found) if plain and format == "jsonl" else b""
            is_cut = not _is_blank(head) and is_text(head)
            before = count_before(stream, part.start) if is_cut and part.start else None
        except OSError:
            yield whole
            return
        if is_cut:
            yield from _ranges(replace(whole, format="jsonl", before=before), part, limits.size)
            return
    if part.start:  # what cannot be cut belongs to the first part
        return
    if plain and begun.size <= limits.whole:
        yield whole
    else:
        yield from _slices_read_here(source, limits, begun)


def _ranges(whole: Slice, part: range, size: int) -> Iterator[Slice]:
    """Yield the slices of a part of a file in JSON Lines."""
    for start in range(part.start, part.stop, size):
        end = min(start + size, part.stop)
        before = whole.before if start == part.start else None
        cut = replace(whole, size=end - start, start=start, end=end, before=before)
        yield replace(cut, first=start == 0, last=end == whole.size)


def _slices_read_here(source: Source, limits: ChunkLimits, stamp: Stamp | None = None) -> Iterator[Slice]:
    """Yield the slices of what can be read only here, or only once. It had a stamp, if it is a file."""
    begun = False
    try:
        with source.open() as raw, unchanged(source.name, raw, stamp):
            unpacked = decompressed(raw)
            allowance = getattr(unpacked, "allowance", None)
            format, stream = source.recognize(unpacked)
            whole = Slice(source.name, format, allowance=allowance)
            head = _head(stream) if format == "jsonl" else stream.read(limits.whole + 1)
            if format == "jsonl" and not _is_blank(head) and is_text(head):
                for slice in _line_slices(prepended(head, stream), replace(whole, allowance=None), limits.size):
                    begun = True
                    yield slice
                    if allowance and slice.data:
                        allowance.use_records(sum(not line.isspace() for line in slice.data.splitlines()))
            elif len(head) <= (MAX_RECORD_BYTES if format == "jsonl" else limits.whole):
                # In JSON Lines, nothing that follows a first line that is no text is looked at.
                yield replace(whole, size=len(head), data=head)
            else:
                yield replace(whole, stream=prepended(head, stream))
    except OSError as error:
        yield Slice(source.name, diagnostic=unreadable(source.name, error), first=not begun)


def _line_slices(stream: BufferedReader, whole: Slice, size: int) -> Iterator[Slice]:
    """Yield the slices of a stream of JSON Lines, of which two are held. Raises OSError after what could be read."""
    data, failure = lines(stream, size)
    first = True
    while data:
        more, later = lines(stream, size) if failure is None else (b"", None)
        yield replace(
            whole, size=len(data), data=data, first=first, last=not more and failure is None and later is None
        )
        data, failure, first = more, failure or later, False
    if failure is not None:
        raise failure


def _head(stream: BinaryIO) -> bytes:
    """Read up to the first line that is not blank, but no more than a record may have."""
    head = bytearray()
    while len(head) <= MAX_RECORD_BYTES and (line := stream.readline(MAX_RECORD_BYTES + 1)):
        content = line if head else line.removeprefix(BYTE_ORDER_MARK)
        head += line
        if content.strip(WHITESPACE):
            break
        head += blank_lines(stream)
    return bytes(head)


def _is_blank(head: bytes) -> bool:
    """Return whether the beginning of a file holds no record: blank lines, after a byte-order mark perhaps."""
    return not head.removeprefix(BYTE_ORDER_MARK).strip(WHITESPACE)


def is_plain(file: str) -> bool:
    """Return whether a file's name says neither that it is compressed nor that it holds other files."""
    return os.path.splitext(file)[1].lower() == inner_suffix(file) and not is_archive(file)


def is_text(head: bytes) -> bool:
    """Return whether the first line of a file in JSON Lines lets the others be read."""
    first = head.removeprefix(BYTE_ORDER_MARK).partition(b"\n")[0]
    return not is_binary(first[:8192]) and not is_utf16(first)
