"""`hexrec check-game`: check a game for its author."""

from __future__ import annotations

import shlex
from contextlib import closing
from functools import partial

from hexrec.cli import option, options
from hexrec.cli.console import echo_totals, fail, note, refuse
from hexrec.conformance.checks import check_game, measure_speed
from hexrec.conformance.comparison import Comparison, shared_rules
from hexrec.conformance.engine import Engine, EngineFailure
from hexrec.conformance.report import describe_briefly
from hexrec.rules import games
from hexrec.rules.terms import pluralize
from hexrec.util.escaping import visible

EXAMPLES = (
    ("hexrec check-game nadraz", "Check a game: a built-in one, or that of an installed package."),
    ('hexrec check-game sunspot --engine "node sunspot.mjs"', "Also compare it with another program."),
)
#: Seconds that an engine may take to answer.
_TIMEOUT = 10.0


def command(
    game: str = options.GAME,
    count: int = option(
        "--count N", "Play N random games for each ruleset and variant on small boards.", default=3, min=1
    ),
    seed: int = option("--seed N", "Seed the random games.", default=0),
    engine: str | None = option(
        "--engine COMMAND", "Also compare the game with a program, by the conformance protocol."
    ),
) -> None:
    """Check a game for its author: description, examples of codes, rules in random games.

    Print one line for each mistake, with its check. Games of packages and built-in games have the same checks.

    Exit code: 0 no mistake, 1 mistakes, 2 the game is unknown or the program cannot be started.
    """
    checked = games.get(game)
    mistakes = 0
    for check in check_game(checked, seed, count):
        for mistake in check.mistakes:
            print(visible(f"{game}: {check.name}: {mistake}"))
        mistakes += len(check.mistakes)
        note(f"{check.name}: {pluralize(check.cases, 'case')}, {pluralize(len(check.mistakes), 'mistake')}")
    if engine is not None:
        mistakes += _compare(game, engine, seed, count)
    if not mistakes:
        note(f"speed: {measure_speed(checked):,.0f} plies/s in random games on size {checked.usual_size()}")
    echo_totals(f"{game}: {pluralize(mistakes, 'mistake')}" if mistakes else f"{game} passes all checks")
    raise SystemExit(1 if mistakes else 0)


def _compare(game: str, engine: str, seed: int, count: int) -> int:
    """Compare a game with an engine, print a line for each disagreement, and return their number."""
    if not engine.strip():
        refuse("no program: name the one to compare", "--engine")
    try:
        command = shlex.split(engine)
        launch = partial(Engine, command, _TIMEOUT)
        running = launch()
    except (EngineFailure, ValueError) as failure:  # ValueError: a quotation mark without its pair
        fail(f"{engine}: {failure}")
    comparison = Comparison(launch, running, shared_rules(running.rules, game), setups=running.setups)
    disagreements = 0
    with closing(comparison):
        if not comparison.rules:
            fail(f"{engine}: nothing to compare: the engine does not play {game} by a ruleset and on a size of hexrec")
        for disagreement in comparison.run(seed, count):
            disagreements += 1
            print(f"{game}: engine: {describe_briefly(disagreement, command)}")
    note(f"engine: {pluralize(comparison.games, 'case')}, {pluralize(disagreements, 'mistake')}")
    return disagreements
