"""What the commands say of themselves: help, examples, manual pages; the width and the colors that are asked for."""

from __future__ import annotations

import gzip
import re
import shlex
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from commands import PAGES, command_sections, pages

from hexrec import cli
from hexrec.cli import COMMANDS, EXAMPLES, describe_version, import_command
from tests.cli.conftest import Ran, Run

#: Examples that no test can run: a service does not end, and there is no such engine and no such runtime.
STAY = (
    "hexrec serve",
    "hexrec lsp",
    "hexrec conformance --count",
    "hexrec conformance --documents",
    "hexrec page",
    "hexrec check-game sunspot --engine",
)

#: What would take seconds in examples, and what the tests ask for instead.
SHORTER = {
    "--count 50": "--count 2",
    "--positions 20000": "--positions 200",
    "hexrec check-game nadraz": "hexrec check-game sunspot --count 1",
    "hexrec openings nadraz": "hexrec openings nadraz --positions 20 --playouts 20",
}


def examples() -> list[str]:
    every = [*EXAMPLES, *(example for name in COMMANDS for example in import_command(name).examples)]
    return list(dict.fromkeys(line for line, _ in every))


def options(name: str) -> list[Any]:
    """Return the options of a command that its help shows."""
    return [each for each in import_command(name).params if each.param_type_name == "option" and not each.hidden]


