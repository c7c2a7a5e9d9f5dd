"""JSON Lines: one record a line. Blank lines are allowed between records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from hexrec.formats.documents import (
    BINARY,
    BYTE_ORDER_MARK,
    EMPTY,
    MAX_RECORD_BYTES,
    Document,
    Format,
    Note,
    SyntaxFault,
    decode,
    is_binary,
    is_utf16,
    refuse,
    too_large,
    undecodable,
)
from hexrec.formats.json import is_lines, parse


def read(stream: BinaryIO) -> Iterator[Document]:
    """Yield one document a line; a bad line does not touch the others. Holds one line at a time."""
    found = False
    number = 0
    while raw := stream.readline(MAX_RECORD_BYTES + 1):
        number += 1
        if number == 1:
            raw = raw.removeprefix(BYTE_ORDER_MARK)
            if is_binary(raw[:8192]):
                yield BINARY
                return
            if is_utf16(raw):
                yield _document(raw, number)
                return
        if len(raw) > MAX_RECORD_BYTES and not raw.endswith(b"\n"):
            yield too_large(number)
            _skip_line(stream)
        elif raw.strip():
            yield _document(raw, number)
        else:
            continue
        found = True
    if not found:
        yield EMPTY


def _document(raw: bytes, number: int) -> Document:
    raw = raw.rstrip(b"\r\n")
    try:
        text = decode(raw, number)
    except SyntaxFault as bad:
        return undecodable(bad, raw, number)
    return parse(text, number)


def _skip_line(stream: BinaryIO) -> None:
    while (raw := stream.readline(MAX_RECORD_BYTES)) and not raw.endswith(b"\n"):
        pass


def write(records: Iterable[dict[str, Any]], _: Note = refuse, /) -> Iterator[str]:
    """Yield one line a record."""
    for record in records:
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


FORMAT = Format("jsonl", read, write, is_lines)
