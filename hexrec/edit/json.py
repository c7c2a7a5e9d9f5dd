"""Editing JSON: formatted, a file is the canonical text of its record; patched, only what differs changes."""

from __future__ import annotations

import re
from typing import Any

from hexrec.edit.editor import EditError, Editor, Revise, check, editing
from hexrec.edit.tree import TreeEntry, TreeNode, ValueStyle, patched
from hexrec.limits import MAX_RECORD_BYTES
from hexrec.notations.base import BYTE_ORDER_MARK, LocatedText, Piece, Write
from hexrec.notations.json import find_places, parse, pieces, write
from hexrec.notations.places import Places, Span


def formatting(write: Write) -> Revise:
    """Return the function that replaces a record's text by the canonical one. It raises EditError."""

    def format_record(_: Piece, changed: list[dict[str, Any] | None]) -> bytes:
        new = changed[0] or {}
        made = "".join(write([new]))
        check([parse(LocatedText(made))], [new])
        raw = made.encode()
        if len(raw) > MAX_RECORD_BYTES:
            raise EditError("its canonical text would be too large to be read")
        return raw

    return format_record


def patch(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a record with other data; blanks, the order of fields and the byte-order mark stay."""
    new = changed[0] or {}
    content = piece.raw.removeprefix(BYTE_ORDER_MARK)
    text = content.decode()
    made = patched(text, [(_tree(text), new)], ValueStyle())
    check([parse(LocatedText(made))], [new])
    return piece.raw.removesuffix(content) + made.encode()


def _tree(text: str) -> TreeNode:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def offsets(span: Span) -> tuple[int, int]:
        return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1

    def node(data: Any, places: Places) -> TreeNode:
        assert places.value is not None
        made = TreeNode(data, *offsets(places.value))
        if isinstance(data, list):
            made.items = [node(item, part(places, str(index))) for index, item in enumerate(data)]
        elif isinstance(data, dict):
            for name, value in data.items():
                found = part(places, name)
                assert found.key is not None
                made.entries.append(TreeEntry(TreeNode(name, *offsets(found.key), style='"'), node(value, found)))
        return made

    def part(places: Places, step: str) -> Places:
        found = places.part(step)
        assert found is not None
        return found

    located = LocatedText(text)
    return node(parse(located).data, find_places(located))


EDITOR = Editor(editing(pieces, formatting(write)), editing(pieces, patch))
