"""`hexrec fmt`: every record in its canonical form, in place."""

from __future__ import annotations

from operator import attrgetter

import typer

from hexrec.cli import inputs, options
from hexrec.cli.console import echo, echo_diagnostics, say
from hexrec.tools.edit.fixes import formatted, selecting
from hexrec.tools.edit.run import LEFT, EditRun

EXAMPLES = (
    ("hexrec fmt games/", "Write all records of a folder in canonical form."),
    ("hexrec fmt games/ --check --diff", "Change nothing; say what would change, and fail if anything would."),
)


def command(
    paths: options.Paths,
    check: options.Check = False,
    diff: options.Diff = False,
    format: options.From = None,
    follow_links: options.FollowLinks = False,
    keep: options.Keep = None,
    drop: options.Drop = None,
) -> None:
    """Write records in their canonical form, in place. Comments and layout of YAML files are kept.

    Standard input is written to standard output. A record that cannot be read is reported and stays as it is.

    Exit code: 0 all good, 1 a record cannot be read or, with --check, a file would change, 2 a file could not be read
    or written at all.
    """
    selected = inputs.record_filter(keep, drop)
    dry = check or diff
    run = EditRun(
        say,
        echo_diagnostics,
        attrgetter("format"),
        selecting(formatted, selected),
        "formatted",
        LEFT,
        dry,
        diff,
        follow_links=follow_links,
    )
    for discovery in run.over(paths, format):
        inputs.say_skipped(discovery)
    for name in run.changed:
        say(f"{'would change' if dry else 'changed'}: {name}")
    inputs.say_unmatched(selected)
    echo(run.summary.line(dry=dry))
    raise typer.Exit(run.exit_code or (1 if check and run.changed else 0))
