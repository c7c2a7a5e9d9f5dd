"""The tasks by which a file of many records is looked through, counted and corrected, without sending it again."""

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
    """The part of a file that holds a record."""

    offset: Annotated[Count, Field(description="How many bytes are before it.")]
    size: Annotated[Count, Field(description="How many bytes it has.")]
    line: Annotated[Count, Field(description="How many line ends are before it.")]
    record: Annotated[Count, Field(description="Which of the records that this part holds by itself is meant.")]


class PlayerNames(TypedDict):
    """The names of the players."""

    black: str | None
    white: str | None


class ListedRecord(TypedDict):
    """A record of a file: where it stands, what it says of itself, and its verdict."""

    index: Count
    extent: RecordExtent
    id: str | None
    game: str | None
    size: int | None
    players: PlayerNames
    date: str | None
    valid: bool
    plies: Count
    result: Result
    diagnostic: Annotated[DiagnosticData | None, Field(description="The first error, or else the first warning.")]


class RecordList(TypedDict):
    """The records of a file."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    notation: Annotated[FormatName, Field(description="What the body, and each part of it, is read as.")]
    summary: SummaryData
    records: list[ListedRecord]


@dataclass(kw_only=True)
class ListRecords(Task):
    """Where each record stands in the body, who played, and its verdict."""

    def run(self) -> Answer:
        """List the records. Raises Problem."""
        name, found = self.placed()
        extents: list[Extent] = []

        def noting() -> Iterator[Document]:
            for extent, document in found:
                extents.append(extent)
                yield document

        summary = Summary()
        reports = summary.count(self.judged(self.limited(noting())))
        whole = Extent(0, len(self.body))
        # What hexrec failed to read has no extent of its own.
        entries = [_entry(report, extents[n] if n < len(extents) else whole) for n, report in enumerate(reports)]
        data = {"hexrec": __version__, "notation": name, "summary": summary.data(), "records": entries}
        return Answer(to_text(data).encode(), summary)


def _entry(report: Report, extent: Extent) -> dict[str, Any]:
    """Return what the list says of a record; of what it says of itself, as much as is well formed."""
    data = report.document.data if report.document else None
    data = data if isinstance(data, dict) else {}
    players = data.get("players")
    players = players if isinstance(players, dict) else {}
    named = {color: player.get("name") for color in COLORS if isinstance(player := players.get(color), dict)}
    told = report.to_dict()
    diagnostics = [error.to_dict() for error in report.errors] or told["diagnostics"]
    return {
        "index": told["index"],
        "extent": extent._asdict(),
        "id": told["id"],
        "game": told["game"],
        "size": _of_type(data.get("size"), int),
        "players": {color: _of_type(named.get(color), str) for color in COLORS},
        "date": _of_type(data.get("date"), str),
        "valid": told["valid"],
        "plies": told["plies"],
        "result": told["result"],
        "diagnostic": diagnostics[0] if diagnostics else None,
    }


def _of_type(value: object, kind: type) -> object:
    return value if type(value) is kind else None


class _Edit(NamedTuple):
    """What an edit is made of.

    Attributes:
        text: the part of a file that holds the record.
        format: what it is written in.
        record: which of the records in it is meant, counted from 0.
        data: what the record should be.
    """

    text: str
    notation: str
    record: int
    data: dict[str, Any]


@dataclass(kw_only=True)
class EditRecord(Task):
    """The part of a file that holds a record, with that record changed."""

    def run(self) -> Answer:
        """Change what differs, and leave the rest as it is. Raises Problem."""
        asked = self._asked()
        counted = -1
        found = None

        def change(document: Document) -> dict[str, Any] | None:
            nonlocal counted, found
            counted += 1
            if counted != asked.record:
                return None
            if document.error is not None:
                raise Problem("cannot-be-edited", f"correct its text first: {document.error.message}")
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
            raise Problem("cannot-be-edited", f"records in the format {title} are read, and not changed in place")
        made = b"".join(segment.new for segment in segments)
        return Answer(_with_end_of(asked, made), Summary())

    def _asked(self) -> _Edit:
        (document,) = formats.read("json", BytesIO(self.body))
        data = document.data
        kinds = {"text": str, "notation": str, "record": int, "data": dict}
        if not isinstance(data, dict) or {name: type(value) for name, value in data.items()} != kinds:
            raise Problem("bad-request", "the body is JSON with text, format, record (a number) and data (an object)")
        if not formats.is_known(data["notation"]):
            raise Problem("bad-request", f"format should be one of {', '.join(formats.names())}")
        try:
            read_record(data["data"], turns_unchecked=True)
        except RecordError as error:
            diagnostics = [each.to_dict() for each in error.diagnostics]
            raise Problem("bad-record", error.diagnostics[0].message, {"diagnostics": diagnostics}) from None
        return _Edit(**data)


def _merged(raw: Any, new: dict[str, Any]) -> dict[str, Any]:
    """Return new data of a record, written as `raw` has it where both mean the same: defaults, the order of fields."""
    try:
        old = canonical_form(read_record(raw, turns_unchecked=True))
    except RecordError:
        return new
    wanted = canonical_form(read_record(new, turns_unchecked=True))
    merged: dict[str, Any] = _merged_value(raw, old, wanted)
    try:
        found = canonical_form(read_record(merged, turns_unchecked=True))
    except RecordError:  # a default that was written, such as the ruleset, may be one of the old game alone
        return new
    return merged if same(found, wanted) else new


def _merged_value(raw: Any, old: Any, new: Any) -> Any:
    """Return a new value, with those parts of the raw one whose canonical form is the same in the old and the new."""
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


def _with_end_of(asked: _Edit, made: bytes) -> bytes:
    """Return an edited text with the blanks at its end that it had: what is written anew lacks those before the next.

    In YAML they may belong to a value; then they are what the editor made of them.
    """
    old = asked.text.encode()
    ended = made.rstrip() + old[len(old.rstrip()) :]
    read = formats.get(asked.notation).read
    datas = [[document.data for document in read(BytesIO(text))] for text in (made, ended)]
    return ended if same(*datas) else made
