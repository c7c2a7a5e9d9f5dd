"""`hexrec show`: the board at any ply, on the terminal."""

from __future__ import annotations

import sys

import typer

from hexrec.commands.shared import From, OneFile, Ply, RecordIndex, fail, one_record
from hexrec.diagnostics import shorten
from hexrec.record import Record
from hexrec.reports.board import describe, draw
from hexrec.reports.text import line
from hexrec.validation import replay


def command(file: OneFile, ply: Ply = None, record: RecordIndex = 0, notation: From = None) -> None:
    """Draw the board after the last turn, or after any other; the cells that the turn changed are in brackets.

    If a turn is illegal, the position in which it was played is drawn, the reason follows, and the exit code is 1.
    """
    game = one_record(file, notation, record)
    if ply is not None and ply > len(game.moves):
        fail(f"the record has {len(game.moves)} turns: there is no position after turn {ply}")
    final = replay(game, ply)
    if final.position is None:
        assert final.failure is not None
        print(line(final.failure), file=sys.stderr)
        raise typer.Exit(1)
    last = shorten(game.turns[final.plies - 1].strip().lower()) if final.plies else None
    print(describe(final.position, last))
    print()
    print(draw(final.position, _changed(game, final.plies)))
    if final.failure is not None:
        print(line(final.failure), file=sys.stderr)
        raise typer.Exit(1)


def _changed(game: Record, plies: int) -> set[int]:
    """Return the cells on which the last of some turns changed what stands there."""
    if plies == 0:
        return set()
    before, after = replay(game, plies - 1).position, replay(game, plies).position
    assert before is not None
    assert after is not None
    old, new = before.stones(), after.stones()
    return {cell for cell in old.keys() | new.keys() if old.get(cell) != new.get(cell)}
