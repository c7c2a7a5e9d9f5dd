"""`hexrec completion`: the script that makes a shell complete command lines, printed or put where the shell looks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import options, outputs
from hexrec.cli.console import or_fail, say
from hexrec.completion import SCRIPTS, script

EXAMPLES = (
    ("hexrec completion fish --install", "Write the script to where fish looks for it."),
    ('eval "$(hexrec completion bash)"', "Complete in this shell."),
)


def command(
    shell: Annotated[
        str,
        typer.Argument(metavar="SHELL", callback=options.one_of(SCRIPTS), help=options.listed(SCRIPTS).capitalize()),
    ],
    install: Annotated[
        bool, typer.Option("--install", help="Write the script to the folder of yours in which the shell looks for it.")
    ] = False,
) -> None:
    """Print the script that makes a shell complete hexrec's commands, options and their values.

    To try it, let the shell run the script: `eval "$(hexrec completion bash)"`, or `hexrec completion fish | source`.
    """
    if not install:
        print(script(shell), end="")
        return
    file, hint = _PLACES[shell]()
    with or_fail(file.parent, "created"):
        file.parent.mkdir(parents=True, exist_ok=True)
    with outputs.text(file) as out:
        out.write(script(shell))
    say(f"wrote {file}: {hint}")


def _in_bash() -> tuple[Path, str]:
    folder = os.environ.get("BASH_COMPLETION_USER_DIR") or _home("XDG_DATA_HOME", ".local/share") / "bash-completion"
    hint = "new shells read it when they first need it; without the package bash-completion, let ~/.bashrc source it"
    return Path(folder, "completions", "hexrec"), hint


def _in_zsh() -> tuple[Path, str]:
    folder = _home("ZDOTDIR") / ".zfunc"
    hint = f"put `fpath=({folder} $fpath)` into .zshrc, if it is not there yet, before the line that calls compinit"
    return folder / SCRIPTS["zsh"], hint


def _in_fish() -> tuple[Path, str]:
    return _home("XDG_CONFIG_HOME", ".config") / "fish" / "completions" / SCRIPTS["fish"], "new shells read it"


_PLACES = {"bash": _in_bash, "zsh": _in_zsh, "fish": _in_fish}


def _home(variable: str, usual: str = "") -> Path:
    """Return the folder that a variable of the environment names, or the usual one in the user's home."""
    return Path(os.environ.get(variable) or Path.home() / usual)
