"""Editing JSON Lines: line by line; tidied, every record has the canonical text and blank lines go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats.documents import BYTE_ORDER_MARK
from hexrec.formats.editing.editor import Change, Edit, Editor, Piece
from hexrec.formats.editing.json import Revise, amend, tidying
from hexrec.formats.jsonl import pieces, write


def _editing(revise: Revise) -> Edit:
    def edit(stream: BinaryIO, change: Change) -> Iterator[Piece]:
        for raw, documents in pieces(stream):
            changed = [change(document) for document in documents]
            yield Piece(raw, next((revise(raw, new) for new in changed if new is not None), raw))

    return edit


def _tidy(stream: BinaryIO, change: Change) -> Iterator[Piece]:
    """Edit, and drop the blank lines of a file that holds anything else."""
    blank = b""
    found = False
    for piece in _editing(tidying(write))(stream, change):
        if piece.old.removeprefix(BYTE_ORDER_MARK).strip():
            found = True
            yield Piece(blank, b"")
            yield piece
            blank = b""
        else:
            blank += piece.old
    yield Piece(blank, b"" if found else blank)


EDITOR = Editor(_tidy, _editing(amend))
