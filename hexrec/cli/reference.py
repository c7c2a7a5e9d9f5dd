"""What is made from the commands for others to read: the table by which shells complete command lines.

`python -m hexrec.cli.reference` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from hexrec import games, notations
from hexrec.cli import COMMANDS, imported, program
from hexrec.completion import TABLE

#: What stands in the place of a value in the help, and what completion offers for it.
_KINDS = {
    "CODE": "codes",
    "CODES": "codes",
    "COMMAND": "files",
    "DIR": "folders",
    "FILE": "files",
    "GAME": "games",
    "NOTATION": "notations",
    "OUT": "files",
    "PATH...": "files",
    "[GAME]": "games",
    "[REPORT=]FILE": "files",
}


def table() -> str:
    """Return the table of what the commands take, as JSON: see `hexrec.completion`."""
    whole = program()
    context = typer.Context(whole, **whole.context_settings)
    made = {
        "games": games.BUILT_IN,
        "notations": notations.BUILT_IN,
        "options": _options(whole, context),
        "commands": {name: _command(name, summary, context) for name, summary in COMMANDS.items()},
    }
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _command(name: str, summary: str, parent: typer.Context) -> dict[str, Any]:
    command = imported(name)
    context = typer.Context(command, parent=parent, **command.context_settings)
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    return {
        "summary": summary,
        "arguments": [_takes(each) for each in arguments],
        "repeated": any(each.nargs == -1 for each in arguments),
        "interspersed": context.allow_interspersed_args,
        "options": _options(command, context),
    }


def _options(command: Any, context: typer.Context) -> list[dict[str, Any]]:
    return [
        {
            "names": [*sorted(each.opts, key=_is_long), *each.secondary_opts],
            "takes": None if each.is_flag else _takes(each),
            "multiple": each.multiple,
            "help": each.help,
        }
        for each in command.get_params(context)
        if each.param_type_name == "option" and not each.hidden
    ]


def _takes(parameter: Any) -> str | list[str]:
    return list(getattr(parameter.callback, "names", ())) or _KINDS.get(parameter.metavar or "", "")


def _is_long(name: str) -> bool:
    return name.startswith("--")


def main() -> None:
    """Write the table."""
    Path(TABLE).write_text(table(), encoding="utf-8")


if __name__ == "__main__":
    main()
