"""The findings for records and files that were not judged. Who finds them is above this layer, or below."""

from __future__ import annotations

from collections.abc import Mapping

from hexrec import internal_error
from hexrec.diagnostics import Code

CRASHED = "batch/crashed"
#: What could not be judged: no rule and no baseline touches these, no verdict with one is kept, the exit code is 2.
NOT_JUDGED = frozenset({"syntax/unreadable", internal_error.CODE, CRASHED})

CODES: Mapping[str, Code] = {
    **internal_error.CODES,
    CRASHED: Code(
        "The program failed on this record, or its process was ended twice while it was at work on it.",
        "This is an error in hexrec, or the machine has too little memory: report it, with the record.",
        rule="Whatever a record holds, the others are judged.",
    ),
}
