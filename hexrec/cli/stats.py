"""`hexrec stats`: print statistics of games, and draw plots."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

from hexrec.cli import OUTPUT, flag, option, options, outputs
from hexrec.cli.console import echo_totals, exit_on_os_error, refuse
from hexrec.cli.inputs import print_unreadable
from hexrec.cli.parts import DividedRun
from hexrec.errors import extra
from hexrec.parallel.tasks import FunctionTask
from hexrec.tools import statistics
from hexrec.tools.examined import examine_game

EXAMPLES = (
    ("hexrec stats games.jsonl", "Print lengths, winners and first stones."),
    ("hexrec stats games/ --fold --format json", "Print JSON, with symmetric cells counted as one."),
)


def command(
    run: DividedRun,
    *,
    format: str | None = options.report_format(statistics.FORMS),
    plots: Path | None = option("--plots DIR", "Draw plots as SVG and PNG into a directory (extra plots).", OUTPUT),
    fold: bool = flag("--fold", "Count symmetric cells as one."),
    target: Path | None = options.TARGET,
) -> None:
    """Count games: lengths, winners, terminations and first placements. Invalid records are skipped.

    Exit code: 0 all valid, 1 a record is invalid, 2 an input cannot be read.
    """
    divided = run.shard or run.dask
    if divided and (plots or fold or format == "text"):
        refuse("hexrec merge draws, folds and prints: leave that to it", "--shard, --dask")
    about = run.describe()
    run.use_cluster("stats", target, ".json", about)
    form = "json" if divided else outputs.report_format(target, format)
    if plots:  # a missing extra fails fast
        with extra("plots", "to draw histograms, install", "matplotlib"):
            from hexrec.tools.statistics_plots import KINDS, make_plots, write_plot
    totals = statistics.Statistics()
    totals.summary = run.summary
    task = FunctionTask(partial(examine_game, statistics.examine, hashes=run.selected.needs_hash))
    sources = print_unreadable(run.sources)
    with closing(run.results(task, sources, streamed=target is None)) as found:
        totals.count(game for game in found if run.selected.selects(game.report, game.hash))
    with outputs.text(target) as out:
        out.write(statistics.FORMS[form](totals, fold))
    run.finish_part("stats", target, about)
    if plots:
        with exit_on_os_error(plots, "created"):
            plots.mkdir(parents=True, exist_ok=True)
        for name, plot in make_plots(totals, fold):
            for kind in KINDS:
                with outputs.binary(plots / f"{name}.{kind}") as file:
                    write_plot(plot, file, kind)
            echo_totals(str(plots / f"{name}.svg"))
    run.end()
