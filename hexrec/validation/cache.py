"""Cache of reports between runs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import asdict
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.io.stamps import Stamp, stamp
from hexrec.record.validation import read_record
from hexrec.rules.terms import Outcome
from hexrec.util.diagnostics import Diagnostic, Edit, Excerpt, Suggestion
from hexrec.util.hashing import blake2b
from hexrec.util.limits import IN_FORCE, MAX_RECORD_BYTES
from hexrec.util.plugins import code_versions
from hexrec.util.regular_files import open_no_follow, open_regular
from hexrec.validation.report import NOT_VALIDATED, LintKey, Report
from hexrec.validation.sources import printable_path

if TYPE_CHECKING:  # few runs have a cache
    import sqlite3

#: The codes of diagnostics that the next run may not repeat for the same file. An unknown game may be in a plug-in that
#: could not be imported.
_TRANSIENT = {"lint/future-date", "schema/unknown-game", *NOT_VALIDATED}

#: The numbers of characters after which a part of an entry ends, and after which parts are written.
_PART, _PARTS = 1 << 14, 1 << 20
#: Maximum characters of a part. Six characters may escape a byte of a record.
_LONGEST_PART = _PART + 8 * MAX_RECORD_BYTES
#: The number of files that are looked up before the first of them is validated.
_FILES = 10_000

_READ, _WRITE = "SELECT lines FROM parts WHERE key = ? AND number = ?", "INSERT OR REPLACE INTO parts VALUES (?, ?, ?)"
_TABLE = "CREATE TABLE parts (key BLOB, number INTEGER, lines TEXT, PRIMARY KEY (key, number)) WITHOUT ROWID"
#: The bytes in the file of a database that mark it as a cache of hexrec.
_MARK = b"hexr"
#: The codes of errors of a damaged database: SQLITE_CORRUPT and SQLITE_NOTADB.
_DAMAGED = (11, 26)
#: Seconds to wait for other processes.
_TIMEOUT = 10

Check = Callable[[list[Source | Diagnostic]], Iterable[Report]]


class _Entry(NamedTuple):
    """The key of the reports on a file, the stamp of the file, and the first part of the entry if the cache has it."""

    key: bytes
    stamp: Stamp | None
    text: str | None = None


class Cache:
    """A database of cached reports. The key is the content of the file, the versions of the code, limits and options.

    The entry of a file of records has a line of JSON for each report, then their number, in parts that begin with a
    digest. It does not depend on the name of the file. A cache that cannot be read or written never makes a run fail:
    the file is checked again, as for a damaged entry. A damaged database is replaced, a file of another program never.

    Attributes:
        hits: the number of files that were not checked because their reports were cached.
    """

    def __init__(
        self,
        folder: Path | None,
        options: Callable[[str], object] = lambda _: None,
        is_final: Callable[[Report], bool] = lambda _: True,
    ) -> None:
        """Use a directory, by default the one in the user's cache directory.

        `options` takes the name of a file and returns the options on which its reports depend. `is_final` returns
        whether the next run would make the same report. Raises RuntimeError if the user has no home directory.
        """
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("hexrec", appauthor=False, opinion=False) / "reports"
            if not folder.is_absolute():  # older versions of platformdirs leave a tilde
                raise RuntimeError("there is no home directory")
        self.hits = 0
        self._options = options
        self._is_final = is_final
        self._code = code_versions()
        self._contexts: dict[str, Any] = {}  # hashes by options
        self._database = _Database(folder / "reports.sqlite")
        self._parts: list[tuple[bytes, int, str]] = []  # to be written
        self._size = 0

    def reports(self, sources: Iterable[Source | Diagnostic], check: Check) -> Generator[Report, None, None]:
        """Yield the cached reports on sources. Without an entry, yield the reports of `check` and cache them."""
        remaining = iter(sources)
        with closing(self._database):
            while group := [*islice(remaining, _FILES)]:
                entries = self._look_up(group)
                unknown = [source for source, entry in zip(group, entries, strict=True) if not entry or not entry.text]
                checked = _Divided(check(unknown) if unknown else ())
                for source, entry in zip(group, entries, strict=True):
                    if isinstance(source, Diagnostic) or entry is None:
                        yield from checked.of(source)
                    elif entry.text:
                        yield from self._read_or_check(source, entry, check)
                    else:
                        yield from self._keep(checked.of(source), source, entry)
                self._write()

    def _look_up(self, sources: list[Source | Diagnostic]) -> list[_Entry | None]:
        """Return the entry of each source; None for one whose reports are not to be cached."""
        entries = [None if isinstance(source, Diagnostic) else self._entry(source) for source in sources]
        found = iter(self._database.run(_READ, *[(entry.key, 0) for entry in entries if entry]))
        return [entry and entry._replace(text=(next(found, None) or [None])[0]) for entry in entries]

    def _entry(self, source: Source) -> _Entry | None:
        """Return the entry of a source without its text; None for one that can be read only once."""
        if source.name == STANDARD_INPUT or not os.path.isfile(source.name):  # a member of an archive is not a file
            return None
        options = repr((self._options(source.name), source.format))
        if options not in self._contexts:
            about = json.dumps([self._code, IN_FORCE, options], sort_keys=True)
            self._contexts[options] = blake2b(f"{about}\n".encode(), digest_size=32)
        key = self._contexts[options].copy()
        try:
            with open(source.name, "rb") as stream:
                begun = stamp(stream)
                while block := stream.read(1 << 20):
                    key.update(block)
        except OSError:
            return None
        return _Entry(key.digest(), begun)

    def _read_or_check(self, source: Source, entry: _Entry, check: Check) -> Iterator[Report]:
        """Yield the reports of an entry. If one cannot be read, continue with those of `check`, which replace it."""
        known = 0
        with suppress(Exception):  # the entry may be damaged
            for text in self._lines(entry):
                line = json.loads(text)
                if line == known:
                    self.hits += 1
                    return
                yield unpack(line, printable_path(source.name), known)
                known += 1
        yield from islice(self._keep(check([source]), source, entry), known, None)

    def _keep(self, reports: Iterable[Report], source: Source, entry: _Entry) -> Iterator[Report]:
        """Yield reports, and cache them unless the next run may make different reports on the same file."""
        lines: list[str] = []
        total, number, size, whole = 0, 0, 0, True
        for report in reports:
            total += 1
            whole = whole and self._is_lasting(report)
            if whole:
                lines.append(json.dumps(pack(report), separators=(",", ":")))
                size += len(lines[-1])
                if size > _PART:
                    self._add(entry.key, number, lines)
                    lines, size, number = [], 0, number + 1
            yield report
        if whole and stamp(source.name) == entry.stamp:
            self._add(entry.key, number, [*lines, str(total)])

    def _is_lasting(self, report: Report) -> bool:
        """Return whether the next run would make the same report."""
        return self._is_final(report) and not any(diagnostic.code in _TRANSIENT for diagnostic in report.diagnostics)

    def _lines(self, entry: _Entry) -> Iterator[str]:
        """Yield the lines of an entry. Raises ValueError for a damaged part, IndexError without the database."""
        text = entry.text
        for number in count():
            if text is None:
                return
            digest, _, lines = text.partition("\n")
            if digest != _digest(entry.key, number, lines):
                raise ValueError("damaged")
            yield from lines.split("\n")
            text = self._database.run(_READ, (entry.key, number + 1))[0][0]

    def _add(self, key: bytes, number: int, lines: list[str]) -> None:
        """Add a part of an entry. Write the parts if they are many."""
        text = "\n".join(lines)
        self._parts.append((key, number, f"{_digest(key, number, text)}\n{text}"))
        self._size += len(self._parts[-1][2])
        if self._size > _PARTS:
            self._write()

    def _write(self) -> None:
        """Write the parts that were added."""
        self._database.run(_WRITE, *self._parts)
        self._parts, self._size = [], 0


def _digest(key: bytes, number: int, lines: str) -> str:
    """Return the digest with which a part of an entry begins."""
    return blake2b(f"{number} {lines}".encode(), key=key, digest_size=16).hexdigest()


class _Divided:
    """Reports on several sources, divided by source."""

    def __init__(self, reports: Iterable[Report]) -> None:
        self._remaining = iter(reports)
        self._next = next(self._remaining, None)

    def of(self, source: Source | Diagnostic) -> Iterator[Report]:
        """Yield the reports on the next source."""
        name = source.file or "" if isinstance(source, Diagnostic) else source.name
        file, index = printable_path(name), -1
        while (report := self._next) and report.file == file and (report.index or 0) > index:
            index = report.index or 0
            self._next = next(self._remaining, None)
            yield report


class _Database:
    """A database in a file. It is opened when it is first used; none is used after an error."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._usable = True

    def run(self, statement: str, *rows: tuple[Any, ...]) -> list[Any]:
        """Carry out a statement for each row of values in a transaction; return the first row of each result, or None.

        Return no results if that fails. A damaged database is replaced.
        """
        for _ in range(2):
            if not (rows and self._usable):
                break
            try:
                self._connection = self._connection or self._connect()
                with self._connection as connection:
                    connection.execute("BEGIN")
                    return [connection.execute(statement, values).fetchone() for values in rows]
            except Exception as error:  # some installations have no sqlite3
                self.close()
                self._usable = getattr(error, "sqlite_errorcode", 0) & 255 in _DAMAGED
                with suppress(OSError):
                    if self._usable:
                        self._path.unlink()
        return []

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        """Open or create the file. Raises ImportError, OSError, sqlite3.Error, and ValueError for a foreign file."""
        import sqlite3

        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileExistsError), open(self._path.with_name(".gitignore"), "x", encoding="utf-8") as ignored:
            ignored.write("*\n")
        with suppress(FileExistsError), open(self._path, "xb", opener=open_no_follow):  # only its owner may read it
            pass
        with open_regular(self._path) as stream:
            head = stream.read(100)
        if head and not (head.startswith(b"SQLite format 3\0") and head[68:72] == _MARK):
            raise ValueError("no cache of reports")
        connection = sqlite3.connect(self._path, timeout=_TIMEOUT)
        try:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_PART)
            connection.text_factory = partial(str, encoding="utf-8", errors="replace")
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


