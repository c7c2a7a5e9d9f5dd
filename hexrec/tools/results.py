"""Corrected results of records, from the computed result."""

from __future__ import annotations

from typing import Any

from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.rules.terms import Outcome


def recompute_result(data: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """Return the corrected result of a record, given its data and the computed result.

    Correct fields of the recorded result are preserved as written.
    """
    claim = data.get("result") or {}
    computed = _canonical(data, outcome)
    made = {name: value for name, value in claim.items() if name != "termination" or value == "rules"}
    made["winner"] = computed["winner"]
    if "score" in computed:
        score = made.get("score", {})
        wrong = {color: value for color, value in computed["score"].items() if score.get(color) != value}
        made["score"] = {**score, **wrong}
    first = [name for name in ("winner", "termination", "score") if name in made]
    return {name: made[name] for name in dict.fromkeys([*first, *made])}


def _canonical(data: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as the canonical result of a record."""
    record = read_record({**data, "moves": [], "result": outcome.as_data()})
    result: dict[str, Any] = canonical_form(record)["result"]
    return result
