"""Streams of bytes that are made as they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from io import BufferedReader, BytesIO, RawIOBase
from typing import Any, BinaryIO


class ReadStream(RawIOBase):
    """A stream to read from. The function `pull`, or that method of a subclass, says where the bytes come from."""

    def __init__(self, pull: Callable[[int], bytes]) -> None:
        self._pull = pull

    def pull(self, size: int) -> bytes | memoryview:
        """Return up to so many bytes; none at the end."""
        return self._pull(size)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as there is something at once; return how many bytes that are."""
        data = self.pull(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def prepended(head: bytes, rest: BinaryIO) -> BufferedReader:
    """Return a stream together with what has been read of it already: standard input cannot be rewound."""
    begun = BytesIO(head)
    return BufferedReader(ReadStream(lambda size: begun.read(size) or rest.read(size)))


class CountingStream(ReadStream):
    """A stream that counts the bytes that are read from it.

    Attributes:
        size: how many there were.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.size = 0

    def pull(self, size: int) -> bytes:
        """Read some bytes and count them."""
        data = self._stream.read(size)
        self.size += len(data)
        return data
