"""The tasks of workers: pure functions from the bytes of a body to the bytes of an answer.

Nothing in a body is ever opened: no path, no address.
"""

from __future__ import annotations

import gzip
import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO, StringIO
from itertools import islice
from typing import Any, NamedTuple

from hexrec import notations, reporters, rows
from hexrec._version import __version__
from hexrec.batch.tasks import START, Offset, shifted
from hexrec.board import System
from hexrec.conversion.conversion import Conversion
from hexrec.dedup.duplicates import Duplicates
from hexrec.diagnostics import Diagnostic
from hexrec.files.discovery import STANDARD_INPUT, Source
from hexrec.games import Position
from hexrec.notations import json_values
from hexrec.notations.base import Document, TogetherError
from hexrec.notations.extents import Extent, placed
from hexrec.record import Record, RecordError, read_record
from hexrec.render import MissingRenderer, Style, gif, png, svg, view_of, views
from hexrec.render.explanation import entry as explanation_of
from hexrec.reporters import Summary
from hexrec.server.problems import Problem
from hexrec.validation import Replay, Report, check_document, replay
from hexrec.validation.lint import Lint
from hexrec.validation.report import failed
from hexrec.validation.verdict import within_rules
from hexrec.web import replay_data

#: Pictures hold style sheets, and nothing else that a browser could load or run.
_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
#: How many pixels wide a picture of pixels may be: each takes four bytes and more.
_WIDEST = 3_000
#: Answers with fewer bytes than this are not compressed.
_WORTH_PACKING = 1 << 10
#: How much time is spent on that: a higher level saves few bytes more.
_LEVEL = 5


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


class _Found:
    """What was found in a body, beside its records.

    Attributes:
        turns: how many turns its records have.
        problem: the limit that it is beyond, if the records within it are to be answered.
    """

    def __init__(self) -> None:
        self.turns = 0
        self.problem: Problem | None = None


