"""Values of tags and commands in HGN: convert strings to numbers, times, cells and marks, and these to strings."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from hexrec.util.diagnostics import shorten

COLORS = {"B": "black", "W": "white"}
_STONE = re.compile(r"(?P<color>[BW]):(?P<value>[^ \t]+)")
#: One or two cells without colors.
_BARE_CELLS = re.compile(r"([a-zA-Z]{1,2}[0-9]{1,2})(?:[ \t,;/]+([a-zA-Z]{1,2}[0-9]{1,2}))?")
_ENTRY = re.compile(r"(?P<color>[BW]):(?P<value>[^ \t]*)")
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
    rf"(?: +text=(?P<text>{_JSON_TEXT}))?(?: +colour=(?P<colour>{_JSON_TEXT}))? *(?:;(?= *[a-z])|$)"
)
_MARK_OPTIONS = ("text", "colour")
_TIME = re.compile(r"([0-9]{1,9}):([0-5]?[0-9]):([0-5]?[0-9](?:\.[0-9]+)?)")


class UnreadableError(ValueError):
    """A tag or command whose value is malformed."""

    def __init__(self, code: str, message: str) -> None:
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
        raise UnreadableError("syntax/number", "this is too large a number")
    return value


def write_time(seconds: float) -> str:
    """Format seconds as hours, minutes and seconds, or as a number if that would be less readable."""
    if type(seconds) is int and 0 <= seconds < 1e9:
        seconds_text = str(seconds % 60)
    elif type(seconds) is float and 1e-6 < seconds < 1e9 and not seconds.is_integer():
        seconds_text = f"{Decimal(repr(seconds)) % 60:f}"
    else:
        return json.dumps(seconds)
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{seconds_text if seconds_text[1:2].isdigit() else f'0{seconds_text}'}"


def read_time(text: str) -> Any:
    """Parse a time into seconds without rounding, or return other text unchanged. Raises UnreadableError."""
    match = _TIME.fullmatch(text)
    if match is None:
        return read_number(text)
    hours, minutes, seconds = match.groups()
    whole, _, fraction = seconds.partition(".")
    total = (int(hours) * 60 + int(minutes)) * 60 + int(whole)
    return float(f"{total}.{fraction}") if fraction else total


def read_flag(text: str) -> Any:
    """Parse true or false, or return other text unchanged."""
    return {"true": True, "false": False}.get(text, text)


def write_stages(stages: list[dict[str, Any]]) -> str:
    """Format the stages of a time control."""
    return ":".join(map(_write_stage, stages))


def _write_stage(stage: dict[str, Any]) -> str:
    if "per_turn" in stage:
        return f"{stage['per_turn']!r}/turn"
    signs = (("turns", "", "/"), ("periods", "", "x"), ("seconds", "", ""), ("increment", "+", ""), ("delay", "d", ""))
    return "".join(f"{before}{stage[name]!r}{after}" for name, before, after in signs if name in stage)


def read_stages(text: str) -> list[dict[str, Any]]:
    """Parse the stages of a time control, in an extension of the PGN syntax. Raises UnreadableError."""
    stages = []
    for part in text.split(":"):
        match = _STAGE.fullmatch(part)
        if match is None:
            demand = 'should be stages in seconds, such as "40/5400+30:900d5:3x30" or "259200/turn"'
            raise UnreadableError("syntax/hgn-value", demand)
        stages.append({name: read_number(match[name]) for name in _PARTS_OF_STAGES if match[name]})
    return stages


def read_words(text: str) -> list[str]:
    """Split a text at spaces."""
    return list(filter(None, text.split(" ")))


def read_list(text: str) -> list[str]:
    """Split a text at commas."""
    return [item.strip(" \t") for item in text.split(",")] if text else []


def write_marks(marks: list[dict[str, Any]]) -> str:
    """Format marks."""
    return "; ".join(map(_write_mark, marks))


def _write_mark(mark: dict[str, Any]) -> str:
    options = (f"{name}={json.dumps(mark[name], ensure_ascii=False)}" for name in _MARK_OPTIONS if name in mark)
    return " ".join([mark["kind"], *mark["cells"], *options])


def read_marks(text: str) -> list[dict[str, Any]]:
    """Parse marks: the kind, cells, text and color of each. Raises UnreadableError."""
    marks = []
    at = 0
    while at == 0 or at < len(text):
        match = _MARK.match(text, at)
        if match is None:
            demand = 'should be marks, such as circle e5 e6; arrow e5 e8 colour="red"; label e5 text="A"'
            raise UnreadableError("syntax/hgn-value", demand)
        mark: dict[str, Any] = {"kind": match["kind"], "cells": match["cells"].split()}
        for name in filter(match.group, _MARK_OPTIONS):
            try:
                mark[name] = json.loads(match[name])
            except ValueError:
                demand = f"{name}={shorten(match[name], 30)} should be a JSON string"
                raise UnreadableError("syntax/hgn-value", demand) from None
        marks.append(mark)
        at = match.end()
    return marks


def write_stones(stones: dict[str, str]) -> str | None:
    """Format opening stones, or return None if that would lose data."""
    given = [(short, stones[color]) for short, color in COLORS.items() if color in stones]
    text = " ".join(f"{short}:{cell}" for short, cell in given)
    return text if given and [match.groups() for match in _STONE.finditer(text)] == given else None


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
        raise UnreadableError("syntax/hgn-value", demand)
    return matches


def write_score(score: dict[str, Any]) -> str:
    """Format a score."""
    entries = ((short, score[color]) for short, color in COLORS.items())
    return " ".join(f"{short}:{json.dumps(entry, separators=(',', ':')).strip('[]')}" for short, entry in entries)


def read_score(text: str, as_number: bool) -> dict[str, Any]:
    """Parse a score into numbers or arrays. Raises UnreadableError."""

    def value(entry: str) -> Any:
        if as_number and "," not in entry:
            return read_number(entry)
        return [read_number(part) for part in entry.split(",")] if entry else []

    return {color: value(match["value"]) for color, match in match_scores(text).items()}
