"""Clean records: the usual case of a record in JSON without anything to report.

A record is clean, or it needs a closer look by `check_document`, which finds the same result and every diagnostic.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hexrec.formats.json import RecordDocument
from hexrec.record.identity import hash_legal
from hexrec.record.record import Record, has_side_lines, turn_of
from hexrec.record.replay import play_clean
from hexrec.record.schema import RecordData
from hexrec.record.validation import read_json
from hexrec.rules.game import Game
from hexrec.rules.terms import Outcome
from hexrec.rules.view import outcome_of
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.validation.report import Report
from hexrec.validation.verdict import INVALID_MARK, faults_of, result_of

#: Fields of which `check_document` must look closer at the record.
_CLOSER = ("setup", "x-sgf", INVALID_MARK)


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

    def hash(self) -> str:
        """Return the game hash."""
        return hash_legal(self._record())

    def _record(self) -> Record:
        record = Record(self.data, self.rules)
        record.canonical_turns = self.turns
        return record

    def report(self) -> Report:
        """Return the report on the record."""
        record = self._record()
        record.file, record.index = self.file, self.number
        record.document = document = RecordDocument((self.data, self.rules), self.raw, self.line, 1)
        where = (self.file, self.number, self.rules.name, self.id)
        return Report((), len(self.turns), self.result, record, *where, document=document)


def report_on(found: Clean | Report) -> Report:
    """Return the report on a record."""
    return found.report() if isinstance(found, Clean) else found


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
    grid = play_clean(data, rules, turns)
    if grid is None:
        return None
    claim, outcome = data.get("result"), outcome_of(rules, grid)
    if faults_of(claim, outcome, finished=finished) or (claim is not None and "illegal" in claim):
        return None
    return Clean(data, rules, turns, result_of(claim, outcome), file, number, raw, line)
