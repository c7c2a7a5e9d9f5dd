"""What an edit made, read again while it is being written: the same records in the same order, with the data wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, NamedTuple, cast

from hexrec.edit.editor import EditFault, Piece, same
from hexrec.notations.base import Document

#: Reads a stream of edited bytes.
Read = Callable[[BinaryIO], Iterator[Document]]


class Expected(NamedTuple):
    """What a document of the edited text should be.

    Attributes:
        before: the document in the text as it was.
        data: the data that it should have now, if it has no fault.
        holds: whether the document that was read again says what it should, beyond its data.
    """

    before: Document
    data: Any
    holds: Callable[[Document], bool]

    def matches(self, after: Document) -> bool:
        """Return whether a document is what is expected."""
        if self.before.fault is not None or after.fault is not None:
            return self._code(self.before) == self._code(after)
        if not same(after.data, self.data):
            return False
        return same(self.before.data, self.data) or self.holds(after)

    @staticmethod
    def _code(document: Document) -> str | None:
        return document.fault.code if document.fault else None


def verified(edited: Iterator[Piece], expected: deque[Expected], read: Read) -> Iterator[Piece]:
    """Pass on pieces, reading again what they make; `expected` is filled while they are made.

    Raises EditFault at the first document that is not what is expected. Holds as much as the reader reads ahead.
    """
    made = _Made(edited)
    for number, document in enumerate(read(BufferedReader(made))):
        while not expected and made.advance():
            pass
        if not expected or not expected.popleft().matches(document):
            raise EditFault(f"its record {number} would not be read again as what it should be")
        yield from made.take()
    while made.advance():
        yield from made.take()
    yield from made.take()
    if expected:
        raise EditFault(f"it would hold {len(expected)} records less")


class _Made(RawIOBase):
    """The new bytes of pieces as a stream. The pieces that were read are kept until they are taken."""

    def __init__(self, edited: Iterator[Piece]) -> None:
        self._edited = edited
        self._passed: list[Piece] = []
        self._rest: deque[memoryview] = deque()

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as the next piece reaches; return how many bytes that are."""
        while not self._rest and self.advance():
            pass
        if not self._rest:
            return 0
        first = self._rest.popleft()
        data, rest = first[: len(buffer)], first[len(buffer) :]
        buffer[: len(data)] = data
        if rest:
            self._rest.appendleft(rest)
        return len(data)

    def advance(self) -> bool:
        """Make the next piece; return whether there is one."""
        piece = next(self._edited, None)
        if piece is None:
            return False
        self._passed.append(piece)
        if piece.new:
            self._rest.append(memoryview(piece.new))
        return True

    def take(self) -> list[Piece]:
        """Return the pieces that were made and not yet taken."""
        taken, self._passed = self._passed, []
        return taken


class Counted(RawIOBase):
    """A stream that counts the bytes that are read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.size = 0

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as there is something at once; return how many bytes that are."""
        data = self._stream.read(len(buffer))
        self.size += len(data)
        buffer[: len(data)] = data
        return len(data)


def complete(edited: Iterator[Piece], read: Counted) -> Iterator[Piece]:
    """Pass on pieces. Raises EditFault if they are not all that was read from the stream when they end."""
    size = 0
    for piece in edited:
        size += len(piece.old)
        yield piece
    if size != read.size:
        raise EditFault("a part of it would be lost")


def buffered(stream: RawIOBase) -> BinaryIO:
    """Return a stream that reads in large parts."""
    return cast(BinaryIO, BufferedReader(stream, 2**16))
