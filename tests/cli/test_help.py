"""What the commands say of themselves: help, examples, manual pages; the width and the colours that are asked for."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from hexrec.cli import COMMANDS, EXAMPLES, imported
from hexrec.cli.reference import PAGES, pages, table
from tests.cli.conftest import Run

#: Examples that no test can run: a service does not end, and there is no such engine and no such runtime.
STAY = ("hexrec serve", "hexrec conformance --count", "hexrec page")


def examples() -> list[str]:
    every = [*EXAMPLES, *(example for name in COMMANDS for example in imported(name).examples)]
    return list(dict.fromkeys(line for line, _ in every))


def joined(text: str) -> str:
    """Return a text without blanks and line ends, wherever it is broken."""
    return "".join(text.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_help(hexrec: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Nothing is cut, however narrow the terminal is, and every option stands there once."""
    monkeypatch.setenv("COLUMNS", "50")
    shown = hexrec(name, "--help").out
    assert f"Usage: hexrec {name} [OPTIONS]" in shown
    for option in json.loads(table())["commands"][name]["options"]:
        assert joined(option["help"]) in joined(shown)
        assert len(re.findall(rf"^  (?:-\w, |--\S+ / )?{option['names'][-1]}(?: |$)", shown, re.MULTILINE)) == 1
    assert len(imported(name).examples) == 2
    assert all(
        f"\n  {line}\n" in shown and joined(meaning) in joined(shown) for line, meaning in imported(name).examples
    )


def test_the_list_of_commands_is_never_cut(hexrec: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    narrow = hexrec("--help").out
    assert all(summary in " ".join(narrow.split()) for summary in COMMANDS.values())
    monkeypatch.setenv("COLUMNS", "80")
    wide = hexrec("--help").out
    assert all(
        re.search(rf"^  {name} +{re.escape(summary)}$", wide, re.MULTILINE) for name, summary in COMMANDS.items()
    )
    assert max(map(len, wide.splitlines())) <= 80


def test_explanations_are_as_wide_as_asked_for(hexrec: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    prose = [line for line in hexrec("explain", "move/occupied").out.splitlines() if not line.startswith("    ")]
    assert max(map(len, prose)) <= 60


@pytest.mark.parametrize("line", [line for line in examples() if line.startswith("hexrec ")])
def test_examples(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    if line.startswith(STAY):
        ran = hexrec(*shlex.split(line)[1:], "--help") if "serve" in line else hexrec(*shlex.split(line)[1:])
        assert ran.code == (0 if "serve" in line else 2)
        assert "No such" not in ran.err.partition("./my-engine")[0]
        return
    Path("games").mkdir()
    for file in ("games.jsonl", "game.yaml", "games/one.json"):
        assert hexrec("random", "nadraz", "--size", "4", "-o", file).code == 0
    Path("rated.jsonl.gz").write_bytes(gzip.compress(Path("games.jsonl").read_bytes()))
    monkeypatch.setenv("HOME", str(tmp_path))
    out = b""
    for command in line.split(" | "):
        program, *arguments = shlex.split(command)
        if program != "hexrec":
            break
        ran = hexrec(*arguments, stdin=out)
        assert ran.code == 0, ran.err
        out = ran.out.encode()


def test_an_option_is_the_same_in_every_command() -> None:
    """Its short name is, and whether a value follows."""
    found = defaultdict(set)
    for command in json.loads(table())["commands"].values():
        for option in command["options"]:
            short, flag = [name for name in option["names"] if not name.startswith("--")], option["takes"] is None
            found[next(name for name in option["names"] if name.startswith("--"))].add((*short, flag))
    assert {name: forms for name, forms in found.items() if len(forms) > 1} == {}


def test_manual_pages_are_those_of_the_commands() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in PAGES.iterdir()}
    assert written == pages(), "write them with `python -m hexrec.cli.reference`"


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_manual_pages_are_in_order() -> None:
    ran = subprocess.run(["mandoc", "-T", "lint", *sorted(PAGES.iterdir())], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "")
    read = subprocess.run(["mandoc", "-T", "utf8", PAGES / "hexrec-validate.1"], capture_output=True, text=True)
    plain = re.sub(".\x08", "", read.stdout)
    assert "--write-baseline FILE" in plain


def test_colours_that_are_asked_for(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    assert hexrec("random", "nadraz", "--size", "4", "--to", "json", "-o", path).code == 0
    plain = hexrec("show", path).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in hexrec("show", path).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in hexrec("show", path).out + plain


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scroe"], "'score'"),
        (["score", "--outptu", "a"], "--output"),
        (["score", "--format", "cvs", "a"], "did you mean csv?"),
        (["random", "nadras"], "did you mean nadraz?"),
        (["convert", "--to", "SFG", "a"], "did you mean sgf?"),
        (["show", "a", "--theme", "drak"], "did you mean dark?"),
        (["legal", "nadras", "--position", "4"], "did you mean nadraz?"),
        (["explain", "move/ocupied"], "perhaps move/occupied"),
        (["validate", "--select", "move/ocupied", "a"], "perhaps move/occupied"),
    ],
)
def test_what_is_misspelt_is_answered_with_the_nearest(hexrec: Run, arguments: list[str], said: str) -> None:
    ran = hexrec(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
