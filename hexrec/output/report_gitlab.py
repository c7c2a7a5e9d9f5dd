"""Report for merge requests on GitLab: the format of its code quality reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output import to_text
from hexrec.output.report_formats import Fingerprints, relative
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible
from hexrec.validation.report import Report, Summary


def write_gitlab(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write an array with an object for each diagnostic, without suppressed errors."""
    fingerprints = Fingerprints()
    lead = "\n"
    out.write("[")
    for report in reports:
        for diagnostic, fingerprint in fingerprints.of_report(report):
            if not diagnostic.suppressed:
                out.write(f"{lead}  {to_text(_issue(diagnostic, fingerprint))}")
                lead = ",\n"
        yield report
    out.write("]\n")


def _issue(diagnostic: Diagnostic, fingerprint: str) -> dict[str, Any]:
    path = relative(diagnostic.file) or STANDARD_INPUT
    lines = {"begin": diagnostic.line or 1, "end": diagnostic.end_line or diagnostic.line or 1}
    return {
        "description": visible(diagnostic.advised),
        "check_name": diagnostic.code,
        # GitLab compares the fingerprints of all files.
        "fingerprint": f"{path}:{fingerprint}",
        "severity": "info" if diagnostic.ignored else "major" if diagnostic.severity == "error" else "minor",
        "location": {"path": path, "lines": lines},
    }
