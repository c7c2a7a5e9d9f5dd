"""The work list: reports on games that were not imported, with the best attempt, the turn that fails, and a hint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hexrec.formats.located_text import LocatedText
from hexrec.rules.terms import COLORS, join_words, pluralize
from hexrec.tools.importing.continued import SourceGame
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.notations import CellNotation
from hexrec.tools.importing.readings import Doubt, GameReading
from hexrec.tools.importing.selection import TurnPart
from hexrec.tools.importing.solver import Solution
from hexrec.tools.suggestions import Suggester
from hexrec.util.diagnostics import Diagnostic, Edit, Suggestion
from hexrec.validation.report import Report

_NO_OPENING = Doubt("import/opening", "the game begins with stones, but the text states no opening: give --opening")
#: The codes of problems for which repairs of the record are suggested.
_REPAIRABLE = ("import/turn", "import/result")


def describe(solution: Solution, game: SourceGame, checked: Report | None, suggester: Suggester) -> Report:
    """Return the report on a game without a record, with repairs from the report `checked` on the best attempt."""
    attempt, draft, lines, file, index = solution.attempt, game.draft, game.lines, game.file, game.record
    if solution.readings:
        problem = Doubt("import/ambiguous", _describe_ambiguity(solution.readings))
    else:
        problem = (attempt.problem if attempt is not None else solution.problem) or _NO_OPENING
    plies = attempt.plies if attempt is not None else 0
    message = problem.message
    if attempt is not None and problem.code in ("import/turn", "import/order"):
        legal = f"{plies} of {pluralize(_count_turns(attempt, draft), 'turn')} legal"
        message += f"; best attempt: {attempt.game.title}, size {attempt.size}, {legal}"
    diagnostic = Diagnostic(problem.code, message, file=file, record=index, line=draft.first, column=1)
    diagnostic = diagnostic.at(end_line=draft.first, end_column=2)
    if problem.turn is not None and problem.turn.items[0].entry.line:
        items = problem.turn.items
        place = _place(items)
        if draft.sheet is not None:  # the column of the sheet
            place = {**place, "column": items[0].entry.column, "end_column": items[0].entry.column + 1}
        diagnostic = diagnostic.at(**place, ply=plies + 1, turn=_written(items))
    if lines and diagnostic.line is not None and diagnostic.line <= len(lines):
        text = LocatedText(lines[diagnostic.line - 1], first_line=diagnostic.line)
        diagnostic = diagnostic.at(source_line=text.excerpt(diagnostic.line, diagnostic.column or 1))
    if attempt is not None and checked is not None and problem.code in _REPAIRABLE:
        diagnostic = diagnostic.at(suggestions=tuple(_suggestions(attempt, checked, suggester)))
    return Report((diagnostic,), plies, file=file, index=index, game=attempt.game.name if attempt is not None else None)


def warn(report: Report, reading: GameReading, draft: Draft) -> Report:
    """Return the report on an imported game, with warnings of what the text does not state, or not clearly."""
    lines = {fact.kind: line for fact, line in reversed(draft.facts)}
    found: list[tuple[str, str, str]] = []
    if reading.unknown is not None:
        message = f"the result names {reading.unknown}, but the text does not state the color: the record has no winner"
        found.append(("import/player", "claim", message))
    elif reading.outcome is None and reading.result is None:
        message = "the game is not over, and the text states no result: the record is of an unfinished game"
        found.append(("import/unfinished", "claim", message))
    for kind in ("unread", *COLORS, "event", "site", "round", "date"):
        values = draft.values(kind)
        if kind == "unread" and values:
            message = (
                f"the text has '{values[0]}', but it is not clear which words are the name: the record has no name"
            )
            found.append(("import/player", kind, message))
        elif len(values) > 1 and any(fact.key for fact, _ in draft.facts if fact.kind == kind):
            named = join_words([str(value) for value in values])
            found.append(("import/player", kind, f"the text states {named} as {kind}: the record has none"))
    warnings = (
        Diagnostic(code, message, "warning", report.file, report.index, line=lines.get(kind, draft.first), column=1)
        for code, kind, message in found
    )
    return replace(report, diagnostics=(*warnings,))


def _count_turns(attempt: GameReading, draft: Draft) -> int:
    """Return the number of turns of an attempt, by the cells of the text if it ends before them."""
    if attempt.problem is not None and attempt.problem.turn not in attempt.sources:
        after = sum(token.kind in ("cell", "pass") for entry in draft.entries for token in entry.tokens)
        return max(len(attempt.turns) + 1, min(after, 10_000))
    return len(attempt.sources)


def _suggestions(attempt: GameReading, report: Report, suggester: Suggester) -> Iterator[Suggestion]:
    """Yield repairs of the record of an attempt, with places in the text; none for a text in another notation."""
    if attempt.notation != CellNotation("row") or attempt.exchanged:
        return
    for known in suggester.add(report).diagnostics:
        for suggestion in known.suggestions:
            yield suggestion._replace(edits=tuple(_locate(edit, attempt) for edit in suggestion.edits), best=False)


def turns_after(attempt: GameReading) -> list[str]:
    """Return the turn that fails and those after it, as the text writes them; in another notation, the first alone."""
    known = attempt.notation == CellNotation("row") and not attempt.exchanged
    sources = attempt.sources[len(attempt.turns) :]
    return [_written(turn.items) if turn.kind == "cell" else "pass" for turn in sources[: None if known else 1]]


def _locate(edit: Edit, attempt: GameReading) -> Edit:
    """Return an edit of a turn with its place in the text."""
    _, moves, index, *_ = [*edit.pointer.split("/"), "", "", ""]
    if moves != "moves" or not index.isdigit() or int(index) >= len(attempt.sources):
        return edit
    items = attempt.sources[int(index)].items
    place: dict[str, Any] = _place(items) if items[0].entry.line else {}
    return edit._replace(**place)


def _place(items: Sequence[TurnPart]) -> dict[str, int]:
    first, last = items[0], items[-1]
    return {
        "line": first.entry.line,
        "column": first.entry.column + first.start,
        "end_line": last.entry.line,
        "end_column": last.entry.column + last.end,
    }


def _written(items: Sequence[TurnPart]) -> str:
    """Return the text of a turn."""
    first, last = items[0], items[-1]
    if first.entry is last.entry:
        return first.entry.text[first.start : last.end]
    return " ".join(item.entry.text[item.start : item.end] for item in items)


def _describe_ambiguity(readings: Sequence[GameReading]) -> str:
    """Return the differences of valid readings, and the option that decides."""
    count = f"the text has {len(readings)} valid readings"
    titles = sorted({reading.game.title for reading in readings})
    if len(titles) > 1:
        return f"{count}, of {join_words(titles)}: give --game"
    sizes = sorted({reading.size for reading in readings})
    if len(sizes) > 1:
        return f"{count}, on sizes {join_words([*map(str, sizes)])}: give --size"
    openings = sorted({" and ".join(reading.opening.values()) for reading in readings})
    if len(openings) > 1:
        return f"{count}, with the openings {join_words([*openings], 'or')}: give --opening"
    names = sorted({str(reading.notation) for reading in readings})
    if len(names) > 1:
        return f"{count}, by {join_words(names, 'or')}: give --coordinates"
    return f"{count}, with different turns: remove cells from the text that are no turns"
