"""The text report, for people: one stable form in files and pipes, another on terminals.

In files and pipes a diagnostic is a line, which other programs may match. On a terminal the diagnostics are grouped by
file, and messages are wrapped.
"""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from textwrap import indent, wrap
from typing import NamedTuple, TextIO
from unicodedata import category, east_asian_width

from hexrec.record.replay import replay
from hexrec.rules.terms import pluralize
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible, without_escaping
from hexrec.validation.report import Report, Summary

#: The indentation of messages on a terminal.
_INDENT = "    "
_STYLES = {"bold": "1", "error": "1;31", "warning": "1;33", "code": "36", "frame": "34", "help": "1;32", "note": "1"}


class TextStyle(NamedTuple):
    """The form of diagnostics on a stream.

    Attributes:
        color: whether to use color.
        width: the width of the terminal; None for other streams.
    """

    color: bool = False
    width: int | None = None

    def paint(self, text: str, style: str) -> str:
        """Return a text with the codes of a style, if color is used."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color and text else text


#: The form in files and pipes.
PLAIN = TextStyle()


def style_of(stream: TextIO) -> TextStyle:
    """Return the form of diagnostics on a stream, as the environment asks for."""
    is_terminal = stream.isatty()
    can_color = is_terminal and os.environ.get("TERM") not in ("dumb", "unknown")
    color = "NO_COLOR" not in os.environ and (can_color or bool(os.environ.get("FORCE_COLOR")))
    return TextStyle(color, max(40, get_terminal_size().columns) if is_terminal else None)


def write_text(
    reports: Iterable[Report], summary: Summary, out: TextIO, *, board: bool = False, totals: bool = True
) -> Iterator[Report]:
    """Write the diagnostics, then the totals. Suppressed errors are only counted.

    With `board`, the position before an illegal turn follows its diagnostic. On a terminal, the next steps follow the
    totals.
    """
    style = style_of(out)
    out = without_escaping(out)
    heading, first_code = None, ""
    repairable: Counter[str] = Counter()
    for report in reports:
        if shown := report.shown:
            first_code = first_code or shown[0].code
            if report.file and any(suggestion.best for suggestion in report.suggestions):
                repairable[report.file] += 1
        for diagnostic in shown:
            if style.width is not None and heading != diagnostic.file:
                heading = diagnostic.file
                out.write(style.paint(visible(heading or ""), "bold") + "\n")
            out.write(format_diagnostic(diagnostic, style, grouped=style.width is not None))
            if board:
                out.write(_position(report, diagnostic))
            if style.width is not None:
                out.write("\n")
        yield report
    if totals:
        out.writelines(f"{line}\n" for line in summary.lines())
        if style.width is not None:
            out.writelines(f"{style.paint('help', 'help')}: {line}\n" for line in _next_steps(first_code, repairable))


def write_statistics(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write the number of diagnostics by code, then the totals. Suppressed errors are only counted."""
    counts: Counter[tuple[str, str]] = Counter()
    for report in reports:
        counts.update((each.code, each.severity) for each in report.shown)
        yield report
    style = style_of(out)
    out = without_escaping(out)
    width = len(f"{max(counts.values(), default=0):,}")
    for (code, severity), number in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        out.write(f"{number:>{width},}  {style.paint(severity, severity):<7}  {code}\n")
    out.writelines(f"{line}\n" for line in summary.lines())


def _next_steps(code: str, repairable: Counter[str]) -> Iterator[str]:
    """Yield the commands that help with a run: with its first code, and with the records to repair, by file."""
    if repairable:
        path = shlex.quote(visible(*repairable)) if len(repairable) == 1 else "PATH..."
        repairs = f"repairs {pluralize(repairable.total(), 'record')} (--diff shows the changes)"
        yield f"`hexrec fix --suggestions {path}` {repairs}"
    if code:
        yield f"`hexrec explain {code}` explains the code"


def format_diagnostic(diagnostic: Diagnostic, style: TextStyle = PLAIN, *, grouped: bool = False) -> str:
    """Return a diagnostic with its source line, and a line for each suggestion.

    In a group, the file stands above.
    """
    if style.width is not None:
        return _format_for_terminal(diagnostic, style, style.width, grouped=grouped)
    line = str(diagnostic)
    if style.color:
        before = f"{diagnostic.place}: " if diagnostic.place else ""
        rest = line.removeprefix(f"{before}{diagnostic.severity} {diagnostic.code}")
        line = f"{style.paint(before, 'bold')}{_kind(diagnostic, style)}{rest}"
    below = [
        *source(diagnostic, style),
        *(line.replace("help", style.paint("help", "help"), 1) for line in helps(diagnostic)),
    ]
    return f"{line}\n" + "".join(f"  {line}\n" for line in below)


