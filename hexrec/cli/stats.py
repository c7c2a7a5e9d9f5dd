"""`hexrec stats`: what the games of an archive are like, in numbers and pictures."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from hexrec.cli import inputs, options, outputs
from hexrec.cli.console import echo, or_fail
from hexrec.cli.help import OUTPUT
from hexrec.cli.options import option
from hexrec.errors import extra
from hexrec.io.discovery import Discovery
from hexrec.tools import statistics
from hexrec.validation.sources import check_sources

EXAMPLES = (
    ("hexrec stats games.jsonl", "Print lengths, winners and first stones."),
    ("hexrec stats games/ --fold --format json", "Print them as JSON, symmetric cells counted as one."),
)


def command(
    paths: options.Paths,
    format: Annotated[
        str, options.choice("--format FORMAT", statistics.FORMS, "How to write the numbers: {names}.", OUTPUT)
    ] = "text",
    plots: Annotated[
        Path | None, option("--plots DIR", "Also draw plots, as SVG and PNG files in a folder (extra plots).", OUTPUT)
    ] = None,
    fold: Annotated[
        bool, option("--fold", "Count cells that the board's symmetries map to each other as one.")
    ] = False,
    source_format: options.From = None,
    follow_links: options.FollowLinks = False,
    keep: options.Keep = None,
    drop: options.Drop = None,
    target: options.Output = None,
) -> None:
    """Count games: their lengths, who won and by what, where the first stones went.

    Only valid records are counted. Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    draw = _drawing() if plots else None
    found = statistics.Statistics()
    discovery = Discovery(paths, source_format, follow_links=follow_links)
    selected = inputs.record_filter(keep, drop)
    found.summary.selective = selected.is_active
    for _ in found.count(selected.reports(check_sources(discovery))):
        pass
    with outputs.text(target) as out:
        out.write(statistics.FORMS[format](found, fold))
    if plots and draw:
        with or_fail(plots, "created"):
            plots.mkdir(parents=True, exist_ok=True)
        for plot in draw.plots(found, fold):
            for kind in draw.KINDS:
                with outputs.binary(plots / f"{plot.name}.{kind}") as file:
                    plot.write(file, kind)
            echo(str(plots / f"{plot.name}.svg"))
    inputs.say_skipped(discovery)
    inputs.say_unmatched(selected)
    raise typer.Exit(found.summary.exit_code)


def _drawing() -> ModuleType:
    """Return the module that draws, before anything is counted in vain."""
    with extra("plots", "pictures need matplotlib: install", "matplotlib"):
        return import_module("hexrec.tools.statistics_plots")
