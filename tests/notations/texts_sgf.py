"""Texts of SGF for `test_readings`: what the fixtures and `texts` do not have, by what they show."""

from __future__ import annotations

from typing import Any

_HEAD = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot]"
_PLAIN = "(;FF[4]GM[5001]SZ[5]"


def _record(*moves: Any, **fields: Any) -> dict[str, Any]:
    return {"hexrec": "1", "game": "sunspot", "size": 5, "moves": list(moves or ["e5"]), **fields}


TEXTS: dict[str, str | bytes] = {
    # Files.
    "a zero byte in what is looked at": b"(;FF[4]GC[" + b"a" * 8181 + b"\0]GM[5001]SZ[5])",
    "a zero byte just behind what is looked at": b"(;FF[4]GC[" + b"a" * 8182 + b"\0]GM[5001]SZ[5])",
    # Around games.
    "blanks at the end of the first of some lines before a game": f"some text \t\n and more \n{_HEAD};B[e5])",
    # Encodings.
    "an encoding of the next game alone": f"{_PLAIN}GC[\u00e9];B[e5])\n(;FF[4]CA[latin-1]GM[5001]SZ[5])",
    "an unknown encoding of the next game alone": f"{_PLAIN}GC[\u00e9])(;FF[4]CA[x]GM[5001]SZ[5])",
    "an encoding of a game after text": f"{_PLAIN}GC[\u00e9]) then (;FF[4]CA[latin-1]GM[5001]SZ[5])",
    "an encoding of a game after one that is not closed": f"{_PLAIN}GC[\u00e9]\n(;FF[4]CA[latin-1]GM[5001]SZ[5])",
    "two encodings, the first in a value": f"{_PLAIN}GC[CA[KOI8-R]5 CA[latin-1]PB[\u00c5])",
    "characters of two bytes that seem to begin a game": f"{_PLAIN}CA[Shift_JIS]GC[a\n(;\u65e5[x];B[e5])".encode(
        "shift_jis"
    ),
    "what is not in an encoding of two bytes": "(;FF[4]CA[Shift_JIS]GM[5001]PB[\u65e5\u672c".encode("shift_jis")
    + b"\x85\xff])",
    # Nodes.
    "nodes without moves whose last property has many values": f"{_HEAD};B[e5];N[a]CR[a1] [b2]\n[c3];W[e6];CR[a1][a2])",
    "variations after a node without a move": f"{_HEAD};C[a](;B[e5])(;C[b]))\n{_HEAD}(;C[a](;B[e5])(;B[e6]))(;B[e7]))",
    "variations of a line without moves": f'{_HEAD}(;C[a])(;B[e7]))\n{_HEAD}HJ[{{"x-sgf-trees":5}}](;C[a])(;B[e7]))',
    "a value that holds three games": f"{_HEAD}C[open\n(;GC[one\n (;GC[two\n  (;FF[4]GM[5001]SZ[5];B[e5])",
    "stones on no cells": "(;FF[4]HX[nadraz]SZ[4]AB[e4][the name of no cell at all])"
    f"(;FF[4]HX[nadraz]SZ[4]AB[e4][{'the name of no cell' * 9}])",
    "a setup and an opening": '(;FF[4]HX[nadraz]SZ[4]AB[e4][a1]AW[b1]HJ[{"opening":{"black":"e4","white":"a1"}}])',
    "a turn of the wrong colour with more as JSON": f'{_HEAD};W[e5]TR[a1]HJ[{{"x-a":{{"b":1}}}}])',
    # Values.
    "a result as JSON in a move": f'{_HEAD}RE[B+R];B[e5]HR[3]HJ[{{"result":{{"winner":"black"}}}}])',
    "a result that is no object": f"{_HEAD}RE[?]HR[3];B[e5])",
    "an escaped letter": f"{_HEAD}GC[\\X]EV[\\X];B[e5]C[a\\X])",
    "blanks of SimpleText": f"{_HEAD}EV[a\n\nb\r\n\r\nc\n\rd\re\t\v\ff\\\n\ng];B[e5])",
    "evaluations that are too large": f"{_HEAD};B[e5]V[-1.5];W[e6]V[1.5];B[d4]V[-1];W[d5]V[1])",
    "a margin of many digits": "".join(
        f"(;FF[4]HX[sundraval]SZ[4]AB[e3]AW[c3]RE[B+{'1' * size}])" for size in (28, 29, 98, 99, 118, 119)
    ),
    "rules of games that are not known": "(;FF[4]HX[go]SZ[19]RU[];B[aa])(;FF[4]HX[go]SZ[19]RU[go];B[aa])",
    "rules of another edition": "(;FF[4]HX[valaturna]SZ[7]HV[2023-first]RU[Valaturna 2023-first]AB[e5]AW[a1])"
    "(;FF[4]HX[valaturna]SZ[7]HV[2023-first]RU[Valaturna 2023]AB[e5]AW[a1])",
}

