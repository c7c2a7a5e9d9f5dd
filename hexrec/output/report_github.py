"""Report for GitHub Actions: workflow commands, which the runner turns into annotations on lines."""

from __future__ import annotations

from collections.abc import Mapping

from hexrec.output.report_formats import Reporter, relative
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import escape, visible
from hexrec.validation.report import Report
from hexrec.validation.summary import Summary

# The escapes that the runner decodes; it decodes no others.
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = {**_IN_MESSAGES, **str.maketrans({":": "%3A", ",": "%2C"})}


class GitHubReporter(Reporter):
    """Writes a command for every diagnostic, then a plain line with the totals."""

    def record(self, report: Report) -> None:
        self._out.writelines(_command(diagnostic) + "\n" for diagnostic in report.diagnostics)

    def finish(self, summary: Summary) -> None:
        self._out.write(summary.line() + "\n")


def _command(diagnostic: Diagnostic) -> str:
    properties = ",".join(
        f"{name}={escape(str(value).translate(_IN_PROPERTIES))}"
        for name, value in _properties(diagnostic).items()
        if value is not None
    )
    return f"::{diagnostic.severity} {properties}::{visible(diagnostic.advised.translate(_IN_MESSAGES))}"


def _properties(diagnostic: Diagnostic) -> Mapping[str, object]:
    properties: dict[str, object] = {"file": relative(diagnostic.file), "line": diagnostic.line}
    # The runner accepts columns only for a place within one line.
    if diagnostic.line == diagnostic.end_line:
        properties |= {"col": diagnostic.column, "endLine": diagnostic.end_line, "endColumn": diagnostic.end_column}
    else:
        properties["endLine"] = diagnostic.end_line
    return properties | {"title": diagnostic.code}
