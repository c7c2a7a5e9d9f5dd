"""Edit the records of a file in place.

JSON is edited here, YAML in a module of its own. The changed games of an HGN file are rewritten. A file of a format
without minimal edits is rewritten as a whole, which preserves only the records. Records of Abstract Play never change.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain, pairwise
from typing import Any, BinaryIO

from hexrec import formats
from hexrec.formats import json
from hexrec.formats.base import BYTE_ORDER_MARK, Piece
from hexrec.tools.edit.editor import (
    Change,
    Edit,
    EditError,
    Segment,
    limit_pieces,
    make_edit,
    make_rewrite,
    serialize,
)
from hexrec.tools.edit.tree import TreeEntry, TreeNode, ValueStyle, patch_text
from hexrec.util.limits import MAX_RECORD_BYTES


def get(name: str, *, canonical: bool) -> Edit:
    """Return the function that edits files of a format. Raises KeyError for an unknown format.

    With `canonical`, it writes changed records in JSON in canonical form, else it changes only the data that differs.
    """
    if name in ("json", "jsonl"):
        pieces = json.line_pieces if name == "jsonl" else json.pieces
        return make_edit(pieces, partial(_format_json, name) if canonical else _patch_json)
    if name == "yaml":
        from hexrec.tools.edit.yaml import edit_yaml

        return edit_yaml
    if name == "hgn":
        return _edit_games
    if name == "abstractplay":
        from hexrec.formats.abstractplay import raw_pieces

        return make_edit(raw_pieces, lambda piece, _: piece.raw)
    return make_rewrite(formats.get(name))


def _format_json(name: str, _: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the canonical form of a record. The newline of JSON Lines does not count toward the size limit."""
    raw = "".join(formats.get(name).write([changed[0] or {}])).encode()
    if len(raw) - (name == "jsonl") > MAX_RECORD_BYTES:
        raise EditError("its canonical text would be too large to be read")
    return raw


def _patch_json(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a record with new data. Preserves whitespace, the order of fields and the byte-order mark."""
    content = piece.raw.removeprefix(BYTE_ORDER_MARK)
    text = content.decode()
    patched = patch_text(text, [(_json_tree(text, piece.documents[0].data), changed[0] or {})], ValueStyle())
    return piece.raw.removesuffix(content) + patched.encode()


def _json_tree(text: str, data: Any) -> TreeNode:
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


def _edit_games(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    """Edit HGN. As in new files, a blank line follows each rewritten game but the last."""
    from hexrec.formats.hgn import pieces

    for piece, following in pairwise(chain(limit_pieces(pieces)(stream), [Piece(b"")])):
        changed = [change(document) for document in piece.documents]
        if any(data is not None for data in changed):
            blank = b"\n" if following.raw else b""
            yield Segment(piece.raw, _rewrite_game(piece, changed) + blank)
        else:
            yield Segment(piece.raw, piece.raw)


def _rewrite_game(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a game in HGN with new data. Raises EditError if other content would be lost."""
    new = changed[0] or {}
    for warning in piece.documents[0].warnings:
        if warning.code == "syntax/hgn-no-result":
            if "result" in new:  # from its tag or its replay: nothing is missing
                continue
            raise EditError(f"an end that was cut off would look whole: {warning.message}")
        raise EditError(f"content outside its records would be lost: {warning.message}")
    return serialize(formats.get("hgn"), [new])


__all__ = ["Change", "Edit", "EditError", "Segment", "get"]
