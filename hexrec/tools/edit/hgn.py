"""Editor for HGN. Changed games are rewritten; the others stay identical."""

from __future__ import annotations

from typing import Any

from hexrec.formats.base import Piece
from hexrec.formats.hgn import FORMAT, pieces
from hexrec.tools.edit.editor import EditError, Editor, limit_pieces, make_edit, serialize


def _revise(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a game with new data. Raises EditError if other content would be lost."""
    new = changed[0] or {}
    for warning in piece.documents[0].warnings:
        if warning.code == "syntax/hgn-no-result":
            if "result" in new:  # from its tag or its replay: nothing is missing
                continue
            raise EditError(f"an end that was cut off would look whole: {warning.message}")
        raise EditError(f"content outside its records would be lost: {warning.message}")
    made = serialize(FORMAT, [new])
    return made + b"\n" if piece.raw.endswith((b"\n\n", b"\n\r\n")) else made


_edit = make_edit(limit_pieces(pieces), _revise)
EDITOR = Editor(_edit, _edit)
