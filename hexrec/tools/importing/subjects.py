"""Subjects of verbs about a result: what a sentence names, the nearest to the verb first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.names import Element, find_elements, is_surname
from hexrec.tools.importing.spelling import clean_name, color_of, plain
from hexrec.tools.importing.words import LOST, TERMINATIONS, WON

_PLACE = re.compile(r"\b(?:(first|second) player|player (1|2|one|two))\s*$")
#: A verb whose form says that its subject is the author.
_OWN = re.compile(r"gané|abandoné|me r(?:indo|endí)")
#: A verb that its subject can follow, as in "Damit gewann Ada".
_INVERTING = re.compile(r"gew|sieg|verl|gan|gagn|perd|abandon|se rin|vinc|vin")
_ARTICLE = re.compile(r"\b(?:las?|los|el|les?|die|der|das|the|il|lo|i|gli|de|het)\b")
_POSSESSIVE = re.compile(r"['’]s(?!\w)")
_FOR = re.compile(r"\b(?:for|für|von|pour|of|para|by|voor|de|del|des|du|der|dei|degli|della|van|per)\b")
#: The maximum number of words of a clause about a result that names nobody.
MAX_WORDS = 9


def find_subject(line: str, low: str, first: int, verb: re.Match[str]) -> int | str | None:
    """Return the subject of a verb: a color, or the words that may name it, the likely ones first; None without any."""
    if place := _PLACE.search(low[: verb.start()]):
        return "first" if {*place.groups()} & {"first", "1", "one"} else "second"
    if _OWN.match(verb[0]):
        return "I"
    # Words within the verb, as in "gab Ada auf", and those after "for" or an inverting verb, come before the nearest
    # ones in front of it; all others after it are its objects, unless nothing else is named.
    line = _POSSESSIVE.sub("  ", line)
    others = [*WON.finditer(low), *LOST.finditer(low)]
    start = max((first, *(other.end() for other in others if other.end() <= verb.start())))
    named = [*_mentions(line, find_elements(line)[0])]
    before = [who for who, place in named if start <= place < verb.start()]
    after = [(who, place) for who, place in named if place >= verb.end()]
    inside = [
        who
        for who, place in named
        if verb.start() <= place < verb.end() and not _is_weak(who) and not _FOR.search(low[verb.start() : place])
    ]
    first_after = [
        who
        for who, place in after
        if _FOR.fullmatch(low[verb.end() : place].strip()) and not (before and _is_weak(who))
    ]
    if _INVERTING.match(verb[0]) or not before:
        first_after += [who for who, place in after if not _ARTICLE.sub("", low[verb.end() : place]).strip()]
    subjects = [*dict.fromkeys((*inside, *first_after, *before[::-1], *(who for who, _ in after if not before)))]
    if all(map(_is_weak, subjects)) and (not subjects or len(low.split()) > MAX_WORDS):
        return None
    sure = next((place for place, who in enumerate(subjects) if isinstance(who, int) or who in ("I", "you")), None)
    if sure == 0:
        return subjects[0]
    likely = subjects[: None if sure is None else sure + 1]
    return " / ".join(COLORS[who] if isinstance(who, int) else who for who in likely)


def _is_weak(who: int | str) -> bool:
    """Return whether words may be no name: those in lower case."""
    return isinstance(who, str) and who.islower() and who not in ("opponent", "you") and not re.search(r"[\d_]", who)


def _mentions(line: str, elements: Sequence[Element]) -> Iterator[tuple[int | str, int]]:
    """Yield the words of a sentence that may name a player, with their places; none after "against"."""
    kinds = "".join(element.kind for element in elements)
    for index, element in enumerate(elements):
        is_mark = line[element.start - 1 : element.end + 1].lower() == "[b]"
        if is_mark or kinds[index - 1 : index] == "G" or kinds[max(0, index - 2) : index] == "Gx":
            continue
        if element.kind == "I" or (element.kind == "M" and line[element.start] in "mM"):  # "my", not "our"
            yield ("opponent" if kinds[index + 1 : index + 2] == "O" else "I"), element.start
        elif element.kind == "Y":
            yield "you", element.start
        elif element.kind == "C" and is_surname(line, elements, index):
            yield clean_name(line[elements[index - 1].start : element.end]), element.start
        elif element.kind == "C" and element.color is not None:
            yield element.color, element.start
        elif element.kind in "NUu":
            words = line[element.start : element.end]
            for _, causes in TERMINATIONS:  # as in "durch Aufgabe"
                for cause in causes.finditer(plain(words)):
                    words = words[: cause.start()] + " " * len(cause[0]) + words[cause.end() :]
            if name := clean_name(words):
                yield name if (color := color_of(name)) is None else color, element.start
