"""Clean records: the usual case of a record in JSON without anything to report.

A record is clean, or it needs a closer look by `check_document`, which finds the same result and every diagnostic.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from hexrec.record.record import Record, has_side_lines, turn_of
from hexrec.record.replay import play_clean
from hexrec.record.schema import RecordData
from hexrec.record.validation import read_json
from hexrec.rules.game import Game
from hexrec.rules.terms import Outcome
from hexrec.rules.view import outcome_of
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.validation.report import INVALID_MARK, Report
from hexrec.validation.results import faults_of, result_of

#: Fields of which `check_document` must look closer at the record.
_CLOSER = ("setup", "x-sgf", INVALID_MARK)
#: The number of records that are read faster with the fast validator, whose import is slow.
_MANY = 500


class Clean(NamedTuple):
    """A record without anything to report.

    Attributes:
        data, rules: the record and its game.
        turns: the turns, in canonical notation.
        result: the result of the game, as in `Report.result`.
        file, number: the file, and the index of the record in it.
        raw, line: the bytes of the record, and the line of the file on which it begins.
    """

    data: RecordData
    rules: Game
    turns: list[str]
    result: Outcome | None
    file: str
    number: int
    raw: bytes
    line: int

    @property
    def id(self) -> str | None:
        """The id of the record, or None."""
        return self.data.get("id")

    def report(self) -> Report:
        """Return the report on the record."""
        from hexrec.formats.json import RecordDocument  # most clean records are only counted

        record = Record(self.data, self.rules)
        record.canonical_turns = self.turns
        record.file, record.index = self.file, self.number
        record.document = document = RecordDocument(self.raw, self.line, 1)
        where = (self.file, self.number, self.rules.name, self.id)
        return Report((), len(self.turns), self.result, record, *where, document=document)


def report_on(found: Clean | Report) -> Report:
    """Return the report on a record."""
    return found.report() if isinstance(found, Clean) else found


def read_each(
    lines: Sequence[bytes], file: str, index: int = 0, before: int = 0, *, finished: bool = False
) -> Iterator[tuple[int, int, Clean | None]]:
    """Yield for each record in JSON its place in `lines`, its index in the file, and None if it is not clean.

    The records are counted from `index`; `before` is the number of lines of the file before them.
    """
    if len(lines) > _MANY:
        import pydantic_core  # noqa: F401  # the fast validator, which `read_json` uses only if it is imported
    for place, line in enumerate(lines):
        clean = None
        try:
            if line:
                clean = read_clean(line, file, index, before + place + 1, finished=finished)
        except Exception:  # reported after the closer look
            clean = None
        if clean is None and len(lines) > 1 and _is_blank(line, before + place):
            continue
        yield place, index, clean
        index += 1


def _is_blank(line: bytes, before: int) -> bool:
    """Return whether a line has no record. The first line of a file may begin with a byte-order mark."""
    return not (line if before else line.removeprefix(codecs.BOM_UTF8)).strip(b" \t\r\n")


def read_clean(raw: bytes, file: str, number: int, line: int, *, finished: bool = False) -> Clean | None:
    """Return the record in JSON bytes, given its place in a file; None if a closer look must be taken."""
    valid = read_json(raw) if len(raw) <= MAX_RECORD_BYTES else None
    if valid is None:
        return None
    data, rules = valid
    for name in _CLOSER:
        if name in data:
            return None
    turns: list[Any] = data["moves"]
    try:
        "".join(turns)  # takes a tenth of the time of a look at each turn
    except TypeError:  # some turns are objects
        if any(map(has_side_lines, turns)):
            return None
        turns = [turn_of(move) for move in turns]
    played = play_clean(data, rules, turns)
    if played is None:
        return None
    grid, turns = played
    claim, outcome = data.get("result"), outcome_of(rules, grid)
    if faults_of(claim, outcome, finished=finished) or (claim is not None and "illegal" in claim):
        return None
    return Clean(data, rules, turns, result_of(claim, outcome), file, number, raw, line)
