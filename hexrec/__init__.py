"""Validate, convert and score records of games on hexagonal boards.

    >>> import hexrec
    >>> for report in hexrec.check("fixtures/suite/sunspot/valid/loop.json"):
    ...     print(report.game, report.valid, report.plies)
    sunspot True 11

Names are imported on first use, so `import hexrec` is fast.
"""

from __future__ import annotations

from hexrec.util.version import __version__

# `python -m hexrec` runs this while modules of the current directory take precedence, so it imports nothing else:
# importing `typing` for its constant would run a file `re.py` in the directory of the records.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hexrec import render
    from hexrec.api import *
    from hexrec.rules import board, games


_MODULES = {"board": "hexrec.rules.board", "games": "hexrec.rules.games", "render": "hexrec.render"}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        import_module("hexrec.api")  # gives positions and records their pictures
        return import_module(_MODULES[name])
    if name in __all__:
        return getattr(import_module("hexrec.api"), name)
    raise AttributeError(f"module 'hexrec' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "ArgumentError",
    "ConversionSummary",
    "ConversionWarning",
    "Diagnostic",
    "Edit",
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
    "Suggestion",
    "UnknownNameError",
    "__version__",
    "board",
    "canonical_bytes",
    "check",
    "check_text",
    "convert",
    "dump",
    "dumps",
    "game_hash",
    "games",
    "import_text",
    "load",
    "loads",
    "new_game",
    "positions",
    "record_hash",
    "records",
    "render",
    "scores",
    "turns",
    "validate",
]
