from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hexrec.record.validation import read_record
from hexrec.rules import games, position_text
from hexrec.rules.board import CELL_PATTERNS, System, hexagon
from hexrec.tools.duplicates import Duplicates
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_record
from tests.properties import sample

FIXTURES = Path(__file__).parents[2] / "fixtures/suite"
FRASVEL: dict[str, Any] = {"hexrec": "1", "game": "frasvel", "size": 5, "opening": {"black": "e5"}, "moves": ["a1"]}


def references(game: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIXTURES / game / "reference/games.jsonl").read_text().splitlines()]


def respelled(data: dict[str, Any], cells: dict[int, int], system: System = "row") -> dict[str, Any]:
    """Return a record with each cell replaced by its image, as it would be written by someone who saw that game."""
    names, other = hexagon(data["size"]).names(), hexagon(data["size"]).names(system)
    spelling = {name: other.names[cells[cell]] for name, cell in names.cells.items()}
    opening = {color: spelling[cell].strip("()") for color, cell in data.get("opening", {}).items()}
    if "setup" in data:
        data = {**data, "setup": turned(data["setup"], data, cells)}
    rules: dict[str, Any] = {"position": data.get("setup"), "ruleset": data.get("ruleset")}
    position = games.get(data["game"]).start(data["size"], opening, data.get("variant"), system, **rules)
    moves = []
    for turn in data["moves"]:
        moves.append(position.canonical(re.sub(CELL_PATTERNS["row"], lambda cell: spelling[cell[0]], turn)))
        position.play(moves[-1])
    return {**data, "coordinates": system, "moves": moves} | ({"opening": opening} if opening else {})


def turned(setup: str, data: dict[str, Any], cells: dict[int, int]) -> str:
    """Return the text of a position with each stack on the image of its cell."""
    contents = games.get(data["game"]).start(data["size"], position=setup).contents()
    moved = contents.copy()
    for cell, image in cells.items():
        moved[image] = contents[cell]
    rows, *_ = position_text.write(hexagon(data["size"]), moved, 0, 0).split(" ")
    return " ".join([rows, *setup.split(" ")[1:]])


def reports(records: Iterable[dict[str, Any]], file: str = "a.jsonl") -> list[Report]:
    """Return what a run knows of records: no more than what a report keeps of them."""
    checked = (check_record(read_record(data, turns_unchecked=True), lint=True) for data in records)
    return [replace(report, file=file, index=index, record=None) for index, report in enumerate(checked)]


def duplicates(*runs: list[Report]) -> list[str | None]:
    """Return what is found for each record: nothing, or that it is the same as another, or that it is an image."""
    found: list[str | None] = []
    for report in Duplicates().find(report for run in runs for report in run):
        same = [each for each in report.diagnostics if each.code.startswith("lint/duplicate")]
        found.append(f"{same[0].code.removeprefix('lint/')}: {same[0].message}" if same else None)
        assert len(same) <= 1
        assert all(each.severity == "warning" for each in same)
    return found


#: A board without an empty cell: a turn places no stone, and which of the stones that it flips is named first is the
#: engine's choice.
FULL: dict[str, Any] = {
    "hexrec": "1",
    "game": "sunspot",
    "size": 4,
    "setup": "bwww/bbwww/bbbwbb/wbbbwbb/wwwwwb/wwwwb/bwwb b 0",
    "moves": ["xb4xa4"],
}


def test_images_of_a_turn_of_two_cells_are_duplicates() -> None:
    images = [respelled(FULL, image) for image in hexagon(4).symmetries]
    found = duplicates(reports(images))
    assert found[0] is None
    assert all(found[1:])


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_different_games_are_no_duplicates(game: str) -> None:
    """Among them are games that differ in their last turn only, and beginnings of games."""
    records = sample(references(game), 3)
    for data in sample(records, 4):
        moves = data["moves"]
        position = games.get(game).start(data["size"], data.get("opening"), data.get("variant"))
        for turn in moves[:-3]:
            position.play(turn)
        stones = [position.stacks()]
        for turn in position.legal_turns():
            after = position.copy()
            after.play(turn)
            if after.stacks() not in stones and turn != moves[-3]:
                stones.append(after.stacks())
                records.append({**data, "moves": [*moves[:-3], turn]})
        records.append({**data, "moves": moves[:-1]})
    found = reports(records)
    keys = {(report.lint_key.digest, report.lint_key.image) for report in found if report.lint_key}
    assert len(keys) == len(records)
    assert not [each for each in duplicates(found) if each and each.startswith("duplicate:")]


