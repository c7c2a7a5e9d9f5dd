"""Measure what commands on one small file cost as whole processes, next to a bare interpreter in the same run.

`python benchmarks/start.py` prints the table. Figures are processor time, of the program and of the system for it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import typer
from processes import ENVIRONMENT
from run import FIXTURES, print_table

from hexrec import formats
from hexrec.util.version import __version__

#: The program is started by the same interpreter and in the same way as by its installed script.
_PROGRAM = [sys.executable, "-c", "from hexrec.__main__ import main; main()"]
_BARE = "python -c pass"


class Command(NamedTuple):
    """A command and the folder in which it runs."""

    arguments: list[str]
    folder: Path


def main() -> None:
    """Measure in turn, and print the least time of each command."""
    parser = argparse.ArgumentParser(description="Measure the start of hexrec next to a bare interpreter.")
    parser.add_argument("--rounds", type=int, default=20, metavar="N", help="run every command N times")
    rounds = parser.parse_args().rounds
    print(f"{platform.python_implementation()} {platform.python_version()}, hexrec {__version__}", end=", ")
    print(f"typer {typer.__version__}, machine {platform.machine()}, CPUs {os.cpu_count()}", end="\n\n")
    with TemporaryDirectory() as name:
        commands = _prepare(Path(name))
        for command in commands.values():
            _measure(command)
        spent = [[_measure(command) for command in commands.values()] for _ in range(rounds)]
    best = dict(zip(commands, map(min, zip(*spent, strict=True)), strict=True))
    rows = [[name, "", f"{time * 1000:.1f}", f"{time / best[_BARE]:.1f}"] for name, time in best.items()]
    print_table("Starting the program, milliseconds of processor time", ["command", "", "CPU", "ratio"], rows)


def _prepare(folder: Path) -> dict[str, Command]:
    """Write small files and projects; return the commands by name."""
    with open(FIXTURES / "sundraval" / "reference" / "games.jsonl", encoding="utf-8") as lines:
        record = json.loads(next(lines))
    for name in ("json", "yaml", "sgf", "hgn"):
        (folder / f"one.{name}").write_text("".join(formats.get(name).write([record])), encoding="utf-8")
    text = (folder / "one.json").read_text(encoding="utf-8")
    data = json.loads(text)
    data["moves"][7] = data["moves"][6]
    (folder / "invalid.json").write_text(json.dumps(data), encoding="utf-8")
    (folder / "syntax.json").write_text(text[:-20], encoding="utf-8")
    arguments = {
        "validate": ["one.json"],
        "validate -q": ["-q", "one.json"],
        "validate --lint": ["--lint", "one.json"],
        "validate --format json": ["--format", "json", "one.json"],
        "validate --format sarif": ["--format", "sarif", "one.json"],
        "validate, YAML": ["one.yaml"],
        "validate, SGF": ["one.sgf"],
        "validate, HGN": ["one.hgn"],
        "validate, an illegal turn": ["invalid.json"],
        "validate, a syntax error": ["syntax.json"],
    }
    commands = {
        _BARE: Command([sys.executable, "-c", "pass"], folder),
        "--version": Command([*_PROGRAM, "--version"], folder),
        **{name: Command([*_PROGRAM, "validate", *given], folder) for name, given in arguments.items()},
    }
    for name, settings in {"finished = false": "finished = false", 'ignore = ["lint"]': 'ignore = ["lint"]'}.items():
        project = folder / name.partition(" ")[0]
        project.mkdir()
        (project / "one.json").write_text(text, encoding="utf-8")
        (project / "pyproject.toml").write_text(f"[tool.hexrec]\n{settings}\n", encoding="utf-8")
        commands[f"validate, settings {name}"] = Command([*_PROGRAM, "validate", "one.json"], project)
    for name in ("hash", "fmt --check", "score", "convert --to sgf", "--help"):
        given = [] if name == "--help" else ["one.json"]
        commands[name] = Command([*_PROGRAM, *name.split(), *given], folder)
    return commands


def _measure(command: Command) -> float:
    """Return the processor time of a whole process in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(command.arguments, capture_output=True, cwd=command.folder, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if ran.returncode not in (0, 1):
        sys.exit(f"not measured: {ran.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
