"""Edit the records of a file in place. Each format with minimal edits has a module.

A file of a format without a module is rewritten as a whole, which preserves only the records.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from hexrec import formats
from hexrec.tools.edit.editor import Change, Edit, EditError, Editor, EditorBug, Segment, make_rewrite

#: The registry of formats with minimal edits. Each has a module that defines an `EDITOR`.
_EDITORS = ("abstractplay", "hgn", "json", "jsonl", "yaml")


@cache
def get(name: str) -> Editor:
    """Return the editor for a format. Raises KeyError for an unknown format."""
    if name not in _EDITORS:
        rewrite = make_rewrite(formats.get(name))
        return Editor(rewrite, rewrite)
    found: Editor = import_module(f"hexrec.tools.edit.{name}").EDITOR
    return found


__all__ = ["Change", "Edit", "EditError", "EditorBug", "Editor", "Segment", "get"]
