"""Registry of formats: find a format by name, file name or content. Each format is imported on first use.

A new format is one module that defines a `FORMAT`, one line in `_REGISTRY` and a directory of fixtures. A package
adds a format with an entry point of the group ``hexrec.formats``: the entry point has the format's name and refers to
a `Format`. Packages are searched only for a name or suffix that is not built in, or to list all names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from io import BytesIO
from itertools import chain
from typing import BinaryIO, NamedTuple

from hexrec.formats.base import BYTE_ORDER_MARK, JSON_HEAD, Document, Format, reading
from hexrec.util import plugins
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.streams import peekable, prepend

#: Name of each format, which is also the name of its module (but see `_load`), to the suffixes of its files.
#: The content of a file without a known suffix is checked in this order.
_REGISTRY: dict[str, tuple[str, ...]] = {
    "hgn": (".hgn",),
    "sgf": (".sgf",),
    "abstractplay": (),
    "json": (".json",),
    "jsonl": (".jsonl", ".ndjson"),
    "yaml": (".yaml", ".yml"),
}
#: The format whose records are written in the syntax of other formats, and these formats.
_DIALECT, _HOSTS = "abstractplay", ("json", "jsonl")


BUILT_IN = tuple(_REGISTRY)


def _load(name: str) -> Format:
    if name == "jsonl":
        from hexrec.formats.json import LINES_FORMAT

        return LINES_FORMAT
    module = "json_values" if name == "json" else name
    module_format: Format = import_module(f"hexrec.formats.{module}").FORMAT
    return module_format


FORMATS = plugins.Registry("hexrec.formats", Format, BUILT_IN, _load, "read")
names, is_known, get, register, unregister = (
    FORMATS.names,
    FORMATS.is_known,
    FORMATS.get,
    FORMATS.register,
    FORMATS.unregister,
)


def by_suffix(suffix: str) -> str | None:
    """Return the name of the format with a suffix (lowercase), or None if no format has it."""
    built_in = next((name for name, suffixes in _REGISTRY.items() if suffix in suffixes), None)
    if built_in or not suffix:
        return built_in
    others = {**FORMATS.registered, **FORMATS.offered()}
    return next((name for name, format in others.items() if suffix in format.suffixes), None)


def suffixes_of_records() -> list[str]:
    """Return the usual suffix of each built-in format."""
    return [suffixes[0] for suffixes in _REGISTRY.values() if suffixes]


def suffixes_of_outputs(suffix: str) -> dict[str, tuple[str, ...]]:
    """Return the suffixes of the files that each format is written to. Plug-ins load only for an unknown suffix."""
    suffixes = _REGISTRY | {_DIALECT: tuple(chain.from_iterable(_REGISTRY[host] for host in _HOSTS))}
    if suffix and not any(suffix in own for own in suffixes.values()):
        suffixes |= {name: get(name).suffixes for name in names() if name not in suffixes}
    # A record in JSON is hexrec's own, if nothing else is asked for.
    return {name: suffixes[name] for name in sorted(suffixes, key=_DIALECT.__eq__)}


def by_content(head: bytes) -> str:
    """Return the name of the format that recognizes `head`, the first two lines of a file that are not blank.

    Formats of installed packages are skipped: their files are recognized by suffix only.
    """
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    registered = (name for name, format in FORMATS.registered.items() if format.recognizes(text))
    return next(registered, None) or next(name for name in BUILT_IN if get(name).recognizes(text))


def read(name: str, stream: BinaryIO, line: int = 1) -> Iterator[Document]:
    """Yield the documents of a stream in a format, and translate documents of a format that uses its syntax.

    `line` is the line of the file on which a stream of JSON Lines begins.
    """
    name, stream = recognize_dialect(name, stream)
    documents = _from_line(get(name), line).read(stream)
    return map(_translate, documents) if name in _HOSTS else documents


def _from_line(format: Format, line: int) -> Format:
    if line == 1:
        return format
    from hexrec.formats.json import line_pieces

    pieces = partial(line_pieces, line=line)
    return replace(format, read=reading(pieces), pieces=pieces)


class Extent(NamedTuple):
    """A part of a file.

    Attributes:
        offset: its offset in bytes.
        size: its size in bytes.
        line: the number of newlines before it.
        record: the index of the record among those that this part contains.
    """

    offset: int
    size: int
    line: int = 0
    record: int = 0


def read_placed(name: str, body: bytes, line: int = 1) -> Iterator[tuple[Extent, Document]]:
    """Yield the documents of bytes as `read` does, each with its extent in them."""
    name, _ = recognize_dialect(name, BytesIO(body))
    for extent, document in locate_documents(_from_line(get(name), line), body):
        yield extent, _translate(document) if name in _HOSTS else document


def locate_documents(format: Format, body: bytes) -> Iterator[tuple[Extent, Document]]:
    """Yield the documents of a file, each with its extent.

    The extent is the whole file if the format cannot read a smaller part on its own.
    """
    if format.pieces is None:
        for index, document in enumerate(format.read(BytesIO(body))):
            yield Extent(0, len(body), record=index), document
        return
    offset = line = index = 0
    for piece in format.pieces(BytesIO(body)):
        for number, document in enumerate(piece.documents):
            part = Extent(offset, len(piece.raw), line, number)
            yield part if piece.raw else Extent(0, len(body), record=index), document
            index += 1
        offset += len(piece.raw)
        line += piece.raw.count(b"\n")


def dialect_of(document: Document) -> Format | None:
    """Return the other format that claims a JSON document, or None for a record in hexrec's own format."""
    if not isinstance(document.data, dict) or "hexrec" in document.data:  # recognized without an import
        return None
    from hexrec.formats.abstractplay.reader import claims

    return get(_DIALECT) if claims(document.data) else None


def translate(document: Document) -> Document:
    """Return a document that `dialect_of` recognizes as a record in hexrec's format."""
    from hexrec.formats.abstractplay import reader

    return reader.translate(document)


def recognize_dialect(name: str, stream: BinaryIO) -> tuple[str, BinaryIO]:
    """Return the format of a stream, and the whole stream: JSON may begin like a record of another format.

    A JSON file has one record in hexrec's format, or an array, but game sites also write sequences of records.
    """
    if name != "json":
        return name, stream
    whole = peekable(stream)
    beginning = whole.read(2 * JSON_HEAD)
    head = beginning.removeprefix(BYTE_ORDER_MARK).lstrip()
    if head.startswith(b"{") and not head[1:].lstrip().startswith(b'"hexrec"'):
        from hexrec.formats.abstractplay import begins_record

        name = _DIALECT if begins_record(head) else name
    return name, prepend(beginning, whole)


def _translate(document: Document) -> Document:
    """Return a document translated from the other format that claims it, or else the document itself."""
    within = isinstance(document.data, list) and bool(document.data)
    format = dialect_of(replace(document, data=document.data[0]) if within else document)
    if format is None:
        return document
    if not within:
        return translate(document)
    span = document.places([""]).find("")
    message = f"this is an array of {format.title} records: read it with --from {format.name}"
    error = Diagnostic("schema/type", message, pointer="", **(span._asdict() if span else {}))
    return replace(document, data=None, error=error)
