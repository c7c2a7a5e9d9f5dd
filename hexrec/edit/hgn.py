"""Editing HGN: game by game. A game that changes is written anew; the others stay byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BufferedReader
from typing import Any, BinaryIO, cast

from hexrec.edit.editor import Change, EditError, Editor, Segment, serialized
from hexrec.notations.base import BINARY, EMPTY, is_binary, too_large
from hexrec.notations.hgn import NOTATION, grammar
from hexrec.notations.hgn.reader import document

_COMMENT = re.compile(rb"\{[^\\}]*+(?:\\.[^\\}]*+)*+\}", re.DOTALL)
_PASSED_OVER = re.compile(rb"^%.*", re.MULTILINE)


class _Recorded:
    """A stream that remembers the lines that were read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.lines: list[bytes] = []

    def readline(self, size: int = -1) -> bytes:
        """Read a line, or a part of a long one."""
        self.lines.append(self._stream.readline(size))
        return self.lines[-1]

    def read(self, size: int) -> bytes:
        """Read some bytes: the blank lines that come next."""
        self.lines.append(self._stream.read(size))
        return self.lines[-1]

    def peek(self, size: int) -> bytes:
        """Return what is at hand, which is not read by that."""
        return cast(BufferedReader, self._stream).peek(size)


def _edit(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    recorded = _Recorded(stream)
    first = True
    for first_line, raw in grammar.games(cast(BinaryIO, recorded)):
        # The line that was read last is the first of the next game, or empty at the end.
        old = b"".join(recorded.lines[:-1])
        recorded.lines = recorded.lines[-1:]
        if raw is None:
            change(too_large(first_line))
            raise EditError("it holds a record that is too large to be read")
        if first and is_binary(raw[:8192]):
            change(BINARY)
            rest = b"".join(recorded.lines)
            yield Segment(old + rest, old + rest)
            return
        first = False
        found = document(raw, first_line)
        new = change(found)
        yield Segment(old, old if new is None else _written(raw, new, b"\n" if recorded.lines[0] else b""))
    if first:
        change(EMPTY)
        blank = b"".join(recorded.lines)
        yield Segment(blank, blank)


def _written(raw: bytes, new: dict[str, Any], end: bytes) -> bytes:
    """Return the text of a game with other data. Raises EditError if more than its data would change."""
    for note in document(raw, 1).notes:
        raise EditError(f"what it holds beside its records would be lost: {note.message}")
    lost = _PASSED_OVER.search(_COMMENT.sub(b"", raw))
    if lost:
        what = lost[0][:60].decode(errors="replace")
        raise EditError(f"a line that begins with % would be lost ({what}): make it a comment, or take it out")
    return serialized(NOTATION, [new]) + end


EDITOR = Editor(_edit, _edit)
