"""Units that cannot be done: the record at fault is found and gets a finding, the others are judged as ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO

from hexrec.batch.units import Piece, Unit, is_text
from hexrec.batch.work import Failed, Result
from hexrec.diagnostics import Diagnostic
from hexrec.formats.packing import unpacked
from hexrec.formats.sources import Source
from hexrec.validation.crashes import CRASHED

#: Does a unit in such a way that the process lives on. Raises Failed.
Attempt = Callable[[Unit], Result]
#: After so many records in a row that cannot be judged, it is the file that cannot be read.
_PATIENCE = 3


def isolated(unit: Unit, attempt: Attempt) -> Result:
    """Return the result of a unit in which some record makes the program fail. Raises Failed if that cannot be."""
    pieces = tuple(each for piece in unit.pieces for each in _sound(piece, attempt))
    return replace(attempt(Unit(pieces)), digest=unit.digest())


def _sound(piece: Piece, attempt: Attempt) -> Iterator[Piece]:
    """Yield parts of a piece, together the whole, with a finding in place of each that fails."""
    if piece.finding is not None:
        yield piece
    elif found := _lines(piece):
        for each in found:
            try:
                attempt(Unit((each,)))
            except Failed as failure:
                yield _blamed(each, failure)
            else:
                yield each
    else:
        yield from _records(piece, attempt)


def _lines(piece: Piece) -> list[Piece]:
    """Return the lines of a piece in JSON Lines; none if it is in another notation, or cannot be read."""
    try:
        content = piece.content()
        stream = unpacked(BytesIO(content)) if piece.data is None and not piece.cut else BytesIO(content)
        format, stream = Source(piece.name, piece.format).recognise(stream)
        lines = stream.readlines() if format == "jsonl" else []
    except OSError:
        return []
    if not lines or not is_text(lines[0]):
        return []
    last = len(lines) - 1
    return [
        replace(
            piece,
            format="jsonl",
            data=line,
            start=None,
            end=None,
            first=piece.first and number == 0,
            last=piece.last and number == last,
        )
        for number, line in enumerate(lines)
    ]


def _records(piece: Piece, attempt: Attempt) -> Iterator[Piece]:
    """Yield the records of a piece that can be read only from its beginning, each as a piece of its own."""
    number = failures = 0
    while failures < _PATIENCE:
        part = replace(piece, only=number, first=piece.first and number == 0, last=False)
        try:
            if not attempt(Unit((part,))).records:
                return
        except Failed as failure:
            yield _blamed(part, failure)
            failures += 1
        else:
            yield part
            failures = 0
        number += 1


def _blamed(piece: Piece, failure: Failed) -> Piece:
    return replace(piece, finding=Diagnostic(CRASHED, str(failure), file=piece.name))