def pack(report: Report) -> dict[str, Any]:
    """Return a report as data for JSON, without the name of its file and its index there.

    The record is included only if a diagnostic, or one of duplicates added later, may refer to it.
    """
    data: dict[str, Any] = {
        "plies": report.plies,
        "game": report.game,
        "id": report.id,
        "result": report.result and report.result.as_data(),
        "diagnostics": [_pack_diagnostic(diagnostic) for diagnostic in report.diagnostics],
    }
    if report.lint_key is not None:
        digest, image, place = report.lint_key
        data["lint_key"] = digest.hex(), image, _pack_diagnostic(place)
    if (report.diagnostics or report.lint_key) and report.record is not None:
        data["record"] = report.record.data
    return data


def unpack(data: dict[str, Any], file: str | None, index: int | None) -> Report:
    """Return the report from the result of `pack`, with its file and index."""
    fields = dict(data)
    record, key, result = fields.pop("record", None), fields.pop("lint_key", None), fields.pop("result")
    return Report(
        diagnostics=tuple(_unpack_diagnostic(diagnostic, file) for diagnostic in fields.pop("diagnostics")),
        result=result and Outcome(**result),
        record=record and read_record(record, turns_unchecked=True),
        lint_key=key and LintKey(bytes.fromhex(key[0]), key[1], _unpack_diagnostic(key[2], file)),
        file=file,
        index=index,
        **fields,
    )


def _pack_diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    # Rules may change between runs, and so are applied to reports from the cache.
    left_out = ("file", "by", "downgraded")
    known = asdict(diagnostic).items()
    return {name: value for name, value in known if value not in (None, ()) and name not in left_out}


def _unpack_diagnostic(data: dict[str, Any], file: str | None) -> Diagnostic:
    excerpt = data.get("source_line")
    suggestions = tuple(
        Suggestion(message, tuple(Edit(*edit) for edit in edits), *effects)
        for message, edits, *effects in data.get("suggestions", ())
    )
    return Diagnostic(**{**data, "source_line": excerpt and Excerpt(*excerpt), "suggestions": suggestions}, file=file)
