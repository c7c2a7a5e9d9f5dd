"""Edit the records of a file in place.

JSON and YAML get minimal edits. In other formats the text of values changes in place if that is all; else the changed
games are rewritten, or the whole file if its format cannot be cut into games. Records of Abstract Play never change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from itertools import chain, pairwise
from typing import Any, BinaryIO, NamedTuple

from hexrec import formats
from hexrec.formats import json, json_values
from hexrec.formats.base import BINARY, BYTE_ORDER_MARK, JSON_HEAD, WHITESPACE, Document, Format, Piece, Pieces
from hexrec.record.canonical import canonicalize
from hexrec.record.validation import RecordError, read_record
from hexrec.tools.edit.patch import Patch, apply_edits, patch_piece
from hexrec.tools.edit.patch import same as same
from hexrec.tools.edit.tree import EditError as EditError
from hexrec.tools.edit.values import DocumentEditor
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.util.streams import peekable, prepend

#: Return the new data of a document, or None to leave its text unchanged. Called for every document of a file in order,
#: including those with an error.
Change = Callable[[Document], dict[str, Any] | None]


class Segment(NamedTuple):
    """The old and new bytes of a part of a file."""

    old: bytes
    new: bytes

    @property
    def changed(self) -> bool:
        """Whether the bytes change."""
        return self.old != self.new


#: Split a buffered stream into segments. The joined `old` bytes are the stream, the joined `new` bytes the edited
#: stream. The unread end of the stream stays unchanged. Raises EditError.
Edit = Callable[[BinaryIO, Change], Iterator[Segment]]


def get(name: str, *, canonical: bool) -> Edit:
    """Return the function that edits files of a format. Raises KeyError for an unknown format.

    With `canonical`, it writes changed records in JSON in canonical form, else it changes only the data that differs.
    """
    if name == "json":
        return _edit_json if canonical else _make_edit(json_values.pieces, partial(patch_piece, Patch))
    if name == "jsonl":
        return _make_edit(json.line_pieces, partial(_format_json, name) if canonical else partial(patch_piece, Patch))
    if name == "yaml":
        from hexrec.formats import yaml
        from hexrec.tools.edit.yaml import YamlPatch

        return _make_edit(_limit_pieces(yaml.pieces), partial(patch_piece, YamlPatch))
    if name == "abstractplay":
        from hexrec.formats.abstractplay import raw_pieces

        return _make_edit(raw_pieces, lambda piece, _: piece.raw)
    format = formats.get(name)
    if format.pieces is None:
        return make_rewrite(format)
    if name == "hgn" and canonical:
        return partial(_format_games, format, format.pieces)
    revise = partial(_rewrite_game if canonical else _edit_game, format)
    return _make_edit(_limit_pieces(format.pieces), revise)


#: The bytes around the records of an array in canonical form.
_BETWEEN = {b"[": b"[\n", b",": b",\n", b"]": b"\n]\n"}

#: Return the bytes of a piece with new data for its documents, or None for an unchanged document. Raises EditError.
_Revise = Callable[[Piece, list[dict[str, Any] | None]], bytes]


def _make_edit(pieces: Pieces, revise: _Revise) -> Edit:
    """Return a function that edits a format piece by piece."""

    def edit(stream: BinaryIO, change: Change) -> Iterator[Segment]:
        for piece in pieces(stream):
            changed = [change(document) for document in piece.documents]
            stays = all(data is None for data in changed)
            yield Segment(piece.raw, piece.raw if stays else revise(piece, changed))

    return edit


def _limit_pieces(pieces: Pieces) -> Pieces:
    """Return a reader of pieces that raises EditError after a record that is too large."""

    def check(stream: BinaryIO) -> Iterator[Piece]:
        for piece in pieces(stream):
            yield piece
            if piece.documents and len(piece.raw) > MAX_RECORD_BYTES and BINARY not in piece.documents:
                raise EditError("a record is too large to be read")

    return check


def _edit_json(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    """Write a record, or an array of records one a line, in canonical form."""
    whole = peekable(stream)
    head = whole.read(JSON_HEAD)
    whole = prepend(head, whole)
    if not json_values.is_array(head):
        yield from _make_edit(json.record_pieces, partial(_format_json, "json"))(whole, change)
        return
    between, formatted, is_long = bytearray(), False, False
    for piece in json_values.value_pieces(whole):
        if not piece.documents:
            between += piece.raw
            if len(between) > MAX_RECORD_BYTES:  # of a record that is too large
                yield Segment(bytes(between), bytes(between))
                between, is_long = bytearray(), True
            continue
        changed = [change(document) for document in piece.documents]
        before, formatted = formatted, any(data is not None for data in changed)
        separator = _separator(bytes(between), (before or formatted) and not is_long)
        new = _format_json("jsonl", piece, changed).removesuffix(b"\n") if formatted else piece.raw
        yield Segment(bytes(between) + piece.raw, separator + new)
        between, is_long = bytearray(), False
    yield Segment(bytes(between), _separator(bytes(between), formatted and not is_long))


def _separator(raw: bytes, formatted: bool) -> bytes:
    """Return the bytes between two elements of an array, with a newline if one of them is formatted."""
    bare = raw.removeprefix(BYTE_ORDER_MARK).strip(WHITESPACE)
    return _BETWEEN.get(bare, raw) if formatted else raw


def _format_json(name: str, _: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the canonical form of a record. The newline of JSON Lines does not count toward the size limit."""
    raw = "".join(formats.get(name).write([changed[0] or {}])).encode()
    if len(raw) - (name == "jsonl") > MAX_RECORD_BYTES:
        raise EditError("its canonical text would be too large to be read")
    return raw


