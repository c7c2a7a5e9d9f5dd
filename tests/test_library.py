"""The calls of the library, as the format page promises them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hexrec
from hexrec import formats
from tests.cli.conftest import SHORT_GAME


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with a good record, a bad one and a good one."""
    bad: dict[str, Any] = {**SHORT_GAME, "size": "3"}
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(game) + "\n" for game in (SHORT_GAME, bad, SHORT_GAME)))
    return path


def test_what_the_library_has() -> None:
    assert dir(hexrec) == sorted(hexrec.__all__)
    with pytest.raises(AttributeError, match=r"\Amodule 'hexrec' has no attribute 'lods'\Z"):
        hexrec.lods  # noqa: B018


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


def test_the_format_can_be_forced(games: Path, tmp_path: Path) -> None:
    """Neither the name of a file nor its content decides then."""
    (tmp_path / "game.json").write_text(json.dumps(SHORT_GAME, indent=1))
    assert hexrec.load(tmp_path / "game.json").size == 3
    with pytest.raises(hexrec.RecordError, match=r"game\.json:1:1: .*SGF"):
        hexrec.load(tmp_path / "game.json", "sgf")
    errors: list[hexrec.RecordError] = []
    assert list(hexrec.records(games, format="sgf", on_error=errors.append)) == []
    assert errors


def test_the_name_of_a_file_says_its_format(tmp_path: Path) -> None:
    """That is asked first: the content looks like another one."""
    (tmp_path / "game.sgf").write_text(json.dumps(SHORT_GAME))
    with pytest.raises(hexrec.RecordError, match=r"game.sgf:1:1: "):
        hexrec.load(tmp_path / "game.sgf")


def test_what_a_format_cannot_hold_is_said(tmp_path: Path) -> None:
    move = {"turn": "a1", "comment": "!"}
    more = {"date": "2026-11-20", "result": {"winner": "black", "termination": "time"}, "x-own": 1}
    record = hexrec.loads(json.dumps({**SHORT_GAME, "moves": [move], **more}))
    with pytest.warns(hexrec.ConversionWarning, match="convert/abstractplay-lost") as warned:
        text = hexrec.dumps(record, "abstractplay")
    assert [each.filename for each in warned] == [__file__] * 2, "the program's own line"
    assert all(str(each.message).startswith("convert/abstractplay-lost: ") for each in warned), "they have no place"
    losses: list[hexrec.Diagnostic] = []
    assert hexrec.dumps(record, "abstractplay", on_loss=losses.append) == text
    assert {loss.pointer for loss in losses} == {"/moves/0/comment", "/x-own"}
    hexrec.dump(record, tmp_path / "a.json", "abstractplay", on_loss=losses.append)
    assert losses[:2] == losses[2:]
    assert hexrec.loads(text).turns == ["a1"]


def test_cells_that_keep_their_names_are_said() -> None:
    record = hexrec.loads("(;FF[4]GM[5001]SZ[5]HX[sunspot];B[e5];W[a1]XX[e5])", "sgf")
    losses: list[hexrec.Diagnostic] = []
    text = hexrec.dumps(record, coordinates="skew", on_loss=losses.append)
    assert [(loss.code, loss.pointer) for loss in losses] == [("convert/kept-cell", "/moves/1/x-sgf")]
    with pytest.warns(hexrec.ConversionWarning, match="^convert/kept-cell: x-sgf names e5"):
        assert hexrec.dumps(record, coordinates="skew") == text


def test_what_a_format_does_not_allow_is_said(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[5001]SZ[5];B[e5])")
    with pytest.warns(hexrec.ConversionWarning, match=r"game.sgf:1:2: syntax/sgf-version"):
        assert hexrec.load(path).turns == ["e5"]


def test_dump_writes_nothing_that_it_cannot_name(tmp_path: Path) -> None:
    record = hexrec.loads(json.dumps(SHORT_GAME))
    with pytest.raises(ValueError, match="does not show the format") as raised:
        hexrec.dump(record, tmp_path / "game.txt")
    assert str(raised.value).endswith("/game.txt' does not show the format: give one of " + ", ".join(formats.names()))
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
    assert {(each.file, each.record) for each in raised.value.diagnostics} == {(str(path), 0)}
    with pytest.raises(hexrec.RecordError, match="missing"):
        hexrec.loads('{"hexrec": "1", "moves": [')
    path.write_text('{"hexrec": "1", "moves": [')
    with pytest.raises(hexrec.RecordError, match="missing") as raised:
        hexrec.load(path)
    assert [(each.file, each.record) for each in raised.value.diagnostics] == [(str(path), 0)]


def test_load_takes_one_record(games: Path) -> None:
    with pytest.raises(ValueError, match=r"games\.jsonl has 3 records, not one: use records$"):
        hexrec.load(games)
    with pytest.raises(ValueError, match=r"^the text has 2 records, not one: use records$"):
        hexrec.loads((json.dumps(SHORT_GAME) + "\n") * 2)
    with pytest.raises(FileNotFoundError):
        hexrec.load(games.with_name("missing.json"))


def test_a_file_that_changes_while_it_is_read(games: Path) -> None:
    records = hexrec.records(games, on_error=print)
    next(records)
    with games.open("a") as file:
        file.write(json.dumps(SHORT_GAME) + "\n")
    with pytest.raises(hexrec.InputChanged, match=r"games\.jsonl: .*changed"):
        list(records)


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


def test_unknown_names() -> None:
    with pytest.raises(hexrec.UnknownNameError, match="chess"):
        hexrec.games.get("chess")
    with pytest.raises(hexrec.UnknownNameError, match="pdf"):
        hexrec.dumps(hexrec.loads(json.dumps(SHORT_GAME)), format="pdf")
    with pytest.raises(AttributeError):
        hexrec.nothing  # noqa: B018


def test_a_position_is_printed_as_its_board() -> None:
    position = hexrec.games.get("frasvel").start(size=3, opening={"black": "a3"})
    assert str(position).splitlines()[-1] == "    a1  .   .   B   a3"
