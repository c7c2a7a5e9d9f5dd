"""Completion in shells: what is answered, and that bash, zsh and fish make words and file names of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hexrec.cli import COMMANDS, VARIABLE
from hexrec.codes import all_codes
from hexrec.output.report_formats import names as reporters
from hexrec.rules import games
from tests.cli.conftest import Ran, Run


@pytest.fixture
def answer(hexrec: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Ask as fish does, and return the lines of the answer."""
    monkeypatch.setenv("COLUMNS", "40")

    def asked(line: str) -> list[str]:
        monkeypatch.setenv(VARIABLE, "complete_fish")
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", line)
        ran = hexrec()
        assert (ran.code, ran.err) == (0, "")
        return ran.out.strip().splitlines()

    return asked


CODES = sorted(all_codes() | {code.partition("/")[0] + "/" for code in all_codes()})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hexrec ", list(COMMANDS)),
        ("hexrec sc", ["score", "schema"]),
        ("hexrec --version --v", ["--verbose"]),
        ("hexrec validat ", list(COMMANDS)),
        ("hexrec validate --no-", ["--no-finished", "--no-lint", "--no-cache", "--no-config"]),
        ("hexrec validate -o a --ou", ["--output"]),
        ("hexrec validate --format ", list(reporters())),
        ("hexrec score --format par", ["parquet"]),
        ("hexrec completion ", ["bash", "zsh", "fish"]),
        ("hexrec random ", list(games.names())),
        ("hexrec schema ", list(games.names())),
        ("hexrec conformance --game ", list(games.names())),
        ("hexrec explore --game ", list(games.names())),
        ("hexrec random valaturna --ruleset ", ["2023", "2023-first"]),
        ("hexrec random nadraz --variant r", ["reverse"]),
        ("hexrec random sunspot --variant ", []),
        ("hexrec show valaturna --position x --ruleset 2023-", ["2023-first"]),
        ("hexrec legal --ruleset ", sorted({each for name in games.names() for each in games.get(name).rulesets})),
        ("hexrec convert --from js", ["json", "jsonl"]),
        ("hexrec random nadraz --coordinates sk", ["skew"]),
        ("hexrec explain move/occ", ["move/occupied"]),
        ("hexrec validate --select ", CODES),
        ("hexrec validate --ignore syntax/,move/occ", ["syntax/,move/occupied"]),
        ("hexrec validate --warn move/occ", ["move/occupied"]),
    ],
)
def test_words(answer: Callable[[str], list[str]], line: str, words: list[str]) -> None:
    """Each is a line with what is said of it, however long that is."""
    found = [each.partition("\t")[0] for each in answer(line)]
    assert (sorted(found) if words is CODES else found) == words


def test_what_is_said_of_words(answer: Callable[[str], list[str]]) -> None:
    assert answer("hexrec sco") == [f"score\t{COMMANDS['score']}"]
    assert answer("hexrec legal --rec") == ["--record\tChoose the record of the file, counted from 0."]
    assert answer("hexrec legal sunspot --reading P") == ["P-1b", "P-2b"]
    assert answer("hexrec explain mov")[0] == "move/\tall codes that begin with move/"


def test_unknown_shell(hexrec: Run) -> None:
    assert hexrec("completion", "bsh").err.rstrip().endswith("is not one of bash, zsh, fish: did you mean bash?")


#: Command lines that are to be completed, and what becomes of them.
LINES = {
    "hexrec validate --select syntax/,move/occ": "hexrec validate --select syntax/,move/occupied",
    "hexrec score gam": "hexrec score games.jsonl",
    "hexrec schema --directory fol": "hexrec schema --directory folder",
}


@pytest.fixture
def environment(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What a shell is started with: in its folder there is something to complete, the program, and its scripts."""
    (tmp_path / "hexrec").write_text(f'#!/bin/sh\nexec {sys.executable} -m hexrec "$@"\n')
    (tmp_path / "hexrec").chmod(0o755)
    (tmp_path / "games.jsonl").touch()
    (tmp_path / "folder").mkdir()
    for shell in ("bash", "zsh", "fish"):
        ran = hexrec("completion", shell)
        assert ran == Ran(0, ran.out, "")
        (tmp_path / f"script.{shell}").write_text(ran.out)
    monkeypatch.chdir(tmp_path)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    own = {"PATH": path, "HOME": str(tmp_path), "TERM": "xterm", "PYTHONPATH": os.pathsep.join(sys.path)}
    return {**os.environ, **own}


@pytest.mark.parametrize(
    ("program", "prepared"),
    [
        (["bash", "--norc", "--noprofile", "-i"], "source script.bash"),
        (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; source ./script.zsh"),
    ],
)
def test_keys_on_a_terminal(environment: dict[str, str], program: list[str], prepared: str) -> None:
    """Each line is typed, with the key Tab at its end; then `echo` is put before it, so that the shell shows it."""
    if not shutil.which(program[0]):
        pytest.skip(f"{program[0]} is not installed")
    master, slave = os.openpty()
    typed = prepared + "\r" + "".join(f"{line}\t\x01echo DONE: \x05 END\r" for line in LINES) + "exit\r"
    with subprocess.Popen(
        program, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    ) as running:
        os.close(slave)
        os.write(master, typed.encode())
        shown = b""
        while part := _read(master):
            shown += part
        os.close(master)
    assert running.returncode == 0
    found = re.findall(r"[\r\n]DONE: (.*?)/? +END", shown.decode())
    assert found == list(LINES.values())


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # nobody writes to it any more
        return b""


def test_fish_is_asked_what_it_would_complete(environment: dict[str, str]) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    asked = "".join(f"echo (complete -C '{line}')\n" for line in LINES)
    command = ["fish", "--private", "-c", "source script.fish\n" + asked]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    completed = [line.partition("\t")[0].rstrip("/") for line in ran.stdout.splitlines()]
    assert completed == [line.rpartition(" ")[2] for line in LINES.values()]
