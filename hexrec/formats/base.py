"""What every format has in common: located documents, bytes to text.

A *document* is one record as it stands in a file, cut out and parsed but not yet understood: plain data, or the
syntax error that kept it from being data. It finds the place of any of its parts, when asked.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BufferedReader
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, NoReturn, Protocol, cast

from hexrec.errors import Error
from hexrec.formats.places import FindPlaces, Places, Span, offset_in
from hexrec.record.validation import Valid
from hexrec.util import internal_error
from hexrec.util.diagnostics import Code, Diagnostic, Excerpt
from hexrec.util.limits import MAX_RECORD_BYTES, MAX_VALUES, in_words

#: What is said of a record with more values than are read.
TOO_MANY = f"a record of more than {MAX_VALUES:,} values and brackets: not read"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: The whitespace of JSON: a line of any other whitespace is not blank.
WHITESPACE = b" \t\r\n"
#: The bytes that a line may have beside its record, which no limit counts.
LINE_MARGIN = len(BYTE_ORDER_MARK) + len(b"\r\n")
#: How much of a list is looked at to recognize its format: nothing but brackets may stand in its first lines, and
#: millions of them in one.
LIST_HEAD = 8192
#: The most characters that an excerpt has, and how many of them stand before the place if the line is longer.
_EXCERPT = 100
_BEFORE = 40
_LINE_END = re.compile("\n")


class FormatError(Error):
    """Text that is not well formed; `diagnostic` says why and where."""

    def __init__(self, code: str, message: str, span: Span, pointer: str | None = None) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, pointer=pointer, **span._asdict())


class EncodingError(FormatError):
    """Bytes that are not UTF-8 text; `document` is what says so."""

    def __init__(self, raw: bytes, bad: int, line: int, column: int) -> None:
        message = f"byte 0x{raw[bad]:02x} is not UTF-8 text: save the file as UTF-8"
        before = raw[:bad].decode("utf-8")
        text = LocatedText(raw.decode(errors="replace"), line, column)
        if is_utf16(raw):
            message = "this is UTF-16 text: save it as UTF-8"
        super().__init__("syntax/encoding", message, text.span(len(before), len(before) + 1))
        self.document = Document(error=self.diagnostic, text=None if is_utf16(raw) else text)


#: Returns the number of turns after which the game of a record's data is over by its rules, if more turns follow.
GameEnd = Callable[[Mapping[str, Any]], int | None]


class Margin(NamedTuple):
    """By how much a document says that the winner's score is the larger one, where it does not say the scores.

    Attributes:
        value: the difference.
        written: what the document has for it, to be quoted.
        path: where in its data that is kept.
    """

    value: float
    written: str
    path: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    """One record of a file.

    Attributes:
        data: what JSON would have for it; None if there is an error.
        error: the syntax error, with its place, that kept the text from being data.
        places: finds where the parts at some pointers are, or all parts; called only when there is something to report.
        text: the text that it is in; None if there is none.
        warnings: warnings with their places: what was read although the format does not allow it, and how.
        margin: the margin of the win, where the format has one in place of scores.
        with_rules: for a game that may go on past its end, gives the document without the turns that follow it.
        valid: the data of the record and its game, where the format has validated it already.
    """

    data: Any = None
    error: Diagnostic | None = None
    places: FindPlaces = Places
    text: LocatedText | None = None
    warnings: tuple[Diagnostic, ...] = ()
    margin: Margin | None = None
    with_rules: Callable[[GameEnd], Document] | None = None
    valid: Valid | None = None


class LossError(Error, ValueError):
    """Something of a record that a format cannot hold; `diagnostic` says what, with its JSON Pointer."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class TogetherError(Error, ValueError):
    """Several records for a format that has one in a file; the message says what to do."""


#: Called with each thing that a format cannot hold: a warning with a code ``convert/…`` and a JSON Pointer into the
#: canonical data of the record.
OnLoss = Callable[[Diagnostic], None]


