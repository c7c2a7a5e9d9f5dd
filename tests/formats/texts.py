"""Texts for `test_readings`: what the fixtures do not have, by format and by what they show."""

from __future__ import annotations

import json
from typing import Any

from tests.formats import texts_hgn, texts_json_yaml

_HEAD = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot]"
_LONG = "a long line of text " * 12


def _root(properties: str, moves: str = ";B[e5]") -> str:
    return f"{_HEAD}{properties}\n{moves})"


def _game(game: str, size: int, rest: str) -> str:
    return f"(;FF[4]HX[{game}]SZ[{size}]{rest})"


_SGF: dict[str, str | bytes] = {
    # What stands around games.
    "blanks before a game": f" \n\t\n  {_HEAD};B[e5])",
    "text before, between and after games": f"one\n  two\n {_HEAD};B[e5])\n\n  three {_HEAD};B[e6]) four\nfive\n",
    "text after a mark": f"\ufeffx {_HEAD};B[e5])",
    "a mark on a line of its own": f"\ufeff\n{_HEAD};B[e5])",
    "a bracket before a node without an end": "] ;B[e5",
    "long text around": f"{_LONG}\n{_HEAD};B[e5]) {_LONG}",
    "text alone": "  nothing here",
    "nodes alone": "\n  ;B[e5];W[e6]\n",
    "nodes after text": "x\n ;B [e5]",
    "nodes before a game": f";B[e5]\n{_HEAD};B[e6])",
    "a node without an end": ";B[e5",
    "a closing parenthesis too many": f"{_HEAD};B[e5]))\n{_HEAD};B[e6])",
    "no bytes": "",
    "utf-16": "(;FF[4]".encode("utf-16"),
    "utf-16 that ends in the middle": "(;FF[4]".encode("utf-16")[:-1],
    "zero bytes": b"(;FF[4]\0)",
    "zero bytes late": b"(;FF[4]GC[" + b"a" * 8192 + b"\0]GM[5001]SZ[5])",
    "a game longer than what is read at once": f"{_HEAD}US[{'x' * 70_000}];B[e5];b[e6])\n x{_HEAD};B[e7])",
    # Games that are not closed.
    "a tree open before the next game": f"{_HEAD};B[e5](;W[e6]\n{_HEAD};B[e5])",
    "a game that begins in a tree of another": f"{_HEAD};B[e5]\n(;W[e6])(;W[e7])(;SZ[5]GM[5001])",
    "a value open before the next game": f"{_HEAD};B[e5]C[open\n{_HEAD}C[x\\]];B[e5])\n{_HEAD};B[e6])",
    "a value open at the end": f"{_HEAD};B[e5]\n;W[e6]C[a\\]",
    "a tree open at the end": f"{_HEAD};B[e5]\n (;W[e6]\n (;B[d4])",
    "a tree open after blanks": f"{_HEAD};B[e5] \n ",
    "no space before the next game": f"{_HEAD};B[e5]){_HEAD};B[e6]{_HEAD};B[e7])",
    # The grammar.
    "a tree in a tree": f"{_HEAD}((;B[e5])))",
    "two parentheses": "((;FF[4]))",
    "a property after a variation": f"{_HEAD}(;B[e5])\nC[x])",
    "a node after a variation": f"{_HEAD}(;B[e5]);C[x])",
    "a move after a variation": f"{_HEAD}(;B[e5]);W[e6])",
    "an empty tree after a node": f"{_HEAD};B[e5](  ))",
    "a value after a semicolon": f"{_HEAD};[e5])",
    "a name without a value": f"{_HEAD};B[e5]\n  Comment ;W[e6])",
    "a number in a node": f"{_HEAD};B[e5] 5;W[e6])",
    "a bracket that closes nothing": f"{_HEAD};B[e5]];W[e6])",
    "names in small letters and with digits": _root("Event[Open]rO[3]pc[here]x1[a]B2C[b]", ";Black[e5]wL[5]"),
    "a name that begins with a digit": _root("1a[c]"),
    "blanks in and around a name": _root("EV \n[Open]\n RO\t[3] [4]", "; B [e5]\n\n;\nW\r\n[e6]C [x]"),
    "a property twice": _root("EV[a]EV[b]EV [c]", ";B[e5]C[a]C[b];W[e6]W[e7]"),
    "no first semicolon": "(FF[4]GM[5001]SZ[5](B[e5];W[e6])(B[e6]))",
    "every kind of blank": f"{_HEAD}\v\f\r\n;\t B[e5]\x0b(\n;W[e6] \f) \r\n(;W[e7]))",
    "empty nodes": _root("", ";;B[e5];;(;;W[e6])(;W[e7];;)"),
    "escapes": _root("EV[a\\]b\\\\c\\:d\\\ne\\\r\nf\\\tg\\\vh]GC[a\nb\r\nc\rd\n\re\tf\\\n\rg\\ h]", ";B[e5]C[\\]\\\\]"),
    "columns after wide characters": _root("EV[\u65e5\u672c\U0001f600]RO[\u00e9]", ";B[e5]C[\u65e5]XX[y];B[e6]"),
    "old line ends": "(;FF[4]GM[5001]\rSZ[5]\r;B[e5]\r;B[e6])",
    "a long line": _root(f"GC[{_LONG}]XX[{_LONG}]", f";B[e5]C[{_LONG}];B[e6];W[e7]C[{_LONG}];W[e8]"),
    "windows line ends after a warning": "(;FF[3]GM[5001]\r\nSZ[5]\r\n;B[e5]\r\n;B[e6]\r\n)",
    # The file's version, its program, its game.
    "version with blanks": "(;FF[ 4 ]GM[ 5001 ]SZ[ 5 ])",
    "a version that is long": f"(;FF[{'1' * 40}]GM[5001]SZ[5])",
    "another number": "(;FF[4]GM[1]HX[ sunspot ]SZ[5]AP[hexrec:0.1]HV[2024])",
    "a long number": f"(;FF[4]GM[{'9' * 30}]HX[sunspot]SZ[5])",
    "a number that is a name": "(;FF[4]GM[Sunspt]SZ[5])",
    "a number that is no name": "(;FF[4]GM[something quite different]SZ[5])",
    "a number of another game": "(;FF[4]GM[17]SZ[5])",
    "a number that is too long": f"(;FF[4]GM[{'9' * 9}]SZ[5])\n(;FF[4]GM[{'9' * 10}]SZ[5])",
    "neither number nor name": "\n(;FF[4]SZ[5];B[e5])",
    "an unknown game": "(;FF[4]HX[go]GM[1]SZ[19]RE[B+3.5]AB[aa]PL[B];B[ab];W[])",
    "sizes": "".join(f"(;FF[4]GM[5001]SZ[{size}])\n" for size in ("5:5", "", "x", "05", "-5", "9" * 9, "1" * 10)),
    "programs": "".join(_game("sunspot", 5, f"AP[{who}]") for who in ("CGoban:3", "hexrec:9", "hexrec", "x\\:y:1")),
    "rules": "".join(
        _game("nadraz", 4, f"HV[2023]RU[{text}]AB[e4]AW[a1]") for text in ("Nadraz 2023", "Nadraz 2023 ", "nadraz")
    ),
    "rulesets": "".join(_game("sunspot", 5, f"HV[{text}]") for text in ("2024", "2023", "", " 2024", "a\nb")),
    "variant and coordinates": _game(
        "nadraz", 4, "HV[2023]HT[reverse]HC[skew]RU[Nadraz 2023 reverse]AB[e4]AW[a1];B[a2]"
    ),
    # What is known of the game.
    "every field": _root(
        "PB[Ada]BR[1850]BT[Alpha]PW[Ben]WR[1700.5]WT[Beta]EV[Open]RO[3]PC[here]DT[2025-11-20]GN[7]AN[Cleo]SO[there]"
        "GC[a\nb]HP[black]US[Dan]CP[free]ON[opening]"
    ),
    "names over lines": _root("PB[A\nda]PW[B\tb]EV[ x ]GC[ x\n]"),
    "ratings": "".join(_root(f"BR[{text}]WR[{text}]") for text in ("0", "-0", "01", "1.", ".5", "1e3", "2d", "", " 1")),
    "long ratings": "".join(_root(f"BR[{text}]") for text in ("9" * 15, "9" * 16, f"1.{'1' * 15}", f"1.{'1' * 16}")),
    "dates": "".join(
        _root(f"DT[{text}]")
        for text in ("2025", "2025-11", "2025-13", "2025-1", "0000", "0000-01-01", "2025-11-20", "2025-99-99", "x", "")
    ),
    "comments of the root": _root("C[first]") + _root("C[first]GC[second]") + _root("GC[]C[first]"),
    "values that are repeated": _root("EV[a][b]RO[c][]SZ[5][6]XX[a][b]RE[0][B+]HR[{}][x]AP[a][b]", ";B[e5][e6]C[a][b]"),
    "results": "".join(
        _root(f"RE[{text}]")
        for text in (
            *(
                "B+",
                "W+R",
                "b+resign",
                "W+Time",
                "B+F",
                "W+Forfeit",
                "0",
                "Draw",
                "draw",
                "Void",
                "VOID",
                "?",
                "",
                " ?",
            ),
            *(
                "B+3.5",
                "W+0",
                "B+0.50",
                "B+x",
                "b+res",
                "White",
                "B+3.",
                "Black wins by a lot of points and more",
                " 0 ",
            ),
        )
    ),
    "margins": "".join(_game("sundraval", 4, f"RE[{text}]AB[e3]AW[c3]") for text in ("B+3.5", "w+1", "W+", "0", "B+R")),
    "a result as JSON": _root('RE[B+]HR[{"winner":"black","score":1}]')
    + _root('RE[W+]HR[{"winner":"black"}]')
    + _root('HR[{"winner":"black","by":["a",{"b":1}\\]}]')
    + _root('RE[lost]HR[{"winner":"white"}]')
    + _root("RE[B+]HR[3]")
    + _root("HR[\\[1,2\\]]")
    + _root("HR[{]")
    + _game("sundraval", 4, 'RE[B+2]HR[{"winner":"black"}]AB[e3]AW[c3]'),
    "more as JSON": _root('HJ[{"x-a":{"b":[1,{"c":2}\\]},"players":{"black":{"id":"1"}}}]PB[Ada]', ';B[e5]HJ[{"at":1}]')
    + _root("HJ[5]")
    + _root("HJ[\\[\\]]")
    + _root("HJ[{x}]")
    + _root("HJ[]")
    + _root('HJ[{"moves":[\\]}]')
    + _root('HJ[{"x-sgf":{"KM":["6"\\]}}]KM[7]US[x]')
    + _root('HJ[{"x-sgf":5}]KM[7]')
    + _root('HJ[{"x-sgf":5}]')
    + _root('HJ[{"x-sgf":{"RE":["x"\\]}}]RE[B+]HR[{"winner":"white"}]')
    + _root("", ";B[e5]HJ[5]")
    + _root("", ';B[e5]KM[7]HJ[{"x-sgf":[\\]}]'),
    "times": "".join(
        _root(properties)
        for properties in (
            *(
                "TM[600]",
                "TM[0]",
                "TM[600.5]",
                "TM[600.]",
                "TM[1e3]",
                "TM[-1]",
                "TM[ 600 ]",
                "TM[]",
                "OT[]",
                "TM[600]OT[]",
            ),
            *("TM[600]OT[30 fischer]", "TM[600]OT[30  FISCHER]", "TM[600]OT[5\tDelay]", "OT[30 fischer]"),
            *(
                "TM[600]OT[3x30 byo-yomi]",
                "TM[600]OT[3 x 30.5 byoyomi]",
                "OT[3x30 Byo-Yomi]",
                "TM[600]OT[0x30 byo-yomi]",
            ),
            *(
                "TM[600]OT[25/300 canadian]",
                "OT[25/300 Canadian]",
                "OT[25/300]",
                "OT[86400 simple]",
                "TM[60]OT[9 Simple]",
            ),
            *(
                "TM[x]OT[9 simple]",
                "TM[9999999999]",
                "TM[1.1234567]",
                "TM[60]OT[1000000x1 byo-yomi]",
                "TM[60][61]OT[9 simple]",
            ),
        )
    ),
    # Stones and marks.
    "openings": "".join(
        _game("nadraz", 4, properties)
        for properties in (
            *("AB[e4]AW[a1]", "AB[e4]", "AW[a1]PL[B]", "AB[e4]AW[a1]PL[W]", "AB[e4][a1]", "AB[e4][e4]", "AB[zz][a1]"),
            *(
                "PL[black]",
                "PL[1]",
                "PL[ white ]",
                "PL[2]",
                "PL[x]",
                "PL[W]",
                "PL[]",
                "AB[x]",
                "AB[e4]AE[a1]",
                "AB[]AW[]",
            ),
            *("HC[axial]AB[0,0][0,1]", "HC[skew]AB[a1][a2]", "HC[x]AB[a1][a2]", "AB[e4]AW[zz][a1]", "AB[e4][a1]AW[a1]"),
        )
    )
    + _game("nadraz", 99, "AB[e4][a1]")
    + _game("sunspot", 5, "AB[e5]")
    + _game("sunspot", 5, "PL[B]")
    + _game("frasvel", 5, "AB[e5]")
    + _game("frasvel", 5, "AW[e5]"),
    "moves after a setup": _game("sunspot", 5, "PL[W]AB[e5][e6]KM[6]HJ[{}]C[x];W[d4];B[d5](;W[a1])(;B[a2])"),
    "marks": _root(
        "CR[a1]SQ[a2][a3]TR[b1]MA[b2]SL[b3]TB[c1]TW[c2]LB[c3:x]AR[a1:b2]LN[a1:a3]",
        ";B[e5]CR[a1][b2]TW[c1]LB[a1:a\\:b][a2:][a3:c:d];W[e6]AR[a1:b2][b2:a1]LN[a1:b2]CR[e5]",
    ),
    "what is no mark": _root(
        "CR[a1:c3]SQ[]TR[zz]MA[a1][?]LB[x]AR[a1]LN[a1:b2:c3]DD[a1]VW[]FG[1:x]",
        ";B[e5]LB[a1];W[e6]LB[?:x][a1:y]AR[a1:?]LN[a1:b2][?]SL[a1:b2]",
    ),
    # Moves.
    "properties of moves": _root(
        "",
        ";B[e5]BL[12]WL[13]C[a]V[0.5];W[e6]BL[12]WL[13.5]TE[1]N[name];B[d4]BL[-1]V[2];W[d5]WL[01]V[-1]"
        ";B[c3]OB[3]BL[x]C[];W[c4]C[ x ]GB[1]GW[2]DM[1]UC[2]KO[]MN[3]",
    ),
    "glyphs": _root(
        "",
        "".join(
            f";{'BW'[number % 2]}[{cell}]{glyph}"
            for number, (cell, glyph) in enumerate(
                zip(
                    ("e5", "e6", "d4", "d5", "c3", "c4", "a1", "a2", "a3", "b1"),
                    (
                        "TE[1]",
                        "TE[2]",
                        "BM[1]",
                        "BM[2]",
                        "IT[]",
                        "DO[]",
                        "TE[3]",
                        "IT[1]",
                        "TE[1]BM[1]",
                        'DO[]HJ[{"nag":[5\\]}]',
                    ),
                    strict=True,
                )
            )
        ),
    ),
    "colours that do not alternate": _root("", ";B[e5];B[e6]C[x];W[d4];W[d5]WL[3];B[c3](;B[c4]BL[5])(;W[c5];W[a1])"),
    "a long turn of the wrong color": _root("", ";W[a turn that is longer than turns are];B[e5]"),
    "two moves in a node": _root("", ";B[e5]W[e6]C[x];W[d4]B[d5]CR[a1];B[c3];B[a1]W[a2];W[b1];W[b2]B[b3]BL[5]WL[6]"),
    "moves in the first node": f"{_HEAD}B[e5];W[e6])\n{_HEAD}B[e5]W[e6]C[x](;B[d4])(;B[d5]))\n{_HEAD}W[e5]WL[5])",
    "turns that are no turns": _root("", ";B[];W[ e6];B[E5];W[tt];B[a\\]b];W[a\nb];B[pass];W[e5xe6]"),
    "passes": _game("nadraz", 4, "AB[e4]AW[a1];B[];W[pass];B[]C[x];W[ ]") + _game("frasvel", 4, "AB[a1];B[];W[pass]"),
    "a move with many values": _root("", ";B[e5][e6][e7]C[x];W[d4][]"),
    # Variations.
    "variations": _root(
        "",
        "(;B[e5];W[e6](;B[d4])(;B[d5]C[x]\n;W[c3](;B[a1])(;B[a2])))(;B[e6](;W[a1])(;W[a2];B[a3]))(;B[e7]BL[3])",
    ),
    "variations of the second move": _root("", ";B[e5](;W[e6]C[a])(;W[e7]C[b];B[d4])(;W[e8]CR[a1])"),
    "variations that HJ has too": _root(
        "", '(;B[e5]HJ[{"variations":[["a1"\\],["a2"\\]\\]}](;W[e6])(;W[e7]))(;B[a3])(;B[a4]C[x])'
    ),
    "what HJ has in the place of lists": _root('HJ[{"x-sgf-nodes":5}]', ";C[x];B[e5]")
    + _root("", ';B[e5]HJ[{"x-sgf-trees":{}}](;W[e6])(;C[x])')
    + _root("", '(;B[e5]HJ[{"variations":""}])(;B[e6])'),
    "nodes without moves": _root(
        "", ";C[a];B[e5];C[b]CR[a1]\n;N[c];W[e6](;C[d];B[d4])(;B[d5];C[e](;W[a1];C[f])(;C[g])))"
    ),
    "trees without moves": _root(
        "", "(;B[e5](;W[e6])(;C[a];W[e7])(;W[e8](;B[a1])(;C[b])))(;C[c](;B[a1])(;B[a2]))(;B[e6])"
    ),
    "a line that branches where it ends": _root("", ";B[e5](;C[end])(;W[e6];B[e7])(;W[e8])"),
    "stones in a variation": _root("", ";B[e5](;W[e6])(;W[e7];AB[a1]PL[B]C[x];B[a2])"),
    "stones during a game": _root("", ";B[e5];C[x]AE[e5]") + _root("", ";B[e5]\n;PL[W]") + _root("", ";AW[a1];B[e5]"),
    "variations as deep as they may be": _root("", ";B[e5]" + "(;W[e6])(;W[e7];B[e8]" * 32 + ")" * 32),
    "variations that are too deep": _root("", ";B[e5]" + "(;W[e6])(;W[e7];B[e8]" * 33 + ")" * 33),
    "many warnings": _root("", ";b[e5];w[e6]" * 60),
    # Encodings.
    "no encoding named": "(;FF[4]GM[5001]SZ[5]PB[\u00c5sa]PW[\u65e5])".encode(),
    "no encoding named and not utf-8": b"(;FF[4]GM[5001]SZ[5]PB[M\xfcller]\nPW[\xfc])",
    "another encoding": "(;FF[4]GM[5001]SZ[5]PB[M\u00fcller]\nCA[ ISO-8859-1 ];B[e5])".encode("latin-1"),
    "an encoding with blanks in its name": "(;FF[4]CA[ISO 8859 1]GM[5001]SZ[5]PB[\u00c5])".encode("latin-1"),
    "an encoding after a long value": f"(;FF[4]GC[{'x' * 5000}]CA[ISO-8859-1]GM[5001]SZ[5]PB[\u00c5])".encode(
        "latin-1"
    ),
    "an encoding far in a later node": f"(;FF[4]GM[5001]SZ[5]GC[{'x' * 5000}];CA[KOI8-R]C[\u00c5])".encode(),
    "an encoding that is unknown and bytes that are no text": b"(;FF[4]CA[none]PB[\xff]GM[5001]SZ[5])",
    "the encoding in a value": "(;FF[4]GM[5001]SZ[5]GC[CA[KOI8-R\\]]PB[\u00c5])".encode(),
    "the encoding in a later node": "(;FF[4]GM[5001]SZ[5]PB[\u00c5];CA[ISO-8859-1]B[e5])".encode(),
    "an encoding that is unknown": f"{_HEAD};B[e5])\n(;FF[4]\nCA[ none such]GM[5001]SZ[5]PB[\u00c5])".encode(),
    "an encoding without a name": b"(;FF[4]CA[]GM[5001]SZ[5])",
    "what is not in the encoding": b"(;FF[4]CA[UTF-8]GM[5001]\nSZ[5]PB[\xc3\x85\xff])\n"
    b"(;FF[4]CA[Shift_JIS]GM[5001]PB[\x85])",
    "brackets in two bytes": "".join(
        f"(;FF[4]CA[{name}]GM[5001]SZ[5]PB[\u8868\u30bd\u4e00];B[e5])" for name in ("Shift_JIS",)
    ).encode("shift_jis")
    + "(;FF[4]CA[Big5]GM[5001]SZ[5]PB[\u529f\u8a31\u84cb];B[e5])".encode("big5")
    + "(;FF[4]CA[GBK]GM[5001]SZ[5]PB[\u4e02\u4e5a];B[e5])".encode("gbk")
    + "(;FF[4]CA[ISO-2022-JP]GM[5001]SZ[5]PB[\u65e5\u672c\u30db];B[e5])".encode("iso2022_jp")
    + "(;FF[4]CA[HZ]GM[5001]SZ[5]PB[\u4e00\u4e8c];B[e5])".encode("hz"),
}


