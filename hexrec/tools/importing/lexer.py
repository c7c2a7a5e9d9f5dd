"""Lexer: tokens of a line as people write it: cells, numbers of turns, colors, words for passes, comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from hexrec.tools.importing.words import COLOR_WORDS, MEANINGS

#: The kinds of tokens that stand for a turn, or a part of one.
TURN_KINDS = ("cell", "pass", "dash", "resign", "swap")
#: A number of a turn after the initial of its color, as in "B1 d3 W2 e4".
_COLORED_NUMBER = re.compile(
    r"(?<![\w@-])(?:(?P<color>[BbWw])(?P<number>\d{1,3})|(?P<count>\d{1,3})(?P<side>[ABWabw]))"
    r"(?P<turn>[.:)]?[ \t]+[*_]*(?:[A-Za-z]\d|[Pp]ass))"
)
#: Letters that stand for a pass.
_PASS_SIGN = re.compile(r"(?<![\w'-])(?P<sign>[A-Za-z]{1,3})\s?=\s?['\"]?pass(?:e[sd]?)?\b", re.IGNORECASE)
_MANY_NUMBERS = 4


class Cell(NamedTuple):
    """The name of a cell as read: a letter and a number, or two numbers.

    Attributes:
        first: the 0-based index of the letter in the alphabet, or the first number.
        second: the number.
        lettered: whether the first part is a letter.
    """

    first: int
    second: int
    lettered: bool = True


class Token(NamedTuple):
    """A part of a line.

    Attributes:
        kind: ``cell``, ``number``, ``color``, ``pass``, ``both``, ``resign``, ``swap``, ``dash``, ``join``, ``filler``,
            ``word``, ``sign``, ``open``, ``close``, ``space`` or ``comment``.
        value: the `Cell`, the number, the color, the sign, or the text.
        start, end: its place in the line, in characters from 0.
        reverse: whether a cell has the number before the letter, or a number has no dot.
    """

    kind: str
    value: Any
    start: int
    end: int
    reverse: bool = False


_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<pair>[(\[<]\s?-?\d{1,2}\s?[,;|]\s?-?\d{1,2}\s?[)\]>] | (?<![\w,.-])-?\d{1,2},-?\d{1,2}(?![\w,.]))
  | (?P<skipped>
        (?<!\w)\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:[t\s]\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?z?)?(?!\w)
      | (?<!\w)\d{1,2}[./]\d{1,2}[./]\d{2,4}(?!\w)
      | (?<![\w.])\d{1,2}(?:/\d{1,2}(?![\w/])|\.\d{1,2}\.(?!\w))
      | (?<!\w)\d{1,3}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b)?
      | (?<![\w.])\d+\.\d+\s?(?:s|ms|secs?|min|m|h|%)(?!\w)
      | (?<!\w)\d{1,2}(?:er?|d)(?=\s(?:coup|tour|zet|beurt)\b)
  | https?://\S+ | (?<!\w)[@/]\w+(?:/\w+)* )
  | (?P<none>(?<!\w)(?:no|kein)\s(?:move|turn|zug)(?=\s*(?:$|[.,;|)])))
  | (?P<arrow>-{1,3}>|=>)
  | (?P<reversed>(?:(?<!\w)(?<![*] )|(?<=[a-z]x))\d{1,2}(?:aa|[a-z])(?![\w']))
  | (?P<reversed_flip>(?:(?<!\w)|(?<=[a-z]x))\d{1,2}(?:aa|[a-z])(?=x\d)|(?<=[a-z])x(?=\d{1,2}[a-z](?!\d)))
  | (?P<run>[^\W\d_]+)(?P<digits>\d{1,2}(?!\d))?
  | \#?(?P<number>\d{1,4})(?!\d)(?P<dot>\s?(?:\.{1,3}\)?|…|\)|:|\]))?
  | (?P<emphasis>[*_~\#]+)
  | (?P<many>-{2,}|\.{2,}|…|\d+)
  | (?P<sign>.)
    """,
    re.VERBOSE,
)
#: Letters before a cell in one word: a color, or the sign of a flip.
_PREFIXES = {"b": ("color", 0), "w": ("color", 1), "x": ("join", "x"), "s": ("color", 0)}
_AFTER_CELL = re.compile(r"x?\s?(?:aa|[a-z])\d|x\b|[^\W\d_]{0}$")
_PAGE = re.compile(r"\.?\s?\d+\W*$")
#: A line of nothing but turns, in which "pas" is one in Dutch.
_BARE = re.compile(r"(?:[\W\d]|[a-z]{1,2}\d{1,2}(?!\d)|\bpas\b|x)*")
_NUMBER_AFTER = re.compile(r"\s*(?:$|[:.)]?\s*[*\"'(\[]*[a-z])")


