"""What Python programs call: read, write and validate records. `import hexrec` offers all of it."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hexrec import callers, notations
from hexrec.board import System
from hexrec.conversion.conversion import canonical_data
from hexrec.conversion.readable import texts
from hexrec.diagnostics import Diagnostic
from hexrec.files.atomic import atomic_write
from hexrec.files.discovery import Source, notation_of
from hexrec.files.stamps import InputChanged
from hexrec.notations.base import Document, OnLoss
from hexrec.record import Record, RecordError, read_record
from hexrec.validation import Report, check_record, locate
from hexrec.validation.past_end import within_rules

PathLike = str | os.PathLike[str]


class ConversionWarning(UserWarning):
    """Something was read that its notation does not allow, or left out that a notation cannot hold."""


def load(path: PathLike, format: str | None = None) -> Record:
    """Return the one record of a file; `format` forces the notation.

    What the notation does not allow and is read nevertheless gives a ConversionWarning each.

    Raises:
        RecordError: the file holds no valid record. Its `diagnostics` have the places.
        ValueError: the file holds more than one record.
        OSError: the file cannot be read.
    """
    return _only(_documents(path, format), str(path))


def loads(text: str | bytes, format: str | None = None) -> Record:
    """Return the one record of a text; without `format`, the notation is found from the content.

    Raises RecordError and ValueError as `load` does.
    """
    raw = text.encode() if isinstance(text, str) else text
    return _only(notations.read(format or notations.by_content(raw), io.BytesIO(raw)), None)


def iter_records(
    path: PathLike, format: str | None = None, on_error: Callable[[RecordError], None] | None = None
) -> Iterator[Record]:
    """Yield the records of a file one by one.

    A bad record raises RecordError; with `on_error`, the error is handed to that function and reading goes on.
    Raises OSError if the file cannot be read.
    """
    for index, document in enumerate(_documents(path, format)):
        try:
            yield _record(document, str(path), index)
        except RecordError as error:
            if on_error is None:
                raise
            on_error(error)


def dump(
    record: Record,
    path: PathLike,
    format: str | None = None,
    *,
    coordinates: System | None = None,
    on_loss: OnLoss | None = None,
) -> None:
    """Write a record to a file in its canonical form; the notation is `format`, or that of the file's name.

    The file appears whole or not at all, compressed if its name ends in .gz, .zst, .bz2 or .xz. What the notation
    cannot hold is reported as by `dumps`. Raises ValueError if the name does not show the notation, OSError if the file
    cannot be written, and RecordError as `dumps` does.
    """
    name = format or notation_of(Path(path))
    if name is None:
        known = ", ".join(notations.names())
        raise ValueError(f"the name {os.fspath(path)!r} does not show the notation: give one of {known}")
    text = dumps(record, name, coordinates=coordinates, on_loss=on_loss)
    with atomic_write(Path(path)) as stream:
        stream.write(text)


def dumps(
    record: Record, format: str = "json", *, coordinates: System | None = None, on_loss: OnLoss | None = None
) -> str:
    """Return the text of a record's canonical form, its cells named in a coordinate system or else as they are.

    What the notation cannot hold is left out, each such thing with a ConversionWarning; `on_loss`, where given, is
    called with its diagnostic instead. Raises KeyError for an unknown notation, RecordError if there are to be other
    coordinates and a turn names no cell of the board, or if the text would be too large to be read again.
    """
    data = canonical_data(record, coordinates, on_loss or _warn)
    return "".join(texts(notations.get(format), [data], on_loss or _warn))


def validate(record: Record, *, finished: bool = False) -> Report:
    """Return the verdict on a record: replay and result. With `finished`, a record without a result is invalid."""
    return check_record(record, finished=finished)


def _documents(path: PathLike, format: str | None) -> Iterator[Document]:
    name = os.fspath(path)
    try:
        yield from Source(name, format or notation_of(name)).documents()
    except InputChanged as changed:
        raise OSError(f"{name}: {changed.diagnostic.message}") from None


def _warn(diagnostic: Diagnostic) -> None:
    place = f"{diagnostic.place}: " if diagnostic.place else ""
    warnings.warn(f"{place}{diagnostic.code}: {diagnostic.message}", ConversionWarning, stacklevel=callers.level())


def _only(documents: Iterable[Document], file: str | None) -> Record:
    found = list(documents)
    if len(found) > 1:
        raise ValueError(f"{file or 'the text'} holds {len(found)} records, not one: use iter_records")
    return _record(found[0], file, 0)


def _record(document: Document, file: str | None, index: int) -> Record:
    document = within_rules(document)
    for warning in locate(document.warnings, document, file=file, record=index):
        _warn(warning)
    if document.error is not None:
        raise RecordError(locate([document.error], document, file=file, record=index))
    try:
        return read_record(document.data)
    except RecordError as error:
        raise RecordError(locate(error.diagnostics, document, file=file, record=index)) from None
