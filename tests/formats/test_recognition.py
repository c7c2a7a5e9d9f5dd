"""Which format a file is in: by its name, else by its content; standard input alike."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from hexrec import formats
from hexrec.io.discovery import Discovery, Source, format_of
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from tests.cases import all_of
from tests.formats.helpers import LINE, check

BLOCK = "hexrec: '1'\ngame: sunspot\nsize: 5\nmoves: []\n"
PRETTY = LINE.replace(", ", ",\n  ")
LONG = LINE.replace("{", '{"x-a": "%s", ' % ("a" * 200_000))


@all_of(
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
def test_a_name_tells_the_format(file: str, name: str | None) -> None:
    assert format_of(file) == name
    assert format_of(Path(file)) == name


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(LookupError, match=f"unknown format 'xml'; known: {', '.join(formats.names())}"):
        formats.get("xml")


def stdin(monkeypatch: pytest.MonkeyPatch, raw: bytes, format: str | None = None) -> list[Report]:
    stream = io.TextIOWrapper(io.BufferedReader(io.BytesIO(raw)))
    monkeypatch.setattr(sys, "stdin", stream)
    return list(check_sources(Discovery(["-"], format)))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["no-mark", "mark"])
@all_of(
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
def test_the_content_tells_the_format(
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


HEADER = (
    '{"game": {"name": "Nadraz", "variants": ["size-10"]}, "startingPosition": "black:e5;white:k9", '
    '"players": [{"name": "Ada", "result": 1}, {"name": "Ben", "result": 0}]}'
)
PLAY = f'{{"header": {HEADER}, "moves": [["e6", "f6"], ["resign"]]}}'


@pytest.mark.parametrize("ending", ["", "\n"], ids=["no line end", "line end"])
@all_of(
    "text",
    [
        PLAY,
        f'{{"header": {HEADER}}}',
        '{"moves": [["e6", "f6"], ["resign"]]}',
        PLAY.replace(HEADER, "5"),
        PLAY.replace('[["e6", "f6"], ["resign"]]', '"e6"'),
        PLAY.replace('"game"', '"gam"'),
        PLAY.replace('"size-10"', ""),
        PLAY.replace('"header"', '"heade"'),
        PLAY.replace('{"game"', '\n{"game"'),
        PLAY.replace('{"game"', '\n{"game"').replace('"size-10"', ""),
        PLAY.replace('{"name": "Ada"', '\n{"name": "Ada"'),
        PLAY.replace('{"name": "Ben"', '\n{"name": "Ben"'),
        PLAY.replace("}, ", "},, "),
        PLAY.replace(": {", ":\n{").replace('"players": [', '"players": '),
        *(PLAY[:length] for length in range(1, len(PLAY), 9)),
        *(PLAY.replace(", ", ",\n ")[:length] for length in range(1, len(PLAY), 9)),
        LINE.replace("{", '{"players":\n{"black": {"name": "Ada"}}, ', 1),
        LINE.replace("]", ',\n{"turn": "e5"}]'),
    ],
)
def test_a_damaged_record_is_reported_as_in_a_file_named_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, ending: str
) -> None:
    raw = (text + ending).encode()
    expected = [report.diagnostics for report in check(tmp_path / "game.json", raw)]
    for reports in (check(tmp_path / "game", raw), stdin(monkeypatch, raw)):
        assert [[d.at(file=None) for d in report.diagnostics] for report in reports] == [
            [d.at(file=None) for d in diagnostics] for diagnostics in expected
        ]


@pytest.mark.parametrize(
    "first", ['{"hexrec": "1", "game":', '{"hexrec": "1", "moves": ["a1",', '{"hexrec": "1", "moves": [']
)
def test_two_damaged_lines_are_json_lines(tmp_path: Path, first: str) -> None:
    reports = check(tmp_path / "games", f"{first}\n{LINE[:-1]}\n{LINE}\n".encode())
    assert [report.valid for report in reports] == [False, False, True]


def test_blank_lines_may_come_first_where_a_stream_does_not_show_what_comes_next() -> None:
    raw = f"\n \n\n{LINE}\n".encode()
    name, stream = Source("games").recognize(io.BytesIO(raw))
    assert (name, stream.read()) == ("jsonl", raw)


def test_the_name_stands_above_the_content(tmp_path: Path) -> None:
    (report,) = check(tmp_path / "a.json", BLOCK.encode())
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["syntax/json"]


def test_a_demanded_format_stands_above_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert [source.name for source in Discovery(["-"]) if isinstance(source, Source)] == ["-"]
