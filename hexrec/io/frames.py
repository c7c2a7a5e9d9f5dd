"""Compressed files in frames, so that one file can be read from several places: by shards on several machines.

hexrec writes its files so: .zst files in the seekable format of Zstandard, .gz files in the blocks of bgzip. Each frame
is compressed by itself, so any program reads these files. Frames of .zst files end with a line, and a second table has
the number of records and lines in each: a shard reads nothing before its first frame.
"""

from __future__ import annotations

import io
import sys
import zlib
from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate
from struct import Struct, error
from typing import Any, BinaryIO, NamedTuple

#: The number of bytes in a frame before compression, and beyond which it may end within a line.
_ZSTD_FRAME, _LONGEST_LINE = 1 << 20, 8 << 20
#: The same in a block of bgzip, which has 64 KiB at most.
_BLOCK = 0xFF00
#: The magic numbers of skippable frames: of the table of frames, and of the table of records and lines. The size of the
#: frame follows.
_TABLE, _COUNTS = 0x184D2A5E, 0x184D2A5B
_HEAD = Struct("<II")
#: The end of a seekable file: the number of frames, flags, a magic number.
_FOOT = Struct("<IBI")
_SEEKABLE = 0x8F92EAB1
#: Flags: each entry of the table has a checksum too; all others are reserved.
_CHECKSUMS = 0x80
_PAIR = Struct("<II")
_COUNTS_NAME = b"hexrec-1"
#: The largest table, in bytes.
_LARGEST = 64 << 20

#: The start of a block of bgzip, up to its size less one; and the last block, which is empty.
_BGZIP = bytes.fromhex("1f8b08040000000000ff0600424302 00")
_BGZIP_END = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
_SIZE = Struct("<H")
_CHECK = Struct("<II")


class Frame(NamedTuple):
    """The start of a frame, or the end of all frames.

    Attributes:
        at: the offset in the file.
        begin: the offset in the decompressed data.
        records, lines: the numbers of records and lines before it; None if unknown.
    """

    at: int
    begin: int
    records: int | None = None
    lines: int | None = None


