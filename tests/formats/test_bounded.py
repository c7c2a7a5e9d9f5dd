"""Reading is bounded: values, directives and warnings are counted, and blank lines are read many at a time."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats.json import line_pieces
from hexrec.formats.located_text import TOO_MANY
from hexrec.io.discovery import Source
from hexrec.util.limits import MAX_DIAGNOSTICS, MAX_DIRECTIVES, MAX_VALUES
from tests.formats.helpers import FORMATS, codes, read


def test_brackets_and_commas_in_texts_are_no_values() -> None:
    assert codes(read("json", json.dumps({"x-a": '[,"\\' * MAX_VALUES}))) == [None]


def test_yaml_has_a_limit_of_directives() -> None:
    """Its parser compares each with all that stand before it."""
    text = "".join(f"%TAG !a{number}! b\n" for number in range(MAX_DIRECTIVES))
    assert codes(read("yaml", f'{text}--- {{"x-a": 1}}\n')) == [None]
    (document,) = read("yaml", f'%TAG !a! b\n{text}--- {{"x-a": 1}}\n')
    error = document.error
    assert error is not None
    assert (error.code, error.line, error.column) == ("syntax/too-large", MAX_DIRECTIVES + 1, 1)
    assert error.message == f"more than {MAX_DIRECTIVES} directives %TAG: not read"
    assert codes(read("yaml", f'{{"x-a": "{"%TAG " * 1_000}"}}\n')) == [None]


class Counted(io.BytesIO):
    """A stream that counts how often something is read of it."""

    reads = 0

    def readinto(self, buffer: Any) -> int:
        self.reads += 1
        return super().readinto(buffer)

    def readline(self, *size: Any) -> bytes:
        self.reads += 1
        return super().readline(*size)


@pytest.mark.parametrize("blanks", [b"\n", b"  \r\n"])
@pytest.mark.parametrize("name", ["jsonl", "yaml", "hgn"])
def test_blank_lines_are_not_read_one_by_one(name: str, blanks: bytes) -> None:
    record = {"jsonl": b"]\n", "yaml": b"]\n", "hgn": b'[Game "Sunspot"]\n)'}[name]
    count = 300_000
    stream = Counted(blanks * count + record)
    (document,) = formats.get(name).read(stream)
    assert document.error is not None
    assert document.error.line == count + 1 + record.count(b"\n", 0, -1)
    assert stream.reads < count / 100


def test_the_beginning_of_a_file_is_not_read_line_by_line() -> None:
    raw = b"\n" * 300_000
    stream = Counted(raw)
    buffered = io.BufferedReader(stream)
    assert Source("a file").recognize(buffered)[1].read() == raw
    assert stream.reads < 3_000
    assert len(list(line_pieces(Counted(raw)))) < 3_000


def test_carriage_returns_are_looked_at_once() -> None:
    """They end no line of a stream, so that all are in one."""
    assert [document.data for document in read("yaml", "\r" * 500_000 + "x")] == ["x"]


@pytest.mark.parametrize(
    ("text", "excess"),
    [
        ('[Game "Sunspot"] [Size "5"] 1. e5 {a} 1... d4 *', None),
        ('[Game "Sunspot"] [Size "5"] 1. e5 {[%at x]} d4 *', None),
        ('[Game "Sunspot"] [Size "5"] 1. e5 {a} 1... d4 2. c3 *', " c3"),
        ('[Game "Sunspot"] [Size "5"] 1. e5 {[%at x]} 1... d4 *', " *"),
        # Whatever else is wrong: that turns are too many is seen before they are read.
        ('[Game "Sunspot"] [Size "5"] 1. e5 ) 1... d4 2. c3 *', " c3"),
        ('[Game "Sunspot"] [Size "5"] 1. e5 {a [%at x] [%clk 1] [%emt 2] [%engine x]}', "[%engine x]"),
        (" ".join(f'[A{number} "x"]' for number in range(9)), '[A8 "x"]'),
    ],
)
def test_what_is_one_too_many_in_hgn_is_pointed_out(
    monkeypatch: pytest.MonkeyPatch, text: str, excess: str | None
) -> None:
    monkeypatch.setattr("hexrec.formats.hgn.reader.MAX_VALUES", 8)
    (document,) = read("hgn", text)
    if excess is None:
        assert document.error is None
        return
    error = document.error
    assert error is not None
    assert (error.code, error.message) == ("syntax/too-large", TOO_MANY)
    assert error.line == 1
    assert error.column == text.index(excess) + 1


@pytest.mark.parametrize("name", ["json", "jsonl", "yaml"])
def test_what_is_one_too_many_in_json_and_yaml_is_pointed_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = "hexrec.formats.yaml.reader" if name == "yaml" else "hexrec.formats.json"
    monkeypatch.setattr(f"{module}.MAX_VALUES", 5)
    (document,) = read(name, '{"x-a": [1, 22, 333, 4]}')
    error = document.error
    assert error is not None
    assert (error.code, error.message) == ("syntax/too-large", TOO_MANY)
    assert (error.line, error.column, error.end_line, error.end_column) == (1, 17, 1, 20)
    assert codes(read(name, '{"x-a": [ ]}')) == [None]


@pytest.mark.parametrize("name", FORMATS)
def test_a_record_may_have_one_value_at_least(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("json", "yaml.reader"):
        monkeypatch.setattr(f"hexrec.formats.{module}.MAX_VALUES", 1)
    assert [document.data for document in read(name, "12")] == [12]
    assert codes(read(name, "{}")) == ["syntax/too-large"]


def test_warnings_of_hgn_beyond_the_first_are_counted() -> None:
    (document,) = read("hgn", f'[Game "Sunspot"]\n\n{"1. e5 " * (MAX_DIAGNOSTICS + 3)}*')
    *first, more = document.warnings
    assert {warning.code for warning in first} == {"syntax/hgn-number"}
    assert (len(first), more.code) == (MAX_DIAGNOSTICS, "syntax/more")