def refuse(loss: Diagnostic) -> NoReturn:
    """The `OnLoss` of those who accept no loss. Raises LossError."""
    raise LossError(loss)


class Write(Protocol):
    """Turns the canonical data of records into text."""

    def __call__(self, records: Iterable[dict[str, Any]], on_loss: OnLoss = refuse, /) -> Iterator[str]:
        """Yield one piece of text a record, each after `on_loss` was called with what the format cannot hold of it.

        Raises TogetherError if the format cannot hold the records together.
        """


class Piece(NamedTuple):
    """Some bytes of a stream, and the documents in them."""

    raw: bytes
    documents: tuple[Document, ...] = ()


#: Cuts a stream into pieces. All bytes joined are the stream; what it leaves unread holds no document.
Pieces = Callable[[BinaryIO], Iterator[Piece]]


@dataclass(frozen=True)
class Dialect:
    """What makes a format of its own of data that is written in the syntax of another.

    Attributes:
        claims: whether data, read in the other format, is a record of this one.
        translate: the document of a record in this format, given its document in the other.
    """

    claims: Callable[[dict[str, Any]], bool]
    translate: Callable[[Document], Document]


@dataclass(frozen=True)
class Format:
    """A format.

    Attributes:
        name: as `--from` and `--format` take it.
        title: as people write it.
        read: cuts a stream of bytes into documents, one per record, never raising for bad input.
        write: turns the canonical data of records into text.
        recognizes: whether a file begins like one of this format, given its first two lines that are not blank,
            and the comments (lines that begin with ``;`` or ``%``) before them, without a byte-order mark and blanks
            before all that; or the first `LIST_HEAD` bytes of a list. Asked in the order of the registry.
        dialect: for a format in the syntax of others.
        write_with_rules: for a format whose games may go on past their end, gives what writes these too.
        keeps: the extension fields that hold what records have no field for, so that it comes back.
        pieces: cuts a stream as `read` does, where that leaves each record in bytes that can be read by themselves.
        suffixes: how the names of files end, in small letters, for formats from elsewhere; those of hexrec's own are
            in its registry, which imports none of them.
        codes: explanations of the codes that reading and writing give, likewise.
    """

    name: str
    title: str
    read: Callable[[BinaryIO], Iterator[Document]]
    write: Write
    recognizes: Callable[[bytes], bool]
    dialect: Dialect | None = None
    write_with_rules: Callable[[GameEnd], Write] | None = None
    keeps: tuple[str, ...] = ()
    pieces: Pieces | None = None
    suffixes: tuple[str, ...] = ()
    codes: Mapping[str, Code] = field(default_factory=dict)


