"""What editors make is read again while it is written: nothing is passed on that is not what it should be."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO

import pytest

from hexrec.diagnostics import Diagnostic
from hexrec.edit import EditorBug, Segment
from hexrec.edit.fixes import same_verdict
from hexrec.edit.verification import Expected, complete, verified
from hexrec.notations.base import Document
from hexrec.streams import CountingStream
from tests.cli.conftest import game

__all__ = ["game"]  # a fixture

BUG = "; this is an error in hexrec: please report it, with the file"


def lines(stream: BinaryIO) -> Iterator[Document]:
    for line in stream:
        yield Document(line)


def run(segments: list[Segment], wanted: list[bytes], read: Any = lines) -> list[Segment]:
    """Return what is passed on of segments, before the first of which nothing is expected."""
    expected: deque[Expected] = deque()

    def edited() -> Iterator[Segment]:
        waiting = list(wanted)
        for segment in segments:
            expected.extend(Expected(Document(line), line, lambda *_: False) for line in waiting)
            waiting.clear()
            yield segment

    return list(verified(edited(), expected, read))


@pytest.mark.parametrize("size", [1, 8191, 8192, 8193, 100_000])
def test_all_segments_are_passed_on(size: int) -> None:
    parts = [b"a" * (size - 1) + b"\n", b"", b"b\n", b"", b"c\n" * size, b""]
    segments = [Segment(b"old", part) for part in parts]
    assert run(segments, b"".join(parts).splitlines(keepends=True)) == segments


def test_segments_are_passed_on_before_more_are_made() -> None:
    made = 0

    def edited() -> Iterator[Segment]:
        nonlocal made
        for _ in range(50):
            made += 1
            yield Segment(b"old", b"a" * 20_000 + b"\n")

    line = b"a" * 20_000 + b"\n"
    expected = deque(Expected(Document(line), line, lambda *_: True) for _ in range(50))
    passed = verified(edited(), expected, lambda stream: (Document(each) for each in stream))
    for number, _ in enumerate(passed, 1):
        assert made - number <= 2


def test_no_more_is_read_than_what_is_asked_for() -> None:
    below = BytesIO(bytes(20_000))
    stream = CountingStream(below)
    assert [len(stream.read(size)) for size in (10, 8_192, 10_000)] == [10, 8_192, 10_000]
    assert (stream.size, below.tell()) == (18_202, 18_202)


def test_a_document_may_come_before_any_byte_is_read() -> None:
    segments = [Segment(b"", b"")]
    assert run(segments, [b""], lambda _: iter([Document(b"")])) == segments


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ([b"a\n", b"x\n", b"c\n"], "its record 1 would be read back as something else"),
        ([b"a\n"], "its record 1 would be read back as something else"),
        ([b"a\n", b"b\n", b"c\n", b"d\n", b"e\n"], "it would hold 2 records fewer"),
    ],
)
def test_what_is_not_as_it_should_be(wanted: list[bytes], said: str) -> None:
    with pytest.raises(EditorBug) as bug:
        run([Segment(b"a\nb\nc\n", b"a\nb\nc\n")], wanted)
    assert str(bug.value) == said + BUG


@pytest.mark.parametrize("read", [3, 5])
def test_what_was_read_and_comes_in_no_segment(read: int) -> None:
    stream = CountingStream(BytesIO(b"12345"))
    stream.read(read)
    segments = [Segment(b"12", b"x"), Segment(b"3", b"")]
    if read == 3:
        assert list(complete(iter(segments), stream)) == segments
    else:
        with pytest.raises(EditorBug) as bug:
            list(complete(iter(segments), stream))
        assert str(bug.value) == f"a part of it would be lost{BUG}"


ONE, OTHER = (Document(error=Diagnostic(code, "")) for code in ("syntax/json", "syntax/empty"))


@pytest.mark.parametrize(
    ("before", "after", "wanted", "holds", "is_so"),
    [
        (Document({"a": 1}), Document({"a": 1}), {"a": 1}, False, True),
        (Document({"a": 1}), Document({"a": 1.0}), {"a": 1}, True, False),
        (Document({"a": 1}), Document({"a": 2}), {"a": 2}, True, True),
        (Document({"a": 1}), Document({"a": 2}), {"a": 2}, False, False),
        (Document({"a": 1}), ONE, {"a": 1}, True, False),
        (ONE, ONE, None, False, True),
        (ONE, OTHER, None, True, False),
        (ONE, Document({"a": 1}), None, True, False),
    ],
)
def test_what_is_expected(before: Document, after: Document, wanted: Any, holds: bool, is_so: bool) -> None:
    """Whether changed data holds beyond itself is asked of both documents."""

    def asked(*documents: Document) -> bool:
        assert documents == (before, after)
        return holds

    assert Expected(before, wanted, asked).matches(after) is is_so


def test_the_verdict_of_a_canonical_form_is_that_of_the_record(game: dict[str, Any]) -> None:
    """The same turns may be refused for another reason."""
    occupied, malformed = (Document({**game, "moves": ["a1", turn]}) for turn in ("a1", "zz"))
    assert same_verdict(occupied, occupied)
    assert not same_verdict(occupied, malformed)
