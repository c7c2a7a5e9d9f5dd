"""The command line: one module per command, each imported only when it is the one that runs.

A new command is one module with a function ``command`` and its name in `_COMMANDS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from hexrec.cli.console import echo_diagnostics, guarded_streams, say
from hexrec.cli.interrupts import ended_by_signals
from hexrec.escaping import visible
from hexrec.extras import MissingExtraError

#: The registry: a command's name is its module's.
# fmt: off
_COMMANDS = (
    "validate", "convert", "score", "dedupe", "stats", "fmt", "fix", "show", "legal", "random", "schema", "games",
    "explain", "serve",
)
# fmt: on


def _version(wanted: bool) -> None:
    if wanted:
        from hexrec._version import __version__

        print(f"hexrec {__version__}")
        raise typer.Exit


def _main(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    """Record, check and score games of Sundraval, Sunspot, Frasvel, Valaturna and Nadraz."""


class _CommandGroup(TyperGroup):
    """The commands. Its messages on wrong usage are one line each, whatever the arguments hold."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with _one_line():
            if any("\0" in arg for arg in args):
                raise typer.BadParameter("an argument contains a zero byte, which no file name or value may contain")
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with _one_line():
            return super().invoke(ctx)


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):  # what typer raises for wrong usage
            error.message = visible(error.message)  # type: ignore[attr-defined]
        raise


def build(only: str | None = None) -> typer.Typer:
    """Return the command line, with all commands or only the one named."""
    app = typer.Typer(
        name="hexrec",
        cls=_CommandGroup,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback()(_main)
    for name in _COMMANDS:
        if only in (None, name):
            app.command(name)(import_module(f"hexrec.cli.{name}").command)
    return app


def run(arguments: list[str]) -> None:
    """Run the command line with the given arguments and exit with its code.

    An input that was changed while it was read, or a library that is missing, ends every command with 2.
    """
    first = arguments[0] if arguments else None
    with ended_by_signals(), guarded_streams():
        try:
            build(first if first in _COMMANDS else None)(args=arguments, prog_name="hexrec")
        except SystemExit:
            raise
        except MissingExtraError as error:
            say(str(error))
            raise SystemExit(2) from None
        except BaseException as error:
            from hexrec.files.stamps import InputChanged

            if not isinstance(error, InputChanged):
                raise
            echo_diagnostics(error.diagnostic)
            raise SystemExit(2) from None
