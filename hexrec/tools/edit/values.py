"""Edits of the text of one document: a change of its data as replacements of characters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from typing import Any

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.formats.located_text import LocatedText
from hexrec.formats.places import Span
from hexrec.tools.edit.patch import Patch, TextEdit, apply_edits, same
from hexrec.tools.edit.tree import EditError, TreeNode
from hexrec.util.diagnostics import Edit, pointer_to

_QUOTES = "\"'"


class DocumentEditor:
    """Finds the edits of a document for changes of its data.

    JSON and YAML allow any change. In other formats, strings and numbers that are written as they are can change; in
    HGN and SGF, turns can also be inserted and removed.
    """

    def __init__(self, document: Document | None, data: dict[str, Any]) -> None:
        """Take a document, or None for data without a text."""
        self._document = document if document is not None and document.text is not None else None
        self._data = data

    def edits(self, new: dict[str, Any]) -> tuple[Edit, ...]:
        """Return the edits for new data, with their places if they have places."""
        document = self._document
        try:
            changes = self.text_edits(new)
        except EditError:
            changes = None
        if document is None or changes is None:
            text = json.dumps(self._data)
            patch = Patch(text)
            patch.change(next(patch.parse([self._data])), new)
            return tuple(Edit(edit.pointer, _without_quotes(edit, text).text) for edit in patch.edits)
        located: Any = document.text
        inner = (_without_quotes(edit, located.text) for edit in changes)
        return tuple(Edit(pointer, text, *located.span(start, end)) for start, end, text, pointer in inner)

    def text_edits(self, new: dict[str, Any]) -> list[TextEdit] | None:
        """Return the edits of the text, in order; None if the format has no places for them. Raises EditError."""
        if self._document is None:
            return None
        if self._tree is None:
            return self._replace_values(self._document, new)
        patch, tree = self._tree
        patch.edits.clear()
        patch.change(tree, new)
        return sorted(patch.edits)

    @cached_property
    def _tree(self) -> tuple[Patch, TreeNode] | None:
        """The tree of a document in JSON or YAML."""
        document: Any = self._document
        if document.syntax not in ("json", "yaml"):
            return None
        patch = Patch(document.text.text)
        if document.syntax == "yaml":
            from hexrec.tools.edit.yaml import YamlPatch

            patch = YamlPatch(document.text.text)
        root = document.places([""]).find("")
        begins = document.text.offset(root.line, root.column)
        line = document.text.offset(root.line, 1) if root.line > document.text.first_line else 0
        if patch.source[line:begins].isspace():  # in YAML, all lines may be indented
            begins = line
        return patch, next(patch.parse([self._data], begins))

    def _replace_values(self, document: Document, new: dict[str, Any]) -> list[TextEdit] | None:
        """Return the replacements of values that are written as they are, and the edits of turns; None for others."""
        located: Any = document.text
        edits: list[TextEdit | None] = []
        for pointer, old, value in _changes(self._data, new):
            if pointer != "/moves" or document.syntax not in ("hgn", "sgf"):
                edits.append(self._replace(located, pointer, old, value))
                continue
            from hexrec.tools.edit.turns import turn_edits  # most records are in other formats

            span = document.places([pointer]).find(pointer)
            start = 0 if span is None else located.offset(span.line, span.column)
            moves = turn_edits(located, document.syntax, start, old, value)
            text = apply_edits(located.text, moves)
            again = next(formats.get(document.syntax).read(BytesIO(text.encode())), None)
            if again is None or not isinstance(again.data, dict) or not same(again.data.get("moves"), value):
                return None
            edits += moves
        return None if None in edits else sorted(edit for edit in edits if edit is not None)

    def _replace(self, located: LocatedText, pointer: str, old: Any, new: Any) -> TextEdit | None:
        """Return the replacement of a value that is written as it is, or None."""
        document: Any = self._document
        span = document.places([pointer]).find(pointer)
        if span is None or not isinstance(old, str | int) or not isinstance(new, str | int) or not str(old):
            return None
        text = str(old)
        first, last = located.within(span, text, 0), located.within(span, text, len(text) - 1)
        inner = Span(first.line, first.column, last.end_line, last.end_column)
        if located.read(inner) != text:
            return None
        start = located.offset(inner.line, inner.column)
        return TextEdit(start, start + len(text), str(new), pointer)


def _changes(old: Any, new: Any, path: tuple[int | str, ...] = ()) -> Iterator[tuple[str, Any, Any]]:
    """Yield pointer, old and new value where data differs; a part whose structure changes is one value."""
    if same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for name in old:
            yield from _changes(old[name], new[name], (*path, name))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _changes(one, other, (*path, index))
    else:
        yield pointer_to(path), old, new


def _without_quotes(edit: TextEdit, source: str) -> TextEdit:
    """Return an edit inside the quotes that the old and the new text share."""
    old, new = source[edit.start : edit.end], edit.text
    if len(old) > 1 < len(new) and old[0] == old[-1] == new[0] == new[-1] and old[0] in _QUOTES:
        return TextEdit(edit.start + 1, edit.end - 1, new[1:-1], edit.pointer)
    return edit
