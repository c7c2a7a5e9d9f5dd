"""Projects of a stranger: settings, baselines and links that would take all memory, or all time, of who reads them."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

#: A record whose second turn is illegal.
RECORD = '{"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5", "e5"]}\n'
ILLEGAL = "move/occupied"
#: The file with the record, deep enough for patterns to be tried on many divisions of its path.
DEEP = Path(*"abcdefghij" * 2, "game.hexrec.json")

#: Seconds of a processor and bytes of memory that a command may take, and seconds that it may wait.
_SECONDS, _MEMORY, _WAIT = 20, 2 << 30, 120
#: Runs a program under these limits. The system ends a program that exceeds them.
LIMIT = f"""\
import resource, signal
resource.setrlimit(resource.RLIMIT_CPU, ({_SECONDS}, {_SECONDS}))
resource.setrlimit(resource.RLIMIT_AS, ({_MEMORY}, {_MEMORY}))
"""
#: Ends a program that waits, for example for a pipe.
ALARM = f"signal.alarm({_WAIT})\n"


def limited(program: list[str]) -> list[str]:
    """Return the command that runs a program under limits of processor time and memory."""
    return [sys.executable, "-c", f"import os, sys\n{LIMIT}os.execv(sys.argv[1], sys.argv[1:])", *program]


def make_sparse(path: Path) -> None:
    """Write a file of many zero bytes that takes no space."""
    with path.open("wb") as file:
        file.truncate(1 << 40)


def _link(target: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.symlink_to(target)

    return make


def _link_to_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


def _link_to_file(path: Path) -> None:
    path.with_name("other").touch()
    path.symlink_to("other")


#: Makers of paths that are no regular files, each with a part of the refusal.
IRREGULAR: dict[str, tuple[Callable[[Path], None], str]] = {
    "a pipe": (os.mkfifo, "(a pipe)"),
    "a socket": (lambda path: os.mknod(path, stat.S_IFSOCK | 0o600), "(a socket)"),
    "a directory": (Path.mkdir, "(a directory)"),
    "a link to a file": (_link_to_file, "(a symbolic link)"),
    "a link to a device": (_link("/dev/zero"), "(a symbolic link)"),
    "a link to a pipe": (_link_to_pipe, "(a symbolic link)"),
    "a link to nothing": (_link("nothing"), "(a symbolic link)"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "(a symbolic link)"),
}


class Project(NamedTuple):
    """A project with the record in the file `DEEP`.

    Attributes:
        make: writes its other files.
        refusal: a part of the usage error; empty if the project is validated.
        in_editor: whether the language server refuses it too, which reads no baselines.
    """

    make: Callable[[Path], None]
    refusal: str = ""
    in_editor: bool = False

    def write(self, folder: Path) -> Path:
        """Write the project to a directory; return the file with the record."""
        file = folder / DEEP
        file.parent.mkdir(parents=True)
        file.write_text(RECORD, encoding="utf-8")
        self.make(folder)
        return file


def _settings(content: str | bytes, refusal: str = "", name: str = "hexrec.toml") -> Project:
    raw = content.encode() if isinstance(content, str) else content
    return Project(lambda folder: void(folder.joinpath(name).write_bytes(raw)), refusal, in_editor=True)


def void(_: object) -> None:
    """Return None."""


def _at(name: str, make: Callable[[Path], None], refusal: str) -> Project:
    return Project(lambda folder: make(folder / name), refusal, in_editor=True)


def _baseline(make: Callable[[Path], None], refusal: str, name: str = "known") -> Project:
    def write(folder: Path) -> None:
        (folder / "hexrec.toml").write_text(f"baseline = {json.dumps(name)}", encoding="utf-8")
        make(folder / "known")

    return Project(write, refusal)


def _patterns(*patterns: str) -> Project:
    lines = "".join(f'"{pattern}" = ["move"]\n' for pattern in patterns)
    return _settings(f"[per-path-ignores]\n{lines}")


def _projects() -> Iterator[tuple[str, Project]]:
    for kind, (make, refusal) in IRREGULAR.items():
        for name in ("hexrec.toml", "pyproject.toml"):
            yield f"{name}: {kind}", _at(name, make, refusal)
        yield f"baseline: {kind}", _baseline(make, refusal)
    for name in ("hexrec.toml", "pyproject.toml"):
        yield f"{name}: a huge file", _at(name, make_sparse, "larger than 256 KiB")
        yield f"{name}: zero bytes", _settings(bytes(100), "not TOML", name)
    yield "settings: no UTF-8", _settings(b"ignore = ['\xff']", "not TOML")
    yield "settings: many dots", _settings("a." * 100_000 + "a = 1", "dots in a line")
    yield "settings: many tables", _settings(f"[{'a.' * 299}a]\n" * 420, "not TOML")
    yield "settings: nested arrays", _settings(f"ignore = {'[' * 200_000}", "nested too deep")
    yield "settings: a code, many times", _settings("warn = [" + "'lint', " * 30_000 + "]")
    yield "settings: a long code", _settings(f'ignore = ["{"a" * 200_000}"]', "unknown code")
    yield "settings: a long key", _settings(f"{'a' * 200_000} = 1", "unknown key")
    yield "baseline: a huge file", _baseline(make_sparse, "larger than 8 MiB")
    yield "baseline: a device", _baseline(void, "(a device)", "/dev/zero")
    yield "baseline: a terminal", _baseline(void, "(a device)", "/dev/tty")
    yield "baseline: no name", _baseline(void, "(a directory)", "")
    yield "baseline: this directory", _baseline(void, "(a directory)", ".")
    yield "baseline: a zero character", _baseline(void, "not a path", "a\0b")
    yield "baseline: a long name", _baseline(void, "cannot be read", "a" * 5_000)
    yield "baseline: a missing file", _baseline(void, "cannot be read", "../" * 100 + "nothing.json")
    yield "baseline: nested arrays", _baseline(lambda path: void(path.write_text("[" * 100_000)), "not a baseline")
    yield "patterns: **/ 12 times", _patterns("**/" * 12 + "x")
    yield "patterns: **/ 6,000 times", _patterns("**/" * 6_000 + "x")
    yield "patterns: **/*/ 4,000 times", _patterns("**/*/" * 3_900 + "x")
    yield "patterns: *a 9,000 times", _patterns("**/" + "*a" * 9_000 + "x")
    yield "patterns: [ 19,000 times", _patterns("[" * 19_000)
    yield "patterns: 1,000", _patterns(*(f"**/*/**/{number}" for number in range(1_000)))
    yield (
        "patterns: 1,001",
        _settings(
            "per-path-ignores = {" + ",".join(f"{number} = []" for number in range(1_001)) + "}", "at most 1,000"
        ),
    )


PROJECTS = dict(_projects())


def write_loops(folder: Path) -> None:
    """Write links that lead to themselves, to each other, to directories above them and to what never ends."""
    for name, target in {
        "here": ".",
        "self.json": "self.json",
        "one.json": "two.json",
        "two.json": "one.json",
        "endless.json": "/dev/zero",
        "pipe.hexrec.json": "waits.json",
    }.items():
        (folder / name).symlink_to(target)
    (folder / DEEP.parent / "up").symlink_to("../" * len(DEEP.parent.parts))
    (folder / "directory.json").mkdir()
    os.mkfifo(folder / "waits.json")
