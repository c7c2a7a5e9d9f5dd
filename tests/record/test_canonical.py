"""The canonical form: one for each record, without defaults and without losses.

That of single records is written in `tests/formats/golden/yaml.jsonl`.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.record.canonical import canonical_form
from hexrec.record.record import Record, turn_of
from hexrec.record.schema import Move
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.terms import IllegalOpening, IllegalTurn
from tests.properties import examples
from tests.record.helpers import diagnostics, exact_in_order, full_record, validator
from tests.record.strategies import records

every_game = pytest.mark.parametrize("name", games.names())
NUMBERS = {"size", "rating", "seconds", "clock"}


def form(data: Any) -> dict[str, Any]:
    return canonical_form(read_record(data))


def meaning(record: Record) -> str:
    """Return all that a record says, each default spelled out; in what order it says it does not matter."""
    defaults = {"ruleset": record.ruleset, "coordinates": record.coordinates}
    said = {**defaults, **json.loads(json.dumps(record.data)), "moves": None}
    for color, cell in record.opening.items():
        said["opening"][color] = cell.strip().lower()
    if "result" in said:
        said["result"] = {"termination": "rules", **said["result"]}
    for player in said.get("players", {}).values():
        if isinstance(player, dict):
            player.setdefault("bot", False)
    return json.dumps([_without_empty(said), _moves(record, record.moves, played=True)], sort_keys=True)


def _without_empty(said: Any) -> Any:
    """Leave out empty parts, which say the same as parts that are not there, but not within extension fields."""
    if not isinstance(said, dict):
        return said
    kept = {key: value if key.startswith("x-") else _without_empty(value) for key, value in said.items()}
    silent: list[Any] = [None, {}, [], {"bot": False}, {"line": []}]
    return {key: value for key, value in kept.items() if key.startswith("x-") or key == "result" or value not in silent}


def _moves(record: Record, moves: list[str | Move], *, played: bool) -> list[Any]:
    turns = [turn_of(move).strip().lower() for move in moves]
    said = []
    for turn, move in zip(_canonical(record, turns) if played else turns, moves, strict=True):
        whole = json.loads(json.dumps(move if isinstance(move, dict) else {"turn": move}))
        lines = [_moves(record, line, played=False) for line in whole.get("variations", [])]
        rest = {name: value for name, value in whole.items() if name not in ("turn", "variations")}
        rest = {name: value for name, value in rest.items() if value != []}
        if "taken_back" in rest:
            rest["taken_back"] = [text.strip().lower() for text in rest["taken_back"]]
        if "line" in rest.get("eval", {}):
            rest["eval"]["line"] = [text.strip().lower() for text in rest["eval"]["line"]]
        said.append((turn, lines, _without_empty(rest)))
    return said


def _canonical(record: Record, turns: list[str]) -> list[str]:
    """Return turns as the engine writes them, as far as it can play them."""
    found: list[str] = []
    try:
        position = record.start()
        for turn in turns:
            canonical = position.canonical(turn)
            position.play(canonical)
            found.append(canonical)
    except (IllegalOpening, IllegalTurn):
        pass
    return found + turns[len(found) :]


@pytest.mark.slow
@every_game
@settings(max_examples=examples(2))
@given(data=st.data())
def test_it_is_a_record_that_says_the_same_and_has_itself_as_its_form(name: str, data: st.DataObject) -> None:
    record = read_record(data.draw(records(name)))
    canonical = canonical_form(record)
    assert diagnostics(canonical) == []
    assert validator("record").is_valid(canonical)
    assert exact_in_order(form(canonical)) == exact_in_order(canonical)
    assert meaning(read_record(canonical)) == meaning(record)


@pytest.mark.slow
@every_game
@settings(max_examples=examples(2))
@given(data=st.data(), seed=st.integers(0, 1000))
def test_records_that_say_the_same_have_the_same_form(name: str, data: st.DataObject, seed: int) -> None:
    record = data.draw(records(name))
    again = _respell(record, random.Random(seed), games.get(name).rulesets[0])
    assert exact_in_order(form(again)) == exact_in_order(form(record))


def _respell(record: dict[str, Any], rng: random.Random, ruleset: str) -> dict[str, Any]:
    """Return the record in another spelling: every default written, fields shuffled, turns in capitals."""
    again = {"ruleset": ruleset, "coordinates": "row", **_values(record, rng)}
    again["players"] = {"black": {"bot": False}, "white": {}, **again.get("players", {})}
    if "opening" in again:
        cells = {key: f" {value.upper()}\n" for key, value in again["opening"].items() if not key.startswith("x-")}
        again["opening"] = again["opening"] | cells
    if "result" in again:
        again["result"] = {"termination": "rules", **again["result"]}
    again["moves"] = _line(record["moves"], rng)
    return _shuffled(again, rng)


def _values(part: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Write the whole numbers among the fields that hold numbers with a fraction."""
    again: dict[str, Any] = {}
    for key, value in part.items():
        if isinstance(value, dict) and not key.startswith("x-"):
            again[key] = _values(value, rng)
        elif key in NUMBERS and isinstance(value, int) and abs(value) < 2**53:
            again[key] = float(value)
        else:
            again[key] = value
    return again


