"""`hexrec legal`: all legal turns in a position."""

from __future__ import annotations

import sys

import typer

from hexrec.commands.shared import From, OneFile, Ply, RecordIndex, fail, one_record
from hexrec.reports.board import describe_outcome
from hexrec.reports.text import line
from hexrec.validation import replay


def command(file: OneFile, ply: Ply = None, record: RecordIndex = 0, notation: From = None) -> None:
    """List the legal turns after the last turn, or after any other, one a line, sorted."""
    game = one_record(file, notation, record)
    if ply is not None and ply > len(game.moves):
        fail(f"the record has {len(game.moves)} turns: there is no position after turn {ply}")
    final = replay(game, ply)
    if final.failure is not None or final.position is None:
        assert final.failure is not None
        print(line(final.failure), file=sys.stderr)
        raise typer.Exit(1)
    outcome = final.position.result()
    if outcome is not None:
        print(f"hexrec: no turn is legal: the game is over ({describe_outcome(outcome)})", file=sys.stderr)
    for turn in final.position.legal_turns():
        print(turn)
