"""Plain records: those of which a quick look at the data shows that the models would accept it.

They go to their verdict as they are. That their turns are legal and their result is right is not yet known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from math import isfinite
from typing import Any, NamedTuple

from hexrec import games
from hexrec._version import FORMAT_VERSION
from hexrec.board import System
from hexrec.dates import DATE
from hexrec.games import COLOURS, Game, Position


class PlainScore(NamedTuple):
    """The score that a plain record claims."""

    black: float | list[int]
    white: float | list[int]


class PlainResult(NamedTuple):
    """The result that a plain record claims."""

    winner: Any
    termination: str
    score: PlainScore | None


class PlainRecord(NamedTuple):
    """A plain record: what its verdict, its row and its game hash need, by the names that `hexrec.record.Record` has.

    Attributes:
        data: what it was read from.
    """

    data: dict[str, Any]
    GAME: Game
    game: str
    ruleset: str
    variant: str | None
    size: int
    coordinates: System
    stones: dict[str, str]
    moves: list[str]
    id: str | None
    result: PlainResult | None

    @property
    def setup(self) -> None:
        """None: records with a setup are not plain."""
        return None

    @property
    def site(self) -> str | None:
        """Where the game was played."""
        return self.data.get("site")

    @property
    def is_annotated(self) -> bool:
        """False: records with more than a text for some turn are not plain."""
        return False

    @property
    def turns(self) -> list[str]:
        """The texts of the turns played."""
        return self.moves

    def start(self) -> Position[Any]:
        """Return the position before the first turn. Raises `hexrec.games.IllegalOpening`."""
        return self.GAME.start(self.size, self.stones, self.variant, self.coordinates, ruleset=self.ruleset)


def read(data: Any) -> PlainRecord | None:
    """Return the record that data means if it is plain; None says nothing but that the models have to judge it."""
    if not isinstance(data, dict) or data.get("game") not in games.BUILT_IN:
        return None
    moves = data.get("moves")
    if type(moves) is not list or not {*map(type, moves)} <= {str} or not "".join(moves).isascii():
        return None
    for name, value in data.items():
        if not (_FIELDS[name](value) if name in _FIELDS else _is_own_field(name, value)):
            return None
    rules = games.get(data["game"])
    ruleset = data.get("ruleset", rules.rulesets[0])
    variant = data.get("variant")
    size: int = data.get("size", 0)
    coordinates: System = data.get("coordinates", "row")
    stones = data.get("opening", {})
    if (
        "hexrec" not in data
        or size not in _sizes(rules.name, ruleset)
        or not ("variant" not in data or variant in rules.variants)
        or ("opening" in data) != bool(rules.opening)
        or stones.keys() != {*rules.opening}
        or not rules.board(size).names(coordinates).cells.keys() >= {*stones.values()}
    ):
        return None
    result = None
    if "result" in data and (result := _result(data["result"], rules)) is None:
        return None
    return PlainRecord(
        data, rules, rules.name, ruleset, variant, size, coordinates, stones, moves, data.get("id"), result
    )


@cache
def _sizes(game: str, ruleset: str) -> range:
    """Return the sizes that records of a game may have under a ruleset, none under one that the game has not."""
    rules = games.get(game)
    return rules.ruleset(ruleset).sizes if ruleset in rules.rulesets else range(0)


def _result(claim: dict[str, Any], rules: Game) -> PlainResult | None:
    """Return the result that an object means if it is plain."""
    termination = claim.get("termination", "rules")
    score = None
    for name, value in claim.items():
        if name == "score":
            score = _score(value, rules) if termination == "rules" else None
            if score is None:
                return None
        elif name not in _RESULT_FIELDS or not _RESULT_FIELDS[name](value):
            return None
    return PlainResult(claim.get("winner"), termination, score)


def _score(claim: Any, rules: Game) -> PlainScore | None:
    """Return the score that data means if it is plain."""
    if rules.score is None or type(claim) is not dict or claim.keys() != _COLOURS:
        return None
    fits = _is_not_negative if rules.score == "number" else _are_positive
    return PlainScore(claim["black"], claim["white"]) if all(map(fits, claim.values())) else None


def _is_text(value: Any) -> bool:
    """Return whether a value is a text of characters: halves of pairs, which JSON can name, are none."""
    if type(value) is not str:
        return False
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
    return True


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and isfinite(value))


def _is_not_negative(value: Any) -> bool:
    return _is_number(value) and value >= 0


def _are_positive(value: Any) -> bool:
    return type(value) is list and {*map(type, value)} <= {int} and min(value, default=1) > 0


def _is_date(value: Any) -> bool:
    return type(value) is str and re.search(DATE, value) is not None


def _is_flag(value: Any) -> bool:
    return type(value) is bool


def _is_object(value: Any) -> bool:
    return type(value) is dict


def _is_own_field(name: Any, value: Any) -> bool:
    return (
        _is_text(name)
        and name.startswith("x-")
        and (value is None or type(value) is bool or _is_number(value) or _is_text(value))
    )


def _are_texts(value: Any) -> bool:
    return type(value) is list and all(map(_is_text, value))


def _among(*texts: str) -> Callable[[Any], bool]:
    """Return what says whether a value is one of some texts."""
    return lambda value: type(value) is str and value in texts


def _having(fields: Mapping[str, Callable[[Any], bool]]) -> Callable[[Any], bool]:
    """Return what says whether a value is an object of some fields, none of them required."""
    return lambda value: type(value) is dict and all(name in fields and fields[name](value[name]) for name in value)


_COLOURS = {*COLOURS}
_PLAYER = _having(
    {**dict.fromkeys(("name", "id", "title", "team", "country"), _is_text), "rating": _is_number, "bot": _is_flag}
)
#: Which values the fields may have, whatever the game; those that are not here are not plain.
_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(
        ("id", "ruleset", "event", "site", "round", "stage", "board", "annotator", "source", "comment"), _is_text
    ),
    "hexrec": _among(FORMAT_VERSION),
    "game": _is_text,
    "variant": _is_text,
    "size": lambda value: type(value) is int,
    "coordinates": _among("row", "skew"),
    "players": _having(dict.fromkeys(COLOURS, _PLAYER)),
    "date": _is_date,
    "date_end": _is_date,
    "rated": _is_flag,
    "tags": _are_texts,
    "opening": _having(dict.fromkeys(COLOURS, _is_text)),
    "pie": lambda value: type(value) is dict and value in ({"chosen": "black"}, {"chosen": "white"}),
    "moves": lambda _: True,
    "result": _is_object,
}
_RESULT_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "winner": _among(*COLOURS, "draw"),
    "termination": _among(
        *("rules", "resignation", "time", "forfeit", "agreement", "adjudication", "abandoned"),
    ),
    "by": _is_text,
    "reason": _is_text,
}
