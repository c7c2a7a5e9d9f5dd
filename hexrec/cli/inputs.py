"""Inputs of commands: shards, filters, single records, and messages about skipped files."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import closing
from itertools import islice
from pathlib import Path

import typer

from hexrec.cli.console import echo, echo_diagnostics, exit_on_os_error, fail, say
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


def select_shard(discovery: Discovery, paths: list[str], name: str | None) -> Iterable[Source | Diagnostic]:
    """Return the sources of the shard `name`, or all sources if it is None. Exit if the name is invalid."""
    if name is None:
        return discovery
    if STANDARD_INPUT in paths:
        raise typer.BadParameter("stdin cannot be divided: name files", param_hint="--shard")
    try:
        return shard(name).among(discovery)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--shard") from None


def record_filter(keep: Path | None, drop: Path | None) -> RecordFilter:
    """Return the filter for --keep and --drop. Exit if a file cannot be read."""
    return RecordFilter(*(None if file is None else _rows(file) for file in (keep, drop)))


def _rows(file: Path) -> Rows:
    with exit_on_os_error(file, "read"):
        try:
            return read_rows(str(file))
        except RowsError as error:
            fail(str(error))


def print_unmatched(selected: RecordFilter) -> None:
    """Print the rows of filters that selected no record."""
    for rows in selected:
        if rows is not None and (message := rows.describe_unmatched()):
            say(message)


def print_skipped(discovery: Discovery) -> None:
    """Print the numbers of files skipped for their names and of symbolic links skipped."""
    for paths, words, hint in (
        (discovery.skipped, ("file", "files", " without a known suffix"), ""),
        (discovery.links, ("link", "links", " out of the given directories"), ": --follow-links follows such links"),
    ):
        if paths:
            one, many, rest = words
            files = f"1 {one}{rest} ({paths[0]})" if paths.total == 1 else f"{paths.total} {many}{rest} ({paths[0]}, …)"
            say(f"skipped {files}{hint}")


def place(report: Report) -> str:
    """Return the file and index of a record as ``file:index``."""
    return f"{visible(report.file or STANDARD_INPUT)}:{report.index}"


def load_record(file: str, format: str | None, index: int, ply: int | None = None) -> Record:
    """Return one record of a file. Print diagnostics and exit if it cannot be read or has fewer than `ply` turns."""
    if is_archive(file_name(file)):
        fail(f"{file}: this command does not read archives: unpack it and name a file in it")
    try:
        source = Source(file, format or format_of(file))
        # Close explicitly: errors in a garbage-collected generator cannot be caught.
        with closing(source.documents()) as documents:
            document = next(islice(documents, min(index, sys.maxsize), None), None)
    except OSError as error:
        echo_diagnostics(unreadable(file, error))
        raise typer.Exit(2) from None
    if document is None:
        fail(f"{file} has no record {index}: records are counted from 0")
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
        fail(f"there is no ply {ply}: the record has {len(record.moves)} turns")
    return record


def load_game(
    file: str,
    format: str | None,
    index: int,
    ply: int | None,
    position: str | None,
    variant: str | None,
    ruleset: str | None,
) -> Record:
    """Return a record of a file, or with `position` an empty record that starts from it. Exit on errors."""
    if position is not None:
        return _load_position(file, position, variant, ruleset)
    if variant is not None or ruleset is not None:
        raise typer.BadParameter(
            "a record states its own rules: give these options with --position only", param_hint="--variant, --ruleset"
        )
    return load_record(file, format, index, ply)


def _load_position(game: str, text: str, variant: str | None, ruleset: str | None) -> Record:
    """Return a record without turns that starts from a position. Exit if the position is invalid."""
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
    options = {"ruleset": ruleset, "variant": variant}
    rules = {name: value for name, value in options.items() if value is not None}
    return read_position({"game": game, "position": text, **rules})
