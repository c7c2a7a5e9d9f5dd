"""`hexrec dedupe`: write each game once and report duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import OUTPUT, option, options, outputs
from hexrec.cli.console import echo_diagnostics, echo_totals
from hexrec.cli.inputs import Inputs
from hexrec.cli.runs import Work, gather
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output import to_text
from hexrec.parallel.chunks import split
from hexrec.parallel.tasks import DedupeTask
from hexrec.tools.convert import Conversion
from hexrec.tools.dedupe import UNREAD, VALID, Candidate, Duplicate, SortedGames
from hexrec.tools.record_filter import RecordFilter
from hexrec.validation.report import Summary

EXAMPLES = (
    ("hexrec dedupe games/ -o once.jsonl", "Write each game once."),
    ("hexrec dedupe games/ --mirrored drop --check", "Count duplicates, rotated and mirrored games included."),
)
_ACTIONS = ("report", "drop", "ignore")


def command(
    inputs: Inputs,
    *,
    to: options.To = None,
    target: options.Output = None,
    mirrored: Annotated[
        str, options.choice("--mirrored HOW", _ACTIONS, "{names} games that are rotated or mirrored.")
    ] = "report",
    prefixes: Annotated[
        str, options.choice("--prefixes HOW", _ACTIONS, "{names} beginnings of other games.")
    ] = "report",
    report: Annotated[
        Path | None, option("--report FILE", "Write the duplicates to a file as JSON Lines.", OUTPUT)
    ] = None,
    check: Annotated[bool, option("--check", "Write no records; exit with 1 if any would be dropped.", OUTPUT)] = False,
    validate: options.LeaveOutInvalid = True,
    force: options.Force = False,
    work: Work,
) -> None:
    """Write the first record of each game and report the duplicates.

    Games are the same if game, rules, board, opening and all turns are. A game that is the beginning of another is
    dropped only with `--prefixes drop` and if its record has no result.

    Exit code: 0 all written or dropped, 1 a record is skipped or invalid, or would be dropped (--check), 2 an input
    cannot be read.
    """
    if check and target:
        raise typer.BadParameter("--check writes no records", param_hint="-o")
    if target and target.is_dir():
        raise typer.BadParameter(f"{target} is a directory: name a file", param_hint="-o")
    outputs.format_of_file(report, "jsonl", {"jsonl": outputs.JSON_LINES}, hint="--report")
    if target and report and target.resolve() == report.resolve():
        raise typer.BadParameter(f"{report}: the same file twice", param_hint="--report")
    summary = Summary(selective=inputs.selected.is_active)
    counts: Counter[bool] = Counter()
    done = "would be dropped" if check else "dropped"
    if not force:
        outputs.refuse_existing(target)
    conversion = None if check else Conversion(outputs.record_format(target, to), invalid=not validate)
    task = DedupeTask(
        conversion,
        invalid=not validate,
        mirrored=mirrored != "ignore",
        prefixes=prefixes != "ignore",
        hashes=inputs.selected.needs_hash,
    )
    with (
        work.progress(inputs.paths, streamed=target is None) as advance,
        closing(work.run(split(inputs.discovery), task)) as batches,
        closing(SortedGames(mirrored=mirrored == "drop", prefixes=prefixes == "drop")) as games,
        outputs.text(report) if report else nullcontext() as lines,
    ):

        def log(duplicate: Duplicate) -> None:
            counts[duplicate.dropped] += 1
            if lines:
                lines.write(_entry(duplicate))
            else:
                place = f"{duplicate.file or STANDARD_INPUT}: record {duplicate.record}"
                echo_totals(f"{place}: {done if duplicate.dropped else 'kept'}: {duplicate.statement}")

        for candidate in gather(batches, advance, summary):
            if _count(candidate, inputs.selected, summary):
                games.add(candidate)

        def texts() -> Iterator[str]:
            for text, about in games.decide(log):
                if about is not None:
                    echo_diagnostics(*about.diagnostics)
                    summary.failed += about.failed
                if text is not None:
                    yield text

        written = outputs.join_texts(map(conversion.joiner(), texts()), target) if conversion else len([*texts()])
    dropped = counts[True]
    wrong = dropped if check else summary.records - written - dropped
    totals = f"{written} of {summary.records} records written, {dropped} dropped, {wrong} left out"
    totals = f"{totals}; {counts[False]} reported and kept"
    echo_totals(f"{dropped} of {summary.records} records would be dropped" if check else totals)
    inputs.print_notes()
    raise typer.Exit(summary.exit_code or (1 if wrong else 0))


def _count(candidate: Candidate, selected: RecordFilter, summary: Summary) -> bool:
    """Add a record to the totals. Return whether it is selected; an input that cannot be read always is."""
    if candidate.state == UNREAD:
        summary.unreadable += 1
        return True
    if selected.is_active and not selected.selects_place(*candidate[:4]):
        return False
    summary.add(candidate.record, candidate.plies, valid=candidate.state == VALID, file=candidate.file)
    return True


#: Returns a string as JSON. Most records of an archive are in the same few files.
_quote = lru_cache(maxsize=1024)(to_text)


def _entry(duplicate: Duplicate) -> str:
    """Return the line of a duplicate in a report."""
    mirrored, dropped = ("true" if flag else "false" for flag in (duplicate.mirrored, duplicate.dropped))
    return (
        f'{{"file": {_quote(duplicate.file)}, "record": {duplicate.record}, '
        f'"kind": "{"beginning" if duplicate.prefix else "same"}", "mirrored": {mirrored}, "dropped": {dropped}, '
        f'"of": {{"file": {_quote(duplicate.other_file)}, "record": {duplicate.other_record}}}}}\n'
    )