def _line(moves: list[Any], rng: random.Random) -> list[Any]:
    line = []
    for each in moves:
        move: dict[str, Any] = {"turn": each} if isinstance(each, str) else _values(each, rng)
        variations = [_line(inner, rng) for inner in move.get("variations", [])]
        if "taken_back" in move:
            move["taken_back"] = [f" {text.upper()}" for text in move["taken_back"]]
        if "line" in move.get("eval", {}):
            move["eval"]["line"] = [f"{text.upper()}\r\n" for text in move["eval"]["line"]]
        if "marks" in move:
            move["marks"] = [
                {**mark, "cells": [f" {cell.upper()} " for cell in mark["cells"]]} for mark in move["marks"]
            ]
        move = {
            "nag": [],
            "marks": [],
            "taken_back": [],
            "eval": {},
            **move,
            "turn": f"\t{move['turn'].upper()} ",
            "variations": variations,
        }
        line.append(_shuffled(move, rng))
    return line


def _shuffled(part: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    names = list(part)
    rng.shuffle(names)
    return {name: part[name] for name in names}


def test_the_full_record_has_its_fields_in_the_order_of_the_format() -> None:
    canonical = form(full_record())
    assert list(canonical) == [
        *("hexrec", "id", "url", "game", "readings", "size", "players", "event", "site", "round", "stage", "board"),
        *("annotator", "source", "comment", "date", "date_end", "rated", "language", "time_control", "tags"),
        *("opening", "pie", "marks", "moves", "result", "x-", "x-anything", "x-id"),
    ]
    assert list(canonical["players"]["black"]) == [*("name", "id", "rating", "title", "team", "country", "x-club")]
    assert canonical["moves"] == ["a1", full_record()["moves"][1], "pass", "pass"]
    assert list(canonical["moves"][1]) == [
        *("turn", "comment", "seconds", "clock", "at", "nag", "eval", "marks", "taken_back", "variations", "x-eval")
    ]
    assert list(canonical["result"]) == ["winner", "score", "by", "reason", "x-seen"]


def test_what_stands_beside_a_game_is_spelled_like_the_game() -> None:
    """In Sunspot another stone of the subgroup that is flipped back may be named; its first one is canonical."""
    turns = ["b4", "e6", "f3", "d6", "f4", "d7", "e1", "e2", "e5", "b2", "b3", "g1"]
    flip, canonical = " E3\t", "e3"
    other, first = "F5xE5xD7", "f5xe5xd6"
    line: list[Any] = [flip, {"turn": other, "variations": [[other]], "taken_back": [other]}]
    said = [canonical, {"turn": first, "taken_back": [first], "variations": [[first]]}]
    moves: list[Any] = [
        *turns,
        {"turn": flip, "eval": {"line": [flip, other]}, "variations": [line, [flip, "A9", other], []]},
        {"turn": other, "taken_back": [other, "A9", other], "variations": [[other]]},
        {"turn": "a9", "taken_back": [other]},
        {"turn": "a1", "taken_back": [other]},
    ]
    assert form({"hexrec": "1", "game": "sunspot", "size": 4, "moves": moves})["moves"] == [
        *turns,
        {
            "turn": canonical,
            "eval": {"line": [canonical, first]},
            "variations": [said, [canonical, "a9", other.lower()], []],
        },
        {"turn": first, "taken_back": [first, "a9", first], "variations": [[first]]},
        {"turn": "a9", "taken_back": [other.lower()]},
        {"turn": "a1", "taken_back": [other.lower()]},
    ]
