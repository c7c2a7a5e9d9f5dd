"""How each format reads texts, to the last place, and writes records: `golden/<format>.jsonl`.

A line names its subject in `what`. It has the documents of a fixture or of a `text` of its own (`latin-1` for bytes
that are not UTF-8), and how each is written again; or `records` and how they are written. To test another text, add a
line with it. `python -m tests.formats.test_readings` then writes the files: it keeps texts and records and replaces
the rest. The diffs show how a change reads and writes them.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.record.canonical import canonicalize
from hexrec.record.validation import RecordError
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.version import __version__
from tests.cases import try_all
from tests.fixtures import without_games
from tests.formats.helpers import Dribble, parts, raw
from tests.properties import sample
from tests.record.helpers import FIXTURES, exact

GOLDEN = Path(__file__).parent / "golden"


@cache
def golden(name: str) -> dict[str, dict[str, Any]]:
    """Return the lines of a format by what they show."""
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["what"]: line for line in map(json.loads, lines)}


@cache
def texts(name: str) -> dict[str, bytes]:
    """Return the texts of a format that the fixtures do not have."""
    return {what: raw(line) for what, line in golden(name).items() if line.keys() & {"text", "latin-1"}}


@cache
def sources(name: str) -> dict[str, bytes]:
    """Return all texts of a format: those of its fixtures and the others."""
    files = sorted(
        each for kind in ("*/syntax*", "*/convert*", "valid/*") for each in FIXTURES.glob(f"formats/{name}/{kind}")
    )
    return {path.relative_to(FIXTURES).as_posix(): path.read_bytes() for path in files} | texts(name)


def reading(name: str, text: bytes) -> dict[str, Any]:
    """Return what is known of a text."""
    documents = formats.get(name).read(io.BytesIO(text))
    return {
        "documents": [described(name, document) for document in documents],
        "extents": [list(extent) for extent, _ in formats.locate_documents(formats.get(name), text)],
    }


def writing(name: str, records: list[Any]) -> dict[str, Any]:
    """Return how records are written in a format. What names no loss must be read as it was."""
    found = [written(name, record) for record in records]
    for record, each in zip(records, found, strict=True):
        if "text" in each:
            (document,) = formats.read(name, io.BytesIO(each["text"].encode()))
            assert document.error is None
            canonical = canonicalize(record)
            assert each["losses"] or exact(document.data) == exact(canonical)
    return json.loads(json.dumps({"written": found}))  # type: ignore[no-any-return]


def described(name: str, document: Document) -> dict[str, Any]:
    """Return what is known of a document, and how its record is written in its format."""
    known = without_writing(document)
    if document.error is None:
        # Where all parts have places, they are those that they have when they are asked for.
        everything = document.places().values
        pointers = dict.fromkeys([*(pointer for pointer, _ in parts(document.data)), *everything])
        places = document.places(pointers)
        spans = {pointer: places.find(pointer) for pointer in pointers}
        assert everything.items() <= spans.items()
        known["places"] = {
            pointer: span and "{}:{}-{}:{}".format(*span)
            for pointer, span in spans.items()
            if not pointer or span != spans.get(pointer.rpartition("/")[0])
        }
        known |= written(name, document.data)
    return known


def without_writing(document: Document) -> dict[str, Any]:
    """Return what is said of a document, and the data of its record."""
    known: dict[str, Any] = {}
    if found := [*document.warnings, *([document.error] if document.error else [])]:
        known["diagnostics"] = [shown(each, document) for each in found]
    if document.error is None:
        known["data"] = document.data
    return json.loads(json.dumps(known))  # type: ignore[no-any-return]


def shown(diagnostic: Diagnostic, document: Document) -> dict[str, Any]:
    """Return all that a diagnostic says, with the text around its place."""
    if diagnostic.source_line is None and document.text is not None:
        excerpt = document.text.excerpt(diagnostic.line or 0, diagnostic.column or 0)
        diagnostic = diagnostic.at(source_line=excerpt)
    found = {
        name: value for name, value in asdict(diagnostic).items() if value not in (None, ()) and value is not False
    }
    return found | {"message": without_games(found["message"])}


def written(name: str, data: Any) -> dict[str, Any]:
    """Return the text of a record and what it leaves out; nothing if no such record is written."""
    losses: list[Diagnostic] = []
    try:
        record = canonicalize(data)
        text = "".join(formats.get(name).write([record], losses.append))
    except RecordError as error:
        return {"refused": [[each.code, without_games(each.message), each.pointer] for each in error.diagnostics]}
    text = text.replace(f"hexrec:{__version__}", "hexrec:VERSION")
    return {"text": text, "losses": [[loss.code, loss.message, loss.severity, loss.pointer] for loss in losses]}


MEANT = "if that is as it should be: python -m tests.formats.test_readings"


@pytest.mark.parametrize("name", formats.BUILT_IN)
def test_what_is_read_is_what_was_read(name: str) -> None:
    def check(what: str) -> None:
        found = reading(name, sources(name)[what])
        assert found.items() <= golden(name)[what].items(), MEANT

    try_all(check, sources(name))


@pytest.mark.parametrize("name", [name for name in formats.BUILT_IN if name != "json"])  # which is read at once
def test_a_stream_that_gives_little_at_once_is_read_the_same(name: str) -> None:
    def check(what: str) -> None:
        documents = formats.get(name).read(Dribble(sources(name)[what]))
        assert [without_writing(document) for document in documents] == [
            {part: each[part] for part in each if part in ("diagnostics", "data")}
            for each in golden(name)[what]["documents"]
        ]

    try_all(check, sample(sources(name), 4))


@pytest.mark.parametrize("name", [name for name in formats.BUILT_IN if name not in ("json", "jsonl")])
def test_what_is_written_is_what_was_written(name: str) -> None:
    def check(what: str) -> None:
        line = golden(name)[what]
        assert writing(name, line["records"])["written"] == line["written"], MEANT

    try_all(check, [what for what, line in golden(name).items() if "records" in line])


def write_golden(concerned: Callable[[str], bool]) -> None:
    """Write the lines of all formats, anew if their subjects are new or concerned."""
    for name in formats.BUILT_IN:
        known = golden(name)
        subjects = dict.fromkeys([what for what in sources(name) if what not in texts(name)])
        subjects |= dict.fromkeys(what for what, line in known.items() if what in texts(name) or "records" in line)
        lines = [renewed(name, what) if what not in known or concerned(what) else known[what] for what in subjects]
        (GOLDEN / f"{name}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def renewed(name: str, what: str) -> dict[str, Any]:
    """Return the line of a subject with what is read or written now."""
    line = golden(name).get(what, {})
    kept = {"what": what} | {key: line[key] for key in ("text", "latin-1", "records") if key in line}
    found = writing(name, kept["records"]) if "records" in kept else reading(name, sources(name)[what])
    return kept | found


if __name__ == "__main__":
    write_golden(lambda _: True)
