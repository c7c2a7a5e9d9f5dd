"""Changes of `fmt` and `fix` to a record: its canonical form, the computed result, or its best repair.

`fix_result` and `Repair.best` decide what is written without a person's choice, also by editors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hexrec.formats.base import Document
from hexrec.formats.field_table import Path, get
from hexrec.formats.sgf.result import kept_margins
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import RecordError, read_record
from hexrec.rules.terms import Outcome, describe_outcome
from hexrec.tools.readings import explains
from hexrec.tools.record_filter import RecordFilter
from hexrec.tools.repairs import describe_replaced, find_repairs, recompute_result
from hexrec.tools.suggestions import Suggester, can_have_suggestions, with_suggestions
from hexrec.util.diagnostics import Diagnostic, Suggestion
from hexrec.util.escaping import printable_path
from hexrec.validation.report import Report, new_report
from hexrec.validation.verdict import check_document, check_record, read_document


@dataclass(frozen=True)
class Fix:
    """The change to a record.

    Attributes:
        data: the new data; None for no change.
        diagnostics: the errors that prevent a fix, with places.
        fixed: the errors that the new data corrects.
        summary: an addition in words, printed for the first changed record of a file.
        notes: replacements and repairs in words, printed for each record.
        line: the line of the old result, or of the first error of a repaired record; None if unknown.
    """

    data: dict[str, Any] | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    fixed: tuple[Diagnostic, ...] = ()
    summary: str = ""
    notes: tuple[str, ...] = ()
    line: int | None = None


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
        return Fix(diagnostics=document.locate(error.diagnostics, file=file, record=index))


def fix_result(document: Document, file: str, index: int, *, replace_results: bool = False) -> Fix:
    """Return a record with the missing parts of its result, if the rules ended the game and the record is valid.

    With `replace_results`, a recorded result that the replay contradicts is replaced; otherwise such a record is
    invalid and stays unchanged.
    """
    report = check_document(document, file, index)
    return _fix_result(report, document.data, replace_results=replace_results)


def repair_record(
    suggester: Suggester, document: Document, file: str, index: int, *, replace_results: bool = False
) -> Fix:
    """Return a record with its best repair and the missing parts of its result; otherwise suggest repairs.

    With `replace_results`, a recorded result is replaced if no other repair but a reading makes the record valid.
    """
    report = check_document(document, file, index)
    repairs = [*find_repairs(report, suggester.replays)] if can_have_suggestions(report) else []
    alternatives = [repair for _, found in repairs for repair in found]
    best = next((repair for repair in alternatives if repair.best), None)
    if best is not None:
        # Otherwise the next run would complete the result.
        repaired = _fix_result(check_record(read_record(best.data, turns_unchecked=True)), best.data)
        notes = (f"check this repair: {best.message}", *filter(None, [repaired.summary]))
        return Fix(repaired.data or best.data, (), tuple(report.errors), notes=notes, line=report.errors[0].line)
    readings = {"readings": None}
    in_doubt = any(
        repair.complete and not repair.is_of_result and {**repair.data, **readings} != {**document.data, **readings}
        for repair in alternatives
    )
    fix = _fix_result(report, document.data, replace_results=replace_results and not in_doubt)
    if fix.diagnostics and alternatives and suggester.takes(report):
        return Fix(diagnostics=tuple(with_suggestions(report, repairs).errors))
    return fix


def _fix_result(report: Report, data: dict[str, Any], *, replace_results: bool = False) -> Fix:
    """Return data of a record with the computed result, given its report."""
    outcome, errors = report.result, tuple(report.errors)
    replayed = report.record is not None and all(error.code.startswith("result/") for error in errors)
    hints = _readings_that_explain(report) if replayed and errors and not replace_results else ()
    if not replayed or outcome is None or outcome.termination != "rules":
        return Fix(diagnostics=(errors[0].at(suggestions=hints), *errors[1:]) if hints else errors)
    claim = data.get("result")
    result = recompute_result(data, outcome)
    replaced = describe_replaced(data, result) if errors else ""
    if errors and not replace_results:
        hint = Suggestion(f"--replace-results writes the computed result: {replaced}", (), complete=True)
        return Fix(diagnostics=(errors[0].at(suggestions=(*hints, hint)), *errors[1:]))
    margins = kept_margins(data)
    if result == claim and not (errors and margins):
        return Fix()
    span = report.document.places(["/result"]).find("/result") if report.document else None
    line = span.line if span else None
    fixed = _set_result(_remove_value(data, ("x-sgf", "RE")) if margins else data, result)
    if errors:
        return Fix(fixed, (), errors, notes=(f"result replaced: {replaced}",), line=line)
    done = "result added" if claim is None else "result completed"
    return Fix(fixed, summary=f"{done}: {describe_outcome(outcome)}", line=line)


def _readings_that_explain(report: Report) -> tuple[Suggestion, ...]:
    """Return a hint for each single reading under which a record that names none is valid."""
    record = report.record
    if record is None or record.readings:
        return ()
    known = record.rules.ruleset(record.ruleset).readings
    names = [reading.name for reading in known if explains((reading.name,), record)]
    return tuple(Suggestion(f"the record is valid under reading {name}", (), complete=True) for name in names)


def complete_result(data: dict[str, Any], outcome: Outcome) -> dict[str, Any] | None:
    """Return data of a valid record with the missing parts of its result, given the computed one; None if it has all.

    It is the data of `fix_result`, without a replay and without places.
    """
    result = recompute_result(data, outcome)
    return None if result == data.get("result") else _set_result(data, result)


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
