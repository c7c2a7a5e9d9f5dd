"""`hexrec score`: write one row per record with the computed winner and score."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

from hexrec.cli import OUTPUT, PROCESSES, flag, options, outputs, runs
from hexrec.cli.console import exit_on_os_error, refuse, say
from hexrec.cli.inputs import print_unreadable
from hexrec.cli.parts import DividedRun
from hexrec.io.outputs import hold_lock
from hexrec.output import rows as row_formats
from hexrec.output.rows import COLUMNS
from hexrec.output.totals import Totals, write_totals, write_totals_json
from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.tasks import EncodedRows, ScoreTask
from hexrec.tools.record_filter import RecordFilter

EXAMPLES = (
    ("hexrec score games.jsonl -o scores.csv", "Write one row per record."),
    ("hexrec score games/ --summary", "Print the totals alone."),
)


def command(
    run: DividedRun,
    *,
    format: str | None = options.choice(
        "--format FORMAT",
        row_formats.names(),
        "Write rows as {names} [default: by file name, else a table on a terminal and CSV elsewhere].",
        OUTPUT,
    ),
    target: Path | None = options.TARGET,
    summary: bool = flag("--summary", "Print totals as tables; rows only to -o FILE.", OUTPUT),
    summary_json: bool = flag("--summary-json", "Print totals as JSON.", OUTPUT),
    header: bool = flag("--header/--no-header", "In CSV, begin with the names of the columns.", OUTPUT, True),
    resume: bool = flag("--resume", "Continue an interrupted run with the same FILE and options.", PROCESSES),
    escape_formulas: bool = flag(
        "--escape-formulas/--no-escape-formulas", "In CSV, put an apostrophe before possible formulas.", OUTPUT, True
    ),
    rules: options.RuleOptions,
) -> None:
    """Score finished games: one row per record, invalid records included.

    Exit code: 0 all valid or accepted, 1 another record is invalid, 2 an input cannot be read.
    """
    print_totals = summary or summary_json
    if print_totals and format and target is None:
        refuse("with totals, --format needs -o FILE for the rows; --summary-json prints the totals as JSON", "--format")
    if resume and not isinstance(target, Path):
        refuse("only a run with -o FILE on this machine can be resumed", "--resume")
    settings = rules.settings(run.paths)
    selected = run.selected
    if run.dask and print_totals:
        refuse("totals need a run on one machine", "--dask")
    by_name = format if run.dask else outputs.format_of_file(target, format, row_formats.suffixes())
    name = by_name or ("table" if sys.stdout.isatty() and not run.dask else "csv")
    writer = _writer(name, escape_formulas, header)
    about = run.describe(selection=repr(rules.rules), rows=[name, escape_formulas, header])
    run.use_cluster("score", target, f".{name}", about)
    write_rows = target is not None or not print_totals
    if writer.binary and target is None and write_rows and sys.stdout.isatty():
        refuse("binary format on a terminal: give -o FILE", "--format")
    sources = print_unreadable(settings.leave_out_baselines(run.sources))
    totals = Totals(run.summary)
    if not write_rows:
        writer = row_formats.RowWriter(_encode_nothing, row_formats.join_lines)
    # The rows of selected records are encoded here.
    encode = None if selected.is_active else writer.encode
    streamed = target is None and write_rows
    with _lock_checkpoint(target, resume, shard=run.shard, **about) as checkpoint:
        task = ScoreTask(encode=encode, checkpoint=checkpoint)
        with closing(run.batches(task, sources, streamed=streamed, settings=settings)) as batches:
            parts = _encoded(batches, totals, selected, writer)
            with outputs.binary(target) if writer.binary else outputs.text(target) as out:
                writer.join(parts, out)
    run.finish_part("score", target, about)
    if print_totals:
        with outputs.text(None) as out:
            (write_totals_json if summary_json else write_totals)(totals, out)
    run.end(*run.summary.lines())


def _encoded(
    batches: Iterable[EncodedRows], totals: Totals, selected: RecordFilter, writer: row_formats.RowWriter
) -> Iterator[bytes]:
    """Yield the encoded rows of batches, and add their totals."""
    for batch in batches:
        if not selected.is_active:
            totals.add_all(batch.totals)
            yield batch.part
        elif rows := [*totals.count(selected.rows(row_formats.decode_rows(batch.part), COLUMNS))]:
            yield writer.encode(rows)


def _encode_nothing(_: object) -> bytes:
    return b""


@contextmanager
def _lock_checkpoint(target: Path | None, resume: bool, **about: object) -> Iterator[Checkpoint | None]:
    """Yield the checkpoint of an output file, locked, or None; `about` are the options that the rows depend on.

    The digests of chunks include the settings of their files. After a complete run, the checkpoint is deleted. Raises
    RunError if another run holds the lock.
    """
    if not isinstance(target, Path) or runs.SEPARATE or (target.exists() and not target.is_file()):
        yield None
        return
    with ExitStack() as lock:
        with exit_on_os_error(target, "written"):
            lock.enter_context(hold_lock(target))
            checkpoint = Checkpoint(target, **about)
            if not checkpoint.exists and resume:
                say(f"{checkpoint.path} does not exist: the run starts from the beginning")
            elif resume:
                checkpoint.expect_own()
            elif checkpoint.exists:
                say(f"{checkpoint.path} is from an unfinished run: it is replaced")
                checkpoint.delete()
        try:
            yield checkpoint
        except BaseException:
            if checkpoint.exists:
                say(f"finished work is kept in {checkpoint.path}: --resume continues")
            raise
        checkpoint.delete()


def _writer(format: str, escape_formulas: bool, header: bool) -> row_formats.RowWriter:
    writer = row_formats.get(format)
    if format != "csv" and not escape_formulas:
        refuse("only CSV has formulas", "--no-escape-formulas")
    if format != "csv" and not header:
        refuse("only CSV has a header to leave out", "--no-header")
    if not escape_formulas:
        writer = writer._replace(encode=partial(row_formats.encode_csv, escape_formulas=False))
    return writer if header else writer._replace(join=row_formats.join_lines)
