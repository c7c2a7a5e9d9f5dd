"""Suggestions for diagnostics: repairs with their places in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexrec.formats.base import Document, LocatedText
from hexrec.formats.places import Places, Span
from hexrec.util.diagnostics import Diagnostic, Edit, Suggestion
from hexrec.validation.report import Report, add_internal_error

if TYPE_CHECKING:  # most runs search for no repairs
    from hexrec.tools.repairs import Change, Repair

    #: Diagnostics, each with its repairs.
    Repairs = list[tuple[Diagnostic, list[Repair]]]

#: The separator of turns in an array in JSON or YAML, without comments.
_SEPARATOR = re.compile(r"[ \t\r\n]*,[ \t\r\n]*|[ \t]*\r?\n[ \t]*-[ \t]+")
#: A number, or an array of numbers, in JSON or YAML.
_NUMBERS = re.compile(r"[-\[\]0-9., \t\r\n]+")
#: The default limits of suggestions: the number of records in a run, and of replays for a record.
MAX_SUGGESTED, MAX_REPLAYS = 200, 2_000
#: The default limit of replays for a record when repairs are written, which takes a complete search.
MAX_FIX_REPLAYS = 5_000


@dataclass
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
    from hexrec.tools.repairs import is_repairable

    return any(map(is_repairable, report.errors))


def with_suggestions(report: Report, repairs: Repairs) -> Report:
    """Return a report with the repairs as suggestions of its diagnostics."""
    if not any(alternatives for _, alternatives in repairs):
        return report

    def suggestion(repair: Repair) -> Suggestion:
        return Suggestion(repair.message, _edits(repair.changes, report.document), repair.complete, repair.best)

    suggestions = {diagnostic: tuple(map(suggestion, alternatives)) for diagnostic, alternatives in repairs}
    diagnostics = (known.at(suggestions=suggestions.get(known, ())) for known in report.diagnostics)
    return report.copy(diagnostics=tuple(diagnostics))


def _edits(changes: tuple[Change, ...], document: Document | None) -> tuple[Edit, ...]:
    if document is None or document.text is None:
        return tuple(Edit(change.pointer, change.text) for change in changes)
    pointers = [pointer for change in changes for pointer in _pointers(change)]
    places = document.places(pointers)
    return tuple(_edit(change, places, document.text) for change in changes)


def _pointers(change: Change) -> list[str]:
    if change.kind == "add":
        return ["/size"]
    if change.kind in ("value", "key"):
        return [change.pointer]
    index = _index(change)
    return [f"/moves/{number}" for number in {0, 1, max(0, index - 1), index}]


def _index(change: Change) -> int:
    return int(change.pointer.rpartition("/")[2])


def _edit(change: Change, places: Places, text: LocatedText) -> Edit:
    """Return the edit for a change, with its place if the file has the expected notation there."""
    find = {"value": _replace_value, "key": _replace_value, "add": _add_field, "insert": _insert, "remove": _remove}
    new, place = find[change.kind](change, places, text) or (change.text, ())
    return Edit(change.pointer, new, *place)


#: The new string and the place to replace.
_Found = tuple[str, Span] | None


def _replace_value(change: Change, places: Places, text: LocatedText) -> _Found:
    span = places.find(change.pointer, key=change.kind == "key")
    if span is None or not change.old:
        return None
    first, last = text.within(span, change.old, 0), text.within(span, change.old, len(change.old) - 1)
    inner = Span(first.line, first.column, last.end_line, last.end_column)
    if text.read(inner) == change.old:
        return change.text, inner
    return (change.text, span) if _NUMBERS.fullmatch(text.read(span)) else None


def _add_field(change: Change, places: Places, text: LocatedText) -> _Found:
    """Add a field of the record after its size."""
    key, value = places.find("/size", key=True), places.find("/size")
    if key is None or value is None or text.read(key).strip("\"'") != "size":
        return None
    name = change.pointer[1:]
    added = f', "{name}": "{change.text}"' if text.text.lstrip().startswith("{") else f"\n{name}: {change.text}"
    return added, Span(value.end_line, value.end_column, value.end_line, value.end_column)


def _turns(places: Places, text: LocatedText, index: int) -> tuple[Span, Span, str] | None:
    """Return the places of a turn and the next turn, and the separator; None for an unexpected separator."""
    first, second = places.find(f"/moves/{index}"), places.find(f"/moves/{index + 1}")
    if first is None or second is None:
        return None
    between = text.read(Span(first.end_line, first.end_column, second.line, second.column))
    return (first, second, between) if _SEPARATOR.fullmatch(between) else None


def _remove(change: Change, places: Places, text: LocatedText) -> _Found:
    """Remove a turn and its separator from the previous turn, or from the next for the first turn."""
    index = _index(change)
    turns = _turns(places, text, max(0, index - 1))
    if turns is None:
        return None
    first, second, _ = turns
    if index == 0:
        return "", Span(first.line, first.column, second.line, second.column)
    return "", Span(first.end_line, first.end_column, second.end_line, second.end_column)


def _insert(change: Change, places: Places, text: LocatedText) -> _Found:
    """Insert a turn with the separator and the quotes of the first two turns."""
    index = _index(change)
    pair, before = _turns(places, text, 0), places.find(f"/moves/{max(0, index - 1)}")
    if pair is None or before is None:
        return None
    first, _, separator = pair
    quote = text.read(first)[:1]
    if quote not in ("'", '"'):
        quote = '"' if text.text.lstrip().startswith(("{", "[")) else ""
    turn = f"{quote}{change.text}{quote}"
    if index == 0:
        return turn + separator, Span(first.line, first.column, first.line, first.column)
    return separator + turn, Span(before.end_line, before.end_column, before.end_line, before.end_column)
