"""Patterns of paths match as the page on settings defines, in time proportional to their length."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexrec.util.path_pattern import PathPattern


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Return whether a pattern matches a path, by trying everything."""
    if not pattern:
        return True
    if pattern[0] == "**":
        return any(_matches(parts[skipped:], pattern[1:]) for skipped in range(len(parts)))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


_NAMES = st.text("ab[]!-.", min_size=1, max_size=3)
_PATTERNS = st.one_of(st.just("**"), _NAMES, st.text("ab[]!-*?", max_size=5))


@given(st.lists(_NAMES, min_size=1, max_size=5), st.lists(_PATTERNS, min_size=1, max_size=6))
def test_patterns_match_as_if_everything_were_tried(parts: list[str], pattern: list[str]) -> None:
    text = "/".join(pattern)
    assert PathPattern(text).matches(parts) == _matches(parts, text.strip("/").split("/"))


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("**/" * 1_000 + "*.json", "/".join("a" * 2_000), False),
        ("**/" * 1_000 + "*.json", "/".join("a" * 1_999) + "/b.json", True),
        ("**/a" * 1_000 + "/b", "/".join("a" * 1_999) + "/b", True),
        ("*a" * 5_000 + "b", "a" * 20_000, False),
        ("*a" * 5_000 + "*", "a" * 20_000, True),
        ("[" * 10_000, "[" * 10_000, True),
        ("[!" * 10_000, "a" * 10_000, False),
    ],
)
def test_long_patterns_take_no_longer_than_they_are(pattern: str, path: str, expected: bool) -> None:
    """Trying all divisions of the path would never end."""
    assert PathPattern(pattern).matches(path.split("/")) is expected
