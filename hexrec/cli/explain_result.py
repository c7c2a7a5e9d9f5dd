"""`hexrec explain-result`: explain the results of games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from hexrec.cli import INPUT, option, options, outputs
from hexrec.cli.console import echo, echo_diagnostics, echo_totals, fail
from hexrec.cli.inputs import place, print_skipped
from hexrec.io.discovery import Discovery
from hexrec.output import to_text
from hexrec.record.replay import Replay, replay
from hexrec.render.explanation import as_text, explain_position, explanation_data
from hexrec.render.text import describe
from hexrec.util.escaping import visible
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary
from hexrec.validation.sources import check_sources

EXAMPLES = (
    ("hexrec explain-result game.yaml", "Explain the result of a game."),
    ("hexrec explain-result games/ --format jsonl -o reasons.jsonl", "Write an object per record, one per line."),
)

_FORMATS = ("text", "json", "jsonl")


def command(
    paths: list[str] = options.PATHS,
    ply: int | None = options.PLY,
    record: int | None = option(
        "--record INDEX", "Explain only this record of each file, counted from 0.", INPUT, min=0
    ),
    source_format: str | None = options.FROM,
    follow_links: bool = options.FOLLOW_LINKS,
    format: str | None = options.report_format(_FORMATS),
    target: Path | None = options.TARGET,
) -> None:
    """Explain why each game ended as it did: scores or groups, their cells, and the deciding rules.

    For an unfinished game, and with --ply, the same tables describe that position. A record with an illegal turn before
    that position is skipped. Diagnostics go to stderr.

    Exit code: 0 no errors, 1 a record has errors, 2 an input cannot be read.
    """
    form = outputs.report_format(target, format, _FORMATS)
    discovery = Discovery(paths, source_format, follow_links=follow_links)
    summary = Summary()
    with outputs.text(target) as out:
        replays = _replay_records(discovery, record, ply, summary)
        parts = (
            {"file": report.file, "index": report.index, "id": report.id, **explanation_data(played)}
            for report, played in replays
        )
        if form == "json":
            out.write(f'{{"hexrec": {json.dumps(__version__)}, "records": [')
            for number, part in enumerate(parts):
                out.write(f"{',' * bool(number)}\n{to_text(part)}")
            out.write("]}\n")
        elif form == "jsonl":
            out.writelines(f"{to_text(part)}\n" for part in parts)
        else:
            out.writelines(_text(report, played) for report, played in replays)
    if record is not None and not summary.records and not summary.unreadable:
        fail(f"there is no record {record}: records are counted from 0")
    echo_totals(summary.line(("explained", "with errors")))
    print_skipped(discovery)
    raise SystemExit(summary.exit_code)


def _replay_records(
    discovery: Discovery, index: int | None, ply: int | None, summary: Summary
) -> Iterator[tuple[Report, Replay]]:
    """Yield each record that can be explained with its replay up to `ply`; print diagnostics."""
    for report in check_sources(discovery):
        if index is not None and report.index != index and not (report.unreadable or report.failed):
            continue
        played = None if report.record is None else replay(report.record, ply)
        reached = played is not None and played.failure is None and ply in (None, played.plies)
        if played is not None and played.failure is None and not reached:
            echo(f"{place(report)}: there is no ply {ply}: the record has {played.plies} turns")
        elif ply is None or not reached:  # diagnostics after the requested position do not matter
            echo_diagnostics(*report.diagnostics)
        valid = reached and (report.valid or ply is not None)
        # With an index, the summary counts the record as the first of its file.
        summary.add_report(report if index is None else report.copy(index=0), valid=valid)
        if played is not None and reached:
            yield report, played


def _text(report: Report, played: Replay) -> str:
    position = played.position
    assert position is not None
    last = played.record.turns[played.plies - 1].strip().lower() if played.plies else None
    explanation = as_text(explain_position(played), position.names)
    return f"{place(report)}: {visible(describe(position, last))}\n{explanation}\n\n"
