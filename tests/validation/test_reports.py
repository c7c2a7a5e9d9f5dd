"""What reports say of records that could not be judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import pytest

from hexrec.formats.base import Document
from hexrec.io.discovery import Source
from hexrec.record.replay import replay
from hexrec.record.validation import read_record
from hexrec.rules.terms import Outcome
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation import verdict as judging
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import check_document
from tests.fixtures import FIXTURES

RECORD = {"hexrec": "1", "game": "sunspot", "size": 4, "id": 7, "moves": ["b2", "c2", "d2"]}


@pytest.mark.parametrize(
    ("data", "game", "own_id"),
    [
        ({**RECORD, "size": "x"}, "sunspot", "7"),
        ({**RECORD, "game": "go", "id": "a"}, "go", "a"),
        ({**RECORD, "game": 4, "id": True}, None, None),
        ([RECORD], None, None),
    ],
)
def test_what_a_record_says_it_is_is_known_without_a_verdict(
    data: object, game: str | None, own_id: str | None
) -> None:
    document = Document(data)
    report = check_document(document, "a file", 3)
    assert not report.valid
    assert (report.file, report.index, report.game, report.id) == ("a file", 3, game, own_id)
    assert report.document is document
    assert all((each.file, each.record, each.id) == ("a file", 3, own_id) for each in report.diagnostics)


def test_a_failure_of_hexrec_says_on_which_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("this is the test")

    monkeypatch.setattr(judging, "read_record", fail)
    report = check_document(Document(RECORD, places=fail), "a file", 3)  # type: ignore[arg-type]
    (diagnostic,) = report.diagnostics
    assert (diagnostic.code, diagnostic.file, diagnostic.record, diagnostic.id) == ("internal/error", "a file", 3, "7")
    assert (report.file, report.index, report.game, report.id) == ("a file", 3, "sunspot", "7")


def test_a_source_that_cannot_be_read_does_not_hide_the_next(tmp_path: Path) -> None:
    file = str(tmp_path / "none.json")

    def fail() -> BinaryIO:
        raise RuntimeError("this is the test")

    bad = [Diagnostic("syntax/unreadable", "no", file=name) for name in ("first", None)]
    found = list(check_sources([*bad, Source(file, "json"), Source("odd \udcff", "json", opener=fail)]))
    places = [("first", 0), ("", 0), (file, 0), ("odd \\udcff", 0)]
    assert [(report.file, report.index) for report in found] == places
    assert [(each.file, each.record) for report in found for each in report.diagnostics] == places
    assert [(report.unreadable, report.failed) for report in found] == [(True, False)] * 3 + [(False, True)]
    assert "RuntimeError: this is the test" in found[-1].diagnostics[0].message
    assert found[-1].diagnostics[0].message.endswith("with the command and this file")


@pytest.mark.parametrize("failure", [MemoryError, RuntimeError])
def test_a_failure_is_placed_in_its_file(
    failure: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure("this is the test")

    monkeypatch.setattr(judging, "read_record", fail)
    file = tmp_path / "games.jsonl"
    file.write_text('\n{"hexrec": "1"}\n')
    ((diagnostic,),) = (report.diagnostics for report in check_sources([Source(str(file), "jsonl")]))
    assert (diagnostic.place, diagnostic.record) == (f"{file}:2:1", 0)


@pytest.mark.parametrize(
    ("more", "result"),
    [
        ({"result": {"winner": "white", "termination": "time"}}, Outcome("white", None, "time")),
        ({"result": {"winner": "white"}}, None),
        ({"result": {"winner": "white", "termination": "time"}, "moves": ["b2", "b2"]}, None),
        ({}, None),
    ],
)
def test_what_is_no_end_by_the_rules_is_told_by_the_record(more: dict[str, Any], result: Outcome | None) -> None:
    document = Document({**RECORD, "id": "7", **more})
    report = check_document(document, "a file", 3)
    assert report.result == result
    assert report.document is document
    assert report.legal == (more.get("moves") is None)
    assert (report.file, report.index, report.game, report.id) == ("a file", 3, "sunspot", "7")


def test_a_game_that_goes_on_tells_whose_turn_it_is() -> None:
    data = {**RECORD, "id": "7", "setup": "4/5/6/7/6/5/4 w 0", "result": {"winner": "white"}}
    (found,) = check_document(Document(data)).errors
    assert found.message.endswith("but after 3 turns it is Black's turn")


def test_a_margin_is_not_compared_with_no_score() -> None:
    loop = ["c3", "d4", "d3", "e4", "c4", "d5", "e3xd4xc3"]
    data = {**RECORD, "id": "7", "moves": loop, "result": {"winner": "white"}, "x-sgf": {"RE": ["W+1"]}}
    assert check_document(Document(data)).valid


def test_a_margin_is_not_compared_if_the_winner_is_another(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    text = (FIXTURES / "formats/sgf/valid/margin.sgf").read_text(encoding="utf-8")
    file.write_text(text.replace("b+0.50", "W+2"), encoding="utf-8")
    (report,) = check_sources([Source(str(file), "sgf")])
    assert [each.code for each in report.errors] == ["result/winner-mismatch"]


@pytest.mark.parametrize(("plies", "played"), [(None, 3), (0, 0), (2, 2), (9, 3)])
def test_a_replay_stops_where_it_is_told_to(plies: int | None, played: int) -> None:
    assert replay(read_record({**RECORD, "id": "7"}), plies).plies == played
