"""No more is read of a stream than what is needed next: it may be as long as a disk, or never end."""

from __future__ import annotations

import io
from collections.abc import Callable
from random import Random

import pytest

from hexrec import formats
from hexrec.formats.base import JSON_HEAD, LINE_MARGIN
from hexrec.io.compression import decompress_stream
from hexrec.io.discovery import Source
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.util.streams import prepend
from tests.io.test_compression import PACK

NOISE = Random(5).randbytes(1_000_000)
#: How much of a first line is looked at to recognize a format.
LONGEST = MAX_RECORD_BYTES + LINE_MARGIN
#: The most bytes that readers take at once where they need a few.
BLOCK = 150_000


@pytest.mark.parametrize(
    ("make", "most"),
    [
        (lambda: b"a: 1\n\n\nb: 2\n" + b"c: 3\n" * 1_000, 12),
        (lambda: b"; a\n% b\n\n ; c\n[Game\n; d\n" + b"; e\n" * 1_000, 24),
        (lambda: b"(\n;B[a1]\n" + b";W[a2]\n" * 1_000, 9),
        (lambda: b'[\n{"a": 1},\n' + b"1\n" * 20_000, 12),
        (lambda: b"[" * 20_000_000, LONGEST),
        (lambda: b"a" * 20_000_000, LONGEST),
        (lambda: b"a" * (LONGEST - 2) + b"\n" + b"a" * 9_000_000, 2 * LONGEST - 1),
        (lambda: b"a" * (LONGEST - 1) + b"\n" + b"a" * 9_000_000, LONGEST),
    ],
    ids=["lines", "comments", "SGF", "a list", "brackets", "one line", "a line and another", "a line too long"],
)
def test_a_format_is_recognized_by_a_few_lines(make: Callable[[], bytes], most: int) -> None:
    text = make()
    stream = io.BytesIO(text)
    _, whole = Source("-").recognize(stream)
    assert stream.tell() == most
    assert whole.read(100) == text[:100]


@pytest.mark.parametrize("text", [b"{", b"["])
def test_a_dialect_is_recognized_by_its_beginning(text: bytes) -> None:
    stream = io.BytesIO(b" " * JSON_HEAD + text * 1_000_000)
    _, whole = formats.recognize_dialect("json", stream)
    assert stream.tell() <= BLOCK
    assert whole.read() == stream.getvalue()


@pytest.mark.parametrize(("suffix", "pack"), PACK.items())
def test_compressed_data_is_read_as_it_is_needed(suffix: str, pack: Callable[[bytes], bytes]) -> None:
    packed = pack(NOISE if suffix == ".bz2" else NOISE[:400_000])
    stream = io.BytesIO(packed)
    unpacked = decompress_stream(stream)
    assert unpacked.read(1) == NOISE[:1]
    assert stream.tell() < (BLOCK if suffix != ".bz2" else len(packed))  # bzip2 has blocks of 900,000 bytes


def test_what_follows_a_stream_of_xz_is_read_as_it_is_needed() -> None:
    first = PACK[".xz"](b"first")
    stream = io.BytesIO(first + bytes(-len(first) % 4 + 80_000) + PACK[".xz"](NOISE[:400_000]))
    unpacked = decompress_stream(stream)
    assert unpacked.read(6) == b"first" + NOISE[:1]
    assert stream.tell() < 80_000 + BLOCK


def test_what_was_read_of_a_stream_comes_before_the_rest() -> None:
    stream = io.BytesIO(NOISE)
    whole = prepend(b"ab", stream)
    assert whole.read(3) == b"ab" + NOISE[:1]
    assert stream.tell() <= BLOCK
    assert whole.read() == NOISE[1:]
