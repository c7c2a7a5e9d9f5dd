"""Common base of the formats: documents with the places of their parts, streams cut into records, bytes decoded.

A *document* is one record of a file, parsed but not validated: plain data, or a syntax error. It finds the place of
any of its parts on request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, BinaryIO, NamedTuple, NoReturn, Protocol

from hexrec.errors import Error
from hexrec.formats.located_text import FormatError as FormatError
from hexrec.formats.located_text import LocatedText as LocatedText
from hexrec.formats.located_text import decode as decode
from hexrec.formats.located_text import is_utf16
from hexrec.formats.places import FindPlaces, Places
from hexrec.util.diagnostics import Code, Diagnostic, diagnose_error, in_order, value_at
from hexrec.util.limits import MAX_EMPTY_DOCUMENTS, MAX_RECORD_BYTES, in_words
from hexrec.util.streams import peekable

#: The code of a file or document without a record.
EMPTY_CODE = "syntax/empty"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
#: The whitespace of JSON: a line of any other whitespace is not blank.
WHITESPACE = b" \t\r\n"
#: Bytes of a line that do not count toward the size limit of its record.
LINE_MARGIN = len(BYTE_ORDER_MARK) + len(b"\r\n")
#: Bytes of a JSON file that are read to recognize an array, or a record of Abstract Play.
JSON_HEAD = 8192


@dataclass(frozen=True, eq=False, repr=False)
class Document:
    """One record of a file.

    Attributes:
        data: the data in JSON types; None if there is an error.
        error: the syntax error, with its place.
        places: finds the places of the parts at some pointers, or of all parts; called only to report diagnostics.
        text: the text of the document, if it was decoded.
        warnings: warnings, with their places, about input that was read although the format does not allow it.
        syntax: ``json`` or ``yaml`` if the text is the data in this syntax, ``hgn`` or ``sgf``; else empty.
    """

    data: Any = None
    error: Diagnostic | None = None
    places: FindPlaces = Places
    text: LocatedText | None = None
    warnings: tuple[Diagnostic, ...] = ()
    syntax: str = ""

    def locate(self, diagnostics: Iterable[Diagnostic], **known: Any) -> tuple[Diagnostic, ...]:
        """Return diagnostics, sorted by place, with their places in the document, source lines and the `known` fields.

        Diagnostics with a line, such as the document's error and warnings, keep their places.
        """
        diagnostics = [*diagnostics]
        if not diagnostics:
            return ()
        places = self.places([diagnostic.pointer or "" for diagnostic in diagnostics if diagnostic.line is None])
        located = []
        for diagnostic in diagnostics:
            more = dict(known)
            if diagnostic.line is None:
                span = places.find(diagnostic.pointer or "", key=diagnostic.code == "schema/unknown-field")
                if span is not None and diagnostic.within is not None and self.text is not None:
                    value = value_at(self.data, diagnostic.pointer or "")
                    span = self.text.within(span, value, diagnostic.within - 1)
                if span is not None:
                    more |= span._asdict()
            line, column = more.get("line", diagnostic.line), more.get("column", diagnostic.column)
            if self.text is not None and line is not None and column is not None:
                more["source_line"] = self.text.excerpt(line, column)
            located.append(diagnostic.at(**more))
        return in_order(located)


class LossError(Error, ValueError):
    """A part of a record that a format cannot represent; `diagnostic` names it, with its JSON Pointer."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class TogetherError(Error, ValueError):
    """Several records for a format that allows one record per file; the message has the fix."""


#: Called with a warning for each part that a format cannot represent: its code is ``convert/…``, its JSON Pointer
#: refers to the canonical data of the record.
OnLoss = Callable[[Diagnostic], None]


def refuse(loss: Diagnostic) -> NoReturn:
    """Accept no loss: the strict `OnLoss`. Raises LossError."""
    raise LossError(loss)


