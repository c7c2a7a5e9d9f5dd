"""`hexrec validate`: replay every record and report its errors."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import inputs, options, outputs, runs
from hexrec.cli.console import fail, or_fail, say
from hexrec.cli.help import DIAGNOSTICS, INPUT, OUTPUT, PROCESSES
from hexrec.cli.options import option
from hexrec.io.discovery import Discovery, Source
from hexrec.io.git import ChangedSince, GitError
from hexrec.output import report_formats, report_text
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ValidateTask
from hexrec.tools.dedupe import Duplicates
from hexrec.tools.suggestions import SUGGESTION_LIMITS, Suggester, SuggestionLimits, can_have_suggestions
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation import baseline as baselines
from hexrec.validation.cache import Cache
from hexrec.validation.configuration import Settings
from hexrec.validation.lint import Lint
from hexrec.validation.report import Report
from hexrec.validation.summary import Summary, counted

#: The name of a reporter, and the file that it writes; None is stdout.
_Output = tuple[str, Path | None]

EXAMPLES = (
    ("hexrec validate games/ rated.jsonl.gz", "Check the records of a folder and of a compressed file."),
    (
        "hexrec validate games/ --lint -o sarif=report.sarif -o text=-",
        "Warn about what is probably not intended, too; write a report for a CI service, and one to read.",
    ),
)


def command(
    paths: options.Paths,
    format: Annotated[
        str | None,
        options.choice(
            "--format REPORT",
            report_formats.names(),
            "The report: {names}; by default chosen by the output file's name, else text.",
            OUTPUT,
        ),
    ] = None,
    finished: Annotated[
        bool | None, option("--finished/--no-finished", "Require every record to have a result.", DIAGNOSTICS)
    ] = None,
    lint: Annotated[
        bool | None,
        option(
            "--lint/--no-lint",
            "Warn about what is valid but probably unintended or not in the usual form.",
            DIAGNOSTICS,
        ),
    ] = None,
    board: Annotated[
        bool, option("--board", "Draw the board before every illegal turn (text report only).", OUTPUT)
    ] = False,
    source_format: options.From = None,
    follow_links: options.FollowLinks = False,
    keep: options.Keep = None,
    drop: options.Drop = None,
    shard: options.ShardName = None,
    targets: Annotated[
        list[str] | None,
        option(
            "-o, --output [REPORT=]FILE",
            "Write to a file instead of standard output; it appears whole or not at all. May be given several "
            "times, with a report each: -o sarif=a.json -o b.xml -o text=- (- is standard output).",
            OUTPUT,
        ),
    ] = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    warn: options.Warn = None,
    no_config: options.NoConfig = False,
    since: Annotated[
        str | None,
        option(
            "--since GITREV",
            "Check only files that differ from a revision of their git repository or are untracked.",
            INPUT,
        ),
    ] = None,
    cache: Annotated[
        bool, option("--cache/--no-cache", "Cache verdicts, and check only files that have changed since.", PROCESSES)
    ] = False,
    cache_folder: Annotated[
        Path | None,
        option(
            "--cache-dir DIR",
            "The folder for the cache, instead of the user's; it may be deleted at any time.",
            PROCESSES,
        ),
    ] = None,
    suggest: options.Suggest = SUGGESTION_LIMITS.records,
    replays: options.Replays = SUGGESTION_LIMITS.replays,
    baseline: Annotated[
        Path | None, option("--baseline FILE", "Ignore the diagnostics listed in this file.", DIAGNOSTICS)
    ] = None,
    write_baseline: Annotated[
        Path | None,
        option("--write-baseline FILE", "List all diagnostics in this file instead of reporting them.", DIAGNOSTICS),
    ] = None,
    jobs: options.Jobs = None,
    chunk_timeout: options.ChunkTimeout = None,
    quiet: options.Quiet = False,
) -> None:
    """Check records: syntax, fields, every turn by the rules, the result.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    rules = options.rules(select, ignore, warn)
    settings = Settings(rules, finished=finished, lint=lint, files=not no_config)
    if baseline and write_baseline:
        raise typer.BadParameter("give one of --baseline and --write-baseline")
    if shard and cache:
        raise typer.BadParameter("the cache keeps the reports on whole files", param_hint="--shard")
    selected = inputs.record_filter(keep, drop)
    if cache and selected.needs_hash:
        raise typer.BadParameter("the cache keeps no hashes: select by file and index, or by id", param_hint="--cache")
    discovery = Discovery(paths, source_format, follow_links=follow_links)
    found = inputs.sharded(discovery, paths, shard)
    options.check(settings, paths)
    adopted = baselines.Baseline(write_baseline) if write_baseline else None
    configured = baselines.ConfiguredBaselines(settings)
    named = {baseline: _known(baseline)} if baseline else {}
    known = named[baseline].apply if baseline else configured.apply
    limits = SuggestionLimits(suggest, replays)
    suggester = Suggester(limits)
    is_final = partial(_has_suggestions, suggester)
    cached = Cache(cache_folder, partial(_demands, settings, limits), is_final) if cache else None
    written = _outputs(targets or ["-"], format)
    # The cache has each file judged by itself.
    workers, small_here = runs.workers(jobs), jobs is None or cache
    if board and all(name != "text" for name, _ in written):
        raise typer.BadParameter("only the text report draws boards", param_hint="--board")
    changes = ChangedSince(since) if since is not None else None
    task = ValidateTask(lint=Lint(), records=selected.needs_hash, replays=replays)
    summary = Summary()
    summary.selective = selected.is_active
    try:
        with (
            runs.unbroken(),
            runs.progress([] if shard else paths, quiet, any(file is None for _, file in written)) as advance,
        ):

            def judge(sources: Iterable[Source | Diagnostic]) -> Generator[Report, None, None]:
                # As many as those before have left, in any process: the rest is cut off below.
                chunks = (replace(chunk, suggestions=suggester.left) for chunk in split(sources, settings=settings))
                with closing(run(chunks, task, workers, chunk_timeout, small_here=small_here)) as batches:
                    yield from runs.reports(batches, advance)

            sources = changes.among(found) if changes else found
            with closing(cached.reports(sources, judge) if cached else judge(sources)) as judged:
                reports = Duplicates().find(selected.reports(map(suggester.cut, judged)))
                reports = map(settings.grade, reports if adopted else map(known, reports))
                _write(summary.count(adopted.add(reports) if adopted else reports), written, board, summary)
    except GitError as error:
        fail(str(error))
    if adopted:
        with outputs.text(write_baseline) as out:
            out.write(adopted.text())
        say(f"diagnostics listed in {write_baseline}: {adopted.entries.total()}")
    for file, listed in (named | configured.used).items():
        for entry in () if selected.is_active else listed.gone():
            say(f"{file}: no longer found: {entry}")
    if suggest and suggester.left_out:
        say(f"{counted(suggester.left_out, 'more invalid record')} without suggestions: --suggest N gives more")
    inputs.say_skipped(discovery)
    if not shard and not changes:
        inputs.say_unmatched(selected)
    if changes and changes.unchanged:
        say(f"not changed since {since}: {counted(changes.unchanged, 'file')}")
    if cached and cached.disabled_reason:
        say(f"reports are not cached: {cached.disabled_reason}")
    if cached and cached.hits:
        say(f"reports taken from the cache: {counted(cached.hits, 'file')}")
    raise typer.Exit(summary.exit_code)


