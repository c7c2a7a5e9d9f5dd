"""Results that a text states: winner, loser, cause of the end, score; and the choice of the pie rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from hexrec.tools.importing.lexer import lex
from hexrec.tools.importing.words import (
    COLOR_WORDS,
    DRAWN,
    LOST,
    NOT_SWAPPED,
    SWAPPED,
    TERMINATIONS,
    WON,
    clean_name,
    color_of,
    plain,
)


class Fact(NamedTuple):
    """A fact, with its place in the line.

    Attributes:
        kind: ``game``, ``size``, ``variant``, ``coordinates``, ``opening`` (cells by color; in order by None and -1),
            ``black``, ``white``, ``first``, ``second`` (names), ``pair`` (two names), ``claim``, ``score``, ``pie``,
            ``index``, ``date``, ``event``, ``site``, ``round``; ``moves`` (a key alone) or ``ignored``.
        value: the value.
        start, end: the place, in characters from 0.
        key: whether a key introduces it.
    """

    kind: str
    value: Any
    start: int
    end: int
    key: bool = False


class Claim(NamedTuple):
    """A stated result.

    Attributes:
        winner: a color, ``draw``, ``first``, ``second``, the name of a player, or None.
        loser: a color, or the name of a player.
        termination: as in records; None if it is not stated.
        margin: the difference of points.
    """

    winner: int | str | None = None
    loser: int | str | None = None
    termination: str | None = None
    margin: float | None = None


_NUMBER = r"\d{1,3}(?:[.,]\d)?"
_SCORE = re.compile(rf"(?<![\w.,:-])({_NUMBER})\s?(?:[-:]|to|zu|à|a|gegen)\s?({_NUMBER})(?![\w:-]|[.,]\d)")
_COLORED_SCORE = re.compile(rf"\b(black|white|b|w|schwarz|weiß|weiss)\b\s?[:=]?\s?({_NUMBER})(?![\d.])")
_MARGIN = re.compile(rf"\b(?:by|mit|par|por|um)\s({_NUMBER})(?:\s(?:points?|punkten?))?")
#: 1-0 and 0-1.
_BARE = re.compile(r"(?<![\w/.:-])(?:1\s?[-:]\s?0|(?P<second>0)\s?[-:]\s?1)(?![\w/:-]|\.\d)")
#: B+R, W+3.5.
_CODED = re.compile(
    r"(?<!\w)(?P<color>[bw]|black|white|schwarz|weiß|weiss)\s?\+\s?(?P<how>r(?:es(?:ign)?)?|t(?:ime)?|f(?:orfeit)?|\d+(?:[.,]\d+)?)?(?!\w)"
)
_HOW = {"r": "resignation", "t": "time", "f": "forfeit"}
_ENDED = re.compile(r"\s*(?:the\s|das\s)?(?:game\s|spiel\s|was\s|wurde\s)*(?:abandoned|aborted|abgebrochen)\s*")
_OFFERED = re.compile(r"\b(?:offer|offers|offered|declined|no draw)\b")
_CHOICE = re.compile(
    r"\b(?:(?:second player|pie rule|pie)\b[^.;]{0,40}?\b(?:chose|chooses|takes|took|picks|picked|choice)\b[^.;]{0,20}"
    r"|(?:chose|chooses|takes|took|picks|picked)\s(?:to play\s|the\s)?(?:black|white)\b)"
)
_SWAP = re.compile(r"\b(?:swap(?:s|ped)?|tauscht)\b")
_COLOR_AFTER = re.compile(rf"\(({'|'.join(COLOR_WORDS)})\)(?=\s\w)")
_CLAUSE = re.compile(r"(?:[^.;!?|()\[\]{}\n\u2014]|(?<=\d)\.(?=\d))+")
_WORD = re.compile(r"\b[^\W\d_]+\b|⚫|⚪")
_PLACE = re.compile(r"\b(first|second) player\s*$")
_PERSON = re.compile(r"(?:^|\W)(i|ich|je|yo|you|du)(?:'ve|'d|'ll|\s(?:\w+\s){0,4})?\s*$")
#: Words of a message about the result of the other player.
_OF_OTHERS = re.compile(
    r"\b(?:nice|good|great|well|congrat\w*|grats?|your?|u|he|she|they|du|dein\w*|schön\w*|glückwunsch|tu|ton|bravo|if|who|not"
    r"|can|could|will|would|going|almost|never|nicht|fast)\b|\?"
)
#: The words between the name and the verb, as in "Ada had won" and "Ada a gagné".
_AUXILIARY = re.compile(
    r"\s(?:had|has|have|hat|haben|hatte|a|ont|avait|ha|han|hanno|heeft|hebben|then|just|finally|later|here|schließlich)\s*$",
    re.IGNORECASE,
)
_FOR = re.compile(r"\b(?:for|für|von|pour|of|para|by|voor)\b")
#: The text before the name of the winner or loser.
_BEFORE_NAME = re.compile(r"^.*[,:>\0]\s*|\b(?:and|then|so|finally|und|the|game)\b|^(?:a|has|hat)\b", re.IGNORECASE)
#: The maximum number of words without a meaning in a clause about the result, and in one with turns.
_MAX_WORDS, _MAX_WORDS_AFTER_TURNS = 9, 5


def find_claims(line: str, low: str) -> Iterator[Fact]:
    """Yield the results and choices that a line states; `low` is what `plain` makes of it, with NUL for known facts."""
    for match in _CODED.finditer(low):
        yield _coded(match, *match.span())
    if (choice := _CHOICE.search(low)) and (chosen := chosen_color(choice[0])) is not None:
        yield Fact("pie", chosen, *choice.span())
    bare = _COLOR_AFTER.sub(lambda match: f" {match[1]} ", low)  # as in "Ada (Black) wins"
    for clause in _CLAUSE.finditer(bare):
        at, parts = clause.start(), [clause[0]]
        if any(token.kind in ("cell", "pass") for token in lex(clause[0])):
            parts = re.split(r"(?<=,)(?=\s)", clause[0])
        for part in parts:
            if _SWAP.search(part) and not any(token.kind == "cell" for token in lex(part)):
                yield Fact("pie", chosen_color(part), at, at + len(part))
            yield from _claims_in(line[at : at + len(part)], part, at)
            at += len(part)
    for match in _BARE.finditer(low):
        yield Fact("claim", Claim("second" if match["second"] else "first"), *match.span())


def _coded(match: re.Match[str], start: int, end: int) -> Fact:
    how = match["how"] or ""
    margin = _number(how) if how[:1].isdigit() else None
    return Fact("claim", Claim(COLOR_WORDS[match["color"]], None, _HOW.get(how[:1]), margin), start, end)


def keyed_result(kind: str, value: str, start: int, at: int) -> Iterator[Fact]:
    """Yield the result that the value of a key states: a sentence, a color, a name, or a cause of the end."""
    low, end = plain(value), at + len(value)
    claims = [*_claims_in(value, low, at, keyed=True)]
    yield from claims
    if claims:
        return
    if kind == "result" and low.strip() in ("1/2", "½", "=", "0.5", "0,5"):
        yield Fact("claim", Claim("draw"), start, end, key=True)
        return
    if coded := _CODED.fullmatch(low.strip()):
        yield _coded(coded, start, end)
        return
    subject, termination = re.split(r"[,;(]|\sby\s|\son\s", value)[0], find_termination(low)
    color = color_of(subject)
    if kind == "result":
        winner = (clean_name(subject) or None) if color is None else color
        yield Fact("claim", Claim(winner, None, termination), start, end, key=True)
    elif termination:
        yield Fact("claim", Claim(termination=termination), start, end, key=True)
    else:
        yield Fact("ignored", value, start, end, key=True)


def _claims_in(line: str, low: str, at: int, *, keyed: bool = False) -> Iterator[Fact]:
    """Yield the result that a clause states."""
    drawn, won, lost = DRAWN.search(low), WON.search(low), LOST.search(low)
    verb = won or drawn or lost
    if verb is None:
        if _ENDED.fullmatch(low):
            yield Fact("claim", Claim(termination="abandoned"), at, at + len(low))
        elif keyed and (bare := _BARE.search(low)):
            yield Fact("claim", Claim("second" if bare["second"] else "first"), at, at + len(low))
        return
    tokens = lex(low)
    turns = [token for token in tokens if token.kind in ("cell", "pass", "number")]
    start, end, most = at + len(low) - len(low.lstrip()), at + len(low.rstrip()), _MAX_WORDS
    begins = next((token.kind for token in tokens if token.kind not in ("space", "number", "both")), "")
    if not keyed and (begins == "pass" or any(token.kind == "cell" and token.value.lettered for token in turns)):
        if turns[-1].start > verb.start():
            return
        start = max(start, at + turns[-1].end)
        tokens, most = [token for token in tokens if token.start >= turns[-1].end], _MAX_WORDS_AFTER_TURNS
    termination = find_termination(low)
    if sum(token.kind == "word" for token in tokens) > most or (drawn and not won and _OFFERED.search(low)):
        return
    if drawn and not won:
        yield Fact("claim", Claim("draw", None, termination), start, end)
        return
    subject = _subject(line[start - at : verb.start()], low[start - at : verb.start()])
    verb_is_first = not low[start - at : verb.start()].strip()  # as in "Ganan las negras"
    if subject is None and (verb_is_first or _FOR.search(low, verb.end())):
        colors = {COLOR_WORDS[word] for word in _WORD.findall(low[verb.end() :]) if word in COLOR_WORDS}
        subject = colors.pop() if len(colors) == 1 else None
    if subject is None:
        return
    if won is None:
        yield Fact("claim", Claim(None, subject, termination), start, end)
        return
    margin = _MARGIN.search(low)
    yield Fact("claim", Claim(subject, None, termination, _number(margin[1]) if margin else None), start, end)
    if score := _SCORE.search(low, verb.end()):
        yield Fact("score", (_number(score[1]), _number(score[2]), False), end, end)


def _subject(line: str, low: str) -> int | str | None:
    """Return the subject of a verb: a color, or the name before it."""
    colors = [COLOR_WORDS[word] for word in _WORD.findall(low) if word in COLOR_WORDS]
    if colors:
        return colors[-1]
    if place := _PLACE.search(low):
        return place[1]
    if (person := _PERSON.search(low)) is not None:
        return "I" if person[1] in ("i", "ich", "je", "yo") else "you"
    name = clean_name(_AUXILIARY.sub("", _BEFORE_NAME.sub("", line)))
    return name if 1 <= len(name) <= 40 and len(name.split()) <= 3 else None


def short_claim(text: str) -> bool | None:
    """Return whether a message says of its author, in a few words, that they won or lost; None if of neither."""
    low = plain(text)
    words = [token for token in lex(low) if token.kind != "space"]
    if len(words) > _MAX_WORDS or any(token.kind in ("cell", "color") for token in words) or _OF_OTHERS.search(low):
        return None
    return True if WON.search(low) else False if LOST.search(low) else None


def read_score(low: str) -> tuple[float, float, bool] | None:
    """Return the two numbers of a score, and whether they are those of Black and White in this order."""
    colored = {COLOR_WORDS[color]: _number(number) for color, number in _COLORED_SCORE.findall(low)}
    if len(colored) == 2:
        return colored[0], colored[1], True
    match = _SCORE.search(low)
    return None if match is None else (_number(match[1]), _number(match[2]), False)


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def chosen_color(low: str) -> int | None:
    """Return the color that the second player chose by the words of a pie rule, or None."""
    if NOT_SWAPPED.search(low):
        return 1
    colors = {COLOR_WORDS[word] for word in _WORD.findall(low) if word in COLOR_WORDS}
    if len(colors) == 1:
        return colors.pop()
    return 0 if SWAPPED.search(low) else None


def find_termination(low: str) -> str | None:
    """Return the cause of the end that a text states, as in records."""
    return next((name for name, words in TERMINATIONS if words.search(low)), None)
