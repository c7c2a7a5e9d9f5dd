"""Records of Abstract Play are read and never edited: their files stay as they are."""

from __future__ import annotations

from hexrec.edit.editor import Editor, editing
from hexrec.notations.abstractplay import raw_pieces

_edit = editing(raw_pieces, lambda piece, _: piece.raw)
EDITOR = Editor(_edit, _edit)
