"""`-o -` is standard output, for every command that writes one file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import SHORT_GAME, Run

COMMANDS = [
    ["convert", "game.json", "--to", "yaml"],
    ["dedupe", "game.json", "--to", "json"],
    ["hash", "game.json"],
    ["positions", "game.json"],
    ["random", "sunspot", "--size", "4"],
    ["score", "game.json"],
    ["show", "game.json", "--svg"],
    ["stats", "game.json"],
    ["validate", "game.json"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_a_hyphen(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.json").write_text(json.dumps(SHORT_GAME))
    ran = hexrec(*command, *([] if command[-1] == "--svg" else ["-o"]), "-")
    assert ran.code == 0, ran.err
    assert ran.out
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
