"""Editing HGN: game by game. A game that changes is written anew; the others stay byte for byte."""

from __future__ import annotations

from typing import Any

from hexrec.formats.base import Piece
from hexrec.formats.hgn import FORMAT, pieces
from hexrec.tools.edit.editor import EditError, Editor, all_readable, editing, serialized


def _revise(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the text of a game with other data. Raises EditError if more than its data would change."""
    new = changed[0] or {}
    for warning in piece.documents[0].warnings:
        if warning.code == "syntax/hgn-no-result":
            if "result" in new:  # which its tag has, or its replay: nothing is missing
                continue
            raise EditError(f"an end that was cut off would look whole: {warning.message}")
        raise EditError(f"what it holds besides its records would be lost: {warning.message}")
    made = serialized(FORMAT, [new])
    return made + b"\n" if piece.raw.endswith((b"\n\n", b"\n\r\n")) else made


_edit = editing(all_readable(pieces), _revise)
EDITOR = Editor(_edit, _edit)