@pytest.mark.parametrize(
    "change",
    [
        {"event": "City Open", "date": "2026-11-20", "id": "17"},
        {"players": {"black": {"name": "Ada"}}},
        {"ruleset": "2024"},
        {"opening": {"black": " E5"}},
        {"moves": [{"turn": " A1", "comment": "!", "variations": [["a2"]]}]},
        {"result": {"winner": "white", "termination": "time"}},
    ],
)
def test_what_else_records_say_does_not_matter(change: dict[str, Any]) -> None:
    found = duplicates(reports([FRASVEL, {**FRASVEL, **change}]))
    assert found == [None, "duplicate: the same game as record 0 of a.jsonl"]


NADRAZ: dict[str, Any] = {
    "hexrec": "1",
    "game": "nadraz",
    "size": 10,
    "opening": {"black": "e5", "white": "k9"},
    "moves": ["e6"],
}


def from_setup(first_row: str, mover: str) -> dict[str, Any]:
    setup = "/".join([first_row, *map(str, [6, 7, 8, 9, 8, 7, 6, 5])])
    return {"hexrec": "1", "game": "sunspot", "size": 5, "setup": f"{setup} {mover} 0", "moves": ["e5"]}


def begun(number: int, plies: int, turn: str) -> dict[str, Any]:
    """Return the beginning of a game of Sunspot with another turn after it."""
    data = references("sunspot")[number]
    return {**data, "moves": [*data["moves"][:plies], turn]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # What stands for a cell where games are compared is not what a turn says itself.
        ({**FRASVEL, "moves": ["a1@"]}, {**FRASVEL, "moves": ["@a1"]}),
        ({**FRASVEL, "moves": ["\\a1@"]}, {**FRASVEL, "moves": ["@\\a1"]}),
        # The image of a1 leaves two symmetries, of which b1 leaves one.
        ({**FRASVEL, "moves": ["a1", "b1", "c1"]}, {**FRASVEL, "moves": ["a1", "b1", "a3"]}),
        ({**FRASVEL, "moves": ["a1", "?!"]}, {**FRASVEL, "moves": ["a1", "!?"]}),
        (from_setup("b4", "b"), from_setup("w4", "b")),
        (from_setup("b4", "b"), from_setup("b4", "w")),
        (from_setup("bw3", "b"), from_setup("bb3", "b")),
        # The one turn places a stone elsewhere than the other, and flips the same.
        (begun(2, 15, "d6xd4"), begun(2, 15, "d7xd4")),
        (begun(3, 12, "c5xb4xa3"), begun(3, 12, "d6xb4xa3")),
    ],
)
def test_games_that_differ_in_little(one: dict[str, Any], other: dict[str, Any]) -> None:
    checked = reports([one, other])
    assert all(report.lint_key for report in checked)
    assert duplicates(checked) == [None, None]


def test_games_without_turns_are_not_compared() -> None:
    assert duplicates(reports([{**FRASVEL, "moves": []}] * 2)) == [None, None]


@pytest.mark.parametrize(
    "change",
    [
        {"moves": ["a1", "a1", "b2"]},
        {"moves": ["a1", "z9", "pass"]},
        {"moves": ["a1", "?!"]},
        {"opening": {"black": "z9"}},
        {"opening": {"black": "a9"}, "moves": ["a1", "e5-e6/a2"]},
    ],
)
def test_records_whose_replay_fails(change: dict[str, Any]) -> None:
    data = {**FRASVEL, **change}
    other = {**data, "moves": [*data["moves"], "c3"]}
    found = duplicates(reports([data, other, data]))
    assert found == [None, None, "duplicate: the same game as record 0 of a.jsonl"]


def test_each_image_is_compared_with_the_first_game_that_it_equals() -> None:
    names = hexagon(5).names()
    one, two, three = (
        {**FRASVEL, "opening": {"black": names.names[image[names.cells["d4"]]]}, "moves": [], "id": str(number)}
        for number, image in enumerate(hexagon(5).symmetries[:3])
    )
    for number, data in enumerate((one, two, three)):
        data["moves"] = [names.names[hexagon(5).symmetries[number][names.cells["a2"]]]]
    a, b = reports([one, two, two]), reports([three, one, three, two, FRASVEL, FRASVEL], "b.jsonl")
    mirrored = "duplicate-mirrored: the same game, rotated or mirrored, as record"
    assert duplicates(a, b) == [
        None,
        f"{mirrored} 0 (0) of a.jsonl",
        "duplicate: the same game as record 1 (1) of a.jsonl",
        f"{mirrored} 0 (0) of a.jsonl",
        "duplicate: the same game as record 0 (0) of a.jsonl",
        "duplicate: the same game as record 0 (2) of b.jsonl",
        "duplicate: the same game as record 1 (1) of a.jsonl",
        None,
        "duplicate: the same game as record 4 of b.jsonl",
    ]
