"""Players that a line names, with their colors: its words as elements of few kinds, and patterns of elements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.lexer import lex
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.words import (
    COLOR_WORDS,
    DRAWN,
    KEYS,
    LOST,
    MEANINGS,
    OPENERS,
    PARTICLES,
    WON,
    clean_name,
    plain,
)

#: The kinds of elements by the words for them: N a name, U a word that may be one, u several of them, I and Y the
#: author and the reader, M their possessives, C a color, B a form of "to be", V another verb of playing, W "with",
#: A "and", G "against", O an opponent, s an article, o a stone, t a turn, f another fact, x any other word.
_WORDS = {
    word: kind
    for kind, words in {
        "I": "i i'm i'll i've i'd ich je j'ai j'avais moi me mich yo ik",
        "Y": "you you're you'll u du tu",
        "M": "my mein meinen meine mon mi mijn we our wir nous nosotros us",
        "B": "is was be am are were ist war est était era fue",
        "V": "as has had have took take takes play plays played playing led drew chose choose chooses get gets got"
        " keeps kept held holds holding controlled will commanded spielt spielte hat hatte führte nahm avait a joue"
        " jouait joué menait jouant tenía llevaba llevó jugaba jugó jugando aveva speelde speelt had",
        "W": "with mit avec con met",
        "A": "and und et y e en & + while whereas während mientras terwijl",
        "G": "vs v vs. v. against versus gegen contra contre tegen contro meets meet faced faces"
        " beat beats defeated defeats",
        "O": "opponent friend brother sister wife husband son daughter partner colleague gegner gegnerin freund"
        " freundin adversaire ami amie rival amigo amiga tegenstander vriend",
        "s": "the an les las los die das den dem gli de het el la le side player color one ones the first"
        " side's couleur farbe",
        "o": "stone stones piece pieces men army steine stein stenen pierres piedras fichas pions pieces' discs",
        "x": "ok nobody noone no-one neither both he she they we who whoever everyone everybody each other another none"
        " either somebody someone it this that which mr mrs here nadie niemand niemanden personne beide er sie il elle"
        " él ella hij zij game games round board table match mon tue wed thu fri sat sun second to go goes start"
        " monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag"
        " sonntag sonnabend lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes"
        " sábado domingo maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    }.items()
    for word in words.split()
}  # fmt: skip
#: Words before a particle that begins a name.
_BEFORE_PARTICLE = {
    *("by", "between", "for", "from", "to", "with", "and", "against", "vs", "v", "von", "par", "por", "zwischen"),
    *("entre", "gegen", "mit", "und", "et", "y", "con", "avec", "is", "was"),
}
_TOKEN = re.compile(
    r"(?P<fact>\0+)|(?P<rating>[(\[]\s?(?P<number>[1-9]\d{2,3})\s?[)\]])|(?P<word>@?\w+(?:['.-]\w+)*\.?)|(?P<sign>[^\s*\"@#>])"
)
_SIGNS = {
    **dict.fromkeys("([{", "("), **dict.fromkeys(")]}", ")"), **dict.fromkeys(",;/|", ","), **dict.fromkeys(":=", ":"),
    **dict.fromkeys("-~", "-"), **dict.fromkeys(".!?", "."), **dict.fromkeys("&+", "A"), "⚫": "C", "⚪": "C",
}  # fmt: skip
_INITIALS = re.compile(r"(?:[^\W\d_]ʹ)+")
#: The beginning of another sentence after a name: a word that is none.
_SENTENCE = re.compile(r"\s+(?:I|We|My|The|It|This|He|She|They|Here|Ich|Wir|Das|Die|Der|Je|Nous|Le|La|El|Ik|Board)\b")
#: A color of stones, not of a player: a cell follows.
_OF_STONES = re.compile(r"C(?=[sxuUo:]{0,4}t)")
_VERBS = "[VBW]"
_COLORED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:^|[.:(,fAx-])(?P<c>C)[:B-]?(?P<n>[NIY])[,AG.-]{0,2}(?P<d>C)[:B-]?(?P<m>[NUIY])(?=$|[.,()f-])",
        rf"(?P<n>[NUIY])[,:-]?{_VERBS}*(?P<c>C)[,AG-]{{0,2}}(?P<m>[NUIY]){_VERBS}*(?P<d>C)",
        r"(?P<n>[NUIY])\([xVBWs,]{0,3}(?P<c>C)[^()N]*\)",
        r"(?P<c>C)\(:?(?P<n>[NUI])\)",
        r"(?P<n>[IY])[VBWx]{0,3}\(?(?P<c>C)",
        rf"(?P<n>[NUuIY]),?{_VERBS}+(?P<c>C)",
        r"(?:^|[.,(-])(?P<c>C)B(?P<n>N)",
        rf"{_VERBS}(?P<c>C)(?:[V:]|,(?=[NU](?:$|[.)])))(?P<n>N)",
        r"(?:^|[.(f])(?P<n>N)[,:-](?P<c>C)(?=$|[.)])",
    )
)
_PAIRS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("pair", r"(?P<n>N)(?:,?[VW][VWxuUoC]{0,3},?)?G(?P<m>[NUI])|(?:^|[.,:(f-])(?P<o>[NUI])G(?P<p>[NUI])"),
        ("pair", r"(?P<n>[NU])A(?P<m>I)|(?P<o>I)A(?P<p>[NU])"),
        ("pair", r"(?P<m>[IM])[^.]*?(?:G(?P<n>[NU])|[WO]B?,?(?P<o>N))"),
        ("pair", r"(?:^|[.,:(f-])G(?P<n>[NU])[^.]*?(?P<m>[IM])"),
        ("pair", r"(?:^|[^NUu)])(?P<m>G)(?P<n>N)"),  # a game of the author
        ("pair", r"(?:^|[.,:(f-])(?:(?P<n>N)-(?P<m>[NU])|(?P<o>U)-(?P<p>N))(?=$|[.,:()f])"),
        ("together", r"(?P<n>N)A(?P<m>[NU])"),
    )
)
_BEGAN = re.compile(r"\s(?:mov(?:es|ed)|goes|went|play(?:s|ed)) first\b|\s(?:started|began|begann|fing an)\b")
#: Which color the first player of a pair has, as in "first named is Black".
_HUES = "|".join(word for word in COLOR_WORDS if len(word) > 1)
_FIRST_IS = re.compile(
    rf"\b(?:first(?:[- ]named|[- ]mentioned|[- ]listed)?(?:\splayer|\sname)?\s(?:is|has|plays|=)\s(?P<color>{_HUES})"
    rf"|(?P<named>{_HUES})\s(?:is\s)?(?:named|listed|mentioned|given)\sfirst)\b"
)
#: Two names in one word, where a text says that the first is of a color.
_DASHED = re.compile(r"(?<![\w-])([^\W\d_]{2,16})[-–—]([^\W\d_]{2,16})(?![\w-])")
#: A player by the order of turns, as in "1: Ada" or "Player 2 - Ben".
_NUMBERED = re.compile(
    r"\s*(?:player|spieler|joueur|jugador|p)?\s*#?([12])\s?[:=)–-]\s*([^\W\d](?:[ ._'-]?[^\W_])*[.)]?)\s*",
    re.IGNORECASE,
)
#: Names above two columns of turns: the first player is Black.
_HEADS = re.compile(
    r"\s*(?:(?:#|no\.?|nr\.?|round|move|turn)\s+)?([^\W\d]\w{1,20})(?:\s{3,}|\t\s*)([^\W\d]\w{1,20})\s*", re.IGNORECASE
)


class Element(NamedTuple):
    """A word, a name or a sign.

    Attributes:
        kind: a letter of `_WORDS`, or the sign.
        start, end: its place in the line.
        color: the color that it names.
    """

    kind: str
    start: int
    end: int
    color: int | None = None


def find_players(line: str) -> Iterator[Fact]:
    """Yield the players that a line names: with colors, as pairs, and those in doubt; NUL stands for other facts."""
    if numbered := _NUMBERED.fullmatch(line):
        yield Fact("first" if numbered[1] == "1" else "second", clean_name(numbered[2]), *numbered.span())
        return
    if named := _FIRST_IS.search(plain(line)):
        yield Fact("first is", COLOR_WORDS[named["color"] or named["named"]], *named.span())
        line = line[: named.start()] + "\0" * len(named[0]) + line[named.end() :]
        if dashed := _DASHED.search(line):
            yield Fact("pair", dashed.groups(), *dashed.span())
            return
    elements, ratings = _elements(line)
    kinds = "".join(element.kind for element in elements)
    known: dict[int, int] = {}  # the colors of the names by their index

    def name(index: int) -> str:
        element = elements[index]
        if element.kind in "IY":
            return "I" if element.kind == "I" else "you"
        return clean_name(line[element.start : element.end])

    for pattern in _COLORED:
        for match in pattern.finditer(kinds):
            found = {match.start("n"): elements[match.start("c")].color}
            if "m" in pattern.groupindex:
                found[match.start("m")] = elements[match.start("d")].color
            if known.keys() & found.keys() or {*known.values()} & {*found.values()} or None in found.values():
                continue
            if len({*found.values()}) < len(found):
                continue
            start, end = elements[match.start()].start, elements[match.end() - 1].end
            if kinds[match.start("n")] == "u":
                words = elements[match.start("n")]
                yield Fact("unread", line[words.start : words.end], words.start, words.start)
                continue
            for place, (index, color) in enumerate(found.items()):
                known[index] = color or 0
                middle = elements[index].end if len(found) > 1 and not place else end
                yield Fact(COLORS[color or 0], name(index), start, middle)
                start = middle
    for index, number in ratings.items():
        yield Fact("rating", (name(index), number), elements[index].end, elements[index].end)
    for index, element in enumerate(elements):
        if element.kind in "NU" and _BEGAN.match(plain(line), element.end) and index not in known:
            yield Fact("first", name(index), element.start, element.start)
    heads = _HEADS.fullmatch(line)
    if heads and not known and all(_kind(name, plain(name)) in "NU" for name in heads.groups()):
        yield Fact("black", heads[1], *heads.span(1))
        yield Fact("white", heads[2], *heads.span(2))
        return
    if len(known) > 1:
        return
    shown = [*range(len(elements))]  # without what stands in brackets
    for brackets in re.finditer(r"(?<=[NUI])\([^()]*\)", kinds):
        shown = [index for index in shown if not brackets.start() <= index < brackets.end()]
    outside = "".join(kinds[index] for index in shown)
    for kind, pattern in _PAIRS:
        if pair := pattern.search(outside):
            places = [pair.start(group) for group in "nmop" if group in pattern.groupindex and pair[group]]
            first, second = (shown[place] for place in sorted(places))
            names = tuple("I" if kinds[index] in "IMG" else name(index) for index in (first, second))
            start = elements[first if kinds[first] not in "IMG" else second].start
            yield Fact(kind, names, start, start if kind == "together" else elements[second].end)
            return


def _elements(line: str) -> tuple[list[Element], dict[int, int]]:
    """Return the elements of a line, and the ratings by the index of the name before them."""
    low = plain(line.replace("–", "~").replace("—", "~"))
    found: list[Element] = []
    ratings: list[tuple[int, int]] = []  # the end of the name, and the rating
    tokens = [*_TOKEN.finditer(low)]
    for match, following in zip_longest(tokens, tokens[1:]):
        start, end = match.span()
        if match["rating"]:
            ratings += [(found[-1].end, int(match["number"]))] if found and found[-1].kind in "NU" else []
        elif match["fact"]:
            found.append(Element("f", start, end))
        elif match["sign"]:
            found.append(Element(_SIGNS.get(match[0], "x"), start, end, COLOR_WORDS.get(match[0])))
        else:
            stops = match[0].endswith(".") and match[0] not in ("v.", "vs.")
            start += len(match[0]) - len(match[0].lstrip("@"))
            _add_word(found, line, low, start, end - stops, following)
            if found[-1].kind == "N" and low[end - 1 : end] == "ʹ" and _SENTENCE.match(line, end):
                found[-1] = found[-1]._replace(end=end - 1)  # a full stop
                stops = True
            if stops:
                found.append(Element(".", end - 1, end))
    kinds = _OF_STONES.sub("x", "".join(element.kind for element in found))
    found = [element._replace(kind=kind) for element, kind in zip(found, kinds, strict=True)]
    found = [
        element
        for place, element in enumerate(found)
        if element.kind != "s" and not (element.kind == "o" and place and found[place - 1].kind == "C")
    ]
    ends = {element.end: index for index, element in enumerate(found)}
    return found, {ends[end]: number for end, number in ratings if end in ends}


def _add_word(found: list[Element], line: str, low: str, start: int, end: int, following: re.Match[str] | None) -> None:
    """Add a word to the elements before it, to the last one if both are of a name."""
    word, last = low[start:end], found[-1] if found else Element(".", 0, 0)
    kind, color = _kind(line[start:end], word), COLOR_WORDS.get(word)
    gap = low[last.end : start].strip(' *_"')
    is_capital = line[start].isupper()
    if word == "s" and last.kind == "(" and low[end : end + 1] == ")":  # Schwarz
        kind, color = "C", 0
    elif color is not None and len(word) == 1:  # an initial, unless it stands in brackets
        kind = "C" if last.kind == "(" and low[end : end + 1] in ("),]") else "N" if is_capital else "x"
    elif (kind == "C" or word in MEANINGS) and is_capital and last.kind == "N" and low[end : end + 2] in (" (", " ["):
        kind = "N"  # as in "Jack Black (White)"
    elif word in PARTICLES and following is not None and following["word"]:
        at = following.start()
        after = following["word"].rstrip(".")
        begins = last.kind not in "xuUsoVW" or low[last.start : last.end] in _BEFORE_PARTICLE
        if begins and (after in PARTICLES or _kind(line[at : at + len(after)], after) == "N"):
            kind = "N"
    if kind == last.kind == "N" and not gap:
        found[-1] = last._replace(end=end)
    elif kind == "N" and _INITIALS.fullmatch(word) and [known.kind for known in found[-2:]] == ["N", ","]:
        found[-2:] = [found[-2]._replace(end=end)]  # as in "Quist, H."
    elif kind == "U" and last.kind in "Uu" and not gap:
        found[-1] = last._replace(kind="u", end=end)
    else:
        found.append(Element(kind, start, end, color))


def _kind(word: str, low: str) -> str:
    """Return the kind of a word; `low` is the word in the form of `plain`."""
    if low in COLOR_WORDS and len(low) > 1:
        return "C"
    if low in _WORDS and not (len(low) == 1 and word.isupper() and low != "i"):
        return _WORDS[low]
    base = low.removesuffix("'s")
    if any(token.kind in ("cell", "pass") for token in lex(low)) and not low.isalpha():
        return "t"
    is_initial = len(low) == 1 and word.isupper()
    if not is_initial and ({low, base} & (MEANINGS.keys() | KEYS.keys() | OPENERS | COLOR_WORDS.keys())):
        return "x"
    if WON.fullmatch(low) or LOST.fullmatch(low) or DRAWN.fullmatch(low) or (not word[0].isalpha() and word[0] != "_"):
        return "x"
    return "N" if any(char.isupper() or char.isdigit() or char in "_ʹ" for char in word) or "ʹ" in low else "U"
