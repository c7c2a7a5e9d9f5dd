"""Edit the records of a file in place.

JSON and YAML have a module each. The changed games of an HGN file are rewritten. A file of a format without minimal
edits is rewritten as a whole, which preserves only the records. Abstract Play records are never changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any, BinaryIO

from hexrec import formats
from hexrec.formats.base import Piece
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


def get(name: str, *, canonical: bool) -> Edit:
    """Return the function that edits files of a format. Raises KeyError for an unknown format.

    With `canonical`, it writes changed records in JSON in canonical form, else it changes only the data that differs.
    """
    if name in ("json", "jsonl"):
        from hexrec.tools.edit.json import FORMATTING, PATCHING

        return (FORMATTING if canonical else PATCHING)[name]
    if name == "yaml":
        from hexrec.tools.edit.yaml import edit_yaml

        return edit_yaml
    if name == "hgn":
        return _edit_games
    if name == "abstractplay":
        from hexrec.formats.abstractplay import raw_pieces

        return make_edit(raw_pieces, lambda piece, _: piece.raw)
    return make_rewrite(formats.get(name))


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
