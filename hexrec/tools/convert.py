"""Convert records to another format one by one, with warnings about lost data."""

from __future__ import annotations

import io
import os
import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath
from string import Formatter
from typing import Any, NamedTuple
from unicodedata import category, normalize

from hexrec import formats
from hexrec.errors import ArgumentError
from hexrec.formats.base import Format, OnLoss
from hexrec.io.compression import inner_name
from hexrec.io.discovery import Source
from hexrec.io.remote import file_name
from hexrec.record.canonical import canonical_form, in_coordinates
from hexrec.record.record import Record
from hexrec.record.validation import RecordError
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.terms import COLORS
from hexrec.util.diagnostics import Diagnostic, FirstFew, Path, pointer_to, shorten
from hexrec.util.limits import MAX_RECORD_BYTES, MAX_VALUES
from hexrec.validation.report import INVALID_MARK, Report, add_internal_error
from hexrec.validation.verdict import check_document

#: Strings up to this length are within the limits of values and bytes: a character has at most four bytes.
_SURELY_READ = min(MAX_VALUES, MAX_RECORD_BYTES // 4)


class Converted(NamedTuple):
    """The conversion of a record.

    Attributes:
        report: the report, with the diagnostics of the conversion.
        text: the record in the target format; None if the report has the reason for a refusal.
        data: the canonical data of `text`, in the requested coordinates; None if `text` is None.
    """

    report: Report
    text: str | None = None
    data: dict[str, Any] | None = None


@dataclass(frozen=True)
class Conversion:
    """The options of a conversion.

    Attributes:
        to: the name of the target format.
        coordinates: the coordinate system to write; None to preserve that of each record.
        strict: whether to refuse a record if data would be lost.
        invalid: whether to convert and mark invalid records that could be read, if they stay invalid.
    """

    to: str
    coordinates: System | None = None
    strict: bool = False
    invalid: bool = False

    def join(self, reports: Iterable[Report]) -> Iterator[Converted]:
        """Yield the conversion of each record, in order, for one file.

        A record that cannot be written has no text. Raises TogetherError if the format does not allow the records in
        one file.
        """
        return self.join_converted(map(self.convert, reports))

    def join_converted(self, records: Iterable[Converted]) -> Iterator[Converted]:
        """Yield converted records as `join` does."""
        joined = self.joiner()
        for converted in records:
            yield converted if converted.text is None else converted._replace(text=joined(converted.text))

    def joiner(self) -> Callable[[str], str]:
        """Return a function that puts before the text of each record but the first one what is between records.

        It raises TogetherError if the format does not allow the records in one file.
        """
        between: str | None = None
        is_first = True

        def join(text: str) -> str:
            nonlocal between, is_first
            if is_first:
                is_first = False
                return text
            if between is None:
                between = self._text_between(text)
            return between + text

        return join

    def _text_between(self, text: str) -> str:
        """Return the text between two records in a file, given that of a record. Raises TogetherError."""
        format = formats.get(self.to)
        (document,) = format.read(io.BytesIO(text.encode()))
        alone, joined = format.write([document.data] * 2, lambda _: None)
        return joined.removesuffix(alone)

    def convert(self, report: Report) -> Converted:
        """Return the conversion of a record for a file of its own."""
        if report.record is None or not (report.valid or self.invalid):
            return Converted(report)
        losses: list[Diagnostic] = []
        try:
            record = report.record if report.valid else _mark(report.record, report.errors[0])
            data = canonical_data(record, self.coordinates, losses.append)
            if not report.valid:
                message = f"converted although it is invalid, and marked with {INVALID_MARK}"
                report = _add_diagnostics(report, [Diagnostic("convert/invalid", message, "warning")])
            text = "".join(texts(formats.get(self.to), [data], losses.append))
            if not report.valid:
                _check_invalid(formats.get(self.to), text, report.errors[0])
        except RecordError as error:
            return Converted(_add_diagnostics(report, error.diagnostics))
        except Exception as error:
            return Converted(add_internal_error(report, error, memory=False))
        if losses and self.strict:
            refused = [loss.at(severity="error", message=f"{loss.message}: refused by --strict") for loss in losses]
            return Converted(_add_diagnostics(report, refused))
        return Converted(_add_diagnostics(report, losses), text, data)


def as_array(records: Iterable[Converted]) -> Iterator[Converted]:
    """Yield records converted to JSON for one file: several become an array with one record per line."""
    held: Converted | None = None
    lead = ""
    for converted in records:
        if converted.text is None:
            yield converted
            continue
        if held is not None:
            yield held._replace(text=(lead or "[\n") + _line(held))
            lead = ",\n"
        held = converted
    if held is not None:
        yield held._replace(text=f"{lead}{_line(held)}\n]\n") if lead else held


def _line(converted: Converted) -> str:
    """Return a converted record in JSON on one line."""
    (line,) = formats.get("jsonl").write([converted.data or {}])
    return line.removesuffix("\n")


def canonical_data(record: Record, coordinates: System | None, on_loss: OnLoss) -> dict[str, Any]:
    """Return the canonical form of a record, optionally in another coordinate system.

    Calls `on_loss` with a warning for each cell name in extension fields, which are not converted. Raises RecordError
    if the coordinates change and a turn does not name cells of the board.
    """
    data = canonical_form(record)
    if coordinates is None:
        return data
    for loss in find_kept_cells(data, coordinates):
        on_loss(loss)
    return in_coordinates(data, coordinates)


def _add_diagnostics(report: Report, diagnostics: Iterable[Diagnostic]) -> Report:
    """Return a report with more diagnostics, if there are any, located in its document."""
    diagnostics = [*diagnostics]
    if not diagnostics:
        return report
    if report.document is not None:
        diagnostics = report.document.locate(diagnostics, file=report.file, record=report.index, id=report.id)
    return report.copy(diagnostics=(*report.diagnostics, *diagnostics))


def _mark(record: Record, error: Diagnostic) -> Record:
    mark = {"code": error.code, "ply": error.ply, "message": error.message}
    data: Any = {**record.data, INVALID_MARK: {name: value for name, value in mark.items() if value is not None}}
    return Record(data, record.rules)


def texts(format: Format, records: Iterable[dict[str, Any]], on_loss: OnLoss) -> Iterator[str]:
    """Yield the strings of records in a format, given their canonical data.

    Raises RecordError for a record that the format refuses, or that would exceed the limits for reading it again.
    Raises TogetherError if the format does not allow the records in one file.
    """
    for text in format.write(records, on_loss):
        if len(text) > _SURELY_READ:
            _check_readable(format, text.encode())
        yield text


def _check_invalid(format: Format, text: str, error: Diagnostic) -> None:
    """Raise RecordError if an invalid record, given its first error, is valid in the format in which it is written."""
    if all(check_document(document).valid for document in format.read(io.BytesIO(text.encode()))):
        message = (
            f"in {format.title} this record would be valid, because its error {error.code} is lost: correct it first"
        )
        raise RecordError([Diagnostic("convert/error-lost", message, pointer=error.pointer)])


def _check_readable(format: Format, text: bytes) -> None:
    """Raise RecordError if a written record cannot be read again."""
    for document in format.read(io.BytesIO(text)):
        if document.error is not None:
            message = (
                f"written as {format.title}, this record takes {len(text):,} bytes and could not be read again: "
                f"{document.error.message}"
            )
            raise RecordError([Diagnostic("convert/too-large", message, pointer="")])


#: A possible cell name, not preceded by more letters or digits.
_WORD = re.compile(r"(?<![a-z0-9])[a-z]{1,2}[0-9]{1,2}(?![0-9])|\(?-?(?<![0-9])[0-9]{1,3},-?[0-9]{1,3}(?![0-9])\)?")


def find_kept_cells(data: Mapping[str, Any], system: System) -> list[Diagnostic]:
    """Return a warning for each preserved extension field that names a cell, if a record changes coordinates.

    Beyond a maximum, the last diagnostic counts the others.
    """
    old = data.get("coordinates", "row")
    kept_cells = FirstFew[Diagnostic]()
    fields = {field for name in formats.names() for field in formats.get(name).keeps}
    find = games.get(data["game"]).board(data["size"]).names(old).find
    for path, value in _extension_fields(data, (), fields) if old != system else ():
        if (word := _cell_in(value, find)) is not None:
            message = f"{path[-1]} names {shorten(word)}, which is not renamed: extension fields stay as they are"
            kept_cells.add(Diagnostic("convert/kept-cell", message, "warning", pointer=pointer_to(path)))
    return kept_cells.diagnostics("convert/more")


def _extension_fields(part: Mapping[str, Any], path: Path, fields: Container[str]) -> Iterator[tuple[Path, Any]]:
    """Yield the path and value of the named extension fields in a record or a turn, and in the turns it contains."""
    yield from (((*path, name), value) for name, value in part.items() if name in fields)
    variations = ((("variations", number), line) for number, line in enumerate(part.get("variations", ())))
    lines: list[tuple[Path, Any]] = [(("moves",), part.get("moves", ())), *variations]
    for where, line in lines:
        for index, move in enumerate(line):
            if isinstance(move, dict):
                yield from _extension_fields(move, (*path, *where, index), fields)


def _cell_in(value: Any, find: Callable[[str], int | None]) -> str | None:
    """Return the first cell name in the strings of a value."""
    if isinstance(value, str):
        return next((word[0] for word in _WORD.finditer(value) if find(word[0]) is not None), None)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next(filter(None, (_cell_in(part, find) for part in parts)), None)


def mirrored_name(source: Source, to: str) -> PurePath:
    """Return the name of a converted file below its directory: that below the searched one, with another suffix."""
    root = source.root
    name = file_name(source.name) if root is None else source.name.removeprefix(root).lstrip("/" + os.sep)
    path = PurePath(inner_name(name if root is not None else PurePath(name).name))
    return path.with_suffix(formats.suffixes_of_outputs(".json")[to][0])


#: The value of a field that a record does not have.
_UNKNOWN = "unknown"
#: The maximum length of a name in bytes, which leaves space for a number and a suffix.
_LONGEST = 200
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")

#: The fields of templates that have the name of a field of records.
_RECORD_FIELDS = ("game", "variant", "size", "date", "event", "site", "round")
#: All fields of templates.
FIELDS = (*_RECORD_FIELDS, "ruleset", "black", "white", "winner", "id", "file", "index")


class Template:
    """A template of file names such as ``{game}/{date}-{black}-{white}.yaml``, with the fields in `FIELDS`."""

    def __init__(self, text: str) -> None:
        """Raises ArgumentError."""
        try:
            parts = list(Formatter().parse(text))
        except ValueError:
            message = f"{text!r}: a brace has no counterpart: write a field as {{game}}, and a brace as {{{{ or }}}}"
            raise ArgumentError(message) from None
        for _, name, spec, conversion in parts:
            if name is None:
                continue
            if name not in FIELDS:
                raise ArgumentError(f"unknown field {{{name}}}; the fields are {', '.join(FIELDS)}")
            if conversion or not re.fullmatch(r"(?:0[0-9])?" if name in ("index", "size") else "", spec or ""):
                raise ArgumentError(f"{{{name}:{spec}}}: only index and size take a width, as in {{index:04}}")
        path = PurePosixPath(text)
        if path.is_absolute() or ".." in path.parts or text.endswith("/") or not path.name:
            raise ArgumentError(f"{text!r} should be the name of a file below the output directory")
        self._text = text
        self._used: set[str] = set()
        #: The last number appended to a name that occurred again.
        self._numbers: defaultdict[str, int] = defaultdict(lambda: 1)

    @property
    def file_name(self) -> str:
        """The last part of the template, whose suffix selects the format."""
        return PurePosixPath(self._text).name

    def name(self, converted: Converted) -> PurePosixPath:
        """Return the file name for a converted record, with a number if the name was used before."""
        path = PurePosixPath(*(_shorten_part(part) for part in PurePosixPath(self._fill(converted)).parts))
        stem, dot, suffix = path.name.partition(".")
        # Some file systems ignore case.
        key = str(path).casefold()
        name = path
        while str(name).casefold() in self._used:
            self._numbers[key] += 1
            name = path.with_name(f"{stem}-{self._numbers[key]}{dot}{suffix}")
        self._used.add(str(name).casefold())
        return name

    def _fill(self, converted: Converted) -> str:
        data, report = converted.data or {}, converted.report
        values: dict[str, Any] = {
            **{name: data.get(name) for name in _RECORD_FIELDS},
            **{color: data.get("players", {}).get(color, {}).get("name") for color in COLORS},
            "ruleset": report.record and report.record.ruleset,
            "winner": data.get("result", {}).get("winner"),
            "id": report.id,
            "file": PurePath(report.file or "").name.partition(".")[0],
            "index": report.index,
        }
        return self._text.format(
            **{name: value if isinstance(value, int) else safe(value or "") for name, value in values.items()}
        )


def safe(value: object) -> str:
    """Return a value as a part of a file name: letters, digits and a few signs; other characters become underscores."""
    text = normalize("NFC", str(value))
    replaced = "".join(char if category(char)[0] in "LMN" or char in "-+,()" else "_" for char in text)
    return re.sub("_+", "_", replaced).strip("_-") or _UNKNOWN


def _shorten_part(part: str) -> str:
    """Return a portable name of a file or directory: not too long, not reserved, without a leading dot."""
    stem, dot, suffix = part.lstrip(".").partition(".")
    # The template may have undecodable bytes; a character that is cut is dropped.
    encoded = stem.encode(errors="surrogateescape")
    stem = (stem if len(encoded) <= _LONGEST else encoded[:_LONGEST].decode(errors="ignore")) or _UNKNOWN
    return f"{stem}_{dot}{suffix}" if _RESERVED.fullmatch(stem) else f"{stem}{dot}{suffix}"
