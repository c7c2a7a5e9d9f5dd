"""Documents made from the commands: their sections on the page of the command line, and the manual pages.

`python docs/hooks/commands.py` writes the manual pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

import typer

from hexrec.cli import COMMANDS, EXAMPLES, build, describe_parameter, groups, import_command

#: The manual pages, in the source tree.
PAGES = Path(__file__).parent.parent / "man"
#: What changes how every command works, from outside; names and what they do.
_ENVIRONMENT = {
    "NO_COLOR": "Print no colors, whatever this is set to.",
    "FORCE_COLOR": "Print colors and marks even where the output is not a terminal.",
    "COLUMNS": "How wide the output may be, instead of the width of the terminal.",
    "HEXREC_PURE": "Set to 1, interpret the rules, even if they are compiled.",
    "HEXREC_REQUIRE_COMPILED": "Set to 1, exit with 2 if the rules are not compiled.",
    "HEXREC_DEBUG": "Print the traceback of an error in hexrec itself.",
    "HEXREC_SITE": "The address of the site, to which SARIF and explain refer for each code.",
    "XDG_CACHE_HOME": "The directory of cached reports, in its directory hexrec; by default ~/.cache.",
}
_FILES = {
    "hexrec.toml": "The settings of a project, in the nearest folder above each file that has them.",
    "pyproject.toml": "The same, in the table tool.hexrec.",
}
_EXIT_STATUS = {
    "0": "All is well.",
    "1": "Something is wrong in the data.",
    "2": "An input could not be read at all, an output could not be written, or the command line is wrong.",
}
#: What roff would take for something else, and how it is written; the backslash first.
_ESCAPES = {"\\": "\\e", "-": "\\-", "'": "\\(aq", '"': "\\(dq", "`": "\\(ga"}
#: How long the lines of manual pages may be, which must have a date.
_WIDTH, _DATE = 78, "2026-11-22"


def pages() -> dict[str, str]:
    """Return the manual pages, in section 1, by file name."""
    whole, context = _whole()
    commands = [(f"hexrec-{name}(1)", summary) for name, summary in COMMANDS.items()]
    parts = [
        *_heading("hexrec", str(whole.help)),
        *_synopsis("hexrec", ["[OPTIONS]", "COMMAND", "[ARGUMENTS]"]),
        *_listed("OPTIONS", (describe_parameter(each, context) for each in whole.get_params(context))),
        *_listed("COMMANDS", commands),
        *_listed("EXAMPLES", EXAMPLES),
        *_listed("EXIT STATUS", _EXIT_STATUS.items()),
        *_listed("ENVIRONMENT", _ENVIRONMENT.items()),
        *_listed("FILES", _FILES.items()),
    ]
    made = {"hexrec.1": _page(parts)}
    for name, summary in COMMANDS.items():
        made[f"hexrec-{name}.1"] = _page(_command_page(name, summary, context))
    return made


def command_sections() -> str:
    """Return the sections on all commands, as Markdown: every option once, with the examples."""
    _, context = _whole()
    lines = ["## Commands"]
    for name, summary in COMMANDS.items():
        command, own = _of_command(name, context)
        usage = " ".join(["hexrec", name, *command.collect_usage_pieces(own)])
        lines += ["", f"### hexrec {name}", "", summary, "", "```text", usage, "```", "", str(command.help)]
        for heading, parameters in groups(command, own).items():
            lines += ["", f"| {heading.lower()} | |", "|---|---|"]
            for form, meaning in (describe_parameter(each, own) for each in parameters):
                lines.append(f"| `{form}` | {_in_a_cell(meaning)} |")
        for line, meaning in command.examples:
            lines += ["", meaning, "", "```sh", line, "```"]
    return "\n".join(lines) + "\n"


def _in_a_cell(text: str) -> str:
    """Return a line of text as it stands in a table in Markdown."""
    return re.sub(r"([|<>*_\[\]{}\\])", r"\\\1", text)


def _command_page(name: str, summary: str, parent: typer.Context) -> Iterator[str]:
    command, context = _of_command(name, parent)
    yield from _heading(f"hexrec-{name}", summary)
    yield from _synopsis(f"hexrec {name}", command.collect_usage_pieces(context))
    yield ".SH DESCRIPTION"
    for number, paragraph in enumerate(str(command.help).split("\n\n")):
        yield from [".PP"] if number else []
        yield _escaped(paragraph)
    for heading, parameters in groups(command, context).items():
        yield from _listed(heading.upper(), (describe_parameter(each, context) for each in parameters))
    yield from _listed("EXAMPLES", command.examples)
    yield from (".SH SEE ALSO", ".BR hexrec (1)")


def _heading(name: str, summary: str) -> Iterator[str]:
    yield f'.TH {name.upper()} 1 {_DATE} "hexrec" "hexrec"'
    yield from (".SH NAME", _escaped(f"{name} - {summary.rstrip('.')}"))


def _synopsis(command: str, pieces: Iterable[str]) -> Iterator[str]:
    yield from (".SH SYNOPSIS", _bold(command), _escaped(" ".join(pieces)))


def _listed(heading: str, entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield f".SH {_escaped(heading)}"
    for name, meaning in entries:
        yield from (".TP", _bold(name), _escaped(meaning))


def _bold(text: str) -> str:
    return ".B " + _escaped(text).replace("\n", "\n.B ")


def _escaped(text: str) -> str:
    """Return text as roff has it, in lines that are not long: nothing in it is a request."""
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    lines = wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"\\&{line}" if line.startswith(".") else line for line in lines)


def _page(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"


def _whole() -> tuple[Any, typer.Context]:
    whole = typer.main.get_group(build())
    return whole, typer.Context(whole, **whole.context_settings)


def _of_command(name: str, parent: typer.Context) -> tuple[Any, typer.Context]:
    command = import_command(name)
    return command, typer.Context(command, parent=parent, **command.context_settings)


def main() -> None:
    """Write the manual pages."""
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
