"""Results: the one that a replay computes, and its differences from the recorded one."""

from __future__ import annotations

from typing import Any

from hexrec.formats.field_table import get
from hexrec.record.game_shapes import record_shape
from hexrec.rules import games
from hexrec.rules.terms import Outcome
from hexrec.rules.view import outcome_of
from hexrec.tools.repairs.line import Correction, Line
from hexrec.util.diagnostics import shorten

#: The parts of a result in words, by path.
_RESULT_PARTS: dict[tuple[str, ...], str] = {
    ("winner",): "winner",
    ("termination",): "termination",
    ("score", "black"): "score of Black",
    ("score", "white"): "score of White",
}

#: The costs of a result with one wrong part, and of each further one.
_PART, _FURTHER = 4.0, 3.0


def recomputed(data: dict[str, Any], line: Line) -> Correction | None:
    """Return the record with the computed result, if all turns are legal and the rules ended the game, else None."""
    claim = data.get("result")
    if line.end < len(line.turns) or not isinstance(claim, dict) or line.claim is None:
        return None
    line.grid.restore(line.state(line.end))
    outcome = outcome_of(line.record.rules, line.grid)
    if outcome is None:
        return None
    result = recompute_result(data, outcome)
    wrong = replaced_parts(claim, {"termination": "rules", **result})
    if not wrong:
        return None
    words = f"write the computed result, {describe_replaced(data, result)}"
    return Correction(_PART + _FURTHER * (len(wrong) - 1), words, (), {"result": result}, is_clear=False)


def recompute_result(data: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """Return the corrected result of a record, given its data and the computed result.

    Correct fields of the recorded result are preserved as written.
    """
    claim = data.get("result") or {}
    computed = record_shape(games.get(data["game"])).parts["result"].normalize(outcome.as_data())
    result = {name: value for name, value in claim.items() if name != "termination" or value == "rules"}
    result["winner"] = computed["winner"]
    if "score" in computed:
        score = result.get("score", {})
        wrong = {color: value for color, value in computed["score"].items() if score.get(color) != value}
        result["score"] = {**score, **wrong}
    first = [name for name in ("winner", "termination", "score") if name in result]
    return {name: result[name] for name in dict.fromkeys([*first, *result])}


#: A part of a result: its path, the recorded value and the computed value.
_Replaced = tuple[tuple[str, ...], Any, Any]


def replaced_parts(claim: dict[str, Any], result: dict[str, Any]) -> list[_Replaced]:
    """Return the parts of a recorded result that differ from those of a computed result."""
    parts = [(path, get(claim, path), get(result, path)) for path in _RESULT_PARTS]
    return [(path, old, new) for path, old, new in parts if old is not None and old != new]


def describe_replaced(data: dict[str, Any], result: dict[str, Any]) -> str:
    """Return the replaced parts of a record's result, given the new result: ``winner white (was black)``."""
    parts = replaced_parts(data.get("result") or {}, {"termination": "rules", **result})
    words = [f"{_RESULT_PARTS[path]} {new} (was {shorten(str(old))})" for path, old, new in parts]
    from hexrec.formats.sgf.result import kept_margins  # only SGF has margins

    if "score" in result and (margins := [margin.written for margin in kept_margins(data)]):
        score = result["score"]
        words.append(f"score Black {score['black']}, White {score['white']} (was {', '.join(margins)})")
    return ", ".join(words)