def plain_numbers(text: str) -> str:
    """Return a text with plain numbers for those such as ``B1``, ``W2`` if they count its turns."""
    numbers = [
        ((match["color"] or match["side"]).lower(), int(match["number"] or match["count"]))
        for match in _COLORED_NUMBER.finditer(text)
    ]
    steps = [
        after[0] != before[0] and (after[1] - before[1] in (0, 1) or after[1] == 1)
        for before, after in pairwise(numbers)
    ]
    if len(numbers) < _MANY_NUMBERS or not all(steps) or numbers[0] not in (("a", 1), ("b", 1)):
        return text
    return _COLORED_NUMBER.sub(lambda match: f"{match['number'] or match['count']}.{match['turn']}", text)


def plain_passes(text: str) -> str:
    """Return a text with passes for the letters that it says stand for them, as in "(ps = pass)"."""
    signs = {match["sign"] for match in _PASS_SIGN.finditer(text)}
    for sign in signs - {"p", "P"}:
        text = re.sub(rf"(?<![\w'-]){sign}(?![\w'-])(?!\s?=)", "p".ljust(len(sign)), text)
    return text


def lex(line: str) -> list[Token]:
    """Return the tokens of a line that `plain` has prepared."""
    return list(_tokens(line))


def has_tokens(line: str, *kinds: str) -> bool:
    """Return whether a line that `plain` has prepared has a token of some kinds."""
    return any(token.kind in kinds for token in _tokens(line))


def _tokens(line: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(line):
        kind, start, end = match.lastgroup or "", match.start(), match.end()
        text = match[0]
        if kind == "space":
            yield Token("space", text, start, end)
        elif kind == "pair":
            first, second = map(int, re.findall(r"-?\d+", text))
            yield Token("cell", Cell(first, second, lettered=False), start, end)
        elif kind == "none":  # by itself, not as in "I see no move."
            is_turn = line[:start].rstrip()[-1:] in ("", *":.>|,;(")
            yield Token("pass" if is_turn else "word", text, start, end)
        elif kind == "arrow":
            yield Token("sign", ">", start, end)
        elif text == "x":
            yield Token("join", "x", start, end)
        elif kind.startswith("reversed"):
            number, letters = re.match(r"(\d+)(.*)", text).groups()  # type: ignore[union-attr]
            yield Token("cell", Cell(_index(letters), int(number)), start, end, reverse=True)
        elif match["run"]:
            yield from _word(match["run"], match["digits"], start, line)
        elif match["number"]:
            dot = match["dot"] or ""
            end_of_number = match.start("dot") if dot else end
            before = line[:start].rstrip(" *_|>#([\"'")
            bare = not dot and not text.startswith("#")
            if bare and before and not _NUMBER_AFTER.match(line, end_of_number):
                yield Token("sign", text, start, end)
            else:
                yield Token("number", int(match["number"]), start, end, reverse=bare)
        elif kind == "emphasis":
            yield Token("sign", "*" if text == "*" else " ", start, end)
        elif kind == "many" and text[0] == "-":
            yield Token("dash", text, start, end)
        elif kind == "many" and text[0] in ".…":
            yield Token("sign", "..", start, end)
        elif text in "([":
            yield Token("open", text, start, end)
        elif text in ")]":
            yield Token("close", text, start, end)
        elif text in COLOR_WORDS:
            yield Token("color", COLOR_WORDS[text], start, end)
        else:
            yield Token("sign", text, start, end)


def _word(run: str, digits: str | None, start: int, line: str) -> Iterator[Token]:
    """Yield the tokens of letters that digits may follow: a cell, with or without a prefix, or words."""
    end = start + len(run) + len(digits or "")
    if digits is not None and not _is_within_word(line, end):
        name = run if len(run) == 1 or run == "aa" else run[1:]
        prefix = run[: len(run) - len(name)]
        if (len(name) == 1 or name == "aa") and name.isascii() and (not prefix or prefix in _PREFIXES):
            if prefix:
                kind, value = _PREFIXES[prefix]
                yield Token(kind, value, start, start + 1)
            yield Token("cell", Cell(_index(name), int(digits)), start + len(prefix), end)
            return
    word_end = start + len(run)
    known = run.removesuffix("'s")
    if run == "s" and line[start - 1 : start] == "(" and line[word_end : word_end + 1] == ")":  # Schwarz
        yield Token("color", 0, start, word_end)
    elif known in COLOR_WORDS:
        yield Token("color", COLOR_WORDS[known], start, word_end)
    elif run == "pas" and _BARE.fullmatch(line):
        yield Token("pass", run, start, word_end)
    elif run in MEANINGS and not (run == "p" and _PAGE.match(line, word_end)):
        kind, value = MEANINGS[run]
        yield Token(kind, value or run, start, word_end)
    else:
        yield Token("word", run, start, word_end)
    if digits is not None:
        kind = "number" if run in MEANINGS or known in COLOR_WORDS else "sign"
        yield Token(kind, int(digits) if kind == "number" else digits, word_end, end)


def _is_within_word(line: str, end: int) -> bool:
    """Return whether letters that begin no cell follow at `end`, as in ``h2o``."""
    after = line[end : end + 1]
    return after.isalpha() and not _AFTER_CELL.match(line, end)


def _index(letters: str) -> int:
    return 26 if letters == "aa" else ord(letters) - ord("a")
