"""Import of games from texts and tables as people write them: `import_bytes` and `import_sources`.

Readers make neutral *drafts* of a layout: facts, and the parts of turns with their places. One *solver* interprets a
draft: game, size, opening, names of cells, signs between the cells of a turn; the replay and the stated result
decide. A draft with one valid reading becomes a record, any other an entry of the work list, a report with diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from hexrec.errors import MissingExtraError
from hexrec.formats.base import Document
from hexrec.io.compression import decompress_stream
from hexrec.io.discovery import Source, diagnose_input
from hexrec.io.stamps import expect_unchanged
from hexrec.tools.importing.continued import SourceGame, join_mentions, join_parts
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.files import SourceFile, read_file
from hexrec.tools.importing.hints import NO_HINTS, Hints
from hexrec.tools.importing.readings import Doubt
from hexrec.tools.importing.records import write_record
from hexrec.tools.importing.register import look_up
from hexrec.tools.importing.solver import Solution, find_conventions, solve
from hexrec.tools.importing.work_list import describe, turns_after, warn
from hexrec.tools.suggestions import Suggester
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import printable_path
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document

#: The suffixes of files that `hexrec import` finds in directories.
SUFFIXES = (
    *(".txt", ".text", ".md", ".markdown", ".rst", ".org", ".wiki", ".mediawiki", ".eml", ".mbox", ".log"),
    *(".csv", ".tsv", ".tab", ".xlsx", ".sql"),
)
#: The maximum number of turns in the interpretations of the games of a file, and how many each character adds.
#: A game that states game and size has a few interpretations.
_MAX_WORK, _WORK_OF_CHARACTER = 800_000, 4


class Imported(NamedTuple):
    """A game of a text.

    Attributes:
        report: the report: valid, with a record, or with the reason for the refusal.
        data: the canonical record, or None.
        attempt: the best attempt as an invalid record, if there is no valid one; or None.
    """

    report: Report
    data: dict[str, Any] | None
    attempt: dict[str, Any] | None = None


def import_sources(
    sources: Iterable[Source | Diagnostic], hints: Hints = NO_HINTS, suggester: Suggester | None = None
) -> Iterator[Imported]:
    """Yield the games of files, in their order. A file that cannot be read gets a report."""
    read: list[SourceFile | Report] = []
    for source in sources:
        if isinstance(source, Diagnostic):
            file = printable_path(source.file or "")
            read.append(_refuse(source, file))
            continue
        file = printable_path(source.name)
        try:
            with source.open() as stream, expect_unchanged(source.name, stream):
                data = decompress_stream(stream).read(MAX_RECORD_BYTES + 1)
            read.append(_read(data, file))
        except MissingExtraError as error:
            read.append(_refuse(Diagnostic("syntax/unreadable", f"cannot be read: {error}"), file))
        except Exception as error:
            read.append(_refuse(diagnose_input(file, error), file))
    yield from _import_files(read, hints, suggester)


def import_bytes(
    data: bytes, file: str | None = None, hints: Hints = NO_HINTS, suggester: Suggester | None = None
) -> Iterator[Imported]:
    """Yield the games of a file, given its name. Raises MissingExtraError for a spreadsheet without openpyxl."""
    yield from _import_files([_read(data, file)], hints, suggester)


def _read(data: bytes, file: str | None) -> SourceFile | Report:
    found = read_file(data, file)
    return _refuse(found, file) if isinstance(found, Diagnostic) else found


def _refuse(problem: Diagnostic, file: str | None) -> Report:
    return Report((problem.at(file=file, record=0),), file=file, index=0)


def _import_files(read: Sequence[SourceFile | Report], hints: Hints, suggester: Suggester | None) -> Iterator[Imported]:
    """Yield the records and reports of the games of files, with parts of games joined."""
    games = [*_solve(read, hints)]
    whole = {
        (game.file, game.record): game for game in join_parts([g for g in games if isinstance(g, SourceGame)], hints)
    }
    suggester = suggester or Suggester()
    for known in games:
        if isinstance(known, Report):
            yield Imported(known, None)
        elif (game := whole.get((known.file, known.record))) is not None:
            yield _import(game, suggester)


def _solve(read: Sequence[SourceFile | Report], hints: Hints) -> Iterator[SourceGame | Report]:
    """Yield the games of files, and reports on files without games; a file may be the list of the games of others."""
    files = [known for known in read if isinstance(known, SourceFile)]
    lists = [row for file in files if not file.drafts for row in file.register]
    listed = [draft for file in files if not file.register for draft in file.drafts]
    look_up(listed, lists)
    for known in read:
        if isinstance(known, Report):
            yield known
        elif known.drafts:
            drafts = join_mentions(known.drafts, hints)
            for index, (draft, solution) in enumerate(zip(drafts, _solutions(drafts, hints), strict=True)):
                yield SourceGame(draft, solution, known.lines, known.file, index)
        elif not (known.register and listed):
            problem = Diagnostic("import/no-game", "no turns were found: a turn names a cell, such as e5")
            yield _refuse(problem, known.file)


def _solutions(drafts: Sequence[Draft], hints: Hints) -> list[Solution]:
    """Return the solution of each draft, by the conventions that the others show."""
    solutions: list[Solution] = []
    left = _MAX_WORK + _WORK_OF_CHARACTER * sum(len(text) for draft in drafts for text in draft.texts)
    for draft in drafts:
        if left < 0:
            message = "the file has too many games that do not state game and size: give --game and --size, or split it"
            solutions.append(Solution([], problem=Doubt("import/limit", message)))
            continue
        solutions.append(solve(draft, hints))
        left -= solutions[-1].work
    shown = find_conventions(solutions)
    for index, (draft, solution) in enumerate(zip(drafts, solutions, strict=True)):
        if solution.problem is None and not shown.fits(solution.readings):
            again = solve(draft, hints, shown)
            if again.readings or len(solution.readings) == 1:
                solutions[index] = again
    return solutions


def _import(game: SourceGame, suggester: Suggester) -> Imported:
    solution, attempt, checked = game.solution, None, None
    if len(solution.readings) == 1:
        data, report = write_record(solution.readings[0], game)
        if report.valid:
            return Imported(warn(report, solution.readings[0], game.draft), data)
        problem = Doubt("import/result", "; ".join(error.message for error in report.errors))
        solution, attempt = Solution([], problem=problem), data
    elif solution.attempt is not None:
        attempt, _ = write_record(solution.attempt, game)
        attempt["moves"] += turns_after(solution.attempt)
        checked = check_document(Document(attempt), game.file, game.record)
        if checked.valid:
            attempt = None  # the error is not in the record, such as turns in a wrong order of colors
    return Imported(describe(solution, game, checked, suggester), None, attempt)