def _write(reports: Iterable[Report], targets: Iterable[_Output], board: bool, summary: Summary) -> None:
    """Write reports to all outputs; `summary` is complete when they end."""
    with ExitStack() as opened:
        for name, file in targets:
            reports = opened.enter_context(closing(_recorded(reports, name, file, board, summary)))
        for _ in reports:
            pass


def _recorded(
    reports: Iterable[Report], name: str, file: Path | None, board: bool, summary: Summary
) -> Generator[Report, None, None]:
    """Pass reports on while a reporter writes them."""
    reporter = partial(report_text.TextReporter, board=True) if board and name == "text" else report_formats.get(name)
    with outputs.text(file) as out:
        yield from report_formats.recorded(reports, summary, reporter(out))


def _demands(settings: Settings, limits: SuggestionLimits, file: str) -> tuple[object, ...]:
    """Return what the verdicts on a file depend on."""
    found = settings.find(file)
    return found.finished, found.lint, limits


def _has_suggestions(suggester: Suggester, report: Report) -> bool:
    """Return whether a report has all the suggestions that another run would give it."""
    return suggester.left > 0 or not can_have_suggestions(report)


def _known(file: Path) -> baselines.Baseline:
    """Return the diagnostics that a file lists."""
    try:
        with or_fail(file, "read"):
            return baselines.read(file)
    except ValueError as error:
        fail(f"{file}: {error}")


def _outputs(targets: list[str], format: str | None) -> list[_Output]:
    """Return which reporter writes where; None is standard output."""
    found: dict[Path | None, str] = {}
    for target in targets:
        report, says, name = target.partition("=")
        if not says or not report.isalpha():
            report, name = "", target
        elif report not in report_formats.names():
            message = f"{report!r} is not one of {', '.join(report_formats.names())}; a file of that name is ./{target}"
            raise typer.BadParameter(message, param_hint="-o")
        file = None if name == "-" else Path(name)
        if file in found or not name:
            raise typer.BadParameter(f"{target}: {'the same file twice' if name else 'no file'}", param_hint="-o")
        found[file] = report or format or report_formats.by_file_name(name) or "text"
    # Standard output is the outermost: when its reader goes away, no file is blamed for that.
    return sorted(((report, file) for file, report in found.items()), key=lambda output: output[1] is None)