def _envelope(header: dict[str, Any] | None = None, moves: Any = None, **more: Any) -> str:
    """Return a record of Abstract Play; None takes a field of its header away."""
    whole = {
        "game": {"name": "Sunspot", "variants": ["size-5"]},
        "players": [{"result": 1}, {"result": 0}],
        **(header or {}),
    }
    if "startingPosition" not in whole and isinstance(whole["game"], dict) and whole["game"].get("name") != "Sunspot":
        whole["startingPosition"] = "black:e5;white:a1"
    kept = {name: value for name, value in whole.items() if value is not None}
    return json.dumps({"header": kept, "moves": [["e5", None]] if moves is None else moves, **more})


def _headers(*headers: dict[str, Any]) -> str:
    return "\n".join(map(_envelope, headers)) + "\n"


def _rounds(*moves: Any) -> str:
    return "\n".join(_envelope(moves=each) for each in moves) + "\n"


def _seats(*pairs: tuple[dict[str, Any], dict[str, Any]]) -> str:
    return _headers(*({"players": list(pair)} for pair in pairs))


def _results(*pairs: tuple[Any, Any]) -> tuple[tuple[dict[str, Any], dict[str, Any]], ...]:
    return tuple(({"result": black}, {"result": white}) for black, white in pairs)


_ABSTRACT_PLAY: dict[str, str | bytes] = {
    "parts of the header": _headers(
        *({"game": None}, {"game": 5}, {"game": {}}, {"game": {"name": 5}}, {"game": {"name": " NADRAZ "}}),
        *({"game": {"name": "Go", "variants": ["size-9", "x"]}}, {"site": None}, {"site": []}, {"site": {}}),
        *({"site": {"name": "?", "gameid": 17}}, {"site": {"name": 5, "gameid": True}}, {"site": {"gameid": 1.5}}),
        *({"hexrec": 1}, {"hexrec": {}}, {"event": "Open", "round": "3"}, {"event": 5}, {"players": None}),
        *({"players": {}}, {"players": []}, {"players": [{}, 5]}, {"players": [{}, {}]}, {"x": {"y": [1]}}),
        {"hexrec": {"ruleset": "2024", "coordinates": "row", "annotator": "a", "source": "b", "comment": "c", "x": 1}},
    ),
    "variants": _headers(
        *(
            {"game": {"name": name, "variants": variants}}
            for name in ("Sunspot", "Nadraz")
            for variants in (
                [],
                None,
                5,
                ["size-5"],
                ["Size 5 board"],
                ["size-0005"],
                ["size-5", "size-6"],
                [5, "reverse"],
            )
        ),
        {"game": {"name": "Nadraz", "variants": ["reverse", "size-4", "Reverse"]}},
    ),
    "players": _seats(
        ({"name": "Ada", "userid": "a", "rating": 5, "is_ai": True}, {"name": "Ben", "isBot": False, "glicko": [1]}),
        ({"name": "Player 1"}, {"name": "Player 2"}),
        ({"name": "Player 2"}, {"name": "Player 1", "result": 3}),
        ({"is_ai": True, "isBot": False}, {"userid": 5, "seat": 2}),
        ({"name": "Ada", "result": 0, "seat": 1}, {"name": "Ada", "result": 0, "seat": 2}),
        ({"result": "x"}, {"result": 0}),
        ({"result": 0}, {"result": True}),
    ),
    "results": _seats(
        *_results((1, 0), (0, 1), (0, 0), (1, 1), (2.5, -1), (None, 0), (0, None), (None, None), (-1, -1))
    ),
    "scores": _headers(
        *(
            {
                "game": {"name": name, "variants": ["size-5"]},
                "players": [{"result": 1, **black}, {"result": 0, **white}],
            }
            for name in ("Sundraval", "Valaturna", "Sunspot", "Go")
            for black, white in (
                ({"score": 3}, {"score": 2.5}),
                ({"scores": [3, 1]}, {"scores": []}),
                ({"score": 3}, {}),
                ({"score": True}, {"score": 1}),
                ({"scores": 3, "score": [1]}, {"scores": [2], "score": 2}),
            )
        )
    ),
    "endings": "\n".join(
        _envelope({"players": [{"result": black}, {"result": 0}], "hexrec": own}, moves)
        for black in (1, 0)
        for own in ({}, {"termination": "forfeit"}, {"termination": 5}, {"termination": "unfinished"})
        for moves in (
            *(
                [["e5", "resign"]],
                [["e5", " Timeout"]],
                [["e5", {"move": "draw", "x": 1}]],
                [["abandoned"]],
                [["e5", None]],
            ),
            *([["resign"], ["draw"]], [[""]], [[{"move": ""}]], []),
        )
    ),
    "dates": _headers(
        *(
            {"date-start": start, "date-end": end, "hexrec": own}
            for start, end in (
                (None, None),
                ("2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"),
                ("1970-01-01T00:00:00Z", "2026-11-20T18:03:00Z"),
                ("2026-11-01T00:00:00Z", "1970-01-01T00:00:00Z"),
                (5, "x"),
            )
            for own in ({}, {"date": "2026-11-20", "date_end": "2026-11"}, {"date": 5, "date_end": "2026-11-20T18:03Z"})
        )
    ),
    "a date that is null": _envelope({"date-start": "null"}).replace('"null"', "null"),
    "the pie and ratings": _headers(
        *({"pied": True}, {"pied": False}, {"pie-invoked": True}, {"pie-invoked": False}, {"pied": 5}),
        *({"pied": False, "pie-invoked": True}, {"pied": True, "pie-invoked": False}, {"unrated": True}),
        *({"unrated": False}, {"unrated": "no"}),
    ),
    "openings": _headers(
        *(
            {"game": {"name": name, "variants": ["size-5"]}, "startingPosition": position}
            for name in ("Nadraz", "Frasvel", "Sunspot", "Go")
            for position in ("black:e5;white:a1", "black:e5", "white:a1", "black:;white:", "", 5, "black:e5;white:a1;")
        )
    ),
    "rounds": _rounds(
        *([["e5", "d4"], ["c3"]], [["e5"], ["d4"]], [["e5", None], [None, "d4"]], [["e5", "d4"], []], [[], ["e5"]]),
        *(
            [[None, "e5"]],
            [["e5"], ["d4", "c3"]],
            [["e5", "d4", "c3"]],
            [["e5", "d4", None, "c3"]],
            ["e5"],
            "e5",
            {},
            [None],
        ),
        *([["e5", "d4"], [None, None]], [[None], ["e5", None, None]], [["e5", "d4"], ["c3", None], ["c4", None]]),
    ),
    "turns": _rounds(
        *([["H4;Xe5", " h5 "]], [[{"move": "E5", "sequence": 1}, {"move": "d4", "sequence": 2}]]),
        *([[{"move": "e5", "sequence": 2}, {"move": "d4", "sequence": 1}]], [[{"sequence": 3}, {"move": None}]]),
        *(
            [[5, ["e5"]]],
            [[{"move": {"move": "e5"}}]],
            [[{"move": "e5", "x": [1, {"a/b": 2}]}]],
            [["e5", {"move": "d4"}]],
        ),
        *(
            [[{"move": "e5", "sequence": True}, {"move": "d4", "sequence": 0}]],
            [[{"move": "e5", "sequence": 0}, {"move": "d4", "sequence": 0}]],
            [["x", "xx"]],
            [["e5;", ";e5"]],
        ),
    ),
    "other games": _headers(
        *(
            {"game": {"name": name, "variants": ["size-5"]}, "hexrec": own}
            for name in ("Nadraz", "Sundraval", "Sunspot")
            for own in ({}, {"turns": "hexrec"}, {"turns": 5})
        )
    ),
    "turns spelled as hexrec does": "\n".join(
        _envelope({"hexrec": own}, [["E5", "h8;Xi3"]]) for own in ({}, {"turns": "hexrec"}, {"turns": "x"})
    ),
    "more levels than a record keeps": _envelope({"deep": json.loads("[" * 98 + "]" * 98)}),
    "many variants": _envelope({"game": {"name": "Sunspot", "variants": ["torus"] * 102}}),
    "more beside header and moves": _envelope(None, None, schema="1-0-0", hexrec={"a": 1})
    + _envelope(None, [], ratings=[1], header2={}),
    "what is no record": f'[{_envelope()}, 5, {{}}, {{"header": {{}}}}, {{"header": 1, "moves": []}}, null]',
    "places over lines": json.dumps(
        json.loads(_envelope({"pied": True, "event": "\u65e5"}, [["e5", {"move": "d4"}]])), indent=1
    ),
    "broken and whole": f"[{_envelope()[:-9]}\n{_envelope()}\n {{]\n{_envelope()}",
    "no bytes": "",
    "no text": b"\0",
    "not utf-8": b'[{"header": {"game": "\xff"}, "moves": []}]',
}

