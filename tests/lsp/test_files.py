"""After an edit the reports are those of the whole file, and only the records around the change are read again."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

import hexrec
from hexrec.lsp.files import OpenFile
from tests.properties import examples

FORMATS = ("yaml", "jsonl", "sgf", "hgn")
#: What is typed, or pasted: some of it ends records, or begins texts that swallow the next ones.
TYPED = ("x", "\n", "\r", '"', "]", ")", "(;", "{", "e5", "é😀", "---\n", '[Game "', "\ufeff", "")


def text_of(format: str, count: int) -> str:
    paths = [f"fixtures/{game}/reference/games.jsonl" for game in ("sunspot", "nadraz", "frasvel")]
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
