"""The page draws boards and the marks of records by itself as the service and the pictures do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import hexrec
from hexrec.record.record import Record
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS
from hexrec.web.replay import Data, position_data, replay_data
from hexrec.web.scripts import link
from tests.fixtures import FIXTURES

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")

#: Calls a function of a module with each of the lists of arguments on stdin.
PROGRAM = """
import { readFileSync } from "node:fs";
import * as module from "./module.mjs";
const { name, calls } = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify(calls.map((given) => module[name](...given) ?? null)));
"""


def call(module: str, name: str, calls: list[list[Any]], folder: Path) -> list[Any]:
    """Return the results of a function of a module of the page."""
    (folder / "module.mjs").write_text(link(module), encoding="utf-8")
    (folder / "call.mjs").write_text(PROGRAM, encoding="utf-8")
    asked = json.dumps({"name": name, "calls": calls})
    done = subprocess.run(
        ["node", "call.mjs"], input=asked, cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    assert not done.stderr, done.stderr
    results: list[Any] = json.loads(done.stdout)
    return results


def without_order(board: Data) -> Data:
    """Return the data of a board in which the order of corners and of lines does not matter."""
    board = json.loads(json.dumps(board))
    ground = re.sub(r'points="([^"]*)"', lambda found: " ".join(sorted(found[1].split())), board["ground"])
    lines = re.search(r'd="M([^"]*)"', ground)
    if lines:
        ends = sorted(" ".join(sorted(line.split("L"))) for line in lines[1].split("M"))
        ground = ground.replace(lines[0], " ".join(ends))
    return board | {"ground": ground}


def test_boards_of_all_sizes(tmp_path: Path) -> None:
    asked: list[list[Any]] = []
    expected = []
    for number, name in enumerate(games.BUILT_IN):
        game = games.get(name)
        for size in game.sizes:
            system = SYSTEMS[(number + size) % 3]
            opening: dict[str, str] = dict(zip(game.opening, ("a1", "b2"), strict=False))
            record: Any = {"game": name, "size": size, "coordinates": system, "opening": opening, "moves": []}
            asked.append([size, game.surface, system])
            expected.append(position_data(Record(record, game), game.start(size=size, opening=opening))["board"])
    for there, here in zip(call("geometry", "drawnBoard", asked, tmp_path), expected, strict=True):
        assert without_order(there) == without_order(here)


def marked() -> Iterator[tuple[list[Any], Data]]:
    """Yield the arguments of `markupOf` for the positions with marks in the fixtures, and the markup of the service."""
    for path in FIXTURES.glob("*/valid/*.yaml"):
        if "marks:" not in path.read_text(encoding="utf-8"):
            continue
        for report in hexrec.check(path):
            data = replay_data(report)
            board, record = data["board"], data["record"]
            stones = [0] * len(board["cells"])
            said = [record, *(move if isinstance(move, dict) else {} for move in record["moves"])]
            for about, step in zip(said, [data["start"], *data["moves"]], strict=True):
                for cell, value in step["changes"]:
                    stones[cell] = value
                if "markup" in step:
                    given = [about["marks"], board, [*stones], record.get("coordinates", "row")]
                    yield given, step["markup"]


def elements(svg: str) -> tuple[list[Any], Any]:
    """Return the elements of SVG without numbers, and the numbers, of which the last decimal may differ."""
    numbers: list[float] = []

    def take(found: re.Match[str]) -> str:
        numbers.append(float(found[0]))
        return "0"

    without = re.sub(r"-?\d+(?:\.\d+)?", take, svg)
    parsed = [(each.tag, each.attrib, each.text) for each in ElementTree.fromstring(f"<svg>{without}</svg>").iter()]
    return parsed, numbers


def test_marks_of_records(tmp_path: Path) -> None:
    given, expected = zip(*marked(), strict=True)
    kinds = {mark["kind"] for marks, *_ in given for mark in marks}
    assert kinds == {"circle", "square", "triangle", "cross", "label", "arrow", "line", "area"}
    for there, here in zip(call("markup", "markupOf", list(given), tmp_path), expected, strict=True):
        for layer in ("under", "over"):
            (parts, numbers), (own_parts, own_numbers) = elements(there[layer]), elements(here[layer])
            assert parts == own_parts
            assert sorted(numbers) == pytest.approx(sorted(own_numbers), abs=0.011)
        assert there["words"] == json.loads(json.dumps(here["words"]))
