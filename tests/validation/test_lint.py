from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from hexrec.formats.base import Document
from hexrec.record.canonical import canonical_form
from hexrec.record.replay import replay
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.lint import add_warnings
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_record, read_document
from tests.properties import examples
from tests.record.strategies import records

NADRAZ = Path(__file__).parents[2] / "fixtures/suite/nadraz/reference/games.jsonl"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
GAME: dict[str, Any] = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 9,
    "opening": {"black": "e5", "white": "f6"},
    "moves": ["a1"],
}
PASSED = {**GAME, "moves": ["pass", "pass"], "result": {"winner": "draw"}}


def lint(data: dict[str, Any], now: datetime = NOW) -> list[Diagnostic]:
    record = read_document(Document(data), None, None)
    return [*add_warnings(Report(()), record, replay(record), now).diagnostics]


def found(data: dict[str, Any], now: datetime = NOW) -> list[tuple[str, str | None]]:
    return [(diagnostic.code.removeprefix("lint/"), diagnostic.pointer) for diagnostic in lint(data, now)]


@pytest.mark.parametrize("data", [GAME, PASSED], ids=["unfinished", "finished"])
def test_nothing_to_say(data: dict[str, Any]) -> None:
    assert lint(data) == []


# Not canonical.


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({**GAME, "coordinates": "row"}, "/coordinates"),
        ({**GAME, "size": 9.0}, "/size"),
        ({**GAME, "players": {}}, "/players"),
        ({**GAME, "moves": [{"turn": "a1", "nag": []}]}, "/moves/0"),
        ({**GAME, "moves": [{"turn": "a1", "nag": [], "comment": ""}]}, "/moves/0/nag"),
        ({**GAME, "moves": [{"turn": "a1", "clock": 60.0}]}, "/moves/0/clock"),
        ({**GAME, "moves": [{"comment": "!", "turn": "A1"}]}, "/moves/0/turn"),
        ({**PASSED, "result": {"winner": "draw", "termination": "rules"}}, "/result/termination"),
        ({**PASSED, "result": {"winner": "draw", "score": {"black": 0, "white": 0.0}}}, "/result/score/white"),
        # The first in the order of the record, not of the format.
        ({"moves": ["A1"], "ruleset": "2023", **{k: v for k, v in GAME.items() if k != "moves"}}, "/moves/0"),
        ({"ruleset": "2023", **GAME, "moves": ["A1"]}, "/ruleset"),
    ],
)
def test_not_canonical(data: dict[str, Any], pointer: str) -> None:
    assert found(data) == [("not-canonical", pointer)]


@pytest.mark.parametrize(
    "data",
    [
        dict(reversed(GAME.items())),
        {**GAME, "opening": {"white": "f6", "black": "e5"}},
        {**GAME, "x-acme-b": {"size": 9.0, "of": [" A1 ", {}]}, "x-acme-a": None},
        {**GAME, "moves": [{"turn": "a1", "comment": " A1 ", "x-acme-of": 1.0}]},
    ],
    ids=["reversed", "opening", "extensions", "move"],
)
def test_order_and_contents_of_ones_own_do_not_matter(data: dict[str, Any]) -> None:
    assert lint(data) == []


def test_a_record_that_was_read_from_nothing_is_not_compared() -> None:
    record = read_record({**GAME, "ruleset": "2023"})
    assert check_record(record, lint=True).diagnostics == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_what_is_not_canonical_differs_from_the_canonical_form(name: str) -> None:
    @settings(max_examples=examples(3))
    @given(records(name))
    def check(data: dict[str, Any]) -> None:
        canonical = canonical_form(read_record(data))
        pointers = [pointer for code, pointer in found(data) if code == "not-canonical"]
        assert len(pointers) == (json.dumps(data, sort_keys=True) != json.dumps(canonical, sort_keys=True))
        assert "not-canonical" not in dict(found(canonical))

    check()


# Dates.


@pytest.mark.parametrize(
    ("text", "future"),
    [
        ("2026-11-20", False),
        ("2026-11-21", False),
        ("2026-11-22", True),
        ("2026-11-20T12:00:00Z", False),
        ("2026-11-20T12:00:00.001Z", True),
        ("2026-11-20T12:01:00-00:00", True),
        ("2026-11-20T13:59:00+02:00", False),
        ("2026-11-20T14:01:00+02:00", True),
        ("2026-11-20T06:59:00-05:00", False),
        ("2026-11-20T07:01:00-05:00", True),
        ("2026-11-20T12:00:00.123456789Z", True),
        ("0001-01-01T00:00:00+23:59", False),
        ("9999-12-31T23:59:00-23:59", True),
    ],
)
def test_future_dates(text: str, future: bool) -> None:
    assert found({**GAME, "date": text}) == [("future-date", "/date")] * future
    if "T" in text:
        at = {"turn": "a1", "at": text}
        assert found({**GAME, "moves": [at]}) == [("future-date", "/moves/0/at")] * future


