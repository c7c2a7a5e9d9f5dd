"""The command line: one module per command, each imported only when it is the one that runs.

A new command is one module with a function ``command`` and one line in `_COMMANDS`.
"""

from __future__ import annotations

import signal
import sys
from importlib import import_module
from typing import NoReturn

import typer

#: The registry: a command's name and its module.
_COMMANDS = {
    "validate": "validate",
    "convert": "convert",
    "score": "score",
    "dedupe": "dedupe",
    "stats": "stats",
    "fmt": "fmt",
    "fix": "fix",
    "show": "show",
    "legal": "legal",
    "random": "random",
    "schema": "schema",
    "games": "games",
    "explain": "explain",
    "serve": "serve",
}


def _version(wanted: bool) -> None:
    if wanted:
        from hexrec._version import __version__

        print(f"hexrec {__version__}")
        raise typer.Exit


def _main(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Say the version."),
) -> None:
    """Record, check and score games of Sundraval, Sunspot, Frasvel, Valaturna and Nadraz."""


def build(only: str | None = None) -> typer.Typer:
    """Return the command line, with all commands or only the one named."""
    app = typer.Typer(
        name="hexrec",
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_main)
    for name, module in _COMMANDS.items():
        if only in (None, name):
            app.command(name)(import_module(f"hexrec.commands.{module}").command)
    return app


def run(arguments: list[str]) -> None:
    """Run the command line with the given arguments and exit with its code; 130 when interrupted."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    first = arguments[0] if arguments else None
    usual = signal.signal(signal.SIGINT, _interrupted)
    try:
        build(first if first in _COMMANDS else None)(args=arguments, prog_name="hexrec")
    finally:
        signal.signal(signal.SIGINT, usual)


def _interrupted(*_: object) -> NoReturn:
    print("hexrec: interrupted", file=sys.stderr)
    raise SystemExit(130)
