"""`hexrec import`: import games from posts, notes and spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hexrec.cli import INPUT, OUTPUT, option, options, outputs
from hexrec.cli.console import echo_diagnostics, echo_totals, refuse, say
from hexrec.cli.inputs import print_skipped
from hexrec.errors import ArgumentError
from hexrec.io.discovery import Discovery
from hexrec.output import report_formats
from hexrec.rules.board import SYSTEMS, System
from hexrec.rules.terms import pluralize
from hexrec.tools.importing import SUFFIXES, import_sources
from hexrec.tools.importing.hints import Hints, parse_opening
from hexrec.tools.suggestions import MAX_REPLAYS, Suggester
from hexrec.validation.report import Report, Summary

EXAMPLES = (
    ("hexrec import posts/ -o imported.jsonl", "Import the games of all texts and tables of a directory."),
    (
        "hexrec import notes.txt --game sunspot --size 4 -o imported.yaml",
        "State facts that a text does not state.",
    ),
)


def command(
    paths: list[str] = options.PATHS,
    *,
    output: outputs.RecordFile,
    follow_links: bool = options.FOLLOW_LINKS,
    game: str | None = options.game("State the game of the texts.", INPUT),
    size: int | None = option("--size N", "State the board size of the texts.", INPUT, min=1),
    opening: str | None = option("--opening CELLS", "State the opening stones, as black=e3,white=a4.", INPUT),
    variant: str | None = options.of_game("--variant VARIANT", "State the variant of the texts.", INPUT),
    coordinates: System | None = options.choice(
        "--coordinates SYSTEM", SYSTEMS, "State that cells are named in {names}.", INPUT
    ),
    work_list: list[str] | None = option(
        "-w, --work-list [REPORT=]FILE", "Write the games that were not imported to a file; repeatable.", OUTPUT
    ),
    suggest: int = options.SUGGEST,
) -> None:
    """Import games from texts, tables and spreadsheets as people write them.

    Games are recognized by facts such as "Nadraz, size 6", by their turns, and by the result. A game is written only if
    its text has a single valid reading. All other games are on the work list, with the turn that fails or with the
    option that decides. By default, the work list is printed.

    Exit code: 0 all games imported, 1 the work list is not empty, 2 an input cannot be read.
    """
    try:
        hints = Hints(game, size, None if opening is None else parse_opening(opening), variant, coordinates)
    except ArgumentError as error:
        refuse(str(error), "--opening")
    reports_to = outputs.parse_targets(work_list, None) if work_list else []
    if output.target is None and any(file is None for _, file in reports_to):
        refuse("stdout has the records: name a file", "-w")
    discovery = Discovery(paths, follow_links=follow_links, suffixes=SUFFIXES)
    summary = Summary()
    reports: list[Report] = []

    def find() -> Iterator[Report]:
        for imported in import_sources(discovery, hints, Suggester(suggest, MAX_REPLAYS)):
            reports.append(imported.report)
            if imported.data is not None:
                yield replace(imported.report, diagnostics=())  # printed below

    written = output.write(find(), Summary())
    for name, file in reports_to:
        with outputs.text(file) as out:
            notes = report_formats.write(name, reports, out).notes
        for note in notes:
            say(note)
    for report in summary.count(reports):
        if not reports_to:
            echo_diagnostics(*report.diagnostics)
    outcomes = {"imported": written, "left": summary.records - written}
    echo_totals(summary.line_of(outcomes, f"{pluralize(min(written, 1), 'file')} written"))
    print_skipped(discovery)
    raise SystemExit(summary.exit_code)
