"""The calls of the library, as the format page promises them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hexrec
from tests.cli.conftest import SHORT_GAME


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with a good record, a bad one and a good one."""
    bad: dict[str, Any] = {**SHORT_GAME, "size": "3"}
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(game) + "\n" for game in (SHORT_GAME, bad, SHORT_GAME)))
    return path


@pytest.mark.parametrize("name", ["game.json", "game.yaml", "game.jsonl", "game.sgf", "game.hgn", "game.hgn.gz"])
def test_dump_and_load(tmp_path: Path, name: str) -> None:
    record = hexrec.loads(json.dumps(SHORT_GAME))
    hexrec.dump(record, tmp_path / name)
    again = hexrec.load(tmp_path / name)
    assert again == record
    assert (again.game, again.size, again.turns) == ("sundraval", 3, SHORT_GAME["moves"])
    assert hexrec.dumps(again, format="yaml") == hexrec.dumps(record, format="yaml")


def test_dump_in_other_coordinates(tmp_path: Path) -> None:
    record = hexrec.loads(json.dumps(SHORT_GAME))
    hexrec.dump(record, tmp_path / "game.sgf", coordinates="axial")
    again = hexrec.load(tmp_path / "game.sgf")
    assert (again.coordinates, again.turns[0]) == ("axial", "(0,-2)")
    assert hexrec.dumps(again, coordinates="row") == hexrec.dumps(record)
    malformed = hexrec.loads(json.dumps({**SHORT_GAME, "moves": ["z9"]}))
    with pytest.raises(hexrec.RecordError, match="z9"):
        hexrec.dumps(malformed, coordinates="skew")


def test_what_a_notation_cannot_hold_is_said() -> None:
    move = {"turn": "a1", "comment": "!"}
    more = {"date": "2026-11-20", "result": {"winner": "black", "termination": "time"}, "x-own": 1}
    record = hexrec.loads(json.dumps({**SHORT_GAME, "moves": [move], **more}))
    with pytest.warns(hexrec.ConversionWarning, match="convert/abstractplay-lost") as warned:
        text = hexrec.dumps(record, "abstractplay")
    assert len(warned) == 2
    losses: list[hexrec.Diagnostic] = []
    assert hexrec.dumps(record, "abstractplay", on_loss=losses.append) == text
    assert {loss.pointer for loss in losses} == {"/moves/0/comment", "/x-own"}
    assert hexrec.loads(text).turns == ["a1"]


def test_what_a_notation_does_not_allow_is_said(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[5001]SZ[5];B[e5])")
    with pytest.warns(hexrec.ConversionWarning, match=r"game.sgf:1:2: syntax/sgf-version"):
        assert hexrec.load(path).turns == ["e5"]


def test_dump_writes_nothing_that_it_cannot_name(tmp_path: Path) -> None:
    record = hexrec.loads(json.dumps(SHORT_GAME))
    with pytest.raises(ValueError, match="does not show the notation"):
        hexrec.dump(record, tmp_path / "game.txt")
    hexrec.dump(record, tmp_path / "game.txt", format="json")
    assert hexrec.load(tmp_path / "game.txt") == record


def test_load_says_what_is_wrong_and_where(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"hexrec": "1",\n "game": "sundraval",\n "size": "3"}')
    with pytest.raises(hexrec.RecordError) as raised:
        hexrec.load(path)
    codes = {diagnostic.code: (diagnostic.line, diagnostic.column) for diagnostic in raised.value.diagnostics}
    assert codes["schema/type"] == (3, 10)
    assert f"{path}:3:10: size should be a whole number" in str(raised.value)
    with pytest.raises(hexrec.RecordError, match="missing"):
        hexrec.loads('{"hexrec": "1", "moves": [')


def test_load_takes_one_record(games: Path) -> None:
    with pytest.raises(ValueError, match="holds 3 records, not one"):
        hexrec.load(games)
    with pytest.raises(FileNotFoundError):
        hexrec.load(games.with_name("missing.json"))


def test_iter_records(games: Path) -> None:
    records = hexrec.iter_records(games)
    assert next(records).size == 3
    with pytest.raises(hexrec.RecordError, match=f"{games.name}:2:"):
        next(records)
    errors: list[hexrec.RecordError] = []
    assert len(list(hexrec.iter_records(games, on_error=errors.append))) == 2
    assert [error.diagnostics[0].record for error in errors] == [1]


def test_validate() -> None:
    record = hexrec.loads(json.dumps(SHORT_GAME))
    report = hexrec.validate(record)
    assert report.valid
    assert report.plies == 4
    assert report.result == hexrec.Outcome("white", {"black": 0.0, "white": 1.5})
    assert [diagnostic.code for diagnostic in hexrec.validate(record, finished=True).diagnostics] == ["result/missing"]
    illegal = hexrec.validate(hexrec.loads(json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]})))
    assert (illegal.valid, illegal.plies, illegal.result) == (False, 1, None)
    (diagnostic,) = illegal.diagnostics
    assert (diagnostic.code, diagnostic.ply, diagnostic.turn, diagnostic.pointer) == (
        "move/occupied",
        2,
        "a1",
        "/moves/1",
    )


def test_positions() -> None:
    position = hexrec.games.get("sundraval").start(size=9, opening={"black": "e5", "white": "f6"})
    assert position.turn == "black"
    assert "c4" in position.legal_turns()
    assert position.is_legal("c4")
    before = position.copy()
    with pytest.raises(hexrec.IllegalTurn) as raised:
        position.play("e5")
    assert (raised.value.code, position == before) == ("move/occupied", True)
    position.play("c4")
    assert (position.turn, position.is_over, position.result()) == ("white", False, None)
    position.play("pass")
    position.play("pass")
    assert position.is_over
    assert position.result() == hexrec.Outcome("draw", {"black": 0.0, "white": 0.0})


@pytest.mark.parametrize(
    ("game", "arguments"),
    [
        ("sundraval", {"size": 12, "opening": {"black": "e5", "white": "f6"}}),
        ("sundraval", {"size": 9}),
        ("sundraval", {"size": 9, "opening": {"black": "e5"}}),
        ("sundraval", {"size": 9, "opening": {"black": "e5", "white": "f6"}, "variant": "reverse"}),
        ("sundraval", {"size": 9, "opening": {"black": "e5", "white": "f6"}, "coordinates": "polar"}),
        ("sunspot", {"size": 5, "opening": {"black": "e5"}}),
    ],
)
def test_start_refuses_what_the_game_does_not_have(game: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        hexrec.games.get(game).start(**arguments)


def test_unknown_names() -> None:
    with pytest.raises(KeyError, match="chess"):
        hexrec.games.get("chess")
    with pytest.raises(KeyError, match="pdf"):
        hexrec.dumps(hexrec.loads(json.dumps(SHORT_GAME)), format="pdf")
    with pytest.raises(AttributeError):
        hexrec.nothing  # noqa: B018
