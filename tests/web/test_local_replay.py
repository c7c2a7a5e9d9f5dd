"""What the page knows of a record by itself is what the service tells of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Source
from hexrec.validation.sources import check_sources
from hexrec.web.replay import entry_data, replay_data
from hexrec.web.scripts import link
from tests.properties import sample
from tests.web.games import FIXTURES, GAMES

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")

#: Prints, for each record, what the page knows of it: the position and its marks after each turn, and some legal turns.
PROGRAM = """
import { createInterface } from "node:readline";
import { choicesIn, marksAfter, positionAfter, replayed } from "./replay.mjs";
for await (const line of createInterface({ input: process.stdin })) {
  const { record, plies } = JSON.parse(line);
  const { game, start, moves } = replayed(record);
  const turns = moves?.filter((step) => step.changes).map((step) => step.turn) ?? [];
  const known = start ? [...turns.keys(), turns.length].map((ply) => {
    const played = turns.slice(0, ply);
    return { ...marksAfter(record, played), position: positionAfter(record, played).text() };
  }) : [];
  const choices = plies.map((ply) => choicesIn(positionAfter(record, turns.slice(0, ply))));
  console.log(JSON.stringify({ game, start, moves, known, choices }));
}
"""


def records() -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield records of all games, legal and not, from their openings and from set positions, with their data."""
    for game in GAMES:
        root = FIXTURES / game
        paths = [
            *root.glob("reference/games.jsonl"),
            *sample(sorted(root.glob("valid/*")), 16),
            *sample(sorted(root.glob("invalid/*")), 16),
        ]
        for path in paths:
            for report in sample(list(check_sources([Source(str(path), None)])), 6):
                data = json.loads(json.dumps(replay_data(report)))
                if data["record"]:
                    yield report.record, data


def without_drawing(step: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows of a turn apart from marks, the position, and the words for an illegal turn."""
    kept = {name: value for name, value in step.items() if name not in ("marks", "parts", "markup", "position")}
    if "illegal" in kept:
        kept["illegal"] = True
    if "variations" in kept:
        kept["variations"] = [[without_drawing(each) for each in line] for line in kept["variations"]]
    return kept


def without_lines(marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in mark.items() if name != "lines"} for mark in marks]


def test_records_are_replayed_as_by_the_service(tmp_path: Path) -> None:
    (tmp_path / "replay.mjs").write_text(link("replay"), encoding="utf-8")
    (tmp_path / "ask.mjs").write_text(PROGRAM, encoding="utf-8")
    expected, asked = list(records()), []
    for _, data in expected:
        played = sum("changes" in step for step in data.get("moves", ()))
        asked.append({"record": data["record"], "plies": sorted({0, played // 2, played}) if "start" in data else []})
    text = "".join(json.dumps(each) + "\n" for each in asked)
    done = subprocess.run(
        ["node", "ask.mjs"], input=text, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False
    )
    assert not done.stderr, done.stderr
    answers = map(json.loads, done.stdout.splitlines())
    for (record, data), question, told in zip(expected, asked, answers, strict=True):
        assert told["game"] == data["game"]
        if "start" not in data:
            assert "start" not in told
            continue
        assert without_drawing(told["start"]) == without_drawing(data["start"])
        assert [without_drawing(step) for step in told["moves"]] == [without_drawing(step) for step in data["moves"]]
        steps = [data["start"], *(step for step in data["moves"] if "changes" in step)]
        for step, known in zip(steps, told["known"], strict=True):
            assert known["position"] == step["position"]
            assert without_lines(known["marks"]) == without_lines(step["marks"])
            assert without_lines(known["parts"]) == without_lines(step.get("parts", []))
        for ply, choices in zip(question["plies"], told["choices"], strict=True):
            position = record.start()
            position.play_all(record.turns[:ply])
            entry = json.loads(json.dumps(entry_data(record, position)))
            assert [each["turn"] for each in choices] == position.legal_turns()
            assert [each["parts"] for each in choices] == entry["parts"]
            assert [sorted(each["changes"]) for each in choices] == [sorted(changes) for changes in entry["changes"]]
