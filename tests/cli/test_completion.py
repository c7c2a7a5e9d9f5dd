"""Completion in shells: what is answered, and that bash, zsh and fish make words and file names of it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hexrec import games
from hexrec.cli import COMMANDS
from hexrec.cli.reference import table
from hexrec.code_registry import all_codes, own_sections
from hexrec.completion import FOLDER, SCRIPTS, TABLE, VARIABLE, answer, script
from hexrec.reporters import names as reporters
from tests.cli.conftest import Ran, Run
from tests.cli.test_startup import modules

#: The answers that leave it to the shell.
FILES, FOLDERS = ["files 0"], ["folders 0"]


def words(*typed: str, shell: str = "fish") -> list[str]:
    """Return the words of an answer without what is said of them."""
    kind, *found = answer(shell, list(typed))
    return [line.partition("\t")[0] for line in found] if kind == "words" else [kind, *found]


def test_the_table_is_that_of_the_commands() -> None:
    assert Path(TABLE).read_text(encoding="utf-8") == table(), "write it with `python -m hexrec.cli.reference`"


def test_commands_and_options() -> None:
    assert words("") == words() == list(COMMANDS)
    assert words("sc") == ["score", "schema"]
    assert words("--v") == ["--verbose", "--version"]
    assert words("--verbose", "--v") == ["--version"]
    assert words("validate", "--no-") == ["--no-finished", "--no-lint", "--no-config", "--no-cache"]
    assert words("validate", "--lint", "--no-") == ["--no-finished", "--no-config", "--no-cache"]
    assert words("validate", "-o", "a", "--ou") == ["--output"], "it may come again"
    assert words("validat", "") == words("games", "--help", "--") == []
    assert "score\tScore finished games, one row per record." in answer("fish", ["sc"])
    assert "score:Score finished games, one row per record." in answer("zsh", ["sc"])


@pytest.mark.parametrize("typed", [["random", ""], ["schema", ""], ["conformance", "--game", ""]])
def test_games(typed: list[str]) -> None:
    assert words(*typed) == list(games.names())


def test_rulesets_and_variants_are_those_of_the_game_on_the_line() -> None:
    assert words("random", "valaturna", "--ruleset", "") == ["2023", "2023-first"]
    assert words("random", "nadraz", "--ruleset=") == ["--ruleset=2023"]
    assert words("random", "nadraz", "--variant", "r") == ["reverse"]
    assert words("random", "sunspot", "--variant", "") == []
    assert words("show", "valaturna", "--position", "x", "--ruleset", "2023-") == ["2023-first"]
    every = {rules for name in games.BUILT_IN for rules in games.get(name).rulesets}
    assert words("legal", "--ruleset", "") == sorted(every), "the game may come later"


def test_names_of_installed_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "toy-1.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_text(
        "[hexrec.games]\nhex = toy:HEX\na:hex = toy:A\n[hexrec.notations]\nhexfile = toy:FILE\n"
    )
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert words("random", "he") == ["hex"]
    assert words("random", "a", ":", shell="bash") == ["hex"], "bash has cut the name at its colon"
    assert words("convert", "--to", "h") == ["hgn", "hexfile"]


def test_values() -> None:
    assert words("validate", "--format", "") == list(reporters())
    assert words("validate", "--format=j") == ["--format=json", "--format=jsonl", "--format=junit"]
    assert words("show", "--theme", "prin", "a") == FILES, "the word after a value"
    assert words("stats", "--plots", "") == FOLDERS
    assert words("stats", "--plots=") == ["folders 8"]
    assert words("score", "") == words("score", "a", "b") == words("score", "-", "-o", "") == FILES
    assert words("score", "--", "--fo") == FILES
    assert words("show", "a.json", "--ply", "") == []


def test_arguments_come_to_an_end() -> None:
    assert "--size" in words("random", "nadraz", "")
    assert words("random", "--", "nadraz", "") == []
    assert words("conformance", "node", "--ga") == FILES, "what follows is the other program's"


def test_codes() -> None:
    assert words("explain", "move/occ") == ["move/occupied"]
    found = words("validate", "--select", "")
    assert set(found) == all_codes() | {code.partition("/")[0] + "/" for code in all_codes()}
    assert words("validate", "--ignore=syntax/,move/occ") == ["--ignore=syntax/,move/occupied"]


def test_bash_wants_what_follows_its_last_cut() -> None:
    assert words("score", "--format", "=", shell="bash") == words("score", "--format", "", shell="bash")
    assert words("score", "--format", "=", "par", shell="bash") == ["parquet"]
    assert words("score", "s3", ":", "//bucket", "--form", shell="bash") == ["--format"]


NO_PATH = own_sections("games")["sundraval"].codes["move/no-path"].meaning
OCCUPIED = own_sections("games")["every"].codes["move/occupied"].meaning


@pytest.mark.parametrize(
    ("shell", "typed", "lines"),
    [
        ("bash", ["legal", "--re"], ["--record"]),
        ("bash", ["a", "=", "b", ":", "c", "x"], []),
        ("bash", ["=", "validate", "--lint", "=", "--boa"], []),
        ("bash", [":"], []),
        ("bash", ["score", "--format", ":", "par"], []),
        ("bash", ["validate", "--ignore", "=", "syntax/,move/occ"], ["syntax/,move/occupied"]),
        ("bash", ["validate", "--lint", "--ignore", "=", "syntax/,move/occ"], ["syntax/,move/occupied"]),
        ("bash", ["explain", "result/winner-mism"], ["result/winner-mismatch"]),
        ("zsh", ["legal", "--re"], ["--record:Which record of the file, counted from 0."]),
        ("fish", ["legal", "--re"], ["--record\tWhich record of the file, counted from 0."]),
        ("zsh", ["completion", ""], ["bash", "zsh", "fish"]),
        ("fish", ["random", "valaturna", "--ruleset", ""], ["2023", "2023-first"]),
        ("fish", ["random", "valaturna", "--ruleset=2023-"], ["--ruleset=2023-first"]),
        ("fish", ["validate", "--select", "move/"], None),
        ("fish", ["convert", "--from", "js"], ["json", "jsonl"]),
        (
            "fish",
            ["validate", "--ignore=a,b,move/occ"],
            ["--ignore=a,b,move/occupied\t" + OCCUPIED],
        ),
        ("zsh", ["validate", "--ignore=a:b,move/no-p"], [r"--ignore=a\:b,move/no-path:" + NO_PATH]),
        ("fish", ["convert", "--to=x=hg"], []),
    ],
)
def test_lines_of_the_answer(shell: str, typed: list[str], lines: list[str] | None) -> None:
    kind, *found = answer(shell, typed)
    assert kind == "words"
    if lines is None:  # all codes of a group, with what they mean
        assert all(line.count("\t") == 1 and not line.endswith("\t") for line in found)
        assert found[0] == "move/\tall codes that begin with move/"
    else:
        assert found == lines


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        # One dash is standard input.
        (["convert", "-", "--stri"], ["--strict"]),
        (["show", "-", "--thm"], []),
        (["show", "-", ""], None),
        # A short option has a value, too.
        (["score", "-o", ""], FILES),
        (["random", "nadraz", "-o", ""], FILES),
        (["score", "--output=a=b"], ["files 9"]),
        (["random", "nadraz", "-o", "a", "--coordinates", "sk"], ["skew"]),
        # Options end at two dashes, and their names may stand there again.
        (["random", "--", "--see"], []),
        (["random", "--", "--", ""], []),
        (["score", "--", "--format=par"], FILES),
        (["validate", "--format=text", "--fo"], ["--follow-links"]),
        (["conformance", "--game", "nadraz", "node", "--game", ""], FILES),
        (["conformance", "node", "--format=js"], FILES),
        (["completion", "bash", "zsh", ""], None),
        (["-x", "--yes", "games", "--he"], ["--help"]),
        (["random", "--variant=reverse", "--variant"], []),
        (["random", "nadraz", "--size=4", "--ruleset", "20"], ["2023"]),
    ],
)
def test_what_stands_before(typed: list[str], found: list[str] | None) -> None:
    if found is None:  # no more arguments: the options that are left
        assert words(*typed)[-1] == "--help"
        assert all(word.startswith("--") for word in words(*typed))
    else:
        assert words(*typed) == found


def test_an_answer_imports_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "bash")
    out, loaded = modules("validate", "--no-li")
    assert out == "words\n--no-lint\n"
    assert not loaded & {"typer", "pydantic", "hexrec.cli", "hexrec.games", "hexrec.notations"}


#: Command lines that are to be completed, and what becomes of them.
LINES = {
    "hexrec sco": "hexrec score",
    "hexrec score --follow": "hexrec score --follow-links",
    "hexrec score --format=par": "hexrec score --format=parquet",
    "hexrec random valaturna --ruleset 2023-": "hexrec random valaturna --ruleset 2023-first",
    "hexrec random --coordinates sk": "hexrec random --coordinates skew",
    "hexrec validate --select syntax/,move/occ": "hexrec validate --select syntax/,move/occupied",
    "hexrec score gam": "hexrec score games.jsonl",
    "hexrec score --output=gam": "hexrec score --output=games.jsonl",
    "hexrec schema --folder fol": "hexrec schema --folder folder",
}
#: How a shell without its user's settings is started, and what it is told before anything else.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source '{}'"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; source '{}'"),
    "fish": (["fish"], "source '{}'"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with something to complete, the user's home at the same time; `hexrec` is found there."""
    (tmp_path / "hexrec").write_text(f'#!/bin/sh\nexec {sys.executable} -m hexrec "$@"\n')
    (tmp_path / "hexrec").chmod(0o755)
    (tmp_path / "games.jsonl").touch()
    (tmp_path / "foliant").touch()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("BASH_COMPLETION_USER_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR", "LS_COLORS"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path


@pytest.mark.parametrize("shell", [each for each in SHELLS if each != "fish"])
@pytest.mark.usefixtures("place")
def test_keys_on_a_terminal(shell: str) -> None:
    """Each line is typed, with the key Tab at its end; then `echo` is put before it, so that the shell shows it."""
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    program, prepared = SHELLS[shell]
    master, slave = os.openpty()
    typed = prepared.format(Path(FOLDER, SCRIPTS[shell])) + "\r"
    typed += "".join(f"{line}\t\x01echo DONE: \x05 END\r" for line in LINES) + "exit\r"
    environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": os.pathsep.join(sys.path)}
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


@pytest.mark.usefixtures("place")
def test_fish_is_asked_what_it_would_complete() -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    asked = "".join(f"echo (complete -C '{line}')\n" for line in LINES)
    program, prepared = SHELLS["fish"]
    command = [*program, "--private", "-c", prepared.format(Path(FOLDER, SCRIPTS["fish"])) + "\n" + asked]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    completed = [line.partition("\t")[0].rstrip("/") for line in ran.stdout.splitlines()]
    assert completed == [line.rpartition(" ")[2] for line in LINES.values()]


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", ".local/share/bash-completion/completions/hexrec"),
        ("zsh", ".zfunc/_hexrec"),
        ("fish", ".config/fish/completions/hexrec.fish"),
    ],
)
def test_scripts_are_printed_and_installed(hexrec: Run, place: Path, shell: str, file: str) -> None:
    assert hexrec("completion", shell).out == script(shell)
    ran = hexrec("completion", shell, "--install")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith(f"hexrec: wrote {place / file}: ")
    assert (place / file).read_text() == script(shell)
    if shell == "bash":
        assert hexrec("completion", "bsh").err.rstrip().endswith("is not one of bash, zsh, fish: did you mean bash?")


