"""An installation whose rules are not compiled, or with a librt that they cannot use, says so; and can be refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from hexrec.rules import compiled, games
from tests.fixtures import FIXTURES

Program = Callable[..., "subprocess.CompletedProcess[str]"]
GAME = json.loads(FIXTURES.joinpath("sunspot/reference/games.jsonl").read_text(encoding="utf-8").splitlines()[0])
SHORT = {
    **{name: GAME[name] for name in ("hexrec", "game", "size")},
    "moves": GAME["moves"][:2],
    "event": "long enough" * 30,
}
LINE = json.dumps(SHORT) + "\n"
#: The size in bytes of an input from which on a run is long.
LONG = 1 << 18
LIBRT = "raise ValueError('ABI version conflict for librt.vecs, expected 3, found 4')"


@pytest.mark.parametrize("name", games.names())
def test_positions_release_their_memory(name: str) -> None:
    """Also arrays in compiled rules, which the garbage collector does not see."""
    game = games.get(name)

    def make_positions() -> int:
        for _ in range(100):
            game.empty_grid(game.sizes[0], None, "row", None)
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        before = make_positions()
        assert make_positions() - before < 10_000
    finally:
        tracemalloc.stop()


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with hexrec, as it is installed where nothing was compiled."""
    folder = tmp_path_factory.mktemp("pure")
    ignored = shutil.ignore_patterns("*.so", "*.pyd", compiled.STAMP, "__pycache__", "static")
    shutil.copytree(FIXTURES.parent.parent / "hexrec", folder / "hexrec", ignore=ignored)
    return folder


