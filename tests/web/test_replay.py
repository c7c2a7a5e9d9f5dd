"""What the page is told of a record agrees with the rules."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import hexrec
from hexrec.rules.terms import Stack
from hexrec.web import replay
from hexrec.web.replay import file_data, replay_data
from tests.properties import sample
from tests.web.games import FIXTURES, GAMES, broken, good, position_at, reports


def data_of(text: str, **options: bool) -> dict[str, Any]:
    """Return the data as they come out of JSON."""
    return dict(json.loads(json.dumps(replay_data(hexrec.validate(hexrec.loads(text)), **options))))


def stones_after(data: dict[str, Any], ply: int) -> dict[int, Stack]:
    """Return what the changes make of the board, by the number of the cell."""
    standing = {}
    for step in [data["start"], *data["moves"][:ply]]:
        for cell, value in step["changes"]:
            standing[cell] = Stack(int(value < 0), abs(value))
            if value == 0:
                del standing[cell]
    return standing


@pytest.mark.parametrize("game", GAMES)
def test_positions_are_those_of_the_engine(game: str) -> None:
    data = data_of(good(game), legal=True)
    record = hexrec.loads(good(game))
    assert data["legal"]
    assert data["codes"] == {}
    assert len(data["moves"]) == len(record.moves)
    for ply in range(len(record.moves) + 1):
        position = position_at(record, ply)
        cells = position.board.cells
        step = data["moves"][ply - 1] if ply else data["start"]
        assert {cells[cell]: stone for cell, stone in stones_after(data, ply).items()} == position.stacks()
        assert step["legal"] == position.legal_turns()
        assert ("over" in step) == position.is_over
        marked = [(mark["role"], tuple(cells[cell] for cell in mark["cells"])) for mark in step["marks"]]
        assert marked == [(mark.role, mark.cells) for mark in position.highlights()]


@pytest.mark.parametrize("game", GAMES)
def test_the_board_has_its_cells_in_all_coordinates(game: str) -> None:
    data = data_of(good(game))
    position = position_at(hexrec.loads(good(game)), 0)
    told = data["board"]
    for index, cell in enumerate(position.board.cells):
        assert tuple(told["cells"][index]) == position.board.axial(cell)
        assert bool(told["edge"][index]) == (cell in position.board.edge)
        for system, names in told["names"].items():
            assert names[index] == position.board.names(system).names[cell]


@pytest.mark.parametrize("game", GAMES)
def test_an_illegal_turn_is_where_it_was_played(game: str) -> None:
    (report,) = reports(broken(game), "yaml")
    data = replay_data(report)
    (error,) = report.errors
    assert error.ply is not None
    illegal = data["moves"][error.ply - 1]
    assert illegal["illegal"] in error.message
    assert "changes" not in illegal
    assert all("changes" in step for step in data["moves"][: error.ply - 1])
    assert data["report"]["valid"] is False


def test_turns_after_an_illegal_one_are_told_but_not_played() -> None:
    data = data_of('{"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4", "d4", "a1", "a2"]}')
    assert ["changes" in step for step in data["moves"]] == [True, False, False, False]
    assert [step["color"] for step in data["moves"]] == ["black", "white", "black", "white"]
    assert ["illegal" in step for step in data["moves"]] == [False, True, False, False]


def test_variations_are_played_too() -> None:
    lines = [["d5", {"turn": "e4", "variations": [["e5"]]}], ["d4", "a1"]]
    record = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4", {"turn": "c3", "variations": lines}]}
    first, second = data_of(json.dumps(record))["moves"][1]["variations"]
    assert [step["color"] for step in first] == ["white", "black"]
    ((cell, value),) = first[1]["variations"][0][0]["changes"]
    board = position_at(hexrec.loads(json.dumps(record))).board
    assert (board.names().names[board.cells[cell]], value) == ("e5", 1)
    assert "illegal" in second[0]
    assert second[1] == {"turn": "a1", "color": "black"}


def test_legal_turns_are_left_out_when_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "LEGAL_CHARACTERS", 100)
    data = data_of(good("sundraval"), legal=True)
    assert data["legal"] is False
    assert sum("legal" in step for step in [data["start"], *data["moves"]]) < len(data["moves"])


@pytest.mark.parametrize("game", GAMES)
def test_texts_are_the_record_in_every_format(game: str) -> None:
    data = file_data(hexrec.validate(hexrec.loads(good(game))))
    assert data["explanation"]["ply"] == len(data["record"]["moves"])
    assert "moves" not in data
    for name, told in data["texts"].items():
        again = hexrec.loads(told["text"], format="json" if name == "abstractplay" else name)
        assert [turn.lower() for turn in again.turns] == hexrec.loads(good(game)).turns, name
        assert told["lost"] == [] or name == "abstractplay"
    assert {"json", "yaml", "sgf", "hgn"} <= data["texts"].keys()


def test_a_record_that_cannot_be_read_has_only_a_report(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"hexrec": "1", "game": "sunspot"}')
    (report,) = reports(path, "json")
    data = replay_data(report)
    assert data["record"] is None
    assert "board" not in data
    assert {each["code"] for each in data["report"]["diagnostics"]} == {"schema/missing-field"}


def test_a_record_with_an_illegal_opening_has_no_board() -> None:
    text = '{"hexrec": "1", "game": "frasvel", "size": 3, "opening": {"black": "z9"}, "moves": []}'
    data = data_of(text)
    assert data["record"]["opening"] == {"black": "z9"}
    assert "board" not in data


@pytest.mark.slow
def test_fixtures_can_be_told() -> None:
    told = 0
    for path in sample(sorted(FIXTURES.glob("*/*/*.yaml")), 12):
        for report in reports(path, "yaml"):
            data = json.loads(json.dumps(replay_data(report)))
            assert data["report"]["valid"] == report.valid
            assert (data["record"] is None) == (report.record is None)
            told += 1
    assert told > 30


def test_names_of_turns_are_found_by_the_pattern() -> None:
    start = '{"hexrec": "1", "game": "frasvel", "size": 3, "coordinates": "axial", "opening": {"black": "0,0"}'
    assert re.findall(data_of(f'{start}, "moves": []}}')["board"]["pattern"], "(0,0)-(1,0)/(-1,2)") == [
        "(0,0)",
        "(1,0)",
        "(-1,2)",
    ]
