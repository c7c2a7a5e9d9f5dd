"""The formats, and the registry that finds them by name, file name or content. Each is imported on first use.

A new format is one module that defines a `FORMAT`, one line in `_REGISTRY` and a folder of fixtures. A package
offers one with an entry point of the group ``hexrec.formats``, whose name is the format's and which leads to a
`Format`. Packages are looked through only when a name or an ending is asked for that is none of hexrec's own, or all
names are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from io import BufferedReader, BytesIO
from typing import Any, BinaryIO, cast

from hexrec.formats.base import BYTE_ORDER_MARK, LIST_HEAD, Document, Format, LossError, OnLoss, guarded
from hexrec.formats.extents import Extent, placed
from hexrec.formats.places import Places, Span
from hexrec.util import plugins
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.util.streams import prepended

#: The registry: by the name of a format, which is its module's, how the names of its files end. Files without a
#: telling name are taken for the first that recognizes them.
_REGISTRY: dict[str, tuple[str, ...]] = {
    "hgn": (".hgn",),
    "sgf": (".sgf",),
    "abstractplay": (),
    "json": (".json",),
    "jsonl": (".jsonl", ".ndjson"),
    "yaml": (".yaml", ".yml"),
}
#: The format that borrows the syntax of others: what is read in these may be its records.
_DIALECT, _HOSTS = "abstractplay", ("json", "jsonl")


BUILT_IN = tuple(_REGISTRY)


def _load(name: str) -> Format:
    found: Format = import_module(f"hexrec.formats.{name}").FORMAT
    return found


FORMATS = plugins.Registry("hexrec.formats", Format, BUILT_IN, _load, "read")
names, is_known, get, register, unregister = (
    FORMATS.names,
    FORMATS.is_known,
    FORMATS.get,
    FORMATS.register,
    FORMATS.unregister,
)


def by_suffix(suffix: str) -> str | None:
    """Return the name of the format of files whose names end so, in small letters; None if there is none."""
    own = next((name for name, suffixes in _REGISTRY.items() if suffix in suffixes), None)
    if own or not suffix:
        return own
    others = {**FORMATS.registered, **FORMATS.offered()}
    return next((name for name, format in others.items() if suffix in format.suffixes), None)


def by_content(head: bytes) -> str:
    """Return the name of the format that a file looks like whose first two lines (blank ones aside) are `head`.

    Those of installed packages are not asked: files in them are known by their names.
    """
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    registered = (name for name, format in FORMATS.registered.items() if format.recognizes(text))
    return next(registered, None) or next(name for name in BUILT_IN if get(name).recognizes(text))


def read(name: str, stream: BinaryIO) -> Iterator[Document]:
    """Yield the documents of a stream in a format, translating those in a format that uses its syntax."""
    name, stream = recognize_dialect(name, stream)
    documents = get(name).read(stream)
    return map(_translated, documents) if name in _HOSTS else documents


def read_placed(name: str, body: bytes) -> Iterator[tuple[Extent, Document]]:
    """Yield what `read` does of a whole file, each document with the part of the file that holds it."""
    name, _ = recognize_dialect(name, BytesIO(body))
    for extent, document in placed(get(name), body):
        yield extent, _translated(document) if name in _HOSTS else document


def dialect_of(document: Document) -> Format | None:
    """Return the format of a document that is JSON and no record of hexrec's, but claimed by another format."""
    if not isinstance(document.data, dict) or "hexrec" in document.data:  # which says so, and needs no import
        return None
    found = get(_DIALECT)
    return found if found.dialect and found.dialect.claims(document.data) else None


def recognize_dialect(name: str, stream: BinaryIO) -> tuple[str, BinaryIO]:
    """Return the format of a stream in a format: another one if it is JSON, but begins like that one's records.

    One record is JSON; a list of them is none of hexrec's, but sites write such lists, or one record after the other.
    """
    if name != "json":
        return name, stream
    whole = stream if hasattr(stream, "peek") else BufferedReader(cast(Any, stream))
    beginning = _beginning(whole)
    head = beginning.removeprefix(BYTE_ORDER_MARK).lstrip()
    if head.startswith(b"["):
        listed = head
    elif head.startswith(b"{") and not head[1:].lstrip().startswith(b'"hexrec"'):  # which says that it is no other
        listed = b"[" + head
    else:
        return name, prepended(beginning, whole)
    return _DIALECT if get(_DIALECT).recognizes(listed) else name, prepended(beginning, whole)


def _beginning(stream: BinaryIO) -> bytes:
    """Read the blanks with which a stream begins, as many as a record may have, and what is looked at of a list."""
    beginning = bytearray()
    while len(beginning) <= MAX_RECORD_BYTES and (more := stream.read(LIST_HEAD)):
        beginning += more
        if not more.removeprefix(BYTE_ORDER_MARK).isspace():
            return bytes(beginning + stream.read(LIST_HEAD))
    return bytes(beginning)


def _translated(document: Document) -> Document:
    """Return a document as its dialect has it; hexrec's own records, which say so, import none to be known."""
    if document.valid is not None:
        return document
    within = isinstance(document.data, list) and bool(document.data)
    format = dialect_of(replace(document, data=document.data[0]) if within else document)
    if format is None or format.dialect is None:
        return document
    if not within:
        return guarded(format.dialect.translate, document, translated=document)
    span = document.places([""]).find("")
    message = f"a list of records, as {format.title} has them: read it with --from {format.name}"
    error = Diagnostic("schema/type", message, pointer="", **(span._asdict() if span else {}))
    return replace(document, data=None, error=error)


__all__ = [
    "BUILT_IN",
    "Document",
    "Extent",
    "LossError",
    "Format",
    "OnLoss",
    "Places",
    "Span",
    "by_content",
    "by_suffix",
    "dialect_of",
    "get",
    "is_known",
    "names",
    "read",
    "read_placed",
    "recognize_dialect",
    "register",
    "unregister",
]
