"""What `--help` looks like: options in groups, and examples."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

#: Command lines, and what they do.
Examples = tuple[tuple[str, str], ...]
#: The groups in which the help lists options, in this order; the first has what is a command's own.
OPTIONS, INPUT, OUTPUT, PICTURES = "Options", "Input", "Output", "Pictures"
DIAGNOSTICS, PROCESSES, LIMITS = "Diagnostics", "Processes", "Limits"
PANELS = (OPTIONS, INPUT, OUTPUT, PICTURES, DIAGNOSTICS, PROCESSES, LIMITS)


class HelpCommand(TyperCommand):
    """A command whose help lists options in groups, those named by ``rich_help_panel``, and ends with examples."""

    examples: Examples = ()

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002, D102
        arguments = [each for each in self.params if each.param_type_name == "argument"]
        return [self.options_metavar or "", *map(usage, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: D102
        for heading, parameters in groups(self, ctx).items():
            with formatter.section(heading):
                formatter.write_dl([described(each, ctx) for each in parameters])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002, D102
        write_examples(self.examples, formatter)


def groups(command: Any, ctx: Any) -> dict[str, list[Any]]:
    """Return the parameters of a command as its help lists them: arguments, its own options, those of each group.

    `ctx` is a context of the command.
    """
    found: dict[str, list[Any]] = {heading: [] for heading in ("Arguments", *PANELS)}
    for parameter in command.get_params(ctx):
        if parameter.param_type_name == "argument":
            found["Arguments"].append(parameter)
        elif not parameter.hidden:
            found[getattr(parameter, "rich_help_panel", None) or OPTIONS].append(parameter)
    return {heading: parameters for heading, parameters in found.items() if parameters}


def described(parameter: Any, ctx: Any) -> tuple[str, str]:
    """Return what the help says of a parameter: how it is written, and what it means."""
    if parameter.param_type_name == "argument":
        return usage(parameter), parameter.help or ""
    return parameter.get_help_record(ctx) or ("", "")


def usage(argument: Any) -> str:
    """Return an argument as the usage has it: ``[NAME]`` if it may be left out, ``NAME...`` if it may come again."""
    name = (argument.metavar or argument.name.upper()).strip("[].")
    return (name if argument.required else f"[{name}]") + ("..." if argument.nargs == -1 else "")


def write_examples(examples: Examples, formatter: Any) -> None:
    """Write examples into a help, each line whole, whatever the width: it is to be copied."""
    with formatter.section("Examples"):
        for line, meaning in examples:
            formatter.write(f"{'':>{formatter.current_indent}}{line}\n")
            with formatter.indentation():
                formatter.write_text(meaning)
