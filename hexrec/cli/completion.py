"""`hexrec completion`: the script that makes a shell complete command lines."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.completion import get_completion_script  # type: ignore[attr-defined]

from hexrec.cli import VARIABLE, options

_SHELLS = ("bash", "zsh", "fish")

EXAMPLES = (
    ('eval "$(hexrec completion bash)"', "Complete in this shell, bash; with zsh in zsh."),
    ("hexrec completion fish | source", "Complete in this shell, fish."),
)


def command(
    shell: Annotated[
        str,
        typer.Argument(
            metavar="SHELL",
            callback=options.one_of(_SHELLS),
            autocompletion=lambda: _SHELLS,
            help=options.listed(_SHELLS).capitalize(),
        ),
    ],
) -> None:
    """Print the script that makes a shell complete hexrec's commands, options and their values.

    The examples make one shell complete; in its startup file, the same line makes all new ones complete.
    """
    print(get_completion_script(prog_name="hexrec", complete_var=VARIABLE, shell=shell))
