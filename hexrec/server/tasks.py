"""The tasks of workers: pure functions from the bytes of a body to the bytes of an answer.

Nothing in a body is ever opened: no path, no address.
"""

from __future__ import annotations

import gzip
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO, StringIO
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, cast

from pydantic import Field
from typing_extensions import TypedDict

from hexrec import formats
from hexrec.formats import json_values
from hexrec.formats.base import Document, TogetherError
from hexrec.formats.extents import Extent, placed
from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.output import report_formats, rows
from hexrec.output.report_data import Count, Number, ReportData, Score, Winner
from hexrec.output.report_json import to_text
from hexrec.parallel.chunks import START, Offset
from hexrec.parallel.tasks import moved
from hexrec.record.record import Record
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.server.parameters import ConvertParameters, Parameters, RecordParameters, ValidateParameters
from hexrec.server.problems import Problem
from hexrec.tools.convert import Conversion
from hexrec.tools.dedupe import Duplicates
from hexrec.tools.suggestions import Suggester, SuggestionLimits
from hexrec.util.version import __version__
from hexrec.validation.lint import Lint
from hexrec.validation.report import Report, failed
from hexrec.validation.summary import Summary
from hexrec.validation.verdict import check_document, within_rules

#: Suggestions in an answer: for a few records, as many clients wait.
_SUGGESTIONS = SuggestionLimits(records=20)
#: Answers with fewer bytes than this are not compressed.
_WORTH_PACKING = 1 << 10
#: How much time is spent on that: a higher level saves few bytes more.
_LEVEL = 5
GameName = Annotated[str, Field(json_schema_extra={"enum": list(games.names())})]
FormatName = Annotated[str, Field(json_schema_extra={"enum": list(formats.names())})]


class Answer(NamedTuple):
    """What came of a task.

    Attributes:
        body: the answer.
        summary: the sums over the records that were judged.
        headers: what the header of the answer says of it.
        turns: how many turns the records have, legal or not.
        problem: the limit that the records after those answered are beyond.
    """

    body: bytes
    summary: Summary
    headers: Mapping[str, str] = {}
    turns: int = 0
    problem: Problem | None = None


