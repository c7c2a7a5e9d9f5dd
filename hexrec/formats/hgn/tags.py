"""Tags and commands of HGN: each is a field of a record, or preserved as that of another program.

The tables name the functions that convert each value to a string and back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from decimal import Decimal
from typing import Any

from hexrec.formats.field_table import Path, TextField, difference, get, set_path
from hexrec.formats.hgn.grammar import TAG_NAME
from hexrec.rules import games
from hexrec.util.diagnostics import shorten

COLORS = {"B": "black", "W": "white"}
_STONE = re.compile(r"(?P<color>[BW]):(?P<value>[^ \t]+)")
#: One or two cells without colors.
_BARE_CELLS = re.compile(r"([a-zA-Z]{1,2}[0-9]{1,2})(?:[ \t,;/]+([a-zA-Z]{1,2}[0-9]{1,2}))?")
_ENTRY = re.compile(r"(?P<color>[BW]):(?P<value>[^ \t]*)")
_ILLEGAL = re.compile(r"(?P<color>[BW])(?::(?P<turn>[^ \t]+))?")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_SECONDS = r"(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?"
_COUNT = "[1-9][0-9]{0,8}"
_STAGE = re.compile(
    rf"(?:(?P<turns>{_COUNT})/)?(?:(?P<periods>{_COUNT})x)?(?P<seconds>{_SECONDS})"
    rf"(?:\+(?P<increment>{_SECONDS}))?(?:d(?P<delay>{_SECONDS}))?|(?P<per_turn>{_SECONDS})/turn"
)
_PARTS_OF_STAGES = ("turns", "seconds", "increment", "delay", "periods", "per_turn")
_JSON_TEXT = r'"(?:[^"\\]|\\.)*+"'
_MARK = re.compile(
    r' *(?P<kind>[a-z]+)(?P<cells>(?>(?: +[^ ;="]++(?!=))+))'
    rf"(?: +text=(?P<text>{_JSON_TEXT}))?(?: +color=(?P<color>{_JSON_TEXT}))? *(?:;(?= *[a-z])|$)"
)
_MARK_OPTIONS = ("text", "color")
_TIME = re.compile(r"([0-9]{1,9}):([0-5]?[0-9]):([0-5]?[0-9](?:\.[0-9]+)?)")


class UnreadableError(ValueError):
    """A tag or command whose value is malformed."""

    def __init__(self, message: str, code: str = "syntax/hgn-value") -> None:
        super().__init__(message)
        self.code = code


def read_number(text: str) -> Any:
    """Parse a number without rounding, or return other text unchanged. Raises UnreadableError."""
    try:
        if _INTEGER.fullmatch(text):
            return int(text)
        value = float(text) if _DECIMAL.fullmatch(text) else None
    except ValueError:  # more digits than Python turns into an integer
        value = float("inf")
    if value is None:
        return text
    if value == float("inf") or value == -float("inf"):
        raise UnreadableError("this is too large a number", "syntax/number")
    return value


def _write_time(seconds: float) -> str:
    """Format seconds as hours, minutes and seconds, or as a number if that would be less readable."""
    if type(seconds) is int and 0 <= seconds < 1e9:
        seconds_text = str(seconds % 60)
    elif type(seconds) is float and 1e-6 < seconds < 1e9 and not seconds.is_integer():
        seconds_text = f"{Decimal(repr(seconds)) % 60:f}"
    else:
        return json.dumps(seconds)
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{seconds_text if seconds_text[1:2].isdigit() else f'0{seconds_text}'}"


def _read_time(text: str) -> Any:
    """Parse a time into seconds without rounding, or return other text unchanged. Raises UnreadableError."""
    match = _TIME.fullmatch(text)
    if match is None:
        return read_number(text)
    hours, minutes, seconds = match.groups()
    whole, _, fraction = seconds.partition(".")
    total = (int(hours) * 60 + int(minutes)) * 60 + int(whole)
    return float(f"{total}.{fraction}") if fraction else total


def _read_flag(text: str) -> Any:
    return {"true": True, "false": False}.get(text, text)


def _write_stage(stage: dict[str, Any]) -> str:
    if "per_turn" in stage:
        return f"{stage['per_turn']!r}/turn"
    signs = (("turns", "", "/"), ("periods", "", "x"), ("seconds", "", ""), ("increment", "+", ""), ("delay", "d", ""))
    return "".join(f"{before}{stage[name]!r}{after}" for name, before, after in signs if name in stage)


def _read_stages(text: str) -> list[dict[str, Any]]:
    """Parse the stages of a time control, in an extension of the PGN syntax. Raises UnreadableError."""
    stages = []
    for part in text.split(":"):
        match = _STAGE.fullmatch(part)
        if match is None:
            raise UnreadableError('should be stages in seconds, such as "40/5400+30:900d5:3x30" or "259200/turn"')
        stages.append({name: read_number(match[name]) for name in _PARTS_OF_STAGES if match[name]})
    return stages


def _read_words(text: str) -> list[str]:
    return list(filter(None, text.split(" ")))


def _read_list(text: str) -> list[str]:
    return [item.strip(" \t") for item in text.split(",")] if text else []


def _write_mark(mark: dict[str, Any]) -> str:
    options = (f"{name}={json.dumps(mark[name], ensure_ascii=False)}" for name in _MARK_OPTIONS if name in mark)
    return " ".join([mark["kind"], *mark["cells"], *options])


def _read_marks(text: str) -> list[dict[str, Any]]:
    """Parse marks: the kind, cells, text and color of each. Raises UnreadableError."""
    marks = []
    at = 0
    while at == 0 or at < len(text):
        match = _MARK.match(text, at)
        if match is None:
            demand = 'should be marks, such as circle e5 e6; arrow e5 e8 color="red"; label e5 text="A"'
            raise UnreadableError(demand)
        mark: dict[str, Any] = {"kind": match["kind"], "cells": match["cells"].split()}
        for name in filter(match.group, _MARK_OPTIONS):
            try:
                mark[name] = json.loads(match[name])
            except ValueError:
                raise UnreadableError(f"{name}={shorten(match[name], 30)} should be a JSON string") from None
        marks.append(mark)
        at = match.end()
    return marks


def _write_stones(stones: dict[str, str]) -> str | None:
    """Format opening stones, or return None if that would lose data."""
    cells = [(short, stones[color]) for short, color in COLORS.items() if color in stones]
    text = " ".join(f"{short}:{cell}" for short, cell in cells)
    return text if cells and [match.groups() for match in _STONE.finditer(text)] == cells else None


def match_stones(text: str) -> dict[str, re.Match[str]]:
    """Return the matches of the opening stones in a text, by color. Raises UnreadableError."""
    demand = 'should name the opening stones by color, such as "B:e5 W:k9"'
    cells = _BARE_CELLS.fullmatch(text.strip())
    if cells:
        white = f" W:{cells[2]}" if cells[2] else ""
        demand += f': write [Opening "B:{cells[1]}{white}"] if Black\'s is on {cells[1]}'
    return _by_color(_STONE, text, demand)


def match_scores(text: str) -> dict[str, re.Match[str]]:
    """Return the matches of the scores in a text, by color. Raises UnreadableError."""
    return _by_color(_ENTRY, text, 'should give a score for each color, such as "B:22 W:27,6,1"')


def _by_color(part: re.Pattern[str], text: str, demand: str) -> dict[str, re.Match[str]]:
    matches: dict[str, re.Match[str]] = {}
    at = 0
    while at < len(text):
        match = part.match(text, at)
        if match is None or COLORS[match["color"]] in matches:
            break
        matches[COLORS[match["color"]]] = match
        at = match.end() + 1
    if at < len(text) or not matches:
        raise UnreadableError(demand)
    return matches


def _write_illegal(illegal: dict[str, Any]) -> str | None:
    short = next((short for short, color in COLORS.items() if color == illegal.get("by")), "")
    text = f"{short}:{illegal['turn']}" if "turn" in illegal else short
    return text if _ILLEGAL.fullmatch(text) else None


def _read_illegal(text: str) -> dict[str, Any]:
    """Parse the turn that lost a game, or only its player. Raises UnreadableError."""
    match = _ILLEGAL.fullmatch(text)
    if match is None:
        raise UnreadableError('should name the player and the illegal turn, such as "B:k9", or "B"')
    return {**({"turn": match["turn"]} if match["turn"] else {}), "by": COLORS[match["color"]]}


def _write_score(score: dict[str, Any]) -> str:
    entries = ((short, score[color]) for short, color in COLORS.items())
    return " ".join(f"{short}:{json.dumps(entry, separators=(',', ':')).strip('[]')}" for short, entry in entries)


def _read_score(text: str, as_number: bool) -> dict[str, Any]:
    """Parse a score into numbers or arrays. Raises UnreadableError."""

    def value(entry: str) -> Any:
        if as_number and "," not in entry:
            return read_number(entry)
        return [read_number(part) for part in entry.split(",")] if entry else []

    return {color: value(match["value"]) for color, match in match_scores(text).items()}


UNFINISHED = "*"
#: Result by the token at the end of a game; `?` ends a game without a winner, and an unfinished game has no result.
RESULTS: Mapping[str, dict[str, Any] | None] = {
    "B+": {"winner": "black"},
    "W+": {"winner": "white"},
    "=": {"winner": "draw"},
    "?": {},
    UNFINISHED: None,
}
#: Explanation of the tokens for messages, and the results of other formats with the fix.
RESULT_FORMS = "B+ (Black won), W+ (White won), = (a draw), ? (ended without a winner) or * (unfinished)"
_FOREIGN_RESULTS = (
    (re.compile("1[-:]0|0[-:]1"), "in chess, White moves first: write W+ if White won, and B+ if Black did"),
    (re.compile(r"(?:1/2|½|0\.5)[-:](?:1/2|½|0\.5)"), "write ="),
    (re.compile(r"[Bb]\+\S*"), "write B+, and how the game ended in the tags Termination and Score"),
    (re.compile(r"[Ww]\+\S*"), "write W+, and how the game ended in the tags Termination and Score"),
)


def _text(*path: str) -> TextField:
    return TextField(path, str, str)


def _game_name(text: str) -> str:
    return games.find(text) or text


#: The tags for one field each, in the order of the writer.
_FIELDS: Mapping[str, TextField] = {
    "Game": TextField(("game",), lambda name: games.get(name).title, _game_name),
    "Ruleset": _text("ruleset"),
    "Variant": _text("variant"),
    "Readings": TextField(("readings",), ", ".join, _read_list),
    "Size": TextField(("size",), json.dumps, read_number),
    "Coordinates": _text("coordinates"),
    "Id": _text("id"),
    "Url": _text("url"),
    "Event": _text("event"),
    "Site": _text("site"),
    "Date": _text("date"),
    "EndDate": _text("date_end"),
    "Round": _text("round"),
    "Stage": _text("stage"),
    "Board": _text("board"),
    "Rated": TextField(("rated",), json.dumps, _read_flag),
    "Language": _text("language"),
    "TimeControl": TextField(("time_control",), lambda stages: ":".join(map(_write_stage, stages)), _read_stages),
    **{
        f"{color.capitalize()}{suffix}": TextField(("players", color, name), *codec)
        for color in COLORS.values()
        for suffix, name, *codec in (
            ("", "name", str, str),
            ("Id", "id", str, str),
            ("Rating", "rating", json.dumps, read_number),
            ("Title", "title", str, str),
            ("Team", "team", str, str),
            ("Country", "country", str, str),
            ("Bot", "bot", json.dumps, _read_flag),
        )
    },
    "Opening": TextField(
        ("opening",),
        _write_stones,
        lambda text: {color: match["value"] for color, match in match_stones(text).items()},
    ),
    "Setup": _text("setup"),
    "Pie": _text("pie", "chosen"),
    "Annotator": _text("annotator"),
    "Source": _text("source"),
    "Tags": TextField(("tags",), ", ".join, _read_list),
    "Termination": _text("result", "termination"),
    "Illegal": TextField(("result", "illegal"), _write_illegal, _read_illegal),
    "DecidedBy": _text("result", "by"),
    "Reason": _text("result", "reason"),
}
RESULT, SCORE, EXTRA = "Result", "Score", "Extra"
#: The commands in comments before the first turn, which are fields of the record.
HEAD_COMMANDS: Mapping[str, TextField] = {
    "marks": TextField(("marks",), lambda marks: "; ".join(map(_write_mark, marks)), _read_marks)
}
#: The commands for fields of a turn.
COMMANDS: Mapping[str, TextField] = {
    "clk": TextField(("clock",), _write_time, _read_time),
    "emt": TextField(("seconds",), json.dumps, _read_time),
    "at": _text("at"),
    "eval": TextField(("eval", "value"), json.dumps, read_number),
    "depth": TextField(("eval", "depth"), json.dumps, read_number),
    "engine": _text("eval", "engine"),
    "pv": TextField(("eval", "line"), " ".join, _read_words),
    "takeback": TextField(("taken_back",), " ".join, _read_words),
    **HEAD_COMMANDS,
}
#: The fields of a record without a tag, and those of a turn without a command.
FIELDS_WITHOUT_TAGS = frozenset({"moves", "comment"})
FIELDS_WITHOUT_COMMANDS = frozenset({"turn", "comment", "nag", "variations"})
COMMAND_EXTRA = "extra"
KNOWN_COMMANDS = frozenset((*COMMANDS, COMMAND_EXTRA))
#: Every tag of the format, by its name in lowercase.
KNOWN = {name.lower(): name for name in (*_FIELDS, RESULT, SCORE, EXTRA)}
#: The extension field that preserves the tags of other programs.
FOREIGN = "x-hgn"


def path_of(tag: str) -> Path:
    """Return the path of the value of a tag in a record."""
    if tag in _FIELDS:
        return _FIELDS[tag].path
    return {RESULT: ("result", "winner"), SCORE: ("result", "score")}.get(tag, (FOREIGN, tag))


def decode(tag: str, text: str, game: object) -> Any:
    """Return the value for a tag in a record of a game. Raises UnreadableError."""
    if tag == SCORE:
        return _read_score(text, games.is_known(game) and games.get(str(game)).score == "number")
    return _FIELDS[tag].decode(text) if tag in _FIELDS else text


def result_hint(text: str) -> str:
    """Return the fix for the result of another format, to append to a message, or an empty string."""
    return next((f": {hint}" for form, hint in _FOREIGN_RESULTS if form.fullmatch(text)), "")


def end_token(record: Mapping[str, Any]) -> str:
    """Return the token for the end of a game."""
    if "result" not in record:
        return UNFINISHED
    claim = {name: value for name, value in record["result"].items() if name == "winner"}
    return next(token for token, claimed in RESULTS.items() if claimed == claim)


def write(record: Mapping[str, Any]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the tags and the commands for a record, each with its value, without its turns and its comment."""
    natural: dict[str, Any] = {"hexrec": "1"}
    written: list[tuple[str, str]] = []
    for tag, field in _FIELDS.items():
        if tag == "Termination":
            written.append((RESULT, end_token(record)))
            if (result := RESULTS[end_token(record)]) is not None:
                natural["result"] = dict(result)
        written += _represent({tag: field}, record, natural)
    score = TextField(path_of(SCORE), _write_score, lambda text: decode(SCORE, text, natural.get("game")))
    written += _represent({SCORE: score}, record, natural)
    commands = _represent(HEAD_COMMANDS, record, natural)
    written += _represent_rest(record, natural, FIELDS_WITHOUT_TAGS, KNOWN, EXTRA)
    return written, commands


