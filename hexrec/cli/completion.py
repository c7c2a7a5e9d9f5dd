"""`hexrec completion`: print a completion script for a shell."""

from __future__ import annotations

from typer.completion import get_completion_script  # type: ignore[attr-defined]

from hexrec.cli import VARIABLE, argument
from hexrec.cli.values import one_of
from hexrec.rules.terms import join_words

_SHELLS = ("bash", "zsh", "fish")

EXAMPLES = (
    ('eval "$(hexrec completion bash)"', "Enable completion in this bash; for zsh, replace bash with zsh."),
    ("hexrec completion fish | source", "Enable completion in this fish shell."),
)


def command(
    shell: str = argument("SHELL", join_words(_SHELLS, "or").capitalize(), **one_of(_SHELLS)),
) -> None:
    """Print the completion script for a shell.

    The examples enable completion in the current shell. Add the same line to the shell's startup file for new shells.
    """
    print(get_completion_script(prog_name="hexrec", complete_var=VARIABLE, shell=shell))
