"""Whether the data of a record is plain and valid."""

from __future__ import annotations

import re
from typing import Any

from hexrec import games, kernel
from hexrec._version import FORMAT_VERSION
from hexrec.dates import DATE
from hexrec.games import COLOURS, Game, Outcome, RuleError

_TEXTS = ("event", "site", "round", "annotator", "source", "comment")
_FIELDS = frozenset(
    (
        "hexrec",
        "id",
        "game",
        "ruleset",
        "variant",
        "size",
        "coordinates",
        "opening",
        "moves",
        "players",
        "date",
        "result",
        *_TEXTS,
    )
)
_TERMINATIONS = ("resignation", "time", "forfeit", "agreement", "adjudication", "abandoned")


def plies_if_valid(data: Any, *, finished: bool = False) -> int | None:
    """Return the number of turns in a plain, valid record; with `finished`, in one that has a result.

    None says nothing but that the record has to go the full way.
    """
    if not isinstance(data, dict) or not _has_plain_fields(data):
        return None
    rules = games.get(data["game"])
    if not _fits(data, rules):
        return None
    try:
        outcome = _played(data, rules)
    except RuleError:
        return None
    valid = _agrees(data["result"], outcome) if "result" in data else not finished
    return len(data["moves"]) if valid else None


def _has_plain_fields(data: dict[str, Any]) -> bool:
    """Return whether there are all fields, and only those that can be judged here."""
    return (
        all(name in _FIELDS or (name.startswith("x-") and _is_scalar(value)) for name, value in data.items())
        and data.get("hexrec") == FORMAT_VERSION
        and data.get("game") in games.BUILT_IN
        and type(data.get("size")) is int
        and isinstance(data.get("moves"), list)
        and {*map(type, data["moves"])} <= {str}
        and all(isinstance(data.get(name, ""), str) for name in ("id", *_TEXTS))
        and ("date" not in data or (isinstance(data["date"], str) and re.search(DATE, data["date"]) is not None))
        and _has_plain_players(data.get("players", {}))
    )


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | bool | int | float)


def _has_plain_players(players: Any) -> bool:
    return (
        isinstance(players, dict)
        and players.keys() <= set(COLOURS)
        and all(
            isinstance(player, dict)
            and player.keys() <= {"name", "id"}
            and all(isinstance(value, str) for value in player.values())
            for player in players.values()
        )
    )


def _fits(data: dict[str, Any], rules: Game) -> bool:
    """Return whether the values are among those that the game allows."""
    opening = data.get("opening", {})
    ruleset = data.get("ruleset", rules.rulesets[0])
    return (
        ruleset in rules.rulesets
        and data["size"] in rules.ruleset(ruleset).sizes
        and ("variant" not in data or data["variant"] in rules.variants)
        and data.get("coordinates", "row") in ("row", "skew")
        and isinstance(opening, dict)
        and ("opening" in data) == bool(rules.opening)
        and opening.keys() == set(rules.opening)
        and all(isinstance(cell, str) for cell in opening.values())
    )


def _played(data: dict[str, Any], rules: Game) -> Outcome | None:
    """Return how the game stands after all turns. Raises RuleError if one is illegal."""
    size, variant, coordinates = data["size"], data.get("variant"), data.get("coordinates", "row")
    opening = data.get("opening", {})
    ruleset = data.get("ruleset", rules.rulesets[0])
    played = kernel.play(rules, size, opening, data["moves"], ruleset=ruleset, variant=variant, coordinates=coordinates)
    if played is not None:
        return played.outcome
    position = rules.start(size, opening, variant, coordinates, ruleset=ruleset)
    for turn in data["moves"]:
        position.play(turn)
    return position.result()


def _agrees(claim: Any, outcome: Outcome | None) -> bool:
    """Return whether the result that a record claims has only plain fields and is right."""
    if not isinstance(claim, dict) or not claim.keys() <= {"winner", "termination", "score"}:
        return False
    if claim.get("termination", "rules") == "rules":
        return (
            outcome is not None
            and claim.get("winner", outcome.winner) == outcome.winner
            and ("score" not in claim or (claim["score"] == outcome.score and _has_plain_numbers(claim["score"])))
        )
    return (
        outcome is None
        and claim["termination"] in _TERMINATIONS
        and claim.get("winner", "draw") in (*COLOURS, "draw")
        and "score" not in claim
    )


def _has_plain_numbers(score: Any) -> bool:
    """Return whether a score that equals the right one holds no truth values, which equal numbers."""
    return isinstance(score, dict) and all(
        type(number) in (int, float)
        for value in score.values()
        for number in (value if isinstance(value, list) else [value])
    )
