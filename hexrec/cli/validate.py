"""`hexrec validate`: replay every record and report its errors."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from hexrec import reporters
from hexrec.batch.chunks import split
from hexrec.batch.run import run
from hexrec.batch.tasks import ValidateTask
from hexrec.cli import inputs, options, outputs, runs
from hexrec.cli.console import fail, or_fail, say
from hexrec.cli.help import DIAGNOSTICS, INPUT, OUTPUT, PROCESSES
from hexrec.dedup.duplicates import Duplicates
from hexrec.diagnostics import Diagnostic
from hexrec.files.discovery import Discovery, Source
from hexrec.files.git import ChangedSince, GitError
from hexrec.reporters import text
from hexrec.settings import baseline as baselines
from hexrec.settings.configuration import Settings
from hexrec.summary import Summary, counted
from hexrec.validation import Report
from hexrec.validation.cache import Cache
from hexrec.validation.lint import Lint

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
            "--format",
            "REPORT",
            reporters.names(),
            "The report: {names}; by default chosen by the output file's name, else text.",
            OUTPUT,
        ),
    ] = None,
    finished: Annotated[
        bool | None,
        typer.Option(
            "--finished/--no-finished",
            help="Require every record to have a result.",
            rich_help_panel=DIAGNOSTICS,
        ),
    ] = None,
    lint: Annotated[
        bool | None,
        typer.Option(
            "--lint/--no-lint",
            help="Warn about what is valid but probably unintended or not in the usual form.",
            rich_help_panel=DIAGNOSTICS,
        ),
    ] = None,
    board: Annotated[
        bool,
        typer.Option(
            "--board",
            help="Draw the board before every illegal turn (text report only).",
            rich_help_panel=OUTPUT,
        ),
    ] = False,
    notation: options.From = None,
    follow_links: options.FollowLinks = False,
    targets: Annotated[
        list[str] | None,
        typer.Option(
            "-o",
            "--output",
            metavar="[REPORT=]FILE",
            help="Write to a file instead of standard output; it appears whole or not at all. May be given several "
            "times, with a report each: -o sarif=a.json -o b.xml -o text=- (- is standard output).",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    warn: options.Warn = None,
    no_config: options.NoConfig = False,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="GITREV",
            help="Check only files that differ from a revision of their git repository or are untracked.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    cache: Annotated[
        bool,
        typer.Option(
            "--cache/--no-cache",
            help="Cache verdicts, and check only files that have changed since.",
            rich_help_panel=PROCESSES,
        ),
    ] = False,
    cache_folder: Annotated[
        Path | None,
        typer.Option(
            "--cache-dir",
            metavar="DIR",
            help="The folder for the cache, instead of the user's; it may be deleted at any time.",
            rich_help_panel=PROCESSES,
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(
            "--baseline",
            metavar="FILE",
            help="Ignore the diagnostics listed in this file.",
            rich_help_panel=DIAGNOSTICS,
        ),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(
            "--write-baseline",
            metavar="FILE",
            help="List all diagnostics in this file instead of reporting them.",
            rich_help_panel=DIAGNOSTICS,
        ),
    ] = None,
    jobs: options.Jobs = None,
    chunk_timeout: options.ChunkTimeout = None,
    quiet: options.Quiet = False,
) -> None:
    """Check records: syntax, fields, every turn by the rules, the result.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    rules = options.rules(select, ignore, warn)
    settings = Settings(rules, finished=finished, lint=lint, files=not no_config, follow_links=follow_links)
    if baseline and write_baseline:
        raise typer.BadParameter("give one of --baseline and --write-baseline")
    validation = _Validation(
        paths=paths,
        discovery=Discovery(paths, notation, follow_links=follow_links),
        settings=options.checked(settings, paths),
        baseline=baseline,
        known=_known(baseline) if baseline else None,
        new_baseline=write_baseline,
        since=since,
        cache=Cache(cache_folder, partial(_demands, settings)) if cache else None,
        outputs=_outputs(targets or ["-"], format),
        board=board,
        runner=runs.runner(jobs, chunk_timeout),
        small_here=jobs is None or cache,  # the cache has each file judged by itself
        quiet=quiet,
    )
    validation.run()
    validation.say_what_was_passed_over()
    raise typer.Exit(validation.summary.exit_code)


