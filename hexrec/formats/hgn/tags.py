"""Tags and commands of HGN: each is a field of a record, or preserved as that of another program."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Mapping
from typing import Any

from hexrec.formats.field_table import Path, TextField, difference, get, set_path
from hexrec.formats.hgn import values
from hexrec.formats.hgn.grammar import TAG_NAME
from hexrec.rules import games

#: Winner by the token at the end of a game; `?` ends a game without a winner. `*` marks an unfinished game.
RESULTS = {"B+": "black", "W+": "white", "=": "draw", "?": None}
UNFINISHED = "*"
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
    return next((name for name in games.names() if text.casefold() in (name, games.get(name).title.casefold())), text)


#: The tags for one field each, in the order of the writer.
_FIELDS: Mapping[str, TextField] = {
    "Game": TextField(("game",), lambda name: games.get(name).title, _game_name),
    "Ruleset": _text("ruleset"),
    "Variant": _text("variant"),
    "Size": TextField(("size",), json.dumps, values.read_number),
    "Coordinates": _text("coordinates"),
    "Id": _text("id"),
    "Event": _text("event"),
    "Site": _text("site"),
    "Date": _text("date"),
    "EndDate": _text("date_end"),
    "Round": _text("round"),
    "Stage": _text("stage"),
    "Board": _text("board"),
    "Rated": TextField(("rated",), json.dumps, values.read_flag),
    "Language": _text("language"),
    "TimeControl": TextField(("time_control",), values.write_stages, values.read_stages),
    **{
        f"{color.capitalize()}{suffix}": TextField(("players", color, name), *codec)
        for color in values.COLORS.values()
        for suffix, name, *codec in (
            ("", "name", str, str),
            ("Id", "id", str, str),
            ("Rating", "rating", json.dumps, values.read_number),
            ("Title", "title", str, str),
            ("Team", "team", str, str),
            ("Country", "country", str, str),
            ("Bot", "bot", json.dumps, values.read_flag),
        )
    },
    "Opening": TextField(
        ("opening",),
        values.write_stones,
        lambda text: {color: found["value"] for color, found in values.match_stones(text).items()},
    ),
    "Setup": _text("setup"),
    "Pie": _text("pie", "chosen"),
    "Annotator": _text("annotator"),
    "Source": _text("source"),
    "Tags": TextField(("tags",), ", ".join, values.read_list),
    "Termination": _text("result", "termination"),
    "DecidedBy": _text("result", "by"),
    "Reason": _text("result", "reason"),
}
RESULT, SCORE, EXTRA = "Result", "Score", "Extra"
#: The commands in comments before the first turn, which are fields of the record.
HEAD_COMMANDS: Mapping[str, TextField] = {"marks": TextField(("marks",), values.write_marks, values.read_marks)}
#: The commands for fields of a turn.
COMMANDS: Mapping[str, TextField] = {
    "clk": TextField(("clock",), values.write_time, values.read_time),
    "emt": TextField(("seconds",), json.dumps, values.read_time),
    "at": _text("at"),
    "eval": TextField(("eval", "value"), json.dumps, values.read_number),
    "depth": TextField(("eval", "depth"), json.dumps, values.read_number),
    "engine": _text("eval", "engine"),
    "pv": TextField(("eval", "line"), " ".join, values.read_words),
    "takeback": TextField(("taken_back",), " ".join, values.read_words),
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
        return values.read_score(text, games.is_known(game) and games.get(str(game)).score == "number")
    return _FIELDS[tag].decode(text) if tag in _FIELDS else text


def winner(token: str) -> dict[str, Any] | None:
    """Return the result for the token at the end of a game, or None if the game is unfinished."""
    if token == UNFINISHED:
        return None
    won = RESULTS[token]
    return {} if won is None else {"winner": won}


def result_hint(text: str) -> str:
    """Return the fix for the result of another format, to append to a message, or an empty string."""
    return next((f": {hint}" for form, hint in _FOREIGN_RESULTS if form.fullmatch(text)), "")


def end_token(record: Mapping[str, Any]) -> str:
    """Return the token for the end of a game."""
    if "result" not in record:
        return UNFINISHED
    return next(token for token, won in RESULTS.items() if record["result"].get("winner") == won)


def write(record: Mapping[str, Any]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the tags and the commands for a record, each with its value, without its turns and its comment."""
    natural: dict[str, Any] = {"hexrec": "1"}
    written: list[tuple[str, str]] = []
    for tag, field in _FIELDS.items():
        if tag == "Termination":
            written.append((RESULT, end_token(record)))
            if (result := winner(end_token(record))) is not None:
                natural["result"] = result
        written += _represent({tag: field}, record, natural)
    score = TextField(path_of(SCORE), values.write_score, lambda text: decode(SCORE, text, natural.get("game")))
    written += _represent({SCORE: score}, record, natural)
    commands = _represent(HEAD_COMMANDS, record, natural)
    foreign = record.get(FOREIGN)
    if isinstance(foreign, dict) and _are_foreign(foreign, KNOWN):
        natural[FOREIGN] = foreign
        written.extend(foreign.items())
    whole = {name: value for name, value in record.items() if name not in FIELDS_WITHOUT_TAGS}
    if leftovers := difference(whole, natural):
        written.append((EXTRA, json.dumps(leftovers, ensure_ascii=False)))
    return written, commands


def write_turn(move: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the commands for a turn, each with its value, without its comment, its glyphs and its variations."""
    natural: dict[str, Any] = {}
    commands = _represent(COMMANDS, move, natural)
    leftovers = difference(
        {name: value for name, value in move.items() if name not in FIELDS_WITHOUT_COMMANDS}, natural
    )
    foreign = leftovers.get(FOREIGN)
    if isinstance(foreign, dict) and _are_foreign(foreign, KNOWN_COMMANDS):
        commands += leftovers.pop(FOREIGN).items()
    if leftovers:
        commands.append((COMMAND_EXTRA, json.dumps(leftovers, ensure_ascii=False)))
    return commands


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
    except values.UnreadableError:
        return False


def _are_foreign(texts: dict[str, Any], known: Container[str]) -> bool:
    """Return whether an object has only strings, with names that are allowed and not known."""
    return bool(texts) and all(
        TAG_NAME.fullmatch(name) and name.lower() not in known and isinstance(text, str) for name, text in texts.items()
    )
