"""Changing the records of a file in place. One module for each format that can be edited.

A format without such a module is written anew as a whole, which keeps the records and nothing else of the file.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from hexrec import formats
from hexrec.tools.edit.editor import Change, Edit, EditError, Editor, EditorBug, Segment, rewriting

#: The registry: the formats whose text can be edited. Each has a module here that defines an `EDITOR`.
_EDITORS = ("abstractplay", "hgn", "json", "jsonl", "yaml")


@cache
def get(name: str) -> Editor:
    """Return the editor for a format. Raises KeyError for the name of no format."""
    if name not in _EDITORS:
        rewrite = rewriting(formats.get(name))
        return Editor(rewrite, rewrite)
    found: Editor = import_module(f"hexrec.tools.edit.{name}").EDITOR
    return found


__all__ = ["Change", "Edit", "EditError", "EditorBug", "Editor", "Segment", "get"]