@dataclass(kw_only=True)
class Task(ABC):
    """Something to be done with a body.

    Attributes:
        body: the body, or whole lines of it.
        given: the parameters of the address.
        format: what it is written in; None if the content is to tell.
        records, plies: how many there may be; turns of variations, and other turns beside the game, are plies too.
        offset: how many records and lines have come before.
        partial: whether the records within the limits are answered if there are more.
        packed: whether the answer may be compressed with gzip.
        unpacks_to: how many bytes the body, compressed with gzip, may have without that; None if it is not compressed.
        turns: how many turns have been found in it.
        problem: the limit that it is beyond, if the records within it are to be answered.
    """

    body: bytes = field(repr=False)
    given: Parameters = field(default_factory=Parameters)
    notation: str | None
    records: int
    plies: int
    offset: Offset = START
    partial: bool = False
    packed: bool = False
    unpacks_to: int | None = None
    turns: int = field(default=0, init=False)
    problem: Problem | None = field(default=None, init=False)

    def answer(self) -> Answer:
        """Do it, and say what was found. Raises Problem."""
        if self.unpacks_to is not None:
            return replace(self, body=_decompress(self.body, self.unpacks_to), unpacks_to=None).answer()
        made = self.run()
        body, headers = made.body, made.headers
        if self.packed and len(body) >= _WORTH_PACKING:
            body, headers = gzip.compress(body, _LEVEL, mtime=0), {**headers, "Content-Encoding": "gzip"}
        return made._replace(body=body, headers=headers, turns=self.turns, problem=self.problem)

    @abstractmethod
    def run(self) -> Answer:
        """Do it. Raises Problem."""

    def documents(self) -> Iterator[Document]:
        """Yield the records of the body. Raises Problem when there are too many, or too many turns."""
        # Whether a body is text is seen from its first line: what comes later has a blank line before it.
        lead = b"\n" if self.offset.lines else b""
        name, stream = Source(STANDARD_INPUT, self.notation).recognize(BytesIO(lead + self.body))
        if self.is_list(name):
            return self.limited(json_values.LIST.read(stream))
        return self.limited(formats.read(name, stream))

    def placed(self) -> tuple[str, Iterator[tuple[Extent, Document]]]:
        """Return the format of the body, and its records with the part of it that holds each, without a limit."""
        name, _ = Source(STANDARD_INPUT, self.notation).recognize(BytesIO(self.body))
        name, _ = formats.recognize_dialect(name, BytesIO(self.body))
        if self.is_list(name):
            return name, placed(json_values.LIST, self.body)
        return name, formats.read_placed(name, self.body)

    def is_list(self, name: str) -> bool:
        """Return whether the body, in a format, is a JSON list, which here is many records."""
        if name != "json" or not json_values.is_list(self.body):
            return False
        return formats.recognize_dialect(name, BytesIO(self.body))[0] == name

    def limited(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents of the body. Raises Problem when there are too many, or too many turns."""
        for index, document in enumerate(documents):
            if index >= self.records:
                raise Problem("too-many-records", "send fewer records in a body")
            turns = count_turns(document.data.get("moves")) if isinstance(document.data, dict) else 0
            if self.turns + turns > self.plies:
                raise Problem("too-many-plies", "send fewer records in a body, or shorter ones")
            self.turns += turns
            yield document

    def judged(
        self,
        documents: Iterable[Document] | None = None,
        *,
        finished: bool = False,
        lint: Lint | None = None,
        suggester: Suggester | None = None,
    ) -> Iterator[Report]:
        """Yield the verdicts on the records; what hexrec fails on gets one that says so. Raises Problem.

        The `documents` are those of the body, which are read if they are not given. All are read before the first is
        judged: reading takes a small part of the time, and limits are known then.
        """
        index, lines = self.offset
        lines = max(0, lines - 1)
        try:
            for document in self._read_ahead(self.documents() if documents is None else documents):
                report = check_document(document, STANDARD_INPUT, index, finished=finished, lint=lint)
                yield moved(suggester.add(report) if suggester else report, lines)
                index += 1
        except (Problem, MemoryError):
            raise
        except Exception as error:
            yield failed(Report((), file=STANDARD_INPUT, index=index), error)

    def _read_ahead(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield documents when all are read, and then raise what ended that before its time."""
        read: list[Document] = []
        ended: Exception | None = None
        try:
            read.extend(documents)
        except Problem as problem:
            if not self.partial:
                raise
            self.problem = problem
        except Exception as error:
            ended = error
        yield from read
        if ended is not None:
            raise ended


@dataclass(kw_only=True)
class ValidateRecords(Task):
    """Verdicts, as a report of the command line writes them."""

    given: ValidateParameters = field(default_factory=ValidateParameters)
    report: str

    def run(self) -> Answer:
        """Judge the records."""
        out = StringIO()
        lint = Lint() if self.given.lint else None
        # Of lines that are answered as they come, it depends on chance which are in one task.
        suggester = None if self.partial else Suggester(_SUGGESTIONS)
        found: Iterable[Report] = self.judged(finished=self.given.finished, lint=lint, suggester=suggester)
        if lint:
            found = Duplicates().find(found)
        summary = report_formats.write(self.report, found, out)
        return Answer(_encoded(out), summary)


_Value = TypeVar("_Value")
Recorded = Annotated[_Value | None, Field(description="As recorded.")]


class ScoreRow(TypedDict):
    """The scores of one record. What is unknown is null."""

    file: Literal["-"]
    index: Count
    id: str | None
    game: str | None
    ruleset: str | None
    variant: str | None
    size: int | None
    plies: Count
    winner: Winner | None
    termination: str | None
    black: Score | None
    white: Score | None
    claimed_winner: Annotated[Winner | None, Field(description="The winner that the record names.")]
    agrees: Annotated[bool | None, Field(description="Whether all that the record says of its result holds.")]
    code: Annotated[str | None, Field(description="The code of the first error.")]
    ply: Annotated[Number | None, Field(description="The turn in which that was found.")]
    message: str | None
    hash: Annotated[str | None, Field(description="The game hash: the same for all records of the same game.")]
    event: Recorded[str]
    site: Recorded[str]
    round: Recorded[str]
    date: Recorded[str]
    rated: Recorded[bool]
    black_name: Recorded[str]
    black_id: Recorded[str]
    black_rating: Recorded[float]
    black_bot: Recorded[bool]
    white_name: Recorded[str]
    white_id: Recorded[str]
    white_rating: Recorded[float]
    white_bot: Recorded[bool]


@dataclass(kw_only=True)
class ScoreRecords(Task):
    """A row for each record, as the command line writes it."""

    format: str

    def run(self) -> Answer:
        """Score the records."""
        summary = Summary()
        out = StringIO()
        rows.get(self.format).write(rows.batches(summary.count(self.judged())), out)
        return Answer(_encoded(out), summary)


class AbstractPlayRecord(TypedDict):
    """A record of Abstract Play, as that site's own schema describes it."""

    header: dict[str, Any]
    moves: list[Any]


class ConvertedRecord(ReportData):
    """The verdict on one record, and its text in the other format."""

    text: Annotated[str | None, Field(description="Null if the record was not converted.")]


class ConvertedRecords(TypedDict):
    """The records of a body, each converted by itself."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    to: FormatName
    records: list[ConvertedRecord]


@dataclass(kw_only=True)
class ConvertRecords(Task):
    """The records in another format.

    Attributes:
        layout: `text` for all of them together in the format; `json` and `jsonl` for each alone, with its verdict.
    """

    given: ConvertParameters = field(default_factory=ConvertParameters)
    to: str
    layout: str

    def run(self) -> Answer:
        """Convert the records. Raises Problem if one cannot be converted and nothing else would tell of it."""
        summary = Summary()
        found = summary.count(self.judged())
        system = cast(System | None, self.given.coordinates)
        conversion = Conversion(self.to, system, self.given.strict, self.given.invalid)
        if self.layout == "text":
            return self._together(conversion, found, summary)
        entries = [{**each.report.to_dict(), "text": each.text} for each in conversion.apart(found)]
        if self.layout == "jsonl":
            return Answer("".join(f"{to_text(entry)}\n" for entry in entries).encode(), summary)
        return Answer(to_text({"hexrec": __version__, "to": self.to, "records": entries}).encode(), summary)

    def _together(self, conversion: Conversion, found: Iterable[Report], summary: Summary) -> Answer:
        texts = []
        left_out = []
        warnings = 0
        try:
            for each in conversion.joined(found):
                if each.text is None:
                    left_out.append(each.report)
                else:
                    texts.append(each.text)
                    warnings += len(each.report.diagnostics)
        except TogetherError as error:
            raise Problem("cannot-be-joined", str(error)) from None
        if left_out:
            raise _bad_records("not converted, because of the records below", left_out)
        return Answer("".join(texts).encode(), summary, {"Hexrec-Warnings": str(warnings)})


@dataclass(kw_only=True)
class RecordTask(Task):
    """Something that is done with one record of the body."""

    given: RecordParameters = field(default_factory=RecordParameters)

    def document(self) -> Document:
        """Return the record as it is in the body. Raises Problem if it is not there."""
        document = next(islice(self.documents(), self.given.record, None), None)
        if document is None:
            raise Problem("no-such-record", f"the body has no record {self.given.record}: they are counted from 0")
        return within_rules(document)

    def read(self) -> Record:
        """Return the record. Raises Problem."""
        document = self.document()
        try:
            if document.error is not None:
                raise RecordError([document.error])
            return read_record(document.data, turns_unchecked=True)
        except RecordError:
            report = check_document(document, STANDARD_INPUT, self.given.record)
            raise _bad_records("the record cannot be read", [report]) from None


def _decompress(body: bytes, most: int) -> bytes:
    """Return the content of gzip data, if it has at most so many bytes. Raises Problem."""
    try:
        with gzip.open(BytesIO(body)) as stream:
            content = stream.read(most + 1)
    except (OSError, EOFError, zlib.error):
        raise Problem("bad-request", "the body is not valid gzip data, or its end is missing") from None
    if len(content) > most:
        raise Problem("body-too-large", f"a body may have at most {most} bytes")
    return content


def count_turns(moves: object) -> int:
    """Return how many turns a line of a record's data has, with all that stand beside it."""
    count = 0
    waiting = [moves]
    while waiting:
        line = waiting.pop()
        if not isinstance(line, list):
            continue
        count += len(line)
        for move in line:
            if isinstance(move, dict):
                evaluation, variations = move.get("eval"), move.get("variations")
                waiting += [move.get("taken_back"), evaluation.get("line") if isinstance(evaluation, dict) else None]
                waiting += variations if isinstance(variations, list) else ()
    return count


def _bad_records(detail: str, reports: Sequence[Report]) -> Problem:
    """Return the problem of records that cannot be used, be it for an error in hexrec."""
    name = "failed" if any(report.failed for report in reports) else "bad-record"
    return Problem(name, detail, {"records": [report.to_dict() for report in reports]})


def _encoded(out: StringIO) -> bytes:
    return out.getvalue().encode(errors="backslashreplace")
