"""The report for GitHub Actions: workflow commands, which the runner turns into annotations on the lines they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TextIO

from hexrec.check import Report
from hexrec.check.summary import Summary
from hexrec.diagnostics import Diagnostic
from hexrec.escaping import escaped, visible
from hexrec.reporters.paths import relative
from hexrec.reporters.text import statement

# How the runner reads a command back: these characters are escaped, nothing else is.
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = {**_IN_MESSAGES, **str.maketrans({":": "%3A", ",": "%2C"})}


def write(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write a command for every finding as it comes, and a plain line with the sums."""
    for report in reports:
        for finding in report.diagnostics:
            out.write(_command(finding) + "\n")
        yield report
    out.write(summary.line() + "\n")


def _command(finding: Diagnostic) -> str:
    properties = ",".join(
        f"{name}={escaped(str(value).translate(_IN_PROPERTIES))}"
        for name, value in _properties(finding).items()
        if value is not None
    )
    return f"::{finding.severity} {properties}::{visible(statement(finding).translate(_IN_MESSAGES))}"


def _properties(finding: Diagnostic) -> Mapping[str, object]:
    properties: dict[str, object] = {"file": relative(finding.file), "line": finding.line}
    # The runner takes columns only for a place within one line.
    if finding.line == finding.end_line:
        properties |= {"col": finding.column, "endLine": finding.end_line, "endColumn": finding.end_column}
    else:
        properties["endLine"] = finding.end_line
    return properties | {"title": finding.code}
