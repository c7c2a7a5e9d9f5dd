"""Cache of reports between runs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import chain, count, islice
from operator import attrgetter
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import IO, Any, get_args

from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.io.outputs import atomic_write
from hexrec.io.stamps import Stamp, stamp
from hexrec.record.validation import read_record
from hexrec.rules.terms import Outcome
from hexrec.util.diagnostics import Diagnostic, Edit, Excerpt, Severity, Suggestion
from hexrec.util.limits import IN_FORCE, MAX_RECORD_BYTES
from hexrec.util.plugins import code_versions
from hexrec.util.regular_files import open_regular
from hexrec.validation.report import NOT_VALIDATED, LintKey, Report
from hexrec.validation.sources import printable_path

#: The codes of diagnostics that the next run may not repeat for the same file. An unknown game may be in a plug-in that
#: could not be imported.
_TRANSIENT = {"lint/future-date", "schema/unknown-game", *NOT_VALIDATED}

#: The maximum number of characters of an entry in memory; larger ones go to a temporary file.
_IN_MEMORY = 2**20
#: Maximum bytes of a line. Six characters may escape a byte of a record.
_LONGEST_LINE = 8 * MAX_RECORD_BYTES
#: Attributes of diagnostics that are strings or None, and numbers or None.
_STRINGS = attrgetter("id", "pointer", "turn")
_NUMBERS = attrgetter("record", "line", "column", "end_line", "end_column", "within", "ply")

Check = Callable[[list[Source | Diagnostic]], Iterable[Report]]


class Cache:
    """A directory of cached reports. The key is the content of the file, the versions of the code, limits and options.

    The directory has one entry for each file of records: a line of JSON for each report, then their number. Entries do
    not depend on the name of the file of records. A cache that cannot be read or written never makes a run fail: the
    file is checked again, as for an entry of another form. An entry that is no regular file is never replaced.

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
        self._folder = folder

    def reports(self, sources: Iterable[Source | Diagnostic], check: Check) -> Generator[Report, None, None]:
        """Yield the cached reports on sources. Without an entry, yield the reports of `check` and cache them."""
        for source in sources:
            if isinstance(source, Diagnostic) or (entry := self._entry(source)) is None:
                yield from check([source])
            else:
                yield from self._read_or_check(*entry, source, check)

    def _entry(self, source: Source) -> tuple[Path, Stamp | None] | None:
        """Return the path of the entry for a source, and the source's stamp; None if it can be read only once."""
        if source.name == STANDARD_INPUT or not os.path.isfile(source.name):  # a member of an archive is not a file
            return None
        context = json.dumps([self._code, IN_FORCE, self._options(source.name), source.format], sort_keys=True)
        from hashlib import sha256  # loads OpenSSL

        key = sha256(f"{context}\n".encode())
        try:
            with open(source.name, "rb") as stream:
                begun = stamp(stream)
                while block := stream.read(1 << 20):
                    key.update(block)
        except OSError:
            return None
        name = key.hexdigest()
        return self._folder / name[:2] / name[2:], begun

    def _read_or_check(self, entry: Path, begun: Stamp | None, source: Source, check: Check) -> Iterator[Report]:
        """Yield the reports of an entry. If one cannot be read, continue with those of `check`, which replace it."""
        known = 0
        with suppress(Exception), open_regular(entry) as stream:  # the entry may be damaged or from another program
            for known in count():
                line = json.loads(stream.readline(_LONGEST_LINE))
                if line == known:
                    self.hits += 1
                    return
                yield unpack(line, printable_path(source.name), known)
        yield from islice(self._keep(entry, check([source]), source.name, begun), known, None)

    def _keep(self, entry: Path, reports: Iterable[Report], file: str, begun: Stamp | None) -> Iterator[Report]:
        """Yield reports, and cache them unless the next run may make different reports on the same file."""
        with SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="") as lines:
            number, whole = 0, True
            for report in reports:
                whole = whole and self._write(report, lines)
                number += 1
                yield report
            if whole and stamp(file) == begun:
                self._publish(lines, number, entry)

    def _write(self, report: Report, lines: IO[str]) -> bool:
        """Write the line of a report; return False if the next run may make another one, or if writing fails."""
        if any(diagnostic.code in _TRANSIENT for diagnostic in report.diagnostics) or not self._is_final(report):
            return False
        with suppress(OSError):
            lines.write(json.dumps(pack(report), separators=(",", ":")) + "\n")
            return True
        return False

    def _publish(self, lines: IO[str], number: int, entry: Path) -> None:
        """Write an entry from the lines of its reports, unless that fails."""
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            entry.parent.mkdir(exist_ok=True)
            if entry.parent.is_symlink() or entry.is_symlink() or (entry.exists() and not entry.is_file()):
                return
            with suppress(FileExistsError), open(self._folder / ".gitignore", "x", encoding="utf-8") as ignored:
                ignored.write("*\n")
            lines.seek(0)
            with atomic_write(entry, sync=False) as out:
                copyfileobj(lines, out)
                out.write(f"{number}\n")


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
    """Return the report from the result of `pack`, with its file and index. Raises an exception for another form."""
    fields = dict(data)
    record = fields.pop("record", None)
    key = fields.pop("lint_key", None)
    result = fields.pop("result")
    _expect(int, fields["plies"])
    _expect(str | None, fields["game"], fields["id"])
    return Report(
        diagnostics=tuple(_unpack_diagnostic(diagnostic, file) for diagnostic in fields.pop("diagnostics")),
        result=result and _unpack_outcome(result),
        record=record and read_record(record, turns_unchecked=True),
        lint_key=key and _unpack_lint_key(key, file),
        file=file,
        index=index,
        **fields,
    )


