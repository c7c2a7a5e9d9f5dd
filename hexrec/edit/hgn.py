"""Editing HGN: game by game. A game that changes is written anew; the others stay byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from hexrec.edit.editor import Change, EditError, Editor, Segment, all_readable, serialized
from hexrec.notations.base import Piece
from hexrec.notations.hgn import NOTATION, pieces


def _edit(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    found = all_readable(pieces)(stream)
    following = next(found, None)
    before = b""
    while (piece := following) is not None:
        changed = [change(document) for document in piece.documents]
        following = next(found, None)
        old, before = before + piece.raw, b""
        if following and not piece.documents:
            before = old  # blank lines go with the game that follows
        elif changed and changed[0] is not None:
            yield Segment(old, _written(piece, changed[0], b"\n" if following else b""))
        else:
            yield Segment(old, old)


def _written(piece: Piece, new: dict[str, Any], end: bytes) -> bytes:
    """Return the text of a game with other data. Raises EditError if more than its data would change."""
    for warning in piece.documents[0].warnings:
        if warning.code == "syntax/hgn-no-result":
            if "result" in new:  # which its tag has, or its replay: nothing is missing
                continue
            raise EditError(f"an end that was cut off would look whole: {warning.message}")
        raise EditError(f"what it holds besides its records would be lost: {warning.message}")
    return serialized(NOTATION, [new]) + end


EDITOR = Editor(_edit, _edit)
