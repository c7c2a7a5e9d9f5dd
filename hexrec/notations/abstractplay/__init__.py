"""Abstract Play game records: JSON objects with a header and rounds of turns, as that site writes them.

They are a dialect of JSON and JSON Lines. Forced, the notation also reads the lists of records that the sites export.
What such a record has and hexrec's do not name is kept in fields `x-abstractplay` and comes back when it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

from hexrec.diagnostics import Diagnostic
from hexrec.notations.abstractplay import splitter
from hexrec.notations.abstractplay.reader import Reader, Refused
from hexrec.notations.abstractplay.turns import KEPT
from hexrec.notations.abstractplay.writer import write
from hexrec.notations.base import Dialect, Document, GameEnd, Notation, guarded
from hexrec.notations.places import Places

#: How a record begins, alone and in a list: the sites write the header first.
_RECORD = re.compile(rb'\{\s*"header"\s*:')
_LIST = re.compile(rb'\[\s*\{\s*"header"\s*:')


def read(stream: BinaryIO) -> Iterator[Document]:
    """Yield the document of each record: of one, of several that follow each other, or of a list of them.

    Holds one record at a time; a broken one does not touch the others.
    """
    for document in raw_documents(stream):
        if document.error is not None:
            yield document
        elif isinstance(document.data, dict) and claims(document.data):
            yield guarded(translate, document, translated=document)
        else:
            message = "this is no record of Abstract Play: it should be an object with a header and moves"
            yield _refused(document, Diagnostic("syntax/abstractplay", message))


def raw_documents(stream: BinaryIO) -> Iterator[Document]:
    """Yield the same documents as they stand in the JSON."""
    return splitter.documents(stream, _RECORD)


def claims(data: dict[str, Any]) -> bool:
    """Return whether JSON data is a record of Abstract Play, or is meant to be one."""
    return isinstance(data.get("header"), dict) and "moves" in data


def translate(document: Document, game_end: GameEnd | None = None) -> Document:
    """Return the document of a record as hexrec's own, with the places that its parts have in the text.

    With `game_end`, it is without the turns that follow the end of a game of Sunspot.
    """
    reader = Reader(game_end)
    try:
        data = reader.record(document.data)
    except Refused as refused:
        return _refused(document, refused.diagnostic)
    warnings = _located(document, reader.warnings.diagnostics("syntax/more"))
    may_go_on = game_end is None and data.get("game") == "sunspot"
    return Document(
        data=data,
        places=partial(_places, document, reader),
        lines=document.lines,
        warnings=warnings,
        with_rules=partial(translate, document) if may_go_on else None,
    )


def _refused(document: Document, diagnostic: Diagnostic) -> Document:
    (error,) = _located(document, [diagnostic])
    return Document(error=error, lines=document.lines)


def _located(document: Document, diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics with the places of their pointers in the JSON text; the pointers, not the record's, go."""
    if not diagnostics:
        return ()
    places = document.places([diagnostic.pointer or "" for diagnostic in diagnostics])
    spans = [places.find(diagnostic.pointer or "") for diagnostic in diagnostics]
    return tuple(
        diagnostic.at(pointer=None, **(span._asdict() if span else {}))
        for diagnostic, span in zip(diagnostics, spans, strict=True)
    )


def _places(document: Document, reader: Reader, pointers: Iterable[str] | None = None) -> Places:
    """Return the places of parts of a record that was made of a document; of all that it has named if none are said."""
    origins = reader.origins()
    wanted = {pointer: _origin(pointer, origins) for pointer in (origins if pointers is None else pointers)}
    found = document.places(wanted.values())
    places = Places(wanted)
    for pointer, origin in wanted.items():
        span = found.find(origin)
        if span is not None:
            places.put(pointer, span)
    return places


def _origin(pointer: str, origins: Mapping[str, str]) -> str:
    """Return the pointer of what a part of the record, or else what is nearest around it, was made of."""
    around = pointer
    while around not in origins:
        around = around.rpartition("/")[0]
    # What is kept as it was has the same parts.
    return origins[around] + (pointer.removeprefix(around) if f"/{KEPT}/" in around else "")


def _recognises(head: bytes) -> bool:
    return _LIST.match(head) is not None


NOTATION = Notation(
    "abstractplay",
    "Abstract Play",
    read,
    write,
    _recognises,
    Dialect(claims, translate),
    write_with_rules=lambda game_end: partial(write, game_end=game_end),
)
