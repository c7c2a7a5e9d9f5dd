"""Unified diffs: the same as the standard library's, whatever has changed and in whatever segments it comes."""

from __future__ import annotations

import re
from difflib import diff_bytes, unified_diff
from random import Random

import pytest

from hexrec.edit import Segment, diff

NO_END = b"\n\\ No newline at end of file\n"


def shown(*segments: tuple[list[bytes], list[bytes]], file: str = "a.yaml") -> bytes:
    return b"".join(diff.unified([Segment(b"".join(old), b"".join(new)) for old, new in segments], file))


def usual(old: list[bytes], new: list[bytes]) -> bytes:
    """Return the diff of the standard library, in which a range of one line does not say how long it is."""
    lines = diff_bytes(unified_diff, old, new, b"a.yaml", b"a.yaml")
    counted = (re.sub(rb"(?<= )([-+]\d+)(?= )", rb"\1,1", line) if line.startswith(b"@@") else line for line in lines)
    return b"".join(line if line.endswith(b"\n") else line + NO_END for line in counted)


def without_end(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1].rstrip(b"\n")] if lines else lines


@pytest.mark.parametrize("seed", range(20))
def test_one_segment_of_any_lines(seed: int) -> None:
    """Few different lines, many of which come again; a carriage return ends none."""
    random = Random(seed)
    for _ in range(10):
        old = [b"%d\ra\r\n" % random.randint(0, 9) for _ in range(random.randint(0, 40))]
        new = [b"new\n" if random.random() < 0.1 else line for line in old if random.random() < 0.9]
        if random.random() < 0.3:
            old = without_end(old)
        if random.random() < 0.3:
            new = without_end(new)
        assert shown((old, new)) == usual(old, new)


@pytest.mark.parametrize("seed", range(20))
def test_many_segments(seed: int) -> None:
    random = Random(seed)
    segments = []
    for number in range(30):
        old = [b"%d %d\n" % (number, line) for line in range(random.randint(1, 9))]
        changed = [each for line in old[1:] for each in random.choice([[], [line.upper(), b"x\n"], [b"y" + line]])]
        segments.append((old, old[:1] + changed if random.random() < 0.3 else old))
    old, new = ([line for segment in segments for line in segment[side]] for side in (0, 1))
    assert shown(*segments) == usual(old, new)


def rising(numbers: list[int]) -> int:
    """Return how many of some numbers can stay so that those left rise."""
    best: list[int] = []
    for at, number in enumerate(numbers):
        best.append(1 + max((best[before] for before in range(at) if numbers[before] < number), default=0))
    return max(best, default=0)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_too_long_to_be_compared_keeps_most_of_the_lines_that_are_there_once(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diff, "_COMPARED", 0)
    random = Random(seed)
    order = list(range(12))
    random.shuffle(order)
    old = [b"%d\n" % number for number in range(12)]
    new = [b"%d\n" % number for number in order]
    lines = shown((old, new)).splitlines(keepends=True)[3:]
    assert sum(line.startswith(b" ") for line in lines) == rising(order)
    assert [line[1:] for line in lines if line[:1] in b" -"] == old
    assert [line[1:] for line in lines if line[:1] in b" +"] == new


def test_how_much_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = [b"a\n", b"a\n", b"b\n"], [b"a\n", b"a\n", b"c\n"]
    monkeypatch.setattr(diff, "_COMPARED", 9)
    assert shown((old, new)) == usual(old, new)
    monkeypatch.setattr(diff, "_COMPARED", 8)
    assert shown((old, new)).count(b"\n-") == 3
    # Two lines in the other order: which of them stays.
    old, new = [b"a\n", b"b\n"], [b"b\n", b"a\n"]
    monkeypatch.setattr(diff, "_COMPARED", 4)
    assert shown((old, new)) == usual(old, new)
    monkeypatch.setattr(diff, "_COMPARED", 3)
    assert shown((old, new)) != usual(old, new)


@pytest.mark.parametrize(
    ("name", "quoted"),
    [
        ("a b.yaml", b"a b.yaml"),
        ("\u00e9.yaml", b"\xc3\xa9.yaml"),
        ('a"b', b'"a\\"b"'),
        ("a\\b", b'"a\\\\b"'),
        (
            '\a\b\t\n\v\f\r"\\ ~\x1f\x7f\u200b\u00e9',
            b'"\\a\\b\\t\\n\\v\\f\\r\\"\\\\ ~\\037\\177\\342\\200\\213\\303\\251"',
        ),
    ],
    ids=ascii,
)
def test_names_are_quoted_as_git_does(name: str, quoted: bytes) -> None:
    text = shown(([b"a\n"], [b"b\n"]), file=name)
    assert text == b"--- %s\n+++ %s\n@@ -1,1 +1,1 @@\n-a\n+b\n" % (quoted, quoted)
