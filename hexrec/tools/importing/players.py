"""Players that a line names, with their colors: patterns of its elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.lexer import has_tokens
from hexrec.tools.importing.names import Element, find_elements, kind_of
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.spelling import clean_name, cover, plain
from hexrec.tools.importing.words import COLOR_WORDS, HUES

_VERBS = "[VBWF]"
_COLORED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<c>C)[BVxUu]{0,3}(?P<full>N)(?=$|[V,.A()f-])",
        r"(?:^|[.:(,fAx-])(?P<c>C)(?:B|[:-]?(?=[NIY]|U,C[:-]?N(?:$|[.)])))(?P<n>[NUIY])[,AG.-]{0,2}(?P<d>C)[:B-]?(?P<m>[NUIY])(?=$|[.,()f-])",
        rf"(?P<n>[NUIY])[,:-]?{_VERBS}*(?P<c>C)[xTU]{{0,2}}[,AG-]{{0,2}}(?P<m>[NUIY])[,:-]?{_VERBS}*(?P<d>C)",
        r"(?P<n>[NIY])\(N,(?P<c>C)\)",
        r"(?P<n>[NUIY])\([xTVBW,]{0,3}(?P<c>C)[^()N]*\)",
        r"(?P<c>C)\(:?(?P<n>[NUI])\)",
        r"(?P<n>[IY])[VBWFxTU]{0,3}\(?(?P<c>C)",
        rf"(?P<n>[NIY]),[^NIYC.,]{{1,5}},{_VERBS}+(?P<c>C)",
        r"(?:^|[.,:(f])(?P<c>C)F(?P<n>[NIY])",
        r"(?P<n>[NIY]|(?<![A-SV-Zac-z])[Uu]),?[VBW]+(?P<c>C)",
        rf"(?P<n>[NIY])[^NIYC.,]{{1,5}}A{_VERBS}+(?P<c>C)",
        rf"(?P<n>[NIY]),?Q{_VERBS}+(?P<c>C)",
        r"^(?P<c>C)(?::(?=[NU])|[,-]?(?=N))(?P<n>[NU])$",
        r"(?:^|[.,(-])(?P<c>C)B(?P<n>N)",
        rf"{_VERBS}(?P<c>C)(?:[V:]|,(?=[NU](?:$|[.)])))(?P<n>N)",
        r"(?:^|[.(f])(?P<n>N)[,-](?P<c>C)(?=$|[.)]|,?f)",
        r"(?:^|[.(f])(?P<n>[NU]):(?P<c>C)(?=$|[.)])",
    )
)
_PAIRS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        (
            "pair",
            r"(?P<n>N)(?:,?[VW][VWxTuUoC]{0,3},?)?[xU]?G[VW]?(?P<m>[NUI])|(?:^|[.,:(f-])(?P<o>[NUI])G(?P<p>[NUI])",
        ),
        ("pair", r"(?P<n>[NU])A(?P<m>I)|(?P<o>I)A(?P<p>[NU])"),
        ("pair", r"(?P<m>[IM])[^.]*?(?:G(?P<n>[NU])|[WO]B?,?(?P<o>N)(?!A[NU]))"),
        ("pair", r"(?:^|[.,:(f-])G(?P<n>[NU])[^.]*?(?P<m>[IM])"),
        ("pair", r"(?:^|[^NUu)])(?P<m>G)(?P<n>N)"),  # a game of the author
        ("pair", r"(?:^|[.,:(f-])(?:(?P<n>N)-(?P<m>[NU])|(?P<o>U)-(?P<p>N))(?=$|[.,:()fG])"),
        ("together", r"(?P<n>N)A(?P<m>[NU])"),
    )
)
#: The name of the author, as in "I'm Ada".
_AUTHOR = re.compile(r"(?:^|[.,:(f])IB?(?P<n>N)(?=[,.A]|$)")
_BEGAN = re.compile(
    r"\s(?:mov(?:es?|ed)|goe?s?|went|play(?:s|ed)?) first\b|\s(?:begin|start|beginne)s?(?=[.,;!)]|$)"
    r"|\s(?:started|began|begann|fing an)\b"
)
_OFTEN = (
    r"(?:(?:is|are|was|has|had|plays|always|ist|sind|steht|wird|hat|immer|stets|jeweils|est|sont|a|toujours|the|les)\s)"
)
#: Which color the first player of a pair has, as in "first named is Black".
_FIRST_IS = re.compile(
    rf"\b(?:(?:first(?:[- ](?:named|mentioned|listed))?(?:\s(?:player|name))?|(?:player|name) on the left|left player"
    rf"|(?:zuerst|erst)\s?genannter?|premier (?:nommé|cité))\s(?:=\s|{_OFTEN}+)(?P<color>{HUES})"
    rf"|(?P<named>{HUES})(?:'s? name)?\s{_OFTEN}*(?:(?:named|listed|mentioned|given|written)\s(?:always\s)?first"
    r"|on the left|links|zuerst (?:genannt|aufgeführt)|als erste[rs]? genannt|(?:nommé|cité)e?s? en premier|à gauche"
    r"|first(?=\s?[)\]])))(?!\w)"
)
#: A color in words about the side to move, not about a player.
_TO_MOVE = re.compile(
    rf"\b(?:(?:with|mit|bei|avec|con)\s)?(?:the\s|les\s)?(?:{HUES})\s(?:to (?:move|play|go|place|answer)|am zug|an der"
    rf" reihe|au trait|à jouer)\b|\b(?:trait|tour) (?:aux|des) (?:{HUES})\b|\b(?:{HUES})'s (?:turn|move)\b"
)
#: The words between a color and the name of its player, also those before which only a name of several words is sure.
_NAMED_AFTER = re.compile(
    r"\s*(?:stones?|pieces?|steine|pierres)?\s*(?P<link>(?:side|hatten?|hat|spielte?|führte?|nahm|bekam|übernahm|war|ist"
    r"|wurden? von|was|is|(?:was|were|is) (?:(?:played|held|handled|taken|led) by|given to|for)"
    r"|(?:went|goes|fell|belong(?:s|ed)) to|(?:ét(?:aient|ait)|sont|est) (?:joués? par|pour|à)|by|to|par|pour|für)?)\s*"
)
#: Words of a sentence on other games.
_OTHER_GAMES = re.compile(
    r"\b(?:(?:last|next|first) time|usually|letztes mal|sonst immer|la dernière fois|la última vez|vorige keer)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.;!?\0]+")
#: Two names in one word, where a text says that the first is of a color.
_DASHED = re.compile(r"(?<![\w-])([^\W\d_]{2,16})[-–—]([^\W\d_]{2,16})(?![\w-])")
#: A player by the order of turns, as in "1: Ada" or "Player 2 - Ben".
_NUMBERED = re.compile(
    r"\s*(?:player|spieler|joueur|jugador|p)?\s*#?([12])\s?[:=)–-]\s*([^\W\d](?:[ ._'-]?[^\W_])*[.)]?)\s*",
    re.IGNORECASE,
)
#: A player with a rating and a color, as in "● Ada (1792) Black".
_RATED = re.compile(
    rf"\W*(?P<name>[^\W\d_][^()\[\]]{{0,30}}?)\s*[(\[](?P<rating>[1-9]\d{{2,3}})[)\]]\s*(?P<color>{HUES})\s*",
    re.IGNORECASE,
)
#: Verbs of the player who places the first stones, and lets the other one choose a color.
_PLACED = re.compile(
    r"\s(?:had )?(?:laid|placed|put|set up|set out|offered|stellte|legte|setzte|a posé|a placé|posa)\b(?=.*\b(?:"
    r"stones?|stacks?|eggs?|pieces?|black|steine?|stapel|türme|eier|pierres?|piles?|œufs)\b)"
)
#: The initial of a color, and a name.
_SIDED = re.compile(r"\s*(?P<side>[BW])\s+(?P<name>[^\W\d_](?:\.(?=\s)|[^\W\d_]+)(?:[ .'-]{1,2}[^\W\d_]+){0,3}\.?)\s*")
#: Two names with the initials of their colors, as in "Ada B / Ben W".
_LABELED = re.compile(
    r"\W*(?P<first>[^\W\d_][^\d,;:()]{0,30}?) (?P<color>[BW])\s?(?:[-/,&|~–—]|vs?\.?|and)\s?"
    r"(?P<second>[^\W\d_][^\d,;:()]{0,30}?)"
    r" (?!(?P=color))[BW]\W*"
)
#: The end of the words between a color and its player, as in "White was played by Ben".
_BY = re.compile(r"\b(?:by|par|por|von|da|door)\s*$")
#: Names above two columns of turns: the first player is Black.
_HEADS = re.compile(
    r"\s*(?:(?:#|no\.?|nr\.?|round|move|turn)\s+)?([^\W\d]\w{1,20})(?:\s{3,}|\t\s*)([^\W\d]\w{1,20})\s*", re.IGNORECASE
)


def _labeled_players(line: str) -> Iterator[Fact]:
    """Yield the players of a line that is nothing but their names, with labels."""
    if (numbered := _NUMBERED.fullmatch(line)) and not has_tokens(plain(numbered[2]), "cell"):
        yield Fact("first" if numbered[1] == "1" else "second", clean_name(numbered[2]), *numbered.span())
    elif rated := _RATED.fullmatch(line):
        name = clean_name(rated["name"])
        yield Fact(COLORS[COLOR_WORDS[plain(rated["color"])]], name, *rated.span())
        yield Fact("rating", (name, int(rated["rating"])), rated.end(), rated.end())
    elif labeled := _LABELED.fullmatch(line):
        first = COLORS.index("black" if labeled["color"] == "B" else "white")
        yield Fact(COLORS[first], clean_name(labeled["first"]), *labeled.span("first"))
        yield Fact(COLORS[1 - first], clean_name(labeled["second"]), *labeled.span("second"))
    else:
        parts = re.split(r"(?:\s{2,}|\s*[,;/]\s*)(?=[BW]\s)", line)
        sides = [side for part in parts if (side := _SIDED.fullmatch(part)) is not None]
        words = [(side["name"].split()[0], plain(side["name"]).split()[0]) for side in sides]
        if len(sides) == len(parts) and all(kind_of(word, low) == "N" for word, low in words):
            for side in sides:
                yield Fact(COLORS[side["side"] == "W"], clean_name(side["name"]), *side.span("name"))


def find_players(line: str) -> Iterator[Fact]:
    """Yield the players that a line names: with colors, as pairs, and those in doubt; NUL stands for other facts."""
    if labeled := [*_labeled_players(line)]:
        yield from labeled
        return
    if named := _FIRST_IS.search(plain(line)):
        yield Fact("first is", COLOR_WORDS[named["color"] or named["named"]], *named.span())
        line = cover(line, *named.span(), "\0")
        if dashed := _DASHED.search(line):
            yield Fact("pair", dashed.groups(), *dashed.span())
            return
    line = _SENTENCE.sub(lambda words: "\0" * len(words[0]) if _OTHER_GAMES.search(words[0]) else words[0], line)
    for other in _TO_MOVE.finditer(plain(line)):
        line = cover(line, *other.span())
    elements, ratings = find_elements(line)
    kinds = "".join(element.kind for element in elements)
    author = _AUTHOR.search(kinds)
    known: dict[int, int] = {}  # the colors of the names by their index
    colors: set[int] = set()  # the indices of colors of players

    def name(index: int) -> str:
        element = elements[index]
        if element.kind == "I" and author is not None and index != author.start("n"):
            return name(author.start("n"))
        if element.kind in "IY":
            return "I" if element.kind == "I" else "you"
        start, end = element.start, element.end
        if kinds[index - 1 : index] == "C" and index - 1 not in colors and is_title(index - 1, index):
            start = elements[index - 1].start  # as in Black Panther
        if kinds[index + 1 : index + 2] == "C" and index + 1 not in colors and is_title(index, index + 1):
            end = elements[index + 1].end
        return re.sub(r"(?<=\w)['’]s$", "", clean_name(line[start:end]))

    def is_title(first: int, second: int) -> bool:
        one, other = elements[first], elements[second]
        return other.start - one.end == 1 and line[one.start].isupper() and line[other.start].isupper()

    def follows(color: int, index: int) -> bool:
        """Return whether a full name is that of the player of the color before it."""
        between = _NAMED_AFTER.fullmatch(plain(line[elements[color].end : elements[index].start]))
        is_full = not name(index).isalpha() and not name(index).startswith("von ") and not name(index).endswith("'s")
        return between is not None and bool(between["link"] or known) and is_full

    for pattern in _COLORED:
        for match in pattern.finditer(kinds):
            at = "full" if "full" in pattern.groupindex else "n"
            found = {match.start(at): elements[match.start("c")].color}
            if at == "full" and not follows(match.start("c"), match.start(at)):
                continue
            if "m" in pattern.groupindex:
                found[match.start("m")] = elements[match.start("d")].color
            if known.keys() & found.keys() or {*known.values()} & {*found.values()} or None in found.values():
                continue
            if len({*found.values()}) < len(found):
                continue
            colors |= {match.start(group) for group in "cd" if group in pattern.groupindex}
            start, end = elements[match.start()].start, elements[match.end() - 1].end
            if kinds[match.start(at)] == "u":
                words = elements[match.start(at)]
                yield Fact("unread", line[words.start : words.end], words.start, words.start)
                continue
            for place, (index, color) in enumerate(found.items()):
                known[index] = color or 0
                middle = elements[index].end if len(found) > 1 and not place else end
                yield Fact(COLORS[color or 0], name(index), start, middle)
                start = middle
    if len(known) < len(COLORS):
        for index, color in _alternating(line, elements, kinds, name):
            if index not in known and color not in known.values():
                known[index] = color
                yield Fact(COLORS[color], name(index), elements[index].start, elements[index].end)
    if author is not None:
        who = author.start("n")
        yield Fact("author", name(who), elements[who].start, elements[who].start)
    for index, element in enumerate(elements):
        if element.is_author:
            yield Fact("author", name(index), element.start, element.start)
    for index, element in enumerate(elements):
        if len(known) == 1 and element.kind in "NI" and index not in known and _PLACED.match(plain(line), element.end):
            yield Fact("pair", (name(index), name(next(iter(known)))), element.start, element.start)
    for index, number in ratings.items():
        yield Fact("rating", (name(index), number), elements[index].end, elements[index].end)
    for index, element in enumerate(elements):
        if element.kind in "NUI" and _BEGAN.match(plain(line), element.end) and index not in known:
            yield Fact("first", name(index), element.start, element.start)
    heads = _HEADS.fullmatch(line)
    if heads and not known and all(kind_of(name, plain(name)) in "NU" for name in heads.groups()):
        yield Fact("black", heads[1], *heads.span(1))
        yield Fact("white", heads[2], *heads.span(2))
        return
    shown = [*range(len(elements))]  # without what stands in brackets
    for brackets in re.finditer(r"(?<=[NUI])\([^()]*\)", kinds):
        shown = [index for index in shown if not brackets.start() <= index < brackets.end()]
    outside = "".join(kinds[index] for index in shown)
    for kind, pattern in _PAIRS:
        if pair := pattern.search(outside):
            places = [pair.start(group) for group in "nmop" if group in pattern.groupindex and pair[group]]
            first, second = (shown[place] for place in sorted(places))
            me = "I" if author is None else name(author.start("n"))
            subject = name(next(iter(known))) if kinds[first] == "G" and known else me
            names = tuple(subject if kinds[index] in "IMG" else name(index) for index in (first, second))
            start = elements[first if kinds[first] not in "IMG" else second].start
            if names[0] == names[1]:
                continue
            kind = "together" if len(known) > 1 else kind  # the colors are known, and perhaps a longer name
            yield Fact(kind, names, start, start if kind == "together" else elements[second].end)
            return


def _alternating(
    line: str, elements: Sequence[Element], kinds: str, name: Callable[[int], str]
) -> Iterator[tuple[int, int]]:
    """Yield names by their index, with colors, where a sentence names two players and two colors in turn."""
    for sentence in re.finditer(r"[^.]+", kinds):
        order: list[int] = []
        for index in range(*sentence.span()):
            is_same = order and kinds[index] in "NIY" and kinds[order[-1]] in "NIY" and name(index) == name(order[-1])
            if kinds[index] in "NIYC" and not is_same:
                order.append(index)
        shape = "".join("C" if kinds[index] == "C" else "N" for index in order)
        if re.fullmatch(r"NN+CNC", shape) and {name(index) for index in order[: len(shape) - 4]} <= {name(order[-2])}:
            order, shape = order[-4:], "NCNC"  # as in "Ada placed the stones, Ben took Black, so Ada had White"
        if shape in ("NCNC", "CNCN"):
            pairs = [sorted(order[at : at + 2], key=lambda index: kinds[index] == "C") for at in (0, 2)]
            colors = [elements[color].color for _, color in pairs]
            is_near = shape == "NCNC" or all(
                re.fullmatch(r"[,:(B-]*", kinds[at + 1 : who])
                or _BY.search(plain(line[elements[at].end : elements[who].start]))
                for who, at in pairs
            )
            names = {name(who) for who, _ in pairs}
            is_near = is_near and not any(one.startswith("von ") for one in names)
            if {*colors} == {0, 1} and is_near and len(names) == len(pairs):
                yield from ((who, int(elements[color].color or 0)) for who, color in pairs)
