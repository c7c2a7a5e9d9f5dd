"""Editing JSON Lines: line by line; formatted, every record has the canonical text."""

from __future__ import annotations

from hexrec.edit.editor import Editor, editing
from hexrec.edit.json import formatting, patch
from hexrec.notations.jsonl import pieces, write

EDITOR = Editor(editing(pieces, formatting(write, beside=len(b"\n"))), editing(pieces, patch))
