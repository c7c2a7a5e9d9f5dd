"""hexrec: record, check and score games of Sundraval, Sunspot, Frasvel, Valaturna and Nadraz.

    >>> import hexrec
    >>> position = hexrec.games.get("sundraval").start(size=3, opening={"black": "c3", "white": "b2"})
    >>> position.play("a1")
    >>> position.turn
    'white'

Names are imported when they are first used, so that `import hexrec` costs next to nothing.
"""

from __future__ import annotations

from hexrec._version import __version__

TYPE_CHECKING = False  # what `typing` calls it too, without the time that importing `typing` takes
if TYPE_CHECKING:
    from hexrec import board, games, render
    from hexrec.api import ConversionWarning, dump, dumps, iter_records, load, loads, validate
    from hexrec.diagnostics import Diagnostic
    from hexrec.games import IllegalOpening, IllegalTurn, Outcome
    from hexrec.record import Move, Player, Record, RecordError
    from hexrec.tables import read
    from hexrec.validation import Report
    from hexrec.validation.hashes import game_hash

_HOMES = {
    "hexrec.diagnostics": ("Diagnostic",),
    "hexrec.games": ("IllegalOpening", "IllegalTurn", "Outcome"),
    "hexrec.api": ("ConversionWarning", "dump", "dumps", "iter_records", "load", "loads", "validate"),
    "hexrec.record": ("Move", "Player", "Record", "RecordError"),
    "hexrec.validation": ("Report",),
    "hexrec.validation.hashes": ("game_hash",),
    "hexrec.tables": ("read",),
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
    "ConversionWarning",
    "Diagnostic",
    "IllegalOpening",
    "IllegalTurn",
    "Move",
    "Outcome",
    "Player",
    "Record",
    "RecordError",
    "Report",
    "__version__",
    "board",
    "dump",
    "dumps",
    "game_hash",
    "games",
    "iter_records",
    "load",
    "loads",
    "read",
    "render",
    "validate",
]
