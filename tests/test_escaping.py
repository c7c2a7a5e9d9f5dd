"""Texts that others wrote, made visible."""

from __future__ import annotations

import io

import pytest

from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import GuardedStream, shorten, visible, without_escaping


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zo\u00eb \u4e2d\U0001f600 \\ C:\\new", "Zo\u00eb \u4e2d\U0001f600 \\ C:\\new"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\x00\x1b[31m\x7f\x9b", r"\x00\x1b[31m\x7f\u009b"),
        ("\u202e\u2066\u2028\ufeff\U000e0041", r"\u202e\u2066\u2028\ufeff\U000e0041"),
        ("\udcff.json", r"\udcff.json"),
        ("\x7f\x80\uffff\U0001ffff", r"\x7f\u0080\uffff\U0001ffff"),
        ("::error::x", r"\x3a:error::x"),
        ("  ::error::x", r"  \x3a:error::x"),
        ("a::b::c", "a::b::c"),
        ("x ##[error]y ##vso[task] # [a] ##", r"x \x23#[error]y \x23#vso[task] # [a] ##"),
    ],
    ids=ascii,
)
def test_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_the_place_of_a_finding_is_visible() -> None:
    assert Diagnostic("a/b", "", file="a\n::x\x1b", line=1, column=2).place == r"a\n::x\x1b:1:2"


def test_shortening() -> None:
    assert shorten("a\tb\nc") == "a b c"
    assert shorten("\x1b" * 100, 20) == (r"\x1b" * 5)[:19] + "\u2026"
    assert shorten("a" * 60) == "a" * 60
    assert shorten("a" * 61) == "a" * 59 + "\u2026"
    assert shorten("a" * 9 + "\x1b", 10) == "a" * 9 + "\u2026", "what is longer only when it is escaped"


def test_a_guarded_stream() -> None:
    below = io.StringIO()
    stream = GuardedStream(below)
    print("a\x1b[2J\n::error::\u202e\r", file=stream)
    stream.buffer.write("\x1b\u00e9".encode()[:2])
    stream.buffer.write("\x1b\u00e9".encode()[2:] + b"\xff\n")
    assert below.getvalue() == "a\\x1b[2J\n::error::\\u202e\\r\n\\x1b\u00e9\\udcff\n"
    assert stream.getvalue() == below.getvalue()
    assert without_escaping(stream) is below  # type: ignore[arg-type]
    assert without_escaping(below) is below
