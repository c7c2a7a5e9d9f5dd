"""`hexrec games`: list the games with their rulesets, sizes and variants."""

from __future__ import annotations

from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import Ruleset

EXAMPLES = (("hexrec games", "Print a table of the games."), ("hexrec games | grep nadraz", "Print one of them."))


def command() -> None:
    """List the games: name, rulesets, sizes (recommended ones in brackets), opening, variants, a turn, designers."""
    rows = [("game", "rulesets", "sizes", "opening", "variants", "a turn", "designed by")]
    for name in games.names():
        game = games.get(name)
        recommended = ", ".join(map(str, game.recommended))
        rows.append(
            (
                name,
                ", ".join(_ruleset(game, rules) for rules in map(game.ruleset, game.rulesets)),
                f"{game.sizes[0]} to {game.sizes[-1]} [{recommended}]",
                " and ".join(game.opening) or "none",
                ", ".join(game.variants) or "none",
                game.example,
                game.credit,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip())


def _ruleset(game: Game, rules: Ruleset) -> str:
    """Return the name of a ruleset, with its sizes if they differ from those of the game."""
    return rules.name if rules.sizes == game.sizes else f"{rules.name} ({rules.words_for_sizes()})"
