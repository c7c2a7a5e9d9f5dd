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
        "The process at work on this record died each time that it was tried alone, or took longer than a unit may.",
        "This is an error in hexrec, or the machine has too little memory: report it, with the record. If it only "
        "needs more time, give it with --unit-timeout.",
        rule="Whatever a record holds, the others are judged.",
    ),
}
