"""What `fmt` and `fix` make of a record: its canonical form, or the result that the replay gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hexrec.formats.base import Document
from hexrec.formats.field_table import Path, get
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import RecordError, read_record
from hexrec.rules.terms import Outcome
from hexrec.tools.record_filter import RecordFilter
from hexrec.tools.results import recomputed
from hexrec.tools.suggestions import Suggester, SuggestionLimits, can_have_suggestions, with_suggestions
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import locate, unjudged
from hexrec.validation.sources import writable
from hexrec.validation.verdict import check_document


@dataclass(frozen=True)
class Fix:
    """What should become of a record.

    Attributes:
        data: its new data; None if it stays as it is.
        diagnostics: why it cannot be fixed, with places; none if it can, or need not be.
        fixed: the errors that the new data fixes.
        summary: what has changed, to be read after the record's name.
        outcome: the result that it was given.
        line: the line of the result in the file, or of the record if it had none.
        warning: a change to check, which is said of each record.
    """

    data: dict[str, Any] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    fixed: tuple[Diagnostic, ...] = ()
    summary: str = ""
    outcome: Outcome | None = None
    line: int | None = None
    warning: str = ""


Fixer = Callable[[Document, str, int], Fix]


def selecting(fixer: Fixer, selected: RecordFilter) -> Fixer:
    """Return a fixer that leaves the records as they are that a filter does not select."""

    def fix(document: Document, file: str, index: int) -> Fix:
        name = writable(file)
        report = check_document(document, name, index) if selected.needs_hash else unjudged(document, name, index)
        return fixer(document, file, index) if selected.selects(report) else Fix()

    return fix if selected.is_active else fixer


def formatted(document: Document, file: str, index: int) -> Fix:
    """Return the canonical form of a document's record, even if its replay fails."""
    try:
        if document.error is not None:
            raise RecordError([document.error])
        return Fix(canonical_form(read_record(document.data, turns_unchecked=True)))
    except RecordError as error:
        return Fix(diagnostics=locate(error.diagnostics, document, file=file, record=index))


def fixed(document: Document, file: str, index: int) -> Fix:
    """Return a document's record with the result that its replay gives, if it can be replayed and its game is over."""
    report = check_document(document, file, index)
    outcome = report.result
    replayed = report.record is not None and all(error.code.startswith("result/") for error in report.errors)
    if not replayed or outcome is None or outcome.termination != "rules":
        return Fix(diagnostics=tuple(report.errors))
    claim = document.data.get("result")
    result = recomputed(document.data, outcome)
    if result == claim:
        return Fix()
    span = document.places(["/result"]).find("/result")
    data = _without(document.data, document.margin.path) if document.margin else document.data
    done = "result added" if claim is None else "result corrected" if report.errors else "result completed"
    return Fix(_with_result(data, result), (), tuple(report.errors), done, outcome, span.line if span else None)


def repairing(limits: SuggestionLimits) -> Fixer:
    """Return a fixer that also makes the only complete repair of an invalid record; it suggests all others."""
    suggester = Suggester(limits)

    def repair(document: Document, file: str, index: int) -> Fix:
        report = check_document(document, file, index)
        if not can_have_suggestions(report):
            return fixed(document, file, index)
        repairs = suggester.repairs(report)
        complete = [each for _, found in repairs for each in found if each.complete]
        if len(complete) != 1:
            return Fix(diagnostics=tuple(with_suggestions(report, repairs).errors))
        first = report.errors[0]
        return Fix(complete[0].data, (), tuple(report.errors), line=first.line, warning=complete[0].message)

    return repair


def _without(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return data without what is at a path, and without what holds nothing else."""
    if get(data, path) is None:
        return data
    name, *rest = path
    inner = _without(data[name], tuple(rest)) if rest else {}
    return {key: inner if key == name else value for key, value in data.items() if key != name or inner}


def _with_result(data: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """Return data with a result where it was, or where the canonical form has it: after the moves."""
    if "result" in data:
        return {**data, "result": result}
    names = list(data)
    names.insert(names.index("moves") + 1, "result")
    return {name: data.get(name, result) for name in names}
