"""`hexrec legal`: list the legal turns in a position."""

from __future__ import annotations

from hexrec.cli.console import echo_diagnostics, note
from hexrec.cli.inputs import OneRecord
from hexrec.record.replay import replay
from hexrec.rules.terms import describe_outcome

EXAMPLES = (
    ("hexrec legal game.yaml", "List the legal turns at the end of a record."),
    ("hexrec legal sunspot --position '4/5/6/2b4/6/5/4 w 0'", "List the legal turns in a position."),
)


def command(inputs: OneRecord) -> None:
    """List the legal turns after the last turn of a record, or after any other, one per line, sorted."""
    final = replay(inputs.load(), inputs.ply)
    if final.failure is not None:
        echo_diagnostics(final.failure)
        raise SystemExit(1)
    assert final.position is not None
    outcome = final.position.result()
    if outcome is not None:
        note(f"no turn is legal: the game is over ({describe_outcome(outcome)})")
    for turn in final.position.legal_turns():
        print(turn)
