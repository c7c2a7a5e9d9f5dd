"""What all formats share: excerpts of lines, and streams cut into records at lines."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats import base, by_content, json
from hexrec.formats.located_text import LocatedText
from hexrec.util.diagnostics import Excerpt
from tests.cases import all_of
from tests.formats.helpers import LINE, codes, read

_DIGITS = "0123456789" * 25
#: By what they show: a text, the place where it begins in a file, a place in it, and what is quoted of the line there.
EXCERPTS = {
    "a short line": ("ab\ncd", (1, 1), (2, 1), ("cd", 1, False)),
    "a line of the most characters": (_DIGITS[:100], (1, 1), (1, 100), (_DIGITS[:100], 1, False)),
    "a line of one character more": (_DIGITS[:101], (1, 1), (1, 41), (_DIGITS[:100], 1, True)),
    "the end of a line of one character more": (_DIGITS[:101], (1, 1), (1, 42), (_DIGITS[1:101], 2, False)),
    "the beginning of a long line": (_DIGITS, (1, 1), (1, 41), (_DIGITS[:100], 1, True)),
    "a place in a long line": (_DIGITS, (1, 1), (1, 42), (_DIGITS[1:101], 2, True)),
    "a place near the end": (_DIGITS, (1, 1), (1, 190), (_DIGITS[149:249], 150, True)),
    "the end of a long line": (_DIGITS, (1, 1), (1, 191), (_DIGITS[150:], 151, False)),
    "a long line among others": (f"ab\n{_DIGITS}\nc", (1, 1), (2, 60), (_DIGITS[19:119], 20, True)),
    "a text that begins in a line": ("ab\ncd", (7, 11), (7, 12), ("ab", 11, False)),
    "a long text that begins in a line": (f"{_DIGITS}\n", (7, 11), (7, 61), (_DIGITS[10:110], 21, True)),
    "the next line of such a text": (f"ab\n{_DIGITS}", (7, 11), (8, 61), (_DIGITS[20:120], 21, True)),
    "a line end of Windows": ("ab\r\ncd\r\n", (1, 1), (1, 2), ("ab", 1, False)),
    "the last line end of Windows": ("ab\r\ncd\r", (1, 1), (2, 2), ("cd", 1, False)),
    "an empty line": ("ab\n\ncd", (1, 1), (2, 1), ("", 1, False)),
}


@all_of("what", EXCERPTS)
def test_an_excerpt_has_what_stands_around_a_place(what: str) -> None:
    text, begins, place, expected = EXCERPTS[what]
    assert LocatedText(text, *begins).excerpt(*place) == Excerpt(*expected)


def test_a_line_of_a_stream_may_be_of_any_length() -> None:
    text = LocatedText("x\ny", 3, 2**40)
    assert text.span(0, 3) == (3, 2**40, 4, 2)
    assert text.read(text.span(0, 3)) == "x\ny"
    assert text.excerpt(3, 2**40) == Excerpt("x", 2**40, False)


@pytest.mark.parametrize(
    ("raw", "what", "place"),
    [
        (b"ab\xff", "byte 0xff is not UTF-8 text: save the file as UTF-8", (7, 13, 7, 14)),
        ("\u00e9\n\u65e5".encode() + b"\x01\x80c", "byte 0x80 is not UTF-8 text: save the file as UTF-8", (8, 3, 8, 4)),
        ("ab".encode("utf-16"), "this is UTF-16 text: save it as UTF-8", (7, 11, 7, 12)),
    ],
)
def test_what_is_no_utf_8_is_refused(raw: bytes, what: str, place: tuple[int, int, int, int]) -> None:
    with pytest.raises(base.FormatError) as caught:
        base.decode(raw, 7, 11)
    found, text = caught.value.error, caught.value.text
    assert (found.code, found.message) == ("syntax/encoding", what)
    assert (found.line, found.column, found.end_line, found.end_column) == place
    assert (text is None) == ("UTF-16" in what)
    if text is not None:
        assert text.span(0, 0) == (7, 11, 7, 11)
        assert text.text == raw.decode(errors="replace")


_HGN = '[Game "Sunspot"]\n[Size "5"]\n\ne5 *\n'
_SGF = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"
#: Files in which no record may have more than 60 bytes, with the line and the code of each record's error. A number in
#: angle brackets is that many letters.
FILES: dict[str, list[tuple[str, str, list[tuple[int, str] | None]]]] = {
    "yaml": [
        ("empty", "\n \n\n", [(1, "syntax/empty")]),
        ("blank lines", "\n\na: 1\n\n---\n\n\n\nb\n...\n\n", [None, None]),
        ("as large as may be", "a: <57>\n---\na: <52>\n", [(1, "syntax/too-large"), None]),
        ("large in many lines", "a: 1\n---\n" + "- aa\n" * 30 + "---\nb\n", [None, (2, "syntax/too-large"), None]),
        ("large in a line", "---\na: <500>\n\nb: 1\n---\nb\n", [(1, "syntax/too-large"), None]),
        ("hyphens where a long line is divided", 'a: "<61>--- b"\n', [(1, "syntax/too-large")]),
        ("zeros at the beginning", "\0\n---\na: 1\n", [(1, "syntax/binary")]),
        ("zeros later", "a: 1\n---\n\0\n---\nb\n", [None, (3, "syntax/yaml"), None]),
        ("endless zeros", "\0" * 500, [(1, "syntax/binary")]),
    ],
    "hgn": [
        ("two", f"{_HGN}\n\n\n{_HGN}", [None, None]),
        ("a comment too large", f"{_HGN}{{<100>\n\n}}\n{_HGN}", [(1, "syntax/too-large"), None]),
        ("a game too large", f"{_HGN}\n{_HGN[:-2]}<100>\n\n{_HGN}", [None, (6, "syntax/too-large"), None]),
        ("blank lines between games", _HGN + "\n" * 20 + _HGN, [None, None]),
    ],
    "sgf": [
        ("a value too large", f"{_SGF})\n{_SGF}C[<100>])\n{_SGF})", [None, (2, "syntax/too-large"), None]),
        ("an open value too large", f"{_SGF})\n{_SGF}C[<100>\n{_SGF})", [None, (2, "syntax/too-large"), None]),
    ],
}


@all_of(("name", "text", "expected"), [(name, *case[1:]) for name, cases in FILES.items() for case in cases])
def test_records_of_several_lines_are_cut_apart(
    name: str, text: str, expected: list[tuple[int, str] | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base, "MAX_RECORD_BYTES", 60)
    raw = re.sub("<([0-9]+)>", lambda found: "x" * int(found[1]), text).encode()
    cut = formats.get(name).pieces
    assert cut is not None
    pieces = list(cut(io.BytesIO(raw)))
    assert raw.startswith(b"".join(piece.raw for piece in pieces))
    errors = [document.error for piece in pieces for document in piece.documents]
    assert [error and (error.line, error.code) for error in errors] == expected


#: Streams of JSON Lines, where no record may have more than ten bytes, with what is read of each.
LINES: dict[bytes, list[object]] = {
    b'{"a": 567}\n{"b": 5678}\n{"c": 5}\n': [{"a": 567}, ("syntax/too-large", 2), {"c": 5}],
    b'{"a": 567890123456789012345}\n\n{"b": 5}': [("syntax/too-large", 1), {"b": 5}],
    b'{"a": 5}X\n{"b": 5}': [("syntax/json", 1), {"b": 5}],
    b" \n\t\r\n": [("syntax/empty", 1)],
    b'{"a": 5678}\n{"b": 567}\r\n{"c": 567}\r': [("syntax/too-large", 1), {"b": 567}, {"c": 567}],
    b'\xef\xbb\xbf{"a": 567}\r\n{"b": 567}': [{"a": 567}, {"b": 567}],
    b'\xef\xbb\xbf{"a": 5678}\n{"b": 5}': [("syntax/too-large", 1), {"b": 5}],
    **{
        b'{"a": 5%s}%s\n{"b": 5}' % (b"0" * zeros, end): [("syntax/too-large", 1), {"b": 5}]
        for zeros in range(3, 8)
        for end in (b"", b"\r", b" \t\r")
    },
    b'{"a": 567}\r\r\n{"b": 5}': [("syntax/too-large", 1), {"b": 5}],
}


@all_of("raw", LINES, ids=repr)
def test_json_lines_are_records_of_a_line_each(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (base, json):
        monkeypatch.setattr(module, "MAX_RECORD_BYTES", 10)
    pieces = list(json.line_pieces(io.BytesIO(raw)))
    documents = [document for piece in pieces for document in piece.documents]
    assert [(each.error.code, each.error.line) if each.error else each.data for each in documents] == LINES[raw]
    assert b"".join(piece.raw for piece in pieces) == raw


@pytest.mark.parametrize(
    ("head", "name"),
    [
        *((head, "json") for head in (b"[1, 2]", b"[1]\n \n", b"[\n1]", b"{\n}", b"[")),
        *((head, "jsonl") for head in (b"{}", b"{}\n", b"{}\n[]", b"[1]\n[2]", b"{]\n{", b"{]\n {")),
    ],
)
def test_lists_and_objects_are_json_in_one_line_or_over_lines(head: bytes, name: str) -> None:
    assert by_content(head) == name


def test_a_file_of_json_holds_one_record() -> None:
    records: Iterator[dict[str, Any]] = iter([{}, {}, {"size": 5}])
    with pytest.raises(base.TogetherError) as caught:
        list(formats.get("json").write(records))
    assert str(caught.value) == "hexrec writes one record to a JSON file: write several as JSON Lines or YAML"
    assert list(records) == [{"size": 5}]  # two are enough to know that


@pytest.mark.parametrize("name", ["json", "jsonl"])
@all_of("more", ["X", "{}", "]", ","])
def test_nothing_may_follow_a_record_on_its_line(name: str, more: str) -> None:
    assert codes(read(name, f"{LINE}{more}\n")) == ["syntax/json"]


def test_a_file_of_json_may_have_as_many_bytes_as_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.formats.json.MAX_RECORD_BYTES", len(LINE))
    for mark in ("", "\ufeff"):
        assert codes(read("json", f"{mark}{LINE}")) == [None]
        assert codes(read("json", f"{mark}{LINE} ")) == ["syntax/too-large"]
    stream = io.BytesIO(LINE.encode() * 9_000)
    assert len(list(formats.get("json").read(stream))) == 1
    assert stream.tell() <= 3 * base.JSON_HEAD  # no more of it is read
