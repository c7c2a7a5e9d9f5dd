"""Editing JSON Lines: line by line; formatted, every record has the canonical text."""

from __future__ import annotations

from hexrec.formats.jsonl import pieces, write
from hexrec.tools.edit.editor import Editor, editing
from hexrec.tools.edit.json import formatting, patch

EDITOR = Editor(editing(pieces, formatting(write, beside=len(b"\n"))), editing(pieces, patch))
