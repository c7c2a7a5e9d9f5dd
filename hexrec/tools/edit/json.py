"""Editors for JSON and JSON Lines. Formatting writes the canonical form; patching changes only what differs."""

from __future__ import annotations

from functools import partial
from typing import Any

from hexrec.formats import json, jsonl
from hexrec.formats.base import BYTE_ORDER_MARK, Piece, Write
from hexrec.tools.edit.editor import EditError, make_edit
from hexrec.tools.edit.tree import TreeEntry, TreeNode, ValueStyle, patch_text
from hexrec.util.limits import MAX_RECORD_BYTES


def _format(write: Write, extra: int, _: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the canonical form of a record, of which `extra` bytes do not count towards the size limit."""
    new = changed[0] or {}
    raw = "".join(write([new])).encode()
    if len(raw) - extra > MAX_RECORD_BYTES:
        raise EditError("its canonical text would be too large to be read")
    return raw


def _patch(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a record with new data. Preserves whitespace, the order of fields and the byte-order mark."""
    new = changed[0] or {}
    content = piece.raw.removeprefix(BYTE_ORDER_MARK)
    text = content.decode()
    patched = patch_text(text, [(_tree(text, piece.documents[0].data), new)], ValueStyle())
    return piece.raw.removesuffix(content) + patched.encode()


def _tree(text: str, data: Any) -> TreeNode:
    """Return the tree of a JSON string, given its data."""
    events = json.parse_events(text)

    def node(data: Any) -> TreeNode:
        event = next(events)
        tree = TreeNode(data, event.start, event.end)
        if isinstance(data, list):
            tree.items = [node(item) for item in data]
        elif isinstance(data, dict):
            for name, value in data.items():
                key = next(events)
                tree.entries.append(TreeEntry(TreeNode(name, key.start, key.end, style='"'), node(value)))
        if event.bracket:
            tree.end = next(events).end
        return tree

    return node(data)


#: The functions that edit each format: to canonical form, or changing only what differs.
FORMATTING = {
    "json": make_edit(json.pieces, partial(_format, json.write, 0)),
    "jsonl": make_edit(jsonl.pieces, partial(_format, jsonl.write, len(b"\n"))),
}
PATCHING = {"json": make_edit(json.pieces, _patch), "jsonl": make_edit(jsonl.pieces, _patch)}
