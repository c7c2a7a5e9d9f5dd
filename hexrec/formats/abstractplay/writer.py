"""From the data of hexrec's records to records of Abstract Play, one a line."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from hexrec.formats.abstractplay.envelope import envelope, moments
from hexrec.formats.abstractplay.reader import RecordReader
from hexrec.formats.abstractplay.rounds import Refused
from hexrec.formats.abstractplay.turns import (
    HEADER_FIELDS,
    KEPT,
    PLAYER_FIELDS,
    UNKNOWN_DATE,
    UNKNOWN_NAMES,
    UNKNOWN_SITE,
)
from hexrec.formats.base import GameEnd, OnLoss, refuse
from hexrec.record.canonical import canonical_form, in_coordinates
from hexrec.record.schema import first_day
from hexrec.record.validation import RecordError, read_record
from hexrec.rules.terms import COLORS
from hexrec.util.diagnostics import Diagnostic, FirstFew, pointer_to

_Path = tuple[int | str, ...]
#: The fields of a record of which at least a part is held.
_FIELDS = {
    *("hexrec", "game", "variant", "size", "date", "date_end", "rated", "players", "opening", "pie", "moves", "result"),
    *HEADER_FIELDS,
}
#: The types of what a record keeps from Abstract Play, by name.
_KEPT_PARTS: dict[str, type] = {"record": dict, "header": dict, "rounds": dict, "surplus": list, "last": object}


def write(
    records: Iterable[dict[str, Any]], on_loss: OnLoss = refuse, /, game_end: GameEnd | None = None
) -> Iterator[str]:
    """Yield one line a record: JSON where it is the only one, else JSON Lines."""
    for data in records:
        held = _Held(data)
        written = envelope(held.data)
        # What is kept in x-abstractplay can be anything: it is written only if it is read back as it was.
        if held.keeps and not _is_read_as(written, held.data, game_end):
            held = _Held(data, without_kept=True)
            written = envelope(held.data)
        for loss in (*held.losses(), *_placeholders(held.data, written)):
            on_loss(loss)
        yield json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n"


def _is_read_as(written: dict[str, Any], data: dict[str, Any], game_end: GameEnd | None) -> bool:
    try:
        found = _canonical(RecordReader(game_end).record(written))
    except (Refused, RecordError):
        return False
    return json.dumps(found, sort_keys=True) == json.dumps(_canonical(data), sort_keys=True)


def _canonical(data: dict[str, Any]) -> dict[str, Any]:
    return canonical_form(read_record(data, turns_unchecked=True))


class _Held:
    """What of a record can be held.

    Attributes:
        data: the record without the rest.
        keeps: whether that has fields that come from Abstract Play.
    """

    def __init__(self, data: dict[str, Any], *, without_kept: bool = False) -> None:
        """With `without_kept`, fields that come from Abstract Play are left out."""
        self._losses = FirstFew[Diagnostic]()
        self._without_kept = without_kept
        self.keeps = False
        self.data = self._record(data)
        if data["game"] == "sunspot" and "coordinates" in data:
            self._turn_to_rows()

    def losses(self) -> list[Diagnostic]:
        """Return warnings of what was left out."""
        return self._losses.diagnostics("convert/more")

    def _record(self, data: dict[str, Any]) -> dict[str, Any]:
        if "setup" in data:
            message = "a game of Abstract Play starts from the opening: one that goes on from a setup cannot be written"
            raise RecordError([Diagnostic("convert/setup", message, pointer="/setup")])
        held = self._only(data, (), _FIELDS)
        if held.get("site") == UNKNOWN_SITE:
            self._lose(("site",), f"{UNKNOWN_SITE} stands for an unknown site in a record of Abstract Play")
            del held["site"]
        if "players" in held:
            players = self._only(held["players"], ("players",), COLORS)
            for seat, color in enumerate(COLORS):
                if color in players:
                    path = ("players", color)
                    players[color] = self._only(players[color], path, PLAYER_FIELDS, (dict,))
                    if players[color].get("name") == UNKNOWN_NAMES[seat]:
                        why = f"{UNKNOWN_NAMES[seat]} stands for an unknown name in a record of Abstract Play"
                        self._lose((*path, "name"), why)
                        del players[color]["name"]
            held["players"] = {color: player for color, player in players.items() if player}
            if not held["players"]:
                del held["players"]
        for name, fields in (("opening", COLORS), ("pie", ("chosen",))):
            if name in held:
                held[name] = self._only(held[name], (name,), fields)
        held["moves"] = [self._move(move, index) for index, move in enumerate(held["moves"])]
        if "result" in held:
            held["result"] = self._only(held["result"], ("result",), ("winner", "termination", "score"))
            if "score" in held["result"]:
                held["result"]["score"] = self._only(held["result"]["score"], ("result", "score"), COLORS)
        return held

    def _move(self, move: Any, index: int) -> Any:
        if isinstance(move, str):
            return move
        return self._only(move, ("moves", index), ("turn",), (dict, str))

    def _only(
        self,
        part: dict[str, Any],
        path: _Path,
        names: Collection[str],
        kept_types: tuple[type, ...] = (),
    ) -> dict[str, Any]:
        """Return some fields of a part of a record, and what it keeps from Abstract Play; the others are lost."""
        held = {}
        for name, value in part.items():
            if (name == KEPT and self._fits(path, value, kept_types)) or name in names:
                held[name] = value
            elif name == KEPT:
                self._lose((*path, name), f"{pointer_to((*path, name))[1:]} does not come from Abstract Play like this")
            else:
                self._lose((*path, name))
        return held

    def _fits(self, path: _Path, kept: Any, kept_types: tuple[type, ...]) -> bool:
        """Return whether a field that comes from Abstract Play has the right shape, and is not to be left out."""
        fits = not self._without_kept and (isinstance(kept, kept_types) if kept_types else _has_shape(path, kept))
        self.keeps = self.keeps or fits
        return fits

    def _lose(self, path: _Path, why: str | None = None) -> None:
        pointer = pointer_to(path)
        message = why or f"a record of Abstract Play has no place for {pointer[1:]}"
        self._losses.add(_warning("convert/abstractplay-lost", f"{message}: left out", pointer))

    def _turn_to_rows(self) -> None:
        try:
            self.data = in_coordinates(self.data, "row")
        except RecordError:  # what is no cell has no name in another system
            return
        message = "written in row coordinates, in which Abstract Play has Sunspot"
        self._losses.add(_warning("convert/abstractplay-coordinates", message, "/coordinates"))


def _placeholders(data: dict[str, Any], written: dict[str, Any]) -> Iterator[Diagnostic]:
    """Yield warnings of what is written only because a record of Abstract Play has to say it."""
    if "date" not in data:
        yield _warning("convert/abstractplay-date", f"the record has no date: {UNKNOWN_DATE} stands for it", "")
    for name, moment in zip(("date", "date_end"), moments(data), strict=True):
        if name in data and first_day(data[name]) != data[name]:
            message = f"{name} does not say the day: {moment} stands for {data[name]}"
            yield _warning("convert/abstractplay-date", message, f"/{name}")
    black, white = (player.get("result") for player in written["header"]["players"])
    result = data.get("result", {})
    if black == white and "winner" not in result and result.get("termination") != "abandoned":
        what = "the result has no winner" if "result" in data else "the game is unfinished"
        message = f"{what}, but a record of Abstract Play gives the players numbers: equal ones count as a draw there"
        yield _warning("convert/abstractplay-draw", message, "/result" if "result" in data else "")


def _warning(code: str, message: str, pointer: str) -> Diagnostic:
    return Diagnostic(code, message, "warning", pointer=pointer)


def _has_shape(path: _Path, kept: Any) -> bool:
    """Return whether what a record keeps from Abstract Play has the parts that it should have."""
    if path or not isinstance(kept, dict) or not kept.keys() <= _KEPT_PARTS.keys():
        return False
    if not all(isinstance(value, _KEPT_PARTS[name]) for name, value in kept.items()):
        return False
    return all(isinstance(each, str) for each in kept.get("rounds", {}).values())