def python(path: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the modules of a folder."""
    usual = {name: value for name, value in os.environ.items() if name not in (compiled.PURE, compiled.REQUIRED)}
    environment = {**usual, "PYTHONPATH": str(path), **variables}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=path, capture_output=True, text=True, check=False
    )


@pytest.fixture
def program(without: Path) -> Program:
    """Run hexrec from there."""
    return partial(python, without, "-m", "hexrec")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """An archive of 256 KiB or little more."""
    path = tmp_path / "games.jsonl"
    path.write_text(LINE * (LONG // len(LINE) + 1))
    return path


MISSING = (
    "hexrec: the rules are not compiled, so this takes several times as long "
    "(they were not compiled for this Python: reinstall hexrec-games with a C compiler)\n"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate",),
        ("validate", "--jobs", "1"),
        ("hash", "--output", os.devnull),
        ("stats",),
        ("convert", "--to", "sgf", "--output", os.devnull, "--force"),
    ],
    ids=" ".join,
)
def test_a_long_run_says_once_that_they_are_missing(program: Program, records: Path, arguments: tuple[str]) -> None:
    ran = program(*arguments, str(records))
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr.count(MISSING) == 1


def test_short_runs_and_runs_without_them_by_choice_say_nothing(program: Program, records: Path) -> None:
    assert program("validate", str(records), HEXREC_PURE="1").stderr == ""
    records.write_text(LINE * (LONG // len(LINE)))
    assert program("validate", str(records)).stderr == ""


def test_the_service_logs_that_they_are_missing(without: Path) -> None:
    start = """
from hexrec.server import app
class Server:
    def run(self, sockets): raise SystemExit
app.make_server = lambda *_: Server()
app.serve(None, "127.0.0.1", app.listen("127.0.0.1", 0))
"""
    ran = python(without, "-c", start)
    assert [json.loads(line)["level"] for line in ran.stderr.splitlines()] == ["info", "warning"]


def test_the_version_gives_the_reason(program: Program, without: Path) -> None:
    assert "\nrules: interpreted (they were not compiled for this Python: " in program("--version", "--verbose").stdout
    reason = without / "hexrec/rules" / compiled.REASON
    reason.write_text("there was no C compiler\n")
    try:
        assert "\nrules: interpreted (there was no C compiler)\n" in program("--version", "--verbose").stdout
    finally:
        reason.unlink()


@pytest.mark.parametrize("pure", ["", "1"])
def test_the_version_says_whether_they_are_used(pure: str) -> None:
    said = python(FIXTURES.parent.parent, "-m", "hexrec", "--version", "--verbose", HEXREC_PURE=pure).stdout
    obstacle = "HEXREC_PURE is set" if pure else compiled.OBSTACLE
    assert (f"rules: interpreted ({obstacle})" if obstacle else "rules: compiled") in said.splitlines()


@pytest.mark.parametrize(
    "arguments", [("validate", "games.jsonl"), ("games",), ("random", "sunspot"), ("serve",)], ids=" ".join
)
def test_they_can_be_required(program: Program, arguments: tuple[str]) -> None:
    ran = program(*arguments, HEXREC_REQUIRE_COMPILED="1")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("hexrec: HEXREC_REQUIRE_COMPILED is set, and the rules are not compiled: they were ")
    assert ran.stderr.count("\n") == 1
    assert program("--version", "--verbose", HEXREC_REQUIRE_COMPILED="1").returncode == 0


def test_required_and_turned_off(program: Program) -> None:
    ran = program("games", HEXREC_REQUIRE_COMPILED="1", HEXREC_PURE="1")
    said = "hexrec: HEXREC_REQUIRE_COMPILED is set, and the rules are not compiled: HEXREC_PURE is set\n"
    assert (ran.returncode, ran.stderr) == (2, said)
    assert program("games", HEXREC_REQUIRE_COMPILED="0").returncode == 0


def test_the_library_requires_them_too(without: Path) -> None:
    code = f"import hexrec; hexrec.loads({json.dumps(SHORT)!r}).hash()"
    assert python(without, "-c", code).returncode == 0
    ran = python(without, "-c", code, HEXREC_REQUIRE_COMPILED="1")
    assert ran.returncode == 1
    assert "EnvironmentVariableError: HEXREC_REQUIRE_COMPILED is set" in ran.stderr


@pytest.mark.skipif(bool(compiled.OBSTACLE), reason="needs compiled rules")
@pytest.mark.parametrize("broken", [LIBRT, "raise ImportError('no librt')"])
def test_a_librt_that_they_cannot_use(tmp_path: Path, broken: str) -> None:
    """As one of another binary interface; without an upper bound, installers may choose it."""
    (tmp_path / "librt").mkdir()
    (tmp_path / "librt" / "__init__.py").touch()
    (tmp_path / "librt" / "vecs.py").write_text(broken)
    path = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(FIXTURES.parent.parent)])}
    why = broken.partition("'")[2].partition("'")[0]
    version = python(tmp_path, "-m", "hexrec", "--version", "--verbose", **path)
    assert f"rules: interpreted (they cannot be loaded ({why}): " in version.stdout
    games = str(FIXTURES / "sunspot/reference/games.jsonl")
    assert python(tmp_path, "-m", "hexrec", "validate", games, **path).returncode == 0


PLAY = """
import hashlib
from random import Random
import hexrec_col.rules
from hexrec.rules.terms import IllegalTurn
from hexrec_col import COL
print(hexrec_col.rules.__file__.endswith(".py"))
answers = []
for seed in range(20):
    position, rng = COL.start(3 + seed % 3), Random(seed)
    while not position.is_over:
        answers.append(position.legal_turns())
        for turn in ("c3", "b2", "pass"):
            try:
                answers.append(position.canonical(turn))
            except IllegalTurn as error:
                answers.append(str(error))
        position.play(position.random_turn(rng))
    answers.append((position.text(), position.result(), position.undo(), position.text()))
print(hashlib.sha256(repr(answers).encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.skipif(bool(compiled.OBSTACLE), reason="needs compiled rules")
def test_rules_of_another_package_compiled_by_its_author(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES.parent.parent / "docs/examples/col/hexrec_col", tmp_path / "hexrec_col")
    path = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(FIXTURES.parent.parent)])}
    interpreted = python(tmp_path, "-c", PLAY, **path).stdout.splitlines()
    assert interpreted[0] == "True"
    # The types of what they use; to check all that hexrec imports takes mypyc three times as long.
    types = tmp_path / "types/hexrec/rules"
    types.mkdir(parents=True)
    for empty in (types.parent, types):
        (empty / "__init__.py").touch()
    for name in ("cells.pyi", "grid.py"):
        shutil.copy(FIXTURES.parent.parent / "hexrec/rules" / name, types)
    quick = {"MYPYC_OPT_LEVEL": "0", "MYPYC_DEBUG_LEVEL": "0"}
    made = python(tmp_path, "-m", "mypyc", "hexrec_col/rules.py", MYPYPATH=str(tmp_path / "types"), **quick)
    assert made.returncode == 0, made.stdout + made.stderr
    assert python(tmp_path, "-c", PLAY, **path).stdout.splitlines() == ["False", interpreted[1]]
    assert python(tmp_path, "-c", PLAY, HEXREC_PURE="1", **path).stdout.splitlines() == interpreted


def test_rules_in_a_zip_archive(without: Path, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "hexrec"), "zip", without, "hexrec")
    ran = python(tmp_path, "-c", "import hexrec; print(hexrec.new_game('sunspot').legal_count())", PYTHONPATH=archive)
    assert (ran.stdout, ran.stderr) == ("127\n", "")
