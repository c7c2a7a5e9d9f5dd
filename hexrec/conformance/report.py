"""Reports on comparisons: text for each disagreement, and data on all of them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from hexrec import conformance
from hexrec.conformance.comparison import Comparison, Disagreement
from hexrec.conformance.documents import DocumentComparison, WrongAnswer
from hexrec.conformance.engine import PROTOCOL
from hexrec.util.escaping import shorten, visible
from hexrec.util.version import __version__

#: The maximum length of an answer or a message in text, in characters.
_LONGEST = 400


def describe(disagreement: Disagreement, engine: Sequence[str]) -> str:
    """Return the lines of a disagreement with an engine, which a command line starts."""
    lines = [
        f"{disagreement.source}: {shorten(disagreement.message, _LONGEST)}",
        f"  start:    {_to_text(disagreement.start)}",
        f"  turns:    {' '.join(disagreement.turns) or 'none'}",
        f"  position: {disagreement.position or 'none'}",
        *(f"    {row}" for row in (disagreement.board or "").splitlines()),
        f"  asked:    {_to_text(disagreement.request)}",
        f"  expected: {shorten(_to_text(disagreement.expected), _LONGEST)}",
    ]
    if disagreement.got is not None:
        lines.append(f"  got:      {shorten(_to_text(disagreement.got), _LONGEST)}")
    lines.append(f"  repeat:   {repeat(disagreement, engine)}")
    return "".join(f"{visible(line)}\n" for line in lines)


def describe_briefly(disagreement: Disagreement, engine: Sequence[str]) -> str:
    """Return a disagreement on one line."""
    message = shorten(disagreement.message, _LONGEST)
    return visible(f"{disagreement.source}: {message} (repeat: {repeat(disagreement, engine)})")


def describe_answer(answer: WrongAnswer) -> str:
    """Return a wrong answer on one line."""
    return visible(f"{answer.id} (clause {answer.clause}): {shorten(answer.message, _LONGEST)}")


def repeat(disagreement: Disagreement, engine: Sequence[str]) -> str:
    """Return the command that compares the game of a disagreement alone."""
    return shlex.join(["hexrec", "conformance", "--only", disagreement.source, *engine])


def report_data(
    comparison: Comparison, name: str, engine: Sequence[str], disagreements: Sequence[Disagreement]
) -> dict[str, Any]:
    """Return the report on a comparison with an engine of some name as data for JSON."""
    rules = [{"game": known.game, "ruleset": known.ruleset, "variant": known.variant} for known in comparison.rules]
    totals = {"requests": comparison.requests, "failures": comparison.failures, "given_up": comparison.given_up}
    return {
        "hexrec": __version__,
        "protocol": PROTOCOL,
        "kit": conformance.VERSION,
        "engine": name,
        "rules": rules,
        "summary": {"games": comparison.games, "disagreements": len(disagreements), **totals},
        "disagreements": [{**asdict(each), "repeat": repeat(each, engine)} for each in disagreements],
    }


def document_data(comparison: DocumentComparison, name: str, wrong: Sequence[WrongAnswer]) -> dict[str, Any]:
    """Return the report on a comparison with a validator of some name as data for JSON."""
    counts = {"cases": comparison.requests, "wrong": len(wrong), "failures": comparison.failures}
    return {
        "hexrec": __version__,
        "protocol": PROTOCOL,
        "validator": name,
        "summary": {**counts, "given_up": comparison.given_up},
        "wrong": [asdict(answer) for answer in wrong],
    }


def _to_text(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False)
