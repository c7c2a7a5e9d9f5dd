"""Editing JSON Lines: line by line; formatted, every record has the canonical text and blank lines go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from hexrec.edit.editor import Change, Editor, Segment, editing
from hexrec.edit.json import formatting, patch
from hexrec.notations.base import BYTE_ORDER_MARK, Document
from hexrec.notations.jsonl import pieces, write


def _format(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    """Edit, and drop the blank lines of a file that holds anything else.

    Those at its beginning stay if what follows cannot be read: only on the first line of a file are a byte-order mark
    and zero bytes what they are, and a line that moves up there would be read otherwise.
    """
    blanks: list[bytes] = []
    first = readable = True

    def watched(document: Document) -> dict[str, Any] | None:
        nonlocal readable
        readable = document.error is None
        return change(document)

    line_begins = True
    for segment in editing(pieces, formatting(write, beside=len(b"\n")))(stream, watched):
        begins, line_begins = line_begins, segment.old.endswith(b"\n")
        if begins and not segment.old.removeprefix(BYTE_ORDER_MARK).strip():
            blanks.append(segment.old)
            continue
        blank = b"".join(blanks)
        yield Segment(blank + segment.old, segment.new if readable or not first else blank + segment.new)
        blanks = []
        first = False
    blank = b"".join(blanks)
    yield Segment(blank, blank if first else b"")


EDITOR = Editor(_format, editing(pieces, patch))
