"""Which notation a file is in: by its name, else by its content; standard input alike."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from hexrec import notations
from hexrec.check import Report, check_sources
from hexrec.files.discovery import Discovery, Source, notation_of
from tests.notations.helpers import LINE, check

BLOCK = "hexrec: '1'\ngame: sunspot\nsize: 5\nmoves: []\n"
PRETTY = LINE.replace(", ", ",\n  ")
LONG = LINE.replace("{", '{"x-a": "%s", ' % ("a" * 200_000))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a.json", "json"),
        ("a.JSON", "json"),
        ("b/c.d/a.jsonl", "jsonl"),
        ("a.ndjson", "jsonl"),
        ("a.yaml", "yaml"),
        ("a.json.yml", "yaml"),
        ("a.txt", None),
        ("json", None),
        (".json", None),
        ("a.json/b", None),
        ("", None),
    ],
)
def test_a_name_tells_the_notation(file: str, name: str | None) -> None:
    assert notation_of(file) == name
    assert notation_of(Path(file)) == name


def test_an_unknown_notation_is_refused() -> None:
    with pytest.raises(KeyError, match=f"unknown notation 'xml'; known: {', '.join(notations.names())}"):
        notations.get("xml")


def stdin(monkeypatch: pytest.MonkeyPatch, raw: bytes, format: str | None = None) -> list[Report]:
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(raw)))
    monkeypatch.setattr(sys, "stdin", stream)
    return list(check_sources(Discovery(["-"], format)))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no-mark", "mark"])
@pytest.mark.parametrize(
    ("text", "records"),
    [
        (LINE, 1),
        (f"{LINE}\n{LINE}\n", 2),
        (f"\n\n {LINE}\n\n{LINE}\n", 2),
        (f"{LINE}\r\n{LINE}\r\n", 2),
        (f"{LONG}\n{LONG}\n{LINE}\n", 3),
        (PRETTY, 1),
        (f"\n\r\n\t{PRETTY}", 1),
        (LONG.replace(", ", ",\n"), 1),
        (BLOCK, 1),
        (f"# a comment\n---\n{BLOCK}---\n{BLOCK}", 2),
        (f"--- {LINE}\n--- {LINE}\n", 2),
        (f"# a long comment\n{'# and on' * 50_000}\n{BLOCK}", 1),
    ],
)
def test_the_content_tells_the_notation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, records: int, mark: bytes
) -> None:
    raw = mark + text.encode()
    for reports in (check(tmp_path / "games", raw), check(tmp_path / "games.txt", raw), stdin(monkeypatch, raw)):
        assert [report.diagnostics for report in reports] == [()] * records


@pytest.mark.parametrize("bad", ["{]", '{"hexrec": ', '{"a": NaN}', '{"a": 1, "a": 2}', '"a"', "# a"])
def test_a_bad_line_does_not_hide_that_a_file_holds_json_lines(tmp_path: Path, bad: str) -> None:
    reports = check(tmp_path / "games", f"{LINE}\n{bad}\n{LINE}\n".encode())
    assert [report.valid for report in reports] == [True, False, True]


@pytest.mark.parametrize("bad", ["{]", '{"hexrec": ', '{"a": NaN}', '{"a": 1, "a": 2}'])
def test_nor_does_a_bad_first_line(tmp_path: Path, bad: str) -> None:
    reports = check(tmp_path / "games", f"{bad}\n{LINE}\n".encode())
    assert [report.valid for report in reports] == [False, True]
    assert check(tmp_path / "others", f"{bad}\n \t{LINE}\n".encode())[1].valid


def test_blank_lines_may_come_first_where_a_stream_does_not_show_what_comes_next() -> None:
    raw = f"\n \n\n{LINE}\n".encode()
    name, stream = Source("games").recognise(io.BytesIO(raw))
    assert (name, stream.read()) == ("jsonl", raw)


def test_the_name_stands_above_the_content(tmp_path: Path) -> None:
    (report,) = check(tmp_path / "a.json", BLOCK.encode())
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["syntax/json"]


def test_a_demanded_notation_stands_above_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text(BLOCK)
    (source,) = Discovery([str(tmp_path / "a.json")], "yaml")
    (report,) = check_sources([source])
    assert report.valid
    (report,) = stdin(monkeypatch, LINE.encode(), "yaml")
    assert report.valid
    (report,) = stdin(monkeypatch, BLOCK.encode(), "jsonl")[:1]
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["syntax/json"]


@pytest.mark.parametrize("raw", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_nothing_at_all_is_reported_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raw: bytes) -> None:
    for reports in (check(tmp_path / "games", raw), stdin(monkeypatch, raw)):
        assert [diagnostic.code for report in reports for diagnostic in report.diagnostics] == ["syntax/empty"]


def test_standard_input_is_named_by_a_hyphen(monkeypatch: pytest.MonkeyPatch) -> None:
    (report,) = stdin(monkeypatch, b"{")
    assert (report.file, report.diagnostics[0].file) == ("-", "-")
    assert list(Discovery(["-"])) == [Source("-")]
