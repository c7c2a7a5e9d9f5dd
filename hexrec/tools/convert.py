"""Records to text in another format, one by one, each with what was lost."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath, PurePosixPath
from string import Formatter
from typing import Any, NamedTuple
from unicodedata import category, normalize

from hexrec import formats
from hexrec.formats.base import Format, OnLoss
from hexrec.record.canonical import canonical_form, in_coordinates
from hexrec.record.record import Record
from hexrec.record.validation import RecordError
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.util.diagnostics import Diagnostic, FirstFew, pointer_to, shorten
from hexrec.util.limits import MAX_RECORD_BYTES, MAX_VALUES
from hexrec.validation.report import Report, failed, locate
from hexrec.validation.verdict import INVALID_MARK, writer

#: A text of so many characters is below the limits of values, and of bytes: a character has four of them at most.
_SURELY_READ = min(MAX_VALUES, MAX_RECORD_BYTES // 4)


class Converted(NamedTuple):
    """The conversion of a record.

    Attributes:
        report: the verdict, with the diagnostics of the conversion.
        text: the record in the other format; None if it was refused, for what the report says.
        data: the canonical data of `text`, in the coordinates asked for; None like `text`.
    """

    report: Report
    text: str | None = None
    data: dict[str, Any] | None = None


@dataclass(frozen=True)
class Conversion:
    """How to convert.

    Attributes:
        to: the name of the format.
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

        A record that the format refuses or hexrec fails to write is left out. Raises TogetherError if the format
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
        """Return what the format puts before a record that is not the first. Raises TogetherError."""
        _, joined = writer(formats.get(self.to))([first, second], lambda _: None)
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
            text = "".join(texts(formats.get(self.to), [data], losses.append))
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


def texts(format: Format, records: Iterable[dict[str, Any]], on_loss: OnLoss) -> Iterator[str]:
    """Yield the texts of the canonical data of records in a format.

    Raises RecordError for a record that the format refuses, or that is beyond the limits of what is read when it is
    written in this format; TogetherError if the format cannot hold the records together.
    """
    for text in writer(format)(records, on_loss):
        if len(text) > _SURELY_READ:
            _check(format, text.encode())
        yield text


def _check(format: Format, text: bytes) -> None:
    """Raise RecordError if the text of a record cannot be read."""
    for document in format.read(io.BytesIO(text)):
        if document.error is not None:
            message = (
                f"written as {format.title}, this record takes {len(text):,} bytes and could not be read again: "
                f"{document.error.message}"
            )
            raise RecordError([Diagnostic("convert/too-large", message, pointer="")])


_Path = tuple[str | int, ...]
#: What may name a cell, with no more letters or digits of its kind before it.
_WORD = re.compile(r"(?<![a-z0-9])[a-z]{1,2}[0-9]{1,2}(?![0-9])|\(?-?[0-9]+,-?[0-9]+\)?")


def kept_cells(data: Mapping[str, Any], system: System) -> list[Diagnostic]:
    """Return a warning for each extension field of a format that names cells, if a canonical record changes system.

    They are few: of very many, the last says how many there are.
    """
    old = data.get("coordinates", "row")
    found = FirstFew[Diagnostic]()
    fields = {field for name in formats.names() for field in formats.get(name).keeps}
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


#: The text for what a record does not say.
_UNKNOWN = "unknown"
#: The most bytes that a name may have, with some left for a number and a suffix.
_LONGEST = 200
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")

#: What a template may name: the field, and how to find its value in what was converted.
FIELDS: Mapping[str, Callable[[dict[str, Any], Converted], object]] = {
    **{
        name: lambda data, _, name=name: data.get(name)  # type: ignore[misc]
        for name in ("game", "variant", "size", "date", "event", "site", "round")
    },
    "ruleset": lambda _, converted: converted.report.record and converted.report.record.ruleset,
    "black": lambda data, _: data.get("players", {}).get("black", {}).get("name"),
    "white": lambda data, _: data.get("players", {}).get("white", {}).get("name"),
    "winner": lambda data, _: data.get("result", {}).get("winner"),
    "id": lambda _, converted: converted.report.id,
    "file": lambda _, converted: PurePath(converted.report.file or "").name.partition(".")[0],
    "index": lambda _, converted: converted.report.index,
}


class TemplateError(ValueError):
    """A template that cannot be followed; the message says why."""


class Template:
    """A pattern of file names such as ``{game}/{date}-{black}-{white}.yaml``; see `FIELDS` for what it may name."""

    def __init__(self, text: str) -> None:
        """Raises TemplateError."""
        try:
            parts = list(Formatter().parse(text))
        except ValueError as error:
            raise TemplateError(f"{text!r}: {error}") from None
        for _, name, spec, conversion in parts:
            if name is None:
                continue
            if name not in FIELDS:
                raise TemplateError(f"unknown field {{{name}}}; the fields are {', '.join(FIELDS)}")
            if conversion or not re.fullmatch(r"(?:0[0-9])?" if name in ("index", "size") else "", spec or ""):
                raise TemplateError(f"{{{name}:{spec}}}: only index and size take a width, as in {{index:04}}")
        path = PurePosixPath(text)
        if path.is_absolute() or ".." in path.parts or text.endswith("/") or not path.name:
            raise TemplateError(f"{text!r} should be the name of a file below the output folder")
        self._text = text
        self._used: set[str] = set()
        #: The number that a name was given last, for names that were met again.
        self._numbers: defaultdict[str, int] = defaultdict(lambda: 1)

    @property
    def file_name(self) -> str:
        """The last part of the template, whose ending names the format."""
        return PurePosixPath(self._text).name

    def name(self, converted: Converted) -> PurePosixPath:
        """Return the name for a record that was converted; a number distinguishes it from the names given before."""
        path = PurePosixPath(*(_short(part) for part in PurePosixPath(self._fill(converted)).parts))
        stem, dot, suffix = path.name.partition(".")
        # On file systems that ignore case, names that differ in nothing else are the same.
        key = str(path).casefold()
        name = path
        while str(name).casefold() in self._used:
            self._numbers[key] += 1
            name = path.with_name(f"{stem}-{self._numbers[key]}{dot}{suffix}")
        self._used.add(str(name).casefold())
        return name

    def _fill(self, converted: Converted) -> str:
        values = {name: find(converted.data or {}, converted) for name, find in FIELDS.items()}
        return self._text.format(
            **{name: value if isinstance(value, int) else safe(value or "") for name, value in values.items()}
        )


def safe(value: object) -> str:
    """Return a text as a part of a file name: letters, digits and a few signs, the rest as underscores."""
    text = normalize("NFC", str(value))
    kept = "".join(char if category(char)[0] in "LMN" or char in "-+,()" else "_" for char in text)
    return re.sub("_+", "_", kept).strip("_-") or _UNKNOWN


def _short(part: str) -> str:
    """Return a name of a file or folder that every system takes: not too long, not reserved, with no dot in front."""
    stem, dot, suffix = part.lstrip(".").partition(".")
    # The template may hold bytes that are no text; what a cut leaves of a character is dropped.
    kept = stem.encode(errors="surrogateescape")
    stem = (stem if len(kept) <= _LONGEST else kept[:_LONGEST].decode(errors="ignore")) or _UNKNOWN
    return f"{stem}_{dot}{suffix}" if _RESERVED.fullmatch(stem) else f"{stem}{dot}{suffix}"
