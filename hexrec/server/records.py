"""Operations on all records of a body: validation, scores and conversion."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO
from typing import Annotated, Any, cast

from pydantic import Field
from typing_extensions import TypedDict

from hexrec.formats.base import TogetherError
from hexrec.output import report_formats, rows, to_text
from hexrec.output.totals import Totals
from hexrec.rules.board import System
from hexrec.server import negotiation
from hexrec.server.parameters import FormatName, SystemName
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, BodyOperation, Task, make_record_problem
from hexrec.tools.convert import Conversion
from hexrec.tools.duplicates import Duplicates
from hexrec.tools.suggestions import Suggester
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary
from hexrec.web.answers import ReportData

#: The maximum number of records with suggestions in an answer: clients wait for it.
MAX_SUGGESTED = 20


class ValidateRecords(BodyOperation):
    """Validate the records and write a report."""

    offered = negotiation.REPORTS
    answers_here = True

    finished: bool = Field(False, description="Require a result in every record.")
    lint: bool = Field(False, description="Warn about probable mistakes.")

    def run(self, task: Task) -> Answer:
        """Return the report."""
        out = StringIO()
        # Chance decides which streamed lines share a task, so suggestions would not be reproducible.
        suggester = None if task.partial else Suggester(MAX_SUGGESTED)
        reports: Iterable[Report] = task.validate(finished=self.finished, lint=self.lint, suggester=suggester)
        if self.lint:
            reports = Duplicates().find(reports)
        summary = report_formats.write(negotiation.REPORTS[task.media_type], reports, out)
        return Answer(_encode(out), summary)


class ScoreRecords(BodyOperation):
    """Score the records, one row each."""

    offered = negotiation.ROWS
    answers_here = True

    def run(self, task: Task) -> Answer:
        """Return the rows."""
        totals = Totals()
        out = StringIO()
        writer = rows.get(negotiation.ROWS[task.media_type])
        writer.write(totals.count(map(rows.make_row, task.examine())), out)
        return Answer(_encode(out), totals.summary)


class AbstractPlayRecord(TypedDict):
    """A record of Abstract Play, as in the JSON Schema of that site."""

    header: dict[str, Any]
    moves: list[Any]


class ConvertedRecord(ReportData):
    """The report on one record, and its text in the other format."""

    text: Annotated[str | None, Field(description="The converted record; null if it was not converted.")]


class ConvertedRecords(TypedDict):
    """The records of a body, converted separately."""

    hexrec: Annotated[str, Field(description="Version of hexrec.")]
    to: FormatName
    records: list[ConvertedRecord]


class ConvertRecords(BodyOperation):
    """Convert the records to another format."""

    to: FormatName | None = Field(None, description="Output format; default: by the header Accept.")
    coordinates: SystemName | None = Field(None, description="Output coordinate system; default: that of the record.")
    strict: bool = Field(False, description="Refuse records that would lose data.")
    invalid: bool = Field(False, description="Convert invalid records too, marked as invalid.")
    report: bool = Field(False, description="Return each record separately, with its report.")

    def choose_media_type(self, accept: str | None) -> str:
        """Return the media type of the answer. Raises Problem."""
        if self.report:
            return negotiation.choose(accept, (negotiation.JSON, negotiation.LINES))
        if not self.to:
            return negotiation.choose(accept, negotiation.RECORD_TYPES)
        types = negotiation.find_media_types(self.to)
        try:
            return negotiation.choose(accept, types)
        except Problem:  # a default of the client, such as that of `curl --json`
            return types[0]

    def run(self, task: Task) -> Answer:
        """Return the converted records. Without `report`, raises Problem if a record cannot be converted."""
        summary = Summary()
        reports = summary.count(task.validate())
        to = self.to or ("json" if self.report else negotiation.FORMATS[task.media_type])
        conversion = Conversion(to, cast(System | None, self.coordinates), self.strict, self.invalid)
        if not self.report:
            return self._join(conversion, reports, summary)
        conversions = map(conversion.convert, reports)
        entries = [{**converted.report.to_dict(), "text": converted.text} for converted in conversions]
        if task.media_type == negotiation.LINES:
            return Answer("".join(f"{to_text(entry)}\n" for entry in entries).encode(), summary)
        return Answer(to_text({"hexrec": __version__, "to": to, "records": entries}).encode(), summary)

    def _join(self, conversion: Conversion, reports: Iterable[Report], summary: Summary) -> Answer:
        texts = []
        left_out = []
        warnings = 0
        try:
            for converted in conversion.join(reports):
                if converted.text is None:
                    left_out.append(converted.report)
                else:
                    texts.append(converted.text)
                    warnings += len(converted.report.diagnostics)
        except TogetherError as error:
            raise Problem("cannot-be-joined", str(error)) from None
        if left_out:
            raise make_record_problem("nothing is converted: some records are invalid or would lose data", left_out)
        return Answer("".join(texts).encode(), summary, {"Hexrec-Warnings": str(warnings)})


def _encode(out: StringIO) -> bytes:
    return out.getvalue().encode(errors="backslashreplace")
