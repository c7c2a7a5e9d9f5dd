"""What the tags of HGN mean: each is a field of a record, or belongs to a program that hexrec does not know."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping
from decimal import Decimal
from typing import Any

from hexrec import games
from hexrec.notations.field_table import Path, TextField, get, put
from hexrec.notations.hgn.grammar import TAG_NAME
from hexrec.notations.leftovers import difference

_COLOURS = {"B": "black", "W": "white"}
_STONE = re.compile(r"(?P<colour>[BW]):(?P<value>[^ \t]+)")
#: One or two cells, without their colours.
_BARE_CELLS = re.compile(r"([a-zA-Z]{1,2}[0-9]{1,2})(?:[ \t,;/]+([a-zA-Z]{1,2}[0-9]{1,2}))?")
_ENTRY = re.compile(r"(?P<colour>[BW]):(?P<value>[^ \t]*)")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_SECONDS = r"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?"
_STAGE = re.compile(rf"(?:([1-9][0-9]{{0,8}})/)?({_SECONDS})(?:\+({_SECONDS}))?")
_POINTED_DATE = re.compile(r"([0-9]{4})\.(?:([0-9]{2})\.(?:([0-9]{2})|\?\?)|\?\?\.\?\?)")
_TIME = re.compile(r"([0-9]{1,9}):([0-5]?[0-9]):([0-5]?[0-9](?:\.[0-9]+)?)")
#: PGN's tag SetUp says with these whether there is a tag FEN.
_SETUP_OF_PGN = ("0", "1")
#: Winner of the game by what stands at its end: `?` ends a game without a winner, `*` none: it is unfinished.
RESULTS = {"B+": "black", "W+": "white", "=": "draw", "?": None}
UNFINISHED = "*"
#: The same for people, and what people write instead.
RESULT_FORMS = "B+ (black won), W+ (white won), = (a draw), ? (ended without a winner) or * (unfinished)"
_FOREIGN_RESULTS = (
    (re.compile("1[-:]0|0[-:]1"), "in chess, White moves first: write W+ if White won, and B+ if Black did"),
    (re.compile(r"(?:1/2|½|0\.5)[-:](?:1/2|½|0\.5)"), "write ="),
    (re.compile(r"[Bb]\+\S*"), "write B+, and how the game ended in the tags Termination and Score"),
    (re.compile(r"[Ww]\+\S*"), "write W+, and how the game ended in the tags Termination and Score"),
)


class UnreadableError(ValueError):
    """A tag or command whose text does not have the form that its field has in HGN."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def _write_text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _text(*path: str) -> TextField:
    return TextField(path, _write_text, str)


def _game_title(name: Any) -> str | None:
    return games.get(name).title if games.is_known(name) else _write_text(name)


def _game_name(text: str) -> str:
    return next((name for name in games.names() if text.casefold() in (name, games.get(name).title.casefold())), text)


def write_number(value: Any) -> str | None:
    """Return the text of a number."""
    return json.dumps(value) if type(value) in (int, float) else None


def read_number(text: str) -> Any:
    """Return the number that a text is, exactly; a text that is none as it stands. Raises UnreadableError."""
    try:
        if _INTEGER.fullmatch(text):
            return int(text)
        value = float(text) if _DECIMAL.fullmatch(text) else None
    except ValueError:  # more digits than Python turns into an integer
        value = float("inf")
    if value is None:
        return text
    if value == float("inf") or value == -float("inf"):
        raise UnreadableError("syntax/number", "this is too large a number")
    return value


def write_time(seconds: Any) -> str | None:
    """Return a number of seconds as hours, minutes and seconds, or as it is where these would be no easier to read."""
    if type(seconds) is int and 0 <= seconds < 1e9:
        rest = str(seconds % 60)
    elif type(seconds) is float and 1e-6 < seconds < 1e9 and not seconds.is_integer():
        rest = f"{Decimal(repr(seconds)) % 60:f}"
    else:
        return write_number(seconds)
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{rest if rest[1:2].isdigit() else f'0{rest}'}"


def read_time(text: str) -> Any:
    """Return the seconds that a time means, exactly; a text that is none as it stands. Raises UnreadableError."""
    found = _TIME.fullmatch(text)
    if found is None:
        return read_number(text)
    hours, minutes, seconds = found.groups()
    whole, _, fraction = seconds.partition(".")
    total = (int(hours) * 60 + int(minutes)) * 60 + int(whole)
    return float(f"{total}.{fraction}") if fraction else total


def _write_flag(value: Any) -> str | None:
    return json.dumps(value) if isinstance(value, bool) else None


def _read_flag(text: str) -> Any:
    return {"true": True, "false": False}.get(text, text)


