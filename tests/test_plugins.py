"""Games and formats of installed packages, looked for only when somebody asks for more than our own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.util import plugins
from tests.cli.conftest import SHORT_GAME, Run
from tests.cli.conftest import hexrec as run
from tests.examples.hex import HEX
from tests.examples.hex.rules import Hex

__all__ = ["run"]

ROOT = Path(__file__).parent.parent
ENTRY_POINTS = """\
[hexrec.games]
hex = noisy
missing = no_such_module:GAME
number = noisy:NUMBER
nadraz = noisy:NADRAZ
chess = noisy:HEX

[hexrec.formats]
oneline = noisy:ONELINE
lost = no_such_module:FORMAT
json = noisy:JSON
"""
NOISY = """\
print("imported")
from dataclasses import replace
from tests.examples.hex import HEX
from hexrec_oneline import ONELINE
JSON = replace(ONELINE, name="json")
NUMBER = 5
NADRAZ = replace(HEX, name="nadraz")
"""


@pytest.fixture
def packages(tmp_path: Path) -> dict[str, str]:
    """The environment in which a package is installed that offers a game, and four that cannot be used."""
    folder = tmp_path / "noisy-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: noisy\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(ENTRY_POINTS.replace("hex = noisy", "hex = noisy:HEX"))
    (tmp_path / "noisy.py").write_text(NOISY)
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, ROOT, ROOT / "docs/examples/oneline")))}


def hexrec(packages: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hexrec", *arguments], env=packages, capture_output=True, text=True, cwd=ROOT
    )


def test_a_game_of_a_package_is_one_of_the_games(packages: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"hexrec": "1", "game": "hex", "size": 3, "moves": ["a1", "a1"]}))
    ran = hexrec(packages, "validate", str(path))
    assert (ran.returncode, "move/occupied" in ran.stdout) == (1, True), ran.stderr
    assert "\nhex " in hexrec(packages, "games").stdout


def test_what_cannot_be_used_is_named_and_left_out(packages: dict[str, str]) -> None:
    ran = hexrec(packages, "games")
    assert ran.returncode == 0
    assert "missing" not in ran.stdout
    assert [line for line in ran.stderr.splitlines() if "is skipped" in line] == [
        "hexrec: the game at no_such_module:GAME is skipped: ModuleNotFoundError: No module named 'no_such_module'",
        "hexrec: the game at noisy:NUMBER is skipped: it is not a Game: int",
        "hexrec: the game at noisy:NADRAZ is skipped: there is a game 'nadraz' already",
        "hexrec: the game at noisy:HEX is skipped: the entry point is called chess, the game hex",
    ]
    assert ran.stderr.count("\n") == 4


def test_a_format_of_a_package_is_one_of_the_formats(packages: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "one.oneline"
    path.write_text("sunspot 5 a1 a1\n")
    for arguments in (["validate", str(path)], ["validate", "--from", "oneline", str(path)]):
        ran = hexrec(packages, *arguments)
        assert (ran.returncode, "move/occupied" in ran.stdout) == (1, True), ran.stderr
        assert [line for line in ran.stderr.splitlines() if "is skipped" in line] == [
            "hexrec: the format at no_such_module:FORMAT is skipped: "
            "ModuleNotFoundError: No module named 'no_such_module'",
            "hexrec: the format at noisy:JSON is skipped: there is a format 'json' already",
        ]


@pytest.mark.parametrize("arguments", [["--version"], ["validate", "--help"], ["validate", "{one}"]])
def test_packages_are_left_alone_for_games_of_our_own(
    packages: dict[str, str], arguments: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(SHORT_GAME))
    ran = hexrec(packages, *(argument.format(one=path) for argument in arguments))
    assert ran.returncode == 0
    assert "imported" not in ran.stdout


def test_packages_that_cannot_be_read_are_said_to_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(**_: str) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("importlib.metadata.entry_points", fails)
    said = r"^the plug-ins of installed packages are skipped: cannot read them: \[Errno 5\] Input/output error$"
    with pytest.warns(plugins.PluginWarning, match=said) as warned:
        assert plugins.Registry("hexrec.games", Game, (), lambda _: HEX, "position").offered() == {}
    assert warned[0].filename == __file__


FAULTY = """\
from dataclasses import replace
from tests.examples.hex import HEX
from tests.examples.hex.rules import Hex

class Faulty(Hex):
    def take_turn(self, move):
        if self.plies == 1:
            {}["no such key"]
        if self.plies == 2:
            self.spread(self, None)
        return super().take_turn(move)

HEX = replace(HEX, rules=Faulty)
"""


@pytest.mark.parametrize(
    ("edit", "kind", "line"),
    [(("", ""), "KeyError: 'no such key'", 8), (("plies == 1", "plies == 9"), "TypeError: ", 10)],
    ids=["in-the-package", "in-what-it-calls"],
)
def test_a_package_is_named_with_its_fault(
    edit: tuple[str, str], kind: str, line: int, packages: dict[str, str], tmp_path: Path
) -> None:
    module, path = tmp_path / "noisy.py", tmp_path / "one.json"
    module.write_text(FAULTY.replace(*edit))
    path.write_text(json.dumps({"hexrec": "1", "game": "hex", "size": 3, "moves": ["a1", "b1", "c1"]}))
    ran = hexrec(packages, "validate", str(path))
    assert ran.returncode == 2
    assert f"record 0: an error in noisy 1.0, {kind}" in ran.stdout
    assert f" in take_turn ({module}, line {line}): please report it to its authors, with the command" in ran.stdout


class Faulty(Hex):
    """Fails on every turn."""

    def take_turn(self, move: int) -> int:
        raise KeyError(move)


def test_a_registered_game_is_named_with_its_fault(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({"hexrec": "1", "game": "faulty", "size": 3, "moves": ["a1"]}))
    games.register(replace(HEX, name="faulty", rules=Faulty))
    try:
        ran = run("validate", str(path))
    finally:
        games.unregister("faulty")
    assert f"an error in {__name__}, KeyError: " in ran.out
    assert f" in take_turn ({__file__}, line " in ran.out
