"""`hexrec score`: one row per record with the computed winner and score."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from hexrec import rows as row_formats
from hexrec.batch.checkpoint import Checkpoint
from hexrec.batch.chunks import split
from hexrec.batch.run import Batch, run
from hexrec.batch.tasks import ScoreTask
from hexrec.cli import inputs, options, outputs, runs
from hexrec.cli.console import echo, say
from hexrec.cli.help import OUTPUT, PROCESSES
from hexrec.files.discovery import Discovery
from hexrec.rows.csv import CsvWriter
from hexrec.settings.configuration import Settings
from hexrec.settings.selection import Rules, Selection

EXAMPLES = (
    ("hexrec score games.jsonl -o scores.csv", "Write one row per record."),
    ("hexrec score games/ --summary", "Print the totals alone."),
)


def command(
    paths: options.Paths,
    format: Annotated[
        str | None,
        options.choice(
            "--format",
            "FORMAT",
            row_formats.names(),
            "How to write the rows: {names}; by default chosen by the output file's name, "
            "else a table on a terminal and CSV elsewhere.",
            OUTPUT,
        ),
    ] = None,
    notation: options.From = None,
    follow_links: options.FollowLinks = False,
    target: options.Output = None,
    summary: Annotated[
        bool,
        typer.Option(
            "--summary",
            help="Print totals as tables, instead of the rows or in addition to a file of rows.",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    summary_json: Annotated[
        bool, typer.Option("--summary-json", help="Print totals as JSON.", rich_help_panel=OUTPUT)
    ] = False,
    jobs: options.Jobs = None,
    chunk_timeout: options.ChunkTimeout = None,
    dask: options.Dask = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Continue an interrupted run; FILE and all options must be the same.",
            rich_help_panel=PROCESSES,
        ),
    ] = False,
    escape_formulas: Annotated[
        bool,
        typer.Option(
            "--escape-formulas/--no-escape-formulas",
            help="In CSV, put an apostrophe before values that spreadsheets would take for formulas.",
            rich_help_panel=OUTPUT,
        ),
    ] = True,
    quiet: options.Quiet = False,
    select: options.Select = None,
    ignore: options.Ignore = None,
    warn: options.Warn = None,
    no_config: options.NoConfig = False,
) -> None:
    """Score finished games: one row per record, broken ones included.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    totals = summary or summary_json
    if totals and format and target is None:
        raise typer.BadParameter(
            "with totals, --format needs -o FILE for the rows; --summary-json prints the totals as JSON",
            param_hint="--format",
        )
    if resume and target is None:
        raise typer.BadParameter("only a run with -o FILE can be continued", param_hint="--resume")
    rules = options.rules(select, ignore, warn)
    scoring = _Scoring(
        paths=paths,
        notation=notation,
        discovery=Discovery(paths, notation, follow_links=follow_links),
        rules=rules,
        settings=options.checked(Settings(rules, files=not no_config, follow_links=follow_links), paths),
        writer=_writer(format or _usual_format(target), escape_formulas),
        target=target,
        rows=target is not None or not totals,
        resume=resume,
        runner=runs.runner(jobs, chunk_timeout, dask),
        small_here=jobs is None,
        quiet=quiet,
    )
    scoring.run()
    if totals:
        with outputs.text(None) as out:
            (row_formats.write_totals_json if summary_json else row_formats.write_totals)(scoring.totals, out)
    if not quiet:
        echo(scoring.totals.summary.line())
        inputs.say_skipped(scoring.discovery)
    raise typer.Exit(scoring.totals.summary.exit_code)


@dataclass(kw_only=True)
class _Scoring:
    """A run of the command: what its options come to; `rows` says whether rows are written, to `target`."""

    paths: list[str]
    notation: str | None
    discovery: Discovery
    rules: Rules
    settings: Settings
    writer: row_formats.RowWriter
    target: Path | None
    rows: bool
    resume: bool
    runner: runs.MakeRunner | None
    small_here: bool
    quiet: bool
    totals: row_formats.Totals = field(default_factory=row_formats.Totals)

    def __post_init__(self) -> None:
        if self.writer.binary and self.target is None and self.rows and sys.stdout.isatty():
            raise typer.BadParameter("rows in this format are not text: give -o FILE", param_hint="--format")

    def run(self) -> None:
        """Score the records and write the rows."""
        with (
            outputs.reserved(self.target),
            runs.unbroken(self._checkpoint()) as checkpoint,
            runs.progress(self.paths, self.quiet, self.target is None and self.rows) as self._progress,
            closing(
                run(
                    split(self.discovery, settings=self.settings),
                    ScoreTask(Selection()),
                    self.runner,
                    checkpoint,
                    resume=self.resume,
                    small_here=self.small_here,
                )
            ) as found,
        ):
            batches = self.totals.count(self._rows(found))
            if not self.rows:
                for _ in batches:
                    pass
                return
            with outputs.binary(self.target) if self.writer.binary else outputs.text(self.target) as out:
                self.writer.write(batches, out)

    def _rows(self, batches: Iterable[Batch]) -> Iterator[row_formats.Columns]:
        """Yield the rows of batches, as progress counts them."""
        for chunk, rows, restored in batches:
            if self._progress:
                codes = rows["code"]
                self._progress.add(len(codes), len(codes) - codes.count(None), chunk.size, before=restored)
            yield rows

    def _checkpoint(self) -> Checkpoint | None:
        """Return the checkpoint of the output, if that is a file; it knows the options that the rows depend on.

        The settings of files are in the digests of their chunks.
        """
        if self.target is None or (self.target.exists() and not self.target.is_file()):
            return None
        checkpoint = Checkpoint(self.target, paths=self.paths, notation=self.notation, selection=repr(self.rules))
        if checkpoint.exists() and not self.resume:
            say(f"{checkpoint.path} is left from an unfinished run and is replaced")
        elif self.resume and not checkpoint.exists():
            say(f"there is no {checkpoint.path}: the run starts from the beginning")
        return checkpoint


def _writer(format: str, escape_formulas: bool) -> row_formats.RowWriter:
    writer = row_formats.get(format)
    if escape_formulas:
        return writer
    if not isinstance(writer, CsvWriter):
        raise typer.BadParameter("only CSV has formulas", param_hint="--no-escape-formulas")
    return CsvWriter(escape_formulas=False)


def _usual_format(target: Path | None) -> str:
    if target is None:
        return "table" if sys.stdout.isatty() else "csv"
    name = row_formats.by_file_name(str(target))
    if name is None:
        raise typer.BadParameter(f"cannot tell the format from the name {target}: give --format", param_hint="-o")
    return name
