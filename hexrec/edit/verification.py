"""What an edit made, read again while it is being written: the same records in the same order, with the data wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import Any, BinaryIO, NamedTuple

from hexrec.edit.editor import EditorBug, Segment, same
from hexrec.notations.base import Document
from hexrec.streams import CountingStream, ReadStream

#: Reads a stream of edited bytes.
Read = Callable[[BinaryIO], Iterator[Document]]


class Expected(NamedTuple):
    """What a document of the edited text should be.

    Attributes:
        before: the document in the text as it was.
        data: the data that it should have now, if it has no error.
        holds: whether a document, given before and after, says what it should beyond its data.
    """

    before: Document
    data: Any
    holds: Callable[[Document, Document], bool]

    def matches(self, after: Document) -> bool:
        """Return whether a document is what is expected."""
        if self.before.error is not None or after.error is not None:
            return self._code(self.before) == self._code(after)
        if not same(after.data, self.data):
            return False
        return same(self.before.data, self.data) or self.holds(self.before, after)

    @staticmethod
    def _code(document: Document) -> str | None:
        return document.error.code if document.error else None


def verified(edited: Iterator[Segment], expected: deque[Expected], read: Read) -> Iterator[Segment]:
    """Pass on segments, reading again what they make; `expected` is filled while they are made.

    Raises EditorBug at the first document that is not what is expected. Holds as much as the reader reads ahead.
    """
    made = _NewBytes(edited)
    for number, document in enumerate(read(BufferedReader(made))):
        while not expected and made.advance():
            pass
        if not expected or not expected.popleft().matches(document):
            raise EditorBug(f"its record {number} would be read back as something else")
        yield from made.take()
    yield from made.take()
    yield from edited  # which the reader does not look at
    if expected:
        raise EditorBug(f"it would hold {len(expected)} records fewer")


class _NewBytes(ReadStream):
    """The new bytes of segments as a stream. The segments that were read are kept until they are taken."""

    def __init__(self, edited: Iterator[Segment]) -> None:
        self._edited = edited
        self._passed: list[Segment] = []
        self._rest: deque[memoryview] = deque()

    def pull(self, size: int) -> bytes | memoryview:
        """Read as far as the next segment reaches."""
        while not self._rest and self.advance():
            pass
        if not self._rest:
            return b""
        first = self._rest.popleft()
        if len(first) > size:
            self._rest.appendleft(first[size:])
        return first[:size]

    def advance(self) -> bool:
        """Make the next segment; return whether there is one."""
        segment = next(self._edited, None)
        if segment is None:
            return False
        self._passed.append(segment)
        if segment.new:
            self._rest.append(memoryview(segment.new))
        return True

    def take(self) -> list[Segment]:
        """Return the segments that were made and not yet taken."""
        taken, self._passed = self._passed, []
        return taken


def complete(edited: Iterator[Segment], read: CountingStream) -> Iterator[Segment]:
    """Pass on segments. Raises EditorBug if they are not all that was read from the stream when they end."""
    size = 0
    for segment in edited:
        size += len(segment.old)
        yield segment
    if size != read.size:
        raise EditorBug("a part of it would be lost")
