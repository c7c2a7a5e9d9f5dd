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
    if type(data) is not dict or data.get("game") not in games.BUILT_IN:
        return None
    moves = data.get("moves")
    if type(moves) is not list or not _are_ascii(moves):
        return None
    rules = games.get(data["game"])
    ruleset = data.get("ruleset", rules.rulesets[0])
    variant = data.get("variant")
    size = data.get("size")
    coordinates: System = data.get("coordinates", "row")
    if (
        data.get("hexrec") != FORMAT_VERSION
        or ruleset not in rules.rulesets
        or type(size) is not int
        or size not in _sizes(rules.name, ruleset)
        or ("variant" in data and variant not in rules.variants)
        or coordinates not in ("row", "skew")
    ):
        return None
    stones: Any = {}
    if "opening" in data or rules.opening:
        stones = data.get("opening")
        if type(stones) is not dict or stones.keys() != {*rules.opening} or not all(map(_is_text, stones.values())):
            return None
        if not rules.board(size).names(coordinates).cells.keys() >= {*stones.values()}:
            return None
    result = None
    if "result" in data and (result := _result(data["result"], rules)) is None:
        return None
    others = data.keys() - _READ
    if others and not all(
        _FIELDS[name](data[name]) if name in _FIELDS else _is_own(name, data[name]) for name in others
    ):
        return None
    return PlainRecord(
        data, rules, rules.name, ruleset, variant, size, coordinates, stones, moves, data.get("id"), result
    )


@cache
def _sizes(game: str, ruleset: str) -> range:
    """Return the sizes that records of a game may have under one of its rulesets."""
    return games.get(game).ruleset(ruleset).sizes


def _result(claim: Any, rules: Game) -> PlainResult | None:
    """Return the result that data means if it is plain."""
    if type(claim) is not dict:
        return None
    winner, termination = claim.get("winner"), claim.get("termination", "rules")
    if ("winner" in claim and winner not in _WINNERS) or termination not in _TERMINATIONS:
        return None
    score = None
    if "score" in claim:
        score = _score(claim["score"], rules) if termination == "rules" else None
        if score is None:
            return None
    others = claim.keys() - _READ_OF_RESULTS
    if others and not all(name in _RESULT_TEXTS and _is_text(claim[name]) for name in others):
        return None
    return PlainResult(winner, termination, score)


def _score(claim: Any, rules: Game) -> PlainScore | None:
    """Return the score that data means if it is plain."""
    if rules.score is None or type(claim) is not dict or claim.keys() != _COLOURS:
        return None
    fits = _is_not_negative if rules.score == "number" else _are_positive
    return PlainScore(claim["black"], claim["white"]) if all(map(fits, claim.values())) else None


def _are_ascii(values: list[Any]) -> bool:
    try:
        return "".join(values).isascii()
    except TypeError:  # something else among the texts
        return False


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


def _is_own(name: Any, value: Any) -> bool:
    return (
        _is_text(name)
        and name.startswith("x-")
        and (value is None or type(value) is bool or _is_number(value) or _is_text(value))
    )


def _are_texts(value: Any) -> bool:
    return type(value) is list and all(map(_is_text, value))


def _having(fields: Mapping[str, Callable[[Any], bool]]) -> Callable[[Any], bool]:
    """Return what says whether a value is an object of some fields, none of them required."""
    return lambda value: type(value) is dict and all(name in fields and fields[name](value[name]) for name in value)


_COLOURS = {*COLOURS}
_WINNERS = (*COLOURS, "draw")
_TERMINATIONS = ("rules", "resignation", "time", "forfeit", "agreement", "adjudication", "abandoned")
_READ_OF_RESULTS = {"winner", "termination", "score"}
_RESULT_TEXTS = ("by", "reason")
#: The fields that `read` looks at itself.
_READ = {"hexrec", "game", "ruleset", "variant", "size", "coordinates", "opening", "moves", "result"}
_PLAYER = _having(
    {**dict.fromkeys(("name", "id", "title", "team", "country"), _is_text), "rating": _is_number, "bot": _is_flag}
)
#: Which values the other fields may have; those that are not here are not plain.
_FIELDS: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("id", "event", "site", "round", "stage", "board", "annotator", "source", "comment"), _is_text),
    "players": _having(dict.fromkeys(COLOURS, _PLAYER)),
    "date": _is_date,
    "date_end": _is_date,
    "rated": _is_flag,
    "tags": _are_texts,
    "pie": lambda value: value in ({"chosen": "black"}, {"chosen": "white"}),
}
