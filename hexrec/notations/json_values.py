"""JSON values that follow each other in a stream, or fill one list, cut out one by one: none needs the others' room."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import BinaryIO

from hexrec.limits import MAX_RECORD_BYTES
from hexrec.notations import base
from hexrec.notations.json import parse_bytes, write
from hexrec.notations.window import Window

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


def read(stream: BinaryIO, mark: re.Pattern[bytes] = _RECORD) -> Iterator[base.Document]:
    """Yield the document of each value; holds one at a time.

    `mark` matches how the values that are wanted begin. After a value that is broken, reading goes on at the next
    such beginning, be it within what seemed to be the broken value.
    """
    values = _Values(stream, mark)
    documents = iter((base.BINARY,)) if base.is_binary(values.head) else values.documents()
    yield next(documents, base.EMPTY)
    yield from documents


def is_list(body: bytes) -> bool:
    """Return whether a body is a list of objects."""
    return _LIST.match(body.removeprefix(base.BYTE_ORDER_MARK)) is not None


#: What reads a list of hexrec's records. As a file, JSON holds one record.
LIST = base.Notation("json", "JSON", read, write, lambda _: False)


class _Values(Window):
    """Cuts one stream; `documents` is to be called once."""

    def __init__(self, stream: BinaryIO, mark: re.Pattern[bytes]) -> None:
        super().__init__(stream)
        self._mark = mark
        #: Whether a value has turned out to be broken: from then on, none reaches beyond the beginning of another.
        self._careful = False
        if self.first(len(base.BYTE_ORDER_MARK)) == base.BYTE_ORDER_MARK:
            self.at += len(base.BYTE_ORDER_MARK)
        self.head = self.first(8192)

    def documents(self) -> Iterator[base.Document]:
        if base.is_utf16(self.head):
            yield self._parsed(self.head)
            return
        in_list = self._next() == b"["
        if in_list:
            self.take(1)
        separated = True
        while here := self._next():
            if in_list and here == b"]":
                self.take(1)
                in_list = False
                if self._next():
                    yield self._unexpected("there is more text after the end of the list")
                return
            if not separated:
                yield self._unexpected("a comma or a closing bracket is expected here")
            whole = yield from self._value()
            separated = not in_list or not whole
            if in_list and self._next() == b",":
                self.take(1)
                separated = True
                if self._next() == b"]":
                    yield self._unexpected("there should be no comma before a closing bracket")
        if in_list:
            message = "the list has no closing bracket: the rest is missing"
            yield base.broken("syntax/truncated", message, self.line, self.column)

    def _value(self) -> Generator[base.Document, None, bool]:
        """Yield the document of the next value, and return whether all of its text was read."""
        end = self._end()
        if end is None:
            yield base.too_large(self.line, self.column)
            self._pass_over()
            return False
        document = self._parsed(self.data[self.at : end])
        again = self._mark.search(self.data, self.at + 1, end) if document.error else None
        if again is not None:
            self._careful = True
            document = self._parsed(self.data[self.at : again.start()])
        self.take((again.start() if again else end) - self.at)
        yield document
        return document.error is None

    def _end(self) -> int | None:
        """Return the offset just past the value that comes next, as far as there is one; None if it is too large."""
        size = _WINDOW
        while True:
            is_more = self.reach(size)
            stop = min(self.at + size, len(self.data))
            following = self._mark.search(self.data, self.at + 1, stop) if self._careful else None
            stop = following.start() if following else stop
            end = _end_of_value(self.data, self.at, stop)
            if (end or stop) - self.at > MAX_RECORD_BYTES:
                return None
            if end or following or not is_more:
                return end or stop
            size *= 2

    def _pass_over(self) -> None:
        """Go to where the next value that is wanted begins, or to the end."""
        self.take(1)
        while True:
            is_more = self.reach(2 * _OVERLAP)
            found = self._mark.search(self.data, self.at)
            if found or not is_more:
                break
            self.take(len(self.data) - _OVERLAP - self.at)
        self.take((found.start() if found else len(self.data)) - self.at)

    def _parsed(self, raw: bytes) -> base.Document:
        return parse_bytes(raw, self.line, self.column)

    def _unexpected(self, message: str) -> base.Document:
        return base.broken("syntax/json", f"not JSON: {message}", self.line, self.column)

    def _next(self) -> bytes:
        """Go past blanks and return the byte that follows; nothing at the end."""
        while True:
            self.take(_BLANKS.match(self.data, self.at).end() - self.at)  # type: ignore[union-attr]
            if self.at < len(self.data) or not self.reach(1):
                return self.data[self.at : self.at + 1]


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
