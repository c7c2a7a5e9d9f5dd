"""The result of an SGF game: `RE`, and `HR` as JSON if `RE` cannot represent it.

Values that contradict the result are errors. Records have scores, not margins: `x-sgf` preserves margins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from hexrec.formats.sgf.grammar import PropertyError, simple_value
from hexrec.formats.sgf.properties import NUMBER, Raw, read_json
from hexrec.rules import games
from hexrec.util.diagnostics import shorten

_WINNERS = {"B": "black", "W": "white"}
_TERMINATIONS = {"R": "resignation", "T": "time", "F": "forfeit"}
_RESULT = re.compile(r"([BW])\+(?:(R|T|F)(?:ESIGN|IME|ORFEIT)?|([0-9]+(?:\.[0-9]+)?)|)")


def check_result(raw: Raw, result: Any, source: str) -> None:
    """Raise PropertyError if values of `RE` or `HR` contradict the result, which comes from `RE` or from `source`."""
    texts = [simple_value(value) for value in raw.get("RE", ())]
    for index, text in enumerate(texts):
        if _contradicts(text, result) or _margin(text) not in (None, _margin(texts[0])):
            other = f"RE[{shorten(texts[0], 30)}]" if index else source
            message = f"RE[{shorten(text, 30)}] contradicts {other}: keep the result that is right"
            raise PropertyError("syntax/sgf-result", message, "RE", index)
    for index, value in enumerate(raw.get("HR", ())):
        if read_json({"HR": [value]}, "HR", object) != read_json(raw, "HR", object):
            message = "two values of HR contradict each other: keep the result that is right"
            raise PropertyError("syntax/sgf-result", message, "HR", index)


def _contradicts(text: str, result: Any) -> bool:
    """Return whether a value of `RE` contradicts a result. An unknown value does not."""
    meant = result_meaning(text)
    if meant is None or not isinstance(result, dict | None):
        return False
    stated = result or {}
    margin, difference = _margin(text), _difference(stated.get("score"))
    if margin is not None and difference and margin != float(difference):
        return True
    return any(stated.get(name) != value for name, value in meant.items())


def result_meaning(text: str) -> dict[str, Any] | None:
    """Return the result for a value of `RE`, or None if the value is unknown or has no result."""
    text = text.strip().upper()
    if text in ("0", "DRAW"):
        return {"winner": "draw"}
    if text == "VOID":
        return {"termination": "abandoned"}
    match = _RESULT.fullmatch(text)
    if not match:
        return None
    meant = {"winner": _WINNERS[match[1]]}
    return meant | {"termination": _TERMINATIONS[match[2]]} if match[2] else meant


class Margin(NamedTuple):
    """A win by a number of points, recorded in place of the scores.

    Attributes:
        winner: the color of the winner.
        value: the difference of the scores.
        written: the margin as written in the record, for messages.
    """

    winner: str
    value: float
    written: str


def kept_margins(data: Mapping[str, Any]) -> list[Margin]:
    """Return the margins that a record preserves in `x-sgf`, from values of `RE`; none in games without margins."""
    kept = data.get("x-sgf")
    if kept is None or not games.is_known(data.get("game")) or games.get(data["game"]).score != "number":
        return []
    values = kept.get("RE") if isinstance(kept, dict) else None
    texts = [simple_value(value) for value in values if isinstance(value, str)] if isinstance(values, list) else []
    return [margin for margin in map(read_margin, texts) if margin]


def read_margin(text: str) -> Margin | None:
    """Return the margin of the win in a value of `RE`, or None if it has no margin."""
    match = _RESULT.fullmatch(text.strip().upper())
    if match is None or not match[3]:
        return None
    return Margin(_WINNERS[match[1]], float(match[3]), f"RE[{shorten(text.strip(), 30)}]")


def _margin(text: str) -> float | None:
    margin = read_margin(text)
    return margin and margin.value


def result_text(result: Any) -> str | None:
    """Return the value of `RE` that is closest to a result, or None without a result."""
    if not isinstance(result, dict):
        return None if result is None else "?"
    winner, termination = result.get("winner"), result.get("termination", "rules")
    if winner == "draw":
        return "0"
    if winner not in ("black", "white"):
        return "Void" if termination == "abandoned" else "?"
    letter = "B" if winner == "black" else "W"
    short = next((key for key, value in _TERMINATIONS.items() if value == termination), "")
    return f"{letter}+{short}" if short else f"{letter}+{_difference(result.get('score'))}"


def _difference(score: Any) -> str:
    """Return the margin of the win as SGF writes it, or an empty string if the scores are arrays."""
    try:
        text = f"{abs(score['black'] - score['white']):g}"
    except (TypeError, KeyError, OverflowError):
        return ""
    return text if NUMBER.fullmatch(text) and text != "0" else ""
