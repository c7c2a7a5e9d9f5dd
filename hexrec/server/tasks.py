"""Tasks of workers: pure functions from the bytes of a body to the bytes of an answer.

Tasks never open paths or URLs in a body. Workers import this module, but neither the server nor the process pool.
"""

from __future__ import annotations

import gzip
import zlib
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from io import BytesIO
from itertools import accumulate
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from hexrec import formats
from hexrec.formats import Extent
from hexrec.formats.base import Document
from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.parallel.chunks import START, Offset, Slice
from hexrec.record.validation import games_named
from hexrec.rules import compiled, games
from hexrec.server import negotiation
from hexrec.server.limits import Limits
from hexrec.server.parameters import FormatName, Parameters
from hexrec.server.problems import Problem
from hexrec.tools.suggestions import Suggester
from hexrec.util.streams import peekable
from hexrec.validation.clean import Clean, report_on
from hexrec.validation.report import Report, Summary, add_internal_error
from hexrec.validation.verdict import check_document

#: The minimum size of compressed answers, in bytes.
_WORTH_PACKING = 1 << 10
#: The compression level: higher ones save few bytes.
_LEVEL = 5


#: The maximum numbers of records and of bytes of a body that the process that listens validates, which takes a few
#: milliseconds whatever the body contains.
MOST_HERE, MOST_BYTES_HERE = 16, 1 << 14


#: The built-in games, as `games_named` returns their names.
_BUILT_IN = {name.encode() for name in games.BUILT_IN}


class NotClean(Exception):
    """A body that a worker must look at."""


class Answer(NamedTuple):
    """The result of a task.

    Attributes:
        body: the body of the response.
        summary: the totals of the validated records.
        headers: headers of the response.
        turns: the number of turns in the records, legal or not.
        seconds: the duration of the task.
        problem: the limit that ended a partial answer.
    """

    body: bytes
    summary: Summary = Summary()
    headers: Mapping[str, str] = {}
    turns: int = 0
    seconds: float = 0.0
    problem: Problem | None = None


class Operation(Parameters, ABC):
    """An operation on a body; its fields are the query parameters of its address.

    Attributes:
        offered: the media types of its answers, the default first.
        answers_here: whether the process that listens may answer for clean records.
        reads_text: whether bodies are texts of any kind, and no records.
    """

    offered: ClassVar[Iterable[str]] = (negotiation.JSON,)
    answers_here: ClassVar[bool] = False
    reads_text: ClassVar[bool] = False

    def choose_media_type(self, accept: str | None) -> str:
        """Return the media type of the answer. Raises Problem."""
        return negotiation.choose(accept, self.offered)

    @abstractmethod
    def run(self, task: Task) -> Answer:
        """Return the answer to the body of a task. Raises Problem."""


