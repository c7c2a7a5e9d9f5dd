"""Convert the main time and overtime of SGF, `TM` and `OT`, to the stages of a time control, and stages to these.

`OT` is free text. The reader supports the forms that servers write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hexrec.formats.sgf.grammar import simple_value

_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,6})?"
_MAIN = re.compile(_NUMBER)
_WITH_MAIN = re.compile(rf"({_NUMBER})[ \t]+(?:(fischer)|(delay))", re.IGNORECASE)
_COUNT = "[1-9][0-9]{0,5}"
_AFTER_MAIN = re.compile(
    rf"({_COUNT})[ \t]*x[ \t]*({_NUMBER})[ \t]+byo-?yomi"
    rf"|({_COUNT})/({_NUMBER})[ \t]+canadian|({_NUMBER})[ \t]+simple",
    re.IGNORECASE,
)
NAMES = frozenset({"TM", "OT"})


def read_time(raw: Mapping[str, list[str]], data: dict[str, Any]) -> set[str]:
    """Add the time control of `TM` and `OT` to the data; return the names of the properties used."""
    main = simple_value(raw["TM"][0]).strip() if "TM" in raw else None
    over = simple_value(raw["OT"][0]).strip() if "OT" in raw else None
    stages = _stages(main, over)
    if not stages:
        return set()
    data["time_control"] = stages
    return {*raw} & NAMES


def _stages(main: str | None, over: str | None) -> list[dict[str, Any]] | None:
    if main is not None and not _MAIN.fullmatch(main):
        return None
    stages: list[dict[str, Any]] = [] if main is None else [{"seconds": _number(main)}]
    if over is None:
        return stages
    if main is not None and (match := _WITH_MAIN.fullmatch(over)):
        return [{**stages[0], "increment" if match[2] else "delay": _number(match[1])}]
    if match := _AFTER_MAIN.fullmatch(over):
        if match[1]:
            return [*stages, {"seconds": _number(match[2]), "periods": int(match[1])}]
        if match[3]:
            return [*stages, {"turns": int(match[3]), "seconds": _number(match[4])}]
        return [*stages, {"per_turn": _number(match[5])}]
    return None


def _number(text: str) -> float:
    return float(text) if "." in text else int(text)


def write_time(stages: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return properties for a time control: all of it, or else only the main time, if it has one."""
    has_main = bool(stages) and "seconds" in stages[0] and stages[0].keys().isdisjoint({"turns", "periods"})
    main, overtime = (stages[0], stages[1:]) if has_main else ({}, stages)
    texts = (("TM", _text(main.get("seconds"))), ("OT", _overtime(main, overtime)))
    written = {name: text for name, text in texts if text}
    if _stages(written.get("TM"), written.get("OT")) is None:  # the overtime has a number that SGF cannot represent
        del written["OT"]
    return {name: [text] for name, text in written.items()}


def _overtime(main: dict[str, Any], overtime: list[dict[str, Any]]) -> str:
    for name, word in (("increment", "fischer"), ("delay", "delay")):
        if main.keys() == {"seconds", name} and not overtime:
            return f"{_text(main[name])} {word}"
    if len(overtime) != 1 or main.keys() - {"seconds"}:
        return ""
    (stage,) = overtime
    if stage.keys() == {"seconds", "periods"}:
        return f"{stage['periods']}x{_text(stage['seconds'])} byo-yomi"
    if stage.keys() == {"turns", "seconds"}:
        return f"{stage['turns']}/{_text(stage['seconds'])} canadian"
    return f"{_text(stage['per_turn'])} simple" if stage.keys() == {"per_turn"} else ""


def _text(number: float | None) -> str:
    text = "" if number is None else repr(number)
    return text if _MAIN.fullmatch(text) else ""
