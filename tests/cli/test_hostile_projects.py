"""No file that lies in a project can make a command take all time or all memory, or end with an internal error."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tests import cached
from tests.hostile_projects import (
    ALARM,
    DEEP,
    ILLEGAL,
    IRREGULAR,
    LIMIT,
    PROJECTS,
    RECORD,
    Project,
    make_sparse,
    write_loops,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and kinds of files of another system")

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
#: The arguments of the hook, before the names of files.
HOOK = next(hook["entry"] for hook in yaml.safe_load(HOOKS.read_text()) if hook["id"] == "hexrec-validate").split()[1:]

#: Runs commands in processes of their own, each under limits, forked from one that has imported all that they need:
#: it has run each of them once.
_RUN = """\
import contextlib, gc, io, json, os, sys, tempfile
from hexrec.__main__ import main
from hexrec.cli import run
for command in ("validate", "score"):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        with contextlib.suppress(SystemExit):
            run([command, sys.argv[2], "--no-config"])
gc.freeze()
for line in sys.stdin:
    folder, arguments = json.loads(line)
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            os.chdir(folder)
            exec(sys.argv[1])
            sys.argv = ["hexrec", *arguments]
            try:
                main()
            except SystemExit as ended:
                sys.stderr.flush()
                os._exit(ended.code)  # without tidying up what it shares with this process
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        print(json.dumps([code, said.read(1_000_000).decode(errors="replace")]), flush=True)
"""


class Ran(NamedTuple):
    """The exit code of a command, negative for the signal that ended it, and all that it wrote."""

    code: int
    text: str


Run = Callable[..., Ran]


@pytest.fixture(scope="module")
def hexrec(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    record = tmp_path_factory.mktemp("first") / "game.json"
    record.write_text(RECORD)
    program = [sys.executable, "-c", _RUN, LIMIT + ALARM, str(record)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, back = process.stdin, process.stdout

        def run(folder: Path, *arguments: str | Path) -> Ran:
            to.write(json.dumps([str(folder), list(map(str, arguments))]).encode() + b"\n")
            to.flush()
            return Ran(*json.loads(back.readline()))

        yield run
        to.close()


@pytest.mark.parametrize("name", PROJECTS)
@pytest.mark.parametrize("arguments", [("validate", "."), (*HOOK, DEEP)], ids=["validate", "hook"])
def test_projects(name: str, arguments: tuple[str | Path, ...], hexrec: Run, tmp_path: Path) -> None:
    project = PROJECTS[name]
    project.write(tmp_path)
    ran = hexrec(tmp_path, *arguments)
    expected = (2, project.refusal) if project.refusal else (1, ILLEGAL)
    assert (ran.code, expected[1] in ran.text) == (expected[0], True), ran
    assert "internal/" not in ran.text
    assert len(ran.text) < 10_000
    if project.refusal and arguments == ("validate", "."):
        assert hexrec(tmp_path, *arguments, "--no-config").code == 1


@pytest.mark.parametrize("options", [(), ("--follow-links",)])
def test_loops_of_links(options: tuple[str, ...], hexrec: Run, tmp_path: Path) -> None:
    Project(write_loops).write(tmp_path)
    ran = hexrec(tmp_path, "validate", ".", *options)
    assert ran.code == 2
    assert ran.text.count(ILLEGAL) == 1
    assert ran.text.count("too many levels of symbolic links") == 3


@contextmanager
def _cached(hexrec: Run, tmp_path: Path) -> Iterator[tuple[Path, Callable[[], Ran]]]:
    """Yield the cache of a run, and the same run; then check that the run does not trust the cache."""
    (tmp_path / "game.json").write_text(RECORD)

    def run() -> Ran:
        return hexrec(tmp_path, "validate", "game.json", "--cache", "--cache-dir", "cache")

    first = run()
    assert ILLEGAL in first.text
    entry = tmp_path / "cache" / "reports.sqlite"
    assert entry.is_file()
    assert "taken from the cache" in run().text
    yield entry, run
    assert run() == first


@pytest.mark.parametrize("kind", IRREGULAR)
def test_cached_reports_that_are_no_regular_files(kind: str, hexrec: Run, tmp_path: Path) -> None:
    with _cached(hexrec, tmp_path) as (entry, _):
        content = entry.read_bytes()
        entry.unlink()
        IRREGULAR[kind][0](entry)
        if kind == "a link to a file":
            entry.with_name("other").write_bytes(content.replace(b"occupied", b"original"))
        before = entry.lstat()
    assert entry.lstat() == before
    if kind == "a link to a file":
        assert b"original" in entry.with_name("other").read_bytes()


def test_cached_reports_that_were_changed(hexrec: Run, tmp_path: Path) -> None:
    with _cached(hexrec, tmp_path) as (entry, _):
        lines = cached.lines(entry.parent)
        assert b"occupied" in lines
        cached.replace_lines(entry.parent, lines.replace(b"occupied", b"original"))


@pytest.mark.parametrize("content", [b"[" * 1_000_000, b"\0" * 1_000, b"\xff\n", b"1\n", b"NaN\n1\n", b""])
def test_cached_reports_that_are_no_reports(content: bytes, hexrec: Run, tmp_path: Path) -> None:
    with _cached(hexrec, tmp_path) as (entry, _):
        cached.replace_lines(entry.parent, content)


def test_a_cached_report_that_is_huge(hexrec: Run, tmp_path: Path) -> None:
    with _cached(hexrec, tmp_path) as (entry, _):
        make_sparse(entry)


#: The arguments of a run with a checkpoint.
SCORE = ("score", "game.json", "-o", "out.csv", "--quiet")


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    (tmp_path / "game.json").write_text(RECORD)
    return tmp_path / ".out.csv.hexrec-checkpoint"


@pytest.mark.parametrize("kind", [*IRREGULAR, "a huge file"])
def test_checkpoints_that_are_no_directories(kind: str, checkpoint: Path, hexrec: Run, tmp_path: Path) -> None:
    make, _ = {**IRREGULAR, "a huge file": (make_sparse, "")}[kind]
    make(checkpoint)
    refused = kind != "a directory"
    ran = hexrec(tmp_path, *SCORE, "--resume")
    assert (ran.code, f"{checkpoint.name} is not a directory: delete it" in ran.text) == (1 + refused, refused), ran
    if not refused:
        make(checkpoint)
    ran = hexrec(tmp_path, *SCORE)
    assert (ran.code, os.path.lexists(checkpoint)) == (1, False), ran
    assert "internal/" not in ran.text