#: By format and by what they show.
TEXTS: dict[str, dict[str, str | bytes]] = {
    "sgf": _SGF,
    "abstractplay": _ABSTRACT_PLAY,
    "hgn": texts_hgn.TEXTS,
    "json": texts_json_yaml.JSON,
    "jsonl": texts_json_yaml.JSON_LINES,
    "yaml": texts_json_yaml.YAML,
}


def _record(*moves: Any, **fields: Any) -> dict[str, Any]:
    record = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": list(moves or ["e5"]), **fields}
    if record["game"] in ("sundraval", "valaturna", "nadraz") and "setup" not in record:
        record["opening"] = {"black": "e5", "white": "a1"}
    return record


def _turn(turn: str = "e5", /, **fields: Any) -> dict[str, Any]:
    return {"turn": turn, **fields}


def _kept(**kept: Any) -> dict[str, Any]:
    return {"x-abstractplay": kept}


_HOSTILE = ("", " ", "a ", " a", "a\nb", "\n", "]", "\\", "a:b", "a\tb", "\x7f", "\x00", "\n(;FF[4]", "?", "\u65e5")
_DRAW = {"winner": "draw"}

_PROPERTIES: list[Any] = [
    *({}, [], 5, {"KM": ["6"]}, {"KM": []}, {"KM": "6"}, {"KM": [6]}, {"km": ["6"]}, {"A" * 64: ["6"]}),
    *({"A" * 65: ["6"]}, {"KM": ["a]"]}, {"KM": ["a\\]"]}, {"B": ["e5"]}, {"W": ["e5"]}, {"FF": ["4"]}, {"CA": ["x"]}),
    *({"GM": ["1"]}, {"PL": ["B"]}, {"HJ": ["{}"]}, {"RE": ["W+R"]}, {"RU": ["mine"]}, {"AP": ["x:1"]}),
    *({"EV": ["x"]}, {"C": ["x"]}, {"TE": ["1"]}, {"CR": ["a1"]}, {"CR": ["x"]}, {"SZ": ["6"]}),
    {"XX": ["1", "2"], "KM": ["\n(;FF[4"]},
]
_NODES_AND_TREES: list[Any] = [
    *([], "x", [";C[a]"], [";C[a]", ";N[b]CR[a1]"], [";C[a];N[b]"], ["C[a]"], [";C[a] "], [";B[e5]"], [";AB[e5]"]),
    *(["(;C[a])"], ["(;C[a];B[e5])", "(;N[b])"], ["(;B[e5])"], ["(;C[a]) "], ["(;FF[4])"], [";"], [";C [a]"], [5]),
    *([";C[a\x00]"], ["(;C[a](;N[b\x00]))"], ["(;C[a](;GM[5]))"], ["(;PL[B])"], [";PL[B]"]),
]
_WRONGLY_KEPT: list[Any] = [5, [], {"header": {"hexrec": {"x": 1}}}]

