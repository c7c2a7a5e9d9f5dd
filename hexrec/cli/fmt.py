"""`hexrec fmt`: write records in their canonical form, in place."""

from __future__ import annotations

import typer

from hexrec.cli import options
from hexrec.cli.console import echo, echo_diagnostics, say
from hexrec.cli.inputs import Inputs, print_skipped
from hexrec.tools.edit.fixes import format_record, select_records
from hexrec.tools.edit.run import LEFT, EditRun

EXAMPLES = (
    ("hexrec fmt games/", "Format all records of a directory."),
    ("hexrec fmt games/ --check --diff", "Print changes as a diff; exit with 1 if there are any."),
)


def command(inputs: Inputs, check: options.Check = False, diff: options.Diff = False) -> None:
    """Write records in their canonical form, in place. Comments and layout of YAML files are preserved.

    Records that cannot be read are reported and skipped. With -, stdin is written to stdout.

    Exit code: 0 all formatted, 1 a record cannot be read or, with --check, a file would change, 2 a file cannot be read
    or written.
    """
    dry = check or diff
    run = EditRun(
        say,
        echo_diagnostics,
        select_records(format_record, inputs.selected),
        "formatted",
        LEFT,
        dry,
        diff,
        canonical=True,
        follow_links=inputs.follow_links,
    )
    for discovery in run.over(inputs.paths, inputs.source_format):
        print_skipped(discovery)
    for name in run.changed:
        say(f"{'would change' if dry else 'changed'}: {name}")
    inputs.print_unmatched()
    echo(run.summary.line(dry=dry))
    raise typer.Exit(run.exit_code or (1 if check and run.changed else 0))
