"""Editor for JSON Lines, line by line. Formatting writes the canonical form of every record."""

from __future__ import annotations

from hexrec.formats.jsonl import pieces, write
from hexrec.tools.edit.editor import Editor, make_edit
from hexrec.tools.edit.json import formatting, patch

EDITOR = Editor(make_edit(pieces, formatting(write, extra=len(b"\n"))), make_edit(pieces, patch))
