"""Results that a text states: winner, loser, cause of the end, score; and the choice of the pie rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from hexrec.tools.importing.lexer import has_tokens, lex
from hexrec.tools.importing.names import colors_in
from hexrec.tools.importing.spelling import clean_name, color_of, plain
from hexrec.tools.importing.subjects import MAX_WORDS, find_subject
from hexrec.tools.importing.words import (
    COLOR_WORDS,
    DRAWN,
    LOST,
    MEANINGS,
    MODAL,
    NOT_SWAPPED,
    SWAPPED,
    TERMINATIONS,
    UNFINISHED,
    WON,
)


class Fact(NamedTuple):
    """A fact, with its place in the line.

    Attributes:
        kind: ``game``, ``size``, ``variant``, ``ruleset``, ``coordinates``, ``opening`` (cells by color; in order by
            None and -1), ``black``, ``white``, ``first``, ``second`` (names), ``pair`` (two names), ``together`` (two
            names with "and"), ``author`` (a name), ``rating`` (a name and a number), ``claim``, ``score``, ``pie``,
            ``index``, ``date``, ``event``, ``site``, ``round``; ``moves`` (a key alone); ``unfinished``, ``unclear``
            (results) and ``unread`` (a player), of which the value is the text; or ``ignored``.
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
        winner: a color, ``draw``, ``first``, ``second``, or None; or words that may name a player or a color, with
            slashes between them, the likely ones first.
        loser: a color, or such words.
        termination: as in records; None if it is not stated.
        margin: the difference of points.
    """

    winner: int | str | None = None
    loser: int | str | None = None
    termination: str | None = None
    margin: float | None = None


_COLORS = "|".join(COLOR_WORDS)
_NUMBER = r"\d{1,3}(?:[.,]\d| ?½)?"
_POINTS = r"(?:\s(?:points?|punkten?|puntos))?"
_SCORE = re.compile(rf"(?<![\w.,:-])({_NUMBER}){_POINTS}\s?(?:[-:]|to|zu|à|a|gegen)\s?({_NUMBER})(?![\w:-]|[.,]\d)")
#: A score, and the winner.
_POINTS_FOR = re.compile(
    rf"(?<![\w.,:-])(?P<first>{_NUMBER}){_POINTS}\s?(?:[-:]|to|zu|à|a)\s?(?P<second>{_NUMBER}){_POINTS}"
    r"\s(?:for|für|pour|para|voor|per)\s(?P<color>[^\W\d_]+)"
)
_COLORED_SCORE = re.compile(rf"\b(black|white|b|w|schwarz|weiß|weiss)\b\s?[:=]?\s?({_NUMBER})(?!\d|[.,]\d)")
_MARGIN = re.compile(rf"\b(?:by|mit|par|por|um)\s({_NUMBER}){_POINTS}")
#: 1-0 and 0-1.
BARE_RESULT = re.compile(
    r"(?<![\w/.:-])(?:1\s?[-:]\s?0|(?P<second>0)\s?[-:]\s?1)(?![\w/:-]|\.\d)"
    rf"(?:\s(?:for|für|pour|para|voor|per)\s(?:\w{{2,3}}\s)?(?P<color>{_COLORS})(?!\w))?"
)
#: A color that is chosen on a form, apart from a cause of the end: it may be that of the winner or of the loser.
_CHOSEN = re.compile(rf"[(\[]x[)\]]\s?(?:{_COLORS})\s{{2,}}(?:{LOST.pattern})[^\n]*")
#: The words before and after a verb that deny it, or doubt it.
_DENIED = re.compile(
    rf"{MODAL.pattern}|(?:\b(?:not|never|nicht|kein\w*|nie|niemand|nadie|neither|none|niet|ne)|n't)\b(?:\s\w+){{0,3}}\s*$"
    r"|\b(?:thr[eo]w|thrown|blew|missed|gave|deserved|verpasst|verschenkt)\b(?:\saway)?(?:\s\w+){0,2}\s*$"
    r"|\b(?:or|oder|ou|o)\s\S+\s*$|\bno\s(?:(?:se|one)\s)?$|(?<!went on )(?<!managed )\bto\s$"
)
#: A word before the result of a clause, and words of a condition, under which it is none.
_SO = r"(?:so|therefore|thus|hence|also|daher|deshalb|somit|damit|donc|ainsi)\b(?!\s(?:that|dass|far))"
_THUS = re.compile(rf"\b{_SO}")
_BEGINS_THUS = re.compile(rf"\s(?:(?:and|und|et)\s)?{_SO}")
_CONDITION = re.compile(r"\b(?:if|unless|wenn|falls|si|als)\b")
#: The beginning of a clause that names the last turn again, as in "After b3 White resigned".
_AFTER = re.compile(r"\W*(?:after|with|nach|mit|après|avec|tras|na|met|dopo|con)\s")
_DENIED_AFTER = re.compile(r"\s(?:nicht|pas|not|niet|nothing)\b")
#: B+R, W+3.5.
_CODED = re.compile(
    r"(?<!\w)(?P<color>[bw]|black|white|schwarz|weiß|weiss)\s?\+\s?(?P<how>r(?:es(?:ign)?)?|t(?:ime)?|f(?:orfeit)?|\d+(?:[.,]\d+)?)?(?=\s*(?:$|[^\s\w]))"
)
_HOW = {"r": "resignation", "t": "time", "f": "forfeit"}
_ENDED = re.compile(r"\s*(?:the\s|das\s)?(?:game\s|spiel\s|was\s|wurde\s)*(?:abandoned|aborted|abgebrochen)\s*")
_OFFERED = re.compile(r"\b(?:offer|offers|offered|declined|no draw)\b")
_CHOICE = re.compile(
    r"\b(?:(?:second player|pie rule|pie)\b[^.;]{0,40}?\b(?:chose|chooses|takes|took|picks|picked|choice)\b[^.;]{0,20}"
    r"|(?:chose|chooses|picks|picked)\s(?:to play\s|the\s)?(?:black|white)\b)"
)
#: The values of a result that there is not.
_NOTHING = ("null", "none", "-", "n/a", "?")
#: The words after a winner, as in "Ada (Ben resigned)".
_ADDITION = re.compile(r"[^(),;]*[^(),;\s]\s*[(,;]\s*([^()]*?)\s*\)?\s*")
_SWAP = re.compile(r"\b(?:swap(?:s|ped)?|tauscht)\b")
_CLAUSE = re.compile(r"(?:\([^()\n]{1,80}\)|[^.;!?|()\n\u2014]|(?<=\d)\.(?=\d))+")
_BRACKETS = re.compile(r"\([^()]*\)")
_WORD = re.compile(r"\b[^\W\d_]+\b|⚫|⚪")
#: Words of a message about the result of the other player.
_OF_OTHERS = re.compile(
    r"\b(?:nice|good|great|well|congrat\w*|grats?|your?|u|he|she|him|her|they|du|dein\w*|schön\w*|glückwunsch|tu|ton|bravo|if|who|not"
    r"|can|could|will|would|going|almost|never|nicht|fast)\b|\?"
)
#: Words before the cause of the end.
_CAUSE = ("durch", "nach", "par", "por", "per", "door", "way")


def find_claims(line: str, low: str) -> Iterator[Fact]:
    """Yield the results and choices that a line states; `low` is what `plain` makes of it, with NUL for known facts."""
    for match in _CODED.finditer(low):
        yield _coded(match, *match.span())
    for match in _CHOSEN.finditer(low):
        yield Fact("unclear", match[0], *match.span())
    if (choice := _CHOICE.search(low)) and (chosen := chosen_color(choice[0])) is not None:
        yield Fact("pie", chosen, *choice.span())
    line = "".join(sign if sign == "\0" else char for char, sign in zip(line, low, strict=True))
    for clause in _CLAUSE.finditer(low):
        at = clause.start()
        verb = WON.search(clause[0]) or LOST.search(clause[0]) or DRAWN.search(clause[0])
        if verb and low[clause.end() : clause.end() + 1] == "?":
            yield Fact("ignored", verb[0], at + verb.start(), at + verb.end())  # a question states nothing
            continue
        cause = find_termination(clause[0])
        cause = None if cause == "agreement" else cause  # perhaps on the score
        for part in _parts(clause[0]):
            if _SWAP.search(part) and not has_tokens(part, "cell"):
                yield Fact("pie", chosen_color(part), at, at + len(part))
            for fact in _claims_in(line[at : at + len(part)], part, at):
                is_bare = fact.kind == "claim" and fact.value.termination is None
                yield fact._replace(value=fact.value._replace(termination=cause)) if is_bare else fact
            at += len(part)
    if (points := _POINTS_FOR.search(low)) and (color := COLOR_WORDS.get(points["color"])) is not None:
        yield Fact("claim", Claim(color), points.start(), points.end())
        yield Fact("score", (_number(points["first"]), _number(points["second"]), False), points.end(), points.end())
    for match in BARE_RESULT.finditer(low):
        cause = find_termination(re.split(r"[.;(]", low[match.end() :])[0])  # as in "1-0 on time"
        yield Fact("claim", _bare(match)._replace(termination=cause), *match.span())


def _parts(clause: str) -> list[str]:
    """Return the parts of a clause with a verb of the result each; of one with turns, all between commas."""
    parts = re.split(r"(?<=[,:])(?=\s)", clause)
    for place in reversed(range(1, len(parts))):  # a fact, whatever might have been
        if _BEGINS_THUS.match(parts[place]) and not _CONDITION.search(parts[place - 1]):
            return [*_parts("".join(parts[:place])), *_parts("".join(parts[place:]))]
    if has_tokens(clause, "cell", "pass"):
        return re.split(r"(?<=,)(?=\s)", clause)
    joined: list[str] = []
    known = False  # whether the last part has a verb
    for part in parts:
        verb = bool(WON.search(part) or LOST.search(part))
        if joined and not (verb and known):
            joined[-1] += part
            known = known or verb
        else:
            joined.append(part)
            known = verb
    return joined


def _bare(match: re.Match[str]) -> Claim:
    if match["color"]:
        return Claim(COLOR_WORDS[match["color"]] ^ bool(match["second"]))
    return Claim("second" if match["second"] else "first")


def _coded(match: re.Match[str], start: int, end: int) -> Fact:
    how = match["how"] or ""
    margin = _number(how) if how[:1].isdigit() else None
    return Fact("claim", Claim(COLOR_WORDS[match["color"]], None, _HOW.get(how[:1]), margin), start, end)


def keyed_result(kind: str, value: str, start: int, at: int) -> Iterator[Fact]:
    """Yield the result that the value of a key states: a sentence, a color, a name, or a cause of the end."""
    low, end = plain(value), at + len(value)
    termination = find_termination(low)
    added = _ADDITION.fullmatch(low)
    lost = added[1] if added else low.strip()
    if kind == "result" and LOST.fullmatch(lost) and not WON.search(low):
        yield Fact("unclear", value, start, end, key=True)  # as in "Result: Black (resigned)"
        return
    if added and kind == "winner":
        value, low = value[: added.start(1)], low[: added.start(1)]
    claims = [*_claims_in(value, low, at, keyed=True)]
    for claim in claims:
        stated = claim.value
        if isinstance(stated, Claim) and stated.termination is None:
            stated = stated._replace(termination=termination)
        yield claim._replace(value=stated, key=True)
    if claims:
        return
    if low.strip() in _NOTHING or (UNFINISHED.search(low) and termination is None):
        yield Fact("unfinished", value, start, end, key=True)
    elif kind != "termination" and low.strip() in ("1/2", "½", "=", "0.5", "0,5"):
        yield Fact("claim", Claim("draw"), start, end, key=True)
    elif coded := _CODED.fullmatch(low.strip()):
        yield _coded(coded, start, end)
    elif kind != "termination":
        subject = re.split(r"[,;(]|\sby\s|\son\s", value)[0]
        colors = {*colors_in(subject)} if (color := color_of(subject)) is None else {color}
        winner = colors.pop() if len(colors) == 1 else clean_name(subject) or None
        yield Fact("claim", Claim(winner, None, termination), start, end, key=True)
    elif termination:
        yield Fact("claim", Claim(termination=termination), start, end, key=True)
    else:
        yield Fact("ignored", value, start, end, key=True)


def _claims_in(line: str, low: str, at: int, *, keyed: bool = False) -> Iterator[Fact]:
    """Yield the result that a sentence states; NUL in both stands for other facts."""
    drawn, (won, lost) = DRAWN.search(low), _verbs(low)
    verb = won or drawn or lost
    if verb is None:
        if _ENDED.fullmatch(low):
            yield Fact("claim", Claim(termination="abandoned"), at, at + len(low))
        elif keyed and (bare := BARE_RESULT.search(low)):
            yield Fact("claim", _bare(bare), at, at + len(low))
        return
    before = _BRACKETS.sub("", low[: verb.start()])
    before = before if _CONDITION.search(before) else _THUS.split(before)[-1]
    if _DENIED.search(before) or _DENIED_AFTER.match(low, verb.end()):
        yield Fact("ignored", verb[0], at + verb.start(), at + verb.end())
        return
    tokens = lex(low)
    turns = [token for token in tokens if token.kind in ("cell", "pass", "number")]
    begins = next((token.kind for token in tokens if token.kind not in ("space", "number", "both")), "")
    first = 0  # where the clause begins
    if not keyed and (begins == "pass" or any(token.kind == "cell" and token.value.lettered for token in turns)):
        if turns[-1].start > verb.start():
            return
        first = 0 if _AFTER.match(low) else turns[-1].end
    termination = find_termination(low)
    if drawn and not won:
        if not (_OFFERED.search(low) and "agreed" not in low):
            yield Fact("claim", Claim("draw", None, termination), at + first, at + len(low.rstrip()))
        return
    subject = find_subject(line, low, first, verb)
    if subject is None:
        return
    known, after = low.rfind("\0", first, verb.start()) + 1, low.find("\0", verb.end())
    start, end = at + max(first, known), at + len(low[:after] if after > 0 else low.rstrip())
    if won is None:
        yield Fact("claim", Claim(None, subject, termination), start, end)
        return
    score = None if BARE_RESULT.search(low) else _SCORE.search(low, verb.end())
    margin = None if score else _MARGIN.search(low)  # as in "won by 9 to 5"
    yield Fact("claim", Claim(subject, None, termination, _number(margin[1]) if margin else None), start, end)
    if score:
        yield Fact("score", (_number(score[1]), _number(score[2]), False), end, end)


def short_claim(text: str) -> bool | None:
    """Return whether a message says of its author, in a few words, that they won or lost; None if of neither."""
    low = plain(text)
    words = [token for token in lex(low) if token.kind != "space"]
    if (
        len(words) > MAX_WORDS
        or any(token.kind in ("cell", "color") for token in words)
        or (_OF_OTHERS.search(low) or MODAL.search(low))
    ):
        return None
    won, lost = _verbs(low)
    return True if won else False if lost else None


def _verbs(low: str) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """Return the verbs of the winner and of the loser; one within a passive, as in "was defeated", is of the loser."""
    won, lost = WON.search(low), LOST.search(low)
    is_passive = won is not None and lost is not None and lost.start() <= won.start() < lost.end()
    return None if is_passive else won, lost


def states_end(text: str) -> bool:
    """Return whether a text has a verb of winning or losing and its cause, but no subject, as in "lost on time"."""
    low = plain(text).strip(" .!")
    verb = WON.match(low) or LOST.match(low)
    rest = low[verb.end() :] if verb else low
    for _, words in TERMINATIONS:
        rest = words.sub(" ", rest)
    return verb is not None and all(MEANINGS.get(word, ("",))[0] == "filler" or word in _CAUSE for word in rest.split())


def read_score(low: str) -> tuple[float, float, bool] | None:
    """Return the two numbers of a score, and whether they are those of Black and White in this order."""
    colored = {COLOR_WORDS[color]: _number(number) for color, number in _COLORED_SCORE.findall(low)}
    if len(colored) == 2:
        return colored[0], colored[1], True
    match = _SCORE.search(low)
    return None if match is None else (_number(match[1]), _number(match[2]), False)


def _number(text: str) -> float:
    return float(text.replace(",", ".").replace("½", "").strip() or 0) + text.endswith("½") / 2


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
