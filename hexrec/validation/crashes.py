"""The finding for a record that makes the program itself fail. Who finds it is above this layer."""

from __future__ import annotations

from collections.abc import Mapping

from hexrec.diagnostics import Code

CRASHED = "batch/crashed"

CODES: Mapping[str, Code] = {
    CRASHED: Code(
        "The program failed on this record, or its process was ended twice while it was at work on it.",
        "This is an error in hexrec, or the machine has too little memory: report it, with the record.",
        rule="Whatever a record holds, the others are judged.",
    ),
}
