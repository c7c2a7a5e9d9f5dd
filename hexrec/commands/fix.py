"""`hexrec fix`: the result that the replay gives, written into the records."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from hexrec.commands.console import say
from hexrec.commands.mending import Run
from hexrec.commands.shared import FollowLinks, From, Paths
from hexrec.escaping import visible_name
from hexrec.formats.documents import Document
from hexrec.reports.board import describe_outcome
from hexrec.validation.mending import Mended, corrected


def command(
    paths: Paths,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing; print what would change.")] = False,
    notation: From = None,
    follow_links: FollowLinks = False,
) -> None:
    """Add the result to records of finished games, and correct it where it is wrong, in place.

    Nothing else of a file changes. A record that cannot be replayed is reported and stays as it is, and so is one that
    says that the rules ended a game which goes on. Standard input is written to standard output.

    Exit code: 0 all good, 1 a record is left invalid, 2 a file could not be read or written at all.
    """
    done: Counter[str] = Counter()

    def mend(document: Document, file: str, index: int) -> Mended:
        mended = corrected(document, file, index)
        if mended.outcome is not None:
            done[mended.done] += 1
            place = f"{visible_name(file)}:{mended.line}: record {index}"
            say(f"{place}: {mended.done}: {describe_outcome(mended.outcome)}")
        return mended

    run = Run(lambda editor: editor.amend, mend, write=not dry_run, diff=dry_run)
    run.over(paths, notation, follow_links=follow_links)
    sums = {"records": run.records, "files": run.files, **done, "left invalid": run.broken}
    say(("nothing written; " if dry_run else "") + ", ".join(f"{name}: {number}" for name, number in sums.items()))
    raise typer.Exit(run.exit_code)
