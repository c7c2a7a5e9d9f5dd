"""A game registered under the name of one that was unregistered: nothing of the first one stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hexrec import games
from hexrec.games import Game
from hexrec.games.nadraz import NADRAZ
from hexrec.games.sunspot import SUNSPOT
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as run

__all__ = ["run"]

OPENING = {"black": "c3", "white": "g3"}
FIRST: dict[str, Any] = {"hexrec": "1", "game": "new", "ruleset": "2024", "size": 5, "moves": ["a1", "c1"]}
#: Ruleset, size, fields and turn are all unknown to the first game.
SECOND: dict[str, Any] = {"hexrec": "1", "game": "new", "ruleset": "2023", "size": 6, "variant": "reverse"}
SECOND |= {"opening": OPENING, "moves": ["d4-d5"]}
OLD = replace(SUNSPOT, name="new", sizes=range(4, 6), recommended=(5,))
NEW = replace(NADRAZ, name="new", sizes=range(6, 9), recommended=(6,))


@contextmanager
def registered(game: Game) -> Iterator[None]:
    games.register(game)
    try:
        yield
    finally:
        games.unregister(game.name)


@pytest.mark.parametrize(
    "command",
    [("validate",), ("convert", "--to", "json", "--coordinates", "skew"), ("hash",), ("show",), ("schema", "new")],
    ids=" ".join,
)
def test_the_second_game_holds(command: tuple[str, ...], run: Run, tmp_path: Path) -> None:
    said = []
    for game, record in ((OLD, FIRST), (NEW, SECOND), (OLD, FIRST)):
        file = tmp_path / "one.json"
        file.write_text(json.dumps(record), encoding="utf-8")
        with registered(game):
            outcome = run(*command, *([] if command[0] == "schema" else [str(file)]))
        assert outcome.code == 0, outcome
        said.append(outcome.out)
    assert said[0] == said[2]
