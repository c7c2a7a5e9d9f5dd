"""`hexrec hash`: print the game hash of each record."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

from hexrec.cli import flag, options, outputs
from hexrec.cli.console import refuse
from hexrec.cli.inputs import place
from hexrec.cli.runs import ArchiveRun
from hexrec.parallel.tasks import FunctionTask
from hexrec.tools.examined import examine_hash
from hexrec.validation.report import HASHED

EXAMPLES = (
    ("hexrec hash games.jsonl", "Print hash, file and index of each record."),
    (
        "hexrec hash games/ --symmetric | sort | uniq --check-chars=32 --repeated",
        "Find repeated games, rotated or mirrored.",
    ),
)


def command(
    run: ArchiveRun,
    *,
    symmetric: bool = flag("--symmetric", "Print the same hash for rotated and mirrored games."),
    whole: bool = flag("--record", "Print the hash of the whole record, in canonical bytes."),
    target: Path | None = options.TARGET,
) -> None:
    """Print the game hash of each record, two spaces, and file:index.

    The game hash depends on game, rules, board, opening and turns alone. Results and other fields do not change it, nor
    do format and coordinate system. Records with illegal turns have no hash; their diagnostics go to stderr.

    Exit code: 0 all have a hash, 1 a record has none, 2 an input cannot be read.
    """
    if symmetric and whole:
        refuse("a record has no symmetric hash: give one of them", "--record, --symmetric")
    if (symmetric or whole) and run.selected.needs_hash:
        refuse("its rows select by game hashes, not by these", "--keep, --drop")
    outputs.format_of_file(target, "text", {"text": outputs.TEXT})
    task = FunctionTask(partial(examine_hash, symmetric=symmetric, whole=whole))
    with closing(run.games(task, streamed=target is None)) as found, outputs.text(target) as out:
        for report, digest, _ in found:
            if digest is not None:
                out.write(f"{digest}  {place(report)}\n")
    run.finish_part("hash", target, run.describe(hash=[symmetric, whole]))
    run.end(run.summary.line(HASHED))
