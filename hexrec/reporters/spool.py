"""Output that is held back until the totals that come before it are known."""

from __future__ import annotations

from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import TextIO, cast

_IN_MEMORY = 16 * 1024 * 1024


def new() -> TextIO:
    """Return a text file that is held in memory until it grows large, and vanishes when it is closed."""
    return cast(TextIO, SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline=""))


def pour(spooled: TextIO, out: TextIO) -> None:
    """Write what was spooled to another stream."""
    spooled.seek(0)
    copyfileobj(spooled, out)
