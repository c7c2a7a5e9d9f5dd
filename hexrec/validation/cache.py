"""Cache of reports between runs: the reports on the records of a file, or of some lines of a JSON Lines file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hexrec.io.store import Store
from hexrec.record.validation import read_record
from hexrec.rules.terms import Outcome
from hexrec.util.diagnostics import Diagnostic, Edit, Excerpt, Suggestion
from hexrec.util.hashing import blake2b
from hexrec.util.limits import IN_FORCE
from hexrec.util.plugins import code_versions
from hexrec.validation.clean import Clean, report_on
from hexrec.validation.report import NOT_VALIDATED, LintKey, Report, Summary

#: The codes of diagnostics that the next run may not repeat for the same records. An unknown game may be in a plug-in
#: that could not be imported.
_TRANSIENT = {"lint/future-date", "schema/unknown-game", *NOT_VALIDATED}
#: The maximum number of characters of an entry, which a process has in memory.
_LARGEST = 1 << 26


class Cache:
    """Entries with reports in a store, under keys of some content, the versions of the code, limits and options.

    It can be pickled.
    """

    def __init__(self, folder: Path | None, **options: object) -> None:
        """Use a directory, by default the one in the user's cache directory. All reports depend on the `options`.

        Raises RuntimeError if the user has no home directory.
        """
        if folder is None:
            from platformdirs import user_cache_path

            folder = user_cache_path("hexrec", appauthor=False, opinion=False) / "reports"
            if not folder.is_absolute():  # older versions of platformdirs leave a tilde
                raise RuntimeError("there is no home directory")
        self._store = Store(folder / "reports.sqlite", 2 * _LARGEST)
        self._about = json.dumps([code_versions(), IN_FORCE, options], sort_keys=True)

    def key(self, content: bytes, *about: object) -> bytes:
        """Return the key of an entry about some content, which depends on other values too."""
        key = blake2b(f"{self._about} {about}\n".encode(), digest_size=32)
        key.update(content)
        return key.digest()

    @contextmanager
    def open(self, keys: Iterable[bytes]) -> Iterator[Entries]:
        """Read the entries of some keys together; at the end, write the new ones together, as others wait meanwhile."""
        entries = Entries(self._store.read(keys))
        yield entries
        if entries.new:
            self._store.write(entries.new)


class Entries:
    """Entries of a cache.

    Attributes:
        new: the entries that were added.
    """

    def __init__(self, known: Mapping[bytes, bytes]) -> None:
        self._known = known
        self.new: dict[bytes, bytes] = {}

    def read(self, key: bytes, file: str, *, cached: bool) -> Iterator[Report | Summary]:
        """Yield the counts and the reports of an entry, for a file; nothing without an entry.

        `cached` says whether to count the file as cached.
        """
        if key in self._known:
            counts, *lines = map(json.loads, self._known[key].split(b"\n"))
            yield Summary(**counts, cached=cached)
            yield from (unpack(data, file, index) for index, data in lines)

    def add(self, key: bytes, records: Iterable[Clean | Report], *, counts: bool) -> Iterator[Clean | Report]:
        """Yield records, and add them as an entry, unless another run may report on them otherwise.

        With `counts`, clean records are only counted.
        """
        summary, lines, size, lasts = Summary(), [""], 0, True
        for record in records:
            if counts and isinstance(record, Clean):
                summary.add(record.number, len(record.turns), valid=True)
            elif lasts:
                report = report_on(record)
                lines.append(json.dumps([report.index, pack(report)], separators=(",", ":")))
                size += len(lines[-1])
                lasts = size <= _LARGEST and not any(known.code in _TRANSIENT for known in report.diagnostics)
            yield record
        if lasts:
            lines[0] = json.dumps(summary.data())
            self.new[key] = "\n".join(lines).encode()


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
