"""`hexrec analyze`: annotate the turns of games with the values of positions."""

from __future__ import annotations

from collections.abc import Iterator

from hexrec.cli import flag, option, options
from hexrec.cli.console import echo
from hexrec.cli.inputs import Inputs, place
from hexrec.cli.outputs import RecordFile
from hexrec.cli.runs import each_record
from hexrec.rules.terms import pluralize
from hexrec.tools.analysis.annotations import Analyzer, annotate, turning_points
from hexrec.validation.report import Report

EXAMPLES = (
    ("hexrec analyze games.jsonl -o analyzed.jsonl", "Annotate all games, and print their turning points."),
    ("hexrec analyze game.yaml --playouts 0 -o analyzed.yaml", "Annotate only what can be proved."),
)


def command(
    inputs: Inputs,
    *,
    output: RecordFile,
    positions: int = option("--positions N", "Search at most N positions for a proof.", default=2_000, min=0),
    playouts: int = option(
        "--playouts N",
        "Estimate a position by N random games if it is not proved; 0 for no estimate.",
        default=200,
        min=0,
    ),
    seed: int = option("--seed N", "Seed the random games.", default=0),
    overwrite: bool = flag("--overwrite", "Replace the evaluations and glyphs of others."),
    jobs: int | None = options.JOBS,
) -> None:
    """Annotate the turns of games with the values of positions, and print the turns that lose value.

    From the end of a game backwards, values are proved by searching all turns. The values of other positions are
    estimated by random games. Evaluations by other programs and glyphs of quality stay. Invalid records are
    skipped.

    Exit code: 0 all annotated, 1 a record is invalid, 2 an input cannot be read.
    """
    analyzer = Analyzer(positions, playouts, seed)
    summary = inputs.summary
    points = 0

    def analyzed() -> Iterator[Report]:
        nonlocal points
        for report, values in each_record(inputs, analyzer.evaluate, jobs):
            if values is None or report.record is None:
                yield report
                continue
            for point in turning_points(report.record, values):
                points += 1
                echo(f"{place(report)}: ply {point.ply}: {point}")
            yield report.copy(record=annotate(report.record, values, overwrite=overwrite))

    written = output.write(analyzed(), summary)
    outcomes = {"annotated": written, "left out": summary.records - written}
    inputs.end(summary.line_of(outcomes, pluralize(points, "turning point")))