#: Records that are written, by what they show.
_RECORDS: dict[str, list[dict[str, Any]]] = {
    "results": [
        _record(result=result)
        for result in (
            *({}, {"winner": "black"}, {"winner": "white"}, _DRAW, {"winner": "black", "by": "the arbiter"}),
            *({"winner": "white", "termination": word} for word in ("resignation", "time", "forfeit", "adjudication")),
            *({**_DRAW, "termination": word} for word in ("agreement", "adjudication", "abandoned")),
            *({"termination": word} for word in ("agreement", "abandoned", "forfeit", "time")),
        )
    ],
    "scores": [
        _record("e5", game=game, result={"winner": "black", "score": {"black": black, "white": white}})
        for game, scores in {
            "sundraval": ((3, 2), (2, 3.5), (1e20, 0), (0.1, 0.3), (5, 5)),
            "valaturna": (([3, 1], [2]), ([], [1])),
        }.items()
        for black, white in scores
    ]
    + [_record(game="sundraval", result={"winner": "black", "score": {"black": 1, "white": 0, "x-a": 1}, "x-b": 2})],
    "texts": [
        _record(
            _turn(comment=text),
            event=text,
            comment=text,
            id=text,
            source=text,
            players={"black": {"name": text, "team": text}},
        )
        for text in _HOSTILE
    ],
    "numbers": [
        _record(
            _turn(clock=number, seconds=number),
            players={"white": {"rating": number}},
            time_control=[{"seconds": number}],
        )
        for number in (0, 1.5, 1e15, 10**14, 1e-7, 1e16, 123456789012345.6)
    ],
    "evaluations": [
        _record(_turn(eval=value))
        for value in ({"value": 0.5}, {"value": -1}, {"value": 1e-9}, {"value": 0, "depth": 3}, {})
    ],
    "glyphs": [_record(*(_turn(nag=glyphs) for glyphs in ([1], [2], [3], [4], [5], [6], [7], [1, 2], [])))],
    "times": [
        _record(time_control=stages)
        for stages in (
            *(
                [],
                [{"seconds": 60}],
                [{"seconds": 60, "increment": 5}],
                [{"seconds": 60, "delay": 5}],
                [{"per_turn": 9}],
            ),
            *([{"seconds": 60, "periods": 3}], [{"turns": 5, "seconds": 60}], [{"seconds": 60}, {"per_turn": 9}]),
            *([{"seconds": 60}, {"seconds": 30, "periods": 3}], [{"seconds": 60}, {"turns": 5, "seconds": 60}]),
            *([{"seconds": 60}, {"seconds": 30}], [{"seconds": 60}, {"seconds": 30}, {"per_turn": 9}]),
            *([{"seconds": 60, "increment": 5}, {"per_turn": 9}], [{"per_turn": 9}, {"seconds": 60}]),
            *([{"seconds": 60}, {"per_turn": 9, "x-a": 1}], [{"seconds": 60, "increment": 5, "delay": 1}]),
            *([{"seconds": 0}, {"per_turn": 1e-9}], [{"seconds": 10**9}], [{"seconds": 60, "periods": 10**6}]),
            *([{"turns": 10**6, "seconds": 5}], [{"seconds": 60, "turns": 5, "increment": 1}], [{"seconds": 1e-9}]),
        )
    ],
    "marks": [
        _record(_turn(marks=marks), marks=marks)
        for marks in (
            [{"kind": kind, "cells": ["a1", "b2", "a1"]} for kind in ("circle", "square", "triangle", "cross", "area")],
            [{"kind": "area", "cells": ["a1"], "colour": color} for color in ("black", "white", "red")],
            [{"kind": "label", "cells": ["a1", "a2"], "text": text} for text in ("a", "b")],
            [{"kind": "label", "cells": ["a1"], "text": text} for text in ("a:b", "c:b")],
            [
                {"kind": "label", "cells": [f"a{number}"], "text": text}
                for number, text in enumerate((":", "]", "a\nb", ""), 1)
            ],
            [{"kind": "label", "cells": ["a1"]}, {"kind": "arrow", "cells": ["a1", "a2", "a2", "a3"], "text": "x"}],
            [{"kind": kind, "cells": cells} for kind in ("arrow", "line") for cells in (["a1", "a2"], ["a2", "a1"])],
            [{"kind": "arrow", "cells": ["a1", "a1"]}],
        )
    ],
    "setups": [
        _record(game=game, size=4, setup=setup)
        for game, setup in (
            ("sunspot", "4/1b3/6/2w4/6/5/4 w 0"),
            ("sunspot", "4/1b3/6/7/6/5/4 b 0"),
            ("valaturna", "4/5/2b3/7/2w3/5/4 w 0"),
            ("frasvel", "4/5/2b*23/7/6/5/4 b 0"),
            ("nadraz", "4/5/2b3/7/2w3/5/4 b 0 -"),
            ("nadraz", "4/5/2bb2/7/2w3/5/4 w 0 -"),
        )
    ],
    "coordinates": [
        _record("e5", "e6", coordinates=system, marks=[{"kind": "circle", "cells": ["a1"]}])
        for system in ("skew", "row")
    ]
    + [_record("0,0", "(0,1)-(0,3)", coordinates="axial")],
    "turns": [
        _record(
            "e5", "e6xd4xd5", "xa1", " e5", "E5", "a b", "", "]", "a\nb", "\x01", _turn(""), "e5;xd4", "resign", "x"
        ),
        _record("e5", "h8;Xi3"),
        _record("pass", "e5", game="nadraz"),
        _record("resign"),
        _record("e5", "resign", result={"winner": "black"}),
        _record(""),
    ],
    "variations": [
        _record(_turn(variations=[["e6", "e7"], [_turn("e8", variations=[["a1"]])]]), "d4"),
        _record("e5", _turn("d4", variations=[[]])),
        _record("e5", _turn("d4", variations=[["a1"], []])),
        _record("e5", _turn("d4", variations=[[_turn("a1", variations=[["a2"]]), "a3"]])),
        _record("e5", _turn("d4", variations=[["a1", _turn("a2", variations=[["a3"]])]]), "b1"),
        _record(*(_turn(f"a{number}", variations=[["b1"]]) for number in range(1, 6))),
    ],
    "nodes and trees from SGF": [
        _record(_turn(**{name: kept}), *after, **{name: kept})
        for name in ("x-sgf-nodes", "x-sgf-trees")
        for after in ([], ["e6"])
        for kept in _NODES_AND_TREES
    ],
    "properties from SGF": [_record(_turn(**{"x-sgf": kept}), **{"x-sgf": kept}) for kept in _PROPERTIES],
    "players": [
        _record(players=players)
        for players in (
            {"black": {"name": "Ada", "id": "a", "rating": 5, "team": "A", "title": "2d", "bot": True}},
            {"black": {"name": "Player 1"}, "white": {"name": "Player 2", "id": "b"}},
            {"black": {"name": "Player 2"}, "white": {"name": "Player 1"}},
            {"black": {"name": "Ada"}, "white": {"name": "Ada"}, "x-a": 1},
            {"white": {"x-a": 1}},
            {"black": {"x-abstractplay": {"seat": 3}}, "white": {"x-abstractplay": 5}},
            {"black": {"bot": True, "x-abstractplay": {"isBot": True}}, "white": {"x-abstractplay": {"result": 5}}},
        )
    ],
    "dates": [
        _record(**dates, result={"winner": "black"})
        for dates in (
            *({"date": "2026"}, {"date": "2026-11"}, {"date": "2026-11-20"}, {"date": "2026-11-20T18:03Z"}),
            *({"date": "2026-11-20T18:03:11.5+01:00"}, {"date": "2026-11-20", "date_end": "2026-11-20"}),
            *({"date": "2026-11-20", "date_end": "2026-11"}, {"date_end": "2026-11-21"}, {"date": "1970-01-01"}),
        )
    ],
    "fields": [
        _record(
            *("e5", _turn("e6", seconds=3, at="2026-11-20T18:03:11Z", taken_back=["a1"])),
            ruleset="2024",
            annotator="a",
            stage="b",
            board="c",
            event="d",
            round="e",
            rated=False,
            **{"tags": ["x"], "language": "en", "site": "here", "pie": {"chosen": "black", "x-a": 1}, "x-b": {"c": 1}},
        ),
        _record(site="?", id="?", pie={"chosen": "white"}, rated=True),
        _record(game="nadraz", variant="reverse"),
        _record(size=7),
    ],
    "many losses": [_record(*(_turn(seconds=1) for _ in range(102)), date="2026-11-20", result={"winner": "black"})],
    "what is kept from Abstract Play": [
        _record("e5", "d4", _turn("c3", **{"x-abstractplay": of_turn}), date="2026-11-20", **_kept(**kept))
        for of_turn, kept in (
            ({}, {}),
            ({"sequence": 3}, {"header": {"a": 1}, "record": {"b": 2}}),
            ("C3", {"rounds": {"0": "b", "1": "-w"}}),
            (" d3", {"rounds": {"0": "wb"}}),
            (5, {"surplus": ["e5"], "last": "Resign"}),
            ({"move": "C3"}, {"last": "Resign"}),
            ({"move": "d3"}, {"header": {"game": 5}}),
            ({}, {"header": {"site": {"url": "x"}, "game": {"name": "sunspot"}, "date-generated": "x"}}),
            ({}, {"header": {"pie-invoked": True}, "rounds": {"5": "b"}}),
            ({}, {"rounds": {"0": 5}}),
            ({}, {"rounds": {"0": "xyz"}}),
            ({}, {"rounds": []}),
            ({}, {"record": []}),
            ({}, {"other": 1}),
        )
    ]
    + [_record(**{"x-abstractplay": kept}) for kept in _WRONGLY_KEPT]
    + [
        _record(
            *(_turn(turn, **{"x-abstractplay": of_turn}) for turn, of_turn in turns), date="2026-11-20", **_kept(last=5)
        )
        for turns in (
            (("e5", "E5"), ("d4", "c4"), ("c3", {"result": "well"})),
            (("e5", {"move": "E5", "a": 1}), ("d4", {"b": 2}), ("c3", {"move": "x"})),
            (("e5", "E5"), ("d4", {"move": "D4"}), ("c3", {"b": [{"c": 1}]})),
        )
    ],
}

_OF_SGF = {"texts", "numbers", "evaluations", "glyphs", "times", "marks", "variations"}
_OF_SGF |= {"nodes and trees from SGF", "properties from SGF"}
_OF_ABSTRACT_PLAY = {"what is kept from Abstract Play", "dates", "many losses"}
#: By format, those that it may write in a way of its own.
RECORDS = {
    "sgf": {what: records for what, records in _RECORDS.items() if what not in _OF_ABSTRACT_PLAY},
    "abstractplay": {
        **{what: records for what, records in _RECORDS.items() if what not in _OF_SGF},
    },
    "hgn": _RECORDS | texts_hgn.RECORDS,
    "json": {},
    "jsonl": {},
    "yaml": _RECORDS,
}
