"""Editing JSON: formatted, a file is the canonical text of its record; patched, only what differs changes."""

from __future__ import annotations

from typing import Any

from hexrec.formats.base import BYTE_ORDER_MARK, Piece, Write
from hexrec.formats.json import parse_events, pieces, write
from hexrec.tools.edit.editor import EditError, Editor, Revise, editing
from hexrec.tools.edit.tree import TreeEntry, TreeNode, ValueStyle, patched
from hexrec.util.limits import MAX_RECORD_BYTES


def formatting(write: Write, beside: int = 0) -> Revise:
    """Return the function that replaces a record's text by the canonical one, of which some bytes stand beside the
    record. It raises EditError.
    """

    def format_record(_: Piece, changed: list[dict[str, Any] | None]) -> bytes:
        new = changed[0] or {}
        raw = "".join(write([new])).encode()
        if len(raw) - beside > MAX_RECORD_BYTES:
            raise EditError("its canonical text would be too large to be read")
        return raw

    return format_record


def patch(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a record with other data; blanks, the order of fields and the byte-order mark stay."""
    new = changed[0] or {}
    content = piece.raw.removeprefix(BYTE_ORDER_MARK)
    text = content.decode()
    made = patched(text, [(_tree(text, piece.documents[0].data), new)], ValueStyle())
    return piece.raw.removesuffix(content) + made.encode()


def _tree(text: str, data: Any) -> TreeNode:
    """Return the tree of a text that is JSON, given its data."""
    events = parse_events(text)

    def node(data: Any) -> TreeNode:
        event = next(events)
        made = TreeNode(data, event.start, event.end)
        if isinstance(data, list):
            made.items = [node(item) for item in data]
        elif isinstance(data, dict):
            for name, value in data.items():
                key = next(events)
                made.entries.append(TreeEntry(TreeNode(name, key.start, key.end, style='"'), node(value)))
        if event.bracket:
            made.end = next(events).end
        return made

    return node(data)


EDITOR = Editor(editing(pieces, formatting(write)), editing(pieces, patch))
