"""Where parts of a report wait for the sums that stand before them."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import TextIO, cast

_IN_MEMORY = 16 * 1024 * 1024


def waiting_room() -> TextIO:
    """Return a text file that is held in memory until it grows large, and vanishes when it is closed."""
    return cast(TextIO, SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline=""))
