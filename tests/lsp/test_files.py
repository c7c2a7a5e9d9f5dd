"""After an edit the reports are those of the whole file, and only the records around the change are read again."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hexrec
from hexrec import formats
from hexrec.lsp.files import OpenFile
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as hexrec_command
from tests.properties import examples

FORMATS = ("yaml", "jsonl", "sgf", "hgn")
__all__ = ["hexrec_command"]

#: What is typed, or pasted: some of it ends records, or begins texts that swallow the next ones.
TYPED = ("x", "\n", "\r", '"', "]", ")", "(;", "{", "e5", "é😀", "---\n", '[Game "', "\ufeff", "")


def text_of(format: str, count: int) -> str:
    paths = [f"fixtures/suite/{game}/reference/games.jsonl" for game in ("sunspot", "nadraz", "frasvel")]
    records = [record for path in paths for record in islice(hexrec.records(path), count)]
    return hexrec.dumps(records, format)


def opened(format: str, text: str) -> OpenFile:
    return OpenFile(f"untitled:games.hexrec.{format}", "", text)


def state(file: OpenFile) -> list[object]:
    return [[part.raw for part in file.parts], [*file.diagnostics()]]


@pytest.mark.parametrize("format", FORMATS)
def test_edits_give_the_reports_of_the_whole_text(format: str) -> None:
    rng, original = Random(1), text_of(format, 4)
    text, edited = original, opened(format, original)
    for number in range(examples(20)):
        start = rng.randrange(len(text) + 1)
        removed = rng.choice([0, 0, 1, 5, 500])
        text = text[:start] + rng.choice(TYPED) + text[start + removed :]
        edited.update(text)
        assert state(edited) == state(opened(format, text))
        if number % 5 == 4:
            text = original


@pytest.mark.parametrize("format", FORMATS)
def test_only_records_around_the_change_are_read_again(format: str) -> None:
    text = text_of(format, 4)
    file = opened(format, text)
    before = [report for part in file.parts for report in part.reports]
    middle = text.index("e", len(text) // 2)
    file.update(text[:middle] + "\n" + text[middle + 1 :])
    after = [report for part in file.parts for report in part.reports]
    kept = {id(report) for report in before} & {id(report) for report in after}
    assert len(before) == 12
    assert len(kept) >= 8


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
    """Return the text of a file after its edits, with places as editors count them."""
    text = file.text.text
    for place, new in reversed(file.completions()):
        start, end = file.text.offset_at(place.start), file.text.offset_at(place.end)
        text = text[:start] + new + text[end:]
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
    path.write_bytes(file.text.text.encode())
    hexrec_command("fix", path)
    assert completed(file) == path.read_bytes().decode() != file.text.text
    file.update(completed(file))
    assert file.completions() == []


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
    assert opened(format, text).completions() == []