def _rewrite_game(format: Format, piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a game with new data, the whitespace around it, and its kind of newline.

    Raises EditError if other content would be lost.
    """
    new = changed[0] or {}
    for warning in piece.documents[0].warnings:
        if warning.code == "syntax/hgn-no-result":
            if "result" in new:  # from its tag or its replay: nothing is missing
                continue
            raise EditError(f"an end that was cut off would look whole: {warning.message}")
        raise EditError(f"content outside its records would be lost: {warning.message}")
    raw = piece.raw
    start, end = len(raw) - len(raw.lstrip()), len(raw.rstrip())
    try:
        written = _serialize(format, [new]).strip()
    except ValueError as error:
        raise EditError(f"its records cannot be written again: {error}") from None
    newline = _newline(raw)
    return raw[:start] + written.replace(b"\n", newline) + (raw[end:] or newline)


def _newline(raw: bytes) -> bytes:
    """Return the newline of a text, which is that of Windows only if all are."""
    return b"\r\n" if 0 < raw.count(b"\n") == raw.count(b"\r\n") else b"\n"


def _format_games(format: Format, pieces: Pieces, stream: BinaryIO, change: Change) -> Iterator[Segment]:
    """Write the changed games of HGN in canonical form. As in new files, a blank line follows each but the last."""
    for piece, following in pairwise(chain(_limit_pieces(pieces)(stream), [Piece(b"")])):
        changed = [change(document) for document in piece.documents]
        new = piece.raw
        if any(data is not None for data in changed):
            new = _rewrite_game(format, piece, changed).strip() + _newline(piece.raw) * (2 if following.raw else 1)
        yield Segment(piece.raw, new)


def _edit_game(format: Format, piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a game with the text of some values changed, or rewritten if that does not give the data."""
    document, new = piece.documents[0], changed[0] or {}
    edits = DocumentEditor(document, document.data).text_edits(new)
    if edits and document.text is not None:
        before, found, after = piece.raw.rpartition(document.text.text.encode())
        raw = before + apply_edits(document.text.text, edits).encode() + after
        if found and same([other.data for other in format.read(BytesIO(raw))], [new]):
            return raw
    return _rewrite_game(format, piece, changed)


def _serialize(format: Format, records: list[dict[str, Any]]) -> bytes:
    """Return the bytes of valid records in a format. Raises ValueError for data that the format cannot represent."""
    written = "".join(format.write(records)).encode()
    if same([document.data for document in format.read(BytesIO(written))], records):
        return written
    # A round trip preserves only the canonical form: an empty list, for example, may be lost.
    records = [canonicalize(data) for data in records]
    return "".join(format.write(records)).encode()


def _is_record(document: Document) -> bool:
    """Return whether a document is a valid record, and so can be written."""
    try:
        return document.error is None and bool(read_record(document.data, turns_unchecked=True))
    except RecordError:
        return False


def make_rewrite(format: Format) -> Edit:
    """Return a function that edits a format by rewriting the whole file.

    The function refuses a file with a warning of the format, because that content would be lost, and a file with an
    unreadable record, because it cannot be written.
    """

    def rewrite(stream: BinaryIO, change: Change) -> Iterator[Segment]:
        old = stream.read()
        documents = list(format.read(BytesIO(old)))
        changed = [change(document) for document in documents]
        if all(data is None for data in changed):
            yield Segment(old, old)
            return
        for number, (document, data) in enumerate(zip(documents, changed, strict=True)):
            if data is None and not _is_record(document):
                raise EditError(f"{format.title} is written as a whole, and record {number} cannot be read")
        for warning in (warning for document in documents for warning in document.warnings):
            raise EditError(f"content outside its records would be lost: {warning.message}")
        records = [document.data if data is None else data for document, data in zip(documents, changed, strict=True)]
        try:
            yield Segment(old, _serialize(format, records))
        except ValueError as error:
            raise EditError(f"its records cannot be written again: {error}") from None

    return rewrite


def merge(raw: Any, new: dict[str, Any]) -> dict[str, Any]:
    """Return new data of a record, with defaults and the order of fields as in `raw` where both are equivalent."""
    try:
        old, wanted = canonicalize(raw), canonicalize(new)
        merged: dict[str, Any] = _merge_value(raw, old, wanted)
        return merged if same(canonicalize(merged), wanted) else new
    except RecordError:  # also if a recorded default, such as the ruleset, is invalid for a new game
        return new


def _merge_value(raw: Any, old: Any, new: Any) -> Any:
    """Return the new value, with the parts of `raw` whose canonical form did not change."""
    if same(old, new):
        return raw
    if isinstance(raw, dict) and isinstance(old, dict) and isinstance(new, dict):
        fields = {name: value for name, value in raw.items() if name in new or name not in old}
        merged = {name: _merge_value(value, old.get(name), new.get(name)) for name, value in fields.items()}
        more = {name: value for name, value in new.items() if name not in raw}
        return merged | more
    if isinstance(raw, list) and isinstance(old, list) and isinstance(new, list) and len(raw) == len(old):
        return [*map(_merge_value, raw, old, new), *new[len(old) :]]
    return new
