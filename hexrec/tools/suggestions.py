"""Suggestions for diagnostics: repairs with their places in the file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexrec.util.diagnostics import Diagnostic, Suggestion
from hexrec.validation.report import Report, add_internal_error

if TYPE_CHECKING:  # most runs search for no repairs
    from hexrec.tools.repairs import Repair

    #: Diagnostics, each with its repairs.
    Repairs = list[tuple[Diagnostic, list[Repair]]]

#: The default limits of suggestions: the number of records in a run, and of replays for a record.
MAX_SUGGESTED, MAX_REPLAYS = 200, 2_000


@dataclass(eq=False, repr=False)
class Suggester:
    """Adds suggestions to the first reports that can have them.

    Attributes:
        left: the number of further records that may have suggestions.
        replays: the maximum number of replays for a record.
        left_out: the number of records without suggestions because of the limit.
    """

    left: int = MAX_SUGGESTED
    replays: int = MAX_REPLAYS
    left_out: int = 0

    def add(self, report: Report) -> Report:
        """Return the next report, with suggestions within the limit of records."""
        try:
            return with_suggestions(report, self.repairs(report))
        except Exception as error:
            return add_internal_error(report, error)

    def repairs(self, report: Report) -> Repairs:
        """Return the repairs for the next report within the limit of records, else an empty list."""
        if not self.takes(report):
            return []
        from hexrec.tools.repairs import find_repairs

        return [*find_repairs(report, self.replays)]

    def limit(self, report: Report) -> Report:
        """Return the next report, which has suggestions already, and remove them beyond the limit of records."""
        if self.takes(report) or not any(diagnostic.suggestions for diagnostic in report.diagnostics):
            return report
        return report.copy(diagnostics=tuple(known.at(suggestions=()) for known in report.diagnostics))

    def takes(self, report: Report) -> bool:
        """Return whether the next report may have suggestions, and count it."""
        if not report.diagnostics or not can_have_suggestions(report):
            return False
        taken = self.left > 0
        self.left -= taken
        self.left_out += not taken
        return taken


def can_have_suggestions(report: Report) -> bool:
    """Return whether a report has a diagnostic that can have suggestions."""
    if not report.errors:
        return False
    from hexrec.tools.repairs import find_repairable

    return bool(find_repairable(report))


def with_suggestions(report: Report, repairs: Repairs) -> Report:
    """Return a report with the repairs as suggestions of its diagnostics."""
    if not any(alternatives for _, alternatives in repairs):
        return report
    from hexrec.tools.edit.values import DocumentEditor

    data: Any = report.document.data if report.document is not None else report.record and report.record.data
    editor = DocumentEditor(report.document, data)

    def suggestion(repair: Repair) -> Suggestion:
        return Suggestion(repair.message, editor.edits(repair.data), repair.complete, repair.best)

    suggestions = {diagnostic: tuple(map(suggestion, alternatives)) for diagnostic, alternatives in repairs}
    diagnostics = (known.at(suggestions=suggestions.get(known, ())) for known in report.diagnostics)
    return report.copy(diagnostics=tuple(diagnostics))
