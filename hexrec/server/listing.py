"""Tasks that list the records of a file and edit one record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from typing_extensions import TypedDict

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.formats.extents import Extent
from hexrec.output.report_data import Count, DiagnosticData, Result, SummaryData
from hexrec.output.report_json import to_text
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import RecordError, read_record
from hexrec.rules.terms import COLORS
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, FormatName, Task
from hexrec.tools import edit
from hexrec.tools.edit.editor import same
from hexrec.util.version import __version__
from hexrec.validation.report import Report
from hexrec.validation.summary import Summary


class RecordExtent(TypedDict):
    """The part of a file with a record."""

    offset: Annotated[Count, Field(description="Offset of the part in bytes.")]
    size: Annotated[Count, Field(description="Size of the part in bytes.")]
    line: Annotated[Count, Field(description="Number of newlines before the part.")]
    record: Annotated[Count, Field(description="Index of the record within the part.")]


class PlayerNames(TypedDict):
    """The names of the players."""

    black: str | None
    white: str | None


class ListedRecord(TypedDict):
    """A record of a file: its extent, its metadata and its validation result."""

    index: Count
    extent: RecordExtent
    id: str | None
    game: str | None
    size: int | None
    players: PlayerNames
    event: str | None
    date: str | None
    valid: bool
    plies: Count
    result: Result
    diagnostic: Annotated[DiagnosticData | None, Field(description="The first error, or else the first warning.")]


class RecordList(TypedDict):
    """The records of a file."""

    hexrec: Annotated[str, Field(description="Version of hexrec.")]
    notation: Annotated[FormatName, Field(description="Format of the body and of each part.")]
    summary: SummaryData
    records: list[ListedRecord]


@dataclass(kw_only=True)
class ListRecords(Task):
    """List the records: extent, players, event and validation result of each."""

    def run(self) -> Answer:
        """Return the list. Raises Problem."""
        name, located = self.locate()
        extents: list[Extent] = []

        def collect_extents() -> Iterator[Document]:
            for extent, document in located:
                extents.append(extent)
                yield document

        summary = Summary()
        reports = summary.count(self.judged(self.limit(collect_extents())))
        whole = Extent(0, len(self.body))
        # A record on which hexrec fails has no extent.
        entries = [_entry(report, extents[n] if n < len(extents) else whole) for n, report in enumerate(reports)]
        data = {"hexrec": __version__, "notation": name, "summary": summary.data(), "records": entries}
        return Answer(to_text(data).encode(), summary)


def _entry(report: Report, extent: Extent) -> dict[str, Any]:
    """Return the list entry of a record, with null for malformed metadata."""
    data = report.document.data if report.document else None
    data = data if isinstance(data, dict) else {}
    players = data.get("players")
    players = players if isinstance(players, dict) else {}
    named = {color: player.get("name") for color in COLORS if isinstance(player := players.get(color), dict)}
    result = report.to_dict()
    diagnostics = [error.to_dict() for error in report.errors] or result["diagnostics"]
    return {
        "index": result["index"],
        "extent": extent._asdict(),
        "id": result["id"],
        "game": result["game"],
        "size": _of_type(data.get("size"), int),
        "players": {color: _of_type(named.get(color), str) for color in COLORS},
        "event": _of_type(data.get("event"), str),
        "date": _of_type(data.get("date"), str),
        "valid": result["valid"],
        "plies": result["plies"],
        "result": result["result"],
        "diagnostic": diagnostics[0] if diagnostics else None,
    }


def _of_type(value: object, kind: type) -> object:
    return value if type(value) is kind else None


class _Edit(NamedTuple):
    """A request to edit a record.

    Attributes:
        text: the part of a file with the record.
        notation: the format of the text.
        record: the index of the record in the text, from 0.
        data: the new data of the record.
    """

    text: str
    notation: str
    record: int
    data: dict[str, Any]


@dataclass(kw_only=True)
class EditRecord(Task):
    """Edit one record in its part of a file."""

    def run(self) -> Answer:
        """Return the text with changes only where the data differs. Raises Problem."""
        asked = self._asked()
        counted = -1
        found = None

        def change(document: Document) -> dict[str, Any] | None:
            nonlocal counted, found
            counted += 1
            if counted != asked.record:
                return None
            if document.error is not None:
                raise Problem("cannot-be-edited", f"the record cannot be read: {document.error.message}")
            found = document
            return _merged(document.data, asked.data)

        try:
            segments = list(edit.get(asked.notation).patch(BytesIO(asked.text.encode()), change))
        except (edit.EditError, ValueError) as error:
            raise Problem("cannot-be-edited", str(error)) from None
        if found is None:
            raise Problem("no-such-record", f"the text has no record {asked.record}: they are counted from 0")
        if not any(segment.changed for segment in segments) and not same(found.data, asked.data):
            title = formats.get(asked.notation).title
            raise Problem("cannot-be-edited", f"records in the format {title} cannot be changed in place")
        made = b"".join(segment.new for segment in segments)
        return Answer(_restore_trailing_whitespace(asked, made), Summary())

    def _asked(self) -> _Edit:
        (document,) = formats.read("json", BytesIO(self.body))
        data = document.data
        kinds = {"text": str, "notation": str, "record": int, "data": dict}
        if not isinstance(data, dict) or {name: type(value) for name, value in data.items()} != kinds:
            raise Problem(
                "bad-request", "wrong body: send an object with text, notation, record (a number) and data (an object)"
            )
        if not formats.is_known(data["notation"]):
            raise Problem("bad-request", f"unknown format: notation is one of {', '.join(formats.names())}")
        try:
            read_record(data["data"], turns_unchecked=True)
        except RecordError as error:
            diagnostics = [each.to_dict() for each in error.diagnostics]
            raise Problem("bad-record", error.diagnostics[0].message, {"diagnostics": diagnostics}) from None
        return _Edit(**data)


def _merged(raw: Any, new: dict[str, Any]) -> dict[str, Any]:
    """Return new data of a record, with defaults and the order of fields as in `raw` where both are equivalent."""
    try:
        old = canonical_form(read_record(raw, turns_unchecked=True))
    except RecordError:
        return new
    wanted = canonical_form(read_record(new, turns_unchecked=True))
    merged: dict[str, Any] = _merged_value(raw, old, wanted)
    try:
        found = canonical_form(read_record(merged, turns_unchecked=True))
    except RecordError:  # a recorded default, such as the ruleset, may be invalid for a new game
        return new
    return merged if same(found, wanted) else new


def _merged_value(raw: Any, old: Any, new: Any) -> Any:
    """Return the new value, with the parts of `raw` whose canonical form did not change."""
    if same(old, new):
        return raw
    if isinstance(raw, dict) and isinstance(old, dict) and isinstance(new, dict):
        kept = {name: value for name, value in raw.items() if name in new or name not in old}
        merged = {name: _merged_value(value, old.get(name), new.get(name)) for name, value in kept.items()}
        more = {name: value for name, value in new.items() if name not in raw}
        return merged | more
    if isinstance(raw, list) and isinstance(old, list) and isinstance(new, list) and len(raw) == len(old):
        both = min(len(old), len(new))
        return [*map(_merged_value, raw[:both], old[:both], new[:both]), *new[both:]]
    return new


def _restore_trailing_whitespace(asked: _Edit, made: bytes) -> bytes:
    """Return an edited text with its original trailing whitespace, unless that would change a value in YAML.

    Rewritten records lack the whitespace before the next record.
    """
    old = asked.text.encode()
    ended = made.rstrip() + old[len(old.rstrip()) :]
    read = formats.get(asked.notation).read
    datas = [[document.data for document in read(BytesIO(text))] for text in (made, ended)]
    return ended if same(*datas) else made