@dataclass
class Task:
    """An operation with the body, the limits and the form of the answer.

    Attributes:
        operation: the operation.
        body: the body, or whole lines of it.
        notation: the format of the body; None until it is detected from the content.
        media_type: the media type of the answer.
        records, plies: the maximum numbers of records and turns, including turns of variations and takebacks.
        offset: the number of records and lines before this part of the body.
        partial: whether to answer the records within the limits if there are more.
        packed: whether the answer may be compressed with gzip.
        unpacks_to: the maximum size of a decompressed body in bytes; None if the body is not compressed.
        here: whether to answer only if all records are clean, for a process that cannot be killed.
        count, turns: the numbers of records and turns read so far.
        starts: the offsets of the lines of the body, if its records are to have extents in it.
        extents: the extents of the documents that were read last.
        problem: the limit that the body exceeds, if `partial`.
    """

    operation: Operation
    _: KW_ONLY
    body: bytes = field(repr=False)
    notation: str | None
    records: int = Limits.records
    plies: int = Limits.plies
    media_type: str = negotiation.JSON
    offset: Offset = START
    partial: bool = False
    packed: bool = False
    unpacks_to: int | None = None
    here: bool = False
    count: int = field(default=0, init=False)
    turns: int = field(default=0, init=False)
    starts: list[int] = field(default_factory=list, init=False)
    extents: deque[Extent] = field(default_factory=deque, init=False)
    problem: Problem | None = field(default=None, init=False)

    def answer(self) -> Answer:
        """Run the task and return its answer, compressed if allowed. Raises Problem."""
        if self.unpacks_to is not None:
            return replace(self, body=_decompress(self.body, self.unpacks_to), unpacks_to=None).answer()
        made = self.operation.run(self)
        body, headers = made.body, made.headers
        if self.packed and len(body) >= _WORTH_PACKING:
            body, headers = gzip.compress(body, _LEVEL, mtime=0), {**headers, "Content-Encoding": "gzip"}
        return made._replace(body=body, headers=headers, turns=self.turns, problem=self.problem)

    def read_documents(self) -> Iterator[Document]:
        """Yield the documents of the body up to the limits. Raises Problem at a limit, unless `partial`."""
        self._recognize()
        return self._read(Slice(STANDARD_INPUT, self.notation, data=self.body, before=self.offset))

    def _read(self, part: Slice) -> Iterator[Document]:
        """Yield the documents of a part of the body up to the limits, and note their extents. Raises Problem."""
        lines = part.before.lines
        at = self.starts[lines] if self.starts else 0
        for extent, document in formats.read_placed(str(part.format), part.data, lines + 1):
            data = document.data
            if not self._admit(count_turns(data.get("moves")) if isinstance(data, dict) else 0):
                return
            self.extents.append(extent._replace(offset=at + extent.offset, line=lines + extent.line))
            yield document

    def _recognize(self) -> None:
        """Set the format."""
        # A buffered stream, as there may be millions of blank lines before the first record.
        name, _ = Source(STANDARD_INPUT, self.notation).recognize(peekable(BytesIO(self.body)))
        self.notation, _ = formats.recognize_dialect(name, BytesIO(self.body))

    def _admit(self, turns: int) -> bool:
        """Count a record; return whether it is within the limits. Raises Problem if not, unless `partial`."""
        if self.count >= self.records:
            self.problem = Problem("too-many-records", "too many records: send fewer in a body")
        elif self.turns + turns > self.plies:
            self.problem = Problem("too-many-plies", "too many turns: send fewer or shorter records in a body")
        elif self.here and self.count == MOST_HERE:
            raise NotClean
        if self.problem is not None and not self.partial:
            raise self.problem
        self.count += 1
        self.turns += turns if self.problem is None else 0
        return self.problem is None

    def examine(
        self, *, finished: bool = False, lint: bool = False, suggester: Suggester | None = None
    ) -> Iterator[Clean | Report]:
        """Yield the clean records, and the reports on the others. Raises Problem.

        Raises NotClean for a record that is not clean, if the task is done `here`.
        """
        self._recognize()
        body = Slice(STANDARD_INPUT, self.notation, data=self.body, before=self.offset)
        for part in (body,) if lint else body.examine(finished=finished):
            if self.problem is not None:
                return
            if isinstance(part, Clean):
                if self._admit(len(part.turns)):
                    yield part
                continue
            if self.here:
                raise NotClean
            reports = self.check(self._read(part), part.before.records, finished=finished, lint=lint)
            yield from map(suggester.add, reports) if suggester else reports

    def examine_placed(self) -> Iterator[tuple[Extent, Clean | Report]]:
        """Yield the clean records and the reports of `examine`, each with its extent in the body. Raises Problem."""
        self._recognize()
        found: Iterable[Clean | Report]
        if self.notation == "jsonl":
            self.starts = [*accumulate((len(line) + 1 for line in self.body.split(b"\n")), initial=0)]
            self.starts[-1] = len(self.body)
            found = self.examine()
        else:
            found = self.check(self.read_documents())
        for each in found:
            if isinstance(each, Clean):
                start, end = self.starts[each.line - 1 : each.line + 1]
                yield Extent(start, end - start, each.line - 1), each
            else:  # a record on which hexrec fails has no extent
                yield self.extents.popleft() if self.extents else Extent(0, len(self.body)), each

    def check(self, documents: Iterable[Document], first: int = 0, **options: Any) -> Iterator[Report]:
        """Yield the reports on documents. A failure of hexrec ends them with a report. Raises Problem.

        The documents are counted from `first`; the options are those of `check_document`.
        """
        index = first
        try:
            for document in documents:
                yield check_document(document, STANDARD_INPUT, index, **options)
                index += 1
        except Problem:
            raise
        except Exception as error:
            yield add_internal_error(Report((), file=STANDARD_INPUT, index=index), error, memory=False)

    def validate(self, **options: Any) -> Iterator[Report]:
        """Validate the records and yield their reports, as `examine` does."""
        return map(report_on, self.examine(**options))


def answer_here(task: Task) -> Answer | Problem | None:
    """Return the answer to a small body of clean records; None if a worker must look at it.

    Interpreted rules, and those of other packages, may take long.
    """
    if not task.operation.answers_here or len(task.body) > MOST_BYTES_HERE or task.unpacks_to is not None:
        return None
    if compiled.OBSTACLE or not {*games_named(task.body)} <= _BUILT_IN:
        return None
    try:
        return run_task(replace(task, here=True))
    except Exception:  # a worker reports what is wrong
        return None


def run_task(task: Task) -> Answer | Problem:
    """Return the answer to a task, or a problem if it fails."""
    begun = perf_counter()
    try:
        return task.answer()._replace(seconds=perf_counter() - begun)
    except Problem as problem:
        return problem
    except MemoryError:
        return Problem("too-much-memory", "out of memory: send fewer or shorter records in a body")


class BodyOperation(Operation):
    """An operation on the records of a body."""

    notation: FormatName | None = Field(None, alias="from", description="Format of the body; overrides its media type.")


def _decompress(body: bytes, most: int) -> bytes:
    """Return the content of gzip data. Raises Problem if it is invalid or has more than `most` bytes."""
    try:
        with gzip.open(BytesIO(body)) as stream:
            content = stream.read(most + 1)
    except (OSError, EOFError, zlib.error):
        raise Problem("bad-request", "the body is invalid or truncated gzip data") from None
    if len(content) > most:
        raise Problem("body-too-large", f"too large: send at most {most} bytes")
    return content


def count_turns(moves: object) -> int:
    """Return the number of turns in a main line, including variations, takebacks and engine lines."""
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


def make_record_problem(detail: str, reports: Sequence[Report]) -> Problem:
    """Return the problem for invalid records, or for a failure of hexrec on them."""
    name = "failed" if any(report.failed for report in reports) else "bad-record"
    return Problem(name, detail, {"records": [report.to_dict() for report in reports]})
