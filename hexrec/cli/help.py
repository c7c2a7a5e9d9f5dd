"""Options that several commands share, and the layout of `--help`: options in groups, and examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

from typer.core import TyperCommand

#: Pairs of command line and description.
Examples = tuple[tuple[str, str], ...]
#: The groups of options in the help, in order. The first has the options that only one command has.
OPTIONS, INPUT, OUTPUT, PICTURES = "Options", "Input", "Output", "Pictures"
DIAGNOSTICS, PROCESSES, LIMITS = "Diagnostics", "Processes", "Limits"
PANELS = (OPTIONS, INPUT, OUTPUT, PICTURES, DIAGNOSTICS, PROCESSES, LIMITS)


class HelpCommand(TyperCommand):
    """A command whose help lists options by their ``rich_help_panel`` and ends with examples."""

    examples: Examples = ()

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002, D102
        arguments = [parameter for parameter in self.params if parameter.param_type_name == "argument"]
        return [self.options_metavar or "", *map(usage, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: D102
        for heading, parameters in groups(self, ctx).items():
            with formatter.section(heading):
                formatter.write_dl([describe_parameter(parameter, ctx) for parameter in parameters])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002, D102
        write_examples(self.examples, formatter)


def flatten(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that has the fields of each dataclass among its parameters as options."""
    hints = get_type_hints(command, include_extras=True)
    shared: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    types = hints.copy()
    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if kind := shared.get(parameter.name):
            types |= get_type_hints(kind, include_extras=True)
            parameters += signature(kind).parameters.values()
        else:
            parameters.append(parameter)
    parameters = [option.replace(kind=Parameter.KEYWORD_ONLY, annotation=types[option.name]) for option in parameters]

    def run(**values: Any) -> None:
        for name, kind in shared.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        command(**values)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in parameters}
    run.__doc__ = command.__doc__
    return run


def groups(command: Any, ctx: Any) -> dict[str, list[Any]]:
    """Return the parameters of a command by heading, in the order of its help. `ctx` is a context of the command."""
    panels: dict[str, list[Any]] = {heading: [] for heading in ("Arguments", *PANELS)}
    for parameter in command.get_params(ctx):
        if parameter.param_type_name == "argument":
            panels["Arguments"].append(parameter)
        elif not parameter.hidden:
            panels[getattr(parameter, "rich_help_panel", None) or OPTIONS].append(parameter)
    return {heading: parameters for heading, parameters in panels.items() if parameters}


def describe_parameter(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return the usage and the help string of a parameter."""
    if parameter.param_type_name == "argument":
        return usage(parameter), parameter.help or ""
    return parameter.get_help_record(ctx) or ("", "")


def usage(argument: Any) -> str:
    """Return an argument as the usage line shows it: ``[NAME]`` if optional, ``NAME...`` if repeatable."""
    name = (argument.metavar or argument.name.upper()).strip("[].")
    return (name if argument.required else f"[{name}]") + ("..." if argument.nargs == -1 else "")


def write_examples(examples: Examples, formatter: Any) -> None:
    """Write examples into a help. Command lines are not wrapped, so that users can copy them."""
    with formatter.section("Examples"):
        for line, meaning in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
            with formatter.indentation():
                formatter.write_text(meaning)