class LocatedText:
    """A text of a file: offsets in it as lines and columns of the file, and these as what is there.

    Lines are counted only when a place is asked for.

    Attributes:
        text: the text.
        first_line, first_column: where it begins in the file.
    """

    def __init__(self, text: str, first_line: int = 1, first_column: int = 1) -> None:
        self.text = text
        self.first_line = first_line
        self.first_column = first_column

    def span(self, start: int, end: int) -> Span:
        """Return the place of the characters from `start` up to `end`."""
        return Span(*self._place(start), *self._place(end))

    def error(self, code: str, message: str, start: int, end: int | None = None) -> FormatError:
        """Return the error for the characters from `start` up to `end`, or for the one at `start`."""
        return FormatError(code, message, self.span(start, start + 1 if end is None else end))

    def warning(self, code: str, message: str, start: int, end: int) -> Diagnostic:
        """Return the warning about the characters from `start` up to `end`."""
        return Diagnostic(code, message, "warning", **self.span(start, end)._asdict())

    def excerpt(self, line: int, column: int) -> Excerpt:
        """Return the text of a line, or what is around a column of it if it is long."""
        start = self._start_of(line)
        end = self.text.find("\n", start)
        end = len(self.text) if end < 0 else end
        if self.text.endswith("\r", start, end):
            end -= 1
        before = 0 if start else self.first_column - 1
        first = max(start, min(start + column - before - 1 - _BEFORE, end - _EXCERPT))
        last = min(first + _EXCERPT, end)
        return Excerpt(self.text[first:last], first - start + before + 1, last < end)

    def within(self, span: Span, value: str, index: int) -> Span:
        """Return the place of a character of a value that is written at a place; the whole where that is not known.

        With the length of the value as `index`, it is the place just past its last character.
        """
        start = self._offset(span.line, span.column)
        found = offset_in(self.read(span), value, index)
        return span if found is None else self.span(start + found, start + found + 1)

    def read(self, span: Span) -> str:
        """Return the text at a place."""
        return self.text[self._offset(span.line, span.column) : self._offset(span.end_line, span.end_column)]

    @cached_property
    def _starts(self) -> array[int]:
        """Where the lines begin: numbers of four bytes, for a text may be nothing but line ends."""
        return array("I", [0, *(match.end() for match in _LINE_END.finditer(self.text))])

    def _start_of(self, line: int) -> int:
        """Return where a line of the file begins in the text."""
        return self._starts[line - self.first_line]

    def _offset(self, line: int, column: int) -> int:
        return self._start_of(line) + column - (1 if line > self.first_line else self.first_column)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset) - 1
        return line + self.first_line, offset - self._starts[line] + (1 if line else self.first_column)


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; the parts of one that is too long, and blank lines in a row together.

    Only the last part of a line ends with a line end, unless the stream ends first.
    """
    buffered = stream if hasattr(stream, "peek") else BufferedReader(cast(Any, stream))
    while raw := buffered.readline(MAX_RECORD_BYTES + LINE_MARGIN):
        yield raw
        if raw.isspace() and (blank := blank_lines(buffered)):
            yield blank


#: Given a line, or a part of a long one, and whether a line begins with it: whether a record begins before it, and
#: whether one ends after it. Called for all in order.
Boundary = Callable[[bytes, bool], tuple[bool, bool]]


#: Yields the documents of some bytes that begin at a line and a column.
Parse = Callable[[bytes, int, int], Iterable[Document]]


def cut(
    stream: BinaryIO, boundary: Boundary, parse: Parse, units: Callable[[BinaryIO], Iterator[bytes]] = lines
) -> Iterator[Piece]:
    """Cut a stream into records at its lines, or at whatever `units` cuts it into first.

    Blank lines that no record precedes are pieces of their own, and so is what follows when a record has become too
    large. Nothing is read after a beginning that is no text.
    """
    held = bytearray()
    size = 0
    place = (1, 1)
    here = (1, 1)
    line_begins = True
    found = begins = ends = False
    for raw in chain(units(stream), (b"",)):
        if here == (1, 1) and is_endless_binary(raw):
            yield Piece(raw, (BINARY,))
            return
        begins = ends or not raw
        if raw:
            before, ends = boundary(raw.removeprefix(BYTE_ORDER_MARK) if here == (1, 1) else raw, line_begins)
            begins = begins or before
        if begins:
            if held:
                whole = bytes(held)
                binary = not found and is_binary(whole[:8192])
                documents = (BINARY,) if binary else tuple(parse(whole, *place))
                yield Piece(whole, documents)
                if binary:
                    yield Piece(raw)
                    return
                found = found or bool(documents)
            held.clear()
            size = 0
        if not size:
            place = here
            if raw.isspace():
                yield Piece(raw)
        if size or not raw.isspace():
            size += len(raw)
            if size <= MAX_RECORD_BYTES:
                held += raw
            else:
                is_first = size - len(raw) <= MAX_RECORD_BYTES
                yield Piece(bytes(held + raw), (too_large(*place),) if is_first else ())
                held.clear()
                found = True
        line_begins = raw.endswith(b"\n")
        last = raw.rpartition(b"\n")[2].decode(errors="replace")
        ends_before = raw.count(b"\n")
        here = (here[0] + ends_before, (1 if ends_before else here[1]) + len(last))
    if not found:
        yield Piece(b"", (EMPTY,))


def reading(pieces: Pieces) -> Callable[[BinaryIO], Iterator[Document]]:
    """Return what reads the documents of a stream, holding one piece at a time; a bad one does not touch the others."""

    def read(stream: BinaryIO) -> Iterator[Document]:
        for piece in pieces(stream):
            yield from piece.documents

    return read


def blank_lines(stream: BinaryIO) -> bytes:
    """Read the blank lines that come next, as far as a stream has them at hand: there may be millions of them."""
    peek = getattr(stream, "peek", None)
    window: bytes = peek(1) if peek else b""
    blank = len(window) - len(window.lstrip(WHITESPACE))
    return stream.read(window.rfind(b"\n", 0, blank) + 1)


def broken(code: str, message: str, line: int = 1, column: int = 1) -> Document:
    """Return a document that could not be parsed, for an error at one character."""
    return Document(error=Diagnostic(code, message, line=line, column=column, end_line=line, end_column=column + 1))


def guarded(
    make: Callable[..., Document], *arguments: Any, line: int = 1, column: int = 1, translated: Document | None = None
) -> Document:
    """Return the document that a function makes of one record; if hexrec fails on it, one whose error says so.

    The error is placed where the record begins, or where the document is that is `translated`.
    Raises MemoryError.
    """
    try:
        return make(*arguments)
    except MemoryError:
        raise
    except Exception as error:
        if translated is not None:
            return replace(translated, data=None, error=internal_error.diagnostic(error))
        return failed(error, line, column)


def failed(error: Exception, line: int, column: int = 1) -> Document:
    """Return the document for a record, which begins at a line and column, on which hexrec failed."""
    found = internal_error.diagnostic(error)
    return broken(found.code, found.message, line, column)


def decode(raw: bytes, line: int = 1, column: int = 1) -> LocatedText:
    """Return the UTF-8 text of some bytes. Raises EncodingError at the first byte that is not."""
    try:
        return LocatedText(raw.decode("utf-8"), line, column)
    except UnicodeDecodeError as error:
        raise EncodingError(raw, error.start, line, column) from None


def decoded(make: Callable[[LocatedText], Document], raw: bytes, line: int = 1, column: int = 1) -> Document:
    """Return the document that a function makes of the text of one record, or the one that says why it cannot."""
    try:
        text = decode(raw, line, column)
    except EncodingError as bad:
        return bad.document
    return guarded(make, text, line=line, column=column)


def beyond(token: re.Pattern[str], text: str, at: int, count: int) -> int | None:
    """Return where the tokens after the first `count` go on, from an offset on; None if there are no more.

    Each begins where the one before it ends: to search for the next one would take a time that grows with the square of
    the text where nothing is a token.
    """
    match = token.match
    for _ in range(count):
        found = match(text, at)
        if found is None:
            return None
        at = found.end()
    return at if match(text, at) else None


def is_binary(head: bytes) -> bool:
    """Return whether the first bytes of a file show that it is not text in any encoding of interest."""
    return b"\0" in head and not is_utf16(head)


def is_endless_binary(line: bytes) -> bool:
    """Return whether a first line shows that a file is not text and may go on for ever, as devices and sparse files."""
    return len(line) > MAX_RECORD_BYTES and is_binary(line[:8192])


def is_utf16(head: bytes) -> bool:
    """Return whether a file begins with the byte-order mark of UTF-16."""
    return head.startswith((b"\xff\xfe", b"\xfe\xff"))


def too_large(line: int, column: int = 1) -> Document:
    """Return the document for a record that starts at a line and a column and is larger than a record may be."""
    limit = in_words(MAX_RECORD_BYTES)
    return broken("syntax/too-large", f"the record that starts here is larger than {limit}: not read", line, column)


BINARY = broken("syntax/binary", "this is not text: it holds zero bytes")
EMPTY = broken("syntax/empty", "the file is empty: it should hold a record")
