"""What editors of all formats have in common: segments of a file before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple

from hexrec.formats.base import BINARY, Document, Format, Piece, Pieces
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import RecordError, read_record
from hexrec.util.limits import MAX_RECORD_BYTES

#: Says what the data of a document should become; None to leave its text as it is. Called for every document of
#: a file in order, those with an error included.
Change = Callable[[Document], dict[str, Any] | None]


class Segment(NamedTuple):
    """Some bytes of a file, and what they should become."""

    old: bytes
    new: bytes

    @property
    def changed(self) -> bool:
        """Whether they become anything else."""
        return self.old != self.new


#: Cuts a buffered stream into segments with changed records. All `old` joined are the stream, all `new` the edited one;
#: what is left in the stream at the end stays as it is. Raises EditError.
Edit = Callable[[BinaryIO, Change], Iterator[Segment]]


class EditError(Exception):
    """A file that cannot be edited; the message says why."""


class EditorBug(EditError):
    """A file that hexrec would edit wrongly; `what` says what would be wrong with it."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}; this is an error in hexrec: please report it, with the file")


@dataclass(frozen=True)
class Editor:
    """How the files of a format are edited.

    Attributes:
        format: writes the records that change in the way that the format's canonical text is written, as far as that
            keeps what the text says beside the data: comments, say.
        patch: changes the data that differs and not a byte of the rest.
    """

    format: Edit
    patch: Edit


#: Makes of the bytes of a piece those of one whose documents have other data; None is for a document that stays as it
#: is. Raises EditError.
Revise = Callable[[Piece, list[dict[str, Any] | None]], bytes]


def editing(pieces: Pieces, revise: Revise) -> Edit:
    """Return the editing of a format piece by piece."""

    def edit(stream: BinaryIO, change: Change) -> Iterator[Segment]:
        for piece in pieces(stream):
            changed = [change(document) for document in piece.documents]
            stays = all(data is None for data in changed)
            yield Segment(piece.raw, piece.raw if stays else revise(piece, changed))

    return edit


def all_readable(pieces: Pieces) -> Pieces:
    """Return pieces that end with an EditError if a record is too large."""

    def checked(stream: BinaryIO) -> Iterator[Piece]:
        for piece in pieces(stream):
            yield piece
            if piece.documents and len(piece.raw) > MAX_RECORD_BYTES and BINARY not in piece.documents:
                raise EditError("it holds a record that is too large to be read")

    return checked


def same(one: object, other: object) -> bool:
    """Return whether two pieces of data are the same, the order of fields aside. 1 and 1.0 are not: they are written
    differently.
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def wanted(documents: Iterable[Document], changed: Iterable[dict[str, Any] | None]) -> list[Any]:
    """Return the data that documents should have after a change."""
    return [document.data if data is None else data for document, data in zip(documents, changed, strict=True)]


def serialized(format: Format, records: list[dict[str, Any]]) -> bytes:
    """Return the text of records, which can all be read. Raises ValueError for what cannot be held."""
    made = "".join(format.write(records)).encode()
    if same([document.data for document in format.read(BytesIO(made))], records):
        return made
    # A format promises to give back the canonical form only: an empty list of nothing, say, may be lost.
    records = [canonical_form(read_record(data, turns_unchecked=True)) for data in records]
    return "".join(format.write(records)).encode()


def _is_record(document: Document) -> bool:
    """Return whether a document holds what can be read as a record, and so be written."""
    try:
        return document.error is None and bool(read_record(document.data, turns_unchecked=True))
    except RecordError:
        return False


def rewriting(format: Format) -> Edit:
    """Return the editing of a format that can only be written as a whole.

    It refuses a file in which something is not as the format has it, for that is not written back, and a file with a
    record that cannot be read, for such a record cannot be written.
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
        for warning in (each for document in documents for each in document.warnings):
            raise EditError(f"what it holds besides its records would be lost: {warning.message}")
        records = wanted(documents, changed)
        try:
            yield Segment(old, serialized(format, records))
        except ValueError as error:
            raise EditError(f"its records cannot be written again: {error}") from None

    return rewrite
