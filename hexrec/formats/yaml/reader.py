"""Reads records in YAML, each with the places of its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from yaml.events import DocumentEndEvent, DocumentStartEvent, ScalarEvent

from hexrec.formats import base
from hexrec.formats.located_text import TOO_MANY, LocatedText
from hexrec.formats.places import Places, Span, find_places
from hexrec.formats.yaml.builder import Builder, offsets
from hexrec.formats.yaml.events import parse_events, read_events
from hexrec.formats.yaml.writer import DISPUTED_BREAK, ESCAPED_BREAKS
from hexrec.util.limits import MAX_DIRECTIVES, MAX_VALUES

#: A byte-order mark at the start of a line, and a line that is neither blank nor a comment.
_MARK = re.compile(rb"[\r\n]%b" % base.BYTE_ORDER_MARK)
_CONTENT = re.compile(rb"(?:\A|[\r\n])[ \t]*+[^ \t\r\n#]")
_DIRECTIVE = re.compile("(?:^|[\n\r])%TAG")


def documents(raw: bytes, first_line: int, _: int) -> Iterator[base.Document]:
    """Yield the documents of a part of a stream that starts at a line. Raises FormatError."""
    start = _skip_marks(raw)
    base.decode(raw[:start], first_line)
    text = base.decode(raw[start:], first_line + raw.count(b"\n", 0, start))
    _check_text(text)
    first: Any = None
    builder = Builder(text)
    begins = count = 0  # reset by the event that starts a document
    for event in read_events(text):
        kind = type(event)
        if kind is DocumentStartEvent:
            first = None
            # A document without a line that starts it may be indented as a whole: it begins with its first line.
            begins, count = event.start_mark.index - event.start_mark.column, 0
            builder = Builder(text)
        elif kind is DocumentEndEvent:
            if count == 1 and isinstance(first, ScalarEvent) and not first.value and first.implicit[0]:
                line = text.span(*offsets(first)).line
                message = "this document is empty: it should be a record"
                raise base.FormatError(base.EMPTY_CODE, message, Span(line, 1, line, 2), text)
            ends = event.end_mark.index
            finder = partial(_places, text, begins, ends)
            yield base.Document(data=builder.root, places=finder, text=text, syntax="yaml")
            count = 0
        else:
            if count == MAX_VALUES:
                raise text.error("syntax/too-large", TOO_MANY, *offsets(event))
            first = first or event
            count += 1
            builder.add(event)


def _skip_marks(raw: bytes) -> int:
    """Return the offset after the byte-order marks before a document, and the blank lines and comments before them.

    The compiled parser skips one mark, but does not treat the next character as the start of a line.
    """
    start = 0
    while base.BYTE_ORDER_MARK in raw:  # hardly ever
        if raw.startswith(base.BYTE_ORDER_MARK, start):
            start += len(base.BYTE_ORDER_MARK)
            continue
        mark = _MARK.search(raw, start)
        if mark is None or _CONTENT.search(raw[start : mark.start() + 1]):
            break
        start = mark.end()
    return start


def _check_text(text: LocatedText) -> None:
    """Raise FormatError for too many directives, and for characters that are newlines in YAML 1.1 only."""
    if "%TAG" in text.text:
        excess = next(islice(_DIRECTIVE.finditer(text.text), MAX_DIRECTIVES, None), None)
        if excess is not None:
            message = f"more than {MAX_DIRECTIVES} directives %TAG: not read"
            raise text.error("syntax/too-large", message, excess.end() - len("%TAG"))
    match = None if text.text.isascii() else DISPUTED_BREAK.search(text.text)
    if match is not None:
        name = f"U+{ord(match[0]):04X}"
        escaped = ESCAPED_BREAKS[match[0]]
        message = f"{name} ends the line in YAML 1.1 only: write {escaped} in double quotes, or leave it out"
        raise text.error("syntax/yaml-line-break", message, *match.span())


def _places(text: LocatedText, begins: int, ends: int, pointers: Iterable[str] | None = None) -> Places:
    """Return the places of the parts at some pointers, or of all parts, in the document between two offsets."""
    return find_places(parse_events(text.text[begins:ends], begins), text.span, pointers)
