"""`hexrec openings`: find out who wins from each opening of a small board."""

from __future__ import annotations

import csv
from collections import Counter
from functools import partial
from pathlib import Path

from hexrec.cli import option, options, outputs
from hexrec.cli.console import echo_totals, refuse
from hexrec.cli.runs import cores
from hexrec.parallel.run import spread
from hexrec.rules import games
from hexrec.rules.terms import pluralize
from hexrec.tools.analysis.openings import colors, openings, solve_openings

EXAMPLES = (
    ("hexrec openings nadraz --size 4 -o openings.csv", "Solve all openings of Nadraz on the smallest board."),
    ("hexrec openings frasvel --positions 1000 --playouts 1000", "Estimate what a thousand positions do not prove."),
)


def command(
    game: str = options.GAME,
    size: int | None = option("--size N", "Set the cells per side [default: the smallest size]."),
    variant: str | None = options.of_game("--variant VARIANT", "Choose a variant of the game."),
    positions: int = option("--positions N", "Search at most N positions for a proof.", default=1_000_000, min=1),
    playouts: int = option(
        "--playouts N", "Estimate an opening by N random games if it is not proved.", default=0, min=0
    ),
    target: Path | None = options.TARGET,
    jobs: int | None = options.JOBS,
) -> None:
    """Write a row of CSV for each opening: its cells, and who wins if both sides play their best turns.

    In a game without opening stones, the openings are Black's first turns. The openings that symmetries of the board
    make of each other have one row; `images` is their number. The winner is empty without a proof; `positions` is the
    number of positions searched; `estimate` is a value from -1 (White wins) to 1 (Black wins).
    """
    outputs.format_of_file(target, "csv", {"csv": (".csv",)})
    rules = games.get(game)
    cells = size or min(rules.ruleset(None).sizes)
    if cells not in rules.ruleset(None).sizes:
        refuse(rules.size_refusal(rules.ruleset(None), cells), "--size")
    if variant is not None and variant not in rules.variants:
        refuse(f"{rules.title} has no variant {variant!r}", "--variant")
    solve = partial(solve_openings, game=game, size=cells, variant=variant, positions=positions, playouts=playouts)
    parts = ([opening] for opening in openings(rules.board(cells), len(colors(rules))))
    found = spread(solve, parts, jobs or cores())
    winners: Counter[str] = Counter()
    with outputs.text(target) as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow([*colors(rules), "images", "winner", "positions", "estimate"])
        for stones, images, winner, searched, estimate in found:
            rough = "" if estimate is None else f"{estimate:.2f}"
            rows.writerow([*stones, images, winner or "", searched, rough])
            winners[winner or "not proved"] += 1
            out.flush()
    named = ", ".join(f"{winners[name]} {name}" for name in sorted(winners))
    echo_totals(f"{pluralize(sum(winners.values()), 'opening')}: {named}")
