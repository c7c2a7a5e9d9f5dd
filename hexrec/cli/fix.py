"""`hexrec fix`: write computed results into records, and repair errors."""

from __future__ import annotations

from typing import Annotated

import typer

from hexrec.cli import options
from hexrec.cli.console import echo, echo_diagnostics, say
from hexrec.cli.inputs import Inputs, print_skipped
from hexrec.cli.options import option
from hexrec.render.text import describe_outcome
from hexrec.tools.edit.fixes import Fix, fix_result, make_repairer, select_records
from hexrec.tools.edit.run import EditRun
from hexrec.tools.suggestions import SUGGESTION_LIMITS, SuggestionLimits

EXAMPLES = (
    ("hexrec fix games/", "Write the results of finished games into their records."),
    ("hexrec fix games/ --suggestions --diff", "Print repairs as a diff; change nothing."),
)


def command(
    inputs: Inputs,
    check: options.Check = False,
    diff: options.Diff = False,
    suggestions: Annotated[
        bool, option("--suggestions", "Repair invalid records that have one possible repair.")
    ] = False,
    suggest: options.Suggest = SUGGESTION_LIMITS.records,
    replays: options.Replays = SUGGESTION_LIMITS.replays,
) -> None:
    """Add missing results of finished games and correct wrong ones, in place.

    With --suggestions, repair illegal turns and misspelled keys too if only one repair is possible, and print the other
    repairs. Review each repair. Nothing else in a file changes. Records that cannot be replayed are reported and
    skipped, and so are records of unfinished games that claim an end by the rules. With -, stdin is written to stdout.

    Exit code: 0 all valid, 1 a record is left invalid or, with --check, a file would change, 2 a file cannot be read or
    written.
    """
    dry = check or diff
    fixer = make_repairer(SuggestionLimits(suggest, replays)) if suggestions else fix_result
    run = EditRun(
        say,
        echo_diagnostics,
        select_records(fixer, inputs.selected),
        "fixed",
        "left invalid",
        dry,
        diff,
        canonical=False,
        describe=_describe,
        follow_links=inputs.follow_links,
    )
    for discovery in run.over(inputs.paths, inputs.source_format):
        print_skipped(discovery)
    inputs.print_unmatched()
    echo(run.summary.line(dry=dry))
    raise typer.Exit(run.exit_code or (1 if check and run.changed else 0))


def _describe(fix: Fix) -> str:
    return f"{fix.summary}: {describe_outcome(fix.outcome)}" if fix.outcome else fix.summary
