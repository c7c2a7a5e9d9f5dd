"""Records to text in another notation, one by one, each with what was lost."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hexrec import games, notations
from hexrec.board import System
from hexrec.diagnostics import Diagnostic, FirstFew, pointer_to, shorten
from hexrec.limits import MAX_RECORD_BYTES, MAX_VALUES
from hexrec.notations.base import Notation, OnLoss
from hexrec.record import Record, RecordError, canonical_form
from hexrec.record.canonical import in_coordinates
from hexrec.validation.report import Report, failed, locate
from hexrec.validation.verdict import INVALID_MARK, writer

#: A text of so many characters is below the limits of values, and of bytes: a character has four of them at most.
_SURELY_READ = min(MAX_VALUES, MAX_RECORD_BYTES // 4)


class Converted(NamedTuple):
    """The conversion of a record.

    Attributes:
        report: the verdict, with the diagnostics of the conversion.
        text: the record in the other notation; None if it was refused, for what the report says.
        data: the canonical data of `text`, in the coordinates asked for; None like `text`.
    """

    report: Report
    text: str | None = None
    data: dict[str, Any] | None = None


@dataclass(frozen=True)
class Conversion:
    """How to convert.

    Attributes:
        to: the name of the notation.
        coordinates: the coordinate system to write; None to leave each record in its own.
        strict: whether a record of which something would be lost is refused.
        invalid: whether invalid records are converted too, and marked, as far as they could be read.
    """

    to: str
    coordinates: System | None = None
    strict: bool = False
    invalid: bool = False

    def joined(self, reports: Iterable[Report]) -> Iterator[Converted]:
        """Yield the conversion of each record, in order; the texts belong into one file.

        A record that the notation refuses or hexrec fails to write is left out. Raises TogetherError if the notation
        cannot hold the records together.
        """
        first: dict[str, Any] | None = None
        between: str | None = None
        for each in self.apart(reports):
            if each.text is None or each.data is None:
                yield each
            elif first is None:
                first = each.data
                yield each
            else:
                if between is None:
                    between = self._between(first, each.data, each.text)
                yield each._replace(text=between + each.text)

    def apart(self, reports: Iterable[Report]) -> Iterator[Converted]:
        """Yield the conversion of each record, in order; the texts belong into a file each."""
        return map(self._convert, reports)

    def _between(self, first: dict[str, Any], second: dict[str, Any], text: str) -> str:
        """Return what the notation puts before a record that is not the first. Raises TogetherError."""
        _, joined = writer(notations.get(self.to))([first, second], lambda _: None)
        return joined.removesuffix(text)

    def _convert(self, report: Report) -> Converted:
        if report.record is None or not (report.valid or self.invalid):
            return Converted(report)
        losses: list[Diagnostic] = []
        try:
            data = canonical_data(report.record, self.coordinates, losses.append)
            if not report.valid:
                data = _marked(data, report.errors[0])
                message = f"converted although it is invalid, and marked with {INVALID_MARK}"
                report = _with(report, [Diagnostic("convert/invalid", message, "warning")])
            text = "".join(texts(notations.get(self.to), [data], losses.append))
        except MemoryError:
            raise
        except RecordError as error:
            return Converted(_with(report, error.diagnostics))
        except Exception as error:
            return Converted(failed(report, error))
        if losses and self.strict:
            refused = [loss.at(severity="error", message=f"{loss.message}: refused by --strict") for loss in losses]
            return Converted(_with(report, refused))
        return Converted(_with(report, losses) if losses else report, text, data)


def canonical_data(record: Record, coordinates: System | None, on_loss: OnLoss) -> dict[str, Any]:
    """Return the canonical form of a record, its cells named in a coordinate system or else as they are.

    Calls `on_loss` with what names cells and stays as it is. Raises RecordError if there are to be other coordinates
    and a turn names no cell of the board.
    """
    data = canonical_form(record)
    if coordinates is None:
        return data
    for loss in kept_cells(data, coordinates):
        on_loss(loss)
    return in_coordinates(data, coordinates)


def _with(report: Report, diagnostics: Iterable[Diagnostic]) -> Report:
    """Return a report with more diagnostics, in the places that they have in the document judged."""
    if report.document is not None:
        diagnostics = locate(diagnostics, report.document, file=report.file, record=report.index, id=report.id)
    return replace(report, diagnostics=(*report.diagnostics, *diagnostics))


def _marked(data: dict[str, Any], error: Diagnostic) -> dict[str, Any]:
    mark = {"code": error.code, "ply": error.ply, "message": error.message}
    own = {name: value for name, value in data.items() if name.startswith("x-")}
    own[INVALID_MARK] = {name: value for name, value in mark.items() if value is not None}
    return {**{name: value for name, value in data.items() if name not in own}, **dict(sorted(own.items()))}


def texts(notation: Notation, records: Iterable[dict[str, Any]], on_loss: OnLoss) -> Iterator[str]:
    """Yield the texts of the canonical data of records in a notation.

    Raises RecordError for a record that the notation refuses, or that is beyond the limits of what is read when it is
    written in this notation; TogetherError if the notation cannot hold the records together.
    """
    for text in writer(notation)(records, on_loss):
        if len(text) > _SURELY_READ:
            _check(notation, text.encode())
        yield text


def _check(notation: Notation, text: bytes) -> None:
    """Raise RecordError if the text of a record cannot be read."""
    for document in notation.read(io.BytesIO(text)):
        if document.error is not None:
            message = (
                f"written as {notation.title}, this record takes {len(text):,} bytes and could not be read again: "
                f"{document.error.message}"
            )
            raise RecordError([Diagnostic("convert/too-large", message, pointer="")])


_Path = tuple[str | int, ...]
#: What may name a cell, with no more letters or digits of its kind before it.
_WORD = re.compile(r"(?<![a-z0-9])[a-z]{1,2}[0-9]{1,2}(?![0-9])|\(?-?[0-9]+,-?[0-9]+\)?")


def kept_cells(data: Mapping[str, Any], system: System) -> list[Diagnostic]:
    """Return a warning for each extension field of a notation that names cells, if a canonical record changes system.

    They are few: of very many, the last says how many there are.
    """
    old = data.get("coordinates", "row")
    found = FirstFew[Diagnostic]()
    fields = {field for name in notations.names() for field in notations.get(name).keeps}
    find = games.get(data["game"]).board(data["size"]).names(old).find
    for path, value in _kept(data, (), fields) if old != system else ():
        if (word := _cell_in(value, find)) is not None:
            message = f"{path[-1]} names {shorten(word)}, which is not renamed: extension fields stay as they are"
            found.add(Diagnostic("convert/kept-cell", message, "warning", pointer=pointer_to(path)))
    return found.diagnostics("convert/more")


def _kept(part: Mapping[str, Any], path: _Path, fields: Container[str]) -> Iterator[tuple[_Path, Any]]:
    """Yield the extension fields of some names in a record or a turn, and in the turns of it."""
    yield from (((*path, name), value) for name, value in part.items() if name in fields)
    lines = [(("moves",), part.get("moves", ())), *_variations(part)]
    for where, line in lines:
        for index, move in enumerate(line):
            if isinstance(move, dict):
                yield from _kept(move, (*path, *where, index), fields)


def _variations(part: Mapping[str, Any]) -> Iterator[tuple[_Path, Any]]:
    for number, line in enumerate(part.get("variations", ())):
        yield ("variations", number), line


def _cell_in(value: Any, find: Callable[[str], int | None]) -> str | None:
    """Return the first name of a cell in the texts of some data."""
    if isinstance(value, str):
        return next((word[0] for word in _WORD.finditer(value) if find(word[0]) is not None), None)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next(filter(None, (_cell_in(part, find) for part in parts)), None)
