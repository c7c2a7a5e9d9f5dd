"""The tests. They are about hexrec's own games and formats, whichever packages are installed next to it."""

from __future__ import annotations

from functools import cache

from hexrec import formats
from hexrec.rules import games

games.GAMES.offered = cache(dict)
formats.FORMATS.offered = cache(dict)