def test_a_day_begins_first_in_the_zone_farthest_east() -> None:
    tomorrow = {**GAME, "date": "2026-11-21"}
    midnight = datetime(2026, 11, 21, tzinfo=timezone(timedelta(hours=14)))
    assert found(tomorrow, midnight) == []
    assert found(tomorrow, midnight - timedelta(seconds=1)) == [("future-date", "/date")]
    assert found(tomorrow, midnight.astimezone(timezone(timedelta(hours=-12)))) == []


def test_only_the_first_turn_in_the_future_is_named() -> None:
    moves = [{"turn": turn, "at": at} for turn, at in (("a1", "2026-01-01T00:00:00Z"), ("a2", "2027-01-01T00:00:00Z"))]
    data = {**GAME, "moves": [*moves, {"turn": "a3", "at": "2027-01-01T00:01:00Z"}]}
    assert found(data) == [("future-date", "/moves/1/at")]
    assert found({**data, "date": "2027-01"}) == [("future-date", "/date"), ("future-date", "/moves/1/at")]
    assert lint(data)[0].message == "turn 2 was played in the future, at 2027-01-01T00:00:00Z"


# Players.


@pytest.mark.parametrize(
    ("black", "white", "same"),
    [
        *(("Ada", "ada", True), ("Ada", " Ada\t", True), ("STRASSE", "straße", True)),
        *(("Ada", "Ben", False), ("Ada L", "AdaL", False), ("", "", False), (" ", "\t", False)),
    ],
)
def test_same_name(black: str, white: str, same: bool) -> None:
    players = {"black": {"name": black}, "white": {"name": white}}
    assert found({**GAME, "players": players}) == [("same-name", "/players/white/name")] * same


# How games end.


@pytest.mark.parametrize(
    ("moves", "result", "passes"),
    [
        ([], {"winner": "draw"}, 2),
        (["pass"], {"winner": "draw"}, 1),
        ([], {"score": {"black": 0, "white": 0}}, 2),
        (["pass"], {"winner": "draw", "score": {"black": 0, "white": 0}}, 1),
        ([], {"winner": "black"}, None),
        ([], {"winner": "draw", "score": {"black": 0, "white": 0.5}}, None),
        # Two passes end any position: that they would is not enough.
        ([], {}, None),
        ([], None, None),
        (["pass"], None, None),
        ([], {"winner": "draw", "termination": "agreement"}, None),
    ],
)
def test_passes_that_the_result_tells(moves: list[str], result: dict[str, Any] | None, passes: int | None) -> None:
    data = {**GAME, "moves": moves} | ({} if result is None else {"result": result})
    place = "/moves/0" if moves else "/moves"
    assert found(data) == ([] if passes is None else [("missing-passes", place)])
    if passes is not None:
        assert lint(data)[0].message.startswith("1 pass is missing" if passes == 1 else "2 passes are missing")


@pytest.mark.parametrize("missing", [1, 2])
def test_passes_that_are_the_only_legal_turns(missing: int) -> None:
    record = json.loads(NADRAZ.read_text().splitlines()[-1])
    moves = record["moves"][:-missing]
    result = record.pop("result")
    data = {name: value for name, value in record.items() if name != "ruleset"} | {"moves": moves}
    last = [("missing-passes", f"/moves/{len(moves) - 1}")]
    assert found(data) == last
    assert found({**data, "result": {"winner": "draw"}}) == last
    assert found({**data, "result": {"winner": result["winner"], "termination": "time"}}) == []
    assert found({**data, "moves": moves[:-2]}) == []


def test_games_without_passes_miss_none() -> None:
    frasvel = {"hexrec": "1", "game": "frasvel", "size": 5, "opening": {"black": "e5"}, "moves": []}
    assert found({**frasvel, "result": {"winner": "black"}}) == []
    assert found({"hexrec": "1", "game": "sunspot", "size": 5, "moves": [], "result": {"winner": "black"}}) == []


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        (["pass"], "the last turn is a pass after the end of the game"),
        (["pass", {"turn": "pass", "comment": "?"}], "the last 2 turns are passes after the end of the game"),
        (["a1"], None),
        (["pass", "a1"], None),
        (["a1", "pass"], None),
    ],
)
def test_extra_passes(turns: list[Any], message: str | None) -> None:
    found = lint({**PASSED, "moves": [*PASSED["moves"], *turns]})
    assert [(each.code, each.message, each.pointer) for each in found] == (
        [("lint/extra-passes", message, "/moves/2")] if message else []
    )


def test_extra_passes_in_any_spelling() -> None:
    data = {**PASSED, "moves": [*PASSED["moves"], " PASS\t", "Pass"]}
    assert found(data) == [("not-canonical", "/moves/2"), ("extra-passes", "/moves/2")]


def test_of_a_replay_that_fails_the_rest_is_judged() -> None:
    data = {**GAME, "ruleset": "2023", "size": 8, "date": "2027-01-01", "moves": ["a1", "a1", "pass"]}
    assert [code for code, _ in found(data)] == ["not-canonical", "future-date", "size"]
    data = {**GAME, "opening": {"black": "e5", "white": "e5"}, "moves": [" a1"]}
    assert found(data) == [("not-canonical", "/moves/0")]
