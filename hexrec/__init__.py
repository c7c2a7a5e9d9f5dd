"""hexrec: record, check and score games of Sundraval, Sunspot, Frasvel, Valaturna and Nadraz.

    >>> import hexrec
    >>> for report in hexrec.check("fixtures/sunspot/valid/loop.json"):
    ...     print(report.game, report.valid, report.plies)
    sunspot True 11

Names are imported when they are first used, so that `import hexrec` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexrec._version import __version__

if TYPE_CHECKING:
    from hexrec import board, games, render
    from hexrec.api import (
        ConversionSummary,
        ConversionWarning,
        check,
        check_text,
        convert,
        dump,
        dumps,
        load,
        loads,
        records,
        scores,
        validate,
    )
    from hexrec.diagnostics import Diagnostic
    from hexrec.errors import ArgumentError, Error, MissingExtraError, UnknownNameError
    from hexrec.files.stamps import InputChanged
    from hexrec.games import IllegalOpening, IllegalSetup, IllegalTurn, Outcome, Position, Stone
    from hexrec.notations.base import LossError
    from hexrec.record import Move, Player, Record, RecordError, Result
    from hexrec.record.identity import game_hash
    from hexrec.validation import Report

_HOMES = {
    "hexrec.api": (
        "ConversionSummary",
        "ConversionWarning",
        "check",
        "check_text",
        "convert",
        "dump",
        "dumps",
        "load",
        "loads",
        "records",
        "scores",
        "validate",
    ),
    "hexrec.validation": ("Report",),
    "hexrec.diagnostics": ("Diagnostic",),
    "hexrec.errors": ("ArgumentError", "Error", "MissingExtraError", "UnknownNameError"),
    "hexrec.files.stamps": ("InputChanged",),
    "hexrec.games": ("IllegalOpening", "IllegalSetup", "IllegalTurn", "Outcome", "Position", "Stone"),
    "hexrec.notations.base": ("LossError",),
    "hexrec.record": ("Move", "Player", "Record", "RecordError", "Result"),
    "hexrec.record.identity": ("game_hash",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    if name in ("board", "games", "render"):
        return import_module(f"hexrec.{name}")
    raise AttributeError(f"module 'hexrec' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "ArgumentError",
    "ConversionSummary",
    "ConversionWarning",
    "Diagnostic",
    "Error",
    "IllegalOpening",
    "IllegalSetup",
    "IllegalTurn",
    "InputChanged",
    "LossError",
    "MissingExtraError",
    "Move",
    "Outcome",
    "Player",
    "Position",
    "Record",
    "RecordError",
    "Report",
    "Result",
    "Stone",
    "UnknownNameError",
    "__version__",
    "board",
    "check",
    "check_text",
    "convert",
    "dump",
    "dumps",
    "game_hash",
    "games",
    "load",
    "loads",
    "records",
    "render",
    "scores",
    "validate",
]
