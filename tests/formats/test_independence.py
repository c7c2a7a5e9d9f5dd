"""Whatever is in a file, there is a verdict; and a bad record leaves those around it alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hexrec.codes import all_codes
from tests.cases import all_of
from tests.formats.helpers import COLLECTIONS, FORMATS, LINE, check, codes, read
from tests.properties import examples, sample

#: Examples share the folder, each writes its file anew.
many = settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
GAME = LINE.encode()
#: A record whose diagnostic tells where it was read.
WRONG = b'{"hexrec": "2", "game": "sunspot", "size": 5, "moves": []}'
PRETTY = b"""{
 "hexrec": "1",
 "x-a": {"one": [1, -2.5e3, true, null], "two": "\\u00e9\\ud83d\\ude00 \xc3\xa9"},
 "game": "sunspot"
}
"""
BLOCK = b"""# A game.
hexrec: '1'
x-a:
- [1, -2.5e3, true, ~]
- "a\\
  b"
- |
  text
game: sunspot
size: 5
moves: []
"""
CODES = all_codes()

tokens = st.sampled_from(
    [
        *("[", "]", "{", "}", ",", ":", ": ", '"', "'", "\\", "\\u12", "\\ud83d", "\n", "\r\n", " ", "  ", "\t"),
        *("- ", "? "),
        *("#", " #", "&a ", "*a", "!", "!!str ", "!a ", "|\n", ">\n", "%", "@", "~", "---", "---\n", "...\n"),
        *("\n---\n", "\n...\n"),
        *("1", "-", ".", "e5", "1e999", "NaN", "-Infinity", "true", "null", "9" * 5000, "a", '"a"', '"a":', '"a":1,'),
        *("\0", "\x07", "\x7f", "\u0085", "\u2028", "\ufeff", "\u00e9", "\U0001f600", LINE, "x-a: "),
    ]
)
almost_records = st.lists(tokens, max_size=15).map("".join).map(str.encode)


@pytest.mark.parametrize("name", FORMATS)
class TestThereIsAlwaysAVerdict:
    def verdict(self, folder: Path, name: str, raw: bytes) -> None:
        reports = check(folder / "file", raw, name)
        assert reports
        for index, report in enumerate(reports):
            assert report.index == index
            assert all(diagnostic.code in CODES and diagnostic.message for diagnostic in report.diagnostics)
            # What begins like compressed data and is none cannot be read, and has no place.
            placed = [diagnostic for diagnostic in report.diagnostics if diagnostic.code != "syntax/unreadable"]
            assert all((diagnostic.line or 0) >= 1 and (diagnostic.column or 0) >= 1 for diagnostic in placed)

    @many
    @given(raw=st.binary(max_size=200))
    def test_on_any_bytes(self, tmp_path: Path, name: str, raw: bytes) -> None:
        self.verdict(tmp_path, name, raw)

    @pytest.mark.slow
    @many
    @given(raw=almost_records)
    def test_on_anything_like_a_record(self, tmp_path: Path, name: str, raw: bytes) -> None:
        self.verdict(tmp_path, name, raw)

    @pytest.mark.slow
    @pytest.mark.parametrize("raw", [GAME, PRETTY, BLOCK], ids=["line", "json", "yaml"])
    def test_on_every_beginning_of_a_record(self, tmp_path: Path, name: str, raw: bytes) -> None:
        for length in sample(range(len(raw)), 3):
            self.verdict(tmp_path, name, raw[:length])

    @pytest.mark.slow
    @many
    @given(raw=st.sampled_from([GAME, PRETTY, BLOCK]), data=st.data())
    def test_on_a_record_with_something_put_in(
        self, tmp_path: Path, name: str, raw: bytes, data: st.DataObject
    ) -> None:
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, len(raw)))
        self.verdict(tmp_path, name, raw[:start] + data.draw(almost_records) + raw[end:])

    @pytest.mark.slow
    @many
    @given(raw=almost_records | st.binary(max_size=100))
    def test_on_any_bytes_in_an_unknown_format(self, tmp_path: Path, name: str, raw: bytes) -> None:
        del name
        for report in check(tmp_path / "file", raw):
            assert all(diagnostic.code in CODES for diagnostic in report.diagnostics)


@pytest.mark.parametrize("raw", [GAME, PRETTY], ids=["line", "pretty"])
@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_a_record_cut_off_anywhere_is_called_cut_off(name: str, raw: bytes) -> None:
    raw = raw.replace(b"\n", b" ").rstrip() if name == "jsonl" else raw.rstrip()
    for length in range(1, len(raw)):
        cut_in_a_character = raw[:length].decode(errors="ignore").encode() != raw[:length]
        expected = "syntax/encoding" if cut_in_a_character else "syntax/truncated"
        assert codes(read(name, raw[:length])) == [expected], raw[:length]


@pytest.mark.parametrize(
    ("text", "column"),
    [("NaN'", 1), ("1e999+", 1), ("-Infinity x", 1), (f"[0.{'3' * 6000}, {'7' * 5000}]", 6006)],
    ids=["quote", "sign", "word", "fraction-before"],
)
def test_a_bad_number_is_found_whatever_stands_around_it(text: str, column: int) -> None:
    (document,) = read("jsonl", text)
    assert document.error
    assert (document.error.code, document.error.column) == ("syntax/number", column)


def test_a_field_that_stands_twice_is_found_where_the_rest_is_not_json() -> None:
    (document,) = read("json", '{"x-a": {"b": 1,\n"b": 2}, "x-c": [')
    assert document.error
    assert (document.error.code, document.error.pointer) == ("syntax/duplicate-key", "/x-a/b")
    assert (document.error.line, document.error.column) == (2, 1)


@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(middle=st.binary(max_size=60) | almost_records)
def test_json_lines_survive_any_line_between_them(tmp_path: Path, middle: bytes) -> None:
    middle = middle.replace(b"\n", b"?") or b"?"
    first, *others, last = check(tmp_path / "a.jsonl", b"\n".join([GAME, middle, WRONG, b""]))
    assert first.valid
    assert len(others) == bool(middle.strip())
    assert all(diagnostic.line == 2 for report in others for diagnostic in report.diagnostics)
    (diagnostic,) = last.diagnostics
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("schema/version", 3, 12)


@pytest.mark.slow
@settings(max_examples=examples(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    middle=st.binary(max_size=60) | almost_records,
    first_end=st.sampled_from([b"---\n", b"...\n---\n"]),
    middle_end=st.sampled_from([b"---\n", b"...\n---\n", b"...\n", b"...\n%YAML 1.2\n---\n"]),
)
def test_yaml_documents_survive_any_document_between_them(
    tmp_path: Path, middle: bytes, first_end: bytes, middle_end: bytes
) -> None:
    before = b"\n".join([b"# The first.", GAME, first_end + middle, middle_end])
    first, *_, last = check(tmp_path / "a.yaml", before + WRONG + b"\n")
    assert first.valid
    (diagnostic,) = last.diagnostics
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("schema/version", before.count(b"\n") + 1, 12)


@pytest.mark.parametrize("name", COLLECTIONS)
@pytest.mark.parametrize("position", range(3))
def test_a_bad_record_keeps_its_place_among_the_others(tmp_path: Path, name: str, position: int) -> None:
    records = [GAME, GAME]
    records.insert(position, b'{"hexrec": ')
    reports = check(tmp_path / f"a.{name}", (b"\n" if name == "jsonl" else b"\n---\n").join(records))
    assert [report.valid for report in reports] == [index != position for index in range(3)]
    assert [report.index for report in reports] == [0, 1, 2]


@all_of("bad", ["[", "*a", "!a b", "{[a]: b}", "\x07", "a: 1\na: 2", "\ud800", "[" * 200])
@pytest.mark.parametrize(
    "between", ["...\n", "...\n---\n", "...\n# a comment\n", "---\n", "... # a comment\n--- # another\n"]
)
def test_every_way_to_end_a_yaml_document_ends_a_bad_one(bad: str, between: str) -> None:
    text = f"{LINE}\n{between}{bad}\n{between}{LINE}\n"
    first, second, third = read("yaml", text.encode("utf-8", "surrogatepass"))
    assert (first.error, third.error) == (None, None)
    assert first.data == third.data
    assert second.error
    assert second.error.code != "syntax/empty"
