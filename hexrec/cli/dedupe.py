"""`hexrec dedupe`: write each game once and report duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from hexrec.cli import OUTPUT, option, options, outputs
from hexrec.cli.console import echo_diagnostics, echo_totals
from hexrec.cli.inputs import Inputs
from hexrec.cli.runs import Work, gather
from hexrec.io.discovery import STANDARD_INPUT, format_of
from hexrec.output import to_text
from hexrec.parallel.chunks import split
from hexrec.parallel.tasks import DedupeTask
from hexrec.tools.convert import Conversion
from hexrec.tools.dedupe import Candidate, Duplicate, unique
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
    to = to or (format_of(target) if target else None)
    if check and target:
        raise typer.BadParameter("--check writes no records", param_hint="-o")
    if not check and to is None:
        raise typer.BadParameter("unknown output format: name it", param_hint="--to")
    if target and target.is_dir():
        raise typer.BadParameter(f"{target} is a directory: name a file", param_hint="-o")
    if target and report and target.resolve() == report.resolve():
        raise typer.BadParameter(f"{report}: the same file twice", param_hint="--report")
    summary = Summary(selective=inputs.selected.is_active)
    counts: Counter[bool] = Counter()
    done = "would be dropped" if check else "dropped"
    if not force:
        outputs.refuse_existing(target)
    conversion = None if check or to is None else Conversion(to, invalid=not validate)
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
        outputs.text(report) if report else nullcontext() as lines,
    ):

        def log(duplicate: Duplicate) -> None:
            counts[duplicate.dropped] += 1
            if lines:
                lines.write(to_text(_entry(duplicate)) + "\n")
            else:
                place = f"{duplicate.file or STANDARD_INPUT}: record {duplicate.record}"
                echo_totals(f"{place}: {done if duplicate.dropped else 'kept'}: {duplicate.statement}")

        def candidates() -> Iterator[Candidate]:
            for candidate in gather(batches, advance, summary):
                if inputs.selected.selects(candidate.report, candidate.game_hash):
                    summary.add_report(candidate.report, valid=candidate.report.valid)
                    yield candidate

        kept = unique(
            candidates(),
            log,
            mirrored=mirrored == "drop",
            prefixes=prefixes == "drop",
            hold=prefixes == "drop" and not check,
        )
        written = 0
        if conversion is None:
            for converted in kept:
                echo_diagnostics(*converted.report.diagnostics)
        else:
            joined = outputs.print_diagnostics(conversion.join_converted(kept), summary)
            written = outputs.join(joined, target)
    dropped = counts[True]
    wrong = dropped if check else summary.records - written - dropped
    totals = f"{written} of {summary.records} records written, {dropped} dropped, {wrong} left out"
    totals = f"{totals}; {counts[False]} reported and kept"
    echo_totals(f"{dropped} of {summary.records} records would be dropped" if check else totals)
    inputs.print_notes()
    raise typer.Exit(summary.exit_code or (1 if wrong else 0))


def _entry(duplicate: Duplicate) -> dict[str, Any]:
    return {
        "file": duplicate.file,
        "record": duplicate.record,
        "kind": "beginning" if duplicate.prefix else "same",
        "mirrored": duplicate.mirrored,
        "dropped": duplicate.dropped,
        "of": {"file": duplicate.other_file, "record": duplicate.other_record},
    }