class Write(Protocol):
    """Writes the canonical data of records."""

    def __call__(self, records: Iterable[dict[str, Any]], on_loss: OnLoss = refuse, /) -> Iterator[str]:
        """Yield one string per record, after calling `on_loss` for each part that the format cannot represent.

        Raises TogetherError if the format allows only one record per file.
        """


class Piece(NamedTuple):
    """Some bytes of a stream, and the documents in them."""

    raw: bytes
    documents: tuple[Document, ...] = ()


#: Cuts a stream into pieces, whose bytes joined are the stream. Bytes that it leaves unread contain no document, or the
#: last document reports them.
Pieces = Callable[[BinaryIO], Iterator[Piece]]


@dataclass(frozen=True, eq=False, repr=False)
class Format:
    """A way to read and write records.

    Attributes:
        name: the name for `--from` and `--format`.
        title: the name in messages.
        read: yields the documents of a stream, one per record; does not raise for malformed input.
        write: yields one string per record, given canonical data.
        recognizes: returns whether a file is in this format, given its first two lines that are not blank and the
            comments (lines that begin with ``;`` or ``%``) before them, without a byte-order mark and leading
            whitespace. Called in the order of the registry.
        keeps: the extension fields that preserve source data without a field in records.
        pieces: cuts a stream as `read` does, if each record can be read from its bytes alone.
        suffixes: the suffixes of files (lowercase), for formats of plug-ins; those of built-in formats are in the
            registry, which imports none of them.
        codes: the explanations of diagnostic codes, for formats of plug-ins.
    """

    name: str
    title: str
    read: Callable[[BinaryIO], Iterator[Document]]
    write: Write
    recognizes: Callable[[bytes], bool]
    keeps: tuple[str, ...] = ()
    pieces: Pieces | None = None
    suffixes: tuple[str, ...] = ()
    codes: Mapping[str, Code] = field(default_factory=dict)


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream: long lines in parts, consecutive blank lines together.

    Only the last part of a line ends with a newline, unless the stream ends first.
    """
    buffered = peekable(stream)
    while raw := buffered.readline(MAX_RECORD_BYTES + LINE_MARGIN):
        yield raw
        if raw.isspace() and (blank := blank_lines(buffered)):
            yield blank


#: Takes a line, or a part of a long line, and whether it is the start of the line. Returns whether a record begins with
#: it. Called for all lines in order.
Boundary = Callable[[bytes, bool], bool]


#: Returns the documents of bytes, given the line and column at which the bytes begin.
Parse = Callable[[bytes, int, int], Iterable[Document]]


def cut_records(
    stream: BinaryIO, boundary: Boundary, parse: Parse, units: Callable[[BinaryIO], Iterator[bytes]] = lines
) -> Iterator[Piece]:
    """Cut a stream into records at its lines, or at the parts that `units` yields.

    Blank lines before the first record are separate pieces, and so is the rest of a record that is too large.
    Reading stops if the stream begins with binary data, and after too many documents without a record.
    """
    held = bytearray()
    size = 0
    place = here = (1, 1)
    line_begins = True
    has_documents = False
    empty = 0
    for raw in chain(units(stream), (b"",)):
        # The first line of binary data, such as that of a device or a sparse file, may never end.
        if here == (1, 1) and len(raw) > MAX_RECORD_BYTES and is_binary(raw[:8192]):
            yield Piece(raw, (BINARY,))
            return
        line = raw.removeprefix(BYTE_ORDER_MARK) if here == (1, 1) else raw
        if not raw or boundary(line, line_begins):
            if held:
                whole = bytes(held)
                binary = not has_documents and is_binary(whole[:8192])
                documents = (BINARY,) if binary else tuple(_catch_errors(parse, whole, *place))
                empty += sum(document.error is not None and document.error.code == EMPTY_CODE for document in documents)
                excess = empty > MAX_EMPTY_DOCUMENTS
                yield Piece(whole, (*documents[:-1], _too_many_empty(*place)) if excess else documents)
                if binary or excess:
                    yield Piece(raw)
                    return
                has_documents = has_documents or bool(documents)
            held.clear()
            size = 0
        if not size:
            place = here
        if not size and raw.isspace():
            yield Piece(raw)
        elif size + len(raw) <= MAX_RECORD_BYTES:
            size += len(raw)
            held += raw
        else:
            yield Piece(bytes(held + raw), (too_large(*place),) if size <= MAX_RECORD_BYTES else ())
            size += len(raw)
            held.clear()
            has_documents = True
        line_begins = raw.endswith(b"\n")
        here = place_after(raw, *here)
    if not has_documents:
        yield Piece(b"", (EMPTY,))


def place_after(raw: bytes, line: int, column: int) -> tuple[int, int]:
    """Return the line and column just past bytes that begin at a line and column."""
    newlines = raw.count(b"\n")
    if raw.endswith(b"\n"):
        return line + newlines, 1
    last = raw.rpartition(b"\n")[2].decode(errors="replace")
    return line + newlines, len(last) + (1 if newlines else column)


def reading(pieces: Pieces) -> Callable[[BinaryIO], Iterator[Document]]:
    """Return a `read` function for a format, which keeps one piece in memory; an error does not affect other pieces."""

    def read(stream: BinaryIO) -> Iterator[Document]:
        for piece in pieces(stream):
            yield from piece.documents

    return read


def blank_lines(stream: BinaryIO) -> bytes:
    """Read the blank lines that follow in the buffer of a stream: there may be millions of them."""
    peek = getattr(stream, "peek", None)
    window: bytes = peek(1) if peek else b""
    blank = len(window) - len(window.lstrip(WHITESPACE))
    return stream.read(window.rfind(b"\n", 0, blank) + 1)


#: The field whose value begins behind it, in JSON or YAML.
_FIELD_BEFORE = r"""["']?([A-Za-z0-9_-]{1,40})["']?[ ]*:\s*\Z"""


def name_bracket(text: str, at: int) -> str:
    """Return the words for a bracket at an offset in a message: by its field, since lines of a message cannot move."""
    field = re.search(_FIELD_BEFORE, text[max(0, at - 80) : at])
    return f"the {text[at]} of {field[1]}" if field else f"the {text[at]} before this"


def syntax_error(code: str, message: str, line: int = 1, column: int = 1) -> Document:
    """Return the document for a syntax error at one character."""
    return Document(error=Diagnostic(code, message, line=line, column=column, end_line=line, end_column=column + 1))


def _catch_errors(parse: Parse, raw: bytes, line: int, column: int) -> Iterator[Document]:
    """Yield the documents of bytes, and a document with the error that ends them if there is one."""
    try:
        yield from parse(raw, line, column)
    except Exception as error:
        yield document_of_error(error, line, column)


def document_of_error(error: Exception, line: int, column: int) -> Document:
    """Return the document for an error in the record that begins at a line and column. Raises MemoryError."""
    if isinstance(error, FormatError):
        return Document(error=error.error, text=error.text)
    diagnostic = diagnose_error(error, memory=False)
    return syntax_error(diagnostic.code, diagnostic.message, line, column)


def is_binary(head: bytes) -> bool:
    """Return whether the first bytes of a file are binary data: a zero byte, but not UTF-16."""
    return b"\0" in head and not is_utf16(head)


def too_large(line: int, column: int = 1) -> Document:
    """Return the document for a record above the size limit that starts at a line and column."""
    limit = in_words(MAX_RECORD_BYTES)
    return syntax_error(
        "syntax/too-large", f"the record that starts here is larger than {limit}: not read", line, column
    )


def _too_many_empty(line: int, column: int) -> Document:
    """Return the document for the part of a stream that is not read, from a line and column on."""
    message = f"the rest of the file is not read (more than {MAX_EMPTY_DOCUMENTS} empty documents): remove these first"
    return syntax_error("syntax/unreadable", message, line, column)


BINARY = syntax_error("syntax/binary", "this is not text: it contains zero bytes")
EMPTY = syntax_error(EMPTY_CODE, "the file is empty: it should contain a record")