def _write_stages(stages: Any) -> str | None:
    parts = []
    for stage in stages:
        if not {"seconds"} <= stage.keys() <= {"turns", "seconds", "increment"}:
            return None
        turns = f"{stage['turns']}/" if "turns" in stage else ""
        more = f"+{stage['increment']!r}" if "increment" in stage else ""
        parts.append(f"{turns}{stage['seconds']!r}{more}")
    return ":".join(parts) if parts and all(map(_STAGE.fullmatch, parts)) else None


def _read_stages(text: str) -> list[dict[str, Any]]:
    """Return the stages of a time control as PGN writes them. Raises UnreadableError."""
    stages = []
    for part in text.split(":"):
        found = _STAGE.fullmatch(part)
        if found is None:
            raise UnreadableError("syntax/hgn-value", 'should be stages in seconds, such as "40/5400+30:900"')
        values = (("turns", found[1]), ("seconds", found[2]), ("increment", found[3]))
        stages.append({name: read_number(value) for name, value in values if value})
    return stages


def _read_date(text: str) -> str:
    """Return a date that may be written with points, and with question marks for what is unknown: 2026.11.??."""
    found = _POINTED_DATE.fullmatch(text)
    return "-".join(part for part in found.groups() if part) if found else text


def _write_setup(text: Any) -> str | None:
    return None if text in _SETUP_OF_PGN else _write_text(text)


def _read_setup(text: str) -> str:
    """Return the text of a position. Raises UnreadableError for what PGN has in a tag of this name."""
    if text in _SETUP_OF_PGN:
        demand = "should be the text of a position, which PGN has in the tag FEN; without one, leave the tag out"
        raise UnreadableError("syntax/hgn-value", demand)
    return text


def _write_stones(stones: Any) -> str | None:
    given = [(short, stones[colour]) for short, colour in _COLOURS.items() if isinstance(stones.get(colour), str)]
    text = " ".join(f"{short}:{cell}" for short, cell in given)
    return text if given and [found.groups() for found in _STONE.finditer(text)] == given else None


def stones(text: str) -> dict[str, re.Match[str]]:
    """Return where the cells of the opening stones are in a text, by colour. Raises UnreadableError."""
    demand = 'should name the opening stones by colour, such as "B:e5 W:k9"'
    cells = _BARE_CELLS.fullmatch(text.strip())
    if cells:
        white = f" W:{cells[2]}" if cells[2] else ""
        demand += f': write [Opening "B:{cells[1]}{white}"] if black\'s is on {cells[1]}'
    return _by_colour(_STONE, text, demand)


def entries(text: str) -> dict[str, re.Match[str]]:
    """Return where the scores are in a text, by colour. Raises UnreadableError."""
    return _by_colour(_ENTRY, text, 'should give a score for each colour, such as "B:22 W:27,6,1"')


def _by_colour(part: re.Pattern[str], text: str, demand: str) -> dict[str, re.Match[str]]:
    found: dict[str, re.Match[str]] = {}
    at = 0
    while at < len(text):
        match = part.match(text, at)
        if match is None or _COLOURS[match["colour"]] in found or text[match.end() : match.end() + 1].strip():
            break
        found[_COLOURS[match["colour"]]] = match
        at = match.end() + 1
    if at < len(text) or not found:
        raise UnreadableError("syntax/hgn-value", demand)
    return found


def _write_score(score: Any) -> str | None:
    parts = []
    for short, colour in _COLOURS.items():
        entry = score.get(colour)
        values = entry if isinstance(entry, list) else [entry]
        if all(type(value) in (int, float) for value in values):
            parts.append(f"{short}:{','.join(json.dumps(value) for value in values)}")
    return " ".join(parts) or None


def _read_score(text: str, as_number: bool) -> dict[str, Any]:
    def value(entry: str) -> Any:
        if as_number and "," not in entry:
            return read_number(entry)
        return [read_number(each) for each in entry.split(",")] if entry else []

    return {colour: value(found["value"]) for colour, found in entries(text).items()}


