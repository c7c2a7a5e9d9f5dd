"""Texts of HGN for `test_readings`: what the fixtures do not have, by what they show."""

from __future__ import annotations

from typing import Any

_TAGS = '[Game "Sunspot"]\n[Size "5"]\n'
_HEAD = f"{_TAGS}\n"


def _tag(line: str, moves: str = "1. e5 *", game: str = "Sunspot") -> str:
    return f'[Game "{game}"]\n[Size "5"]\n{line}\n\n{moves}\n'


def _setup(position: str, moves: str) -> str:
    return f'[Game "Sunspot"]\n[Size "4"]\n[Setup "{position}"]\n\n{moves}\n'


_MOVES = {
    # Turns and what is said of them.
    "signs that are none": "1. e5!!! ! *",
    "every sign": "1. a1! a2? 2. a3!! a4?? 3. a5!? b1?! 4. b2!?! *",
    "text around commands": "1. e5 {one [%at x] two\n [%clk 0:00:01] three} 1... d4 {[%at y]}{four}{} *",
    "commands before the first turn": "{one [%marks cross a1] two three} {[%clk 1] four} 1. e5 *",
    "blanks in comments": "{ \t a \r\n b  c } 1. e5 {\xa0a\xa0\v} *",
    "blanks in line comments": "; \t a \t\n1. e5 ;\xa0a\xa0\v\n *",
    "line comments": "; one \n% skipped\n1. e5 ; two \n;three\n% skipped\n d4 * ; four",
    "comments of variations": "1. e5 ({one} ; two \n {three [%at x]} 1. d4 {four} (1. c3) ; five\n 1... c4) *",
    "comments after the end": "1. e5 * {one} ; two\n",
    "glyphs": "1. e5 $1$002 $0 d4 $140! *",
    "glyphs and signs in a variation": "1. e5 (1. d4! $5 1... d5?) *",
    "a glyph of many digits": f"1. e5 ${'9' * 400} *",
    "a glyph of too many digits": f"1. e5 ${'9' * 5000} *",
    "a comment before Black's turn in a variation": "1. e5 d4 ({one} 1... d5 2. d6) *",
    "quoted turns": '1. "e5" "(0,1" ("" "a\\nb" "a\\"b") "*" *',
    "a quoted turn with an escape of nothing": '1. e5 "a\\qb" *',
    "axial cells": "1. (0,1)x(-1,0)(1. (1,0) (0,0)) (2,-1)! *",
    "variations side by side": "1. e5 (1. d4)(1. d5 d6) d7 (1... a1 (1... a2 2. a3) 2. a4) 2. a5 *",
    "an empty variation": "1. e5 () *",
    "numbers": "1. e5 1. d4 2... d5 002. d6 3. d7 .. 3... d8 *",
    "a number within a variation": "1. e5 (2. d4 1... c4) 2. d5 *",
    "a number that is long": f"{'1' * 60}. e5 *",
    "escapes": '{\\u{D7FF}\\u{E000}\\u{10FFFF}\\u{41}\\n\\r\\t\\\\\\"\\{\\}\\[\\]} 1. e5 *',
    "half a surrogate pair, the first": "1. e5 {a\\u{D800}} *",
    "half a surrogate pair, the last": "1. e5 {a\\u{DFFF}} *",
    "no such character": "1. e5 {a\\u{110000}} *",
    "a backslash before a blank at the end": "1. e5 {a\\ } *",
    "a backslash before a command": "1. e5 {ab\\q [%at x]} *",
    "a backslash between commands": "1. e5 {a [%at x] b\\q [%engine x] c} *",
    "a backslash after a command": "1. e5 {a [%at x] b\\q} *",
    "a backslash in a command": "1. e5 {a [%at x\\q] b} *",
    "a backslash in a waiting comment": "1. e5 ({a\\q} 1. d4) *",
    # Commands.
    "every command": (
        "1. e5 {[%clk 1:02:03.5] [%emt 0:00:04] [%at 2026-11-20T18:03:11Z] [%eval -0.5] [%depth 12] [%engine X 1.0]"
        ' [%pv e6  e7] [%takeback d5 pass] [%marks circle e5; arrow e5 e6 colour="red"] [%mine a]} *'
    ),
    "commands without values": "1. e5 {[%clk] [%emt ] [%pv] [%mine]} *",
    "numbers as times": "1. e5 {[%clk 1200] [%emt 1.25]} 1... d4 {[%clk 1:2] [%emt -5]} 2. d5 {[%clk 00:0:07]} *",
    "words for numbers": "1. e5 {[%eval #3] [%depth deep] [%clk soon]} *",
    "evaluations": "1. e5 {[%eval 1] [%pv e6]} 1... d4 {[%eval 1e-7]} 2. d5 {[%eval -0] [%depth 1.5]} *",
    "words with a tab": "1. e5 {[%pv e6\te7  e8]} *",
    "unknown commands": "1. e5 {[%mine a b] [%Clk 5] [%other]} *",
    "commands that are none": "1. e5 {[% clk 5] [%5 a] [clk 5] \\[%clk 5] [%a [b]]} *",
    "a command with brackets": "1. e5 {[%mine a\\[b\\]c \\\\]} *",
    "a command twice": "1. e5 {[%clk 5]} {[%clk 6]} *",
    "an unknown command twice": "1. e5 {[%mine 5] [%mine 6]} *",
    "the same command at two turns": "1. e5 {[%mine 5]} 1... d4 {[%mine 6]} *",
    "a command twice in one comment": "1. e5 {[%marks cross c3] [%marks cross c4]} *",
    "a mark with a long text that is none": f'1. e5 {{[%marks label e5 text="{"a" * 40}\\\\q"]}} *',
    "marks before the first turn": '{[%marks label e5 text="a; b" colour="red";cross  a1 ]} 1. e5 *',
    "an extra at a turn": (
        '1. e5 {[%extra {"x-a": {"b": \\[1, {"c": 2\\}\\]\\}, "eval": {"x-nodes": 5\\}\\}] [%eval 0.5]} *'
    ),
    "an extra with a known field": '1. e5 {[%extra {"clock": "soon", "x-hgn": {"a": 1\\}\\}] [%mine b]} *',
    "an extra before the first turn": '{[%extra {"x-a": 1\\}]} 1. e5 *',
    "an extra that is no JSON": "1. e5 {[%extra {]} *",
    "an extra that is a list": "1. e5 {[%extra \\[1\\]]} *",
    "an extra with what the game says": '1. e5 {[%extra {"x-a": 1, "nag": \\[1\\]\\}]} *',
    "an extra in the place of a command": '1. e5 {[%mine a] [%extra {"x-hgn": 5\\}]} *',
    "a command after an extra in its place": '1. e5 {[%extra {"x-hgn": 5\\}] [%mine a]} *',
    "an extra too deep in a variation": ('1. e5 (1. d4 {[%extra {"x-a": ' + "\\[" * 95 + "1" + "\\]" * 95 + "\\}]}) *"),
    # The end.
    "nothing after a sign": "1. e5 $",
    "a dollar sign without a number": "1. e5 $ d4 *",
    "a backslash among the turns": "1. e5 \\ *",
    "a bracket among the turns": "1. e5 ] *",
    "a tag among the turns": '1. e5 [Size "5"] *',
    "a quote without an end, and a line after it": '1. e5 "d4\n2. e6 *',
    "a quote without an end on the last line": '1. e5 "d4 \n \n',
    "a quote without an end before a tag": '1. e5 "d4 "] x',
    "a per cent sign within a line": "1. e5 % d4 *",
    "the end twice": "1. e5 * *",
    "a number after the end": "1. e5 * 2.",
    "a bracket after the end": "1. e5 * (1. d4)",
    "a result in a variation": "1. e5 (1. d4 *) *",
    "a variation of comments": "1. e5 ({one}) *",
    "a variation of a line comment": "1. e5 (; one\n) *",
    "a variation open in another": "1. e5 (1. d4 (1. d5) {one} \n",
    "no result": "1. e5 d4 (1... d5) {so far} 2. e6 \n",
    "no result after a number": "1. e5 d4 2.",
    "a result of chess": "1. e5 (1. 1-0) 1... 1-0 {1-0}\n",
    "a quoted result of chess": '1. e5 "1-0"\n',
    "a draw of chess": "1. e5 1/2-1/2",
    "a result of Go": "1. e5 W+3.5",
    "a result of Go that is Black's": "1. e5 b+R",
    "black has won": "1. e5 B+",
    "a draw": "1. e5 =",
    "ended without a winner": "1. e5 ?",
}

