"""The module in JavaScript answers as Python does: names, position texts, setups, turns, results and hashes."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hexrec_col.rules import Col

import hexrec
from hexrec.errors import ArgumentError, Error
from hexrec.javascript import assemble, read_rules
from hexrec.javascript.translator import translate
from hexrec.record.record import Record
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS, System, hexagon
from hexrec.rules.grid import LEGAL
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalOpening, IllegalSetup, IllegalTurn, Ruleset
from tests.fixtures import FIXTURES, files

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")

Question = dict[str, Any]
#: Turns in odd spellings, of other games, off the board, and none at all.
ODD_TURNS = (
    "", " ", "pass", " PASS\t", "Pass\n", "a1", " A1 ", "z9", "aa1", "a0", "a01", "a1-", "a1-a2", "A1-A2/B1", "xb1",
    "a1-a2/b1/c1", "a1xb1", "xb1xc1", "x", "a1xb1xc1xd1", "e5-e5", "e5-e6", "e6-e5", "(0,0)", "(0,1)-(0,2)", "(-0,1)",
    "( 0,0)", "0,0", "(0,0)x(1,-1)", "(0,-1)-(0,1)/(1,0)", "a\u00a01", "pas\u017f", "\u212a1", "a1\0", "c3.", "n14",
)  # fmt: skip


def ask(text: str, questions: list[Question], folder: Path) -> list[Any]:
    """Return the answers of a module in Node."""
    path = folder / "hexrec.mjs"
    path.write_text(text, encoding="utf-8")
    command = ["node", str(Path(__file__).with_name("answer.mjs")), str(path)]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, encoding="utf-8", check=False)
    assert not done.stderr, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def compare(questions: list[Question], folder: Path, *, checked: bool = False) -> None:
    """Compare answers in JavaScript with those in Python."""
    assert questions
    for question, there in zip(questions, ask(assemble(checked=checked), questions, folder), strict=True):
        here = json.loads(json.dumps(answer(question)))
        assert there == here, question


def answer(question: Question) -> Any:
    """Return the answer of Python to a question of `answer.mjs`."""
    try:
        if "record" in question:
            record = Record(question["record"], games.get(question["record"]["game"]))
            return hexrec.game_hash(record, symmetric=question["symmetric"])
        options = dict(question["options"])
        position = games.get(question["game"]).start(**options)
    except IllegalOpening as error:
        return {"code": error.code, "color": error.color}
    except IllegalSetup as error:
        return {"code": error.code, "column": error.column}
    except ArgumentError:
        return {"wrong": True}
    return describe(position) if "turns" not in question else replay(position, question)


def describe(position: Position) -> dict[str, Any]:
    board, start = position.board, position.text()
    names = [position.names.names[cell] for cell in board.cells]
    return {"cells": board.cells, "steps": board.steps, "span": board.span, "names": names, "start": start}


def replay(position: Position, question: Question) -> dict[str, Any]:
    stones = {name: stone._asdict() for name, stone in position.stones.items()}
    played = []
    for turn in question["turns"]:
        position.play(turn)
        played.append([position.text(), f"{position.hash():016x}"])
    result = position.result()
    return {
        "played": played,
        "refusals": [[refusal(position, turn), position.is_legal(turn)] for turn in question["tries"]],
        "turns": position.turns,
        "text": position.text(),
        "legal": position.legal_turns(),
        "result": None if result is None else result.as_data(),
        "stones": stones,
        "back": True,
        "twin": True,
    }


def refusal(position: Position, turn: str) -> str | None:
    try:
        position.canonical(turn)
    except IllegalTurn as error:
        return error.code
    return None


@cache
def records() -> list[Record]:
    """Return the reference games and the records of the conformance kit."""
    paths = [*sorted(FIXTURES.glob("*/reference/games.jsonl")), FIXTURES / "engine/records.jsonl"]
    return [record for path in paths for record in hexrec.records(str(path))]


def start_of(record: Record) -> dict[str, Any]:
    opening = {color: str(cell) for color, cell in record.opening.items()} or None
    return {
        "size": record.size,
        "opening": opening,
        "variant": record.variant,
        "ruleset": record.ruleset,
        "readings": record.readings,
        "coordinates": record.coordinates,
        "position": record.setup,
    }


def with_setups() -> Iterator[Question]:
    """Yield the starts of the fixtures and of the kit."""
    for line in (FIXTURES / "engine/starts.jsonl").read_text(encoding="utf-8").splitlines():
        start = json.loads(line)["start"]
        options = {name: value for name, value in start.items() if name not in ("game", "setup")}
        yield {"game": start["game"], "options": {**options, "position": start.get("setup")}}
    for path in [*files("valid"), *files("invalid")]:
        if "setup" in path.read_bytes().decode(errors="replace"):
            for report in hexrec.check(str(path)):
                if report.record is not None and report.record.setup is not None:
                    yield {"game": report.record.game, "options": start_of(report.record)}


@pytest.mark.slow
def test_names_on_all_sizes_in_all_systems(tmp_path: Path) -> None:
    questions = []
    for name in games.BUILT_IN:
        game = games.get(name)
        for size in (*game.sizes, game.sizes[0] - 1, game.sizes[-1] + 1):
            for system in SYSTEMS:
                board = hexagon(min(max(size, 3), 14))
                cells = dict(zip(game.opening, map(board.names(system).single, board.cells), strict=False))
                questions.append({"game": name, "options": {"size": size, "opening": cells, "coordinates": system}})
    compare(questions, tmp_path)


@pytest.mark.slow
def test_setups_of_the_fixtures(tmp_path: Path) -> None:
    questions = list(with_setups())
    assert len(questions) > 50
    for question in questions[:]:
        text = question["options"].get("position")
        if text:  # the size follows from it
            questions.append({"game": question["game"], "options": {"position": text}})
    compare(questions, tmp_path, checked=True)


def test_broken_setups(tmp_path: Path) -> None:
    """Each character of a position text replaced or left out has the same code and column, or is read the same."""
    questions = []
    for name, text in (
        ("valaturna", "1w2/5/2b*2w2/7/b*13/5/4 b 1"),
        ("frasvel", "b*21/4/2w*32/4/w*101 w 0"),
        ("nadraz", "4/5/1b4/2w4/6/w4/4 b 0 w"),
        ("sunspot", "4/5/6/3w3/2b3/5/4 b 0"),
        ("sundraval", "3/4/2b2/1w2/3 w 1"),
    ):
        broken = [text + end for end in (" ", " x", "/", "b", " b", "\n")]
        for at in range(len(text)):
            broken += [
                text[:at] + new + text[at + 1 :]
                for new in ("", " ", "/", "*", "0", "1", "9", "b", "w", "B", "\U0001d54f")
            ]
        questions += [{"game": name, "options": {"position": each}} for each in broken]
        questions += [
            {"game": name, "options": {"position": each, "size": size}} for each in broken[:9] for size in (3, 4)
        ]
    compare(questions, tmp_path, checked=True)


@pytest.mark.slow
def test_games_and_odd_turns(tmp_path: Path) -> None:
    rng = Random(7)
    questions = []
    for record in records():
        turns = [move["turn"] if isinstance(move, dict) else move for move in record.data["moves"]]
        if rng.random() < 0.5:  # positions within games have more turns to refuse
            turns = turns[: rng.randrange(len(turns) + 1)]
        tries = [*ODD_TURNS, *rng.sample(turns, min(5, len(turns))), *[turn.upper() for turn in turns[-3:]]]
        questions.append({"game": record.game, "options": start_of(record), "turns": turns, "tries": tries})
    compare(questions, tmp_path, checked=True)


def by_reading(rules: Ruleset) -> list[tuple[System, list[str]]]:
    """Return a system with each reading of a ruleset, and with one of each ruling."""
    names = [reading.name for reading in rules.readings]
    return [("row", [name]) for name in names] + [("row", [name for name in names if name.endswith("b")][::-1])]


@pytest.mark.slow
def test_random_games_in_all_rulesets_variants_and_systems(tmp_path: Path) -> None:
    rng = Random(8)
    questions = []
    for name in games.BUILT_IN:
        game = games.get(name)
        for rules in map(game.ruleset, game.rulesets):
            for variant in (None, *game.variants):
                for system, readings in [*[(system, []) for system in SYSTEMS], *by_reading(rules)]:
                    size = rng.choice(rules.sizes[:4])
                    opening = game.random_opening(rng, size, system)
                    options: dict[str, Any] = {
                        "size": size,
                        "opening": opening,
                        "variant": variant,
                        "ruleset": rules.name,
                        "readings": readings,
                        "coordinates": system,
                    }
                    position = game.start(**options)
                    position.playout(rng)
                    turns = [f" {turn.upper()} " for turn in position.turns]
                    questions.append({"game": name, "options": options, "turns": turns, "tries": ODD_TURNS})
    compare(questions, tmp_path, checked=True)


def test_readings_that_are_refused(tmp_path: Path) -> None:
    options = {"size": 5, "opening": {"black": "c3", "white": "d4"}}
    questions = [
        {"game": "valaturna", "options": {**options, "readings": readings}}
        for readings in (["P-1b"], ["V-2"], ["V-2b", "V-2c"], ["V-2b", "V-2b"], ["V-2b"])
    ]
    questions.append(
        {"game": "valaturna", "options": {**options, "size": 7, "ruleset": "2023-first", "readings": ["V-2b"]}}
    )
    compare(questions, tmp_path)


@pytest.mark.slow
def test_hashes(tmp_path: Path) -> None:
    questions = []
    for record in records():
        if record.setup is not None or len(record.moves) < 60:  # both hashes of long games take Python long
            questions += [{"record": record.data, "symmetric": symmetric} for symmetric in (False, True)]
    compare(questions, tmp_path)


def test_rules_of_another_game(tmp_path: Path) -> None:
    """They use the grid of the module of the built-in games."""
    path = FIXTURES.parent.parent / "docs/examples/col/hexrec_col/rules.py"
    text = f"{assemble()}{translate(read_rules(path)).code}export {{ Col }};"
    (tmp_path / "hexrec.mjs").write_text(text, encoding="utf-8")
    program = """
        import { Col, newGame } from "./hexrec.mjs";
        const grid = new Col(newGame("sunspot", { size: 4 }).grid.tables, "");
        const turns = [];
        while (grid.winner === 3) {
          turns.push(grid.legal_turns()[(7 * turns.length) % grid.moves().length]);
          grid.play(grid.read(turns.at(-1)));
        }
        console.log(JSON.stringify([turns, grid.winner]));
    """
    (tmp_path / "play.mjs").write_text(program, encoding="utf-8")
    done = subprocess.run(["node", "play.mjs"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert not done.stderr, done.stderr
    turns, winner = json.loads(done.stdout)
    grid = Col(hexagon(4).tables(), "")
    assert (grid.play_all(turns, 0), grid.winner) == (LEGAL, winner)


def test_the_hash_of_an_illegal_game(tmp_path: Path) -> None:
    record = {"game": "sunspot", "size": 4, "moves": ["a1", "a1"]}
    assert ask(assemble(), [{"record": record}], tmp_path) == [{"turn": "move/occupied"}]
    with pytest.raises(Error):
        hexrec.game_hash(hexrec.loads(json.dumps({"hexrec": "1", **record})))
