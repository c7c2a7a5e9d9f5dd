"""The board that the page draws by itself is that of the service, and of the pictures."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hexrec.record.record import Record
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS
from hexrec.web.assembly import link
from hexrec.web.replay import position_data

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")

PROGRAM = """
import { readFileSync } from "node:fs";
import { drawnBoard } from "./geometry.mjs";
const asked = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(asked.map((arguments_) => drawnBoard(...arguments_))));
"""


def without_order(board: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a board in which the order of corners and of lines does not matter."""
    board = json.loads(json.dumps(board))
    ground = re.sub(r'points="([^"]*)"', lambda found: " ".join(sorted(found[1].split())), board["ground"])
    lines = re.search(r'd="M([^"]*)"', ground)
    if lines:
        ends = sorted(" ".join(sorted(line.split("L"))) for line in lines[1].split("M"))
        ground = ground.replace(lines[0], " ".join(ends))
    return board | {"ground": ground}


def test_boards_of_all_sizes(tmp_path: Path) -> None:
    (tmp_path / "geometry.mjs").write_text(link("geometry"), encoding="utf-8")
    (tmp_path / "ask.mjs").write_text(PROGRAM, encoding="utf-8")
    asked, expected = [], []
    for number, name in enumerate(games.BUILT_IN):
        game = games.get(name)
        for size in game.sizes:
            system = SYSTEMS[(number + size) % 3]
            opening = dict(zip(game.opening, ("a1", "b2"), strict=False))
            record = {"game": name, "size": size, "coordinates": system, "opening": opening, "moves": []}
            asked.append([size, game.surface, system])
            expected.append(position_data(Record(record, game), game.start(size=size, opening=opening))["board"])
    command = ["node", "ask.mjs"]
    done = subprocess.run(
        command, input=json.dumps(asked), cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert not done.stderr, done.stderr
    for there, here in zip(json.loads(done.stdout), expected, strict=True):
        assert without_order(there) == without_order(here)
