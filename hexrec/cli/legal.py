"""`hexrec legal`: list the legal turns in a position."""

from __future__ import annotations

import typer

from hexrec.cli import inputs, options
from hexrec.cli.console import echo_diagnostics, say
from hexrec.record.replay import replay
from hexrec.render.text import describe_outcome

EXAMPLES = (
    ("hexrec legal game.yaml", "List the legal turns at the end of a record."),
    ("hexrec legal sunspot --position '4/5/6/2b4/6/5/4 w 0'", "List the legal turns in a position."),
)


def command(
    file: options.OneFile,
    ply: options.Ply = None,
    record: options.RecordIndex = 0,
    format: options.From = None,
    position: options.PositionText = None,
    variant: options.Variant = None,
    ruleset: options.Ruleset = None,
) -> None:
    """List the legal turns after the last turn of a record, or after any other, one per line, sorted."""
    game = inputs.load_game(file, format, record, ply, position, variant, ruleset)
    final = replay(game, ply)
    if final.failure is not None:
        echo_diagnostics(final.failure)
        raise typer.Exit(1)
    assert final.position is not None
    outcome = final.position.result()
    if outcome is not None:
        say(f"no turn is legal: the game is over ({describe_outcome(outcome)})")
    for turn in final.position.legal_turns():
        print(turn)
