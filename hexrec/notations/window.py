"""The part of a stream that is at hand: what is not known to be needed is not read, and what was passed not kept."""

from __future__ import annotations

from typing import BinaryIO

CHUNK = 1 << 16


class Window:
    """The bytes of a stream that have been read and not been passed.

    Attributes:
        data: some bytes of the stream.
        at: the offset in them of the first that has not been passed.
        line, column: the place of that in the file.
        ended: whether the stream has ended. A terminal must not be asked again.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.data = b""
        self.at = 0
        self.line = self.column = 1
        self.ended = False

    @property
    def left(self) -> int:
        """The number of bytes at hand."""
        return len(self.data) - self.at

    def reach(self, count: int) -> bool:
        """Read on until that many bytes are at hand, and return whether they are."""
        if self.left < count and not self.ended:
            chunks = [self.data[self.at :]]
            missing = count - self.left
            while missing > 0 and not self.ended:
                chunks.append(self._stream.read(max(CHUNK, missing)))
                missing -= len(chunks[-1])
                self.ended = not chunks[-1]
            self.data = b"".join(chunks)
            self.at = 0
        return self.left >= count

    def first(self, count: int) -> bytes:
        """Return the next bytes, that many if there are."""
        self.reach(count)
        return self.data[self.at : self.at + count]

    def take(self, count: int, encoding: str = "utf-8") -> str:
        """Pass the next bytes, and return their text."""
        text = self.data[self.at : self.at + count].decode(encoding, errors="replace")
        self.at += count
        ends = text.count("\n")
        self.line += ends
        self.column = len(text) - text.rfind("\n") if ends else self.column + len(text)
        return text
