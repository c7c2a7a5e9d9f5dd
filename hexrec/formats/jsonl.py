"""JSON Lines: one record per line. Blank lines are allowed between records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from hexrec.formats import base
from hexrec.formats.json import is_lines, parse_bytes
from hexrec.util.limits import MAX_RECORD_BYTES


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Yield the lines of a stream unchanged, each with its document, if it has one.

    A line above the size limit is several pieces; consecutive blank lines are one. Reading stops if the first line is
    binary data.
    """
    has_documents = False
    number = 1
    raw_lines = base.lines(stream)
    for raw in raw_lines:
        content = raw
        if number == 1:
            content = raw.removeprefix(base.BYTE_ORDER_MARK)
            if base.is_binary(content[:8192]):
                yield base.Piece(raw, (base.BINARY,))
                return
            if base.is_utf16(content):
                yield base.Piece(raw, (parse_bytes(content),))
                return
        content = content.removesuffix(b"\n").removesuffix(b"\r")
        if len(content) > MAX_RECORD_BYTES:
            has_documents = True
            yield base.Piece(raw, (base.too_large(number),))
            while not raw.endswith(b"\n") and (raw := next(raw_lines, b"")):
                yield base.Piece(raw)
        elif content.strip(base.WHITESPACE):
            has_documents = True
            yield base.Piece(raw, (parse_bytes(content, number),))
        else:
            yield base.Piece(raw)
        number += raw.count(b"\n")
    if not has_documents:
        yield base.Piece(b"", (base.EMPTY,))


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield one line per record."""
    for record in records:
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


FORMAT = base.Format("jsonl", "JSON Lines", base.reading(pieces), write, is_lines, pieces=pieces)
