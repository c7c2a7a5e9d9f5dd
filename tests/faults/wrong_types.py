"""Records in which some part has a value of another type than it should, in every format that holds JSON."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.record.helpers import full_record

#: What is put in the place of any part. The texts are keys, cells and turns where others are expected.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 7, 1.5, 10**40, 1e300),
    *("", "e5", "x", "pass", "\ud83d\ude00", "a\nb"),
    *([], [None], ["e5"], [[]], [{}], {}, {"x-a": 1}, {"black": 1}, {"turn": []}, {"move": {}}),
)

RECORD: dict[str, Any] = {
    **full_record(),
    "x-sgf": {"XX": ["y"]},
    "x-sgf-nodes": [";C[a]"],
    "x-hgn": {"Foo": "bar"},
    "x-abstractplay": {
        "header": {"game": {"variants": ["torus"]}, "site": {"a": 1}},
        "record": {"b": 2},
        "rounds": {"0": "b"},
        "surplus": ["e5"],
        "last": "l",
    },
}
RECORD["players"]["white"]["x-abstractplay"] = {"result": 7}
RECORD["moves"][0] = {"turn": "a1", "x-abstractplay": {"move": "A1", "result": [{"type": "place"}]}}

ABSTRACT_PLAY: dict[str, Any] = {
    "header": {
        "game": {"name": "Sunspot", "variants": ["size-5", "torus"]},
        "site": {"name": "Abstract Play", "gameid": "g1"},
        "hexrec": {"comment": "c", "date": "2026-11-20", "date_end": "2026", "termination": "time", "turns": "hexrec"},
        "event": "E",
        "round": "1",
        "date-start": "2026-11-20T00:00:00Z",
        "date-end": "2026-11-20T00:00:00Z",
        "date-generated": "2026-11-20T00:00:00Z",
        "unrated": False,
        "pied": True,
        "startingPosition": "black:e5;white:d4",
        "players": [
            {"name": "A", "userid": "a", "is_ai": False, "result": 1, "score": 1, "seat": 1},
            {"name": "B", "result": 0, "score": 0, "seat": 2},
        ],
    },
    "moves": [["e5", "d4"], [{"move": "c3", "sequence": 1, "x": 2}, {"move": "c4", "sequence": 2}], ["resign", None]],
    "other": {"a": 1},
}


def paths(data: Any, path: tuple[int | str, ...] = ()) -> Iterator[tuple[int | str, ...]]:
    """Yield the path of every part of some data, of the whole first."""
    yield path
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        yield from paths(part, (*path, name))


def with_other(data: Any, path: tuple[int | str, ...], value: Any) -> Any:
    """Return data with another value at a path."""
    if not path:
        return value
    made = copy.deepcopy(data)
    part = made
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return made


def variants(data: dict[str, Any]) -> Iterator[Callable[[], Any]]:
    """Yield what makes data with each of its parts replaced by each of the values, and without each of its fields."""
    for path in paths(data):
        yield from (partial(with_other, data, path, value) for value in VALUES)
        if path and isinstance(path[-1], str):
            yield partial(without, data, path)


def without(data: Any, path: tuple[int | str, ...]) -> Any:
    """Return data without the field at a path."""
    made = copy.deepcopy(data)
    part = made
    for step in path[:-1]:
        part = part[step]
    del part[path[-1]]
    return made


def _escaped(text: str, specials: str) -> str:
    return "".join(f"\\{char}" if char in specials else char for char in text)


def _sgf(game: str, place: int, make: Callable[[], Any]) -> str:
    held = _escaped(json.dumps(make()), "\\]")
    head, move = (
        (f"HJ[{held}]", ""),
        (f'XX[y]RE[0]HR[{{"winner":"black"}}]RU[r]HJ[{held}]', f"XX[z]HJ[{held}]"),
        (f"HR[{held}]RE[B+]XX[y]", ""),
    )[place]
    return f"(;FF[4]CA[UTF-8]SZ[3]HX[{game}]AB[c3]AW[b2]{head};B[a1]{move};C[n](;W[a2])(;W[a3]C[v])(;C[w]))\n"


def _hgn(game: str, place: int, make: Callable[[], Any]) -> str:
    held = _escaped(json.dumps(make()), "\\{}[]" if place else '\\"')
    tags = f'[Game "{game}"]\n[Size "3"]\n[Opening "B:c3 W:b2"]\n'
    if place:
        return f"{tags}\n1. a1 {{[%extra {held}] c}} (1. a2) 1... a2 *\n"
    return f'{tags}[Result "B+"]\n[Foo "b"]\n[Extra "{held}"]\n\n1. a1 {{[%clk 1] c}} (1. a2) a2 B+\n'


#: What makes a text of one record, for a game, that holds a value as JSON, in one of so many places.
HOLDING: dict[str, tuple[Callable[[str, int, Callable[[], Any]], str], int]] = {"sgf": (_sgf, 3), "hgn": (_hgn, 2)}
