"""`hexrec check-game`: check a game for its author."""

from __future__ import annotations

from hexrec.cli import option, options
from hexrec.cli.console import echo_totals, note
from hexrec.conformance.checks import check_game, measure_speed
from hexrec.rules import games
from hexrec.rules.terms import pluralize
from hexrec.util.escaping import visible

EXAMPLES = (
    ("hexrec check-game nadraz", "Check a game: a built-in one, or that of an installed package."),
    ("hexrec check-game frasvel --count 1", "Play fewer random games."),
)


def command(
    game: str = options.GAME,
    count: int = option(
        "--count N", "Play N random games for each ruleset and variant on small boards.", default=3, min=1
    ),
    seed: int = option("--seed N", "Seed the random games.", default=0),
) -> None:
    """Check a game for its author: description, examples of codes, rules in random games.

    Print one line for each mistake, with its check. Games of packages and built-in games have the same checks.

    Exit code: 0 no mistake, 1 mistakes, 2 the game is unknown.
    """
    checked = games.get(game)
    mistakes = 0
    for check in check_game(checked, seed, count):
        for mistake in check.mistakes:
            print(visible(f"{game}: {check.name}: {mistake}"))
        mistakes += len(check.mistakes)
        note(f"{check.name}: {pluralize(check.cases, 'case')}, {pluralize(len(check.mistakes), 'mistake')}")
    if not mistakes:
        note(f"speed: {measure_speed(checked):,.0f} plies/s in random games on size {checked.usual_size()}")
    echo_totals(f"{game}: {pluralize(mistakes, 'mistake')}" if mistakes else f"{game} passes all checks")
    raise SystemExit(1 if mistakes else 0)
