"""The database of cached reports, for tests that read or damage it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def lines(folder: Path) -> bytes:
    """Return the only entry of a cache: a digest and lines."""
    with closing(sqlite3.connect(folder / "reports.sqlite")) as database:
        ((entry,),) = database.execute("SELECT entry FROM entries")
    return bytes(entry)


def replace_lines(folder: Path, content: bytes) -> None:
    """Replace the only entry of a cache."""
    with closing(sqlite3.connect(folder / "reports.sqlite")) as database, database:
        changed = database.execute("UPDATE entries SET entry = ?", [content])
    assert changed.rowcount == 1
