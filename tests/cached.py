"""The database of cached reports, for tests that read or damage it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def lines(folder: Path) -> bytes:
    """Return the lines of the only entry of a cache."""
    with closing(sqlite3.connect(folder / "reports.sqlite")) as database:
        ((text,),) = database.execute("SELECT CAST(lines AS BLOB) FROM parts")
    return bytes(text)


def replace_lines(folder: Path, content: bytes) -> None:
    """Replace the lines of the only entry of a cache."""
    with closing(sqlite3.connect(folder / "reports.sqlite")) as database, database:
        changed = database.execute("UPDATE parts SET lines = CAST(? AS TEXT)", [content])
    assert changed.rowcount == 1
