"""Command line: one module per command, imported only when the command runs.

To add a command, write a module with a function ``command`` and ``EXAMPLES`` (pairs of command line and description),
and add a line to `COMMANDS`. ``SETTINGS`` in the module, if present, are the settings of its Typer context. Options are
the defaults of parameters. A parameter whose type is a dataclass stands for the options that are its fields.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter, Signature, signature
from keyword import iskeyword
from typing import Any, get_type_hints

import typer
from typer.completion import completion_init  # type: ignore[attr-defined]
from typer.core import TyperCommand, TyperGroup

from hexrec.cli.console import echo_diagnostics, exit_on_signals, guard_streams, say, set_options
from hexrec.cli.values import convert_values, one_of, without_path
from hexrec.errors import RunError
from hexrec.io.stamps import InputChanged
from hexrec.util.escaping import visible
from hexrec.util.version import FORMAT_VERSION, __version__

#: Pairs of command line and description.
Examples = tuple[tuple[str, str], ...]
#: The groups of options in the help, in order. The first has the options that only one command has.
OPTIONS, INPUT, OUTPUT, PICTURES = "Options", "Input", "Output", "Pictures"
DIAGNOSTICS, PROCESSES, LIMITS = "Diagnostics", "Processes", "Limits"
PANELS = (OPTIONS, INPUT, OUTPUT, PICTURES, DIAGNOSTICS, PROCESSES, LIMITS)

#: The registry: command names and one-line summaries. See `module_of` for the name of its module.
COMMANDS = {
    "validate": "Validate records: syntax, fields, every turn, the result.",
    "import": "Import games from posts, notes and spreadsheets.",
    "convert": "Convert records to another format or coordinate system.",
    "score": "Score finished games, one row per record.",
    "dedupe": "Write each game once and report duplicates.",
    "hash": "Print the game hash of each record.",
    "stats": "Count games: lengths, winners, first placements.",
    "readings": "Find the readings by which games were played.",
    "positions": "Write the positions of games, sorted, to a Parquet file.",
    "turns": "Write the tables of games and turns, for SQL.",
    "merge": "Join the parts of a run that was divided.",
    "explore": "Count the turns that followed a position, and who won.",
    "analyze": "Annotate turns with proved or estimated values.",
    "puzzles": "Write the positions of games in which one turn wins.",
    "openings": "Find out who wins from each opening of a small board.",
    "fmt": "Write records in their canonical form, in place.",
    "fix": "Complete the results of finished games, in place.",
    "show": "Draw the board after the last turn, or any other.",
    "legal": "List the legal turns after the last turn, or any other.",
    "explain-result": "Explain the results of games.",
    "random": "Write games of random legal turns.",
    "conformance": "Compare another program with hexrec's rules.",
    "check-game": "Check a game for its author.",
    "schema": "Print a JSON Schema, or write all of them to a directory.",
    "games": "List the games with their rulesets and sizes.",
    "explain": "Explain diagnostic codes.",
    "lsp": "Run a language server for editors.",
    "serve": "Serve the commands and the page over HTTP.",
    "page": "Write the page as a static site.",
    "completion": "Print a completion script for a shell.",
}
#: Set by the scripts of `hexrec completion`: Typer prints completions then, and no command runs.
VARIABLE = "_HEXREC_COMPLETE"
#: The libraries whose versions can affect results. Optional ones are listed only if they are installed.
_LIBRARIES = ("pydantic", "pyyaml", "typer", "rich", "librt", "fastapi", "pyarrow", "dask", "fsspec")

#: The examples at the end of `hexrec --help`.
EXAMPLES: Examples = (
    ("hexrec validate games/", "Validate all records of a directory."),
    ("hexrec convert games.jsonl -o games.sgf", "Write records in another format."),
    ("hexrec score games.jsonl -o scores.csv", "Write a table of winners and scores."),
)


def option(usage: str, help: str, panel: str | None = None, default: Any = None, **settings: Any) -> Any:
    """Return an option from its usage, such as ``-o, --output FILE``. `panel` is its group in the help.

    An option with the default ``...`` is required.
    """
    *flags, last = usage.split(", ")
    name, _, metavar = last.partition(" ")
    return typer.Option(default, *flags, name, metavar=metavar or None, help=help, rich_help_panel=panel, **settings)


def argument(metavar: str, help: str, default: Any = ..., **settings: Any) -> Any:
    """Return an argument, which is required without a default."""
    return typer.Argument(default, metavar=metavar, help=help, **settings)


def flag(usage: str, help: str, panel: str | None = None, default: bool = False, **settings: Any) -> Any:
    """Return an option without a value, as `option` does."""
    return option(usage, help, panel, default, **settings)


_WHEN = ("auto", "always", "never")


def _options_of_all(
    quiet: bool = flag("-q, --quiet", "Hide progress, notes and totals.", OUTPUT),
    color: str = option("--color WHEN", "Use color: auto, always or never.", OUTPUT, "auto", **one_of(_WHEN)),
) -> None:
    """Take the options of every command."""


def _version(context: typer.Context, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        lines = describe_version()
        print(*lines if context.params.get("verbose") else [next(lines)], sep="\n")
        raise SystemExit


def describe_version() -> Iterator[str]:
    """Yield the version, then the lines that `--verbose` adds: the formats and libraries that can affect results."""
    yield f"hexrec {__version__}"
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from hexrec.rules import compiled, games

    yield f"record format: {FORMAT_VERSION}"
    yield "rulesets: " + ", ".join(f"{name} {' '.join(games.get(name).rulesets)}" for name in games.names())
    yield f"rules: interpreted ({compiled.OBSTACLE})" if compiled.OBSTACLE else "rules: compiled"
    yield f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} {platform.machine()}"
    for library in _LIBRARIES:
        with suppress(PackageNotFoundError):
            yield f"{library} {version(library)}"


def _main(
    verbose: bool = flag("--verbose", "With --version, show the platform and libraries too.", is_eager=True),
    version: bool = flag("-V, --version", "Show the version and exit.", callback=_version),
) -> None:
    """Validate, convert and score records of games on hexagonal boards."""


class _WithHelp:
    """A command whose --help is false by default, not None, which Typer 0.29 imports pydantic to convert."""

    def get_help_option(self, ctx: Any) -> Any:
        help_option = super().get_help_option(ctx)  # type: ignore[misc]
        if help_option is not None:
            help_option.default = False
        return help_option


class _CommandGroup(_WithHelp, TyperGroup):
    """The group of all commands. It imports a command only to run it, and prints a usage error on one line."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, summary in COMMANDS.items():  # `resolve_command` imports the command
            self.add_command(TyperCommand(name, help=summary))

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        _write_examples(EXAMPLES, formatter)
        formatter.write_paragraph()
        formatter.write_text(
            "`hexrec help COMMAND` describes a command, `hexrec explain CODE` a diagnostic. "
            "`hexrec completion SHELL` prints a completion script for your shell."
        )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args and not ctx.resilient_parsing:
            typer.echo(ctx.get_help(), err=True)
            raise SystemExit(2)
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        with _one_line():
            return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, arguments = super().resolve_command(ctx, args)
        if command is not None:
            command = import_command(str(command.name))
        return name, command, arguments

    def invoke(self, ctx: Any) -> Any:
        with _one_line():
            return super().invoke(ctx)


