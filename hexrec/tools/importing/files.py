"""Reading of a file: which reader for which bytes, and the drafts of its games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from pathlib import PurePath

from hexrec.formats.base import is_binary
from hexrec.io.compression import inner_suffix
from hexrec.io.discovery import format_of
from hexrec.tools.importing.columns import is_header
from hexrec.tools.importing.facts import find_facts
from hexrec.tools.importing.layouts import (
    SourceLine,
    blank,
    decode,
    delimited_rows,
    delimiter_of,
    join_wrapped,
    mark_axial,
    plain_marks,
    text_lines,
    unfold,
)
from hexrec.tools.importing.lexer import Token, plain_numbers, plain_passes
from hexrec.tools.importing.messages import Thread, find_conversation, find_correspondents
from hexrec.tools.importing.openings import opening_stones
from hexrec.tools.importing.posts import Collector
from hexrec.tools.importing.register import look_up
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.spelling import plain
from hexrec.tools.importing.sql import sql_tables
from hexrec.tools.importing.tables import add_table, align, tables_of
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_RECORD_BYTES, in_words

#: A comment or a variation in parentheses that go on in the next line.
_NOTE = re.compile(
    r"\((?=[^()]*(?:[^\W\d_]{2}|\d\.)[^()]*\))([^()|\n]+\n(?!\s*\n)[^()|\n]+(?:\n(?!\s*\n)[^()|\n]+)?)\)"
)
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


class SourceFile:
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


def read_file(data: bytes, file: str | None) -> SourceFile | Diagnostic:
    """Return the drafts of a file, or the reason for its refusal."""
    suffix = inner_suffix(file or "")
    if len(data) > MAX_RECORD_BYTES:
        return Diagnostic("import/limit", f"the file has more than {in_words(MAX_RECORD_BYTES)}: split it")
    if data.startswith(b"PK\x03\x04") or suffix == ".xlsx":
        from hexrec.tools.importing.workbook import WorkbookError, sheets  # openpyxl takes long to import

        try:
            return SourceFile(file, [], [_collect_rows(rows, file, name) for name, rows in sheets(data)])
        except WorkbookError as error:
            return Diagnostic("syntax/unreadable", f"cannot be read: {error}")
    if format_of(file or "") is not None or _RECORDS.match(data):
        return Diagnostic("import/records", "this is a file of records: use hexrec convert, or save it as CSV")
    if is_binary(data):
        return Diagnostic("syntax/binary", "this is not text: it contains zero bytes: save it as text, CSV or .xlsx")
    if suffix in (".eml", ".mbox") or _MAIL.match(data):
        from hexrec.tools.importing.mails import mail_text  # email takes long to import

        text = mail_text(data)
    else:
        text = decode(data)
    text = plain_passes(plain_numbers(mark_axial(plain_marks(text))))
    lines = text.split("\n")
    if dump := sql_tables(text):
        return SourceFile(file, lines, [_collect_rows(rows, file) for rows in dump])
    long = next((number for number, line in enumerate(lines, 1) if len(line) > _LONGEST_LINE), None)
    if long is not None or len(lines) > _MAX_LINES:
        where = f"line {long} has more than {_LONGEST_LINE:,} characters" if long else f"more than {_MAX_LINES:,} lines"
        return Diagnostic("import/limit", f"{where}: split the file")
    delimiter = delimiter_of(text, suffix)
    if delimiter is None:
        head, row = islice(chain(filter(str.strip, lines), ("", "")), 2)
        delimiter = next((sign for sign in ",;\t" if sign in row and is_header(head, sign)), None)
    rows = None if delimiter is None else delimited_rows(text, delimiter)
    return SourceFile(file, lines, _collect_text(text, file) if rows is None else [_collect_rows(rows, file)])


def _collect_text(text: str, file: str | None) -> list[Collector]:
    """Return the collectors of a text: one, or one for each thread of its mails."""
    text, comments = _part_comments(text)
    lines = [*unfold(align(text_lines(text)))]
    threads: list[Thread] = []
    if _AUTHOR.search(text):
        from hexrec.tools.importing.mails import find_threads  # email takes long to import

        threads = find_threads(lines)
    threads = threads or [Thread(lines, find_conversation(lines), [])]
    return [_collect_thread(thread, comments, _facts_of_name(file)) for thread in threads]


def _part_comments(text: str) -> tuple[str, dict[int, list[Token]]]:
    """Return a text with spaces for comments in braces, and in parentheses over lines; and these by line."""
    comments: dict[int, list[Token]] = {}
    notes = [note for note in _NOTE.finditer(text) if not _states_facts(note[1].replace("\n", " "))]
    for match in (*_BRACES.finditer(text), *notes):
        number = text.count("\n", 0, match.start()) + 1
        start = match.start() - (text.rfind("\n", 0, match.start()) + 1)
        comments.setdefault(number, []).append(Token("comment", match[1], start, start))
    for note in notes:
        text = text[: note.start()] + blank(note) + text[note.end() :]
    return _BRACES.sub(blank, text), comments


def _states_facts(note: str) -> bool:
    """Return whether a text in parentheses states facts, or stones of both colors."""
    return bool(find_facts(note)) or opening_stones(plain(note)).keys() == {0, 1}


def _collect_thread(thread: Thread, comments: Mapping[int, list[Token]], facts: Sequence[Fact]) -> Collector:
    """Return the collector of a text, or of a conversation; `facts` are those of the name of its file."""
    if not thread.messages:
        persons = find_correspondents(thread.lines)
        author = [Fact("author", name, 0, 0) for name in persons[:1]]
        collector = Collector([*facts, *author], persons=persons)
        for part in tables_of(join_wrapped(thread.lines)):
            if isinstance(part, list):
                add_table(collector, part)
            else:
                collector.add_text(part, comments)
        return collector
    authors = thread.people or [*dict.fromkeys(speaker for speaker, _ in thread.messages if speaker)]
    pair = [Fact("pair", tuple(authors), 0, 0)] if len(authors) == 2 else []
    collector = Collector([*facts, *pair], authors=authors, answers=thread.people, doubt=thread.doubt)
    for speaker, said in thread.messages:
        collector.add_message(said if speaker and not thread.people else join_wrapped(said), comments, speaker)
    return collector


def _collect_rows(rows: Iterable[SourceLine], file: str | None, sheet: str | None = None) -> Collector:
    """Return the collector of a table, or of a sheet with its name."""
    facts = _facts_of_name(file)
    if sheet is not None:
        facts = [*find_facts(sheet, "index", "game", "size", "variant"), *facts]
    collector = Collector(facts, sheet)
    add_table(collector, [*rows])
    return collector


def _facts_of_name(file: str | None) -> list[Fact]:
    """Return the facts in the name of a file and of the directories above it."""
    facts: list[Fact] = []
    for part in reversed(PurePath(file or "").parts[-3:]):
        named = find_facts(PurePath(part).stem.replace("_", " ").replace("-", " "), "game", "size", "variant")
        facts += [fact for fact in named if all(fact.kind != known.kind for known in facts)]
    return facts
