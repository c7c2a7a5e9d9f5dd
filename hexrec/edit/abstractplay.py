"""Records of Abstract Play are read and never edited: their files stay as they are."""

from __future__ import annotations

from typing import Any

from hexrec.edit.editor import Editor, editing
from hexrec.notations.abstractplay import pieces, raw_documents
from hexrec.notations.base import Piece


def _leave(piece: Piece, _: list[dict[str, Any] | None]) -> bytes:
    return piece.raw


EDITOR = Editor(editing(pieces, _leave), editing(pieces, _leave), raw_documents)
