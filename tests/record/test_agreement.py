"""The JSON Schemas accept exactly what the models accept."""

from __future__ import annotations

import datetime
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.record.json_schema import game_schema
from hexrec.rules import games
from tests.properties import examples, sample
from tests.record.helpers import at, diagnostics, fixture_data, full_record, places, put, validator, without
from tests.record.strategies import json_values, records, turn_texts

every_game = pytest.mark.parametrize("name", games.names())

#: Values of every type that JSON has, among them those on which Python and JSON disagree.
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 5, 5.0, 5.5, -0.0, -0.5, 1e300, 2**70, 10**400),
    *("", "1", "5", "e5", "E5 ", "0,0", "(0,0)", "0, 0", "e5\n", "e05", "e100", "pass", "PASS", "passe"),
    *("black", "draw", "rules", "time", "row", "2023", "2024", "2023-first", "reverse", *games.names()),
    *("2026-02-28", "2026-02-29", "2024-02-29T00:00:00Z", "2026-11-20T18:03:11", "2026-11-20\n", "\u0662026-11-20"),
    *([], {}, [None], [5], ["e5"], [["e5"]], [[]], [{}], {"turn": "e5"}, {"turn": None}, {"x-a": 1}, {"a": 1}),
    *({"black": "e5"}, {"black": "e5", "white": "d4"}, {"black": 1, "white": 2.5}, {"black": [1], "white": []}),
    *([1.0, 2], [True], [{"turn": "e5", "variations": [["e6", {"turn": "e7"}]]}]),
]
OF_THE_GAME = [("ruleset",), ("size",), ("opening",), ("result",)]
NAMES = [
    *("hexrec", "game", "size", "opening", "variant", "score", "turn", "bot", "black", "x-", "x", "X-a", "x_a", ""),
    *("a", "$ref"),
]


def agree(data: Any) -> bool:
    """Return whether the models accept some data, having asked the schemas that have a say."""
    accepted = not diagnostics(data)
    assert validator("record").is_valid(data) == accepted
    game = data.get("game") if isinstance(data, dict) else None
    if isinstance(game, str) and game in games.names():
        assert validator(game).is_valid(data) == accepted
    return accepted


@every_game
@settings(max_examples=examples(3))
@given(data=st.data())
def test_on_records(name: str, data: st.DataObject) -> None:
    record = data.draw(records(name))
    assert agree(record)
    assert not any(validator(other).is_valid(record) for other in games.names() if other != name)


@pytest.mark.slow
@every_game
@settings(max_examples=examples(4))
@given(data=st.data())
def test_on_records_with_something_changed(name: str, data: st.DataObject) -> None:
    record = data.draw(records(name))
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(record))))
        old = at(record, path)
        if isinstance(old, dict) and data.draw(st.booleans()):
            path = (*path, data.draw(st.sampled_from(NAMES)))
        elif isinstance(old, str) and data.draw(st.booleans()):
            place = data.draw(st.integers(0, len(old)))
            new = (
                old[:place]
                + data.draw(st.sampled_from(["", " ", "\n", "0", "a", "-", "x", ",", "\0"]))
                + old[place + 1 :]
            )
            record = put(record, path, new)
            continue
        if path and data.draw(st.integers(0, 4)) == 0 and path[-1] in (at(record, path[:-1]) or ()):
            record = without(record, path)
        else:
            record = put(record, path, data.draw(st.sampled_from(VALUES) | json_values))
        if not isinstance(record, dict):
            break
    agree(record)


@pytest.mark.slow
@every_game
def test_on_the_wrong_value_in_every_place(name: str) -> None:
    game = games.get(name)
    record = full_record() | {"game": name, "ruleset": game.rulesets[0], "size": game.recommended[0]}
    record["opening"] = dict(zip(game.opening, ["e5", "d4"], strict=False))
    score = {"number": {"black": 0, "white": 1.5}, "list": {"black": [2, 1], "white": []}}
    record["result"]["score"] = score.get(game.score or "")
    record["readings"] = [reading.name for reading in game.readings[:1]]
    wrong = {("readings",): not game.readings, ("opening",): not game.opening, ("result", "score"): game.score is None}
    for field in (field for field, is_wrong in wrong.items() if is_wrong):
        record = without(record, field)
    record["moves"] = [game.example, {"turn": game.example, "clock": 5, "variations": [[game.example]]}]
    assert agree(record)
    # What the games have in common needs only one of them.
    paths = [path for path in places(record) if name == games.names()[0] or path[:1] in OF_THE_GAME]
    # No divisor of how many values there are: each is tried in some places, and some in each place.
    tried = sample(product(paths, VALUES), 10 if len(VALUES) % 5 else 9)
    assert {agree(put(around(record, path), path, value)) for path, value in tried} == {True, False}


