"""Cuts a stream of HGN into games, and recognises one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.limits import MAX_RECORD_BYTES
from hexrec.notations.base import BYTE_ORDER_MARK, is_endless_binary, lines

_TAG_START = rb"\[[A-Za-z][A-Za-z0-9_]*[ \t]+\""
_TAG_LINE = re.compile(_TAG_START)
_FIRST_TAG_LINE = re.compile(rb'\[[Gg][Aa][Mm][Ee][ \t]+"')
#: Lines that are neither tags nor moves.
_NO_MOVES = re.compile(rb"[ \t\r\n]*$|[;%\[]")
_RECOGNISED = re.compile(rb"(?:[;%][^\n]*\n\s*)*" + _TAG_START)


def recognises(head: bytes) -> bool:
    """Return whether a file that begins so is HGN: its first line that is no comment is a tag."""
    return _RECOGNISED.match(head) is not None


def games(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Cut a stream into games. Yield the number of the first line of each and its text, or None if it is too large.

    A game begins with a tag line after moves, or with a second tag `Game`. Blank lines before a game belong to none.
    Where the first line shows that the stream is no text, and is too large, it counts as a game: a reader looks no
    further.
    """
    number = first_line = 1
    line_begins = True
    named = moved = False
    size = 0
    held: list[bytes] = []
    for raw in lines(stream):
        if number == 1 and line_begins:
            if is_endless_binary(raw):
                yield number, raw
                line_begins = False
                continue
            raw = raw.removeprefix(BYTE_ORDER_MARK)
        if line_begins and _TAG_LINE.match(raw):
            names = _FIRST_TAG_LINE.match(raw) is not None
            if moved or (named and names):
                yield first_line, b"".join(held) if size <= MAX_RECORD_BYTES else None
                named = moved = False
                size = 0
                held = []
            named = named or names
        elif not moved and not _NO_MOVES.match(raw):
            moved = True
        if held or raw.strip():
            if not held and not size:
                first_line = number
            size += len(raw)
            if size <= MAX_RECORD_BYTES:
                held.append(raw)
        line_begins = raw.endswith(b"\n")
        number += raw.count(b"\n")
    if size:
        yield first_line, b"".join(held) if size <= MAX_RECORD_BYTES else None