def _pack_diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    # Rules may change between runs, and so are applied to reports from the cache.
    known = asdict(diagnostic).items()
    return {
        name: value
        for name, value in known
        if value is not None and value != () and name not in ("file", "by", "downgraded")
    }


def _unpack_lint_key(data: list[Any], file: str | None) -> LintKey:
    digest, image, place = data
    _expect(int, image)
    return LintKey(bytes.fromhex(digest), image, _unpack_diagnostic(place, file))


def _unpack_outcome(data: dict[str, Any]) -> Outcome:
    outcome = Outcome(**data)
    _expect(str | None, outcome.winner)
    _expect(str, outcome.termination)
    _expect(dict | None, outcome.score)
    return outcome


def _unpack_diagnostic(data: dict[str, Any], file: str | None) -> Diagnostic:
    excerpt = data.get("source_line")
    suggestions = tuple(
        Suggestion(message, tuple(Edit(*edit) for edit in edits), *effects)
        for message, edits, *effects in data.get("suggestions", ())
    )
    known = {**data, "source_line": excerpt and Excerpt(*excerpt), "suggestions": suggestions}
    diagnostic = Diagnostic(**known, file=file)
    _expect(str, diagnostic.code, diagnostic.message, *(suggestion.message for suggestion in suggestions))
    _expect(str | None, *_STRINGS(diagnostic))
    _expect(int | None, *_NUMBERS(diagnostic))
    _expect(type(None), diagnostic.by)  # settings are applied to cached reports, and are no part of them
    _expect(bool, diagnostic.downgraded)
    if diagnostic.severity not in get_args(Severity):
        raise ValueError(diagnostic.severity)
    if diagnostic.source_line is not None:
        _expect(str, diagnostic.source_line.text)
        _expect(int, diagnostic.source_line.column, diagnostic.source_line.cut)
    for edit in chain.from_iterable(suggestion.edits for suggestion in suggestions):
        _expect(str, edit.pointer, edit.text)
        _expect(int | None, edit.line, edit.column, edit.end_line, edit.end_column)
    return diagnostic


def _expect(kind: Any, *values: object) -> None:
    """Raise TypeError if a value has another type."""
    if not all(isinstance(value, kind) for value in values):
        raise TypeError(values)
