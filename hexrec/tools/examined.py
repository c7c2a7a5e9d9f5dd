"""Records examined one by one, where they are read: hashes, and the values of a function for valid records."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hexrec.record.record import Record
from hexrec.validation.report import Report, add_internal_error
from hexrec.validation.verdict import with_hash, with_record_hash


class Examined(NamedTuple):
    """A record that was examined by itself.

    Attributes:
        report: its report, without the record.
        hash: a hash, if it was asked for and the record has one.
        value: the result of a function for a valid record, else None.
    """

    report: Report
    hash: str | None = None
    value: Any = None


def examine_game(function: Callable[[Record, Report], Any], report: Report, *, hashes: bool = False) -> Examined:
    """Return the report on a record, with the value of a function for a valid one, and with `hashes` its game hash.

    A valid report has no diagnostics in the result.
    """
    value = None
    game_hash = with_hash(report)[1] if hashes else None
    if report.record is not None and report.valid:
        try:
            value = function(report.record, report)
            report = report.copy(diagnostics=())
        except Exception as error:
            report = add_internal_error(report, error, memory=False)
    return Examined(report.copy(record=None, document=None), game_hash, value)


def examine_hash(report: Report, *, symmetric: bool = False, whole: bool = False) -> Examined:
    """Return the report on a record with the hash of its game, or of the whole record.

    A report with a hash has no diagnostics; those of any other explain why it has none.
    """
    report, digest = with_record_hash(report) if whole else with_hash(report, symmetric=symmetric)
    diagnostics = () if digest else report.diagnostics
    return Examined(report.copy(diagnostics=diagnostics, record=None, document=None), digest)
