"""Which program has called the library: warnings name its line, and not one of hexrec's own."""

from __future__ import annotations

import sys


def level() -> int:
    """Return the `stacklevel` with which the caller of this function warns the program that has called hexrec."""
    frame, found = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] == __package__:
        frame, found = frame.f_back, found + 1
    return found
