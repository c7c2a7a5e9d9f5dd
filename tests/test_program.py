"""The program from its arguments to its exit code, in this process: the standard streams are real files and pipes."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from hexrec.__main__ import main
from hexrec.cli import describe_version
from hexrec.codes import SITE
from hexrec.rules import compiled
from hexrec.util.diagnostics import DEBUG
from hexrec.util.version import __version__
from tests.cli.conftest import SHORT_GAME

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams of another system")
FULL = "/dev/full"
INTERNAL = f"hexrec: internal/error: an error in hexrec {__version__}"


class Ended(NamedTuple):
    """How a program has ended, and what is in the files that were its standard streams."""

    code: object
    out: str
    err: str


Program = Callable[..., Ended]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    kept = [os.dup(number) for number in range(3)]
    out, err = tmp_path / "out", tmp_path / "err"
    # What the program leaves there for those that it starts.
    for variable in (SITE, DEBUG):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)

    def call(
        *arguments: str, closed: tuple[int, ...] = (), stdout: str | Path | int = out, stderr: str | Path = err
    ) -> Ended:
        """Run it with some of its streams closed or elsewhere."""
        for number, file in enumerate((os.devnull, stdout, stderr)):
            opened = file if isinstance(file, int) else os.open(file, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            os.dup2(opened, number)
            os.close(opened)
        for number in closed:
            os.close(number)
        with monkeypatch.context() as patch:
            for name in ("stdin", "stdout", "stderr"):
                patch.setattr(sys, name, None if name == "stdin" and 0 in closed else getattr(sys, name))
            patch.setattr(sys, "argv", ["hexrec", *arguments])
            with pytest.raises(SystemExit) as ended:
                main()
        return Ended(ended.value.code, *(path.read_text() if path.exists() else "" for path in (out, err)))

    yield call
    for number, copy in enumerate(kept):
        os.dup2(copy, number)
        os.close(copy)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Put something in the place of the command line, which prints a line before."""

    def put(work: Callable[[], object]) -> None:
        def run(arguments: list[str]) -> None:
            print(*arguments)
            work()

        monkeypatch.setattr("hexrec.cli.run", run)

    return put


def raising(error: BaseException) -> Callable[[], None]:
    def work() -> None:
        raise error

    return work


def test_what_is_answered_before_the_command_line(program: Program, command: Any) -> None:
    command(raising(AssertionError()))
    assert program("--version") == (0, f"hexrec {__version__}\n", "")


def test_a_plain_valid_record(program: Program, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(SHORT_GAME))
    assert program("validate", str(tmp_path / "a.json")) == (
        *(0, "1 record in 1 file: 1 valid, 0 invalid; 4 plies replayed\n", ""),
    )


@pytest.mark.parametrize(("obstacle", "said"), [("", "compiled"), ("no compiler", "interpreted (no compiler)")])
def test_what_hexrec_says_of_itself(monkeypatch: pytest.MonkeyPatch, obstacle: str, said: str) -> None:
    monkeypatch.setattr(compiled, "OBSTACLE", obstacle)
    first, written, rulesets, rules, python, *libraries = describe_version()
    assert (first, written) == (f"hexrec {__version__}", "record format: 1")
    assert rulesets.startswith("rulesets: sundraval 2023, sunspot 2024, ")
    assert ", valaturna 2023 2023-first, " in rulesets
    assert rules == f"rules: {said}"
    assert python.lower() == (
        f"{sys.implementation.name} {platform.python_version()} on {platform.system()} {platform.machine()}".lower()
    )
    assert {f"{name} {version(name)}" for name in ("pydantic", "pyyaml", "typer", "rich")} <= set(libraries)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (MemoryError(), 2, "hexrec: internal/error: there was not enough memory for this run\n"),
        (KeyboardInterrupt(), 130, "hexrec: interrupted\n"),
        (SystemExit(1), 1, ""),
        (SystemExit(130), 130, ""),
        (
            OSError(28, "No space left on device"),
            2,
            "hexrec: internal/error: the system failed in the work on this run",
        ),
        (KeyError("oops\x1b\u202e"), 2, f"{INTERNAL}, KeyError: 'oops\\x1b\\u202e' in _run (hexrec/__main__.py, line "),
    ],
    ids=repr,
)
def test_ways_to_end(program: Program, command: Any, error: BaseException, code: int, said: str) -> None:
    command(raising(error))
    ended = program("games")
    assert (ended.code, ended.out) == (code, "games\n")
    assert ended.err.startswith(said)
    assert ended.err.count("\n") == bool(said)


def test_a_variable_that_cannot_be_used(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SITE, "no address")
    said = "HEXREC_SITE should be a URL such as https://example.org/, not 'no address'"
    assert program("explain", "move/occupied")[::2] == (2, f"hexrec: {said}\n")


@pytest.mark.skipif(not os.path.exists(FULL), reason="there is no device that is always full")
def test_full_streams(program: Program, command: Any) -> None:
    full = "hexrec: stdout cannot be written: No space left on device\n"
    assert program("--version", stdout=FULL) == (2, "", full)
    for code, ends in ((1, 2), (128, 2), (129, 129), (143, 143)):  # those of signals stay
        command(raising(SystemExit(code)))
        assert program("games", stdout=FULL).code == ends
    command(raising(KeyError()))
    assert program("games", stderr=FULL).code == 2
    command(lambda: print("é\ud800" * 5000) or print("x", file=sys.stderr))
    assert program("games", stderr=FULL).out == "games\n" + "é\\ud800" * 5000 + "\n"


def test_a_reader_that_is_gone(program: Program) -> None:
    theirs, ours = os.pipe()
    os.close(theirs)
    assert program("--version", stdout=ours) == (141, "", "")


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ((1,), 2, "hexrec: stdout cannot be written: Bad file descriptor\n"),
        ((0, 1), 2, "hexrec: stdout cannot be written: Bad file descriptor\n"),
        ((0, 1, 2), 2, ""),
        ((0, 2), 0, ""),
    ],
)
def test_closed_streams(program: Program, closed: tuple[int, ...], code: int, said: str) -> None:
    ended = program("--version", closed=closed)
    assert (ended.code, ended.err) == (code, said)
    assert ended.out == ("" if 1 in closed else f"hexrec {__version__}\n")
    assert all(os.get_inheritable(number) for number in range(3)), "processes that it starts have them, too"


def test_standard_input_is_closed(program: Program) -> None:
    ended = program("convert", "--to", "jsonl", "--", "-", closed=(0,))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("-: error syntax/unreadable: cannot be read: bad file descriptor\n")
