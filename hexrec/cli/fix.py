"""`hexrec fix`: the result that the replay gives, written into the records."""

from __future__ import annotations

from operator import attrgetter
from typing import Annotated

import typer

from hexrec.cli import inputs, options
from hexrec.cli.console import echo, echo_diagnostics, say
from hexrec.cli.options import option
from hexrec.render.text import describe_outcome
from hexrec.tools.edit.fixes import Fix, fixed, repairing, selecting
from hexrec.tools.edit.run import EditRun
from hexrec.tools.suggestions import SUGGESTION_LIMITS, SuggestionLimits

EXAMPLES = (
    ("hexrec fix games/", "Write the results of finished games into their records."),
    ("hexrec fix games/ --suggestions --diff", "Print what would be repaired; change nothing."),
)


def command(
    paths: options.Paths,
    check: options.Check = False,
    diff: options.Diff = False,
    format: options.From = None,
    follow_links: options.FollowLinks = False,
    keep: options.Keep = None,
    drop: options.Drop = None,
    suggestions: Annotated[
        bool,
        option(
            "--suggestions", "Also make the repair of an invalid record if only one makes it valid; print the others."
        ),
    ] = False,
    suggest: options.Suggest = SUGGESTION_LIMITS.records,
    replays: options.Replays = SUGGESTION_LIMITS.replays,
) -> None:
    """Add the result to records of finished games, and correct it where it is wrong, in place.

    With --suggestions, repair illegal turns and misspelled keys too: check what is said of each.
    Nothing else in a file changes. A record that cannot be replayed is reported and stays as it is, and so does one
    that says that the rules ended a game which is not over. Standard input is written to standard output.

    Exit code: 0 all good, 1 a record is left invalid or, with --check, a file would change, 2 a file could not be read
    or written at all.
    """
    selected = inputs.record_filter(keep, drop)
    dry = check or diff
    fixer = repairing(SuggestionLimits(suggest, replays)) if suggestions else fixed
    run = EditRun(
        say,
        echo_diagnostics,
        attrgetter("patch"),
        selecting(fixer, selected),
        "fixed",
        "left invalid",
        dry,
        diff,
        _describe,
        follow_links,
    )
    for discovery in run.over(paths, format):
        inputs.say_skipped(discovery)
    inputs.say_unmatched(selected)
    echo(run.summary.line(dry=dry))
    raise typer.Exit(run.exit_code or (1 if check and run.changed else 0))


def _describe(fix: Fix) -> str:
    return f"{fix.summary}: {describe_outcome(fix.outcome)}" if fix.outcome else fix.summary
