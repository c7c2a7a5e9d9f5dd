"""Inputs of commands: files, filters, single records, and messages about skipped files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NoReturn

from hexrec.cli import INPUT, argument, option, options
from hexrec.cli.console import echo, echo_diagnostics, echo_totals, exit_on_os_error, fail, note, refuse
from hexrec.cli.values import nearest
from hexrec.io.archives import is_archive
from hexrec.io.discovery import STANDARD_INPUT, Discovery, Source, format_of, unreadable
from hexrec.io.remote import file_name
from hexrec.record.record import Record
from hexrec.record.validation import RecordError, read_position, read_record
from hexrec.rules import games
from hexrec.rules.terms import IllegalSetup
from hexrec.tools.record_filter import RecordFilter, Rows, read_rows
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible
from hexrec.validation.report import NOT_VALIDATED, Report, Summary


@dataclass(eq=False, repr=False)
class Inputs:
    """The records of some paths, by the options of a command. Invalid options exit when they are used."""

    paths: list[str] = options.PATHS
    source_format: str | None = options.FROM
    follow_links: bool = options.FOLLOW_LINKS
    keep: Path | None = option(
        "--keep FILE", "Keep only the records listed in a CSV, JSON Lines or Parquet file.", INPUT
    )
    drop: Path | None = option("--drop FILE", "Drop the records listed in such a file.", INPUT)

    @cached_property
    def discovery(self) -> Discovery:
        """The files of the paths."""
        return Discovery(self.paths, self.source_format, follow_links=self.follow_links)

    @cached_property
    def selected(self) -> RecordFilter:
        """The filter for --keep and --drop."""
        return RecordFilter(_read_rows(self.keep), _read_rows(self.drop))

    @cached_property
    def summary(self) -> Summary:
        """The totals over the records that were read."""
        return Summary(selective=self.selected.is_active)

    def print_unmatched(self) -> None:
        """Print the rows of filters that selected no record."""
        for rows in self.selected:
            if rows is not None and (message := rows.describe_unmatched()):
                note(message)

    def end(self, *totals: str, code: int | None = None) -> NoReturn:
        """Print totals, the files that were skipped, and the rows of filters that selected no record, and exit.

        The exit code is by default that of the summary.
        """
        echo_totals(*totals)
        print_skipped(self.discovery)
        self.print_unmatched()
        raise SystemExit(self.summary.exit_code if code is None else code)


def _read_rows(file: Path | None) -> Rows | None:
    if file is None:
        return None
    with exit_on_os_error(file, "read"):
        return read_rows(str(file))


def print_unreadable(sources: Iterable[Source | Diagnostic]) -> Iterator[Source | Diagnostic]:
    """Yield sources, and print those that cannot be read, for commands that print no other diagnostics."""
    for source in sources:
        if isinstance(source, Diagnostic):
            echo_diagnostics(source)
        yield source


def print_skipped(discovery: Discovery) -> None:
    """Print the numbers of files skipped for their names and of symbolic links skipped."""
    for paths, words, hint in (
        (discovery.skipped, ("file", "files", " without a known suffix"), ""),
        (discovery.links, ("link", "links", " out of the given directories"), ": --follow-links follows such links"),
    ):
        if paths.total:
            (one, many, suffix), first = words, paths.kept[0]
            files = f"1 {one}{suffix} ({first})" if paths.total == 1 else f"{paths.total} {many}{suffix} ({first}, …)"
            note(f"skipped {files}{hint}")


def place(report: Report) -> str:
    """Return the file and index of a record as ``file:index``."""
    return f"{visible(report.file or STANDARD_INPUT)}:{report.index}"


@dataclass(eq=False, repr=False)
class OneRecord:
    """A record of a file, or an empty record that starts from a position, by the options of a command."""

    file: str = argument("FILE", "A file of records; - is stdin.")
    ply: int | None = options.PLY
    record: int = option("--record INDEX", "Choose the record of the file, counted from 0.", INPUT, default=0, min=0)
    format: str | None = options.FROM
    position: str | None = option("--position TEXT", "Start from a position; FILE is then the name of a game.", INPUT)
    variant: str | None = options.VARIANT
    ruleset: str | None = options.RULESET
    readings: list[str] | None = options.READINGS

    def load(self) -> Record:
        """Return the record. Print diagnostics and exit if it cannot be read or has fewer than `ply` turns."""
        if self.position is not None:
            return self._load_position(self.file, self.position)
        if self.variant is not None or self.ruleset is not None or self.readings:
            refuse(
                "a record states its own rules: give these options with --position only",
                "--variant, --ruleset, --reading",
            )
        file, index = self.file, self.record
        if is_archive(file_name(file)):
            fail(f"{file}: this command does not read archives: unpack it and name a file in it")
        document, count = None, 0
        try:
            source = Source(file, self.format or format_of(file))
            # Close explicitly: errors in a garbage-collected generator cannot be caught.
            with closing(source.documents()) as documents:
                for count, document in enumerate(documents, 1):  # noqa: B007
                    if count > index:
                        break
        except OSError as error:
            if games.is_known(file) and not os.path.lexists(file):
                fail(f"{file} is a game: give one of its positions with --position, or name a file of records")
            echo_diagnostics(unreadable(file, error))
            raise SystemExit(2) from None
        if document is None or count <= index:
            numbers = "record 0" if count == 1 else f"records 0 to {count - 1}"
            fail(f"{file} has no record {index}: it has {numbers if count else 'none'}")
        try:
            if document.error is not None:
                raise RecordError([document.error])
            record = read_record(document.data, turns_unchecked=True)
        except RecordError as error:
            for diagnostic in document.locate(error.diagnostics, file=file, record=index):
                echo(str(diagnostic))
            failed = any(diagnostic.code in NOT_VALIDATED for diagnostic in error.diagnostics)
            raise SystemExit(2 if failed else 1) from None
        if self.ply is not None and self.ply > len(record.moves):
            fail(f"there is no ply {self.ply}: the record has {len(record.moves)} turns")
        return record

    def _load_position(self, game: str, text: str) -> Record:
        """Return a record without turns that starts from a position. Exit if the position is invalid."""
        if not games.is_known(game):
            known = ", ".join(games.names())
            hint = nearest(game, games.names())
            refuse(f"with --position this is the name of a game, one of {known}{hint}", "FILE")
        try:
            rules = games.get(game)
            rules.start(variant=self.variant, position=text, ruleset=self.ruleset, readings=self.readings or ())
        except IllegalSetup as refusal:
            fail(f"{refusal.code}: --position, column {refusal.column}: {refusal.message}", 1)
        except ValueError as error:
            fail(str(error))
        chosen = {"ruleset": self.ruleset, "variant": self.variant, "readings": self.readings}
        return read_position(
            {"game": game, "position": text} | {name: value for name, value in chosen.items() if value}
        )
