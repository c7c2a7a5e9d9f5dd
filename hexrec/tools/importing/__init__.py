"""Import of games from texts and tables as people write them: `import_bytes` and `import_sources`.

Readers make neutral *drafts* of a layout: facts, and the parts of turns with their places. One *solver* interprets a
draft: game, size, opening, names of cells, signs between the cells of a turn; the replay and the stated result
decide. A draft with one valid reading becomes a record, any other an entry of the work list, a report with diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import PurePath
from typing import Any, NamedTuple

from hexrec.errors import MissingExtraError
from hexrec.formats.base import Document, is_binary
from hexrec.io.compression import decompress_stream, inner_suffix
from hexrec.io.discovery import STANDARD_INPUT, Source, diagnose_input, format_of
from hexrec.io.stamps import expect_unchanged
from hexrec.record.canonical import canonical_form
from hexrec.rules.terms import COLORS
from hexrec.tools.importing.columns import is_header
from hexrec.tools.importing.continued import SourceGame, join_mentions, join_parts
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.facts import find_facts, opening_stones
from hexrec.tools.importing.hints import NO_HINTS, Hints
from hexrec.tools.importing.layouts import (
    SourceLine,
    decode,
    delimited_rows,
    delimiter_of,
    join_wrapped,
    mark_axial,
    plain_marks,
    text_lines,
    unfold,
)
from hexrec.tools.importing.lexer import Token, plain_numbers
from hexrec.tools.importing.messages import Thread, find_conversation, find_correspondents
from hexrec.tools.importing.posts import Collector
from hexrec.tools.importing.readings import Doubt, GameReading
from hexrec.tools.importing.register import look_up
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.solver import Solution, find_conventions, solve
from hexrec.tools.importing.sql import sql_tables
from hexrec.tools.importing.tables import add_table, align, tables_of
from hexrec.tools.importing.words import plain
from hexrec.tools.importing.work_list import describe, turns_after, warn
from hexrec.tools.suggestions import Suggester
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import printable_path
from hexrec.util.limits import MAX_RECORD_BYTES, in_words
from hexrec.util.version import FORMAT_VERSION
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document

#: A comment or a variation in parentheses that go on in the next line.
_NOTE = re.compile(
    r"\((?=[^()]*(?:[^\W\d_]{2}|\d\.)[^()]*\))([^()|\n]+\n(?!\s*\n)[^()|\n]+(?:\n(?!\s*\n)[^()|\n]+)?)\)"
)
#: The suffixes of files that `hexrec import` finds in directories.
SUFFIXES = (
    *(".txt", ".text", ".md", ".markdown", ".rst", ".org", ".wiki", ".mediawiki", ".eml", ".mbox", ".log"),
    *(".csv", ".tsv", ".tab", ".xlsx", ".sql"),
)
#: The years in which a number in brackets after a name may be one.
_YEARS = range(1990, 2040)
#: The maximum number of turns in the interpretations of the games of a file, and how many each character adds.
#: A game that states game and size has a few interpretations.
_MAX_WORK, _WORK_OF_CHARACTER = 800_000, 4
#: The maximum number of lines, and of characters in one. A long game has some hundreds, or some thousands.
_MAX_LINES = _LONGEST_LINE = 100_000
#: The beginnings of files in JSON and SGF.
_RECORDS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:[\[{][^\n]*\"(?:hexrec|moves|header)\"|\{\s*\n|\[\s*[\n{]|\(\s*;)")
#: The beginning of a mail, or of a mailbox.
_MAIL = re.compile(
    rb"(?:From |(?:Return-Path|Delivered-To|Received|From|To|Date|Subject|MIME-Version|Message-ID):\s)[^\n]*\n"
    rb"(?:[A-Z][A-Za-z-]*:\s|\s+\S)"
)
#: The author in the heading of a mail.
_AUTHOR = re.compile(r"^\s*\*?(?:from|von|de|da|van)\s?:", re.IGNORECASE | re.MULTILINE)
#: A comment in braces, which is no table or template of a wiki, and no object of JSON.
_BRACES = re.compile(r"(?<!\{)\{(?![|{\"])([^{}]*)\}")


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


class _File:
    """A file with its lines, the drafts of its games, and its tables of games whose turns are elsewhere."""

    def __init__(self, file: str | None, lines: Sequence[str], collectors: Sequence[Collector]) -> None:
        self.file, self.lines = file, lines
        self.drafts = [draft for collector in collectors for draft in collector.end()]
        self.register = [row for collector in collectors for row in collector.register]
        look_up(self.drafts, self.register)
        if len(self.drafts) == 1:  # facts below the turns, or on another sheet
            loose = [fact for collector in collectors for fact, _ in collector.facts]
            self.drafts[0].inherited[:0] = [
                fact for fact in loose if fact.key or fact.kind in ("game", "size", "variant")
            ]


def import_sources(
    sources: Iterable[Source | Diagnostic], hints: Hints = NO_HINTS, suggester: Suggester | None = None
) -> Iterator[Imported]:
    """Yield the games of files, in their order. A file that cannot be read gets a report."""
    read: list[_File | Imported] = []
    for source in sources:
        if isinstance(source, Diagnostic):
            file = printable_path(source.file or "")
            read.append(Imported(Report((source.at(file=file, record=0),), file=file, index=0), None))
            continue
        file = printable_path(source.name)
        try:
            with source.open() as stream, expect_unchanged(source.name, stream):
                data = decompress_stream(stream).read(MAX_RECORD_BYTES + 1)
            read.append(_read(data, file))
        except MissingExtraError as error:
            read.append(_refuse("syntax/unreadable", f"cannot be read: {error}", file))
        except Exception as error:
            read.append(Imported(Report((diagnose_input(file, error).at(record=0),), file=file, index=0), None))
    yield from _finish(_solve(read, hints), hints, suggester)


def import_bytes(
    data: bytes, file: str | None = None, hints: Hints = NO_HINTS, suggester: Suggester | None = None
) -> Iterator[Imported]:
    """Yield the games of a file, given its name. Raises MissingExtraError for a spreadsheet without openpyxl."""
    yield from _finish(_solve([_read(data, file)], hints), hints, suggester)


def _read(data: bytes, file: str | None) -> _File | Imported:
    """Return the drafts of a file, or a report that refuses it."""
    suffix = inner_suffix(file or "")
    if len(data) > MAX_RECORD_BYTES:
        return _refuse("import/limit", f"the file has more than {in_words(MAX_RECORD_BYTES)}: split it", file)
    if data.startswith(b"PK\x03\x04") or suffix == ".xlsx":
        from hexrec.tools.importing.workbook import WorkbookError, sheets  # openpyxl takes long to import

        try:
            return _File(file, [], [_collect_rows(rows, file, name) for name, rows in sheets(data)])
        except WorkbookError as error:
            return _refuse("syntax/unreadable", f"cannot be read: {error}", file)
    if format_of(file or "") is not None or _RECORDS.match(data):
        return _refuse("import/records", "this is a file of records: use hexrec convert, or save it as CSV", file)
    if is_binary(data):
        return _refuse("syntax/binary", "this is not text: it contains zero bytes: save it as text, CSV or .xlsx", file)
    if suffix in (".eml", ".mbox") or _MAIL.match(data):
        from hexrec.tools.importing.mails import mail_text  # email takes long to import

        text = mail_text(data)
    else:
        text = decode(data)
    text = plain_numbers(mark_axial(plain_marks(text)))
    lines = text.split("\n")
    if dump := sql_tables(text):
        return _File(file, lines, [_collect_rows(rows, file) for rows in dump])
    long = next((number for number, line in enumerate(lines, 1) if len(line) > _LONGEST_LINE), None)
    if long is not None or len(lines) > _MAX_LINES:
        where = f"line {long} has more than {_LONGEST_LINE:,} characters" if long else f"more than {_MAX_LINES:,} lines"
        return _refuse("import/limit", f"{where}: split the file", file)
    delimiter = delimiter_of(text, suffix)
    if delimiter is None:
        head, row = islice(chain(filter(str.strip, lines), ("", "")), 2)
        delimiter = next((sign for sign in ",;\t" if sign in row and is_header(head, sign)), None)
    rows = None if delimiter is None else delimited_rows(text, delimiter)
    return _File(file, lines, _collect_text(text, file) if rows is None else [_collect_rows(rows, file)])


def _refuse(code: str, message: str, file: str | None) -> Imported:
    return Imported(Report((Diagnostic(code, message, file=file, record=0),), file=file, index=0), None)


def _facts_of_name(file: str | None) -> list[Fact]:
    """Return the facts in the name of a file and of the directories above it."""
    facts: list[Fact] = []
    for part in reversed(PurePath(file or "").parts[-3:]):
        named = find_facts(PurePath(part).stem.replace("_", " ").replace("-", " "))
        facts += [
            fact
            for fact in named
            if fact.kind in ("game", "size", "variant") and all(fact.kind != known.kind for known in facts)
        ]
    return facts


def _collect_text(text: str, file: str | None) -> list[Collector]:
    comments: dict[int, list[Token]] = {}
    notes = [note for note in _NOTE.finditer(text) if not _states_facts(note[1].replace("\n", " "))]
    for match in (*_BRACES.finditer(text), *notes):
        number = text.count("\n", 0, match.start()) + 1
        start = match.start() - (text.rfind("\n", 0, match.start()) + 1)
        comments.setdefault(number, []).append(Token("comment", match[1], start, start))
    for match in notes:
        text = text[: match.start()] + re.sub(r"[^\n]", " ", match[0]) + text[match.end() :]
    text = _BRACES.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    lines = [*unfold(align(text_lines(text)))]
    collectors: list[Collector] = []
    threads: list[Thread] = []
    if _AUTHOR.search(text):
        from hexrec.tools.importing.mails import find_threads  # email takes long to import

        threads = find_threads(lines)
    for thread in threads or [Thread(lines, find_conversation(lines), [])]:
        facts = _facts_of_name(file)
        if thread.messages:
            authors = thread.people or [*dict.fromkeys(speaker for speaker, _ in thread.messages if speaker)]
            pair = [Fact("pair", tuple(authors), 0, 0)] if len(authors) == 2 else []
            collector = Collector([*facts, *pair], authors=authors, answers=thread.people, doubt=thread.doubt)
        else:
            collector = Collector(facts, persons=find_correspondents(thread.lines))
        for speaker, said in thread.messages:
            collector.add_message(said if speaker and not thread.people else join_wrapped(said), comments, speaker)
        for part in tables_of(join_wrapped(thread.lines) if not thread.messages else ()):
            if isinstance(part, list):
                add_table(collector, part)
            else:
                collector.add_text(part, comments)
        collectors.append(collector)
    return collectors


def _states_facts(note: str) -> bool:
    """Return whether a text in parentheses states facts, or stones of both colors."""
    return bool(find_facts(note)) or opening_stones(plain(note)).keys() == {0, 1}


def _collect_rows(rows: Iterable[SourceLine], file: str | None, sheet: str | None = None) -> Collector:
    facts = _facts_of_name(file)
    if sheet is not None:
        facts = [*(fact for fact in find_facts(sheet) if fact.kind in ("index", "game", "size", "variant")), *facts]
    collector = Collector(facts, sheet)
    add_table(collector, [*rows])
    return collector


def _solve(read: Sequence[_File | Imported], hints: Hints) -> Iterator[SourceGame | Imported]:
    """Yield the games of files, and reports on files without games; a file may be the list of the games of others."""
    files = [known for known in read if isinstance(known, _File)]
    lists = [row for file in files if not file.drafts for row in file.register]
    listed = [draft for file in files if not file.register for draft in file.drafts]
    look_up(listed, lists)
    for known in read:
        if isinstance(known, Imported):
            yield known
        elif known.drafts:
            drafts = join_mentions(known.drafts, hints)
            for index, (draft, solution) in enumerate(zip(drafts, _solutions(drafts, hints), strict=True)):
                yield SourceGame(draft, solution, known.lines, known.file, index)
        elif not (known.register and listed):
            yield _refuse("import/no-game", "no turns were found: a turn names a cell, such as e5", known.file)


def _finish(found: Iterable[SourceGame | Imported], hints: Hints, suggester: Suggester | None) -> Iterator[Imported]:
    """Yield the records and reports of games, with parts of games joined."""
    games = [*found]
    whole = {
        (game.file, game.record): game for game in join_parts([g for g in games if isinstance(g, SourceGame)], hints)
    }
    suggester = suggester or Suggester()
    for known in games:
        if isinstance(known, Imported):
            yield known
        elif (game := whole.get((known.file, known.record))) is not None:
            yield _import(game, suggester)


def _import(game: SourceGame, suggester: Suggester) -> Imported:
    solution, attempt = game.solution, None
    if len(solution.readings) == 1:
        data, report = _write(solution.readings[0], game)
        if report.valid:
            return Imported(warn(report, solution.readings[0], game.draft), data)
        problem = Doubt("import/result", "; ".join(error.message for error in report.errors))
        solution, attempt = Solution([], problem=problem), data
    elif solution.attempt is not None and not solution.readings:
        attempt, _ = _write(solution.attempt, game)
        attempt["moves"] += turns_after(solution.attempt)
        if check_document(Document(attempt), game.file, game.record).valid:
            attempt = None  # the error is not in the record, such as turns in a wrong order of colors
    report = describe(solution, game.draft, game.lines, game.file, game.record, suggester)
    return Imported(report, None, attempt)


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


def _source(game: SourceGame) -> str:
    """Return the file and the lines of a game, and of its second part."""
    draft = game.draft
    where = "" if game.file in (None, STANDARD_INPUT) else f"{PurePath(game.file).name}, "
    where += "" if draft.sheet is None else f"sheet {draft.sheet}, "
    unit = "row" if draft.sheet is not None else "line"
    where += f"{unit} {draft.first}" if draft.first == draft.last else f"{unit}s {draft.first} to {draft.last}"
    return where if game.after is None else f"{where}; {_source(game.after)}"


def _write(reading: GameReading, game: SourceGame) -> tuple[dict[str, Any], Report]:
    """Return the record of a reading, and the report on it."""
    draft = game.draft
    data: dict[str, Any] = {"hexrec": FORMAT_VERSION, "game": reading.game.name}
    data |= {} if reading.variant is None else {"variant": reading.variant}
    data["size"] = reading.size
    if reading.players:
        ratings = dict(draft.values("rating"))
        if len(ratings) == 1 and {*ratings.values()} <= {*_YEARS}:
            ratings = {}
        data["players"] = {
            color: {"name": name} | ({"rating": ratings[name]} if name in ratings else {})
            for color, name in reading.players.items()
            if name
        }
    for kind in ("event", "site", "round", "date"):
        values = draft.values(kind)
        if len(values) == 1:
            data[kind] = str(values[0])
    data["source"] = _source(game)
    if reading.opening:
        data["opening"] = reading.opening
    if reading.pie is not None:
        data["pie"] = {"chosen": COLORS[reading.pie]}
    data["moves"] = [*_moves(reading)]
    if reading.result is not None:
        data["result"] = reading.result
    report = check_document(Document(data), game.file, game.record)
    return canonical_form(report.record) if report.record is not None else data, report


def _moves(reading: GameReading) -> Iterator[Any]:
    """Yield the turns of a reading, with the comments after them."""
    for turn, source in zip(reading.turns, reading.sources, strict=False):  # an attempt has more sources
        notes = [note for item in source.items for note in reading.selection.comments.get(item.place, ())]
        yield {"turn": turn, "comment": " ".join(notes)} if notes else turn
