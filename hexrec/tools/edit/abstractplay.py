"""Records of Abstract Play are read and never edited: their files stay as they are."""

from __future__ import annotations

from hexrec.formats.abstractplay import raw_pieces
from hexrec.tools.edit.editor import Editor, editing

_edit = editing(raw_pieces, lambda piece, _: piece.raw)
EDITOR = Editor(_edit, _edit)
