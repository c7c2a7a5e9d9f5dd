"""The program as a process: what it imports (nothing that it does not use), interrupts, closed pipes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hexrec import __version__, formats
from hexrec.output import report_formats
from tests.cli.conftest import SHORT_GAME
from tests.processes import PATIENCE, PROGRAM, feed, wait_until, with_signals

LIST = "import sys; from hexrec.__main__ import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"


def modules(*arguments: str) -> tuple[str, set[str]]:
    ran = subprocess.run([sys.executable, "-c", LIST, *arguments], capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stderr
    return ran.stdout, set(ran.stderr.split())


def test_version_imports_nothing_else() -> None:
    out, loaded = modules("--version")
    assert out == f"hexrec {__version__}\n"
    assert {name for name in loaded if name.startswith("hexrec")} == {
        *("hexrec", "hexrec.__main__", "hexrec.util", "hexrec.util.version", "hexrec.errors", "hexrec.util.streams")
    }
    assert not loaded & {"typer", "pydantic"}


def test_validating_json_imports_only_what_it_takes(tmp_path: Path, game: dict[str, Any]) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(game))
    _, loaded = modules("validate", str(path))
    assert "hexrec.rules.games.sundraval" in loaded
    assert not loaded & {f"hexrec.rules.games.{name}" for name in ("sunspot", "frasvel", "valaturna", "nadraz")}
    assert not loaded & {f"hexrec.cli.{name}" for name in ("score", "show", "random", "schema")}
    assert not loaded & {"yaml", "rich", "jsonschema", "hexrec.formats.yaml", "hexrec.output", "hexrec.tools.repairs"}


#: Packages and modules that take long to import, and that no command on one small valid file in JSON needs.
HEAVY = {
    *("asyncio", "concurrent.futures", "email", "hashlib", "http", "importlib.metadata", "logging", "multiprocessing"),
    *("numpy", "pyarrow", "pydantic", "rich", "socket", "sqlite3", "tarfile", "unittest", "yaml", "zipfile"),
    *("hexrec.formats.hgn", "hexrec.formats.yaml", "hexrec.render", "hexrec.server"),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a small file for each outcome and format, and one with settings."""
    folder = tmp_path_factory.mktemp("small")
    text = json.dumps(SHORT_GAME)
    (folder / "one.json").write_text(text)
    (folder / "invalid.json").write_text(json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]}))
    (folder / "syntax.json").write_text(text[:-1])
    for name in ("hgn", "sgf", "yaml"):
        (folder / f"one.{name}").write_text("".join(formats.get(name).write([SHORT_GAME])))
    (folder / "settings").mkdir()
    (folder / "settings" / "one.json").write_text(text)
    (folder / "settings" / "hexrec.toml").write_text('ignore = ["lint", "move/occupied"]\nwarn = ["result"]')
    return folder


@pytest.mark.parametrize(
    "line",
    [
        "validate one.json",
        "validate settings/one.json",
        "validate -q one.json",
        "validate --no-config --lint --jobs 1 one.json",
        *(f"validate --format {name} one.json" for name in report_formats.names()),
        "hash one.json",
        "fmt --check one.json",
        "score one.json",
        "convert one.json --to jsonl",
        "convert one.json --to sgf",
    ],
)
def test_a_command_on_one_small_file_imports_nothing_heavy(
    small: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(small)
    _, loaded = modules(*line.split())
    assert not loaded & HEAVY


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("validate invalid.json", set()),
        ("validate syntax.json", set()),
        ("validate one.sgf", set()),
        ("validate one.hgn", {"hexrec.formats.hgn"}),
        ("validate one.yaml", {"hexrec.formats.yaml", "yaml"}),
    ],
)
def test_formats_and_outcomes_import_what_they_take(
    small: Path, monkeypatch: pytest.MonkeyPatch, line: str, needed: set[str]
) -> None:
    monkeypatch.chdir(small)
    _, loaded = modules(*line.split())
    assert loaded & HEAVY == needed


def test_garbage_is_collected_while_a_command_runs(small: Path) -> None:
    """It is not while modules are imported."""
    program = """\
import gc, sys
from hexrec.__main__ import main
from hexrec.parallel import run
before, run.run = run.run, lambda *given, **more: print(gc.isenabled()) or before(*given, **more)
main()"""
    ran = subprocess.run(
        [sys.executable, "-c", program, "hash", str(small / "one.json")], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("True\n")


@pytest.mark.skipif(os.name != "posix", reason="signals of another system")
@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("SIGINT", 130, b"hexrec: interrupted\n"),
        ("SIGTERM", 143, b"hexrec: ended by SIGTERM\n"),
        ("SIGHUP", 129, b"hexrec: ended by SIGHUP\n"),
    ],
)
def test_signals_end_a_run_alike(tmp_path: Path, name: str, code: int, message: bytes) -> None:
    """The output file is not there, not even in part; a second signal does not disturb the cleaning."""
    program = with_signals([*PROGRAM, "score", "-", "--from", "jsonl", "-o", str(tmp_path / "scores.csv")])
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        wait_until(lambda: any(tmp_path.iterdir()), running)
        feed(running, json.dumps(SHORT_GAME).encode() + b"\n")
        # Both are there at once when it goes on, however busy the machine is.
        for number in (signal.SIGSTOP, getattr(signal, name), signal.SIGTERM, signal.SIGCONT):
            running.send_signal(number)
        _, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (code, message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals")
def test_a_terminal_that_is_closed(tmp_path: Path) -> None:
    """What the program says on its way out has nowhere to go; nothing fails for that."""
    master, slave = os.openpty()
    owning = "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
    program = [*PROGRAM, "validate", "-", "-o", str(tmp_path / "a.json")]
    with subprocess.Popen(
        with_signals([sys.executable, "-c", owning, *program]),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
    ) as running:
        os.close(slave)
        wait_until(lambda: any(tmp_path.iterdir()), running)
        os.close(master)
        assert running.wait(PATIENCE) == 129
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals of another system")
def test_nohup_is_respected(tmp_path: Path) -> None:
    arguments = [*PROGRAM, "validate", "-", "-o", str(tmp_path / "a.json")]
    ignoring = (
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    )
    with subprocess.Popen([sys.executable, "-c", ignoring, *arguments], stdin=subprocess.PIPE) as running:
        wait_until(lambda: any(tmp_path.iterdir()), running)
        running.send_signal(signal.SIGHUP)
        running.communicate(json.dumps(SHORT_GAME).encode())
    assert running.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_the_list_of_commands_imports_none() -> None:
    out, loaded = modules("--help")
    assert re.search("^  validate +Validate records", out, re.MULTILINE)
    assert not loaded & {"pydantic", "hexrec.cli.validate", "hexrec.validation.verdict"}
