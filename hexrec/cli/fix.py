"""`hexrec fix`: write computed results into records, and repair errors."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from hexrec.cli import option, options
from hexrec.cli.edits import EditRun
from hexrec.cli.inputs import Inputs
from hexrec.tools.edit.fixes import fix_result, repair_record
from hexrec.tools.suggestions import MAX_REPLAYS, MAX_SUGGESTED, Suggester

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
    suggest: options.Suggest = MAX_SUGGESTED,
    replays: options.Replays = MAX_REPLAYS,
) -> None:
    """Add missing results of finished games and correct wrong ones, in place.

    With --suggestions, repair illegal turns and misspelled keys too if only one repair is possible, and print the other
    repairs. Review each repair. Nothing else in a file changes. Records that cannot be replayed are reported and
    skipped, and so are records of unfinished games that claim an end by the rules. With -, stdin is written to stdout.

    Exit code: 0 all valid, 1 a record is left invalid or, with --check, a file would change, 2 a file cannot be read or
    written.
    """
    fixer = partial(repair_record, Suggester(suggest, replays)) if suggestions else fix_result
    run = EditRun(inputs, fixer, verb="fixed", failing="left invalid", check=check, diff=diff, canonical=False)
    run.run()