@dataclass(kw_only=True)
class _Validation:
    """A run of the command: what its options come to. Outputs are names of reporters and files, or None for stdout.

    `known` is what the file `baseline` lists; `new_baseline` is the file that is to list all diagnostics.
    """

    paths: list[str]
    discovery: Discovery
    settings: Settings
    baseline: Path | None
    known: baselines.Baseline | None
    new_baseline: Path | None
    since: str | None
    cache: Cache | None
    outputs: list[tuple[str, Path | None]]
    board: bool
    runner: runs.MakeRunner | None
    small_here: bool
    quiet: bool
    summary: Summary = field(default_factory=Summary)

    def __post_init__(self) -> None:
        if self.board and all(name != "text" for name, _ in self.outputs):
            raise typer.BadParameter("only the text report draws boards", param_hint="--board")
        self._task = ValidateTask(lint=Lint())
        self._changes = ChangedSince(self.since) if self.since is not None else None
        self._adopted = baselines.Baseline(self.new_baseline) if self.new_baseline else None

    def run(self) -> None:
        """Judge the records and write all outputs."""
        streamed = any(file is None for _, file in self.outputs)
        try:
            with ExitStack() as opened:
                opened.enter_context(runs.unbroken())
                self._progress = opened.enter_context(runs.progress(self.paths, self.quiet, streamed))
                judged = self._counting(opened.enter_context(closing(self._judged())))
                for name, file in self.outputs:
                    judged = opened.enter_context(closing(self._recorded(judged, name, file)))
                for _ in judged:
                    pass
        except GitError as error:
            fail(str(error))
        if self._adopted:
            with outputs.text(self.new_baseline) as out:
                out.write(self._adopted.text())
            say(f"diagnostics listed in {self.new_baseline}: {self._adopted.entries.total()}")

    def say_what_was_passed_over(self) -> None:
        """Say what the outputs do not show: known diagnostics that are gone, files not read or not judged again."""
        for entry in self.known.gone() if self.known else ():
            say(f"{self.baseline}: no longer found: {entry}")
        inputs.say_skipped(self.discovery)
        if self._changes and self._changes.unchanged:
            say(f"not changed since {self.since}: {counted(self._changes.unchanged, 'file')}")
        if self.cache and self.cache.disabled_reason:
            say(f"reports are not cached: {self.cache.disabled_reason}")
        if self.cache and self.cache.hits:
            say(f"reports taken from the cache: {counted(self.cache.hits, 'file')}")

    def _judged(self) -> Generator[Report, None, None]:
        """Return the reports on all records, from the cache where it has them."""
        sources = self._changes.among(self.discovery) if self._changes else self.discovery
        return self.cache.reports(sources, self._judge) if self.cache else self._judge(sources)

    def _judge(self, sources: Iterable[Source | Diagnostic]) -> Generator[Report, None, None]:
        """Yield the reports on the records of sources."""
        found = run(
            split(sources, settings=self.settings),
            self._task,
            self.runner,
            small_here=self.small_here,
        )
        with closing(found) as batches:
            for batch in batches:
                records, errors = 0, 0
                for report in batch.gathered:
                    records += 1
                    errors += not report.valid
                    yield report
                if self._progress:
                    self._progress.add(records, errors, batch.chunk.size)

    def _counting(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Return the reports with the diagnostics that count, which are summed up on the way."""
        reports = Duplicates().find(reports)
        if self.known:
            reports = self.known.apply(reports)
        reports = map(self.settings.grade, reports)
        return self.summary.count(self._adopted.add(reports) if self._adopted else reports)

    def _recorded(self, reports: Iterable[Report], name: str, file: Path | None) -> Generator[Report, None, None]:
        """Pass reports on while a reporter writes them to a file or to standard output."""
        reporter = partial(text.TextReporter, board=True) if self.board and name == "text" else reporters.get(name)
        with outputs.text(file) as out:
            yield from reporters.recorded(reports, self.summary, reporter(out))


def _demands(settings: Settings, file: str) -> tuple[bool, bool]:
    """Return what the verdicts on a file depend on."""
    found = settings.find(file)
    return found.finished, found.lint


def _known(file: Path) -> baselines.Baseline:
    """Return the diagnostics that a file lists."""
    try:
        with or_fail(file, "read"):
            return baselines.read(file)
    except ValueError as error:
        fail(f"{file}: {error}")


def _outputs(targets: list[str], format: str | None) -> list[tuple[str, Path | None]]:
    """Return which reporter writes where; None is standard output."""
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
            raise typer.BadParameter(f"{target}: {'the same file twice' if name else 'no file'}", param_hint="-o")
        found[file] = report or format or reporters.by_file_name(name) or "text"
    # Standard output is the outermost: when its reader goes away, no file is blamed for that.
    return sorted(((report, file) for file, report in found.items()), key=lambda output: output[1] is None)
