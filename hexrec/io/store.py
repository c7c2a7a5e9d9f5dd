"""A store of entries between runs: a database in a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.util.hashing import blake2b
from hexrec.util.regular_files import open_no_follow, open_regular

if TYPE_CHECKING:  # few runs have a store
    import sqlite3

#: The size of the digest before an entry, in bytes.
_DIGEST = 16
_TABLE = "CREATE TABLE entries (key BLOB PRIMARY KEY, entry BLOB) WITHOUT ROWID"
_READ = "SELECT key, entry FROM entries WHERE key = ? AND typeof(entry) = 'blob'"
_WRITE = "INSERT OR REPLACE INTO entries VALUES (?, ?)"
#: The bytes in the file of a database that mark it as a cache of hexrec.
_MARK = b"hexr"
#: The codes of errors of a damaged database: SQLITE_CORRUPT and SQLITE_NOTADB.
_DAMAGED = (11, 26)
#: Seconds to wait for other processes.
_TIMEOUT = 10


class Store(NamedTuple):
    """A database of entries by key. Several processes can use it at once.

    A store that cannot be read or written never makes a run fail. A damaged database is replaced, a file of another
    program never.

    Attributes:
        path: the file.
        limit: the maximum size of an entry in bytes.
    """

    path: Path
    limit: int

    def read(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """Return the entries of some keys, without damaged ones."""
        found = {key: (entry[:_DIGEST], entry[_DIGEST:]) for key, entry in self._run(_READ, [(key,) for key in keys])}
        return {key: entry for key, (digest, entry) in found.items() if digest == _digest(key, entry)}

    def write(self, entries: Mapping[bytes, bytes]) -> None:
        """Write entries together, as other processes wait meanwhile."""
        self._run(_WRITE, [(key, _digest(key, entry) + entry) for key, entry in entries.items()])

    def _run(self, statement: str, rows: Iterable[tuple[bytes, ...]]) -> list[Any]:
        """Carry out a statement for each row of values in a transaction; return the rows of the results.

        Return none if that fails. A damaged database is deleted, so that the next call makes another.
        """
        try:
            with closing(self._connect()) as connection, connection:
                connection.execute("BEGIN")
                return [row for values in rows for row in connection.execute(statement, values)]
        except Exception as error:  # some installations have no sqlite3
            if getattr(error, "sqlite_errorcode", 0) & 255 in _DAMAGED:
                with suppress(OSError):
                    self.path.unlink()
        return []

    def _connect(self) -> sqlite3.Connection:
        """Open or create a database. Raises ImportError, OSError, sqlite3.Error, and ValueError for a foreign file."""
        import sqlite3

        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileExistsError), open(self.path.with_name(".gitignore"), "x", encoding="utf-8") as ignored:
            ignored.write("*\n")
        with suppress(FileExistsError), open(self.path, "xb", opener=open_no_follow):  # only its owner may read it
            pass
        with open_regular(self.path) as stream:
            head = stream.read(100)
        if head and not (head.startswith(b"SQLite format 3\0") and head[68:72] == _MARK):
            raise ValueError("no cache of reports")
        connection = sqlite3.connect(self.path, timeout=_TIMEOUT)
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self.limit)
            connection.execute("PRAGMA synchronous = OFF")
            if not head:
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"PRAGMA application_id = {int.from_bytes(_MARK)}")
                connection.execute(_TABLE.replace("TABLE", "TABLE IF NOT EXISTS"))
                connection.commit()
            if connection.execute("SELECT sql FROM sqlite_master").fetchall() != [(_TABLE,)]:
                raise ValueError("another form")
        except BaseException:
            connection.close()
            raise
        return connection


def _digest(key: bytes, text: bytes) -> bytes:
    return blake2b(text, key=key, digest_size=_DIGEST).digest()
