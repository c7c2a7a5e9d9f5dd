"""After edits, the diagnostics are those of the whole file, and only the records around the edits are read again."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lsprotocol.types import Range

import hexrec
from hexrec import formats
from hexrec.lsp.files import OpenFile
from hexrec.lsp.text import EditorText, move_down
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as hexrec_command
from tests.properties import examples

FORMATS = ("yaml", "jsonl", "sgf", "hgn")
__all__ = ["hexrec_command"]

#: Texts that are typed or pasted: some end records, or begin strings that swallow the next ones.
TYPED = ("x", "\n", "\r", '"', "]", "[", ")", "(;", "{", ",", "e5", "é😀", "---\n", '[Game "', "\ufeff", "\n\n\n", "")


def text_of(format: str, count: int) -> str:
    paths = [f"fixtures/suite/{game}/reference/games.jsonl" for game in ("sunspot", "nadraz", "frasvel")]
    records = [record for path in paths for record in islice(hexrec.records(path), count)]
    if format == "json":
        return "[\n" + ",\n".join(json.dumps(record.data) for record in records) + "\n]\n"
    return hexrec.dumps(records, format)


def opened(format: str, text: str) -> OpenFile:
    file = OpenFile(f"untitled:games.hexrec.{format}", "", text)
    list(file.read())
    return file


def diagnostics(file: OpenFile) -> list[object]:
    located = [(*mark, line) for part, line in file.placed_parts() for mark in part.diagnostics]
    return [(diagnostic.code, diagnostic.message, move_down(place, line)) for diagnostic, place, line in located]


def replace(file: OpenFile, start: int, end: int, text: str) -> None:
    file.change(EditorText(file.text).range(start, end), text)


@pytest.mark.parametrize("format", [*FORMATS, "json"])
def test_edits_give_the_diagnostics_of_the_whole_text(format: str) -> None:
    """Also if they follow so fast that only some records are validated in between."""
    rng, original = Random(1), text_of(format, 4)
    edited = opened(format, original)
    for number in range(examples(20)):
        for _ in range(rng.choice([1, 1, 2, 3])):
            start = rng.randrange(len(edited.text) + 1)
            replace(edited, start, start + rng.choice([0, 0, 1, 5, 500]), rng.choice(TYPED))
            list(islice(edited.read(), rng.randrange(8)))
        list(edited.read())
        assert diagnostics(edited) == diagnostics(opened(format, edited.text))
        if number % 5 == 4:
            edited.change(None, original)


@pytest.mark.parametrize("format", [*FORMATS, "json"])
def test_only_records_around_the_change_are_read_again(format: str) -> None:
    file = opened(format, text_of(format, 4))
    before = [report for part in file.parts for report in part.reports or ()]
    middle = file.text.index("e", len(file.text) // 2)
    replace(file, middle, middle + 1, "\n")
    assert len(list(file.read())) <= 4
    after = [report for part in file.parts for report in part.reports or ()]
    kept = {id(report) for report in before} & {id(report) for report in after}
    assert len(before) == 12
    assert len(kept) >= 8


def test_an_edit_within_a_character_of_two_units() -> None:
    """It leaves a half, which no encoding has."""
    file = opened("jsonl", json.dumps(ENDED, ensure_ascii=False))
    place = EditorText(file.text).position(file.text.index("😀"))
    file.change(Range(place, place), "\ud83d")
    list(file.read())
    assert "\ufffd😀" in file.text
    assert diagnostics(file) == []


#: A game that the rules have ended, with a part of its result, and with a wrong one.
ENDED = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 3,
    "event": "😀",
    "opening": {"black": "c3", "white": "b2"},
    "moves": ["a1", "a2", "pass", "pass"],
}
RESULT = {"winner": "white", "score": {"black": 0, "white": 1.5}}
UNFINISHED = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}


def completed(file: OpenFile) -> str:
    return edited(file, [edit for edit in file.completions() if edit is not None])


def edited(file: OpenFile, edits: list[tuple[Range, str]]) -> str:
    """Return the text of a file after edits in order, with places as editors count them."""
    located = EditorText(file.text)
    text = file.text
    for place, new in reversed(edits):
        text = text[: located.offset_at(place.start)] + new + text[located.offset_at(place.end) :]
    return text


@pytest.mark.parametrize("format", [*FORMATS, "json"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_completions_are_those_of_fix(hexrec_command: Run, tmp_path: Path, format: str, line_end: str) -> None:
    claims: list[dict[str, Any]] = [
        {},
        {"result": {"winner": "white"}},
        {"result": RESULT},
        {"result": {"score": RESULT["score"]}},
    ]
    wrong = [{**ENDED, "result": {**RESULT, "winner": "black"}}, {**UNFINISHED, "moves": ["e5", "e5"]}]
    records = [UNFINISHED, *({**ENDED, **claim} for claim in claims), *wrong, UNFINISHED]
    text = "".join(formats.get(format).write(records if format != "json" else records[1:2]))
    file = opened(format, text.replace("\n", line_end))
    path = tmp_path / f"a.{format}"
    path.write_bytes(file.text.encode())
    hexrec_command("fix", path)
    assert completed(file) == path.read_bytes().decode() != file.text
    assert not any(opened(format, completed(file)).completions())


@pytest.mark.parametrize("format", [*FORMATS, "json"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_formatting_is_that_of_fmt(hexrec_command: Run, tmp_path: Path, format: str, line_end: str) -> None:
    records = [{**UNFINISHED, "comment": "a  b 😀", "moves": ["e5", move]} for move in ("d4", "E4", "e5", "zz")]
    text = "".join(formats.get(format).write(records if format != "json" else records[1:2]))
    text = text.replace(" ", "  ") if format != "hgn" else text.replace("\n\n", "\n\n\n")
    file = opened(format, text.replace("\n", line_end))
    path = tmp_path / f"a.{format}"
    path.write_bytes(file.text.encode())
    hexrec_command("fmt", path)
    assert edited(file, [edit for edit in file.formatting() if edit is not None]) == path.read_bytes().decode()
    assert path.read_bytes() != file.text.encode()


@pytest.mark.parametrize("format", [*FORMATS, "json"])
@pytest.mark.parametrize(
    "change",
    [
        {"result": {**RESULT, "winner": "black"}},
        {"result": {"winner": "white", "termination": "time"}},
        {"moves": ["a1", "a1"]},
    ],
)
def test_nothing_that_is_recorded_is_replaced(format: str, change: dict[str, Any]) -> None:
    text = "".join(formats.get(format).write([{**ENDED, **change}]))
    assert not any(opened(format, text).completions())
