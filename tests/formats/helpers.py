"""What the tests of the formats share."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.formats.places import Span
from hexrec.io.discovery import Source, format_of
from hexrec.util.diagnostics import pointer_to
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources

#: The formats that hold any data, and into which JSON's own text can be put. The others hold records only, and have
#: tests of their own.
FORMATS = ("json", "jsonl", "yaml")
#: The formats that hold several records.
COLLECTIONS = [name for name in FORMATS if name != "json"]
#: A record that is valid, in one line that is JSON and YAML.
LINE = '{"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}'


class Dribble(io.BytesIO):
    """A stream that gives a few bytes at once, as pipes may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(5, size) if size and size > 0 else 5)


def read(name: str, text: str | bytes) -> list[Document]:
    """Return the documents of a text in a format."""
    raw = text.encode() if isinstance(text, str) else text
    return list(formats.get(name).read(io.BytesIO(raw)))


def read_one(name: str, text: str | bytes) -> Any:
    """Return the data of the only document of a text, which must be free of faults."""
    (document,) = read(name, text)
    assert document.error is None
    return document.data


def write(name: str, *records: dict[str, Any]) -> str:
    return "".join(formats.get(name).write(records))


def check(path: Path, raw: bytes, format: str | None = None) -> list[Report]:
    """Write a file and return the verdicts on what it holds."""
    path.write_bytes(raw)
    return list(check_sources([Source(str(path), format or format_of(path))]))


def raw(line: dict[str, Any]) -> bytes:
    """Return the text of a line of the golden files; bytes that are not UTF-8 are there as Latin-1."""
    return bytes(line["text"], "utf-8") if "text" in line else bytes(line["latin-1"], "latin-1")


def codes(documents: list[Document]) -> list[str | None]:
    return [document.error.code if document.error else None for document in documents]


def cut_out(text: str, span: Span) -> str:
    """Return what stands at a place of a text."""
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def parts(data: Any, path: tuple[int | str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the JSON Pointer and the value of everything in some data, the whole first."""
    yield pointer_to(path), data
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in items:
        yield from parts(value, (*path, step))
