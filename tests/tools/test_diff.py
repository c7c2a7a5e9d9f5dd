"""Unified diffs: the same as the standard library's, whatever has changed and in whatever segments it comes."""

from __future__ import annotations

import re
from difflib import diff_bytes, unified_diff
from random import Random

from hexrec.tools.edit import in_place
from hexrec.tools.edit.files import Segment
from tests.cases import all_of

NO_END = b"\n\\ No newline at end of file\n"


def shown(*segments: tuple[list[bytes], list[bytes]], file: str = "a.yaml") -> bytes:
    return b"".join(in_place.unified_diff([Segment(b"".join(old), b"".join(new)) for old, new in segments], file))


def usual(old: list[bytes], new: list[bytes]) -> bytes:
    """Return the diff of the standard library, in which a range of one line does not say how long it is."""
    lines = diff_bytes(unified_diff, old, new, b"a.yaml", b"a.yaml")
    counted = (re.sub(rb"(?<= )([-+]\d+)(?= )", rb"\1,1", line) if line.startswith(b"@@") else line for line in lines)
    return b"".join(line if line.endswith(b"\n") else line + NO_END for line in counted)


def without_end(lines: list[bytes]) -> list[bytes]:
    return [*lines[:-1], lines[-1].rstrip(b"\n")] if lines else lines


@all_of("seed", range(20))
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


@all_of("seed", range(20))
def test_many_segments(seed: int) -> None:
    random = Random(seed)
    segments = []
    for number in range(30):
        old = [b"%d %d\n" % (number, line) for line in range(random.randint(1, 9))]
        changed = [each for line in old[1:] for each in random.choice([[], [line.upper(), b"x\n"], [b"y" + line]])]
        segments.append((old, old[:1] + changed if random.random() < 0.3 else old))
    old, new = ([line for segment in segments for line in segment[side]] for side in (0, 1))
    assert shown(*segments) == usual(old, new)


def test_segments_within_lines() -> None:
    """As records of an array have them that stand on one line."""
    random = Random(0)
    lines = [[b"[", b"%d" % number, random.choice([b",", b""]), b"]\n"] for number in range(40)]
    changed = [[*line[:1], b"x", b", ", *line[3:]] if number % 9 == 4 else line for number, line in enumerate(lines)]
    segments = [([old], [new]) for pair in zip(lines, changed, strict=True) for old, new in zip(*pair, strict=True)]
    assert shown(*segments) == usual([b"".join(line) for line in lines], [b"".join(line) for line in changed])


def test_what_is_too_long_to_be_compared_is_replaced_as_a_whole() -> None:
    old = [b"%d\n" % number for number in range(4_001)]
    new = [*old[:-1], b"new\n"]
    removed, added = (b"".join(sign + line for line in lines) for sign, lines in ((b"-", old), (b"+", new)))
    assert shown((old, new)).endswith(b"@@ -1,4001 +1,4001 @@\n" + removed + added)


def test_names_are_shown_as_in_messages() -> None:
    text = shown(([b"a\n"], [b"b\n"]), file="\u00e9\n.yaml")
    assert text == b"--- \xc3\xa9\\n.yaml\n+++ \xc3\xa9\\n.yaml\n@@ -1,1 +1,1 @@\n-a\n+b\n"
