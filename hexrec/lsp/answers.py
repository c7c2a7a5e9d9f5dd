"""Answers about an open file: diagnostics, hovers, code actions, symbols and links, as the protocol has them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate
from typing import Any

from lsprotocol import types

from hexrec import codes
from hexrec.errors import UnknownNameError
from hexrec.lsp.completion import field_at, position_before, turns_before
from hexrec.lsp.files import FilePart, OpenFile, TextEdit
from hexrec.lsp.text import move_down
from hexrec.record.record import turn_of
from hexrec.render.text import describe
from hexrec.rules import games
from hexrec.rules.terms import pluralize
from hexrec.util.diagnostics import Diagnostic, Suggestion, steps_of, value_at
from hexrec.validation.report import Report

#: The kind of the action that makes the changes of `hexrec fix`.
FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.hexrec"
#: The maximum number of diagnostics of a file that an editor gets, since it gets all of them after each edit.
MOST_DIAGNOSTICS = 500
_address = cache(codes.address)
_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
_IGNORED = {False: types.DiagnosticSeverity.Information, True: types.DiagnosticSeverity.Warning}


def list_diagnostics(file: OpenFile) -> list[types.Diagnostic]:
    """Return the diagnostics of a file; of too many, those nearest to the last edit, and one that says so."""
    placed = [(part, line) for part, line in file.placed_parts() if part.diagnostics]
    starts = [*accumulate([len(part.diagnostics) for part, _ in placed], initial=0)]
    count = starts[-1]
    skipped, notes = 0, []
    if count > MOST_DIAGNOSTICS:
        edited = bisect_left(placed, file.edited_line, key=lambda part: part[1])
        skipped = min(max(0, starts[edited] - MOST_DIAGNOSTICS // 2), count - MOST_DIAGNOSTICS)
        message = (
            f"{MOST_DIAGNOSTICS:,} of {count:,} diagnostics are shown, around the last edit: hexrec validate prints all"
        )
        top = types.Range(types.Position(0, 0), types.Position(0, 0))
        notes = [types.Diagnostic(top, message, types.DiagnosticSeverity.Information, source="hexrec")]
    first, last = bisect_right(starts, skipped) - 1, bisect_left(starts, skipped + MOST_DIAGNOSTICS)
    marks = [(*mark, line) for part, line in placed[first:last] for mark in part.diagnostics]
    start = skipped - starts[first]
    return [*notes, *(_make_diagnostic(*mark) for mark in marks[start : start + MOST_DIAGNOSTICS])]


def _make_diagnostic(diagnostic: Diagnostic, place: types.Range, line: int) -> types.Diagnostic:
    address = _address(diagnostic.code)
    ignored = diagnostic.ignored
    return types.Diagnostic(
        range=move_down(place, line),
        message=f"ignored by {diagnostic.by}: {diagnostic.message}" if ignored else diagnostic.message,
        severity=_IGNORED[diagnostic.downgraded] if ignored else _SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        code_description=types.CodeDescription(address) if address else None,
        source="hexrec",
    )


def find_hover(file: OpenFile, position: types.Position) -> types.Hover | None:
    """Return the explanations of the diagnostics at a position, and the board or the field there."""
    part, _, here = file.part_at(position)
    paragraphs = []
    for report in part.reports or ():
        paragraphs += [
            _explain(diagnostic, report.game)
            for diagnostic in report.diagnostics
            if _overlap(part.range_of(diagnostic), types.Range(here, here))
        ]
        paragraphs += _describe_place(part, report, here)
    if not paragraphs:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(paragraphs)))


def _explain(diagnostic: Diagnostic, game: str | None) -> str:
    try:
        code = codes.explain_code(diagnostic.code, game)
    except UnknownNameError:
        return f"**{diagnostic.code}**"
    return f"**{diagnostic.code}**: {code.meaning}\n\n{code.fix}\n\n{code.rule}"


def _describe_place(part: FilePart, report: Report, position: types.Position) -> list[str]:
    """Return the board before the turn at a position, or the description of the field there."""
    document = report.document
    if document is None or not isinstance(document.data, dict):
        return []
    place = part.find_place(document, position)
    if place is None:
        return []
    before = None if place.key else position_before(document.data, place.pointer)
    if before is not None:
        return [f"```text\n{describe(before)}\n\n{before}\n```"]
    field = field_at(document.data, steps_of(place.pointer))
    return [field.about.description] if field is not None and field.about.description else []


def list_quick_fixes(file: OpenFile, asked: types.Range) -> Iterator[types.CodeAction | None]:
    """Yield the suggestions for the diagnostics in a range, and None after the work for each diagnostic."""
    for part, line in file.placed_parts():
        for number, (_, place) in enumerate(part.diagnostics):
            if _overlap(move_down(place, line), asked):
                part.suggest()
                diagnostic, _ = part.diagnostics[number]
                for suggestion in diagnostic.suggestions:
                    if all(edit.line is not None for edit in suggestion.edits):
                        yield _make_quick_fix(file.uri, part, line, diagnostic, suggestion)
                yield None


def _make_quick_fix(
    uri: str, part: FilePart, line: int, diagnostic: Diagnostic, suggestion: Suggestion
) -> types.CodeAction:
    edits: list[Any] = [types.TextEdit(move_down(part.range_of(edit), line), edit.text) for edit in suggestion.edits]
    return types.CodeAction(
        title=suggestion.message,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[_make_diagnostic(diagnostic, part.range_of(diagnostic), line)],
        is_preferred=suggestion.best or None,
        edit=types.WorkspaceEdit(changes={uri: edits}),
    )


def make_fix_all(uri: str, edits: Iterable[TextEdit | None]) -> types.CodeAction | None:
    """Return the action that completes results, given its edits; None without edits."""
    changes: list[Any] = make_edits(edits)
    if not changes:
        return None
    edit = types.WorkspaceEdit(changes={uri: changes})
    return types.CodeAction("complete results, as hexrec fix does", FIX_ALL, edit=edit)


def make_edits(edits: Iterable[TextEdit | None]) -> list[types.TextEdit]:
    """Return edits in the form of the protocol."""
    return [types.TextEdit(*edit) for edit in edits if edit is not None]


def is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Return whether an editor asks for code actions of a kind: for all kinds, this one, or one that includes it."""
    return not context.only or any(asked in ("", kind) or kind.startswith(f"{asked}.") for asked in context.only)