def _format_for_terminal(diagnostic: Diagnostic, style: TextStyle, width: int, *, grouped: bool) -> str:
    place = diagnostic.place
    if grouped:
        place = ":".join(str(part) for part in (diagnostic.line, diagnostic.column) if part is not None)
    ignored = f" (ignored by {diagnostic.by})" if diagnostic.ignored else ""
    subject = f": {diagnostic.subject}" if diagnostic.subject else ""
    head = f"{style.paint(place, 'bold')} " if place else ""
    lines = [f"{'  ' if grouped else ''}{head}{_kind(diagnostic, style)}{visible(ignored + subject)}"]
    space = width - len(_INDENT)
    message, note = visible(diagnostic.message), ""
    if len(message) > space:
        message, note = _split_note(message)
    below = [*_wrap(message, space), *source(diagnostic, style, space)]
    for name, text in (("note", note), *(("help", visible(each.message)) for each in diagnostic.suggestions)):
        if text:
            first, *more = _wrap(text, space - len("help: "))
            below += [f"{style.paint(name, name)}: {first}", *(f"      {line}" for line in more)]
    return "".join(f"{line}\n" for line in [*lines, *(f"{_INDENT}{line}" for line in below)])


def _kind(diagnostic: Diagnostic, style: TextStyle) -> str:
    severity = diagnostic.severity
    return f"{style.paint(severity, severity)} {style.paint(diagnostic.code, 'code')}"


def _wrap(text: str, width: int) -> list[str]:
    return wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _split_note(message: str) -> tuple[str, str]:
    """Return a message without the final words in parentheses, and these."""
    depth = 0
    for place in range(len(message) - 1, 0, -1) if message.endswith(")") else ():
        depth += {")": 1, "(": -1}.get(message[place], 0)
        if not depth:
            return (message[: place - 1], message[place + 1 : -1]) if message[place - 1] == " " else (message, "")
    return message, ""


def helps(diagnostic: Diagnostic) -> list[str]:
    """Return a line for each suggestion of a diagnostic."""
    return [f"help: {visible(suggestion.message)}" for suggestion in diagnostic.suggestions]


def source(diagnostic: Diagnostic, style: TextStyle = PLAIN, width: int | None = None) -> list[str]:
    """Return the source line of a diagnostic, and a line with carets below it; nothing if the line is unknown.

    A long line is cut around the place. For a place of several lines, the carets go to the end of the first.
    """
    shown = diagnostic.source_line
    if shown is None or diagnostic.line is None or diagnostic.column is None or diagnostic.end_column is None:
        return []
    start = diagnostic.column - shown.column
    end = diagnostic.end_column - shown.column if diagnostic.end_line == diagnostic.line else len(shown.text.rstrip())
    before, after = "…" if shown.column > 1 else "", "…" if shown.cut else ""
    text = shown.text.replace("\t", " ")
    number = str(diagnostic.line)
    space = len(text) if width is None else max(start + 1, width - len(f"{number} | ……"))
    if len(text) > space:
        text, after, end = text[:space], "…", min(end, space)
    carets = "^" * max(1, _width(visible(text[start:end])))
    margin = " " * _width(before + visible(text[:start]))
    return [
        f"{style.paint(number, 'frame')} {style.paint('|', 'frame')} {before}{visible(text)}{after}".rstrip(),
        f"{' ' * len(number)} {style.paint('|', 'frame')} {margin}{style.paint(carets, diagnostic.severity)}",
    ]


def _width(text: str) -> int:
    """Return the width of printable characters in columns of a terminal."""
    return sum(0 if category(char) in ("Mn", "Me") else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _position(report: Report, diagnostic: Diagnostic) -> str:
    """Return the position before a turn of the main line, indented; empty for other diagnostics."""
    if report.record is None or diagnostic.ply is None or diagnostic.code.startswith("variation/"):
        return ""
    # Few reports show positions, and the renderer takes long to import.
    from hexrec.render.text import describe

    position = replay(report.record, diagnostic.ply - 1).position
    return indent(f"\n{describe(position)}\n\n{position}\n\n", "    ") if position else ""