class _Command(_WithHelp, TyperCommand):
    """A command whose help lists options by their ``rich_help_panel`` and ends with examples."""

    examples: Examples = ()

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002
        arguments = [parameter for parameter in self.params if parameter.param_type_name == "argument"]
        return [self.options_metavar or "", *map(_usage, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for heading, parameters in groups(self, ctx).items():
            with formatter.section(heading):
                formatter.write_dl([describe_parameter(parameter, ctx) for parameter in parameters])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        _write_examples(self.examples, formatter)


def groups(command: Any, ctx: Any) -> dict[str, list[Any]]:
    """Return the parameters of a command by heading, in the order of its help. `ctx` is a context of the command."""
    panels: dict[str, list[Any]] = {heading: [] for heading in ("Arguments", *PANELS)}
    for parameter in command.get_params(ctx):
        is_argument = parameter.param_type_name == "argument"
        panels["Arguments" if is_argument else parameter.rich_help_panel or OPTIONS].append(parameter)
    return {heading: parameters for heading, parameters in panels.items() if parameters}


def describe_parameter(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return the usage and the help string of a parameter."""
    if parameter.param_type_name == "argument":
        return _usage(parameter), parameter.help or ""
    return parameter.get_help_record(ctx) or ("", "")


def _usage(argument: Any) -> str:
    """Return an argument as the usage line shows it: ``[NAME]`` if optional, ``NAME...`` if repeatable."""
    name = (argument.metavar or argument.name.upper()).strip("[].")
    return (name if argument.required else f"[{name}]") + ("..." if argument.nargs == -1 else "")


def _write_examples(examples: Examples, formatter: Any) -> None:
    """Write examples into a help. Command lines are not wrapped, so that users can copy them."""
    with formatter.section("Examples"):
        for line, meaning in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
            with formatter.indentation():
                formatter.write_text(meaning)


#: The hints for missing arguments and options, by their metavariables.
_MISSING = {
    ("argument", "PATH..."): "Name files or directories, or - for stdin.",
    ("argument", "FILE"): "Name a file, or - for stdin.",
    ("argument", "GAME"): "`hexrec games` lists the games.",
    ("option", "FILE"): "Name a file, or - for stdout.",
}


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):  # a usage error of Typer
            missing = getattr(error, "param", None)
            hint = _MISSING.get((missing.param_type_name, missing.metavar or "")) if missing else None
            error.message = visible(error.message or hint or "")  # type: ignore[attr-defined]
        raise


def build() -> typer.Typer:
    """Return the command line."""
    completion_init()
    app = typer.Typer(
        name="hexrec",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )
    app.callback(cls=_CommandGroup)(_main)
    return app


@cache
def import_command(name: str) -> Any:
    """Return a command as an object of Click. The result is cached: building one takes milliseconds."""
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    module = import_module(f"hexrec.cli.{module_of(name)}")
    command = _flatten(module.command)
    app.command(name, cls=_Command, context_settings=getattr(module, "SETTINGS", None))(command)
    built: Any = typer.main.get_command(app)
    built.examples = module.EXAMPLES
    for parameter in built.params:
        convert_values(parameter, command.options[parameter.name])  # type: ignore[attr-defined]
    return built


def module_of(name: str) -> str:
    """Return the name of the module of a command, which is no word of Python."""
    return f"{name}_" if iskeyword(name) else name.replace("-", "_")


def _flatten(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the options of every command, and the fields of each dataclass among its parameters."""
    given = signature(command, eval_str=True).parameters
    kinds = {name: parameter.annotation for name, parameter in given.items()}
    shared: dict[str, Any] = {name: kind for name, kind in kinds.items() if is_dataclass(kind)}
    options: list[Parameter] = []
    for name, parameter in given.items():
        options += _fields(shared[name]) if name in shared else [parameter]
    options += signature(_options_of_all, eval_str=True).parameters.values()
    # Typer would make a path of a URL.
    run_options = [
        option.replace(kind=Parameter.KEYWORD_ONLY, annotation=without_path(option.annotation)) for option in options
    ]

    def run(**values: Any) -> None:
        set_options(quiet=values.pop("quiet"), color=values.pop("color"))
        for name, kind in shared.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        if not gc.isenabled():  # the program has started: see `hexrec.__main__`
            gc.freeze()
            gc.enable()
        command(**values)

    run.__signature__ = Signature(run_options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in run_options}
    run.options = {option.name: option for option in options}  # type: ignore[attr-defined]
    run.__doc__ = command.__doc__
    return run


def _fields(kind: Any) -> list[Parameter]:
    """Return the fields of a dataclass, whose bases may be from other modules, as parameters."""
    hints = get_type_hints(kind)
    return [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(kind)
    ]


_given: list[str] = []


def given_arguments() -> list[str]:
    """Return the command that is running and its arguments, as they were given."""
    start = next((place for place, argument in enumerate(_given) if argument in COMMANDS), 0)
    return _given[start:]


def run(arguments: list[str]) -> None:
    """Run the command line and exit with its code.

    Exit with 2 if an input changes while it is read, and for any other error that ends a run.
    """
    if VARIABLE in os.environ:
        os.environ["COLUMNS"] = "10000"  # shells would take the lines of a wrapped description for words
    _given[:] = arguments
    set_options(quiet=False)
    with exit_on_signals(), guard_streams():
        try:
            build()(args=arguments, prog_name="hexrec")
        except RunError as error:
            say(str(error))
            raise SystemExit(2) from None
        except InputChanged as error:
            echo_diagnostics(error.diagnostic)
            raise SystemExit(2) from None
