"""Changes of `fmt` and `fix` to a record: its canonical form, or the computed result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hexrec.formats.base import Document
from hexrec.formats.field_table import Path, get
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import RecordError
from hexrec.render.text import describe_outcome
from hexrec.tools.record_filter import RecordFilter
from hexrec.tools.repairs import recompute_result
from hexrec.tools.suggestions import Suggester, can_have_suggestions, with_suggestions
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import locate, new_report
from hexrec.validation.sources import printable_path
from hexrec.validation.verdict import check_document, read_document


@dataclass(frozen=True)
class Fix:
    """The change to a record.

    Attributes:
        data: the new data; None for no change.
        diagnostics: the errors that prevent a fix, with places.
        fixed: the errors that the new data corrects.
        summary: the change in words, printed for the first changed record of a file.
        line: the line of the old result, or of the first error of a repaired record; None if unknown.
        warning: a change that the user should check; printed for each record.
    """

    data: dict[str, Any] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    fixed: tuple[Diagnostic, ...] = ()
    summary: str = ""
    line: int | None = None
    warning: str = ""


Fixer = Callable[[Document, str, int], Fix]


def select_records(fixer: Fixer, selected: RecordFilter) -> Fixer:
    """Return a fixer that changes only the records that a filter selects."""

    def fix(document: Document, file: str, index: int) -> Fix:
        name = printable_path(file)
        report = check_document(document, name, index) if selected.needs_hash else new_report(document, name, index)
        return fixer(document, file, index) if selected.selects(report) else Fix()

    return fix if selected.is_active else fixer


def format_record(document: Document, file: str, index: int) -> Fix:
    """Return the canonical form of a record, even if its replay fails."""
    try:
        return Fix(canonical_form(read_document(document, file, index)))
    except RecordError as error:
        return Fix(diagnostics=locate(error.diagnostics, document, file=file, record=index))


def fix_result(document: Document, file: str, index: int) -> Fix:
    """Return a record with the computed result, if all turns are legal and the rules ended the game."""
    report = check_document(document, file, index)
    outcome = report.result
    replayed = report.record is not None and all(error.code.startswith("result/") for error in report.errors)
    if not replayed or outcome is None or outcome.termination != "rules":
        return Fix(diagnostics=tuple(report.errors))
    claim = document.data.get("result")
    result = recompute_result(document.data, outcome)
    if result == claim:
        return Fix()
    span = document.places(["/result"]).find("/result")
    data = _remove_value(document.data, document.margin.path) if document.margin else document.data
    done = "result added" if claim is None else "result corrected" if report.errors else "result completed"
    done = f"{done}: {describe_outcome(outcome)}"
    return Fix(_set_result(data, result), (), tuple(report.errors), done, span.line if span else None)


def repair_record(suggester: Suggester, document: Document, file: str, index: int) -> Fix:
    """Return a record with the computed result or its only complete repair; otherwise suggest repairs."""
    report = check_document(document, file, index)
    if not can_have_suggestions(report):
        return fix_result(document, file, index)
    repairs = suggester.repairs(report)
    complete = [repair for _, alternatives in repairs for repair in alternatives if repair.complete]
    if len(complete) != 1:
        return Fix(diagnostics=tuple(with_suggestions(report, repairs).errors))
    first = report.errors[0]
    return Fix(complete[0].data, (), tuple(report.errors), line=first.line, warning=complete[0].message)


def _remove_value(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return data without the value at a path, and without objects that become empty."""
    if get(data, path) is None:
        return data
    name, *inner_path = path
    inner = _remove_value(data[name], tuple(inner_path)) if inner_path else {}
    return {key: inner if key == name else value for key, value in data.items() if key != name or inner}


def _set_result(data: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
    """Return data with a result in its old place, or after the moves as in the canonical form."""
    if "result" in data:
        return {**data, "result": result}
    names = list(data)
    names.insert(names.index("moves") + 1, "result")
    return {name: data.get(name, result) for name in names}
