"""`hexrec score`: write one row per record with the computed winner and score."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from hexrec.cli import OUTPUT, PROCESSES, option, options, outputs
from hexrec.cli.console import echo_totals, exit_on_os_error, note, say
from hexrec.cli.inputs import DividedInputs
from hexrec.cli.runs import Advance, Work
from hexrec.errors import extra
from hexrec.io.discovery import STANDARD_INPUT, Discovery
from hexrec.io.outputs import atomic_write, atomic_write_bytes, hold_lock
from hexrec.output import rows as row_formats
from hexrec.output.rows import COLUMNS
from hexrec.output.totals import Totals, write_totals, write_totals_json
from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import Shard, split, total_size
from hexrec.parallel.run import Batch, run
from hexrec.parallel.tasks import ScoreTask
from hexrec.tools.record_filter import RecordFilter
from hexrec.validation.configuration import Settings
from hexrec.validation.report import Summary, count_of

EXAMPLES = (
    ("hexrec score games.jsonl -o scores.csv", "Write one row per record."),
    ("hexrec score games/ --summary", "Print the totals alone."),
)


def command(
    inputs: DividedInputs,
    *,
    format: Annotated[
        str | None,
        options.choice(
            "--format FORMAT",
            row_formats.names(),
            "Write rows as {names} [default: by file name, else a table on a terminal and CSV elsewhere].",
            OUTPUT,
        ),
    ] = None,
    target: options.Output = None,
    summary: Annotated[bool, option("--summary", "Print totals as tables; rows only to -o FILE.", OUTPUT)] = False,
    summary_json: Annotated[bool, option("--summary-json", "Print totals as JSON.", OUTPUT)] = False,
    dask: Annotated[
        str | None, option("--dask ADDRESS", "Run shards on a Dask cluster; 'local' starts one.", PROCESSES)
    ] = None,
    resume: Annotated[
        bool, option("--resume", "Continue an interrupted run with the same FILE and options.", PROCESSES)
    ] = False,
    escape_formulas: Annotated[
        bool,
        option("--escape-formulas/--no-escape-formulas", "In CSV, put an apostrophe before possible formulas.", OUTPUT),
    ] = True,
    rules: options.RuleOptions,
    work: Work,
) -> None:
    """Score finished games: one row per record, invalid records included.

    Exit code: 0 all valid or accepted, 1 another record is invalid, 2 an input cannot be read.
    """
    print_totals = summary or summary_json
    if print_totals and format and target is None:
        raise typer.BadParameter(
            "with totals, --format needs -o FILE for the rows; --summary-json prints the totals as JSON",
            param_hint="--format",
        )
    if resume and target is None:
        raise typer.BadParameter("no output file: only a run with -o FILE can be resumed", param_hint="--resume")
    settings = rules.settings(inputs.paths)
    selected = inputs.selected
    about: dict[str, Any] = {"paths": inputs.paths, "format": inputs.source_format, "selection": repr(rules.rules)}
    if dask is not None:
        if target is None or inputs.shard or print_totals:
            raise typer.BadParameter("give -o DIRECTORY, and neither --shard nor totals", param_hint="--dask")
        name = format or "csv"
        writer = _writer(name, escape_formulas)
        write = partial(_write_shard, inputs.discovery, settings, writer, work.chunk_timeout, selected)
        about |= {"rows": [name, escape_formulas], "selected": list(map(str, (inputs.keep, inputs.drop)))}
        summary_of_shards = _run_on_cluster(dask, work, inputs.discovery, target, f".{name}", write, about)
        echo_totals(*summary_of_shards.lines())
        raise typer.Exit(summary_of_shards.exit_code)
    name = outputs.format_of_file(target, format, row_formats.suffixes()) or _default_format()
    writer = _writer(name, escape_formulas)
    write_rows = target is not None or not print_totals
    if writer.binary and target is None and write_rows and sys.stdout.isatty():
        raise typer.BadParameter("binary format on a terminal: give -o FILE", param_hint="--format")
    sources = settings.leave_out_baselines(inputs.sources)
    totals = Totals()
    totals.summary.selective = selected.is_active
    task = _task(writer.encode if write_rows else _encode_nothing, selected)
    about["rows"] = [name, escape_formulas]
    with (
        _lock_checkpoint(target, resume, shard=inputs.shard, **about) as checkpoint,
        work.progress(inputs.measured_paths, streamed=target is None and write_rows) as advance,
        closing(work.run(split(sources, settings=settings), task, checkpoint, resume=resume)) as batches,
    ):
        parts = _encoded(batches, totals, selected, writer, advance, counts=print_totals)
        if write_rows:
            with outputs.binary(target) if writer.binary else outputs.text(target) as out:
                writer.join(parts, out)
        else:
            for _ in parts:
                pass
    if print_totals:
        with outputs.text(None) as out:
            (write_totals_json if summary_json else write_totals)(totals, out)
    echo_totals(*totals.summary.lines())
    inputs.print_notes()
    raise typer.Exit(totals.summary.exit_code)


def _encoded(
    batches: Iterable[Batch],
    totals: Totals,
    selected: RecordFilter,
    writer: row_formats.RowWriter,
    advance: Advance,
    *,
    counts: bool = False,
) -> Iterator[bytes]:
    """Yield the encoded rows of batches, and add their totals, or only their summary without `counts`.

    The rows are encoded here if some are selected.
    """
    for (summary, packed, part), size, restored in batches:
        records, invalid = totals.summary.records, totals.summary.invalid
        parts = [part]
        if selected.is_active:
            rows = [*totals.count(selected.rows(row_formats.decode_rows(part), COLUMNS))]
            parts = [writer.encode(rows)] if rows else []
        elif counts:
            totals.add_all(Totals.unpack(packed))
        else:
            totals.summary.add_all(summary)
        advance(totals.summary.records - records, totals.summary.invalid - invalid, size, before=restored)
        yield from parts


def _task(encode: Callable[[list[Any]], bytes], selected: RecordFilter) -> ScoreTask:
    """Return the task, which encodes no rows if some of them are selected later."""
    return ScoreTask() if selected.is_active else ScoreTask(encode=encode)


def _encode_nothing(_: object) -> bytes:
    return b""


@contextmanager
def _lock_checkpoint(target: Path | None, resume: bool, **about: object) -> Iterator[Checkpoint | None]:
    """Yield the checkpoint of an output file, locked, or None; `about` are the options that the rows depend on.

    The digests of chunks include the settings of their files. After a complete run, the checkpoint is deleted. Raises
    RunError if another run holds the lock.
    """
    if target is None or (target.exists() and not target.is_file()):
        yield None
        return
    with ExitStack() as lock:
        with exit_on_os_error(target, "written"):
            lock.enter_context(hold_lock(target))
        checkpoint = Checkpoint(target, **about)
        if checkpoint.path.exists() and not resume:
            say(f"{checkpoint.path} is from an unfinished run: it is replaced")
        elif resume and not checkpoint.path.exists():
            say(f"{checkpoint.path} does not exist: the run starts from the beginning")
        try:
            yield checkpoint
        except BaseException:
            checkpoint.close()
            if checkpoint.results:
                say(f"finished work is kept in {checkpoint.path}: --resume continues")
            raise
        checkpoint.delete()


def _write_shard(
    discovery: Discovery,
    settings: Settings,
    writer: row_formats.RowWriter,
    seconds: float | None,
    selected: RecordFilter,
    shard: Shard,
    target: Path,
) -> Summary:
    """Write the rows of a shard, on a cluster, and return their totals."""
    totals = Totals()
    chunks = split(settings.leave_out_baselines(shard.among(discovery.again())), settings=settings)
    task = _task(writer.encode, selected)
    # Use a separate process: a record that crashes it must not end the cluster's worker.
    with (
        closing(run(chunks, task, 1, seconds)) as batches,
        (atomic_write_bytes if writer.binary else atomic_write)(target) as out,
    ):
        writer.join(_encoded(batches, totals, selected, writer, lambda *_, **__: None), out)
    return totals.summary


def _writer(format: str, escape_formulas: bool) -> row_formats.RowWriter:
    writer = row_formats.get(format)
    if escape_formulas:
        return writer
    if format != "csv":
        raise typer.BadParameter("only CSV has formulas", param_hint="--no-escape-formulas")
    return writer._replace(encode=partial(row_formats.encode_csv, escape_formulas=False))


def _default_format() -> str:
    return "table" if sys.stdout.isatty() else "csv"


def _run_on_cluster(
    address: str,
    work: Work,
    discovery: Discovery,
    directory: Path,
    suffix: str,
    write: Callable[[Shard, Path], Summary],
    about: Mapping[str, Any],
) -> Summary:
    """Write the shards of an input on a cluster and return their totals. Raises MissingExtraError."""
    with extra("dask", "for --dask, install", "dask", "distributed"):
        from hexrec.parallel.cluster import run_shards
    if STANDARD_INPUT in discovery.paths:
        raise typer.BadParameter("stdin cannot be divided: name files", param_hint="--dask")
    totals, finished = Summary(), 0
    size = total_size(discovery)
    parts = run_shards(address, work.processes, directory.absolute(), suffix, size, write, **about)
    with exit_on_os_error(directory, "written"), closing(parts), work.progress([], streamed=False) as advance:
        directory.mkdir(parents=True, exist_ok=True)
        for summary, restored in parts:
            totals.add_all(summary)
            finished += restored
            advance(summary.records, summary.invalid, 0, before=restored)
    if finished:
        note(f"finished by an earlier run: {count_of(finished, 'part')}")
    return totals
