"""Results that a text states: winner, loser, cause of the end, score; and the choice of the pie rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from hexrec.tools.importing.lexer import has_tokens, lex
from hexrec.tools.importing.names import colors_in
from hexrec.tools.importing.spelling import clean_name, color_of, plain
from hexrec.tools.importing.words import (
    COLOR_WORDS,
    DRAWN,
    LOST,
    MEANINGS,
    MODAL,
    NOT_SWAPPED,
    OPENERS,
    SWAPPED,
    TERMINATIONS,
    UNFINISHED,
    WON,
)


class Fact(NamedTuple):
    """A fact, with its place in the line.

    Attributes:
        kind: ``game``, ``size``, ``variant``, ``coordinates``, ``opening`` (cells by color; in order by None and -1),
            ``black``, ``white``, ``first``, ``second`` (names), ``pair`` (two names), ``together`` (two names with
            "and"), ``author`` (a name), ``rating`` (a name and a number), ``claim``, ``score``, ``pie``, ``index``,
            ``date``, ``event``, ``site``, ``round``; ``moves`` (a key alone); ``unfinished``, ``unclear`` (results) and
            ``unread`` (a player), of which the value is the text; or ``ignored``.
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
        winner: a color, ``draw``, ``first``, ``second``, or None; or words that name a player or a color: those before
            the verb, then a slash and those after it.
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
_COLORED_SCORE = re.compile(rf"\b(black|white|b|w|schwarz|weiß|weiss)\b\s?[:=]?\s?({_NUMBER})(?![\d.])")
_MARGIN = re.compile(rf"\b(?:by|mit|par|por|um)\s({_NUMBER}){_POINTS}")
#: 1-0 and 0-1.
_BARE = re.compile(
    r"(?<![\w/.:-])(?:1\s?[-:]\s?0|(?P<second>0)\s?[-:]\s?1)(?![\w/:-]|\.\d)"
    rf"(?:\s(?:for|für|pour|para|voor|per)\s(?:\w{{2,3}}\s)?(?P<color>{_COLORS})(?!\w))?"
)
#: A color that is chosen on a form, apart from a cause of the end: it may be that of the winner or of the loser.
_CHOSEN = re.compile(rf"[(\[]x[)\]]\s?(?:{_COLORS})\s{{2,}}(?:{LOST.pattern})[^\n]*")
#: The words before and after a verb that deny it, or doubt it.
_DENIED = re.compile(
    rf"{MODAL.pattern}|(?:\b(?:not|never|nicht|kein\w*|nie|niemand|nadie|neither|none|niet|ne)|n't)\b(?:\s\w+){{0,3}}\s*$"
    r"|\b(?:thr[eo]w|thrown|blew|missed|gave|deserved|verpasst|verschenkt)\b(?:\saway)?(?:\s\w+){0,2}\s*$"
    r"|\bno\s(?:(?:se|one)\s)?$|(?<!went on )(?<!managed )\bto\s$"
)
#: A word before the result of a clause, and words of a condition, under which it is none.
_THUS = re.compile(
    r"\s(?:(?:and\s)?(?:so|therefore|thus|hence)|(?:und\s)?(?:also|daher|deshalb|somit|damit)|donc|(?:et\s)?ainsi)\s(?!that|dass|that)"
)
_CONDITION = re.compile(r"\b(?:if|unless|wenn|falls|si|als)\b")
_DENIED_AFTER = re.compile(r"\s(?:nicht|pas|not|niet|nothing)\b")
#: B+R, W+3.5.
_CODED = re.compile(
    r"(?<!\w)(?P<color>[bw]|black|white|schwarz|weiß|weiss)\s?\+\s?(?P<how>r(?:es(?:ign)?)?|t(?:ime)?|f(?:orfeit)?|\d+(?:[.,]\d+)?)?(?!\w)"
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
_COLOR_AFTER = re.compile(rf"\(({_COLORS})\)(?=\s\w)")
_NAME_AFTER = re.compile(rf"(?<!\w)((?:{_COLORS})\s)(\([^\W\d][^()\d]{{0,30}}\))(?=\s\w)")
_CLAUSE = re.compile(r"(?:[^.;!?|()\[\]{}\n\u2014]|(?<=\d)\.(?=\d))+")
_WORD = re.compile(r"\b[^\W\d_]+\b|⚫|⚪")
_PLACE = re.compile(r"\b(?:(first|second) player|player (1|2|one|two))\s*$")
#: A verb whose form says that its subject is the author.
_OWN = re.compile(r"gané|abandoné|me r(?:indo|endí)")
_PERSON = re.compile(r"(?:^|\W)(i|ich|je|j'|yo|you|du)(?:'ve|'d|'ll|\s(?:\w+\s){0,4})?\s*$")
#: Words of a message about the result of the other player.
_OF_OTHERS = re.compile(
    r"\b(?:nice|good|great|well|congrat\w*|grats?|your?|u|he|she|they|du|dein\w*|schön\w*|glückwunsch|tu|ton|bravo|if|who|not"
    r"|can|could|will|would|going|almost|never|nicht|fast)\b|\?"
)
#: Words before the cause of the end.
_CAUSE = ("durch", "nach", "par", "por", "per", "door", "way")
#: Auxiliaries between a word such as "yesterday" and the subject.
_AUXILIARIES = ("has", "had", "hat", "hatte", "heeft", "a", "ha")
#: The words between the name and the verb, as in "Ada had won" and "Ada a gagné".
_AUXILIARY = re.compile(
    r"\s(?:a fini|had|has|have|hat|haben|hatte|a|ont|avait|ha|han|hanno|heeft|hebben|then|just|finally|later|here"
    r"|schließlich)\s*$",
    re.IGNORECASE,
)
#: A verb that its subject can follow, as in "Damit gewann Ada"; a name after one, and one within "gab Ada auf".
_INVERTING = re.compile(r"gew|gab|gib|sieg|verl|gan|perd|abandon|se rin|gaf|gee|won|vinc|vin")
_CAPITAL = r"[^\W\d_a-zß-ÿ][^\s,;:!?()]*"
_FOLLOWING = re.compile(rf"\s+(?P<name>{_CAPITAL}(?:\s(?:[a-z]{{1,3}}\s){{0,2}}{_CAPITAL})*|\w*\d\w*|\w+(?=\W*$))")
_INVERTED = re.compile(r"(?:gab|gibt|gaf|geeft)\s(?P<name>.{1,30}?)\s(?:auf|op)\b", re.IGNORECASE)
_FOR = re.compile(r"\b(?:for|für|von|pour|of|para|by|voor|de|per)\b")
_AGAINST = re.compile(r"\b(?:against|over|vs|gegen|über|contre|contra|tegen|contro)\b", re.IGNORECASE)
#: The other player, named before the verb.
_OPPONENT = re.compile(rf"(?i:{_AGAINST.pattern})\s+[^\s,;]+(?:\s{_CAPITAL})*(?=\s)")
#: The cause of the end between the subject and a participle.
_MEANS = re.compile(r"\s(?:durch|par|por|door|per)\s.*")
#: The text before the name of the winner or loser.
_BEFORE_NAME = re.compile(r"^.*[,:>/|\0]\s*|\b(?:and|then|so|finally|und|the|game)\b|^(?:a|has|hat)\b", re.IGNORECASE)
#: The maximum number of words without a meaning in a clause about the result, and in one with turns.
_MAX_WORDS, _MAX_WORDS_AFTER_TURNS = 9, 5


def find_claims(line: str, low: str) -> Iterator[Fact]:
    """Yield the results and choices that a line states; `low` is what `plain` makes of it, with NUL for known facts."""
    for match in _CODED.finditer(low):
        yield _coded(match, *match.span())
    for match in _CHOSEN.finditer(low):
        yield Fact("unclear", match[0], *match.span())
    if (choice := _CHOICE.search(low)) and (chosen := chosen_color(choice[0])) is not None:
        yield Fact("pie", chosen, *choice.span())
    bare = _COLOR_AFTER.sub(lambda match: f" {match[1]} ", low)  # as in "Ada (Black) wins"
    bare = _NAME_AFTER.sub(lambda match: match[1] + " " * len(match[2]), bare)  # as in "Black (Ada) wins"
    for clause in _CLAUSE.finditer(bare):
        at = clause.start()
        verb = WON.search(clause[0]) or LOST.search(clause[0]) or DRAWN.search(clause[0])
        if verb and bare[clause.end() : clause.end() + 1] == "?":
            yield Fact("ignored", verb[0], at + verb.start(), at + verb.end())  # a question states nothing
            continue
        for part in _parts(clause[0]):
            if _SWAP.search(part) and not has_tokens(part, "cell"):
                yield Fact("pie", chosen_color(part), at, at + len(part))
            yield from _claims_in(line[at : at + len(part)], part, at)
            at += len(part)
    if (points := _POINTS_FOR.search(low)) and (color := COLOR_WORDS.get(points["color"])) is not None:
        yield Fact("claim", Claim(color), points.start(), points.end())
        yield Fact("score", (_number(points["first"]), _number(points["second"]), False), points.end(), points.end())
    for match in _BARE.finditer(low):
        cause = find_termination(re.split(r"[.;(]", low[match.end() :])[0])  # as in "1-0 on time"
        yield Fact("claim", _bare(match)._replace(termination=cause), *match.span())


def _parts(clause: str) -> list[str]:
    """Return the parts of a clause with a verb of the result each; of one with turns, all between commas."""
    parts = re.split(r"(?<=[,:])(?=\s)", clause)
    for place in reversed(range(1, len(parts))):  # a fact, whatever might have been
        if _THUS.match(parts[place]) and not _CONDITION.search(parts[place - 1]):
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
        color = color_of(subject)
        winner = (clean_name(subject) or None) if color is None else color
        yield Fact("claim", Claim(winner, None, termination), start, end, key=True)
    elif termination:
        yield Fact("claim", Claim(termination=termination), start, end, key=True)
    else:
        yield Fact("ignored", value, start, end, key=True)


def _claims_in(line: str, low: str, at: int, *, keyed: bool = False) -> Iterator[Fact]:
    """Yield the result that a clause states."""
    drawn, (won, lost) = DRAWN.search(low), _verbs(low)
    verb = won or drawn or lost
    if verb is None:
        if _ENDED.fullmatch(low):
            yield Fact("claim", Claim(termination="abandoned"), at, at + len(low))
        elif keyed and (bare := _BARE.search(low)):
            yield Fact("claim", _bare(bare), at, at + len(low))
        return
    if _DENIED.search(low[: verb.start()]) or _DENIED_AFTER.match(low, verb.end()):
        yield Fact("ignored", verb[0], at + verb.start(), at + verb.end())
        return
    tokens = lex(low)
    turns = [token for token in tokens if token.kind in ("cell", "pass", "number")]
    known, after = low.rfind("\0", 0, verb.start()) + 1, low.find("\0", verb.end())  # other facts
    start, end, most = at + known, at + len(low[:after] if after > 0 else low.rstrip()), _MAX_WORDS
    begins = next((token.kind for token in tokens if token.kind not in ("space", "number", "both")), "")
    if not keyed and (begins == "pass" or any(token.kind == "cell" and token.value.lettered for token in turns)):
        if turns[-1].start > verb.start():
            return
        start = max(start, at + turns[-1].end)
        tokens, most = [token for token in tokens if token.start >= turns[-1].end], _MAX_WORDS_AFTER_TURNS
    termination = find_termination(low)
    if (comma := low.find(",", verb.end())) > 0:  # another clause may follow
        tokens = [token for token in tokens if token.start < comma]
    if sum(token.kind == "word" for token in tokens) > most or (
        drawn and not won and _OFFERED.search(low) and "agreed" not in low
    ):
        return
    if drawn and not won:
        yield Fact("claim", Claim("draw", None, termination), start, end)
        return
    subject = _subject(line[start - at :], low[start - at :], verb.start() - start + at, verb.end() - start + at)
    if subject is None:
        return
    if won is None:
        yield Fact("claim", Claim(None, subject, termination), start, end)
        return
    score = None if _BARE.search(low) else _SCORE.search(low, verb.end())
    margin = None if score else _MARGIN.search(low)  # as in "won by 9 to 5"
    yield Fact("claim", Claim(subject, None, termination, _number(margin[1]) if margin else None), start, end)
    if score:
        yield Fact("score", (_number(score[1]), _number(score[2]), False), end, end)


def _subject(line: str, low: str, start: int, end: int) -> int | str | None:
    """Return the subject of a verb at a place: the color before it, or the words that may name a player or a color."""
    before, after = re.sub(r"'s(?=\s*$)", "  ", low[:start]), low[end:]
    shown = "".join(sign if sign == "\0" else char for char, sign in zip(line[:start], before, strict=True))
    if (color := color_of(before)) is not None:  # as in "W resigned"
        return color
    if colors := colors_in(shown):
        return colors[-1]
    if place := _PLACE.search(before):
        return "first" if {*place.groups()} & {"first", "1", "one"} else "second"
    if _OWN.match(low, start):
        return "I"
    if (person := _PERSON.search(before)) is not None:
        return "I" if person[1] in ("i", "ich", "je", "j'", "yo") else "you"
    subject = _OPPONENT.sub("", line[:start])  # as in "Ada hat gegen Ben gewonnen"
    parts = clean_name(_AUXILIARY.sub("", _MEANS.sub("", _BEFORE_NAME.sub("", subject)))).split()
    while len(parts) > 1 and (plain(parts[0]) in OPENERS or plain(parts[0]) in _AUXILIARIES):
        del parts[0]
    name = " ".join(parts)
    is_first = re.fullmatch(r"(?:.*[,:>\0])?\s*(?:the|der|die|le|la|el|de)?\s*", before)  # as in "won by Ada"
    side = re.compile("") if is_first else _FOR  # or as in "a win for White"
    if found := side.search(after):
        words = _AGAINST.split(line[end + found.end() :])[0]
    else:
        inverted = _INVERTED.match(line[start:]) or _FOLLOWING.match(line, end)
        words = inverted["name"] if inverted and _INVERTING.match(low, start) else ""
    for _, cause in TERMINATIONS:
        words = cause.sub(" ", words)
    known = re.findall(r"[^\s,;:]*[^\W\d][^\s,;:]*", words)
    while known and (plain(known[0]) in MEANINGS or _FOR.fullmatch(known[0])):
        del known[0]
    return " / ".join(filter(None, (name or clean_name(subject), clean_name(" ".join(known))))) or None


def short_claim(text: str) -> bool | None:
    """Return whether a message says of its author, in a few words, that they won or lost; None if of neither."""
    low = plain(text)
    words = [token for token in lex(low) if token.kind != "space"]
    if (
        len(words) > _MAX_WORDS
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
