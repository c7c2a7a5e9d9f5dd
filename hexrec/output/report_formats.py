"""Registry of the report formats.

A new format is a `ReportWriter` and one line in `_FORMATS`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from shutil import copyfileobj
from typing import TextIO, cast
from urllib.parse import quote

from hexrec.io.discovery import STANDARD_INPUT
from hexrec.io.remote import is_address
from hexrec.output import OutputFormats
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report, Summary

#: A function that yields reports and writes them to a file. The summary is complete when the reports end.
ReportWriter = Callable[[Iterable[Report], Summary, TextIO], Iterator[Report]]

_FORMATS = OutputFormats[ReportWriter](
    "report",
    {
        "text": ("report_text:write_text", (".txt", ".log")),
        "json": ("report_json:write_json", (".json",)),
        "jsonl": ("report_json:write_json_lines", (".jsonl", ".ndjson")),
        "sarif": ("report_sarif:write_sarif", (".sarif", ".sarif.json", ".json")),
        "gitlab": ("report_gitlab:write_gitlab", ("gl-code-quality-report.json", ".json")),
        "rdjson": ("report_rdjson:write_rdjson", (".rdjson", ".json")),
        "rdjsonl": ("report_rdjson:write_rdjson_lines", (".rdjsonl", ".jsonl", ".ndjson")),
        "junit": ("report_junit:write_junit", (".xml",)),
        "github": ("report_github:write_github", (".txt", ".log")),
        "markdown": ("report_github:write_markdown", (".md",)),
    },
)
#: The formats with an entry for every record; others have one for every diagnostic.
LISTING = ("json", "jsonl", "junit")
names, suffixes, get = _FORMATS.names, _FORMATS.suffixes, _FORMATS.get


def write(name: str, reports: Iterable[Report], out: TextIO) -> Summary:
    """Write a complete report file and return the totals."""
    summary = Summary()
    for _ in get(name)(summary.count(reports), summary, out):
        pass
    return summary


_IN_MEMORY = 16 * 1024 * 1024


def new_spool() -> TextIO:
    """Return a text file in memory that moves to disk when it grows large, and is deleted when it is closed."""
    from tempfile import SpooledTemporaryFile  # slow to import, and most reports need none

    return cast(TextIO, SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline=""))


def copy_spooled(spooled: TextIO, out: TextIO) -> None:
    """Copy a spooled file to another stream."""
    spooled.seek(0)
    copyfileobj(spooled, out)


def relative(file: str | None) -> str | None:
    """Return a path relative to the current directory if the file is below it, else unchanged; None for stdin.

    The URL of a remote file stays unchanged.
    """
    if file is None or file == STANDARD_INPUT:
        return None
    if is_address(file):
        return file
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


_PLACE = r"\b(line|column) \d+"


class Fingerprints:
    """Strings that identify the diagnostics of a file across edits of the file.

    A fingerprint covers the diagnostic and its place in the record. It does not cover the index and the lines of the
    record, which change when other records are added. Equal diagnostics of a file are numbered.
    """

    def __init__(self) -> None:
        self._seen = Counter[bytes]()
        self._file: str | None = None
        self._record = 0

    def of_report(self, report: Report) -> Iterator[tuple[Diagnostic, str]]:
        """Yield the diagnostics of a report, each with its fingerprint. Reports come in the order of a run."""
        if report.file != self._file or (report.index or 0) <= self._record:
            self._seen.clear()
        self._file, self._record = report.file, report.index or 0
        for diagnostic in report.diagnostics:
            digest = _digest(diagnostic)
            self._seen[digest] += 1
            yield diagnostic, f"{digest.hex()}:{self._seen[digest]}"


def _digest(diagnostic: Diagnostic) -> bytes:
    from hashlib import sha256  # loads OpenSSL

    message = re.sub(_PLACE, r"\1", diagnostic.message)
    parts = (diagnostic.code, diagnostic.id, diagnostic.pointer, diagnostic.turn, message)
    return sha256(json.dumps(parts).encode()).digest()[:16]


def uri(file: str | None) -> str | None:
    """Return the result of `relative` as a URI: relative below the current directory, else with the scheme ``file``."""
    path = relative(file)
    if path is None:
        return None
    if is_address(path):
        return quote(path, safe="/:@?&=%")
    return Path(path).as_uri() if Path(path).is_absolute() else quote(path)
