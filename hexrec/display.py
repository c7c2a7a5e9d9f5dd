"""Who draws the things that notebooks show as pictures.

Positions and records are asked for their pictures, yet drawing is a layer far above them. So the front door of the
library says here who draws; until then notebooks show texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_painters: list[Callable[[Any], str | None]] = []


def set_painter(painter: Callable[[Any], str | None]) -> None:
    """Let `painter` draw from now on: it returns a position's or a record's picture as SVG, None if there is none."""
    _painters[:] = [painter]


def painted(thing: object) -> str | None:
    """Return the picture of a position or a record as SVG; None if there is none, or nobody to draw it."""
    return _painters[0](thing) if _painters else None
