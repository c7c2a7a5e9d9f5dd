"""`hexrec puzzles`: write the positions of games in which one turn wins."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from hexrec.cli import option, options
from hexrec.cli.inputs import Inputs
from hexrec.cli.outputs import RecordFile
from hexrec.cli.runs import each_record
from hexrec.rules.terms import pluralize
from hexrec.tools.analysis.puzzles import puzzles_of
from hexrec.validation.report import Report

EXAMPLES = (
    ("hexrec puzzles games.jsonl -o puzzles.jsonl", "Write the puzzles in the games of an archive."),
    (
        "hexrec puzzles games.jsonl --positions 20000 -o puzzles.yaml",
        "Search longer, and find puzzles further from the end.",
    ),
)


def command(
    inputs: Inputs,
    *,
    output: RecordFile,
    positions: int = option("--positions N", "Search at most N positions for a proof.", default=2_000, min=1),
    jobs: int | None = options.JOBS,
) -> None:
    """Write a record for each position in which one of three or more turns wins, and no other does.

    Both are proved by searching all turns, from the end of each game backwards. Positions that are the same but for a
    symmetry of the board are written once. The turn of a record is the solution; its evaluation has a line that wins.
    Invalid records are skipped.

    Exit code: 0 all games searched, 1 a record is invalid, 2 an input cannot be read.
    """
    summary = inputs.summary

    def found() -> Iterator[Report]:
        known = set()
        for report, puzzles in each_record(inputs, partial(puzzles_of, positions=positions), jobs):
            if puzzles is None:
                yield report
            for puzzle in puzzles or ():
                if puzzle.key not in known:
                    known.add(puzzle.key)
                    yield Report((), record=puzzle.record)

    written = output.write(found(), summary)
    outcomes = {"searched": summary.valid, "left out": summary.invalid}
    inputs.end(summary.line_of(outcomes, pluralize(written, "puzzle")))
