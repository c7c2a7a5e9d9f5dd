"""`hexrec validate`: validate records and report diagnostics."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import DIAGNOSTICS, INPUT, OUTPUT, PROCESSES, option, options, outputs
from hexrec.cli.console import say
from hexrec.cli.inputs import DividedInputs, print_skipped
from hexrec.cli.runs import Work, drain, gather
from hexrec.io.discovery import Source
from hexrec.io.git import ChangedSince
from hexrec.output import report_formats, report_text
from hexrec.parallel.chunks import split
from hexrec.parallel.tasks import ValidateTask
from hexrec.tools.dedupe import Duplicates
from hexrec.tools.suggestions import MAX_REPLAYS, MAX_SUGGESTED, Suggester, can_have_suggestions
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.baseline import Baseline, Baselines
from hexrec.validation.cache import Cache
from hexrec.validation.configuration import Settings
from hexrec.validation.report import Report, Summary, count_of

#: A report format and its file; None is stdout.
_Output = tuple[str, Path | None]

EXAMPLES = (
    ("hexrec validate games/ rated.jsonl.gz", "Validate the records of a directory and of a compressed file."),
    (
        "hexrec validate games/ --lint -o sarif=report.sarif -o text=-",
        "Warn about probable mistakes too; write a SARIF report and a text report.",
    ),
)


def command(
    inputs: DividedInputs,
    *,
    format: Annotated[
        str | None,
        options.choice(
            "--format REPORT",
            report_formats.names(),
            "Write the report as {names} [default: by file name, else text].",
            OUTPUT,
        ),
    ] = None,
    finished: Annotated[
        bool | None, option("--finished/--no-finished", "Require a result in every record.", DIAGNOSTICS)
    ] = None,
    lint: Annotated[
        bool | None, option("--lint/--no-lint", "Warn about probable mistakes and noncanonical forms.", DIAGNOSTICS)
    ] = None,
    board: Annotated[
        bool, option("--board", "Draw the board before every illegal turn (text report only).", OUTPUT)
    ] = False,
    targets: Annotated[
        list[str] | None, option("-o, --output [REPORT=]FILE", "Write to a file, - is stdout; repeatable.", OUTPUT)
    ] = None,
    since: Annotated[
        str | None, option("--since GITREV", "Validate only files changed since a Git revision, or untracked.", INPUT)
    ] = None,
    cache: Annotated[
        bool, option("--cache/--no-cache", "Cache reports, and validate only changed files.", PROCESSES)
    ] = False,
    cache_folder: Annotated[
        Path | None, option("--cache-dir DIR", "Set the directory of the cache [default: the user's cache].", PROCESSES)
    ] = None,
    suggest: options.Suggest = MAX_SUGGESTED,
    replays: options.Replays = MAX_REPLAYS,
    baseline: Annotated[
        Path | None, option("--baseline FILE", "Accept the errors listed in this file.", DIAGNOSTICS)
    ] = None,
    write_baseline: Annotated[
        Path | None, option("--write-baseline FILE", "List all errors in this file, and accept them.", DIAGNOSTICS)
    ] = None,
    rules: options.RuleOptions,
    work: Work,
) -> None:
    """Validate records: syntax, fields, every turn by the rules, the result.

    To write several reports, repeat -o: `-o sarif=a.json -o b.xml -o text=-`.

    Exit code: 0 all valid or accepted, 1 another record is invalid, 2 an input cannot be read.
    """
    selected = inputs.selected
    if baseline and write_baseline:
        raise typer.BadParameter("give one of --baseline and --write-baseline")
    if inputs.shard and cache:
        raise typer.BadParameter(
            "the cache has reports of whole files only: drop --cache or --shard", param_hint="--shard"
        )
    if cache and selected.needs_hash:
        raise typer.BadParameter("the cache has no hashes: select by file and index, or by id", param_hint="--cache")
    settings = rules.settings(inputs.paths, finished=finished, lint=lint, baseline=baseline or write_baseline)
    sources = settings.leave_out_baselines(inputs.sources)
    known = Baselines(settings, baseline)
    adopted = Baseline(write_baseline) if write_baseline else None
    suggester = Suggester(suggest, replays)
    cached = _open_cache(cache_folder, settings, suggester) if cache else None
    written = _parse_targets(targets or ["-"], format)
    if board and all(name != "text" for name, _ in written):
        raise typer.BadParameter("only the text report draws boards", param_hint="--board")
    changes = ChangedSince(since) if since is not None else None
    if changes:
        sources = changes.among(sources)
    if not adopted:
        sources = known.note(sources)
    # Reports on clean records are made only to list, select or cache them.
    lists = selected.is_active or cache or any(name in report_formats.LISTING for name, _ in written)
    task = ValidateTask(counts=not lists, records=selected.needs_hash)
    summary = Summary(selective=selected.is_active)
    with work.progress(inputs.measured_paths, streamed=any(file is None for _, file in written)) as advance:

        def check(sources: Iterable[Source | Diagnostic]) -> Generator[Report, None, None]:
            # Workers may each use all suggestions that are left: `limit` removes the excess.
            chunks = (replace(chunk, suggester=copy(suggester)) for chunk in split(sources, settings=settings))
            # With a cache, each file is a separate run.
            with closing(work.run(chunks, task, one_chunk_here=work.jobs is None or cache)) as batches:
                yield from gather(batches, advance, summary)

        drain(
            cached.reports(sources, check) if cached else check(sources),
            partial(map, suggester.limit),
            selected.reports if selected.is_active else None,
            Duplicates().find,
            None if adopted else partial(map, known.apply),
            partial(map, settings.grade),
            adopted.add if adopted else None,
            summary.count,
            *(partial(_write_report, name, file, board, summary) for name, file in written),
        )
    if adopted:
        with outputs.text(write_baseline) as out:
            out.write(adopted.text())
        say(f"diagnostics listed in {write_baseline}: {adopted.entries.total()}")
    for file, listed in known.used.items():
        for entry in () if selected.is_active else listed.stale():
            say(f"{file}: no longer found: {entry}")
    if suggest and suggester.left_out:
        say(f"{count_of(suggester.left_out, 'more invalid record')} without suggestions: --suggest N gives more")
    print_skipped(inputs.discovery)
    if not changes:
        inputs.print_unmatched()
    if changes and changes.unchanged:
        say(f"not changed since {since}: {count_of(changes.unchanged, 'file')}")
    if cached and cached.hits:
        say(f"reports taken from the cache: {count_of(cached.hits, 'file')}")
    raise typer.Exit(summary.exit_code)


def _open_cache(folder: Path | None, settings: Settings, suggester: Suggester) -> Cache:
    """Return the cache of a directory, for reports with suggestions. Raises BadParameter."""
    limits = suggester.left, suggester.replays

    def key(file: str) -> tuple[object, ...]:
        """Return the options that the reports on a file depend on."""
        configuration = settings.find(file)
        return configuration.finished, configuration.lint, *limits

    def is_final(report: Report) -> bool:
        """Return whether a report has all suggestions that another run would add."""
        return suggester.left > 0 or not can_have_suggestions(report)

    try:
        return Cache(folder, key, is_final)
    except RuntimeError as error:
        raise typer.BadParameter(f"{error}: name a directory with --cache-dir", param_hint="--cache") from None


def _write_report(
    name: str, file: Path | None, board: bool, summary: Summary, reports: Iterable[Report]
) -> Generator[Report, None, None]:
    """Write reports to an output and pass them on."""
    write = partial(report_text.write_text, board=True) if board and name == "text" else report_formats.get(name)
    with outputs.text(file) as out:
        yield from write(reports, summary, out)


def _parse_targets(targets: list[str], format: str | None) -> list[_Output]:
    """Return the report format and file of each output."""
    outputs: dict[Path | None, str] = {}
    for target in targets:
        report, says, name = target.partition("=")
        if not says or not report.isalpha():
            report, name = "", target
        elif report not in report_formats.names():
            message = f"{report!r} is not one of {', '.join(report_formats.names())}; a file of that name is ./{target}"
            raise typer.BadParameter(message, param_hint="-o")
        file = None if name == "-" else Path(name)
        if file in outputs or not name:
            raise typer.BadParameter(f"{target}: {'the same file twice' if name else 'no file'}", param_hint="-o")
        outputs[file] = report or format or report_formats.by_file_name(name) or "text"
    # stdout comes last: a broken pipe must not be reported as an error of a file.
    return sorted(((report, file) for file, report in outputs.items()), key=lambda output: output[1] is None)
