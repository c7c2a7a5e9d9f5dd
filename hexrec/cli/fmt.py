"""`hexrec fmt`: write records in their canonical form, in place."""

from __future__ import annotations

from hexrec.cli.edits import LEFT, EditRun
from hexrec.tools.edit.fixes import format_record

EXAMPLES = (
    ("hexrec fmt games/", "Format all records of a directory."),
    ("hexrec fmt games/ --check --diff", "Print changes as a diff; exit with 1 if there are any."),
)


def command(run: EditRun) -> None:
    """Write records in their canonical form, in place. Comments and layout of YAML files are preserved.

    Records that cannot be read are reported and skipped. With -, stdin is written to stdout.

    Exit code: 0 all formatted, 1 a record cannot be read or, with --check, a file would change, 2 a file cannot be read
    or written.
    """
    run.edit(format_record, verb="formatted", failing=LEFT, canonical=True)
    run.finish()
