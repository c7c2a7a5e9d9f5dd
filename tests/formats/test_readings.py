"""What is read of a text, to the last place, and what is written of that: `golden/<format>.jsonl`.

A line has what is known of one of the format's fixtures, or of one of the texts below, and how it is written again.
`python -m tests.formats.test_readings` writes the files. Read in their diffs what a change makes of records.
"""

from __future__ import annotations

import io
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.formats.extents import locate_documents
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import RecordError, read_record
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.version import __version__
from hexrec.validation.verdict import within_rules, writer
from tests.formats.helpers import parts
from tests.formats.texts import RECORDS, TEXTS
from tests.record.helpers import FIXTURES

GOLDEN = Path(__file__).parent / "golden"


class Dribble(io.BytesIO):
    """A stream that gives a few bytes at once, as pipes may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(5, size) if size and size > 0 else 5)


@cache
def sources(name: str) -> dict[str, bytes]:
    """Return the texts of a format by what they are called."""
    files = sorted(
        each for kind in ("*/syntax*", "*/convert*", "valid/*") for each in FIXTURES.glob(f"formats/{name}/{kind}")
    )
    found = {path.relative_to(FIXTURES).as_posix(): path.read_bytes() for path in files}
    texts = {what: text.encode() if isinstance(text, str) else text for what, text in TEXTS[name].items()}
    return found | texts


@cache
def expected(name: str) -> dict[str, Any]:
    lines = (GOLDEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return {found.pop("what"): found for found in map(json.loads, lines)}


def reading(name: str, raw: bytes) -> dict[str, Any]:
    """Return what is known of a text."""
    documents = formats.get(name).read(io.BytesIO(raw))
    return {
        "documents": [described(name, document) for document in documents],
        "extents": [list(extent) for extent, _ in locate_documents(formats.get(name), raw)],
    }


def writing(name: str, what: str) -> dict[str, Any]:
    """Return how records are written in a format, which must be read again as far as they are held."""
    found = [written(name, record) for record in RECORDS[name][what]]
    again = [formats.read(name, io.BytesIO(each["text"].encode())) for each in found if "text" in each]
    assert [document.error for documents in again for document in documents] == [None] * len(again)
    return json.loads(json.dumps({"written": found}))  # type: ignore[no-any-return]


def described(name: str, document: Document) -> dict[str, Any]:
    """Return what is known of a document, and how its record is written in its format."""
    document = within_rules(document)
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
    if document.margin:
        known["margin"] = document.margin
    return json.loads(json.dumps(known))  # type: ignore[no-any-return]


def shown(diagnostic: Diagnostic, document: Document) -> dict[str, Any]:
    """Return all that a diagnostic says, with the text around its place."""
    if diagnostic.source_line is None and document.text is not None:
        excerpt = document.text.excerpt(diagnostic.line or 0, diagnostic.column or 0)
        diagnostic = diagnostic.at(source_line=excerpt)
    return {name: value for name, value in asdict(diagnostic).items() if value not in (None, ())}


def written(name: str, data: Any) -> dict[str, Any]:
    """Return the text of a record and what it leaves out; nothing if no such record is written."""
    losses: list[Diagnostic] = []
    try:
        record = canonical_form(read_record(data, turns_unchecked=True))
        text = "".join(writer(formats.get(name))([record], losses.append))
    except RecordError as error:
        return {"refused": [[each.code, each.message, each.pointer] for each in error.diagnostics]}
    text = text.replace(f"hexrec:{__version__}", "hexrec:VERSION")
    return {"text": text, "losses": [[loss.code, loss.message, loss.severity, loss.pointer] for loss in losses]}


EVERY = [(name, what) for name in TEXTS for what in sources(name)]


@pytest.mark.parametrize(("name", "what"), EVERY)
def test_what_is_read_is_what_was_read(name: str, what: str) -> None:
    found = reading(name, sources(name)[what])
    assert found == expected(name)[what], "if that is as it should be: python -m tests.formats.test_readings"


@pytest.mark.parametrize(("name", "what"), [each for each in EVERY if each[0] != "json"])  # which is read at once
def test_a_stream_that_gives_little_at_once_is_read_the_same(name: str, what: str) -> None:
    documents = formats.get(name).read(Dribble(sources(name)[what]))
    assert [without_writing(document) for document in map(within_rules, documents)] == [
        {part: each[part] for part in each if part in ("diagnostics", "data", "margin")}
        for each in expected(name)[what]["documents"]
    ]


@pytest.mark.parametrize(("name", "what"), [(name, what) for name in RECORDS for what in RECORDS[name]])
def test_what_is_written_is_what_was_written(name: str, what: str) -> None:
    found = writing(name, what)
    assert found == expected(name)[f"records: {what}"], "if that is right: python -m tests.formats.test_readings"


if __name__ == "__main__":
    for name in TEXTS:
        lines = [json.dumps({"what": what, **reading(name, raw)}) for what, raw in sources(name).items()]
        lines += [json.dumps({"what": f"records: {what}", **writing(name, what)}) for what in RECORDS[name]]
        (GOLDEN / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
