"""JSON values that follow each other in a stream, or fill one list, cut out one by one: none needs the others' room."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats import base
from hexrec.formats.json import parse_bytes, write
from hexrec.util.limits import MAX_RECORD_BYTES

#: How much is read of a stream at once.
CHUNK = 1 << 16
#: How much is looked at first to find the end of a value; as long as that is not enough, twice as much.
_WINDOW = 1 << 12
#: How a list begins whose parts may be records, and how one of hexrec's records begins.
_LIST = re.compile(rb"[ \t\r\n]*\[[ \t\r\n]*\{")
_RECORD = re.compile(rb'\{\s*"hexrec"\s*:')
_BLANKS = re.compile(rb"[ \t\r\n]*")
_TEXT = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TO_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|' + _TEXT + rb")*+([\[\]{}])", re.DOTALL)
#: A value that is not in brackets, and can be none that is wanted.
_SCRAP = re.compile(_TEXT + rb"|[^\"][^,\[\]{}\n]*+(?=[,\[\]{}\n])", re.DOTALL)
#: How much of what is passed over is kept, so that a mark which it ends in the middle of is still found.
_OVERLAP = 256


def pieces(stream: BinaryIO, mark: re.Pattern[bytes] = _RECORD) -> Iterator[base.Piece]:
    """Cut a stream into values and what is between them, one at a time.

    `mark` matches how the values that are wanted begin. After a value that is broken, reading goes on at the next
    such beginning, be it within what seemed to be the broken value.
    """
    found = False
    for piece in _Values(stream, mark).pieces():
        found = found or bool(piece.documents)
        yield piece
    if not found:
        yield base.Piece(b"", (base.EMPTY,))


def is_list(body: bytes) -> bool:
    """Return whether a body is a list of objects."""
    return _LIST.match(body.removeprefix(base.BYTE_ORDER_MARK)) is not None


#: What reads a list of hexrec's records. As a file, JSON holds one record.
LIST = base.Format("json", "JSON", base.reading(pieces), write, lambda _: False, pieces=pieces)


class _Values:
    """Cuts one stream, of which a part is at hand; `pieces` is to be called once.

    Attributes:
        data: some bytes of the stream.
        at: the offset in them of the first that has not been passed.
        line, column: the place of that in the file.
    """

    def __init__(self, stream: BinaryIO, mark: re.Pattern[bytes]) -> None:
        self._stream = stream
        self._mark = mark
        #: Whether a value has turned out to be broken: from then on, none reaches beyond the beginning of another.
        self._careful = False
        #: Whether the stream has ended. A terminal must not be asked again.
        self._ended = False
        #: What has been passed and is in no piece yet.
        self._passed = bytearray()
        self.data = b""
        self.at = 0
        self.line = self.column = 1

    def pieces(self) -> Iterator[base.Piece]:
        """Yield the pieces of the stream."""
        self._reach(8192)
        head = self.data[:8192]
        if head.startswith(base.BYTE_ORDER_MARK):
            self._pass(len(base.BYTE_ORDER_MARK))
            self.column = 1
        if base.is_binary(head):
            yield base.Piece(b"", (base.BINARY,))
        elif base.is_utf16(head):
            yield base.Piece(b"", (self._parsed(head),))
        else:
            yield from self._values()
        self._pass(len(self.data) - self.at)
        yield self._piece()

    def _values(self) -> Iterator[base.Piece]:
        in_list = self._next() == b"["
        if in_list:
            self._pass(1)
        separated = True
        while here := self._next():
            if in_list and here == b"]":
                self._pass(1)
                in_list = False
                if self._next():
                    yield self._unexpected("there is more text after the end of the list")
                return
            if not separated:
                yield self._unexpected("a comma or a closing bracket is expected here")
            yield self._piece()
            whole = True
            for piece in self._value():
                whole = whole and all(document.error is None for document in piece.documents)
                yield piece
            separated = not in_list or not whole
            if in_list and self._next() == b",":
                self._pass(1)
                separated = True
                if self._next() == b"]":
                    yield self._unexpected("there should be no comma before a closing bracket")
        if in_list:
            message = "the list has no closing bracket: the rest is missing"
            yield base.Piece(b"", (base.broken("syntax/truncated", message, self.line, self.column),))

    def _value(self) -> Iterator[base.Piece]:
        """Yield the next value, or what is passed over because it is too large."""
        end = self._end()
        if end is None:
            yield base.Piece(b"", (base.too_large(self.line, self.column),))
            yield from self._pass_over()
            return
        document = self._parsed(self.data[self.at : end])
        again = self._mark.search(self.data, self.at + 1, end) if document.error else None
        if again is not None:
            self._careful = True
            document = self._parsed(self.data[self.at : again.start()])
        self._pass((again.start() if again else end) - self.at)
        yield self._piece(document)

    def _end(self) -> int | None:
        """Return the offset just past the value that comes next, as far as there is one; None if it is too large."""
        size = _WINDOW
        while True:
            is_more = self._reach(size)
            stop = min(self.at + size, len(self.data))
            following = self._mark.search(self.data, self.at + 1, stop) if self._careful else None
            stop = following.start() if following else stop
            end = _end_of_value(self.data, self.at, stop)
            if (end or stop) - self.at > MAX_RECORD_BYTES:
                return None
            if end or following or not is_more:
                return end or stop
            size *= 2

    def _pass_over(self) -> Iterator[base.Piece]:
        """Go to where the next value that is wanted begins, or to the end."""
        self._pass(1)
        while True:
            is_more = self._reach(2 * _OVERLAP)
            found = self._mark.search(self.data, self.at)
            if found or not is_more:
                break
            self._pass(len(self.data) - _OVERLAP - self.at)
            yield self._piece()
        self._pass((found.start() if found else len(self.data)) - self.at)

    def _parsed(self, raw: bytes) -> base.Document:
        return parse_bytes(raw, self.line, self.column)

    def _unexpected(self, message: str) -> base.Piece:
        return base.Piece(b"", (base.broken("syntax/json", f"not JSON: {message}", self.line, self.column),))

    def _next(self) -> bytes:
        """Go past blanks and return the byte that follows; nothing at the end."""
        while True:
            self._pass(_BLANKS.match(self.data, self.at).end() - self.at)  # type: ignore[union-attr]
            if self.at < len(self.data) or not self._reach(1):
                return self.data[self.at : self.at + 1]

    def _reach(self, count: int) -> bool:
        """Read on until that many bytes are at hand, and return whether they are."""
        chunks = [self.data[self.at :]]
        missing = count - len(chunks[0])
        while missing > 0 and not self._ended:
            chunks.append(self._stream.read(max(CHUNK, missing)))
            missing -= len(chunks[-1])
            self._ended = not chunks[-1]
        if len(chunks) > 1:
            self.data = b"".join(chunks)
            self.at = 0
        return missing <= 0

    def _pass(self, count: int) -> None:
        """Pass the next bytes."""
        raw = self.data[self.at : self.at + count]
        self._passed += raw
        self.at += count
        last = raw.rpartition(b"\n")[2].decode(errors="replace")
        self.line += raw.count(b"\n")
        self.column = len(last) + (1 if b"\n" in raw else self.column)

    def _piece(self, *documents: base.Document) -> base.Piece:
        """Return what has been passed since the piece before."""
        raw = bytes(self._passed)
        self._passed.clear()
        return base.Piece(raw, documents)


def _end_of_value(data: bytes, at: int, stop: int) -> int | None:
    """Return the offset just past the value that begins at one; None if it does not end before another."""
    if data[at : at + 1] not in (b"{", b"["):
        scrap = _SCRAP.match(data, at, stop)
        return scrap.end() if scrap else None
    depth = 0
    while found := _TO_BRACKET.match(data, at, stop):
        at = found.end()
        depth += 1 if found[1] in b"{[" else -1
        if not depth:
            return at
    return None
