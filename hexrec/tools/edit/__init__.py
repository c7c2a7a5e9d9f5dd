"""Edit the records of a file in place.

JSON and YAML have a module each. The changed games of an HGN file are rewritten. A file of a format without minimal
edits is rewritten as a whole, which preserves only the records. Abstract Play records are never changed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from hexrec import formats
from hexrec.formats.base import Piece
from hexrec.tools.edit.editor import (
    Change,
    Edit,
    EditError,
    Editor,
    EditorBug,
    Segment,
    limit_pieces,
    make_edit,
    make_rewrite,
    serialize,
)


@cache
def get(name: str) -> Editor:
    """Return the editor for a format. Raises KeyError for an unknown format."""
    if name in ("json", "jsonl"):
        from hexrec.tools.edit.json import EDITORS

        return EDITORS[name]
    if name == "yaml":
        from hexrec.tools.edit.yaml import EDITOR

        return EDITOR
    if name == "hgn":
        from hexrec.formats.hgn import pieces

        edit = make_edit(limit_pieces(pieces), _rewrite_game)
    elif name == "abstractplay":
        from hexrec.formats.abstractplay import raw_pieces

        edit = make_edit(raw_pieces, lambda piece, _: piece.raw)
    else:
        edit = make_rewrite(formats.get(name))
    return Editor(edit, edit)


def _rewrite_game(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a game in HGN with new data. Raises EditError if other content would be lost."""
    new = changed[0] or {}
    for warning in piece.documents[0].warnings:
        if warning.code == "syntax/hgn-no-result":
            if "result" in new:  # from its tag or its replay: nothing is missing
                continue
            raise EditError(f"an end that was cut off would look whole: {warning.message}")
        raise EditError(f"content outside its records would be lost: {warning.message}")
    made = serialize(formats.get("hgn"), [new])
    return made + b"\n" if piece.raw.endswith((b"\n\n", b"\n\r\n")) else made


__all__ = ["Change", "Edit", "EditError", "EditorBug", "Editor", "Segment", "get"]
