"""Texts and records of Abstract Play for `test_readings`: what the fixtures do not have, by what they show."""

from __future__ import annotations

import json
from typing import Any

#: A game of Sunspot on five cells a side in which Black closes a loop with the last turn but one.
_PAST_END = [
    *(["a1", "e5"], ["a2", "f5"], ["b1", "i1"], ["b3", "i3"], ["c2", "i5"], ["e7", "g1"], ["g3", "g7"]),
    *(["e3", "c7"], ["c5", "a4"], ["c3;Xe5", "h5"]),
]


def _text(moves: list[Any], **more: Any) -> str:
    header = {
        "game": {"name": "Sunspot", "variants": ["size-5"]},
        "site": {"name": "here", "url": "there"},
        "players": [{"result": 1}, {"result": 0}],
    }
    return json.dumps({"header": header, "moves": moves, **more})


TEXTS: dict[str, str | bytes] = {
    "turns between blanks that JSON does not have": _text([["\u00a0H4", "h5\u000b"]]),
    "blanks around turns": _text([[" \tH4\r\n", "h5"]]),
    "all parts that are kept": _text([["a1", "e5"], [], *_PAST_END[1:], ["Resign"]], schema="1"),
}


def _record(*moves: Any, **fields: Any) -> dict[str, Any]:
    return {"hexrec": "1", "game": "sunspot", "size": 5, "date": "2026-11-20", "moves": list(moves), **fields}


_PARTS: dict[str, dict[str, Any]] = {
    "players": {"black": {"name": "Ada"}},
    "pie": {"chosen": "black"},
    "result": {"winner": "black"},
}
_OF_OTHERS: tuple[dict[str, Any], ...] = ({}, {"header": {}}, {"header": {"a": 1}})
_NO_OBJECTS: tuple[Any, ...] = (5, None, [])
_TURNS = [turn.replace(";X", "x") for played in _PAST_END for turn in played]

#: Records that are written, by what they show.
RECORDS: dict[str, list[dict[str, Any]]] = {
    "fields of Abstract Play in other places": [
        _record("e5", **{name: {**part, "x-abstractplay": kept}})
        for kept in _OF_OTHERS
        for name, part in _PARTS.items()
    ],
    "parts of the header that are kept without being objects": [
        _record("e5", **{"x-abstractplay": {"header": {name: wrong, "a": 1}}})
        for name in ("game", "site", "hexrec", "players")
        for wrong in _NO_OBJECTS
    ],
    "turns after the end": [
        _record(*_TURNS, **{"x-abstractplay": kept})
        for kept in ({"header": {"a": 1}}, {"surplus": ["h6"]}, {"record": {"b": 1}, "last": "Resign"})
    ]
    + [
        _record(*_TURNS[:-1], result={"winner": "black"}, **{"x-abstractplay": {"surplus": ["h5"]}}),
        _record(
            *_TURNS[:-1],
            result={"winner": "black", "termination": "resignation"},
            **{
                "x-abstractplay": {
                    "record": {"schema": "1"},
                    "header": {"a": 1},
                    "rounds": {"1": ""},
                    "surplus": ["h5"],
                    "last": "Resign",
                }
            },
        ),
    ],
}
