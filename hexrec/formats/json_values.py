"""JSON files: one record, or an array of records, of which one is in memory at a time.

The elements of an array, and values in sequence, are cut at their brackets: a malformed one does not affect the others.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import BinaryIO

from hexrec.formats import base
from hexrec.formats.json import is_lines, parse_bytes, record_pieces, write
from hexrec.formats.located_text import is_utf16
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.util.streams import prepend

#: Bytes read from a stream at once.
CHUNK = 1 << 16
#: Bytes searched first for the end of a value; then four times as many, until the end is found.
_WINDOW = 1 << 12
#: Start of a record in hexrec's format, or in that of Abstract Play.
_RECORD = re.compile(rb'\{\s*"(?:hexrec|header)"\s*:')
_WHITESPACE = re.compile(rb"[ \t\r\n]*")
_TEXT = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TO_BRACKETS = re.compile(rb'(?:[^"\[\]{}]++|' + _TEXT + rb")*+(?:([\[{]++)|([\]}]++))", re.DOTALL)
#: A value without brackets, which cannot be a record.
_SCRAP = re.compile(_TEXT + rb"|[^\"][^,\[\]{}\n]*+(?=[,\[\]{}\n])", re.DOTALL)
_EMPTY_ARRAY = base.syntax_error(base.EMPTY_CODE, "the array is empty: it should contain a record")
#: Bytes kept of a skipped value, to find a mark that is split between two reads.
_OVERLAP = 256


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a JSON file into its record, or into the elements of its array and the bytes between them."""
    head = stream.read(base.JSON_HEAD)
    cut = value_pieces if is_array(head) else record_pieces
    yield from cut(prepend(head, stream))


def is_array(head: bytes) -> bool:
    """Return whether the beginning of a file is that of an array."""
    return head.removeprefix(base.BYTE_ORDER_MARK).lstrip(base.WHITESPACE).startswith(b"[")


def value_pieces(stream: BinaryIO, mark: re.Pattern[bytes] = _RECORD) -> Iterator[base.Piece]:
    """Cut a stream into values and the bytes between them.

    `mark` matches the start of a record. After a malformed value, reading continues at the next match, which may be
    within that value.
    """
    has_documents = has_array = False
    for piece in _Values(stream, mark).pieces():
        has_documents = has_documents or bool(piece.documents)
        has_array = has_array or b"[" in piece.raw
        yield piece
    if not has_documents:
        yield base.Piece(b"", (_EMPTY_ARRAY if has_array else base.EMPTY,))


