"""`hexrec dedupe`: write each game once and report duplicates."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import typer

from hexrec.cli import OUTPUT, option, options, outputs
from hexrec.cli.console import echo, echo_diagnostics
from hexrec.cli.inputs import Inputs
from hexrec.cli.runs import mention_interpreted
from hexrec.io.discovery import STANDARD_INPUT, format_of
from hexrec.output import to_text
from hexrec.tools.convert import Conversion
from hexrec.tools.dedupe import Duplicate, unique
from hexrec.validation.report import Summary

EXAMPLES = (
    ("hexrec dedupe games/ -o once.jsonl", "Write each game once."),
    ("hexrec dedupe games/ --mirrored --check", "Count duplicates, rotated and mirrored games included."),
)


def command(
    inputs: Inputs,
    to: options.To = None,
    target: options.Output = None,
    mirrored: Annotated[bool, option("--mirrored", "Drop rotated and mirrored games too.")] = False,
    prefixes: Annotated[
        str,
        options.choice(
            "--prefixes HOW", ("report", "drop", "ignore"), "Report, drop or ignore beginnings of other games."
        ),
    ] = "report",
    report: Annotated[
        Path | None, option("--report FILE", "Write the duplicates to a file as JSON Lines.", OUTPUT)
    ] = None,
    check: Annotated[bool, option("--check", "Write no records; exit with 1 if any would be dropped.", OUTPUT)] = False,
    validate: options.LeaveOutInvalid = True,
    force: options.Force = False,
) -> None:
    """Write the first record of each game and report the duplicates.

    Games are the same if game, rules, board, opening and all turns are. A game that is the beginning of another is
    dropped only with `--prefixes drop` and if its record has no result; all input is read twice then.

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
    if prefixes == "drop" and not check and STANDARD_INPUT in inputs.paths:
        raise typer.BadParameter("stdin cannot be read twice: name a file", param_hint="--prefixes drop")
    summary = Summary(selective=inputs.selected.is_active)
    counts: Counter[bool] = Counter()
    done = "would be dropped" if check else "dropped"
    if not force:
        outputs.refuse_existing(target)
    with outputs.text(report) if report else nullcontext() as lines:

        def log(duplicate: Duplicate) -> None:
            counts[duplicate.dropped] += 1
            if lines:
                lines.write(to_text(_entry(duplicate)) + "\n")
            else:
                place = f"{duplicate.file or STANDARD_INPUT}: record {duplicate.record}"
                echo(f"{place}: {done if duplicate.dropped else 'kept'}: {duplicate.statement}")

        reports = unique(
            inputs.discovery,
            log,
            summary,
            mirrored=mirrored,
            invalid=not validate,
            prefixes=prefixes,
            check=check,
            select=inputs.selected.reports,
        )
        reports = mention_interpreted(reports)
        written = 0
        if check or to is None:
            for unique_report in reports:
                echo_diagnostics(*unique_report.diagnostics)
        else:
            converted = outputs.print_diagnostics(Conversion(to, invalid=not validate).join(reports), summary)
            written = outputs.join(converted, target)
    dropped = counts[True]
    if check:
        echo(f"{dropped} of {summary.records} records would be dropped")
        wrong = dropped
    else:
        wrong = summary.records - written - dropped
        sums = f"{written} of {summary.records} records written, {dropped} dropped, {wrong} left out"
        echo(f"{sums}; {counts[False]} reported and kept")
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
