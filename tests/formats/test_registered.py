"""A format from elsewhere, added by the public call, is one of the formats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from codes import pages
from hexrec_oneline import ONELINE

import hexrec
from hexrec import formats
from hexrec.codes import all_codes
from hexrec.formats.base import Document, Format
from tests.cli.conftest import SHORT_GAME, Run
from tests.cli.conftest import hexrec as run

__all__ = ["run"]

RECORD = '{"hexrec": "1", "game": "sunspot", "size": 5, "event": "Cup", "moves": ["a1", "b2"]}\n'


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    formats.register(ONELINE)
    yield
    formats.unregister("oneline")


def test_the_registry() -> None:
    assert formats.names() == (*formats.BUILT_IN, "oneline")
    assert formats.is_known("oneline")
    assert not formats.is_known("none")
    with pytest.raises(ValueError, match="there is a format 'oneline' already"):
        formats.register(ONELINE)
    with pytest.raises(LookupError):
        formats.unregister("json")


def test_conversion_both_ways(run: Run, tmp_path: Path) -> None:
    source, target = tmp_path / "one.json", tmp_path / "one.oneline"
    source.write_text(RECORD)
    there = run("convert", str(source), "-o", str(target))
    assert (there.code, target.read_text()) == (0, "sunspot 5 a1 b2\n")
    assert "convert/oneline" in there.err
    assert run("validate", str(target)).code == 0
    back = run("convert", str(target), "--to", "jsonl")
    assert (back.code, '"moves":["a1","b2"]' in back.out.replace(" ", "")) == (0, True)


def test_files_are_recognized_by_content(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games"
    path.write_text("sunspot 5 a1 b2\nsunspot 5 a1 a1\nsunspot\n")
    ran = run("validate", str(path))
    assert (ran.code, "3 records" in ran.out + ran.err) == (1, True)
    assert {"move/occupied", "syntax/oneline"} <= {word.strip("[]:") for word in ran.out.split()}


def test_files_are_edited_in_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.oneline"
    path.write_text("sunspot 5 A1 b2\n")
    assert run("fmt", str(path)).code == 0
    assert path.read_text() == "sunspot 5 a1 b2\n"


def test_a_format_may_know_no_places(run: Run, tmp_path: Path) -> None:
    """What is fixed is said of the record then, without a line."""

    def read(stream: BinaryIO) -> Iterator[Document]:
        yield from (Document(json.loads(line)) for line in stream)

    def write(records: Iterable[dict[str, Any]], _: object = None, /) -> Iterator[str]:
        yield from (f"{json.dumps(record)}\n" for record in records)

    formats.register(Format("bare", "Bare", read, write, lambda _: False, suffixes=(".bare",)))
    try:
        path = tmp_path / "one.bare"
        path.write_text(json.dumps(SHORT_GAME))
        ran = run("fix", path)
    finally:
        formats.unregister("bare")
    assert (ran.code, "one.bare: record 0: result added" in ran.err) == (0, True)
    assert json.loads(path.read_text())["result"]["winner"] == "white"


def test_the_library() -> None:
    record = hexrec.loads("sunspot 5 a1 b2\n", format="oneline")
    assert hexrec.dumps(record, format="oneline") == "sunspot 5 a1 b2\n"


def test_its_codes_come_along(run: Run) -> None:
    assert set(ONELINE.codes) <= all_codes()
    assert "## Syntax of One-Line\n" in pages()["codes/syntax.md"]
    assert "each field once, and turns" in run("explain", "syntax/oneline").out
