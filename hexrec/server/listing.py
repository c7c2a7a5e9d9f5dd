"""Operations that list the records of a file and edit one record."""

from __future__ import annotations

from io import BytesIO
from typing import Annotated, Any, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from hexrec import formats
from hexrec.formats import Extent
from hexrec.formats.base import Document, Format
from hexrec.formats.json import parse_bytes
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output import to_text
from hexrec.record.record import Record
from hexrec.record.validation import RecordError, read_record
from hexrec.rules.terms import COLORS
from hexrec.server.parameters import FormatName
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, BodyOperation, Operation, Task, make_record_problem
from hexrec.tools.edit import files as edit
from hexrec.tools.edit.files import merge, same
from hexrec.tools.positions import positions
from hexrec.util.version import __version__
from hexrec.validation.clean import report_on
from hexrec.validation.report import Report, Summary, new_report
from hexrec.web.answers import Count, DiagnosticData, Result, SummaryData


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


class RecordPositions(TypedDict):
    """The positions of a record, as in the file that `hexrec positions` writes."""

    ruleset: str
    variant: str | None
    keys: Annotated[list[str], Field(description="The key of each position; images of a position have the same.")]
    turns: Annotated[
        list[str | None],
        Field(description="The next turn after each position, in the image with its key; null at the end."),
    ]


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
    positions: NotRequired[Annotated[RecordPositions | None, Field(description="Null for an invalid record.")]]


class RecordList(TypedDict):
    """The records of a file."""

    hexrec: Annotated[str, Field(description="Version of hexrec.")]
    notation: Annotated[FormatName, Field(description="Format of the body and of each part.")]
    summary: SummaryData
    records: list[ListedRecord]


class ListRecords(BodyOperation):
    """List the records: extent, players, event and validation result of each."""

    positions: bool = Field(False, description="Include the positions of valid records by their keys.")

    def run(self, task: Task) -> Answer:
        """Return the list. Raises Problem."""
        summary = Summary()
        entries = []
        for extent, found in task.examine_placed():
            report = report_on(found)
            summary.add_report(report, valid=report.valid)
            entry = _describe(report, extent)
            if self.positions:
                entry["positions"] = _list_positions(report.record) if report.valid and report.record else None
            entries.append(entry)
        data = {"hexrec": __version__, "notation": task.notation, "summary": summary.data(), "records": entries}
        return Answer(to_text(data).encode(), summary)


def _describe(report: Report, extent: Extent) -> dict[str, Any]:
    """Return the list entry of a record, with null for malformed metadata."""
    data = report.record.data if report.record else report.document.data if report.document else {}
    data = data if isinstance(data, dict) else {}
    about = report.to_dict()
    diagnostic = next((each.to_dict() for each in (*report.errors, *report.diagnostics)), None)
    players = data.get("players")
    players = players if isinstance(players, dict) else {}
    named = {color: player.get("name") for color in COLORS if isinstance(player := players.get(color), dict)}
    return {
        **{name: about[name] for name in ("index", "id", "game", "valid", "plies", "result")},
        "extent": extent._asdict(),
        "size": _keep_type(data.get("size"), int),
        "players": {color: _keep_type(named.get(color), str) for color in COLORS},
        "event": _keep_type(data.get("event"), str),
        "date": _keep_type(data.get("date"), str),
        "diagnostic": diagnostic,
    }


def _list_positions(record: Record) -> RecordPositions:
    keys, turns = positions(record)
    return {"ruleset": record.ruleset, "variant": record.variant, "keys": keys, "turns": turns}


def _keep_type(value: object, kind: type) -> object:
    return value if type(value) is kind else None


class EditRequest(TypedDict):
    """A request to edit a record in its part of a file."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)  # type: ignore[misc]

    text: Annotated[str, Field(description="The part of a file with the record.")]
    notation: Annotated[FormatName, Field(description="Format of the text.")]
    record: Annotated[Count, Field(description="Index of the record in the text.")]
    data: Annotated[dict[str, Any], Field(description="The new data of the record.")]


_EDIT: TypeAdapter[EditRequest] = TypeAdapter(EditRequest)


class EditRecord(Operation):
    """Edit one record in its part of a file."""

    offered = ("text/plain",)

    def run(self, task: Task) -> Answer:
        """Return the text with changes only where the data differs. Raises Problem."""
        wanted = _read_edit(task.body)
        documents: list[Document] = []

        def change(document: Document) -> dict[str, Any] | None:
            documents.append(document)
            if len(documents) != wanted["record"] + 1:
                return None
            if document.error is not None:
                raise Problem("cannot-be-edited", f"the record cannot be read: {document.error.message}")
            if (dialect := formats.dialect_of(document)) is not None:
                raise Problem("cannot-be-edited", _cannot_edit(dialect))
            return merge(document.data, wanted["data"])

        try:
            segments = list(edit.get(wanted["notation"], canonical=False)(BytesIO(wanted["text"].encode()), change))
        except (edit.EditError, ValueError) as error:
            raise Problem("cannot-be-edited", str(error)) from None
        if wanted["record"] >= len(documents):
            raise Problem("no-such-record", f"the text has no record {wanted['record']}: they are counted from 0")
        original = documents[wanted["record"]].data
        if not any(segment.changed for segment in segments) and not same(original, wanted["data"]):
            raise Problem("cannot-be-edited", _cannot_edit(formats.get(wanted["notation"])))
        made = b"".join(segment.new for segment in segments)
        return Answer(_restore_trailing_whitespace(wanted, made))


def _cannot_edit(format: Format) -> str:
    return f"records in the format {format.title} cannot be changed in place"


def _read_edit(body: bytes) -> EditRequest:
    document = parse_bytes(body)
    try:
        wanted = _EDIT.validate_python(document.data)
        read_record(wanted["data"], turns_unchecked=True)
    except ValidationError:
        names = ", ".join(formats.names())
        message = f"send an object with text, notation ({names}), record (a number) and data (an object)"
        raise Problem("bad-request", f"wrong body: {message}") from None
    except RecordError as error:
        report = new_report(Document(wanted["data"]), STANDARD_INPUT, wanted["record"])
        found = report.copy(diagnostics=tuple(error.diagnostics))
        raise make_record_problem(error.diagnostics[0].message, [found]) from None
    return wanted


def _restore_trailing_whitespace(wanted: EditRequest, made: bytes) -> bytes:
    """Return an edited text with its original trailing whitespace, unless that would change a value in YAML.

    Rewritten records lack the whitespace before the next record.
    """
    old = wanted["text"].encode()
    ended = made.rstrip() + old[len(old.rstrip()) :]
    read = formats.get(wanted["notation"]).read
    datas = [[document.data for document in read(BytesIO(text))] for text in (made, ended)]
    return ended if same(*datas) else made
