"""Reports for GitHub: workflow commands, which the runner turns into annotations on lines, and Markdown for pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TextIO

from hexrec.output.report_formats import relative
from hexrec.rules.terms import pluralize
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import escape, visible
from hexrec.validation.report import Report, Summary

# The escapes that the runner decodes; it decodes no others.
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = {**_IN_MESSAGES, **str.maketrans({":": "%3A", ",": "%2C"})}
#: The number of annotations of each kind that GitHub shows for a step.
_MAX_ANNOTATIONS = 10
#: The maximum size of the table: GitHub refuses a job summary larger than 1 MiB.
_MAX_BYTES = 1_000_000
_HEAD = "| place | severity | code | diagnostic |\n|---|---|---|---|\n"
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]")


def write_github(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write a command for each diagnostic, a notice for an ignored error; then the totals as plain lines.

    GitHub shows the first commands of each kind only. Further diagnostics are plain lines of the log, and are counted.
    """
    counts = Counter[str]()
    for report in reports:
        for diagnostic in report.diagnostics:
            kind = "notice" if diagnostic.ignored else diagnostic.severity
            counts[kind] += 1
            shown = counts[kind] <= _MAX_ANNOTATIONS
            out.write((_command(kind, diagnostic) if shown else f"- {diagnostic}") + "\n")
        yield report
    for name, count in counts.items():
        if (more := count - _MAX_ANNOTATIONS) > 0:
            reason = f"GitHub shows {_MAX_ANNOTATIONS} of each kind"
            out.write(f"{pluralize(more, name)} without an annotation ({reason}): see the lines that begin with -\n")
    out.writelines(f"{line}\n" for line in summary.lines())


def _command(kind: str, diagnostic: Diagnostic) -> str:
    properties: dict[str, object] = {"file": relative(diagnostic.file), "line": diagnostic.line}
    if diagnostic.line == diagnostic.end_line:  # the runner accepts columns only for a place within one line
        properties |= {"col": diagnostic.column, "endLine": diagnostic.end_line, "endColumn": diagnostic.end_column}
    else:
        properties["endLine"] = diagnostic.end_line
    properties["title"] = diagnostic.code
    known = {name: str(value) for name, value in properties.items() if value is not None}
    listed = ",".join(f"{name}={escape(value.translate(_IN_PROPERTIES))}" for name, value in known.items())
    message = f"{_note(diagnostic)}{diagnostic.advised}".translate(_IN_MESSAGES)
    return f"::{kind} {listed}::{visible(message)}"


def _note(diagnostic: Diagnostic) -> str:
    return f"ignored by {diagnostic.by}: " if diagnostic.ignored else ""


def write_markdown(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write the totals, then a table of the diagnostics without suppressed errors, in GitHub's Markdown.

    Diagnostics beyond the maximum size are counted only.
    """
    rows: list[str] = []
    bytes_left, left_out = _MAX_BYTES, 0
    for report in reports:
        for diagnostic in report.shown:
            row = _row(diagnostic)
            bytes_left -= len(row.encode())
            if bytes_left >= 0:
                rows.append(row)
            else:
                left_out += 1
        yield report
    outcome = "invalid" if summary.exit_code else "accepted" if summary.accepted else "valid"
    totals, *accepted = summary.lines()
    out.write(f"## hexrec: {outcome}\n\n{totals}\n")
    out.writelines(f"\n{_escape(line)}\n" for line in accepted)
    if rows:
        out.writelines([f"\n{_HEAD}", *rows])
    if left_out:
        out.write(f"\nNot shown: {pluralize(left_out, 'more diagnostic')}.\n")


def _row(diagnostic: Diagnostic) -> str:
    # GitHub turns `:100:` into an emoji outside code.
    place = f"<code>{_escape(diagnostic.place)}</code>" if diagnostic.place else ""
    message = _escape(f"{_note(diagnostic)}{diagnostic.advised}")
    return f"| {place} | {diagnostic.severity} | <code>{diagnostic.code}</code> | {message} |\n"


def _escape(text: str) -> str:
    """Escape a string for Markdown, on one line."""
    return _SPECIAL.sub(r"\\\g<0>", visible(" ".join(text.split())))
