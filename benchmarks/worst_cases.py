"""Inputs that would hurt a reader, an editor, a report or a command whose work grows with the square of their size.

Each is made at any size, of the same kind all through, so that twice the size should take twice the time.
"""

from __future__ import annotations

from collections.abc import Callable

_RECORD = '"hexrec": "1", "game": "sunspot", "size": 5'
_GAME = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"
_HGN = '[Game "Sunspot"]\n[Size "5"]\n\n'
_AP = (
    '{"header": {"game": {"name": "Sunspot", "variants": [%s]}, "players": [{"name": "A"}, {"name": "B"}]},'
    ' "moves": [%s]}'
)
_YAML = 'hexrec: "1"\ngame: sunspot\nsize: 5\n'
_MOVE = '{"turn": "e5", "comment": "so", "clock": 5}'


def _filled(before: str, part: str, after: str = "", between: str = "") -> Callable[[int], str]:
    """Return what makes a text of a size: a part again and again, with others before and after all of them.

    `%d` in a part is its number.
    """

    def made(size: int) -> str:
        room = size - len(before) - len(after)
        if "%d" not in part:
            count = max(1, room // len(part + between))
            return before + between.join([part] * count) + after
        parts: list[str] = []
        while room > 0:
            parts.append(part.replace("%d", str(len(parts))))
            room -= len(parts[-1] + between)
        return before + between.join(parts) + after

    return made


def _long_name(size: int) -> str:
    return f'{{{_RECORD}, "moves": [], "{"k" * (size // 2)}": [{",".join("1" * (size // 4))}]}}'


def _long_own_name(size: int) -> str:
    inner = ",".join(f'"a{number}": 1' for number in range(size // 24))
    return f'{{{_RECORD}, "size": 5.0, "moves": [], "x-{"k" * (size // 2)}": {{{inner}}}}}'.replace(
        '"size": 5, ', "", 1
    )


def _deep(open: str, close: str, inside: str, levels: int) -> Callable[[int], str]:
    def made(size: int) -> str:
        return (
            f'{{{_RECORD}, "moves": '
            + open * levels
            + ",".join([inside] * (size // (len(inside) + 1)))
            + close * levels
            + "}"
        )

    return made


def _with_comments(size: int) -> str:
    lines = "".join(f"  # {number}\n" for number in range(size // 9))
    return f"{_YAML}moves: []\nplayers:\n{lines}  black: {{}}\n"


#: By name, which begins with the format: the text of a size.
WORST_CASES: dict[str, Callable[[int], str]] = {
    # JSON.
    "json: values": _filled(f'{{{_RECORD}, "moves": [], "x-a": [', "1", "]}", ","),
    "json: wrong turns": _filled(f'{{{_RECORD}, "moves": [', "1", "]}", ","),
    "json: empty turns": _filled(f'{{{_RECORD}, "moves": [', "{}", "]}", ","),
    "json: illegal turns": _filled(f'{{{_RECORD}, "moves": [', '"a1"', "]}", ","),
    "json: annotated turns": _filled(f'{{{_RECORD}, "moves": ["e5", ', _MOVE, "]}", ","),
    "json: wrong variations": _filled(f'{{{_RECORD}, "moves": [{{"turn": "e5", "variations": [', "[1]", "]}]}", ","),
    "json: variations": _filled(f'{{{_RECORD}, "moves": [{{"turn": "e5", "variations": [', '["e5"]', "]}]}", ","),
    "json: deep wrong turns": _deep('[{"turn": "e5", "variations": [', "]}]", "1", 30),
    "json: deep variations": _deep('[{"turn": "e5", "variations": [', "]}]", '["e5","d4"]', 30),
    "json: unknown fields": _filled(f'{{{_RECORD}, "moves": [], ', '"a%d": 1', "}", ","),
    "json: own fields": _filled(f'{{{_RECORD}, "moves": ["E5"], ', '"x-a%d": 1', "}", ","),
    "json: repeated fields": _filled(f'{{{_RECORD}, "moves": [], ', '"x-a": 1', "}", ","),
    "json: long name": _long_name,
    "json: long own name": _long_own_name,
    "json: long turn": _filled(f'{{{_RECORD}, "moves": ["', "e5x", '"]}'),
    "json: long text": _filled(f'{{{_RECORD}, "moves": [], "size": "', "\\u00e9", '"}'),
    "json: glyphs": _filled(f'{{{_RECORD}, "moves": [{{"turn": "e5", "nag": [', "-1", "]}]}", ","),
    "json: unclosed texts": _filled("", '["'),
    "json: escapes": _filled('{"a": "', "\\\\", '"'),
    "json: digits": _filled('{"a": ', "1", "}"),
    "json: depth": _filled("", "["),
    "json: pairs of brackets": _filled("[[", "[]"),
    # JSON Lines.
    "jsonl: small records": _filled("", f'{{{_RECORD}, "moves": []}}\n'),
    "jsonl: small wrong records": _filled("", '{"hexrec": "1", "game": "sunspot"}\n'),
    "jsonl: blank lines": _filled(f'{{{_RECORD}, "moves": []}}\n', "\n", "{}"),
    "jsonl: games": _filled("", f'{{{_RECORD}, "moves": ["e5"], "id": "%d"}}\n'),
    # YAML.
    "yaml: values": _filled(f"{_YAML}moves: []\nx-a: [", "1", "]\n", ","),
    "yaml: wrong turns": _filled(f"{_YAML}moves:\n", "- 1\n"),
    "yaml: annotated turns": _filled(f"{_YAML}moves:\n- E5\n", "- turn: d4\n  comment: so\n"),
    "yaml: empty parts": _filled(f"{_YAML}moves:\n- E5\n", "- {turn: d4, variations: []}\n"),
    "yaml: own fields": _filled(f"{_YAML}moves: [E5]\n", "x-a%d: 1\n"),
    "yaml: unknown fields": _filled(f"{_YAML}moves: []\n", "a%d: 1\n"),
    "yaml: repeated fields": _filled(f"{_YAML}moves: []\n", "x-a: 1\n"),
    "yaml: documents": _filled("", "---\na\n"),
    "yaml: documents with other line ends": _filled("", "---\ra: [\r...\r"),
    "yaml: carriage returns": _filled("", "\r", "x"),
    "yaml: comments": _filled(f"{_YAML}moves: [E5]\n", "# so\n"),
    "yaml: removed comments": _with_comments,
    "yaml: directives": _filled("", "%TAG !a%d! b\n", f"--- {{{_RECORD}, moves: []}}\n"),
    "yaml: anchors": _filled(f"{_YAML}moves:\n", "- &a%d e5\n"),
    "yaml: questions": _filled(f"{_YAML}moves: [E5]\n", "? x-%d\n: 1\n"),
    "yaml: long text": _filled(f"{_YAML}moves: []\nevent: a\n", "  b\n"),
    "yaml: blank text": _filled(f"{_YAML}moves: []\nevent: |\n", "\n", "  b\n"),
    "yaml: surrogate pairs": _filled(f"{_YAML}moves: []\nx-a: [", '"\\\\\\ud83d\\ude00"', "]\n", ","),
    "yaml: depth": _filled("", "[a, "),
    "yaml: dashes": _filled("", "- "),
    # SGF.
    "sgf: open roots before an encoding": _filled("", "(A[", "CA[x]"),
    "sgf: roots": _filled("", "\n(;FF[4"),
    "sgf: closed roots": _filled("", "(;FF[4]\n"),
    "sgf: nodes": _filled("", ";A["),
    "sgf: empty nodes": _filled(_GAME, ";", ")"),
    "sgf: kept nodes": _filled(f"{_GAME};B[e5]", ";C[a]", ")"),
    "sgf: first nodes": _filled(_GAME, ";C[a]", ")"),
    "sgf: kept trees": _filled(f"{_GAME}(;B[e5])", "(;C[a])", ")"),
    "sgf: variations": _filled(f"{_GAME}(;B[e5])", "(;B[e5])", ")"),
    "sgf: turns": _filled(_GAME, ";B[a1];W[b2]", ")"),
    "sgf: turns of the other color": _filled(_GAME, ";W[a1]", ")"),
    "sgf: annotated turns": _filled(_GAME, ";B[a1]C[so]", ")"),
    "sgf: properties": _filled(f"{_GAME};B[e5]", "A[1]", ")"),
    "sgf: opened values": _filled("(;FF[4]", "A[ ", ""),
    "sgf: values": _filled(f"{_GAME};B[e5]TR", "[a1]", ")"),
    "sgf: other names": _filled(f"{_GAME};B[e5]", "x%d[1]", ")"),
    "sgf: long name": _filled(f"{_GAME};B[e5]", "A", "[1])"),
    "sgf: games": _filled("", f"{_GAME};B[e5])"),
    "sgf: games in another encoding": _filled("", f"{_GAME}CA[shift_jis];B[e5])"),
    "sgf: text": _filled("", "a ( b\n"),
    "sgf: text between games": _filled("", f"{_GAME};B[e5])a"),
    "sgf: parentheses": _filled("", "(;"),
    "sgf: escapes": _filled(f"{_GAME};B[e5]C[", "\\]", "])"),
    "sgf: line ends": _filled(f"{_GAME};B[e5]C[", "\n(", "])"),
    # HGN.
    "hgn: turns": _filled(_HGN, "e5 ", "*\n"),
    "hgn: numbers": _filled(_HGN, "9. e5 ", "*\n"),
    "hgn: comments": _filled(_HGN + "e5 ", "{a} ", "*\n"),
    "hgn: comments before turns": _filled(_HGN, "{a} ", "*\n"),
    "hgn: line comments": _filled(_HGN + "e5\n", ";a\n", "*\n"),
    "hgn: commands": _filled(_HGN + "e5 {", "[%a%d b]", "} *\n"),
    "hgn: unclosed commands": _filled(_HGN + "e5 {", "[%a ", "} *\n"),
    "hgn: glyphs": _filled(_HGN + "e5 ", "$1 ", "*\n"),
    "hgn: variations": _filled(_HGN + "e5 ", "(e5) ", "*\n"),
    "hgn: opened variations": _filled(_HGN + "e5 ", "(e5 ", "*\n"),
    "hgn: opened comments": _filled(_HGN, "{ ", ""),
    "hgn: cells": _filled(_HGN, "(1", "*\n"),
    "hgn: digits": _filled(_HGN, "1", "*\n"),
    "hgn: signs": _filled(_HGN + "e5", "!", " *\n"),
    "hgn: tags": _filled("", '[A%d "b"]\n', "e5 *\n"),
    "hgn: games": _filled("", _HGN + "e5 *\n\n"),
    "hgn: escapes": _filled(_HGN + "e5 {", "\\\\", "} *\n"),
    "hgn: quotes": _filled(_HGN, '"', " *\n"),
    "hgn: long turn": _filled(_HGN, "e5x", " *\n"),
    # Abstract Play.
    "abstractplay: variants": lambda size: _AP % (",".join(['"a"'] * (size // 4)), '["g7"]'),
    "abstractplay: rounds": lambda size: _AP % ("", ",".join(['["g7", "h8"]'] * (size // 13))),
    "abstractplay: annotated rounds": lambda size: (
        _AP % ("", ",".join(['[{"move": "g7", "x": 1}, "h8"]'] * (size // 31)))
    ),
    "abstractplay: wrong rounds": lambda size: _AP % ("", ",".join(["[1]"] * (size // 4))),
    "abstractplay: records": _filled("[", _AP % ("", '["g7"]'), "]", ","),
    "abstractplay: beginnings": _filled("", '{"header":'),
    "abstractplay: beginnings in a list": _filled("[", '{"header":{}'),
    "abstractplay: broken records": _filled("[", '{"header": "', "]"),
    "abstractplay: unclosed texts": _filled("", '{"header":{"a":"\n'),
    "abstractplay: scraps": _filled("[" + _AP % ("", '["g7"]'), ",1"),
}


def format(name: str) -> str:
    """Return the format of an input."""
    return name.partition(":")[0]