class FrameWriter(io.RawIOBase):
    """A stream that compresses lines into frames. Closing it leaves the stream below open."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._held = bytearray()

    def writable(self) -> bool:
        """Return True."""
        return True

    def write(self, data: Any) -> int:
        """Add data to the current frame."""
        self._held += data
        self._cut()
        return len(data)

    def close(self) -> None:
        """Write the last frame and the end of the file."""
        if not self.closed:
            self._finish()
        super().close()

    def _take(self, size: int) -> bytes:
        data = bytes(self._held[:size])
        del self._held[:size]
        return data

    def _cut(self) -> None:
        raise NotImplementedError

    def _finish(self) -> None:
        raise NotImplementedError


class ZstdWriter(FrameWriter):
    """Frames of Zstandard that end with a line, then their tables."""

    def __init__(self, stream: BinaryIO, compress: Callable[[bytes], bytes]) -> None:
        super().__init__(stream)
        self._compress = compress
        self._sizes: list[tuple[int, int]] = []
        self._counts: list[tuple[int, int]] = []
        self._ends_with_lines = True

    def _cut(self) -> None:
        while len(self._held) >= _ZSTD_FRAME:
            end = self._held.rfind(b"\n") + 1
            if not end and len(self._held) < _LONGEST_LINE:
                return
            self._ends_with_lines = self._ends_with_lines and end > 0
            self._write_frame(end or len(self._held))

    def _write_frame(self, size: int) -> None:
        data = self._take(size)
        frame = self._compress(data)
        self._stream.write(frame)
        self._sizes.append((len(frame), len(data)))
        self._counts.append((sum(1 for line in data.split(b"\n") if line.strip()), data.count(b"\n")))

    def _finish(self) -> None:
        if self._held or not self._sizes:
            self._write_frame(len(self._held))
        if self._ends_with_lines:
            counts = _COUNTS_NAME + b"".join(_PAIR.pack(*pair) for pair in self._counts)
            self._stream.write(_HEAD.pack(_COUNTS, len(counts)) + counts)
            self._sizes.append((_HEAD.size + len(counts), 0))
        table = b"".join(_PAIR.pack(*pair) for pair in self._sizes)
        self._stream.write(_HEAD.pack(_TABLE, len(table) + _FOOT.size) + table)
        self._stream.write(_FOOT.pack(len(self._sizes), 0, _SEEKABLE))


class BgzipWriter(FrameWriter):
    """Blocks of bgzip, each a member of a gzip file."""

    def _cut(self) -> None:
        while len(self._held) >= _BLOCK:
            self._write_block(_BLOCK)

    def _write_block(self, size: int) -> None:
        data = self._take(size)
        compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed = compressor.compress(data) + compressor.flush()
        self._stream.write(_BGZIP + _SIZE.pack(len(_BGZIP) + _SIZE.size + len(packed) + _CHECK.size - 1))
        self._stream.write(packed + _CHECK.pack(zlib.crc32(data), len(data)))

    def _finish(self) -> None:
        if self._held:
            self._write_block(len(self._held))
        self._stream.write(_BGZIP_END)


def find_frames(stream: BinaryIO) -> list[Frame] | None:
    """Return the frames of a file, and its end; None if it is not in frames.

    The position in the stream is lost. Raises OSError.
    """
    size = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    try:
        if stream.read(len(_BGZIP)) == _BGZIP:
            return _find_blocks(stream, size)
        return _find_zstd(stream, size)
    except (error, ValueError):
        return None


def _find_zstd(stream: BinaryIO, size: int) -> list[Frame] | None:
    stream.seek(-min(size, _FOOT.size), io.SEEK_END)
    count, flags, magic = _FOOT.unpack(stream.read(_FOOT.size))
    if magic != _SEEKABLE or flags & ~_CHECKSUMS:
        return None
    width = _PAIR.size + 4 * bool(flags)
    length = count * width + _FOOT.size
    start = size - length - _HEAD.size
    if start < 0 or length > _LARGEST:
        return None
    stream.seek(start)
    if _HEAD.unpack(stream.read(_HEAD.size)) != (_TABLE, length):
        return None
    table = stream.read(count * width)
    sizes = [_PAIR.unpack_from(table, place) for place in range(0, len(table), width)]
    offsets = [0, *accumulate(size for size, _ in sizes)]
    begins = [0, *accumulate(size for _, size in sizes)]
    if offsets[-1] != start:
        return None
    counts = _read_counts(stream, offsets[-2], len(sizes) - 1) if sizes and not sizes[-1][1] else None
    if counts is None:
        return [*map(Frame, offsets, begins)]
    records, lines = ([0, *accumulate(numbers)] for numbers in zip(*counts, strict=True))
    return [*map(Frame, offsets[:-1], begins[:-1], records, lines)]


def _read_counts(stream: BinaryIO, at: int, frames: int) -> list[tuple[int, int]] | None:
    """Return the numbers of records and lines in each frame, from hexrec's own table."""
    stream.seek(at)
    length = len(_COUNTS_NAME) + frames * _PAIR.size
    if _HEAD.unpack(stream.read(_HEAD.size)) != (_COUNTS, length) or not frames:
        return None
    data = stream.read(length)
    return [*_PAIR.iter_unpack(data.removeprefix(_COUNTS_NAME))] if data.startswith(_COUNTS_NAME) else None


def _find_blocks(stream: BinaryIO, size: int) -> list[Frame] | None:
    """Return the blocks of bgzip. Their sizes are read from one to the next."""
    frames = [Frame(0, 0)]
    at = begin = 0
    while at < size:
        stream.seek(at)
        head = stream.read(len(_BGZIP) + _SIZE.size)
        if not head.startswith(_BGZIP):
            return None
        (length,) = _SIZE.unpack(head[len(_BGZIP) :])
        at += length + 1
        stream.seek(at - 4)
        begin += int.from_bytes(stream.read(4), "little")
        frames.append(Frame(at, begin))
    return frames if at == size else None


def frames_in(stream: BinaryIO, part: range) -> tuple[range, Frame, Frame] | None:
    """Return the range of the data in the frames that begin in a part of the file; None if no frame does.

    The range is counted from the first frame returned, where reading begins; the second is the one after the part. They
    are the start of the file if the numbers of records and lines are unknown. The first part has the whole of a file
    without frames, given as an empty range.
    """
    frames, start = find_frames(stream), Frame(0, 0)
    if frames is None:
        return None if part.start else (range(0), start, start)
    starts = [frame.at for frame in frames[:-1]]
    first, last = (frames[bisect_left(starts, at)] for at in (part.start, part.stop))
    if first == last:
        return None
    # The size of the data in all frames is not taken on trust.
    end = sys.maxsize if last is frames[-1] else last.begin
    return (range(first.begin, end), start, start) if first.lines is None else (range(end - first.begin), first, last)
