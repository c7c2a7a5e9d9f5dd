"""`hexrec fix`: complete results, and repair errors."""

from __future__ import annotations

from functools import partial

from hexrec.cli import flag, options
from hexrec.cli.console import note
from hexrec.cli.edits import EditRun
from hexrec.rules.terms import pluralize
from hexrec.tools.edit.fixes import fix_result, repair_record
from hexrec.tools.suggestions import Suggester

EXAMPLES = (
    ("hexrec fix games/", "Write the results of finished games into their records."),
    ("hexrec fix games/ --suggestions --diff", "Print repairs as a diff; change nothing."),
)


def command(
    run: EditRun,
    replace_results: bool = flag("--replace-results", "Replace recorded results that the replay contradicts."),
    suggestions: bool = flag("--suggestions", "Repair invalid records that have one clear repair."),
    suggest: int = options.SUGGEST,
    replays: int = options.REPLAYS,
) -> None:
    """Add missing results of finished games, and missing winners and scores, in place.

    A recorded winner, score or termination is replaced only with --replace-results; each old and new value is printed.
    With --suggestions, repair illegal turns and wrong values too if a repair is clearly the best, and print the
    other repairs of the first invalid records. Review each repair. Nothing else in a file changes. Records that cannot
    be replayed are reported and skipped, and so are records of unfinished games that claim an end by the rules. With -,
    stdin is written to stdout.

    Exit code: 0 all valid, 1 a record is left invalid or, with --check, a file would change, 2 a file cannot be read or
    written.
    """
    suggester = Suggester(suggest, replays)
    fixer = partial(repair_record, suggester) if suggestions else fix_result
    run.edit(partial(fixer, replace_results=replace_results), verb="fixed", failing="left invalid")
    if suggest and suggester.left_out:
        note(f"{pluralize(suggester.left_out, 'more invalid record')} without suggestions: --suggest N gives more")
    run.finish()
