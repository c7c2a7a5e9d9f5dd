"""Validation of records: syntax, schema, replay and result, in the order that the format page specifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexrec.record.record import Record
from hexrec.record.replay import Replay, replay
from hexrec.record.side_lines import check_side_lines
from hexrec.record.validation import RecordError, read_record, warn_of_version
from hexrec.rules.terms import Outcome
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import INVALID_MARK, Report, add_internal_error, new_report
from hexrec.validation.results import check_margins, check_result, result_of

if TYPE_CHECKING:  # a small start reads no documents
    from hexrec.formats.base import Document


def check_record(record: Record, *, finished: bool = False, lint: bool = False) -> Report:
    """Validate the replay and the result of a record. With `finished`, the record must have a result.

    Diagnostics on a record from a file have places. `lint` adds warnings.
    """
    replayed = replay(record)
    result = None if replayed.failure else result_of(record.result, replayed.outcome)
    diagnostics = _diagnose(record, replayed, result, finished)
    where = (record.file, record.index, record.game, record.id)
    report = Report(tuple(diagnostics), replayed.plies, result, record, *where, document=record.document)
    if lint:
        from hexrec.validation.lint import add_warnings  # most runs do not warn

        report = add_warnings(report, record, replayed)
    return _locate(report) if report.diagnostics else report


def _diagnose(record: Record, replayed: Replay, result: Outcome | None, finished: bool) -> list[Diagnostic]:
    """Return the diagnostics on a record; only those of its document have places."""
    document: Document | None = record.document
    diagnostics = [*document.warnings] if document is not None else []
    diagnostics += warn_of_version(record)
    if replayed.failure is not None:
        diagnostics.append(replayed.failure)
    else:
        diagnostics += check_result(record, replayed, finished=finished)
        if "x-sgf" in record.data and result is not None:
            diagnostics += check_margins(record, result)
    if record.is_annotated and replayed.started:
        diagnostics += check_side_lines(record, replayed.plies)
    if INVALID_MARK in record.data and isinstance(record[INVALID_MARK], dict):
        why = "marks a record that was invalid when it was converted: remove it once the record is corrected"
        diagnostics.append(Diagnostic("convert/mark", f"{INVALID_MARK} {why}", "warning", pointer=f"/{INVALID_MARK}"))
    return diagnostics


def _locate(report: Report) -> Report:
    """Return a report with its diagnostics located and sorted by place."""
    if report.document is None:
        return report
    place = {"file": report.file, "record": report.index, "id": report.id}
    return report.copy(diagnostics=report.document.locate(report.diagnostics, **place))


def check_document(
    document: Document,
    file: str | None = None,
    index: int | None = None,
    *,
    finished: bool = False,
    lint: bool = False,
) -> Report:
    """Validate one document of a file; every diagnostic has its place.

    The options are those of `check_record`. An internal error becomes a diagnostic. Raises MemoryError.
    """
    try:
        try:
            record = read_document(document, file, index)
        except RecordError as error:
            return _report_refused(document, error, file, index, finished)
        return check_record(record, finished=finished, lint=lint)
    except Exception as error:
        return add_internal_error(new_report(document, file, index), error, memory=False)


def read_document(document: Document, file: str | None, index: int | None, *, turns_unchecked: bool = True) -> Record:
    """Return the record in a document, with its file and index. Raises RecordError without places."""
    if document.error is not None:
        raise RecordError([document.error])
    record = read_record(document.data, turns_unchecked=turns_unchecked)
    record.document, record.file, record.index = document, file, index
    return record


def _report_refused(
    document: Document, error: RecordError, file: str | None, index: int | None, finished: bool
) -> Report:
    """Return the report on a record that the schema refuses, replayed without the invalid fields if possible."""
    further = Report(())
    if error.playable is not None:
        # A claimed result that the schema refuses is present, although the playable record has none.
        further = check_record(error.playable, finished=finished and "result" not in document.data)
    diagnostics = (*document.warnings, *error.diagnostics, *further.diagnostics)
    report = new_report(document, file, index)
    return _locate(report.copy(diagnostics=diagnostics, plies=further.plies, result=further.result))


def with_hash(report: Report, *, symmetric: bool = False) -> tuple[Report, str | None]:
    """Return a report and the hash of its game; None unless all turns are legal.

    An internal error becomes a diagnostic of the report. Raises MemoryError.
    """
    if report.record is None or not report.legal:
        return report, None
    from hexrec.record.identity import hash_legal  # validation needs no hashes

    try:
        return report, hash_legal(report.record, symmetric=symmetric)
    except Exception as error:
        return add_internal_error(report, error, memory=False), None


def with_record_hash(report: Report) -> tuple[Report, str | None]:
    """Return a report and the hash of its record; None if the schema refuses it, or if it has no canonical bytes."""
    if report.record is None:
        return report, None
    from hexrec.record.canonical_bytes import record_hash

    try:
        return report, record_hash(report.record)
    except RecordError as error:
        return _locate(report.copy(diagnostics=error.diagnostics)), None
    except Exception as error:
        return add_internal_error(report, error, memory=False), None
