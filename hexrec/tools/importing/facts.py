"""Facts that a line states: game, size, opening, players, result, date. Readers lex the rest of the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from itertools import zip_longest
from typing import Any

from hexrec.rules import games
from hexrec.rules.board import MAX_SIZE, MIN_SIZE
from hexrec.rules.terms import COLORS
from hexrec.tools.importing.lexer import TURN_KINDS, lex
from hexrec.tools.importing.openings import (
    find_openings,
    opening_end,
    opening_stones,
    stones_end,
    stones_of_players,
)
from hexrec.tools.importing.players import find_players
from hexrec.tools.importing.results import BARE_RESULT, Fact, chosen_color, find_claims, keyed_result, read_score
from hexrec.tools.importing.spelling import SENTENCE_END, clean_name, plain
from hexrec.tools.importing.words import COLOR_WORDS, HUES, KEYS, MONTHS, VARIANT_WORDS

#: The explanation of a sign, as in "p = pass".
_LEGEND = re.compile(
    r"\b(?:moves?|turns?|zug|züge|coups?) (?:like|such as|as|written as|wie|comme)[\s`'\"*]{1,3}[a-z]\d{1,2}"
    r"(?:\s?[-x/+>]\s?[a-z]\d{1,2}){0,2}(?!\s*[a-z]\d)|(?<!\w)(?:\w|-+)\s?=\s?(?:pass|passe|resign\w*|swap)\b"
)
#: The numbers from 3 on in words.
_NUMBERS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
#: The order of two names, as in "Players (Black - White): Ada - Ben".
_ORDER = re.compile(
    rf"\W*(?:(?:players?|names?|spieler|joueurs)\W+)?(?P<color>{HUES})\s?(?:[-/~]|vs?\.?|against|gegen|contre)\s?(?:{HUES})"
    r"\)?\s?:(?=\s*[^\W\d][\w'-]*[^\W\d])"
)
#: The longest line in which facts are searched, in characters: longer ones are lists of turns.
_LONGEST = 4_000
#: Signs of facts, which plain lists of turns do not have.
_WORDS = re.compile(r"[^\W\d_]{2}|[^\W\d_]\s?[:=+(]|\d\s?[-:/.]\s?\d|½|[(\[]\s?[bw]\s?[)\]]")
_KEYS = "|".join(sorted(map(re.escape, KEYS), key=len, reverse=True))
_KEY = re.compile(
    r"(?:(?<=^)|(?<=[\s,;|\[({*_>\"'#:]))(?P<key>"
    rf"{_KEYS})"
    r"(?:\s*\(?(?P<index>\d{1,4})\)?|\s?\([a-zß-ÿ ]{3,20}\)(?=\s?[:=]))?"
    r"(?:[\s*_\"']*(?::(?!\d\d)|=>?|-{1,2}>)[\s*_]*|(?<=\S)\s+(?=\")|\s+(?:\.{2,}|_{2,})\s+)"
)
#: A key at the start of a line, with its value in another column.
_ALIGNED = re.compile(rf"\s*(?P<key>{_KEYS})(?P<index>)(?:\s{{2,}}|\s*\.{{2,}}\s*|\s*\t\s*)(?::\s*)?(?=\S)")
#: A key in square brackets before a value without quotes.
_TAG = re.compile(rf"\s*\[(?P<key>{_KEYS})(?P<index>)\s+(?=[^\[\]\":]+\]\s*$)")
#: A color after the value of such a key, as in "B  Ada    W  Ben".
_ALIGNED_COLOR = re.compile(r"(?<=\s\s)(?P<key>b|w|black|white|schwarz|weiß)(?P<index>)\s{2,}(?=\S)")
#: The signs before the first key of a line: keys are no words within a sentence.
_KEY_PLACE = re.compile(r"(?:^|[-–—.,;|/([{>!?\])]\s|\w\s=\s|\s\s|[\[({|*_])[\s*_#>\"'(\[:]*$")
_SIZE = re.compile(
    r"(?:\b(?:board side|board|size|side length|side|hexhex|hex|base|order|größe|groesse|brettgröße|brett|seitenlänge|"
    r"taille|plateau|tamaño|tablero|lado|lato|côté|zijde|grootte|bord|sides? of|edge)"
    r"(?: of| size| side| is| von| de| mit| met| de| con| mit seitenlänge|:|-|=|\()*[ *_]{0,3}"
    rf"(?P<after>\d{{1,2}}|{'|'.join(_NUMBERS)})(?![\w.]*\d)(?!\w)"
    rf"|(?<![\w.])(?P<before>\d{{1,2}}|{'|'.join(_NUMBERS)})(?:\s?-?\s?(?:hex\b|hexhex\b|"
    r"(?:(?:cells?|hexes|hexagons|spaces|fields|stones?|points?"
    r"|felder|punkte|zellen|cases|casillas|caselle|velden)[ -])?"
    r"(?:(?:per|to|on|along|by|je|pro|par|auf|de|por)[ -])?(?:(?:an?|each|every|the|per|jeder|einer|der|chaque)[ -])?"
    r"(?:side|edge|seite|kante|côté|bord|lado|lato|zijde)\b|"
    r"(?:cell |point )?(?:board|side[sd]?)\b|er[- ]?(?:brett|feld|hex)?\b))"
    r"|(?<![\w.])(?P<times>\d{1,2})\s?x\s?(?P=times)(?:\s?x\s?(?P=times))?(?!\w)"
    r"|(?<![\w.])(?P<cells>\d{2,3})[ -](?:cells?|felder|points?|spaces)\b)"
)
_VARIANT = re.compile(
    r"\bnadraz\W{1,3}(?:in\s)?(?P<after>reverse|misère|misere)\b"
    r"|\b(?P<word>reverse|misère|misere)\b(?=\s+(?:variant|version|rules?|mode|game|one|nadraz)|-nadraz|\W*$|\W*[,)(])"
)
_FIRST_EDITION = re.compile(
    r"\b(?:(?:first|1st|original|oldest|erste[nr]?|première|primera|eerste|prima)"
    r" (?:edition|published rules|ausgabe|auflage|fassung|édition|edición|uitgave|druk|edizione)|2023-first)\b"
)
#: Words that deny a variant.
_NOT = re.compile(r"\b(?:not|no|non|nicht|kein\w*|pas|isn't|niet)(?:\s(?:the|a|an|in|die|das|le|la|de))*\s*$")
_TITLE_SIZE = re.compile(
    r"[\s,(\-:/|]{1,3}(?:\(\s?|(?:on|at|auf|sur|en|su|op)\s|(?:reverse\s)?s(?=\d))?(?P<size>\d{1,2})(?!\w|[.)]\s*[a-z]\d|\s?-\d|/|\.\d)"
)
#: The end of the name of a player in the value of a key, as in "Ada, from Oslo".
_NAME_END = re.compile(rf"\s+[\w-]+\s?=|;|,\s(?=[a-zß-ÿ]{{2}})|{SENTENCE_END.pattern}")
_INDEX = re.compile(
    r"(?:\b(?:game|match|partie|partida|spiel|partij|spel|jeu)\s*(?:no\.?|nr\.?|number|#)?\s*#?|\0\s#|^\W*board\s(?=\d+:)|^\W{0,2}\[g(?=\d{1,3}\]\W?(?:\0|[^\W\d]{2})))(\d{1,6})\b"
)
_ROUND = re.compile(r"\b(?:round|runde|ronde|ronda|rd\.?)\s#?\d")
_DATE = re.compile(
    r"(?<!\w)(?:(?P<year>\d{4})[-./](?P<month>\d{1,2})"
    r"(?:[-./](?P<day>\d{1,2})(?:t\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?z?)?)?(?![-./]?\d)"
    r"|(?P<first>\d{1,2})(?P<sign>[./])\s?(?P<second>\d{1,2})(?P=sign)\s?(?P<third>\d{4})"
    r"|(?P<day2>\d{1,2})(?:st|nd|rd|th|\.)?\s(?:of\s|de\s)?(?P<name>[^\W\d_]{3,10})\.?,?\s(?:de\s)?(?P<year2>\d{4})"
    r"|(?P<name2>[^\W\d_]{3,10})\.?\s(?P<day3>\d{1,2})(?:st|nd|rd|th)?,?\s(?P<year3>\d{4}))(?!\w)"
)


def find_facts(line: str, *kinds: str) -> list[Fact]:
    """Return the facts of a line, of some kinds or all, in order; none overlaps another. A very long line has none."""
    low = plain(line)
    if len(line) > _LONGEST or not _WORDS.search(low):
        return []
    found: list[Fact] = []
    taken = bytearray(len(low))

    def add(fact: Fact) -> None:
        if not any(taken[fact.start : fact.end]):
            taken[fact.start : fact.end] = b"\1" * (fact.end - fact.start)
            found.append(fact)

    for legend in _LEGEND.finditer(low):
        add(Fact("ignored", legend[0], *legend.span()))
    if order := _ORDER.match(low):
        add(Fact("first is", COLOR_WORDS[order["color"]], 0, order.end()))
    for fact in stones_of_players(low):
        add(fact)
    for fact in _keyed(line, _mask(low, taken)):
        add(fact)
    for find in (_named_games, _indices, _sizes, _days, find_openings):
        for fact in find(_mask(low, taken)):
            add(fact)
    players = [*find_players(_mask(line, taken))]
    stones = [fact for fact in found if fact.kind == "opening"]
    if stones and not any(
        fact.kind in COLORS for fact in players
    ):  # as in "stones on e3 (Black, Ada), a4 (White, Ben)"
        others = bytearray(taken)
        for fact in stones:
            others[fact.start : fact.end] = bytes(fact.end - fact.start)
        players += [fact for fact in find_players(_mask(line, others)) if fact.kind in COLORS]
    for fact in find_claims(line, _mask(low, taken)):
        add(fact)
    found = sorted([*found, *players], key=lambda fact: fact.start)  # a claim may name a player with the color
    return [fact for fact in found if not kinds or fact.kind in kinds]


def _mask(text: str, taken: bytearray) -> str:
    return "".join("\0" if hidden else char for char, hidden in zip(text, taken, strict=True)) if any(taken) else text


def _indices(low: str) -> Iterator[Fact]:
    for match in _INDEX.finditer(low):
        yield Fact("index", int(match[1]), *match.span())


def _sizes(low: str) -> Iterator[Fact]:
    for match in _SIZE.finditer(low):
        value = _size(match)
        if match[0].startswith("board") and _ROUND.search(low):  # the number of a board at an event
            yield Fact("ignored", match[0], *match.span())
        elif value is not None:
            yield Fact("size", value, *match.span())


def _days(low: str) -> Iterator[Fact]:
    """Yield dates; a time stamp says when a line was written."""
    for fact in find_dates(low):
        stamp = low[fact.start : fact.end]
        yield fact._replace(kind="ignored") if "t" in stamp and ":" in stamp else fact


def _size(match: re.Match[str]) -> int | None:
    if cells := match["cells"]:
        return next((n for n in range(3, 15) if 3 * n * (n - 1) + 1 == int(cells)), None)
    number = match["after"] or match["before"] or match["times"]
    return int(number) if number.isdigit() else 3 + _NUMBERS.index(number)


def game_names() -> dict[str, str]:
    """Return the names of the built-in games, and of registered ones, by name and title in lower case."""
    known = {*games.BUILT_IN, *games.GAMES.registered}
    return {spelled: name for name in known for spelled in (name, plain(games.get(name).title))}


def _named_games(low: str) -> Iterator[Fact]:
    for spelled, name in game_names().items():
        for match in re.finditer(rf"(?<![\w]){re.escape(spelled)}(?![^\W\d_])", low):
            yield Fact("game", name, *match.span())
            size = re.compile(r"[-_]?(?P<size>\d{1,2})(?!\w)").match(low, match.end()) or _TITLE_SIZE.match(
                low, match.end()
            )
            if size and MIN_SIZE <= int(size["size"]) <= MAX_SIZE and not _SIZE.match(low, size.start("size")):
                yield Fact("size", int(size["size"]), *size.span("size"))
    if edition := _FIRST_EDITION.search(low):
        yield Fact("ruleset", "2023-first", *edition.span())
    for match in _VARIANT.finditer(low):
        variant = "standard" if _NOT.search(low, 0, match.start(match.lastgroup or 0)) else "reverse"
        yield Fact("variant", variant, *match.span(match.lastgroup or 0))


def _keyed(line: str, low: str) -> Iterator[Fact]:
    """Yield the facts of keys, each with its value up to the next key."""
    keys: list[re.Match[str]] = []
    low = re.sub(r"(?<=[^\W_])_(?=[^\W_])", " ", low)  # as in opening_black
    if aligned := _ALIGNED.match(low) or _TAG.match(low):
        is_player = KEYS[aligned["key"]] in COLORS
        keys += [aligned, *(_ALIGNED_COLOR.finditer(low, aligned.end()) if is_player else ())]
    for match in _KEY.finditer(low, aligned.end() if aligned else 0):
        if keys or match[0].endswith("=") or _KEY_PLACE.search(low, max(0, match.start() - 40), match.start()):
            keys.append(match)
    for match, following in zip_longest(keys, keys[1:]):
        end = len(low) if following is None else following.start()
        kind = KEYS[match["key"]]
        if kind in COLORS and (stone := low.find("\0", match.end(), end)) > 0:  # as in "Black: Ada, egg on e3"
            end = stone
        value = line[match.end() : end].rstrip(" (")
        if kind in COLORS and keys[0] is not match and KEYS[keys[0]["key"]].startswith("opening"):
            kind = f"opening {kind}"
        yield from keyed_facts(kind, value, match.start(), match.end(), match["index"])


def keyed_facts(kind: str, value: str, start: int, at: int, index: str | None = None) -> Iterator[Fact]:
    """Yield the facts of a key at `start` with its value, which begins at `at`."""
    value = value.rstrip(" \t,;|*_]{}\"'")
    at += len(value)
    value = value.lstrip(" \t:*_\"'")
    at -= len(value)
    low, end = plain(value), at + len(value)
    if index and kind in ("game", "index"):
        yield Fact("index", int(index), start, at, key=True)
        kind = "game"
    elif index and kind not in ("round", "event"):
        return
    if kind == "moves":
        yield Fact("moves", None, start, at, key=True)
    elif (kind in ("result", "winner", "termination") and value) or (kind == "score" and BARE_RESULT.fullmatch(low)):
        yield from keyed_result(kind, value, start, at)
    elif kind in ("game", "index", "players") and (named := [*_named_facts(kind, value)]):
        yield from (fact._replace(start=fact.start + at, end=fact.end + at) for fact in named)
    elif value and (read := _read_value(kind, value, low, index)) is not None:
        known, found, *length = read
        if known in COLORS:
            added = (fact for fact in find_players(value) if fact.kind in ("rating", "author"))
            yield from (fact._replace(start=at, end=at) for fact in added)
        yield Fact(known, found, start, at + length[0] if length else end, key=True)
    if kind == "score":  # as in "0 : 8.5 (White wins)"
        yield from (claim._replace(start=end, end=end) for claim in find_claims(value, low) if claim.kind == "claim")


def _named_facts(kind: str, value: str) -> Iterator[Fact]:
    """Yield the games, or the players with their colors, in the value of a key."""
    return (
        (fact for fact in find_players(value) if fact.kind in COLORS)
        if kind == "players"
        else _named_games(plain(value))
    )


def _read_value(kind: str, value: str, low: str, index: str | None) -> tuple[Any, ...] | None:
    """Return kind and value of the fact that the value of a key states, and its length if more follows; or None."""
    cells = [token for token in lex(low) if token.kind == "cell"]
    match kind:
        case "game" | "index":
            index = low.strip("# ")
            if index.isdigit():
                return "index", int(index)
            return (kind, low) if any(map(str.isalpha, low)) else None
        case "size" | "color":  # headed "side"
            number = re.match(r"(?:hex\w*|side|size)?\W{0,3}(\d{1,2})(?!\d)", low)
            sized = _SIZE.match(low) or _SIZE.search(low)
            size = _size(sized) if sized else int(number[1]) if number else None
            return None if size is None else ("size", size, (sized or number).end())  # type: ignore[union-attr]
        case "black" | "white":
            kinds = [token.kind for token in lex(low) if token.kind not in ("space", "sign", "open", "number")]
            is_name = "word" in kinds or (
                kinds in (["join"], ["filler"]) and (value.istitle() or value.isupper())
            )  # Dan is a name, and "then" in Dutch
            if len(cells) > 1 or low.strip() in KEYS or not is_name or kinds[0] in TURN_KINDS:
                return None  # turns of the color
            end = _NAME_END.search(low)
            name = value[: end.start()] if end else value
            stated = {fact.kind: fact.value for fact in find_players(name)}
            color = next((known for known in COLORS if known in stated), kind)
            return color, stated.get("author") or clean_name(name), len(name)
        case "players":
            parts = re.split(r"\s*[,;/&]\s*|\s(?:and|und|et|y|e|en|vs?\.?|gegen|contre|contra|tegen|[-–])\s", value)
            return ("pair", tuple(map(clean_name, parts))) if len(parts) == 2 else ("ignored", value)
        case "opening":
            low = low[: opening_end(low)]
            if stones := opening_stones(low):
                return (
                    "opening",
                    stones,
                    stones_end(low),
                )
            return ("ignored", value) if "none" in low or low.strip() in ("-", "no", "empty") else None
        case "opening black" | "opening white":
            if (stones := opening_stones(low)).keys() == {0, 1}:  # headed "eggs placed first"
                return "opening", stones
            stone = {int(kind.endswith("white")): cells[0].value} if cells else None
            return None if stone is None else ("opening", stone, cells[0].end)
        case "pie":
            chosen, stones = chosen_color(low), opening_stones(low)
            return ("pie", chosen) if chosen is not None else ("opening", stones) if stones else ("ignored", value)
        case "score":
            score = read_score(low)
            end = re.search(r"[|;]", low)
            return None if score is None else ("score", score, end.start() if end else len(low))
        case "date":
            dates = [fact.value for fact in find_dates(low)] or re.findall(r"^\d{4}$", low.strip())
            return ("date", dates[0]) if dates else ("ignored", value)
        case "variant":
            return "variant", "reverse" if VARIANT_WORDS.search(low) and not low.startswith("no") else "standard"
        case "event" | "site" | "round":
            return None if cells else (kind, f"{index or ''} {value}".strip())
        case "comment" | "url" | "time":
            return "ignored", value
        case "coordinates":
            system = next((name for name in ("skew", "axial", "row") if name in low), None)
            return "coordinates" if system else "ignored", system
    return None


def find_dates(low: str) -> Iterator[Fact]:
    """Yield the dates in a text."""
    for match in _DATE.finditer(low):
        value = _read_date(match)
        if value:
            yield Fact("date", value, *match.span())


def _read_date(match: re.Match[str]) -> str | None:
    """Return a date in the form of records; None if it is none, or can be read in two ways."""
    if match["year"]:
        year, month, day = match["year"], match["month"], match["day"]
    elif match["first"]:
        first, second, year = int(match["first"]), int(match["second"]), match["third"]
        if match["sign"] == "/" and first <= 12 and second <= 12 and first != second:
            return None
        day, month = (second, first) if match["sign"] == "/" and second > 12 else (first, second)
    else:
        name, day, year = (
            match["name"] or match["name2"],
            match["day2"] or match["day3"],
            match["year2"] or match["year3"],
        )
        month = next((number for number, words in enumerate(MONTHS, 1) if name.startswith(words)), 0)
    try:
        whole = date(int(year), int(month), int(day or 1)).isoformat()
        return whole if day else whole[:7]
    except ValueError:
        return None
