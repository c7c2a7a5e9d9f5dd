"""JSON Lines: one record a line. Blank lines are allowed between records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from hexrec.limits import MAX_RECORD_BYTES
from hexrec.notations.base import (
    BINARY,
    BYTE_ORDER_MARK,
    EMPTY,
    Document,
    Notation,
    NotationError,
    OnLoss,
    decode,
    guarded,
    is_binary,
    is_utf16,
    lines,
    refuse,
    too_large,
    undecodable,
)
from hexrec.notations.json import is_lines, parse


def read(stream: BinaryIO) -> Iterator[Document]:
    """Yield one document a line; a bad line does not touch the others. Holds one line at a time."""
    for _, documents in pieces(stream):
        yield from documents


def pieces(stream: BinaryIO) -> Iterator[tuple[bytes, tuple[Document, ...]]]:
    """Yield the lines of a stream as they stand, each with the document that it holds, if it holds one.

    A line that is too long comes in several pieces, and blank lines together. Nothing is read after a first line that
    is no text.
    """
    found = False
    number = 1
    found_lines = lines(stream)
    for raw in found_lines:
        content = raw
        if number == 1:
            content = raw.removeprefix(BYTE_ORDER_MARK)
            if is_binary(content[:8192]):
                yield raw, (BINARY,)
                return
            if is_utf16(content):
                yield raw, (_document(content, number),)
                return
        if len(content) > MAX_RECORD_BYTES and not content.endswith(b"\n"):
            found = True
            yield raw, (too_large(number),)
            while not raw.endswith(b"\n") and (raw := next(found_lines, b"")):
                yield raw, ()
        elif content.strip():
            found = True
            yield raw, (guarded(_document, content, number, line=number),)
        else:
            yield raw, ()
        number += raw.count(b"\n")
    if not found:
        yield b"", (EMPTY,)


def _document(raw: bytes, number: int) -> Document:
    raw = raw.rstrip(b"\r\n")
    try:
        text = decode(raw, number)
    except NotationError as bad:
        return undecodable(bad, raw, number)
    return parse(text, number)


def write(records: Iterable[dict[str, Any]], _: OnLoss = refuse, /) -> Iterator[str]:
    """Yield one line a record."""
    for record in records:
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


NOTATION = Notation("jsonl", "JSON Lines", read, write, is_lines)