@dataclass(frozen=True, kw_only=True)
class Task(ABC):
    """Something to be done with a body.

    Attributes:
        body: the body, or whole lines of it.
        notation: what it is written in; None if the content is to tell.
        records, plies: how many there may be; turns of variations, and other turns beside the game, are plies too.
        offset: how many records and lines have come before.
        partial: whether the records within the limits are answered if there are more.
        packed: whether the answer may be compressed with gzip.
        unpacks_to: how many bytes the body, compressed with gzip, may have without that; None if it is not compressed.
    """

    body: bytes = field(repr=False)
    notation: str | None
    records: int
    plies: int
    offset: Offset = START
    partial: bool = False
    packed: bool = False
    unpacks_to: int | None = None
    _found: _Found = field(default_factory=_Found, init=False, repr=False, compare=False)

    def answer(self) -> Answer:
        """Do it, and say what was found. Raises Problem."""
        if self.unpacks_to is not None:
            return replace(self, body=_decompress(self.body, self.unpacks_to), unpacks_to=None).answer()
        made = self.run()
        body, headers = made.body, made.headers
        if self.packed and len(body) >= _WORTH_PACKING:
            body, headers = gzip.compress(body, _LEVEL, mtime=0), {**headers, "Content-Encoding": "gzip"}
        return made._replace(body=body, headers=headers, turns=self._found.turns, problem=self._found.problem)

    @abstractmethod
    def run(self) -> Answer:
        """Do it. Raises Problem."""

    def documents(self) -> Iterator[Document]:
        """Yield the records of the body. Raises Problem when there are too many, or too many turns."""
        # Whether a body is text is seen from its first line: what comes later has a blank line before it.
        lead = b"\n" if self.offset.lines else b""
        name, stream = Source(STANDARD_INPUT, self.notation).recognise(BytesIO(lead + self.body))
        if self.is_list(name):
            return self.limited(json_values.LIST.read(stream))
        return self.limited(notations.read(name, stream))

    def placed(self) -> tuple[str, Iterator[tuple[Extent, Document]]]:
        """Return the notation of the body, and its records with the part of it that holds each, without a limit."""
        name, _ = Source(STANDARD_INPUT, self.notation).recognise(BytesIO(self.body))
        name, _ = notations.recognise_dialect(name, BytesIO(self.body))
        if self.is_list(name):
            return name, placed(json_values.LIST, self.body)
        return name, notations.read_placed(name, self.body)

    def is_list(self, name: str) -> bool:
        """Return whether the body, in a notation, is a JSON list, which here is many records."""
        if name != "json" or not json_values.is_list(self.body):
            return False
        return notations.recognise_dialect(name, BytesIO(self.body))[0] == name

    def limited(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents of the body. Raises Problem when there are too many, or too many turns."""
        for index, document in enumerate(documents):
            if index >= self.records:
                raise Problem("too-many-records", "send fewer records in a body")
            turns = count_turns(document.data.get("moves")) if isinstance(document.data, dict) else 0
            if self._found.turns + turns > self.plies:
                raise Problem("too-many-plies", "send fewer records in a body, or shorter ones")
            self._found.turns += turns
            yield document

    def judged(
        self, documents: Iterable[Document] | None = None, *, finished: bool = False, lint: Lint | None = None
    ) -> Iterator[Report]:
        """Yield the verdicts on the records; what hexrec fails on gets one that says so. Raises Problem.

        The `documents` are those of the body, which are read if they are not given. All are read before the first is
        judged: reading takes a small part of the time, and limits are known then.
        """
        before = self.offset._replace(lines=self.offset.lines - 1) if self.offset.lines else self.offset
        index = 0
        try:
            for document in self._read_ahead(self.documents() if documents is None else documents):
                yield shifted(check_document(document, STANDARD_INPUT, index, finished=finished, lint=lint), before)
                index += 1
        except (Problem, MemoryError):
            raise
        except Exception as error:
            yield shifted(failed(Report((), file=STANDARD_INPUT, index=index), error), before)

    def _read_ahead(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield documents when all are read, and then raise what ended that before its time."""
        read: list[Document] = []
        ended: Exception | None = None
        try:
            read.extend(documents)
        except Problem as problem:
            if not self.partial:
                raise
            self._found.problem = problem
        except Exception as error:
            ended = error
        yield from read
        if ended is not None:
            raise ended


@dataclass(frozen=True, kw_only=True)
class ValidateRecords(Task):
    """Verdicts, as a report of the command line writes them."""

    report: str
    finished: bool = False
    lint: bool = False

    def run(self) -> Answer:
        """Judge the records."""
        out = StringIO()
        found: Iterable[Report] = self.judged(finished=self.finished, lint=Lint() if self.lint else None)
        if self.lint:
            found = Duplicates().find(found)
        summary = reporters.write(self.report, found, out)
        return Answer(_encoded(out), summary)


@dataclass(frozen=True, kw_only=True)
class ScoreRecords(Task):
    """A row for each record, as the command line writes it."""

    format: str

    def run(self) -> Answer:
        """Score the records."""
        summary = Summary()
        out = StringIO()
        rows.get(self.format).write(rows.batches(summary.count(self.judged())), out)
        return Answer(_encoded(out), summary)


@dataclass(frozen=True, kw_only=True)
class ConvertRecords(Task):
    """The records in another notation.

    Attributes:
        layout: `text` for all of them together in the notation; `json` and `jsonl` for each alone, with its verdict.
    """

    to: str
    layout: str
    coordinates: System | None = None
    strict: bool = False
    invalid: bool = False

    def run(self) -> Answer:
        """Convert the records. Raises Problem if one cannot be converted and nothing else would tell of it."""
        summary = Summary()
        found = summary.count(self.judged())
        conversion = Conversion(self.to, self.coordinates, self.strict, self.invalid)
        if self.layout == "text":
            return self._together(conversion, found, summary)
        entries = [{**each.report.to_dict(), "text": each.text} for each in conversion.apart(found)]
        if self.layout == "jsonl":
            return Answer("".join(f"{as_text(entry)}\n" for entry in entries).encode(), summary)
        return Answer(as_text({"hexrec": __version__, "to": self.to, "records": entries}).encode(), summary)

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


@dataclass(frozen=True, kw_only=True)
class RecordTask(Task):
    """Something that is done with one record of the body.

    Attributes:
        record: which one, counted from 0.
    """

    record: int = 0

    def document(self) -> Document:
        """Return the record as it is in the body. Raises Problem if it is not there."""
        document = next(islice(self.documents(), self.record, None), None)
        if document is None:
            raise Problem("no-such-record", f"the body has no record {self.record}: they are counted from 0")
        return within_rules(document)

    def read(self) -> Record:
        """Return the record. Raises Problem."""
        document = self.document()
        try:
            if document.error is not None:
                raise RecordError([document.error])
            return read_record(document.data, turns_unchecked=True)
        except RecordError:
            report = check_document(document, STANDARD_INPUT, self.record)
            raise _bad_records("the record cannot be read", [report]) from None


@dataclass(frozen=True, kw_only=True)
class PositionTask(RecordTask):
    """Something that is done with one position of a record.

    Attributes:
        ply: after how many turns; None for after the last legal one.
    """

    ply: int | None = None

    def played(self, record: Record) -> Replay:
        """Return the replay up to the position. Raises Problem if there is no such position."""
        if self.ply is not None and self.ply > len(record.moves):
            raise Problem("no-such-ply", f"the record has {len(record.moves)} turns")
        played = replay(record, self.ply)
        if played.failure is not None and (self.ply is not None or played.position is None):
            raise _refused(played.failure)
        return played


@dataclass(frozen=True, kw_only=True)
class ListLegalTurns(PositionTask):
    """The legal turns in a position."""

    def run(self) -> Answer:
        """List the turns. Raises Problem if there is no such position."""
        record = self.read()
        played = self.played(record)
        if played.failure is not None:
            raise _refused(played.failure)
        position = played.position
        assert position is not None
        data = {"game": record.game, "ply": played.plies, "to_play": position.turn, "result": result_of(position)}
        return Answer(as_text({**data, "legal": position.legal_turns()}).encode(), Summary())


@dataclass(frozen=True, kw_only=True)
class ExplainResult(PositionTask):
    """Why the game ended as it did, or what the same tables say of an earlier position."""

    def run(self) -> Answer:
        """Explain the position. Raises Problem if there is no such position."""
        played = self.played(self.read())
        if played.failure is not None:
            raise _refused(played.failure)
        return Answer(as_text(explanation_of(played)).encode(), Summary())


@dataclass(frozen=True, kw_only=True)
class RenderPosition(PositionTask):
    """The picture of a position as SVG or PNG, or of the whole game up to it as GIF.

    Attributes:
        format: svg, png or gif.
        coordinates: the system in which cells are named; None for the record's own.
        style: how it looks.
        seconds: how long an animation shows each turn.
    """

    format: str = "svg"
    coordinates: System | None = None
    style: Style = field(default_factory=Style)
    seconds: float = 1.0

    def run(self) -> Answer:
        """Draw it. Raises Problem if there is no such position, or what makes pixels is not installed."""
        record = self.read()
        final = self.played(record)
        view = view_of(record, final.plies, self.coordinates)
        if self.format == "svg":
            return Answer(svg(view, self.style).encode(), Summary(), {"Content-Security-Policy": _PICTURE})
        if (self.style.width or 0) > _WIDEST:
            raise Problem("bad-parameter", f"width: PNG and GIF pictures are at most {_WIDEST} pixels wide")
        try:
            if self.format == "png":
                return Answer(png(view, self.style), Summary())
            frames = list(views(record, final.plies, self.coordinates))
            return Answer(gif(frames, self.style, self.seconds), Summary())
        except MissingRenderer as missing:
            raise Problem("not-installed", str(missing)) from None


@dataclass(frozen=True, kw_only=True)
class ReplayRecord(RecordTask):
    """One record of the body as the page draws it, whatever is wrong with it."""

    def run(self) -> Answer:
        """Play the record. Raises Problem if there is no such record."""
        chosen = None
        count = 0
        for document in self.documents():
            if count == self.record:
                chosen = document
            count += 1
        if chosen is None:
            raise Problem("no-such-record", f"the body holds {count} records: they are counted from 0")
        report = check_document(chosen, STANDARD_INPUT, self.record)
        data = {**replay_data(report), "records": count}
        return Answer(as_text(data).encode(), Summary())


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


def _refused(diagnostic: Diagnostic) -> Problem:
    more = {"code": diagnostic.code, "ply": diagnostic.ply, "turn": diagnostic.turn}
    return Problem("bad-record", diagnostic.message, {name: value for name, value in more.items() if value is not None})


def result_of(position: Position[Any]) -> dict[str, Any] | None:
    """Return how the game has ended in a position, as data."""
    outcome = position.result()
    return outcome.as_data() if outcome else None


def _encoded(out: StringIO) -> bytes:
    return out.getvalue().encode(errors="backslashreplace")


def as_text(data: object) -> str:
    """Return data as JSON on one line."""
    return json.dumps(data, ensure_ascii=False)
