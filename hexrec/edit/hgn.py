"""Editing HGN: game by game. A game that changes is written anew; the others stay byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from hexrec.edit.editor import Change, EditError, Editor, Segment, serialized
from hexrec.files.streams import RecordedStream
from hexrec.notations.base import BINARY, EMPTY, decoded, is_binary, too_large
from hexrec.notations.hgn import NOTATION, splitter
from hexrec.notations.hgn.reader import document

_COMMENT = re.compile(rb"\{[^\\}]*+(?:\\.[^\\}]*+)*+\}", re.DOTALL)
_PASSED_OVER = re.compile(rb"^%.*", re.MULTILINE)


def _edit(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    recorded = RecordedStream(stream)
    first = True
    for first_line, raw in splitter.games(cast(BinaryIO, recorded)):
        # The line that was read last is the first of the next game, or empty at the end.
        old = b"".join(recorded.parts[:-1])
        recorded.parts = recorded.parts[-1:]
        if raw is None:
            change(too_large(first_line))
            raise EditError("it holds a record that is too large to be read")
        if first and is_binary(raw[:8192]):
            change(BINARY)
            rest = b"".join(recorded.parts)
            yield Segment(old + rest, old + rest)
            return
        first = False
        found = decoded(document, raw, first_line)
        new = change(found)
        yield Segment(old, old if new is None else _written(raw, new, b"\n" if recorded.parts[0] else b""))
    if first:
        change(EMPTY)
        blank = b"".join(recorded.parts)
        yield Segment(blank, blank)


def _written(raw: bytes, new: dict[str, Any], end: bytes) -> bytes:
    """Return the text of a game with other data. Raises EditError if more than its data would change."""
    for warning in decoded(document, raw).warnings:
        raise EditError(f"what it holds besides its records would be lost: {warning.message}")
    lost = _PASSED_OVER.search(_COMMENT.sub(b"", raw))
    if lost:
        what = lost[0][:60].decode(errors="replace")
        raise EditError(f"a line that begins with % would be lost ({what}): make it a comment, or take it out")
    return serialized(NOTATION, [new]) + end


EDITOR = Editor(_edit, _edit)
