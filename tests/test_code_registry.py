"""The codes that a layer raises are those that its file explains; the file is read only for explanations."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hexrec.code_registry import explained_codes
from hexrec.games import BUILT_IN
from tests.cli.conftest import SHORT_GAME

PACKAGE = Path(__file__).parent.parent / "hexrec"
CODE = re.compile("(?:move|opening)/[a-z-]+")
LOADED = (
    "import sys; from hexrec.__main__ import main\ntry: main()\n"
    "finally: from hexrec.code_registry import explained_codes; print(explained_codes.cache_info().currsize)"
)


def raised(*modules: Path) -> set[str]:
    """Return the codes that stand in modules as whole strings: docstrings and messages only mention codes."""
    nodes = (node for path in modules for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and CODE.fullmatch(str(node.value))}


def test_every_section_belongs_to_a_game() -> None:
    assert set(explained_codes("games")) <= {"every", *BUILT_IN}


def test_codes_of_every_game() -> None:
    shared = [path for path in (PACKAGE / "games").glob("*.py") if path.stem not in BUILT_IN]
    assert raised(*shared) == set(explained_codes("games")["every"])


@pytest.mark.parametrize("game", BUILT_IN)
def test_codes_of_one_game(game: str) -> None:
    found = raised(PACKAGE / "games" / f"{game}.py") - set(explained_codes("games")["every"])
    assert found == set(explained_codes("games").get(game, {}))


def test_a_layer_without_a_file() -> None:
    with pytest.raises(OSError, match=r"no-such-layer\.toml"):
        explained_codes("no-such-layer")


@pytest.mark.parametrize(("command", "files"), [("validate", 0), ("explain", 1)])
def test_explanations_are_read_only_where_they_are_wanted(command: str, files: int, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]}))
    argument = str(path) if command == "validate" else "move/no-path"
    ran = subprocess.run([sys.executable, "-c", LOADED, command, argument], capture_output=True, text=True)
    assert (ran.stdout.splitlines()[-1], ran.returncode) == (str(files), int(command == "validate")), ran.stderr
