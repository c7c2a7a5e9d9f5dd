"""Writer of Abstract Play records, with warnings about data that they cannot hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from hexrec.formats.abstractplay.envelope import (
    HEADER_FIELDS,
    KEPT,
    PLAYER_FIELDS,
    UNKNOWN_DATE,
    UNKNOWN_NAMES,
    UNKNOWN_SITE,
    RejectedError,
    envelope,
    moments,
    usual_readings,
)
from hexrec.formats.abstractplay.reader import RecordReader
from hexrec.formats.base import OnLoss, refuse
from hexrec.record.canonical import canonicalize, in_coordinates
from hexrec.record.schema import first_day
from hexrec.record.validation import RecordError
from hexrec.rules.terms import COLORS
from hexrec.util.diagnostics import Diagnostic, FirstFew, pointer_to

_Path = tuple[int | str, ...]
#: The fields of a record that Abstract Play can represent, at least in part.
_FIELDS = {
    *("hexrec", "game", "variant", "readings", "size", "opening", "pie", "moves", "result"),
    *("date", "date_end", "rated", "players"),
    *HEADER_FIELDS,
}
_RESULT_FIELDS = ("winner", "termination", "illegal", "score")
#: The types of the preserved parts of a record, by name.
_KEPT_PARTS: dict[str, type] = {"record": dict, "header": dict, "rounds": dict, "surplus": list, "last": object}


def write(records: Iterable[dict[str, Any]], on_loss: OnLoss = refuse, /) -> Iterator[str]:
    """Yield one line per record."""
    for data in records:
        part = _WritablePart(data)
        written = envelope(part.data)
        # Data in x-abstractplay can be anything: it is written only if it round-trips.
        if part.keeps and not _is_read_as(written, part.data):
            part = _WritablePart(data, without_kept=True)
            written = envelope(part.data)
        for loss in (*part.losses.diagnostics("convert/more"), *_placeholders(part.data, written)):
            on_loss(loss)
        yield json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n"


def _is_read_as(written: dict[str, Any], data: dict[str, Any]) -> bool:
    try:
        canonical_data = canonicalize(RecordReader().record(written))
    except (RejectedError, RecordError):
        return False
    return json.dumps(canonical_data, sort_keys=True) == json.dumps(canonicalize(data), sort_keys=True)


class _WritablePart:
    """The part of a record that Abstract Play can represent.

    Attributes:
        keeps: whether it has preserved data of Abstract Play.
        losses: warnings about the data that was left out.
    """

    def __init__(self, data: dict[str, Any], *, without_kept: bool = False) -> None:
        """Select the part of `data`. With `without_kept`, leave out preserved data of Abstract Play."""
        self.losses = FirstFew[Diagnostic]()
        self._without_kept = without_kept
        self.keeps = False
        self.data = self._record(data)
        if data["game"] == "sunspot" and "coordinates" in data:
            self._turn_to_rows()

    def _record(self, data: dict[str, Any]) -> dict[str, Any]:
        if "setup" in data:
            message = "a game of Abstract Play starts from the opening: one that goes on from a setup cannot be written"
            raise RecordError([Diagnostic("convert/setup", message, pointer="/setup")])
        part = self._select(data, (), _FIELDS, _has_shape)
        if part.get("site") == UNKNOWN_SITE:
            self._lose(("site",), f"{UNKNOWN_SITE} stands for an unknown site in a record of Abstract Play")
            del part["site"]
        if "players" in part:
            players = self._select(part.pop("players"), ("players",), COLORS)
            for color, unknown_name in zip(COLORS, UNKNOWN_NAMES, strict=True):
                path = ("players", color)
                player = self._select(players.get(color, {}), path, PLAYER_FIELDS, lambda value: type(value) is dict)
                if player.get("name") == unknown_name:
                    why = f"{unknown_name} stands for an unknown name in a record of Abstract Play"
                    self._lose((*path, "name"), why)
                    del player["name"]
                if player:
                    part.setdefault("players", {})[color] = player
        for name, fields in (("opening", COLORS), ("pie", ("chosen",))):
            if name in part:
                part[name] = self._select(part[name], (name,), fields)
        part["moves"] = [self._move(move, index) for index, move in enumerate(part["moves"])]
        if "result" in part:
            part["result"] = self._select(part["result"], ("result",), _RESULT_FIELDS)
            if "illegal" in part["result"]:
                part["result"]["illegal"] = self._select(part["result"]["illegal"], ("result", "illegal"), ("by",))
            if "score" in part["result"]:
                part["result"]["score"] = self._select(part["result"]["score"], ("result", "score"), COLORS)
        return part

    def _move(self, move: Any, index: int) -> Any:
        if isinstance(move, str):
            return move
        return self._select(move, ("moves", index), ("turn",), lambda value: isinstance(value, dict | str))

    def _select(
        self,
        part: dict[str, Any],
        path: _Path,
        names: Collection[str],
        fits: Callable[[Any], bool] = lambda _: False,
    ) -> dict[str, Any]:
        """Return some fields of a part of a record, and its preserved data if that `fits`; warn about all others."""
        selected = {}
        for name, value in part.items():
            if name in names or (name == KEPT and not self._without_kept and fits(value)):
                selected[name] = value
                self.keeps = self.keeps or name == KEPT
            elif name == KEPT:
                self._lose((*path, name), f"{pointer_to((*path, name))[1:]} does not come from Abstract Play like this")
            else:
                self._lose((*path, name))
        return selected

    def _lose(self, path: _Path, why: str | None = None) -> None:
        pointer = pointer_to(path)
        message = why or f"a record of Abstract Play has no place for {pointer[1:]}"
        self.losses.add(_warning("convert/abstractplay-lost", f"{message}: left out", pointer))

    def _turn_to_rows(self) -> None:
        try:
            self.data = in_coordinates(self.data, "row")
        except RecordError:  # a malformed cell has no name in another system
            return
        message = "written in row coordinates, in which Abstract Play has Sunspot"
        self.losses.add(_warning("convert/abstractplay-coordinates", message, "/coordinates"))


def _placeholders(data: dict[str, Any], written: dict[str, Any]) -> Iterator[Diagnostic]:
    """Yield warnings about the placeholders in required fields of Abstract Play."""
    if "date" not in data:
        yield _warning("convert/abstractplay-date", f"the record has no date: {UNKNOWN_DATE} stands for it", "")
    for name, moment in zip(("date", "date_end"), moments(data), strict=True):
        if name in data and first_day(data[name]) != data[name]:
            message = f"{name} does not say the day: {moment} stands for {data[name]}"
            yield _warning("convert/abstractplay-date", message, f"/{name}")
    if missing := [name for name in usual_readings(data["game"]) if name not in data.get("readings", [])]:
        message = f"Abstract Play decides this game by reading {', '.join(missing)}, by which the record does not go"
        yield _warning("convert/abstractplay-reading", message, "/readings" if "readings" in data else "")
    black, white = (player.get("result") for player in written["header"]["players"])
    result = data.get("result", {})
    if black == white and "winner" not in result and result.get("termination") != "abandoned":
        problem = "the result has no winner" if "result" in data else "the game is unfinished"
        message = f"{problem}, but Abstract Play gives each player a number: equal numbers count as a draw there"
        yield _warning("convert/abstractplay-draw", message, "/result" if "result" in data else "")


def _warning(code: str, message: str, pointer: str) -> Diagnostic:
    return Diagnostic(code, message, "warning", pointer=pointer)


def _has_shape(preserved: Any) -> bool:
    """Return whether the preserved data of a record has the expected parts and types."""
    if not isinstance(preserved, dict) or not preserved.keys() <= _KEPT_PARTS.keys():
        return False
    if not all(isinstance(value, _KEPT_PARTS[name]) for name, value in preserved.items()):
        return False
    return all(isinstance(shape, str) for shape in preserved.get("rounds", {}).values())
