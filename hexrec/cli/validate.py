"""`hexrec validate`: validate records and report diagnostics."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from hexrec.cli import DIAGNOSTICS, INPUT, OUTPUT, PROCESSES, flag, option, options, outputs
from hexrec.cli.console import is_quiet, note, refuse, say
from hexrec.cli.inputs import print_skipped
from hexrec.cli.runs import ArchiveRun, Sources, Stage, drain
from hexrec.io.git import ChangedSince
from hexrec.output import report_formats, report_text
from hexrec.parallel.tasks import ValidateTask
from hexrec.rules.terms import pluralize
from hexrec.tools.duplicates import Duplicates
from hexrec.tools.suggestions import Suggester
from hexrec.validation.baseline import Baseline, Baselines
from hexrec.validation.cache import Cache
from hexrec.validation.configuration import Settings
from hexrec.validation.report import Report, Summary

EXAMPLES = (
    ("hexrec validate games/ rated.jsonl.gz", "Validate the records of a directory and of a compressed file."),
    (
        "hexrec validate games/ --lint -o sarif=report.sarif -o text=-",
        "Warn about probable mistakes too; write a SARIF report and a text report.",
    ),
)


@dataclass(eq=False, repr=False)
class ReportOptions:
    """The reports of a run, by the options of the command."""

    format: str | None = options.choice(
        "--format REPORT",
        report_formats.names(),
        "Write the report as {names} [default: by file name, else text].",
        OUTPUT,
    )
    board: bool = flag("--board", "Draw the board before every illegal turn (text report only).", OUTPUT)
    statistics: bool = flag("--statistics", "Count the diagnostics by code (text report only).", OUTPUT)
    targets: list[str] | None = option(
        "-o, --output [REPORT=]FILE", "Write to a file, - is stdout; repeatable.", OUTPUT
    )
    sarif_category: str | None = option(
        "--sarif-category NAME", "Name the SARIF report, among several on one commit.", OUTPUT
    )

    @cached_property
    def outputs(self) -> list[outputs.ReportFile]:
        """The report format and file of each output; None is stdout, which comes last. Raises BadParameter."""
        files = outputs.parse_targets(self.targets or ["-"], self.format)
        names = {report for report, _ in files}
        if self.board and "text" not in names:
            refuse("only the text report draws boards", "--board")
        if self.statistics and "text" not in names:
            refuse("only the text report has statistics", "--statistics")
        if self.sarif_category and "sarif" not in names:
            refuse("only the SARIF report has a category", "--sarif-category")
        return files

    def stages(self, summary: Summary) -> Iterator[Stage]:
        """Yield the stages that write reports to the outputs."""
        for name, file in self.outputs:
            write: Any = report_formats.get(name)
            if name == "text" and self.statistics:
                write = report_text.write_statistics
            elif name == "text":
                write = partial(write, board=self.board, totals=file is not None or not is_quiet())
            elif name == "sarif":
                write = partial(write, category=self.sarif_category)
            yield partial(_write_report, write, file, summary)


def _write_report(
    write: report_formats.ReportWriter, file: Path | None, summary: Summary, reports: Iterable[Report]
) -> Generator[Report, None, None]:
    with outputs.text(file) as out:
        yield from write(reports, summary, out)


@dataclass(eq=False, repr=False)
class BaselineOptions:
    """The known errors of a run, by the options of the command."""

    baseline: Path | None = option("--baseline FILE", "Accept the errors listed in this file.", DIAGNOSTICS)
    write_baseline: Path | None = option(
        "--write-baseline FILE", "List all errors in this file, and accept them.", DIAGNOSTICS
    )

    @property
    def file(self) -> Path | None:
        """The file of either option. Raises BadParameter."""
        if self.baseline and self.write_baseline:
            refuse("give one of --baseline and --write-baseline")
        return self.baseline or self.write_baseline

    def open(self, settings: Settings) -> tuple[Baselines | None, Baseline | None]:
        """Return the baselines to apply, or else the baseline to write. Raises Misconfigured, BadParameter."""
        outputs.format_of_file(self.write_baseline, "json", {"json": outputs.JSON}, hint="--write-baseline")
        if self.write_baseline:
            return None, Baseline(self.write_baseline)
        return Baselines(settings, self.baseline), None


@dataclass(eq=False, repr=False)
class CacheOptions:
    """The cache of a run, by the options of the command."""

    cache: bool = flag("--cache/--no-cache", "Cache reports, and validate only changed files.", PROCESSES)
    cache_folder: Path | None = option(
        "--cache-dir DIR", "Set the directory of the cache [default: the user's cache].", PROCESSES
    )

    def open(self, run: ArchiveRun, replays: int) -> Cache | None:
        """Return the cache, or None without one; `replays` is the limit for suggestions. Raises BadParameter."""
        if not self.cache:
            return None
        if run.selected.needs_hash:
            refuse("the cache has no hashes: select by file and index, or by id", "--cache")
        try:
            return Cache(self.cache_folder, replays=replays)
        except RuntimeError as error:
            refuse(f"{error}: name a directory with --cache-dir", "--cache")


@dataclass(eq=False, repr=False)
class ChangeOptions:
    """The changed files of a run, by the options of the command."""

    since: str | None = option(
        "--since GITREV", "Validate only files changed since a Git revision, or untracked.", INPUT
    )
    changed_first: str | None = option(
        "--changed-first GITREV", "Validate files changed since a Git revision first, then all others.", INPUT
    )

    @cached_property
    def changes(self) -> ChangedSince | None:
        """The changes since the revision of --since."""
        return ChangedSince(self.since) if self.since is not None else None

    def select(self, run: ArchiveRun) -> Sources:
        """Return the changed sources, or all sources in the order of the run. Raises BadParameter."""
        if self.changed_first is None:
            return self.changes.among(run.sources) if self.changes else run.sources
        if self.changes:
            refuse("give one of --since and --changed-first")
        return ChangedSince(self.changed_first, "--changed-first").reorder(run.sources, run.find_again())


def command(
    run: ArchiveRun,
    *,
    changed: ChangeOptions,
    reports: ReportOptions,
    finished: bool | None = option("--finished/--no-finished", "Require a result in every record.", DIAGNOSTICS),
    lint: bool | None = option("--lint/--no-lint", "Warn about probable mistakes and noncanonical forms.", DIAGNOSTICS),
    suggest: int = options.SUGGEST,
    replays: int = options.REPLAYS,
    baselines: BaselineOptions,
    cache: CacheOptions,
    rules: options.RuleOptions,
) -> None:
    """Validate records: syntax, fields, every turn by the rules, the result.

    To write several reports, repeat -o: `-o sarif=a.json -o b.xml -o text=-`.

    Exit code: 0 all valid or accepted, 1 another record is invalid, 2 an input cannot be read.
    """
    selected, selects = run.selected, run.selected.is_active
    settings = rules.settings(run.paths, finished=finished, lint=lint, baseline=baselines.file)
    known, adopted = baselines.open(settings)
    suggester = Suggester(suggest, replays)
    lists = any(name in report_formats.LISTING for name, _ in reports.outputs)
    sources = settings.leave_out_baselines(changed.select(run))
    if known:
        sources = known.note(sources)
    # Reports on clean records are made only to list or select them.
    task = ValidateTask(counts=not (lists or selects), records=selected.needs_hash, cache=cache.open(run, replays))
    summary = run.summary
    streams = any(file is None for _, file in reports.outputs)
    drain(
        run.results(task, sources, streamed=streams, settings=settings, suggester=suggester),
        partial(map, suggester.limit),
        selected.reports if selects else None,
        Duplicates().find,
        partial(map, known.apply) if known else None,
        partial(map, settings.grade),
        partial(map, adopted.add) if adopted else None,
        summary.count,
        *reports.stages(summary),
    )
    if adopted:
        with outputs.text(baselines.write_baseline) as out:
            out.write(adopted.text())
        note(f"diagnostics listed in {baselines.write_baseline}: {adopted.entries.total()}")
    elif known and not selects:
        for message in known.describe_stale():
            note(message)
    for name, file in reports.outputs:
        asked = [finished, lint, suggest, replays, changed.since, repr(rules.rules), str(baselines.baseline)]
        run.finish_part("validate", file, run.describe(report=[name, reports.board], asked=asked))
    for message in summary.notes:
        say(message)
    if suggest and suggester.left_out:
        note(f"{pluralize(suggester.left_out, 'more invalid record')} without suggestions: --suggest N gives more")
    print_skipped(run.discovery)
    if changed.changes is None:
        run.print_unmatched()
    elif changed.changes.unchanged:
        note(f"not changed since {changed.since}: {pluralize(changed.changes.unchanged, 'file')}")
    if summary.cached:
        note(f"reports taken from the cache: {pluralize(summary.cached, 'file')}")
    raise SystemExit(summary.exit_code)