def around(record: dict[str, Any], path: tuple[int | str, ...]) -> dict[str, Any]:
    """Return a record with the field that a path leads into and what every record needs: the rest takes time alone."""
    needed = {"hexrec", "game", "ruleset", "size", "opening", *path[:1]}
    kept = {field: value for field, value in record.items() if not path or field in needed}
    return {"moves": [], **kept}


@every_game
def test_on_every_size_under_every_ruleset(name: str) -> None:
    game = games.get(name)
    record = {"hexrec": "1", "game": name, "opening": dict(zip(game.opening, ["e5", "d4"], strict=False)), "moves": []}
    for field in ["opening"] * (not game.opening):
        del record[field]
    for ruleset in game.rulesets:
        sizes = game.ruleset(ruleset).sizes
        for size in (0, *game.sizes, game.sizes[-1] + 1):
            for written in (size, float(size)):
                assert agree({**record, "ruleset": ruleset, "size": written}) == (size in sizes), (ruleset, written)
    assert agree({**record, "size": game.sizes[0]})


@pytest.mark.parametrize("folder", ["record", "formats", *games.names()])
def test_on_the_fixtures(folder: str) -> None:
    several = list(fixture_data(folder))
    assert several
    for data in several[:: max(1, len(several) // 20)]:
        if not isinstance(data, dict) or "hexrec" in data:
            agree(data)


@pytest.mark.parametrize("year", [1, 4, 100, 400, 1900, 2000, 2023, 2024, 2096, 2100, 9999])
def test_every_day_of_the_calendar_is_a_date_and_no_other(year: int) -> None:
    schema = validator("sunspot").evolve(schema=game_schema("sunspot")["properties"]["date"])
    record = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": []}
    for month in range(14):
        for day in range(33):
            text = f"{year:04}-{month:02}-{day:02}"
            try:
                right = bool(datetime.date(year, month, day))
            except ValueError:
                right = False
            assert schema.is_valid(text) == right, text
            assert (diagnostics({**record, "date": text}) == []) == right, text


@pytest.mark.parametrize(
    ("text", "is_date"),
    [
        ("2024-02-29T23:59:59.999Z", True),
        ("2026-11-20T18:03:00-00:00", True),
        ("2026-11-20T18:03-00:00", False),
        ("2026-11-20T18:03:60Z", False),
        ("2026-11-20t18:03:00Z", False),
        ("2026-11-20T18:03:00z", False),
        ("2026-11-20T18:03:11+24:00", False),
        ("2026-11-20T18:03:11z", False),
        ("2026-11-20T18:03:11", False),
        ("2026-11-20T18:03:11Z\n", False),
        ("2026-11-20T", False),
        ("0000-01-01", False),
        ("12026-11-20", False),
        ("\uff12026-11-20", False),
    ],
)
def test_on_what_looks_like_a_date(text: str, is_date: bool) -> None:
    record = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": []}
    assert agree({**record, "date": text}) == is_date
    assert agree({**record, "moves": [{"turn": "e5", "at": text}]}) == is_date


@every_game
@settings(max_examples=examples(4))
@given(data=st.data())
def test_on_texts_like_turns(name: str, data: st.DataObject) -> None:
    text = data.draw(turn_texts(name))
    place = data.draw(st.integers(0, len(text)))
    noise = data.draw(st.sampled_from(["", "0", "a", "x", "-", "/", "(", ",", "\n", "\0", "\u00e9", "pass"]))
    text = text[:place] + noise + text[place:]
    game = games.get(name)
    record: dict[str, Any] = {"hexrec": "1", "game": name, "size": game.recommended[0]}
    if game.opening:
        record["opening"] = dict(zip(game.opening, ["e5", "d4"], strict=False))
    moves: list[list[Any]] = [[text], [{"turn": text}], [{"turn": game.example, "variations": [[text]]}]]
    verdicts = {agree({**record, "moves": each}) for each in moves}
    assert len(verdicts) == 1
    assert noise or verdicts == {True}