def list_symbols(file: OpenFile) -> Iterator[types.DocumentSymbol]:
    """Yield a symbol for each record."""
    for part, line in file.placed_parts():
        for report, place in part.records:
            here = move_down(place, line)
            name = report.id or report.game or "record"
            detail = f"{report.game or ''} {pluralize(report.plies, 'turn')}" + ("" if report.valid else ", invalid")
            yield types.DocumentSymbol(name, types.SymbolKind.Event, here, here, detail.strip())


def list_links(file: OpenFile) -> Iterator[types.DocumentLink]:
    """Yield a link from the name of the game in each record to the page with its rules; none without a site."""
    site = codes.site_address()
    for part, line in file.placed_parts() if site else ():
        for report, place in part.games:
            if report.game in games.BUILT_IN:
                address, title = f"{site}games/{report.game}.html", f"Rules of {games.get(report.game).title}"
                yield types.DocumentLink(move_down(place, line), address, title)


def find_record(file: OpenFile, position: types.Position) -> dict[str, Any] | None:
    """Return the record at a position, as `record`, and the number of turns up to the position, as `ply`.

    Of a turn in a variation, the record is the game that leads to it. Without a turn at the position, `ply` is None.
    """
    part, _, here = file.part_at(position)
    before = [report for report, place in part.records if place.start <= here] or [report for report, _ in part.records]
    document = before[-1].document if before else None
    if document is None or not isinstance(document.data, dict):
        return None
    place, data = part.find_place(document, here), document.data
    turns = turns_before(data, place.pointer) if place else None
    if place is None or turns is None:
        return {"record": data, "ply": None}
    if {"variations", "eval"}.intersection(steps_of(place.pointer)):
        moves = [*turns, turn_of(value_at(data, place.pointer))]
        data = {name: value for name, value in data.items() if name != "result"} | {"moves": moves}
    return {"record": data, "ply": len(turns) + 1}


def _overlap(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end