TEXTS: dict[str, str | bytes] = {what: _HEAD + moves for what, moves in _MOVES.items()}
TEXTS |= {
    # Tags.
    "tags without a line end": '[Game "Sunspot"]',
    "a per cent sign after a tag": '[Game "Sunspot"] % 1. e5 *',
    "blanks and comments around tags": ' \t\n; one\n% two\n [Game\t"Sunspot" \t] ; three\n\n[Size "5"]{four}1. e5*\n',
    "tags in other cases": '[game "SUNSPOT"]\n[SIZE "5"]\n[blackid "a"]\n[mine "b"]\n[Mine "c"]\n\n1. e5 *\n',
    "a tag twice": _tag('[Event "a"]\n[event "b"]'),
    "an unknown tag twice": _tag('[Mine "a"]\n[Mine "b"]'),
    "a tag without a value": _tag("[Event]"),
    "a tag without quotes": _tag("[Event x]"),
    "a tag that is not closed": _tag('[Event "x"'),
    "a tag whose text is not closed": _tag('[Event "x]'),
    "the last tag is not closed": '[Game "Sunspot"]\n[Size "5',
    "a tag that begins with a digit": _tag('[5vent "x"]'),
    "escapes in tags": _tag('[Event "a\\"b\\\\c\\n\\u{1F600}"]\n[Opening "B:\\u{65}5"]', game="Frasvel"),
    "an escape of nothing in a tag": _tag('[Event "abc\\q"]'),
    "the fields of players": _tag(
        '[Black "Ada"]\n[BlackId "1"]\n[BlackRating "1850.5"]\n[BlackTitle "2d"]\n[BlackTeam "A"]\n[BlackCountry "NOR"]'
        '\n[BlackBot "false"]\n[White "Ben"]\n[WhiteId "2"]\n[WhiteRating "x"]\n[WhiteBot "yes"]'
    ),
    "words and flags": _tag('[Tags "a,  b\t,c"]\n[Rated "true"]\n[Language "en"]\n[Pie "white"]\n[Round ""]'),
    "no tags": _tag('[Tags ""]'),
    "words between letters and blanks that are none": _tag('[Tags "Xa, bX, \xa0c\xa0"]'),
    "time control": _tag('[TimeControl "40/5400+30d5:3x30:259200/turn:0.5"]'),
    "no time control": _tag('[TimeControl "an hour"]'),
    "a time control with a stage too many": _tag('[TimeControl "60:"]'),
    "an opening": _tag('[Opening "B:e5  W:k9"]', game="Nadraz"),
    "an opening the other way round": _tag('[Opening "W:k9 B:e5"]', game="Nadraz"),
    "an opening of one color": _tag('[Opening "B:e5"]', game="Frasvel"),
    "an opening without colors": _tag('[Opening "e5, k9"]', game="Nadraz"),
    "an opening of a cell without a color": _tag('[Opening " e5 "]', game="Frasvel"),
    "an opening of another kind": _tag('[Opening "B:e5,W:k9 x"]', game="Nadraz"),
    "an opening without cells": _tag('[Opening ""]', game="Nadraz"),
    "a color twice": _tag('[Opening "B:e5 B:e6"]', game="Nadraz"),
    "scores as numbers": _tag('[Result "B+"]\n[Score "B:3 W:1.5"]', "1. e5 B+", "Sundraval"),
    "scores with a blank after them": _tag('[Score "B:3 W:1 "]', "1. e5 B+", "Sundraval"),
    "scores as lists": _tag('[Score "B: W:27,6,1"]', "1. e5 B+", "Nadraz"),
    "a score before its game": '[Score "B:3 W:1.5"]\n[Game "Sundraval"]\n[Size "5"]\n\n1. e5 B+\n',
    "a score of several numbers where there is one": _tag('[Score "B:3,1 W:x"]', "1. e5 B+", "Sundraval"),
    "a score of an unknown game": _tag('[Score "B:3 W:1"]', "1. e5 B+", "Chess"),
    "a score without colors": _tag('[Score "3-1"]', "1. e5 B+", "Sundraval"),
    "a score with an escape": _tag('[Score "B:\\u{33} W:1"]', "1. e5 B+", "Sundraval"),
    "numbers too large": _tag('[WhiteRating "-1e999"]'),
    "numbers of very many digits": _tag(f'[WhiteRating "{"9" * 5000}"]'),
    "a setup": _setup("4/1b3/6/2w4/6/5/4 w 0", "1... e1 2. e2 e3 *"),
    "a setup with Black to move": _setup("4/1b3/6/7/6/5/4 b 0", "1. e1 e2 2. e3 *"),
    "a setup of PGN": _setup("1", "1. e1 *"),
    "a result tag alone": _tag('[Result "W+"]', "1. e5"),
    "a result tag of an unfinished game": _tag('[Result "*"]', "1. e5"),
    "a result that the tag does not say": _tag('[Result "="]', "1. e5 W+"),
    "a result and nothing known of the winner": _tag('[Result "?"]\n[Termination "abandoned"]', "1. e5 ?"),
    "how the game ended": _tag('[Termination "time"]\n[DecidedBy "Cleo"]\n[Reason "late"]', "1. e5 W+"),
    "how a game ended that has no result": _tag('[Termination "time"]', "1. e5"),
    "who decided an unfinished game": _tag('[Result "*"]\n[DecidedBy "Cleo"]'),
    "why an unfinished game ended": _tag('[Reason "late"]'),
    "the score of an unfinished game": _tag('[Score "B:1 W:2"]', "1. e5 *", "Sundraval"),
    "a result of chess in the tag": _tag('[Result "0-1"]', "1. e5 *"),
    "an unknown result in the tag": _tag('[Result "x"]', "1. e5 *"),
    "an extra": _tag(
        '[Extra "{\\"x-a\\": [1, {\\"b\\": 2}], \\"players\\": {\\"black\\": {\\"x-c\\": 3}}}"]\n[Black "A"]'
    ),
    "an extra that is no JSON": _tag('[Extra "{"]'),
    "an extra that is a text": _tag('[Extra "\\"a\\""]'),
    "an extra with the comment": _tag('[Extra "{\\"x-a\\": 1, \\"comment\\": \\"b\\"}"]'),
    "an extra in the place of a tag": _tag('[Mine "a"]\n[Extra "{\\"x-hgn\\": 5}"]'),
    "an extra beside a tag": _tag('[Mine "a"]\n[Extra "{\\"x-hgn\\": {\\"size\\": 5}}"]'),
    "an extra that is too deep": _tag(f'[Extra "{{\\"x-a\\": {"[" * 100}{"]" * 100}}}"]'),
    # Games and what is around them.
    "comments alone": " ; one\n{two}\n",
    "turns alone": "1. e5 *\n",
    "a game that begins with a letter": "X1 e5 *\n",
    "a letter alone": "e",
    "a result alone": "*",
    "a bad character alone": "\n }",
    "two games with a mark": f"\ufeff{_HEAD}1. e5 *\n{_HEAD}1. d4 *\n",
    "a mark before the second game": f"{_HEAD}1. e5 *\n\ufeff{_HEAD}1. d4 *\n",
    "games without blank lines": f"{_TAGS}1. e5 *\n{_TAGS}1. d4 *{_TAGS}{_TAGS}*",
    "games of tags alone": f'{_TAGS}{_TAGS}; a comment\n{_TAGS}[Mine "a"] *',
    "a second tag of the game on a line": '[Game "Sunspot"] [Game "Sunspot"]\n[Size "5"]\n\n*\n',
    "a comment over tag lines": f'{_HEAD}1. e5 {{one\n[Mine two]\n[Mine "x"]\n}} *\n',
    "tags after a comment": f"{{one}}\n{_HEAD}1. e5 *\n",
    "tags that are no games": f'[Mine x]\n[5 "a"]\n{_HEAD}1. e5 *',
    "windows line ends": f"{_HEAD}1. e5 {{one\ntwo}}\n2. d4 *\n".replace("\n", "\r\n"),
    "columns after wide characters": f"{_HEAD}{{\u65e5\U0001f600}} 1. e5 x}}",
    "not UTF-8": _HEAD.encode() + b"1. e5 {\xff} *\n" + _HEAD.encode() + b"1. d4 *\n",
    "zero bytes": b'[Game "Sunspot\0"]\n\n*\n',
}


def _record(*moves: Any, **fields: Any) -> dict[str, Any]:
    return {"hexrec": "1", "game": "sunspot", "size": 5, "moves": list(moves), **fields}


_LISTS = ["a,b"], [" a"], [""], ["a", ""], ["\xa0a"], ["a", "b"]
#: Records that are written, by what they show.
RECORDS: dict[str, list[dict[str, Any]]] = {
    "words and commas": [_record("e5", tags=words) for words in _LISTS],
    "letters beyond ASCII": [
        _record(
            {
                "turn": "e5",
                "marks": [{"kind": "label", "cells": ["e5"], "text": "\u65e5", "colour": "\xe9"}],
                "x-a": "\u65e5",
            },
            **{"x-a": {"\u65e5": "\xe9"}},
        )
    ],
    "the least and the longest times": [
        _record({"turn": "e5", "clock": number, "seconds": number})
        for number in (1e-6, 1.5e-6, 999999999.5, 10**9 - 1, 10**9, 1000000000.5)
    ],
}