class _Values:
    """Cuts one stream into pieces; call `pieces` once.

    Attributes:
        data: the buffered bytes of the stream.
        at: the current offset in `data`.
        line, column: the place of that offset in the file.
    """

    def __init__(self, stream: BinaryIO, mark: re.Pattern[bytes]) -> None:
        self._stream = stream
        self._mark = mark
        #: Whether a value was malformed: from then on, a value ends at the latest where the next record begins.
        self._careful = False
        #: Whether the stream has ended. A terminal must not be read again.
        self._ended = False
        #: Bytes before the current offset that no piece contains yet.
        self._passed = bytearray()
        self.data = b""
        self.at = 0
        self.line = self.column = 1

    def pieces(self) -> Iterator[base.Piece]:
        self._fill(8192)
        head = self.data[:8192]
        if head.startswith(base.BYTE_ORDER_MARK):
            self._advance(len(base.BYTE_ORDER_MARK))
            self.column = 1
        if base.is_binary(head):
            yield base.Piece(b"", (base.BINARY,))
        elif is_utf16(head):
            yield base.Piece(b"", (self._parse(head),))
        else:
            yield from self._values()
        self._advance(len(self.data) - self.at)
        yield self._piece()

    def _values(self) -> Iterator[base.Piece]:
        in_list = (yield from self._next()) == b"["
        if in_list:
            self._advance(1)
        separated = True
        while here := (yield from self._next()):
            if in_list and here == b"]":
                self._advance(1)
                in_list = False
                if (yield from self._next()):
                    yield self._syntax_error("there is more text after the end of the array")
                return
            if not separated:
                yield self._syntax_error("a comma or a closing bracket is expected here")
            yield self._piece()
            whole = True
            for piece in self._value():
                whole = whole and all(document.error is None for document in piece.documents)
                yield piece
            separated = not in_list or not whole
            if in_list and (yield from self._next()) == b",":
                self._advance(1)
                separated = True
                if (yield from self._next()) == b"]":
                    yield self._syntax_error("there should be no comma before a closing bracket")
        if in_list:
            message = "the array has no closing bracket: the rest is missing"
            yield base.Piece(b"", (base.syntax_error("syntax/truncated", message, self.line, self.column),))

    def _value(self) -> Iterator[base.Piece]:
        """Yield the next value, or the skipped bytes of a value that is too large."""
        end = self._end()
        if end is None:
            yield base.Piece(b"", (base.too_large(self.line, self.column),))
            yield from self._skip()
            return
        document = self._parse(self.data[self.at : end])
        again = self._mark.search(self.data, self.at + 1, end) if document.error else None
        if again is not None:
            self._careful = True
            document = self._parse(self.data[self.at : again.start()])
        self._advance((again.start() if again else end) - self.at)
        yield self._piece(document)

    def _end(self) -> int | None:
        """Return the offset just past the next value, or None if the value is too large."""
        size = _WINDOW
        while True:
            is_more = self._fill(size)
            stop = min(self.at + size, len(self.data))
            following = self._mark.search(self.data, self.at + 1, stop) if self._careful else None
            stop = following.start() if following else stop
            end = _end_of_value(self.data, self.at, stop)
            if (end or stop) - self.at > MAX_RECORD_BYTES:
                return None
            if end or following or not is_more:
                return end or stop
            size = min(4 * size, MAX_RECORD_BYTES + 1)

    def _skip(self) -> Iterator[base.Piece]:
        """Skip to the start of the next record, or to the end."""
        self._advance(1)
        while True:
            is_more = self._fill(2 * _OVERLAP)
            match = self._mark.search(self.data, self.at)
            if match or not is_more:
                break
            self._advance(len(self.data) - _OVERLAP - self.at)
            yield self._piece()
        self._advance((match.start() if match else len(self.data)) - self.at)

    def _parse(self, raw: bytes) -> base.Document:
        return parse_bytes(raw, self.line, self.column)

    def _syntax_error(self, message: str) -> base.Piece:
        return base.Piece(b"", (base.syntax_error("syntax/json", f"not JSON: {message}", self.line, self.column),))

    def _next(self) -> Generator[base.Piece, None, bytes]:
        """Skip whitespace, of which each long part is a piece; return the byte that follows, empty at the end."""
        while True:
            self._advance(_WHITESPACE.match(self.data, self.at).end() - self.at)  # type: ignore[union-attr]
            if self.at < len(self.data) or not self._fill(1):
                return self.data[self.at : self.at + 1]
            if len(self._passed) > CHUNK:
                yield self._piece()

    def _fill(self, count: int) -> bool:
        """Read until `count` bytes are buffered; return False if the stream ends first."""
        missing = count - (len(self.data) - self.at)
        chunks = [self.data[self.at :]] if missing > 0 else []
        while missing > 0 and not self._ended:
            chunks.append(self._stream.read(max(CHUNK, missing)))
            missing -= len(chunks[-1])
            self._ended = not chunks[-1]
        if len(chunks) > 1:
            self.data = b"".join(chunks)
            self.at = 0
        return missing <= 0

    def _advance(self, count: int) -> None:
        raw = self.data[self.at : self.at + count]
        self._passed += raw
        self.at += count
        self.line, self.column = base.place_after(raw, self.line, self.column)

    def _piece(self, *documents: base.Document) -> base.Piece:
        """Return a piece of the bytes since the previous piece, with documents."""
        raw = bytes(self._passed)
        self._passed.clear()
        return base.Piece(raw, documents)


def _end_of_value(data: bytes, at: int, stop: int) -> int | None:
    """Return the offset just past the value that begins at `at`, or None if it does not end before `stop`."""
    if data[at : at + 1] not in (b"{", b"["):
        scrap = _SCRAP.match(data, at, stop)
        return scrap.end() if scrap else None
    depth = 0
    while match := _TO_BRACKETS.match(data, at, stop):
        at = match.end()
        if match[1]:
            depth += len(match[1])
        elif depth > len(match[2]):
            depth -= len(match[2])
        else:
            return match.start(2) + depth
    return None


def _recognizes(head: bytes) -> bool:
    return head.startswith((b"{", b"[")) and not is_lines(head)


FORMAT = base.Format("json", "JSON", base.reading(pieces), write, _recognizes, pieces=pieces)