#: The tags of one field each, in the order in which they are written.
_FIELDS: Mapping[str, TextField] = {
    "Game": TextField(("game",), _game_title, _game_name),
    "Ruleset": _text("ruleset"),
    "Variant": _text("variant"),
    "Size": TextField(("size",), write_number, read_number),
    "Coordinates": _text("coordinates"),
    "Id": _text("id"),
    "Event": _text("event"),
    "Site": _text("site"),
    "Date": TextField(("date",), _write_text, _read_date),
    "EndDate": TextField(("date_end",), _write_text, _read_date),
    "Round": _text("round"),
    "Stage": _text("stage"),
    "Board": _text("board"),
    "Rated": TextField(("rated",), _write_flag, _read_flag),
    "Language": _text("language"),
    "TimeControl": TextField(("time_control",), _write_stages, _read_stages),
    **{
        f"{colour.capitalize()}{suffix}": TextField(("players", colour, name), *codec)
        for colour in _COLOURS.values()
        for suffix, name, *codec in (
            ("", "name", _write_text, str),
            ("Id", "id", _write_text, str),
            ("Rating", "rating", write_number, read_number),
            ("Title", "title", _write_text, str),
            ("Team", "team", _write_text, str),
            ("Country", "country", _write_text, str),
            ("Bot", "bot", _write_flag, _read_flag),
        )
    },
    "Opening": TextField(
        ("opening",), _write_stones, lambda text: {colour: found["value"] for colour, found in stones(text).items()}
    ),
    "Setup": TextField(("setup",), _write_setup, _read_setup),
    "Pie": _text("pie", "chosen"),
    "Annotator": _text("annotator"),
    "Source": _text("source"),
    "Termination": _text("result", "termination"),
    "DecidedBy": _text("result", "by"),
    "Reason": _text("result", "reason"),
}
RESULT, SCORE, EXTRA = "Result", "Score", "Extra"
#: The commands that are fields of a turn, and the one that holds what has no command.
COMMANDS: Mapping[str, TextField] = {
    "clk": TextField(("clock",), write_time, read_time),
    "emt": TextField(("seconds",), write_number, read_time),
    "at": _text("at"),
    "eval": TextField(("eval", "value"), write_number, read_number),
}
#: The fields of a turn that are no commands.
SPOKEN = frozenset({"turn", "comment", "nag", "variations"})
COMMAND_EXTRA = "extra"
KNOWN_COMMANDS = frozenset((*COMMANDS, COMMAND_EXTRA))
#: The tags by which PGN says that a game goes on from a position: a game read without it would be another one.
_OF_PGN = {"FEN": "is PGN's: write the position in the tag Setup, as a position text (docs/format.md)"}
#: Every tag with a meaning, by its name in small letters.
KNOWN = {name.lower(): name for name in (*_FIELDS, RESULT, SCORE, EXTRA, *_OF_PGN)}
#: Where the tags of programs that hexrec does not know are kept.
FOREIGN = "x-hgn"


def path_of(tag: str) -> Path:
    """Return where in a record the value of a tag is."""
    if tag in _FIELDS:
        return _FIELDS[tag].path
    return {RESULT: ("result", "winner"), SCORE: ("result", "score")}.get(tag, (FOREIGN, tag))


def decode(tag: str, text: str, game: object) -> Any:
    """Return the value of a tag in a record of a game. Raises UnreadableError."""
    if tag in _OF_PGN:
        raise UnreadableError("syntax/hgn-value", _OF_PGN[tag])
    if tag == SCORE:
        return _read_score(text, games.is_known(game) and games.get(str(game)).score == "number")
    return _FIELDS[tag].decode(text) if tag in _FIELDS else text


def winner(token: str) -> dict[str, Any] | None:
    """Return the result that a game has with a token at its end, None while it is unfinished."""
    if token == UNFINISHED:
        return None
    won = RESULTS[token]
    return {} if won is None else {"winner": won}


def result_hint(text: str) -> str:
    """Return what to write for the result of another notation, to be put after a message; nothing for other texts."""
    return next((f": {hint}" for form, hint in _FOREIGN_RESULTS if form.fullmatch(text)), "")


def token(record: Mapping[str, Any]) -> str:
    """Return what stands at the end of a game."""
    result = record.get("result")
    if not isinstance(result, dict):
        return UNFINISHED
    return next((token for token, won in RESULTS.items() if result.get("winner") == won), "?")


def write(record: Mapping[str, Any]) -> tuple[Iterator[tuple[str, str]], dict[str, Any]]:
    """Return the tags of a record and what they do not say of it, its turns and its comment aside."""
    natural: dict[str, Any] = {"hexrec": "1"}
    written: list[tuple[str, str]] = []

    def add(tag: str, path: Path, encode: Callable[[Any], str | None]) -> None:
        value = get(record, path)
        text = None if value is None else encode(value)
        if text is not None:
            written.append((tag, text))
            put(natural, path, decode(tag, text, natural.get("game")))

    for tag, field in _FIELDS.items():
        if tag == "Termination":
            written.append((RESULT, token(record)))
            if (result := winner(token(record))) is not None:
                natural["result"] = result
        add(tag, field.path, field.encode)
    add(SCORE, path_of(SCORE), _write_score)
    foreign = record.get(FOREIGN)
    if isinstance(foreign, dict) and are_foreign(foreign, KNOWN):
        natural[FOREIGN] = foreign
        written.extend(foreign.items())
    whole = {name: value for name, value in record.items() if name not in ("moves", "comment")}
    return iter(written), difference(whole, natural)


def are_foreign(values: dict[str, Any], known: Container[str]) -> bool:
    """Return whether values are texts that can be written under their own names, of which none has a meaning here."""
    return bool(values) and all(
        TAG_NAME.fullmatch(name) and name.lower() not in known and isinstance(value, str)
        for name, value in values.items()
    )
