"""Reports on made-up diagnostics, and the command line as the tests of the commands run it."""

from __future__ import annotations

import io

from hexrec.output import report_formats
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from tests.cli.conftest import game, hexrec

__all__ = ["NASTY", "OCCUPIED", "game", "hexrec", "report", "written"]

#: Every character that some format gives a meaning to.
NASTY = 'a|b `c` <b>&amp;</b> ]]> "d" \\| \\ *e* _f_ [g](h) ~~i~~ $j$ 100%, 25%25: k'

OCCUPIED = Diagnostic(
    "move/occupied",
    "a1 is occupied by your own stone",
    file="games/1 of 2.jsonl",
    record=1,
    id="G7",
    line=3,
    column=114,
    end_line=3,
    end_column=118,
    pointer="/moves/2",
    ply=3,
    turn="a1",
)


def report(*diagnostics: Diagnostic, index: int = 0, file: str = "games/1 of 2.jsonl", id: str | None = None) -> Report:
    """Return the report on a record with these diagnostics."""
    return Report(diagnostics, plies=2, file=file, index=index, id=id, game="sundraval")


def written(name: str, *of: Report) -> str:
    """Return what a report writes."""
    out = io.StringIO()
    report_formats.write(name, of, out)
    return out.getvalue()
