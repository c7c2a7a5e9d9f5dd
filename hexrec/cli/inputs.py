"""What commands read: one record of a file; what is said of files that were skipped."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path

import typer

from hexrec.cli.console import echo, echo_diagnostics, fail, or_fail, say
from hexrec.cli.options import nearest
from hexrec.io.archives import is_archive
from hexrec.io.discovery import STANDARD_INPUT, Discovery, Source, format_of, unreadable
from hexrec.io.remote import file_name
from hexrec.parallel.shards import shard
from hexrec.record.record import Record
from hexrec.record.validation import RecordError, read_position, read_record
from hexrec.rules import games
from hexrec.rules.terms import IllegalSetup
from hexrec.tools.record_filter import RecordFilter, Rows, RowsError, read_rows
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible
from hexrec.validation.report import NOT_JUDGED, Report, locate
from hexrec.validation.verdict import within_rules


def sharded(discovery: Discovery, paths: list[str], name: str | None) -> Iterable[Source | Diagnostic]:
    """Return the sources of a shard, or all of them without one. A name that is none ends the command."""
    if name is None:
        return discovery
    if STANDARD_INPUT in paths:
        raise typer.BadParameter("standard input cannot be divided: name files", param_hint="--shard")
    try:
        return shard(name).among(discovery)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--shard") from None


def record_filter(keep: Path | None, drop: Path | None) -> RecordFilter:
    """Return the filter that two options give. A file that cannot be read ends the command."""
    return RecordFilter(*(None if file is None else _rows(file) for file in (keep, drop)))


def _rows(file: Path) -> Rows:
    with or_fail(file, "read"):
        try:
            return read_rows(str(file))
        except RowsError as error:
            fail(str(error))


def say_unmatched(selected: RecordFilter) -> None:
    """Say on standard error which rows have selected no record."""
    for rows in selected:
        if rows is not None and (message := rows.unmatched()):
            say(message)


def say_skipped(discovery: Discovery) -> None:
    """Say on standard error how many files of the folders were skipped because of their names, or as links."""
    for paths, what, hint in (
        (discovery.skipped, ("file", "files", " without a known suffix"), ""),
        (discovery.links, ("link", "links", " out of the folders given"), ": --follow-links follows such links"),
    ):
        if paths:
            one, many, rest = what
            files = f"1 {one}{rest} ({paths[0]})" if paths.total == 1 else f"{paths.total} {many}{rest} ({paths[0]}, …)"
            say(f"skipped {files}{hint}")


def place(report: Report) -> str:
    """Return the file of a record and its index there, as hexrec says them on one line."""
    return f"{visible(report.file or STANDARD_INPUT)}:{report.index}"


def one_record(file: str, format: str | None, index: int, ply: int | None = None) -> Record:
    """Return one record of a file. What is wrong with it goes to standard error, and the command ends.

    It also ends if the record has fewer turns than `ply`.
    """
    if is_archive(file_name(file)):
        fail(f"{file}: this command does not read archives: unpack it and name a file in it")
    try:
        found = Source(file, format or format_of(file))
        # Closed here, not when the memory is freed: what fails then can no longer be caught.
        with closing(found.documents()) as documents:
            document = next(islice(documents, min(index, sys.maxsize), None), None)
    except OSError as error:
        echo_diagnostics(unreadable(file, error))
        raise typer.Exit(2) from None
    if document is None:
        fail(f"{file} has no record {index}: records are counted from 0")
    document = within_rules(document)
    try:
        if document.error is not None:
            raise RecordError([document.error])
        record = read_record(document.data, turns_unchecked=True)
    except RecordError as error:
        for diagnostic in locate(error.diagnostics, document, file=file, record=index):
            echo(str(diagnostic))
        failed = any(diagnostic.code in NOT_JUDGED for diagnostic in error.diagnostics)
        raise typer.Exit(2 if failed else 1) from None
    if ply is not None and ply > len(record.moves):
        fail(f"the record has {len(record.moves)} turns: there is no position after turn {ply}")
    return record


def game_shown(
    file: str,
    format: str | None,
    index: int,
    ply: int | None,
    position: str | None,
    variant: str | None,
    ruleset: str | None,
) -> Record:
    """Return what a command on one position is asked about: a record of a file, or the text of a position."""
    if position is not None:
        return _described(file, position, variant, ruleset)
    if variant is not None or ruleset is not None:
        raise typer.BadParameter("a record says itself which rules it is played by", param_hint="--variant, --ruleset")
    return one_record(file, format, index, ply)


def _described(game: str, text: str, variant: str | None, ruleset: str | None) -> Record:
    """Return a record without turns that goes on from the text of a position. An error in it ends the command."""
    if not games.is_known(game):
        known = ", ".join(games.names())
        hint = nearest(game, games.names())
        raise typer.BadParameter(f"with --position this is the name of a game, one of {known}{hint}", param_hint="FILE")
    try:
        games.get(game).start(variant=variant, position=text, ruleset=ruleset)
    except IllegalSetup as refusal:
        fail(f"{refusal.code}: --position, column {refusal.column}: {refusal.message}", 1)
    except ValueError as error:
        fail(str(error))
    said = {"ruleset": ruleset, "variant": variant}
    given = {name: value for name, value in said.items() if value is not None}
    return read_position({"game": game, "position": text, **given})