@pytest.mark.parametrize(
    ("shell", "variable", "file", "hint"),
    [
        (
            "bash",
            "BASH_COMPLETION_USER_DIR",
            "completions/hexrec",
            "new shells read it when they first need it; without the package bash-completion, let ~/.bashrc source it",
        ),
        (
            "bash",
            "XDG_DATA_HOME",
            "bash-completion/completions/hexrec",
            "new shells read it when they first need it; without the package bash-completion, let ~/.bashrc source it",
        ),
        (
            "zsh",
            "ZDOTDIR",
            ".zfunc/_hexrec",
            "put `fpath=(FOLDER/.zfunc $fpath)` into .zshrc, if it is not there yet, before the line that calls "
            "compinit",
        ),
        ("fish", "XDG_CONFIG_HOME", "fish/completions/hexrec.fish", "new shells read it"),
    ],
)
def test_scripts_go_where_the_shell_is_told_to_look(
    hexrec: Run, place: Path, monkeypatch: pytest.MonkeyPatch, shell: str, variable: str, file: str, hint: str
) -> None:
    """Files that are there are replaced; what to do in the shell is said."""
    folder = place / "own"
    monkeypatch.setenv(variable, str(folder))
    said = f"hexrec: wrote {folder / file}: {hint.replace('FOLDER', str(folder))}\n"
    for _ in range(2):
        assert hexrec("completion", shell, "--install") == Ran(0, "", said)
        (folder / file).write_text("old")
    folder = place / "file"
    folder.write_text("")
    monkeypatch.setenv(variable, str(folder))
    said = f"hexrec: {(folder / file).parent}: cannot be created: Not a directory\n"
    assert hexrec("completion", shell, "--install") == Ran(2, "", said)