def joined(text: str) -> str:
    """Return a text without blanks and line ends, wherever it is broken."""
    return "".join(text.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_help(hexrec: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Nothing is cut, however narrow the terminal is, and every option stands there once."""
    monkeypatch.setenv("COLUMNS", "50")
    shown = hexrec(name, "--help").out
    assert f"Usage: hexrec {name} [OPTIONS]" in shown
    for option in options(name):
        assert joined(option.help) in joined(shown)
        names = [*sorted(option.opts, key=len), *option.secondary_opts]
        assert len(re.findall(rf"^  (?:-\w, |--\S+ / )?{names[-1]}(?: |$)", shown, re.MULTILINE)) == 1
    assert len(import_command(name).examples) >= 2
    assert all(
        f"\n  {line}\n" in shown and joined(meaning) in joined(shown) for line, meaning in import_command(name).examples
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


def test_without_arguments_the_program_says_what_it_does(hexrec: Run) -> None:
    ran = hexrec()
    assert (ran.code, ran.out, ran.err) == (2, "", hexrec("--help").out)


def test_versions(hexrec: Run) -> None:
    every = list(describe_version())
    assert hexrec("--version") == Ran(0, f"{every[0]}\n", "")
    for both in (["--verbose", "--version"], ["--version", "--verbose"]):
        assert hexrec(*both) == Ran(0, "".join(f"{line}\n" for line in every), "")
    assert hexrec("--verbose").code == 2


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / "games").mkdir()
    games = [["random", "nadraz", "--size", "4", "-o", name] for name in ("games.jsonl", "game.yaml", "games/one.json")]
    for *arguments, name in (*games, ["positions", str(folder / "games.jsonl"), "-o", "positions.parquet"]):
        with pytest.raises(SystemExit) as ended:
            cli.run([*arguments, str(folder / name)])
        assert not ended.value.code
    for name, part in (("score", "parts/1.csv"), ("dedupe", "candidates/1.jsonl")):
        (folder / part).parent.mkdir()
        with pytest.raises(SystemExit) as ended:
            cli.run([name, str(folder / "games.jsonl"), "--shard", "1/1", "-o", str(folder / part)])
        assert not ended.value.code
    (folder / "rated.jsonl.gz").write_bytes(gzip.compress((folder / "games.jsonl").read_bytes()))
    (folder / "notes.txt").write_text("1. d4 a1 2. b1 White resigns", encoding="utf-8")
    (folder / "posts").mkdir()
    (folder / "posts" / "post.txt").write_text("Sunspot, size 4: 1. d4 a1 2. b1 White resigns", encoding="utf-8")
    return folder


@pytest.mark.parametrize("line", [line for line in examples() if line.startswith("hexrec ")])
def test_examples(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prepared: Path, line: str) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if line.startswith(STAY):
        waits = line.startswith(("hexrec serve", "hexrec lsp"))
        ran = hexrec(*shlex.split(line)[1:], *(["--help"] if waits else []))
        assert ran.code == (0 if waits else 2)
        assert "No such" not in ran.err.partition("./my-")[0]
        return
    monkeypatch.setenv("HOME", str(tmp_path))
    for long, short in SHORTER.items():
        line = line.replace(long, short)
    out = b""
    for command in line.split(" | "):
        program, *arguments = shlex.split(command)
        if program != "hexrec":
            break
        ran = hexrec(*arguments, stdin=out)
        assert ran.code == (command.startswith("hexrec explore ")), ran.err  # which finds no game there
        out = ran.out.encode()


def test_an_option_is_the_same_in_every_command() -> None:
    """Its short name is, and whether a value follows; but `hexrec hash --record` names no record."""
    found = defaultdict(set)
    for option in (option for name in COMMANDS if name != "hash" for option in options(name)):
        short = [name for name in option.opts if not name.startswith("--")]
        found[next(name for name in option.opts if name.startswith("--"))].add((*short, option.is_flag))
    assert {name: forms for name, forms in found.items() if len(forms) > 1} == {}


def test_manual_pages_are_those_of_the_commands() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in PAGES.iterdir()}
    assert written == pages(), "write them with `python docs/hooks/commands.py`"


def test_the_page_of_the_commands() -> None:
    """Nothing in its tables is taken for Markdown or HTML."""
    page = command_sections()
    assert page.startswith(
        f"## Commands\n\n### hexrec validate\n\n{COMMANDS['validate']}\n\n"
        "```text\nhexrec validate [OPTIONS] PATH...\n```\n\n"
    )
    assert re.findall("^### hexrec (.*)$", page, re.MULTILINE) == list(COMMANDS)
    assert "| `-j, --jobs N` | Use N processes \\[default: one per core\\].  \\[1\\<=x\\<=4096\\] |\n" in page
    assert "\n| options | |\n|---|---|\n| `--mirrored HOW` |" in page
    assert page.endswith(
        """\
| arguments | |
|---|---|
| `SHELL` | Bash, zsh or fish |

| options | |
|---|---|
| `-h, --help` | Show this message and exit. |

| output | |
|---|---|
| `-q, --quiet` | Hide progress, notes and totals. |
| `--color WHEN` | Use color: auto, always or never.  \\[default: auto\\] |

Enable completion in this bash; for zsh, replace bash with zsh.

```sh
eval "$(hexrec completion bash)"
```

Enable completion in this fish shell.

```sh
hexrec completion fish | source
```
"""
    )


def test_no_help_refers_to_files_of_a_checkout() -> None:
    """An installed hexrec has no docs/."""
    for name, page in pages().items():
        assert not re.search(r"docs/\w+\.md|CONTRIBUTING|fixtures/|tests/", page.replace("\\", "")), name


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
def test_manual_pages_are_in_order() -> None:
    ran = subprocess.run(["mandoc", "-T", "lint", *sorted(PAGES.iterdir())], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "")
    read = subprocess.run(["mandoc", "-T", "utf8", PAGES / "hexrec-validate.1"], capture_output=True, text=True)
    plain = re.sub(".\x08", "", read.stdout)
    assert "--write-baseline FILE" in plain


def test_help_needs_no_extra() -> None:
    """Every command can be imported without the libraries of the extras."""
    libraries = ["pyarrow", "PIL", "matplotlib", "fastapi", "dask", "pygls", "openpyxl"]
    names = [path.stem for path in Path(cli.__file__).parent.glob("*.py") if path.stem != "__init__"]
    imports = "\n".join(f"import hexrec.cli.{name}" for name in names)
    program = f"import sys\nsys.modules |= dict.fromkeys({libraries})\n{imports}"
    subprocess.run([sys.executable, "-c", program], check=True)
