"""`hexrec validate`: replay every record and report what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Annotated, TextIO

import typer

from hexrec import reporters
from hexrec.batch.chunks import Unit, cut
from hexrec.batch.progress import Progress
from hexrec.batch.run import run
from hexrec.batch.tasks import Validating
from hexrec.check import Report
from hexrec.check.cache import Cache
from hexrec.check.lint import Lint
from hexrec.cli.console import say
from hexrec.cli.options import (
    FollowLinks,
    From,
    Ignore,
    NoConfig,
    Paths,
    Select,
    Warn,
    configuration,
    fail,
    one_of,
    output,
    rules,
    say_skipped,
)
from hexrec.cli.runs import Jobs, MakeRunner, Quiet, UnitTimeout, progress, runner, unbroken
from hexrec.dedup.duplicates import Duplicates
from hexrec.diagnostics import Diagnostic
from hexrec.files.discovery import Discovery, Source
from hexrec.files.git import ChangedSince, GitError
from hexrec.reporters import text
from hexrec.settings.baseline import Baseline, read
from hexrec.settings.selection import Selection, asks_for_lint


def command(
    paths: Paths,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="REPORT",
            callback=one_of(reporters.names()),
            help=f"The report: {', '.join(reporters.names())}; else the name of the output file tells, else text.",
        ),
    ] = None,
    finished: Annotated[
        bool | None, typer.Option("--finished/--no-finished", help="Demand a result in every record.")
    ] = None,
    lint: Annotated[
        bool | None,
        typer.Option("--lint/--no-lint", help="Warn of what is valid but probably not meant, or not written as usual."),
    ] = None,
    board: Annotated[
        bool, typer.Option("--board", help="Draw the board before every illegal turn (in the report text).")
    ] = False,
    notation: From = None,
    follow_links: FollowLinks = False,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="[REPORT=]FILE",
            help="Write to a file, in place of standard output; it appears whole or not at all. May be given several "
            "times, with a report each: -o sarif=a.json -o b.xml -o text=- (- is standard output).",
        ),
    ] = None,
    select: Select = None,
    ignore: Ignore = None,
    warn: Warn = None,
    no_config: NoConfig = False,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="GITREV",
            help="Check only files that differ from a revision of their git repository, or that git does not know yet.",
        ),
    ] = None,
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep verdicts, and judge only files that have changed since.")
    ] = False,
    cache_folder: Annotated[
        Path | None,
        typer.Option(
            "--cache-dir",
            metavar="DIR",
            help="Where to keep them, in place of this user's folder for caches; may be deleted at any time.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="Pass over the findings listed in this file.")
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline", metavar="FILE", help="List all findings in this file instead of reporting them."
        ),
    ] = None,
    jobs: Jobs = None,
    unit_timeout: UnitTimeout = None,
    quiet: Quiet = False,
) -> None:
    """Check records: syntax, fields, every turn by the rules, the result.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    summary = reporters.Summary()
    discovery = Discovery(paths, notation, follow_links=follow_links)
    settings = configuration(paths, no_config, follow_links)
    layers = (rules(select, ignore, warn), *settings.layers)
    selection = Selection(*layers)
    linted = settings.lint or asks_for_lint(*layers) if lint is None else lint
    demanded = settings.finished if finished is None else finished
    if baseline and write_baseline:
        raise typer.BadParameter("give one of --baseline and --write-baseline")
    known = _known(baseline) if baseline else None
    adopted = Baseline(write_baseline) if write_baseline else None
    changes = ChangedSince(since) if since is not None else None
    sources = changes.among(discovery) if changes else discovery
    kept = Cache(cache_folder, finished=demanded, lint=linted) if cache else None
    outputs = _outputs(targets or ["-"], format)
    if board and all(report != "text" for report, _ in outputs):
        raise typer.BadParameter("only the report text draws boards", param_hint="--board")
    try:
        with ExitStack() as opened:
            opened.enter_context(unbroken())
            shown = opened.enter_context(progress(paths, quiet, any(file is None for _, file in outputs)))
            judge = partial(
                _judged,
                Validating(demanded, Lint() if linted else None),
                runner(jobs, unit_timeout),
                jobs is None or cache,  # which has each file judged by itself
                shown,
            )
            found = opened.enter_context(closing(kept.reports(sources, judge) if kept else judge(sources)))
            compared = Duplicates().find(found) if linted else found
            selected = selection.apply(known.apply(compared) if known else compared)
            judged: Iterable[Report] = summary.count(adopted.add(selected) if adopted else selected)
            for report, file in outputs:
                make = partial(text.TextReporter, board=True) if board and report == "text" else reporters.get(report)
                judged = opened.enter_context(closing(_recorded(judged, summary, make, file)))
            for _ in judged:
                pass
    except GitError as error:
        fail(str(error))
    if adopted:
        with output(write_baseline) as out:
            out.write(adopted.text())
        say(f"findings listed in {write_baseline}: {adopted.entries.total()}")
    for entry in known.gone() if known else ():
        say(f"{baseline}: no longer found: {entry}")
    say_skipped(discovery)
    if changes and changes.unchanged:
        say(f"not changed since {since}: {_files(changes.unchanged)}")
    if kept and kept.unkept:
        say(f"no verdicts are kept: {kept.unkept}")
    if kept and kept.met:
        say(f"verdicts kept from an earlier run: {_files(kept.met)}")
    raise typer.Exit(summary.exit_code)


def _judged(
    work: Validating,
    runner: MakeRunner | None,
    small_here: bool,
    shown: Progress | None,
    sources: Iterable[Source | Diagnostic],
) -> Generator[Report, None, None]:
    """Yield the reports on the records of sources."""

    def watch(unit: Unit, reports: list[Report], recalled: bool) -> None:
        if shown:
            shown.add(len(reports), sum(not report.valid for report in reports), unit.size, before=recalled)

    with closing(run(cut(sources), work, runner, watcher=watch, small_here=small_here)) as batches:
        for batch in batches:
            yield from batch


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count:,} files"


def _known(file: Path) -> Baseline:
    """Return the findings that a file lists."""
    try:
        return read(file)
    except OSError as error:
        fail(f"{file}: cannot be read: {error.strerror or error}")
    except ValueError as error:
        fail(f"{file}: {error}")


def _outputs(targets: list[str], format: str | None) -> list[tuple[str, Path | None]]:
    """Return which report goes where; None is standard output."""
    found: dict[Path | None, str] = {}
    for target in targets:
        report, says, name = target.partition("=")
        if not says or not report.isalpha():
            report, name = "", target
        elif report not in reporters.names():
            message = f"{report!r} is not one of {', '.join(reporters.names())}; a file of that name is ./{target}"
            raise typer.BadParameter(message, param_hint="-o")
        file = None if name == "-" else Path(name)
        if file in found or not name:
            raise typer.BadParameter(f"{target}: {'twice the same file' if name else 'no file'}", param_hint="-o")
        found[file] = report or format or reporters.by_file_name(name) or "text"
    # Standard output is the outermost: when its reader goes away, no file is blamed for that.
    return sorted(((report, file) for file, report in found.items()), key=lambda output: output[1] is None)


def _recorded(
    judged: Iterable[Report],
    summary: reporters.Summary,
    make: Callable[[TextIO], reporters.Reporter],
    file: Path | None,
) -> Generator[Report, None, None]:
    """Pass reports on while they are recorded in a file or on standard output."""
    with output(file) as out:
        yield from reporters.recorded(judged, summary, make(out))
