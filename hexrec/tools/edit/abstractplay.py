"""Editor for Abstract Play records, which are never changed."""

from __future__ import annotations

from hexrec.formats.abstractplay import raw_pieces
from hexrec.tools.edit.editor import Editor, make_edit

_edit = make_edit(raw_pieces, lambda piece, _: piece.raw)
EDITOR = Editor(_edit, _edit)
