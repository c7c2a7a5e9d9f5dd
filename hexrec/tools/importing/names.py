"""Elements of a line: names, colors, verbs of playing, and signs; the readers of players and results use them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from hexrec.tools.importing.lexer import has_tokens
from hexrec.tools.importing.spelling import plain
from hexrec.tools.importing.words import COLOR_WORDS, DRAWN, KEYS, LOST, MEANINGS, OPENERS, PARTICLES, WON

#: The kinds of elements by the words for them: N a name, U a word that may be one, u several of them, I and Y the
#: author and the reader, M their possessives, C a color, Q "who", B a form of "to be", V another verb of playing,
#: W "with", A "and", G "against", O an opponent, s an article, o a stone, t a turn, f another fact, T a word before the
#: subject of a sentence, x any other word.
_WORDS = {
    word: kind
    for kind, words in {
        "I": "i i'm i'll i've i'd ich je j'ai j'avais moi me mich yo ik",
        "Y": "you you're you'll u du tu toi dich tú",
        "M": "my mein meinen meine mi mijn our wir nous nosotros us unser unsere notre",
        "B": "is was be am are were ist war est était era fue",
        "V": "as has had have took take takes play plays played playing led drew chose choose chooses get gets got"
        " keeps kept held holds holding controlled commanded spielt spielte hat hatte hattest hatten führte nahm avait"
        " a joue"
        " jouait joué menait jouant tenía llevaba llevó jugaba jugó jugando aveva speelde speelt"
        " opened opens answered answers started starts began begins moved moves handled handles handling assigned"
        " given went belonged belongs fell gespielt picked picks preferred prefers chosen selected grabbed received"
        " wählte wählt wähle nehme nimmt bekam bekommt gewählt choisi choisit prit prend prends pris prenait"
        " eligió escogió koos",
        "F": "for für pour para voor",
        "W": "with mit avec con met behind",
        "Q": "who qui",
        "A": "and und et y e en & + while whereas während mientras terwijl",
        "G": "vs v vs. v. against versus gegen contra contre tegen contro meets meet faced faces"
        " beat beats defeated defeats affronte affrontait affronta enfrentó enfrenta",
        "O": "opponent friend brother sister wife husband son daughter partner colleague gegner gegnerin freund"
        " freundin adversaire ami amie rival amigo amiga tegenstander vriend gast guest fils fille frère sœur sohn"
        " tochter bruder schwester",
        "s": "the an les las los die das den dem gli de het el la le side player color one ones first"
        " side's couleur farbe",
        "o": "stone stones piece pieces men army steine stein stenen pierres piedras fichas pions pieces' discs",
        "x": "will can could may might must want wants let lets ok nobody noone"
        " no-one neither both he she they we whoever everyone everybody each other another none"
        " either somebody someone it this that which here nadie niemand niemanden personne beide er sie il elle"
        " él ella hij zij game games round board table match mon tue wed thu fri sat sun second to go goes start"
        " always also just only never often usually normally sometimes immer stets jeweils auch meist toujours aussi"
        " siempre left right above below links rechts gauche hexagon sechseck hexagone named listed mentioned"
        " example exemple beispiel primero luego después d'abord zuerst danach eerst daarna prima dopo"
        " monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag"
        " sonntag sonnabend lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes"
        " sábado domingo maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    }.items()
    for word in words.split()
}  # fmt: skip
#: A result between two names.
_SCORE = re.compile("[01½]-[01½]")
#: Words that are names in title case.
_ALSO_NAMES = {"will", "drew", "mark", "may", "art", "pat", "max"}
#: Words before a particle that begins a name.
_BEFORE_PARTICLE = {
    *("by", "between", "for", "from", "to", "with", "and", "against", "vs", "v", "von", "par", "por", "zwischen"),
    *("entre", "gegen", "mit", "und", "et", "y", "con", "avec", "is", "was"),
}
_TOKEN = re.compile(
    r"(?P<fact>\0+)|(?P<rating>[(\[]\s?(?P<number>[1-9]\d{2,3})\s?[)\]])|(?P<word>@?\w+(?:['.-]\w+)*\.?)|(?P<sign>[^\s*\"'@#>])"
)
_SIGNS = {
    **dict.fromkeys("([{", "("), **dict.fromkeys(")]}", ")"), **dict.fromkeys(",;/|", ","), **dict.fromkeys(":=", ":"),
    **dict.fromkeys("-~", "-"), **dict.fromkeys(".!?", "."), **dict.fromkeys("&+", "A"), "⚫": "C", "⚪": "C",
}  # fmt: skip
#: The origin of a player between the name and the color, as in "Filip from accounting (White)".
_ORIGIN = re.compile(r"(?<=\w)\s(?:from|aus|uit)\s[^\W\d_]+(?=\s\()")
_INITIALS = re.compile(r"(?:[^\W\d_]ʹ)+")
#: The beginning of another sentence after a name: a word that is none.
_SENTENCE = re.compile(r"\s+(?:I|We|My|The|It|This|He|She|They|Here|Ich|Wir|Das|Die|Der|Je|Nous|Le|La|El|Ik|Board)\b")
#: An article or possessive at the end of a text, before a common noun in lower case.
_ARTICLE = re.compile(
    r"\b(?:the|an?|one|le|la|les|un|une|des|el|los|las|der|die|das|eine?|my|our|his|her|their|mon|son|sa)\s$"
)
#: The author with a name, before a verb or as an addition to the name.
_AUTHOR = re.compile(r"I(?:\((?P<n>N)\)|,(?P<m>N),(?=[VBWC]))|(?P<o>N)\([xT:B]{0,2}[IM]\)|Y\((?P<y>N)\)")
#: The Italian article, which looks like an English pronoun.
_ITALIAN = re.compile(r"i\s(?:neri|bianchi)\b")
#: A color of stones, not of a player: a cell follows.
_OF_STONES = re.compile(r"C(?=[sxTuUo:]{0,4}t)")


class Element(NamedTuple):
    """A word, a name or a sign.

    Attributes:
        kind: a letter of `_WORDS`, or the sign.
        start, end: its place in the line.
        color: the color that it names.
        is_author: whether it is the name of the author, as in "I (Ada)" and "Ada (me)".
    """

    kind: str
    start: int
    end: int
    color: int | None = None
    is_author: bool = False


def colors_in(text: str) -> list[int]:
    """Return the colors that a text names, but for surnames, as in "Jack Black"."""
    elements, _ = find_elements(text)
    return [
        element.color
        for index, element in enumerate(elements)
        if element.kind == "C" and element.color is not None and not is_surname(text, elements, index)
    ]


def is_surname(text: str, elements: Sequence[Element], index: int) -> bool:
    """Return whether a color is the surname after a name, as in "Jack Black"."""
    return index > 0 and elements[index - 1].kind == "N" and text[elements[index].start].isupper()


def find_elements(line: str) -> tuple[list[Element], dict[int, int]]:
    """Return the elements of a line, and the ratings by the index of the name before them."""
    low = _ORIGIN.sub(lambda words: " " * len(words[0]), plain(line.replace("–", "~").replace("—", "~")))
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
            if found[-1].kind == "C":  # a sign for a color is a label
                found.append(Element(":", end, end))
        else:
            stops = match[0].endswith(".") and match[0] not in ("v.", "vs.")
            start += len(match[0]) - len(match[0].lstrip("@"))
            _add_word(found, line, low, start, end - stops, following)
            if found[-1].kind == "N" and low[end - 1 : end] == "ʹ" and _SENTENCE.match(line, end):
                found[-1] = found[-1]._replace(end=end - 1)  # a full stop
                stops = True
            if stops:
                found.append(Element(".", end - 1, end))
    found = [
        element._replace(kind="s") if element.kind == "I" and _ITALIAN.match(low, element.start) else element
        for element in found
    ]
    kinds = _OF_STONES.sub("x", "".join(element.kind for element in found))
    found = [element._replace(kind=kind) for element, kind in zip(found, kinds, strict=True)]
    found = [
        element
        for place, element in enumerate(found)
        if element.kind != "s" and not (element.kind == "o" and place and found[place - 1].kind == "C")
    ]
    for author in reversed([*_AUTHOR.finditer("".join(element.kind for element in found))]):
        name = found[next(author.start(group) for group in "nmoy" if author[group])]
        found[author.start() : author.end()] = [name._replace(is_author=author["y"] is None)]
    ends = {element.end: index for index, element in enumerate(found)}
    return found, {ends[end]: number for end, number in ratings if end in ends}


def _add_word(found: list[Element], line: str, low: str, start: int, end: int, following: re.Match[str] | None) -> None:
    """Add a word to the elements before it, to the last one if both are of a name."""
    word, last = low[start:end], found[-1] if found else Element(".", 0, 0)
    kind, color = kind_of(line[start:end], word), COLOR_WORDS.get(word)
    gap = low[last.end : start].strip(' *_"')
    is_capital = line[start].isupper()
    if word == "s" and last.kind == "(" and low[end : end + 1] == ")":  # Schwarz
        kind, color = "C", 0
    elif color is not None and len(word) == 1:  # an initial, unless it stands in brackets
        kind = "C" if last.kind == "(" and low[end : end + 1] in ("),]") else "N" if is_capital else "x"
    elif (kind == "C" or word in MEANINGS) and is_capital and last.kind == "N" and low[end : end + 2] in (" (", " ["):
        kind = "N"  # as in "Jack Black (White)"
    elif (kind == "O" or word in PARTICLES) and is_capital and last.kind == "N" and not gap:
        kind = "N"  # as in "Tom Gast" and "Big Al"
    elif kind == "U" and low[start - 1 : start] == low[end : end + 1] == "'":
        kind = "N"  # in quotes
    elif kind == "U" and _ARTICLE.search(low, max(0, start - 8), start) and _follows(line, following) != "U":
        kind = "x"  # as in "the host"
    elif kind == "C" and is_capital and last.kind == "N" and not gap and low[: last.end].split()[-1] in PARTICLES:
        kind = "N"  # as in "D. de Wit"
    elif kind == "C" and is_capital and last.kind == "N" and not gap and _follows(line, following) in tuple("VBW"):
        kind = "N"  # as in "Rosa Weiß had Black"
    elif word in PARTICLES and following is not None and following["word"]:
        at = following.start()
        after = following["word"].rstrip(".")
        begins = last.kind not in "xTuUsoVW" or low[last.start : last.end] in _BEFORE_PARTICLE
        is_name = kind_of(line[at : at + len(after)], after) == "N" or (line[at].isupper() and last.kind == "N")
        if begins and (after in PARTICLES or is_name):
            kind = "N"
    if kind == last.kind == "N" and not gap:
        found[-1] = last._replace(end=end)
    elif kind == "N" and _INITIALS.fullmatch(word) and [known.kind for known in found[-2:]] == ["N", ","]:
        found[-2:] = [found[-2]._replace(end=end)]  # as in "Quist, H."
    elif word in ("co", "cie") and [known.kind for known in found[-2:]] == ["N", "A"]:
        found[-2:] = [found[-2]._replace(end=end)]  # as in "Magnus & Co"
    elif kind == "U" and last.kind in "Uu" and not gap:
        found[-1] = last._replace(kind="u", end=end)
    else:
        found.append(Element(kind, start, end, color))


def _follows(line: str, following: re.Match[str] | None) -> str:
    """Return the kind of the word that follows, or nothing for a sign."""
    if following is None or not following["word"]:
        return ""
    return kind_of(line[following.start() : following.end()], following["word"])


def kind_of(word: str, low: str) -> str:
    """Return the kind of a word; `low` is the word in the form of `plain`."""
    if _SCORE.fullmatch(low):
        return "G"
    if low in COLOR_WORDS and len(low) > 1:
        return "C"
    if low in _ALSO_NAMES and word[0].isupper():
        return "N"
    if low in _WORDS and not (len(low) == 1 and word.isupper() and low != "i"):
        return _WORDS[low]
    if low in OPENERS or low in ("a", "e", "o", "y"):  # prepositions and conjunctions
        return "T"
    base = low.removesuffix("'s")
    if has_tokens(low, "cell", "pass") and not low.isalpha():
        return "t"
    is_initial = len(low) == 1 and word.isupper()
    if not is_initial and ({low, base} & (MEANINGS.keys() | KEYS.keys() | COLOR_WORDS.keys())):
        return "x"
    if WON.fullmatch(low) or LOST.fullmatch(low) or DRAWN.fullmatch(low) or (not word[0].isalpha() and word[0] != "_"):
        return "x"
    return "N" if any(char.isupper() or char.isdigit() or char in "_ʹ" for char in word) or "ʹ" in low else "U"
