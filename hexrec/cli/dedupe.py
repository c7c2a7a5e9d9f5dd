"""`hexrec dedupe`: write each game once and report duplicates."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

from hexrec.cli import OUTPUT, flag, option, options, outputs
from hexrec.cli.console import echo_totals, refuse
from hexrec.cli.parts import DividedRun
from hexrec.output import to_text
from hexrec.parallel.tasks import FunctionTask
from hexrec.tools.convert import Conversion
from hexrec.tools.dedupe import UNREAD, VALID, Candidate, SortedGames, make_candidate
from hexrec.tools.record_filter import RecordFilter
from hexrec.validation.report import Summary

EXAMPLES = (
    ("hexrec dedupe games/ -o once.jsonl", "Write each game once."),
    ("hexrec dedupe games/ --mirrored drop --check", "Count duplicates, rotated and mirrored games included."),
)
_ACTIONS = ("report", "drop", "ignore")


def command(
    run: DividedRun,
    *,
    to: str | None = options.TO,
    target: Path | None = options.TARGET,
    mirrored: str = options.choice(
        "--mirrored HOW", _ACTIONS, "{names} games that are rotated or mirrored.", default="report"
    ),
    prefixes: str = options.choice("--prefixes HOW", _ACTIONS, "{names} beginnings of other games.", default="report"),
    report: Path | None = option("--report FILE", "Write the duplicates to a file as JSON Lines.", OUTPUT),
    check: bool = flag("--check", "Write no records; exit with 1 if any would be dropped.", OUTPUT),
    validate: bool = options.VALIDATE,
    force: bool = options.FORCE,
) -> None:
    """Write the first record of each game and report the duplicates.

    Games are the same if game, rules, board, opening and all turns are. A game that is the beginning of another is
    dropped only with `--prefixes drop` and if its record has no result.

    Exit code: 0 all written or dropped, 1 a record is skipped or invalid, or would be dropped (--check), 2 an input
    cannot be read.
    """
    if check and target:
        refuse("--check writes no records", "-o")
    divided = bool(run.shard or run.dask)
    if divided:
        if check or report:
            refuse("duplicates are known when the parts are merged", "--check, --report")
        if target is None:
            refuse("give -o for the parts", "--shard, --dask")
        to = to or "jsonl"
        if not run.dask:
            outputs.format_of_file(target, "jsonl", {"jsonl": outputs.JSON_LINES})
    elif target and target.is_dir():
        refuse(f"{target} is a directory: name a file", "-o")
    outputs.format_of_file(report, "jsonl", {"jsonl": outputs.JSON_LINES}, hint="--report")
    if target and report and target.resolve() == report.resolve():
        refuse(f"{report}: the same file twice", "--report")
    outputs.refuse_existing(target, force=force or divided)
    conversion = None
    if not check:
        conversion = Conversion(outputs.record_format(None if divided else target, to), invalid=not validate)
    make = partial(
        make_candidate,
        conversion,
        invalid=not validate,
        mirrored=mirrored != "ignore",
        prefixes=prefixes != "ignore",
        hashes=run.selected.needs_hash,
    )
    about = run.describe(to=to, invalid=not validate, mirrored=mirrored, prefixes=prefixes)
    run.use_cluster("dedupe", target, ".jsonl", about)
    summary = run.summary
    with closing(run.results(FunctionTask(make), streamed=target is None)) as found:
        candidates = (candidate for candidate in found if _count(candidate, run.selected, summary))
        if run.shard:
            with outputs.text(target) as out:
                out.writelines(f"{to_text(candidate.pack())}\n" for candidate in candidates)
        else:
            games = SortedGames(mirrored=mirrored == "drop", prefixes=prefixes == "drop")
            code = outputs.write_unique(games, candidates, conversion, target, report, summary)
    if not run.shard:
        run.end(code=code)
    run.finish_part("dedupe", target, about)
    echo_totals(*summary.lines())
    raise SystemExit(summary.exit_code)


def _count(candidate: Candidate, selected: RecordFilter, summary: Summary) -> bool:
    """Add a record to the totals. Return whether it is selected; an input that cannot be read always is."""
    if candidate.state == UNREAD:
        summary.unreadable += 1
        return True
    if selected.is_active and not selected.selects_place(*candidate[:4]):
        return False
    summary.add(candidate.record, candidate.plies, valid=candidate.state == VALID, file=candidate.file)
    return True
