"""The time control of an SGF game: the main time `TM` and the overtime `OT`.

Overtime is free text: the reader supports the forms that servers write.
"""

from __future__ import annotations

import re
from typing import Any

from hexrec.formats.sgf.grammar import simple_value
from hexrec.formats.sgf.properties import Raw

TIME = ("TM", "OT")
_SECONDS = r"[0-9]{1,9}(?:\.[0-9]{1,6})?"
_COUNT = "[1-9][0-9]{0,5}"
#: The forms of `OT` for a stage by its fields, each as a pattern and as it is written. The first two need a main time.
_OVERTIME = {
    ("increment",): (rf"(?P<increment>{_SECONDS})[ \t]+fischer", "{increment} fischer"),
    ("delay",): (rf"(?P<delay>{_SECONDS})[ \t]+delay", "{delay} delay"),
    ("seconds", "periods"): (
        rf"(?P<periods>{_COUNT})[ \t]*x[ \t]*(?P<seconds>{_SECONDS})[ \t]+byo-?yomi",
        "{periods}x{seconds} byo-yomi",
    ),
    ("turns", "seconds"): (rf"(?P<turns>{_COUNT})/(?P<seconds>{_SECONDS})[ \t]+canadian", "{turns}/{seconds} canadian"),
    ("per_turn",): (rf"(?P<per_turn>{_SECONDS})[ \t]+simple", "{per_turn} simple"),
}


def read_time(raw: Raw, data: dict[str, Any]) -> set[str]:
    """Add the time control of `TM` and `OT` to the data; return the names of the properties used."""
    main, overtime = (simple_value(raw[name][0]).strip() if name in raw else None for name in TIME)
    stages = _stages(main, overtime)
    if not stages:
        return set()
    data["time_control"] = stages
    return {*raw} & {*TIME}


def _stages(main: str | None, overtime: str | None) -> list[dict[str, Any]] | None:
    """Return the stages of a time control, or None for a text of another form."""
    if main is not None and not re.fullmatch(_SECONDS, main):
        return None
    stages = [] if main is None else [{"seconds": _read_seconds(main)}]
    if overtime is None:
        return stages
    for fields, (form, _) in _OVERTIME.items():
        if match := re.fullmatch(form, overtime, re.IGNORECASE):
            stage = {name: _read_seconds(match[name]) for name in fields}
            if not stage.keys() <= {"increment", "delay"}:
                return [*stages, stage]
            return [stages[0] | stage] if stages else None
    return None


def _read_seconds(text: str) -> float:
    return float(text) if "." in text else int(text)


def write_time(stages: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return properties for a time control: all of it, or else only the main time, if it has one."""
    written = {}
    if stages and "seconds" in stages[0] and stages[0].keys().isdisjoint({"turns", "periods"}):
        added = {name: value for name, value in stages[0].items() if name != "seconds"}
        if re.fullmatch(_SECONDS, main := str(stages[0]["seconds"])):
            written["TM"] = main
        stages = [added, *stages[1:]] if added else stages[1:]
    form = _OVERTIME.get(tuple(stages[0])) if len(stages) == 1 else None
    if form is not None:
        written["OT"] = form[1].format(**stages[0])
        if _stages(written.get("TM"), written["OT"]) is None:  # it has a number that SGF cannot represent
            del written["OT"]
    return {name: [text] for name, text in written.items()}
