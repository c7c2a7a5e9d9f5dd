"""Reports for reviewdog, which comments on pull requests: rdjson, one document, and rdjsonl, a line per diagnostic."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Any, TextIO

from hexrec import codes as code_registry
from hexrec.io.compression import decompress_stream
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output import to_text
from hexrec.output.report_formats import relative
from hexrec.util.diagnostics import Diagnostic, Edit
from hexrec.util.escaping import visible
from hexrec.validation.report import Report, Summary

_Places = Diagnostic | Edit


def write_rdjson(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write one document, without suppressed errors."""
    out.write(f'{{"source": {to_text(_source())}, "diagnostics": [')
    lead = "\n"
    columns = _Columns()
    for report in reports:
        for diagnostic in report.shown:
            out.write(f"{lead}  {to_text(_diagnostic(diagnostic, columns))}")
            lead = ",\n"
        yield report
    out.write("]}\n")


def write_rdjson_lines(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write a line for each diagnostic, without suppressed errors."""
    source, columns = _source(), _Columns()
    for report in reports:
        for diagnostic in report.shown:
            out.write(f"{to_text({**_diagnostic(diagnostic, columns), 'source': source})}\n")
        yield report


def _source() -> dict[str, str]:
    site = code_registry.site_address()
    return {"name": "hexrec", **({"url": site} if site else {})}


class _Columns:
    """Columns in bytes of UTF-8, which the format counts, read from the files themselves.

    They are known for plain files only: reviewdog comments on no other.
    """

    def __init__(self) -> None:
        self._file: str | None = None
        self._starts = array("Q")

    def range(self, file: str | None, place: _Places) -> dict[str, Any] | None:
        """Return the range of a place: with columns if they are known, else of lines; None if the line is unknown."""
        if place.line is None:
            return None
        ends = (place.line, place.column), (place.end_line or place.line, place.end_column or place.column)
        columns = [self._column(file, line, column) for line, column in ends]
        start, end = ({"line": line, "column": column} for (line, _), column in zip(ends, columns, strict=True))
        if None in columns:
            del start["column"], end["column"]
        return {"start": start, "end": end}

    def _column(self, file: str | None, line: int, column: int | None) -> int | None:
        # Another process may read a pipe, and it could be read once only.
        if file is None or column is None or not os.path.isfile(file):
            return None
        try:
            if file != self._file:
                with open(file, "rb") as stream:
                    lines = stream if decompress_stream(stream) is stream else ()
                    self._file, self._starts = file, array("Q", accumulate(map(len, lines), initial=0))
            with open(file, "rb") as stream:
                stream.seek(self._starts[line - 1])
                raw = stream.readline()
            text = raw.decode("utf-8-sig" if line == 1 else "utf-8")
        except (OSError, IndexError, UnicodeDecodeError):  # changed, compressed, or not in UTF-8
            return None
        return len(raw) - len(text[column - 1 :].encode()) + 1


def _diagnostic(diagnostic: Diagnostic, columns: _Columns) -> dict[str, Any]:
    location: dict[str, Any] = {"path": relative(diagnostic.file) or STANDARD_INPUT}
    if place := columns.range(diagnostic.file, diagnostic):
        location["range"] = place
    page = code_registry.address(diagnostic.code)
    data: dict[str, Any] = {
        "message": visible(diagnostic.advised),
        "location": location,
        "severity": "INFO" if diagnostic.ignored else diagnostic.severity.upper(),
        "code": {"value": diagnostic.code, **({"url": page} if page else {})},
    }
    # A suggestion of the format is one edit of known columns, which a person accepts as it is.
    edits = [each.edits[0] for each in diagnostic.suggestions if each.complete and len(each.edits) == 1]
    ranges = [(columns.range(diagnostic.file, edit), edit.text) for edit in edits]
    if known := [{"range": place, "text": text} for place, text in ranges if place and "column" in place["start"]]:
        data["suggestions"] = known
    return data
