"""Archives are streamed: what is read ahead of a record, and what is still held of those before it, is bounded."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any
from weakref import WeakValueDictionary

import pytest

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.io.discovery import Source
from hexrec.output import report_formats
from hexrec.output.rows import make_row
from hexrec.tools.convert import Conversion
from hexrec.tools.duplicates import Duplicates
from hexrec.tools.edit import files as edit
from hexrec.tools.edit.fixes import format_record
from hexrec.tools.examined import Examined
from hexrec.tools.statistics import Statistics, examine
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources

MEBIBYTE = 1 << 20
RECORDS = 600
#: Formats of which a file holds one record, or is a list that ends with its last record.
WHOLE = {"json", "abstractplay"}
STREAMED = [name for name in formats.names() if name not in WHOLE]
#: Readers take blocks of so many bytes or fewer.
BLOCK = 64 * 1024


def records() -> Iterator[dict[str, Any]]:
    for number in range(RECORDS):
        moves = ["b2", f"c{1 + number % 4}"]
        yield {"hexrec": "1", "game": "sunspot", "size": 4, "id": f"{number} {'x' * 300}", "moves": moves}


def text(name: str) -> bytes:
    return "".join(formats.get(name).write(records())).encode()


def check(name: str) -> tuple[io.BytesIO, Iterator[Report]]:
    """Return a stream of records in a format, and the reports on them."""
    stream = io.BytesIO(text(name))
    return stream, check_sources([Source("a file", name, opener=lambda: stream)])


@pytest.mark.parametrize("name", STREAMED)
def test_a_record_is_out_before_more_than_a_block_is_read_after_it(name: str) -> None:
    stream, reports = check(name)
    assert len(stream.getvalue()) > 3 * BLOCK
    next(reports)
    assert stream.tell() <= BLOCK


@pytest.mark.parametrize("name", STREAMED)
def test_a_record_is_written_before_the_next_is_asked_for(name: str) -> None:
    asked = 0

    def fed() -> Iterator[dict[str, Any]]:
        nonlocal asked
        for record in records():
            asked += 1
            yield record

    for written, _ in enumerate(formats.get(name).write(fed())):
        assert asked - written <= 1


def test_a_record_is_edited_before_more_than_a_block_is_read_after_it() -> None:
    stream = io.BytesIO(text("jsonl"))
    segments = edit.get("jsonl", canonical=True)(
        io.BufferedReader(stream), lambda document: format_record(document, "a file", 0).data
    )
    next(iter(segments))
    assert stream.tell() <= BLOCK


def test_reports_that_wait_are_held_in_memory_only_while_they_are_short() -> None:
    size, part = 48, "x" * (MEBIBYTE - 2) + "\r\n"
    with report_formats.new_spool() as waiting:
        tracemalloc.start()
        try:
            for _ in range(size):
                waiting.write(part)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        out = io.StringIO(newline="")
        report_formats.copy_spooled(waiting, out)
    assert most < 32 * MEBIBYTE
    assert out.tell() == size * MEBIBYTE


def convert(reports: Iterable[Report]) -> Iterable[object]:
    return Conversion("sgf").join(reports)


def count(reports: Iterable[Report]) -> Iterable[object]:
    Statistics().count(
        Examined(report, value=examine(report.record, report) if report.record else None) for report in reports
    )
    return ()


def report(name: str) -> Callable[[Iterable[Report]], Iterable[object]]:
    def write(reports: Iterable[Report]) -> Iterable[object]:
        report_formats.write(name, reports, io.StringIO())
        return ()

    return write


@pytest.mark.parametrize(
    "work",
    [
        convert,
        partial(map, Conversion("hgn").convert),
        lambda reports: Duplicates().find(reports),
        count,
        partial(map, make_row),
        *map(report, report_formats.names()),
    ],
    ids=["joined", "apart", "duplicates", "statistics", "rows", *report_formats.names()],
)
def test_nothing_is_held_of_a_record_that_is_done(work: Callable[[Iterable[Report]], Iterable[object]]) -> None:
    alive: WeakValueDictionary[int | None, Document] = WeakValueDictionary()
    most = 0

    def watched() -> Iterator[Report]:
        nonlocal most
        for found in islice(check("jsonl")[1], 50):
            assert found.document is not None
            alive[found.index] = found.document
            most = max(most, len(alive))
            yield found

    for _ in work(watched()):
        pass
    assert 0 < most <= 3
