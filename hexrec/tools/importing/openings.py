"""Openings that a line states: the cells of the stones that a game begins with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hexrec.tools.importing.lexer import Cell, Token, has_tokens, lex
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.words import CLAUSE, COLOR_WORDS, HUES

_OPENING = re.compile(
    r"\b(?:opening|opened with|before (?:the )?(?:first|start|game)|pre-?game|preset|starting|start(?:s|ed|et)?|"
    r"initial|eröffnung|startsteine|anfang\w*|ouverture|apertura|setup|pre-?placed|placed before|begin(?:s|ning)?"
    r"|pie)\b"
)
#: The stones of an opening, in a clause with a cell of each color.
_STONES = re.compile(
    r"\b(?:(?:stone|stack|egg|piece)s|(?:(?:first|initial)(?: black| white)?|(?:the|a) (?:black|white))"
    r" (?:stone|stack|egg|piece)|began|begun|occupied|(?:start|anfangs)?(?:steine|stapel|eier)"
    r"|pierres|piles|œufs|piedras|torres|pietre|torri|pile|stenen)\b"
)
#: The only stack of an opening, by its order, and by its color in a line without other cells.
_FIRST_STACK = re.compile(
    r"\b(?:first|opening|initial|starting|erster?|première) (?:stack|piece|stapel|turm|pile)"
    r"(?:[^.;:\d]{0,30}? (?:on|at|in|auf|en) |:\s{1,3})(?P<cell>[a-z]{1,2}\d{1,2})\b"
    r"(?!\s?(?:\(|,|and|und|et)\s?(?:black|white|b\b|w\b))"
)
_BLACK_STACK = re.compile(
    r"\b(?:black|blk?|b) (?:stack|piece)(?: (?:is|was|stands|starts|set up))?(?: (?:on|at|in))?"
    r" (?P<cell>[a-z]{1,2}\d{1,2})\b"
)
#: A label, perhaps an unknown one, before stones of both colors.
_LABEL = re.compile(rf"\s*(?!(?:{HUES})\b)[^\W\d_]{{4,}}(?: [^\W\d_]+){{0,4}}\s?:\s")
#: An opening stone with its cell, as in "egg on b5".
_STONE = re.compile(
    r"(?:\b(?P<first>first|1st|opening|initial|starting|start|setup|erster?|première?)[ -])?"
    r"\b(?:(?P<other>hers|his|theirs|mine|yours)|stone|stack|(?P<egg>egg|ei|œuf)|piece|tower"
    r"|(?:anfangs|start|begin|eröffnungs)?(?:stein|stapel|turm)|pierre|pile|piedra|steen)\s?"
    r"(?:(?:is|was|stands|stood|placed|put)\s)?(?:on|at|in|auf|bei|en|sur|op|:|=)?\s?(?P<cell>[a-z]{1,2}\d{1,2})\b"
    r"(?!\s?[-x/>+]\s?[a-z]\d)"
)
#: The color after a cell: in parentheses; and perhaps without them, where no verb follows, as in "black won".
_COLOR_AFTER = re.compile(rf"\s?\((?P<color>[bw]|{HUES})\)")
_COLOR_AT_END = re.compile(rf"\s?\(?(?:{HUES}|[bw])\b\)?(?!\s\w)")
#: The key of a player at the beginning of a line, as in "Black: Ada".
_SIDE = re.compile(rf"\W*(?:{'|'.join(COLOR_WORDS)})[*_]*\s?(?:[:=]|-{{1,2}}>)")
#: The words between the color of a player and a stone, of which one shows that the color is not that of the stone.
_OF_PLAYER = re.compile(
    r"(?:[^.;!?]|(?<=\b\w)\.)*(?:[,:(=>]|\s{2}|\b(?:with|mit|avec|con|met)\b)(?:[^.;!?]|(?<=\b\w)\.)*"
)
#: A line of a list of turns.
_NUMBERED = re.compile(r"\W*\d+\s?[-.):]")
#: The initial of Schwarz before a cell.
_INITIAL = re.compile(r"(?<!\w)s(?=[:=]?\s?[a-z]\d)")


def opening_stones(low: str) -> dict[int | None, Cell]:
    """Return the cells of opening stones by color, or under None and -1 in order if no colors are given."""
    low = _INITIAL.sub(lambda match: "b" if match[0] == "s" else match[0], low)
    tokens = [token for token in lex(low) if token.kind in ("cell", "color")]
    cells = [token for token in tokens if token.kind == "cell"]
    if not 1 <= len(cells) <= 2:
        return {}
    colors = [token for token in tokens if token.kind == "color"]
    if len(colors) == len(cells):
        ordered = [token.kind for token in tokens]
        pairs = ordered[0::2], ordered[1::2]
        if len({*pairs[0]}) == 1 and len({*pairs[1]}) == 1 and len({color.value for color in colors}) == len(cells):
            return {color.value: cell.value for color, cell in zip(colors, cells, strict=True)}
    return {-1 if index else None: cell.value for index, cell in enumerate(cells)}


def stones_end(low: str) -> int:
    """Return the end of the stones in a text, with the color after the last cell, as in "e5 (white)"."""
    end = max(token.end for token in lex(low) if token.kind == "cell")
    after = _COLOR_AT_END.match(low, end)
    return after.end() if after else end


def stones_of_players(low: str) -> Iterator[Fact]:
    """Yield the opening stones that a line names next to the colors of the players, as in "Black: Ada, egg on e3"."""
    if _NUMBERED.match(low):
        return
    tokens = [token for token in lex(low) if token.kind in ("color", "cell")]
    for match in _STONE.finditer(low):
        last = next((token for token in reversed(tokens) if token.end <= match.start()), None)
        is_first = any(match[group] for group in ("first", "egg", "other")) or _SIDE.match(low)
        if last is None or last.kind != "color" or not is_first:
            continue
        after = _COLOR_AFTER.match(low, match.end())
        if after:  # as in "starting stack b2 (Black)"
            yield Fact("opening", {COLOR_WORDS[after["color"]]: opening_stones(match["cell"])[None]}, *match.span())
        elif _OF_PLAYER.fullmatch(low, last.end, match.start()):
            yield Fact("opening", {last.value: opening_stones(match["cell"])[None]}, *match.span())


def find_openings(low: str) -> Iterator[Fact]:
    """Yield the opening that a line without a key for it states: ``opening stones on e3 (black) and a4 (white)``."""
    low = low.replace("'s", "  ")
    if (match := _OPENING.search(low)) and (stated := _opening_after(low, match)):
        yield stated
        return
    if stack := _FIRST_STACK.search(low):
        yield Fact("opening", opening_stones(stack["cell"]), *stack.span())
        return
    if stack := _BLACK_STACK.search(low):
        others = low[: stack.start()] + low[stack.end() :]
        if not has_tokens(others, "cell"):
            yield Fact("opening", {0: next(iter(opening_stones(stack["cell"]).values()))}, *stack.span())
            return
    for clause in CLAUSE.finditer(low):
        if _STONES.search(clause[0]) or _LABEL.match(clause[0]):
            yield from _colored_cells(clause[0], clause.start())


def _opening_after(low: str, match: re.Match[str]) -> Fact | None:
    """Return the opening after a word for it, or None."""
    tokens = [token for token in lex(low) if token.start >= match.end() or token.kind == "color"]
    before = [token for token in tokens if token.end <= match.start()]
    inside: list[Token] = []
    for token in tokens:
        if token.start < match.end():
            continue
        cells = sum(known.kind == "cell" for known in inside)
        if token.kind == "number" or (token.kind == "cell" and cells == 2):
            break
        if cells and (token.kind == "word" or (token.kind == "sign" and token.value == ".")):
            break
        inside.append(token)
    start = match.start()
    if not any(token.kind == "color" for token in inside) and len(before) == 1:
        start = before[0].start
    while inside and inside[-1].kind not in ("cell", "color", "close"):
        inside.pop()
    stones = opening_stones(low[start : inside[-1].end].replace("\0", " ")) if inside else {}
    if stones and "\0" in low[start : inside[-1].end]:  # other facts stand between
        start = next(token.start for token in inside if token.kind in ("cell", "color"))
    return Fact("opening", stones, start, inside[-1].end) if stones else None


def _colored_cells(clause: str, at: int) -> Iterator[Fact]:
    """Yield the only two cells of a clause as an opening, if they stand next to the names of different colors."""
    tokens = [token for token in lex(clause.replace("\0", " ")) if token.kind in ("cell", "color")]
    if sum(token.kind == "cell" for token in tokens) != 2:
        return
    found: list[tuple[int, Fact]] = []
    for first, second, third, last in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        stones = opening_stones(clause[first.start : last.end].replace("\0", " "))
        if stones.keys() == {0, 1}:
            apart = second.start - first.end + last.start - third.end
            found.append((apart, Fact("opening", stones, at + first.start, at + last.end)))
    if found:
        yield min(found)[1]


def opening_end(low: str) -> int:
    """Return the end of an opening in a value: turns may follow it on the same line."""
    match = re.search(
        r"(?<![\w,(.-])1\s?[.):](?!\d)|\bmoves\b|\bturns\b|\||(?<=\d)\.\s+(?=[^\W\d_]{2})|(?<=\w);(?=\D*$)", low
    )
    return match.start() if match else len(low)
