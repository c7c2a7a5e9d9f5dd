"""`hexrec legal`: all legal turns in a position."""

from __future__ import annotations

import typer

from hexrec.check import replay
from hexrec.cli.console import echo_findings, say
from hexrec.cli.options import From, OneFile, Ply, RecordIndex, fail, one_record
from hexrec.render.text import describe_outcome


def command(file: OneFile, ply: Ply = None, record: RecordIndex = 0, notation: From = None) -> None:
    """List the legal turns after the last turn, or after any other, one a line, sorted."""
    game = one_record(file, notation, record)
    if ply is not None and ply > len(game.moves):
        fail(f"the record has {len(game.moves)} turns: there is no position after turn {ply}")
    final = replay(game, ply)
    if final.failure is not None or final.position is None:
        assert final.failure is not None
        echo_findings(final.failure)
        raise typer.Exit(1)
    outcome = final.position.result()
    if outcome is not None:
        say(f"no turn is legal: the game is over ({describe_outcome(outcome)})")
    for turn in final.position.legal_turns():
        print(turn)