def write_turn(move: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the commands for a turn, each with its value, without its comment, its glyphs and its variations."""
    natural: dict[str, Any] = {}
    commands = _represent(COMMANDS, move, natural)
    return commands + _represent_rest(move, natural, FIELDS_WITHOUT_COMMANDS, KNOWN_COMMANDS, COMMAND_EXTRA)


def _represent(table: Mapping[str, TextField], part: Mapping[str, Any], data: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the tags or commands for a part of a record, and add the data that they represent to `data`.

    An array is left out if its text would lose anything.
    """
    written = []
    for name, field in table.items():
        value = get(part, field.path)
        text = None if value is None else field.encode(value)
        if text is None or (isinstance(value, list) and not _is_lossless(field, text, value)):
            continue
        written.append((name, text))
        set_path(data, field.path, field.decode(text))
    return written


def _is_lossless(field: TextField, text: str, value: list[Any]) -> bool:
    """Return whether a text is not empty and reads as exactly the given value."""
    try:
        return bool(text) and repr(field.decode(text)) == repr(value)
    except UnreadableError:
        return False


def _represent_rest(
    part: Mapping[str, Any], natural: dict[str, Any], elsewhere: Container[str], known: Container[str], extra: str
) -> list[tuple[str, str]]:
    """Return the tags or commands of other programs, and the one named `extra` for data that is not in `natural`.

    Fields in `elsewhere` are left out. Names in `known` are not those of another program.
    """
    leftovers = difference({name: value for name, value in part.items() if name not in elsewhere}, natural)
    foreign = leftovers.get(FOREIGN)
    written: list[tuple[str, str]] = []
    if isinstance(foreign, dict) and _are_foreign(foreign, known):
        written += leftovers.pop(FOREIGN).items()
    if leftovers:
        written.append((extra, json.dumps(leftovers, ensure_ascii=False)))
    return written


def _are_foreign(texts: dict[str, Any], known: Container[str]) -> bool:
    """Return whether an object has only strings, with names that are allowed and not known."""
    return bool(texts) and all(
        TAG_NAME.fullmatch(name) and name.lower() not in known and isinstance(text, str) for name, text in texts.items()
    )