_SWALLOWING = (
    *("\n(;FF[4]", "\n(;FF[4", "]\n(;FF[4", "\n(;FF[]\n(;GM[5", "\\\n(;FF[4", "\n(;FF[\\", "\n(;FF[4]x\\"),
    *(
        "\\\n(;FF[\\",
        "\n ( ; FF [",
        "x(;C[",
        "\n(;ABC[",
        "\n(;C[",
        "\n(;c[",
        "\\]\n(;C[",
        "]\\\n(;C[",
        "\\\n]\n(;C[",
        "]\n\\\n(;C[",
    ),
)

#: Records that are written, by what they show.
RECORDS: dict[str, list[dict[str, Any]]] = {
    "texts in which a game seems to begin": [
        _record({"turn": "e5", "comment": text}, event=text, comment=text) for text in _SWALLOWING
    ],
    "properties in which a game seems to begin": [
        _record(**{"x-sgf": {"KM": [text]}})
        for text in ("a\\]\n(;FF[4", "\n(;FF[4\\]", "\\\\\n(;FF[4", "\n(;FF[4\\]\n(;C[", "\n(;C[\\\\", "(;C[", "\0")
    ],
    "blanks that are no spaces": [_record({"turn": "e5", "comment": "\u2003a\u00a0"}, event="\u00a0a\u2003")],
    "what is no JSON among the properties": [
        _record({"turn": "e5", "x-sgf": {"HJ": ["{x"]}}, **{"x-sgf": {"HJ": ["{x"]}}),
    ],
    "properties that hexrec writes, too": [
        _record(result={"winner": "black"}, **{"x-sgf": kept})
        for kept in (
            {"RE": ["B+Resign"], "RU": ["mine"], "AP": ["x:1"]},
            {"AP": ["x:1"], "KM": ["6"]},
            {"RU": ["mine"], "SZ": ["5"]},
        )
    ],
    "the largest numbers": [
        _record(players={"black": {"rating": number}})
        for number in (10**15 - 1, 10**15, -(10**15) + 1, 0.1, 123456789.123456789, 1e-5, -1, True, "5")
    ],
    "nodes with a move of white": [
        _record({"turn": "e5", **kept}, "e6", **kept)
        for kept in (
            {"x-sgf-nodes": [";W[e5]"]},
            {"x-sgf-trees": ["(;W[e5])"]},
            {"x-sgf-trees": ["(;N[a](;N[b];W[e5])(;N[c]))"]},
            {"x-sgf-trees": ["(;N[a](;N[\0])(;N[c]))"]},
        )
    ],
    "a setup of another edition": [
        _record(game="valaturna", size=7, ruleset=ruleset, setup="7/8/9/10/2b8/12/2w10/12/11/10/9/8/7 w 0")
        for ruleset in ("2023-first", "2023")
    ],
    "editions": [
        _record(game="valaturna", size=7, ruleset=ruleset, opening={"black": "e5", "white": "a1"})
        for ruleset in ("2023-first", "2023")
    ],
}
