"""Games and formats of installed packages, looked for only when somebody asks for more than our own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hexrec_oneline import ONELINE

from hexrec import api, formats
from hexrec.output.report_formats import names as reporters
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.grid import FIRST_CODE, CellGrid
from hexrec.util import plugins
from tests.cli.conftest import SHORT_GAME, Run
from tests.cli.conftest import hexrec as run
from tests.examples.hex import HEX, HexPosition
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
taken = noisy:TAKEN

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
TAKEN = replace(HEX, name="taken", sgf_number=5001)
"""


@pytest.fixture
def packages(tmp_path: Path) -> dict[str, str]:
    """The environment in which a package is installed that offers a game, and five that cannot be used."""
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
        "hexrec: the game at noisy:TAKEN is skipped: its sgf_number is that of sunspot (5001): give another, or None",
    ]
    assert ran.stderr.count("\n") == 5


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
    assert f"error internal/plug-in: record 0: an error in noisy 1.0, {kind}" in ran.stdout
    assert f" in take_turn ({module}, line {line}): please report it to its authors, with the command" in ran.stdout
    shown = hexrec(packages, "legal", str(path))
    assert shown.returncode == 2
    assert f"hexrec: internal/plug-in: an error in noisy 1.0, {kind}" in shown.stderr


class Fails(Hex):
    """Fails on every turn."""

    def take_turn(self, move: int) -> int:
        raise KeyError(move)


class ReturnsNothing(Hex):
    """Plays turns, and does not say that they are legal."""

    def take_turn(self, move: int) -> Any:
        super().take_turn(move)


class ListsNothing(CellGrid):
    """Has no method for the legal turns."""

    def take_turn(self, move: int) -> int:
        return move


class SaysNothing(HexPosition):
    """Has no words for refusals."""

    def _wording(self, code: str, move: int) -> Any:
        """Return nothing."""


@contextmanager
def registered(**changes: Any) -> Iterator[None]:
    games.register(replace(HEX, name="faulty", **changes))
    try:
        yield
    finally:
        games.unregister("faulty")


RECORD = json.dumps({"hexrec": "1", "game": "faulty", "size": 3, "moves": ["a1", "a1"]})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": Fails}, f"an error in {__name__}, KeyError: "),
        ({"rules": ReturnsNothing}, "an error in tests.examples.hex, TypeError: "),
        ({"position": SaysNothing}, "an error in tests.examples.hex.rules, TypeError: "),
    ],
    ids=["raises", "returns-nothing", "says-nothing"],
)
def test_an_error_of_an_author_is_told_as_his_by_every_call(
    changes: dict[str, Any], message: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "one.json"
    path.write_text(RECORD)
    with registered(**changes):
        (checked,) = api.check(path)
        (checked_text,) = api.check_text(RECORD)
        reports = [checked, checked_text, api.validate(api.loads(RECORD))]
        ran = run("validate", path)
    for report in reports:
        (diagnostic,) = report.diagnostics
        assert (diagnostic.code, report.valid) == ("internal/plug-in", False)
        assert diagnostic.message.startswith(message)
        assert "please report it to its authors" in diagnostic.message
    assert message in ran.out
    assert (ran.code, "error in hexrec" in ran.out) == (2, False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": ListsNothing}, r"rules are not complete \(ListsNothing\): define open_cells"),
        ({"rules": int}, r"rules are no grid \(int\): subclass"),
        ({"sgf_number": 5001}, r"its sgf_number is that of sunspot \(5001\): give another, or None"),
    ],
)
def test_a_game_that_cannot_be_registered(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^the game 'faulty': {message}"), registered(**changes):
        pass


class Unexplained(Hex):
    """Has a code without an explanation."""

    @staticmethod
    def codes() -> list[str]:
        return [*Hex.codes(), "move/unheard-of"]

    def take_turn(self, move: int) -> int:  # noqa: ARG002
        return FIRST_CODE + len(Hex.codes())


@pytest.mark.parametrize("format", reporters())
def test_a_code_that_no_one_explains_is_reported(format: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(RECORD)
    with registered(rules=Unexplained):
        ran = run("validate", path, "--format", format)
    assert (ran.code, "move/unheard-of" in ran.out) == (1, True)


@pytest.mark.parametrize(
    "changes", [{"example": '{hexrec: "1", game: faulty, size: 3, moves: [a1]}'}, {"format": "xml"}]
)
def test_a_wrong_example_of_a_code(changes: dict[str, str], run: Run) -> None:
    code = HEX.refusals["setup/over"]._replace(meaning="A meaning.", **changes)
    with registered(refusals={"setup/faulty": code}):
        ran = run("explain", "setup/faulty")
    assert (ran.code, "  A meaning." in ran.out) == (0, True)
    assert ran.err == (
        "hexrec: setup/faulty has an example that is not reported with setup/faulty: "
        "its authors find the cause with hexrec check-game\n"
    )


def test_an_error_of_hexrec_is_not_that_of_a_format_that_uses_its_functions() -> None:
    formats.register(ONELINE)
    formats.unregister(ONELINE.name)
    assert ONELINE.read.__module__ == "hexrec.formats.base"
    assert plugins.package_of("hexrec.formats.base") is None
