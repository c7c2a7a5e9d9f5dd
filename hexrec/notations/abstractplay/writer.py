"""From the data of hexrec's records to records of Abstract Play, one a line."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from hexrec import games
from hexrec.diagnostics import Diagnostic, FirstFew
from hexrec.games import COLOURS
from hexrec.notations.abstractplay.reader import RecordReader, Refused
from hexrec.notations.abstractplay.turns import (
    ENDINGS,
    HEADER_FIELDS,
    KEPT,
    PLAYER_FIELDS,
    SCORE_FIELDS,
    UNFINISHED,
    UNKNOWN_DATE,
    UNKNOWN_NAMES,
    UNKNOWN_SITE,
    ending,
    moment,
    our_turn,
    their_turn,
)
from hexrec.notations.base import GameEnd, OnLoss, refuse
from hexrec.notations.field_table import put
from hexrec.pointer import pointer_to
from hexrec.record import RecordError
from hexrec.record.coordinates import in_coordinates
from hexrec.record.model import turn_of

_Path = tuple[int | str, ...]
#: The fields of a record of which at least a part is held.
_FIELDS = {
    *("hexrec", "game", "variant", "size", "date", "players", "opening", "pie", "moves", "result"),
    *HEADER_FIELDS,
}
_NUMBERS = {"black": (1, 0), "white": (0, 1), "draw": (1, 1), None: (0, 0)}


def write(
    records: Iterable[dict[str, Any]], on_loss: OnLoss = refuse, /, game_end: GameEnd | None = None
) -> Iterator[str]:
    """Yield one line a record: JSON where it is the only one, else JSON Lines."""
    for data in records:
        held = _Held(data)
        envelope = _envelope(held.data)
        # What is kept in x-abstractplay can be anything: it is written only if it is read back as it was.
        if held.keeps and not _is_read_as(envelope, held.data, game_end):
            held = _Held(data, keep=False)
            envelope = _envelope(held.data)
        for loss in held.losses():
            on_loss(loss)
        yield json.dumps(envelope, ensure_ascii=False, separators=(",", ":")) + "\n"


def _is_read_as(envelope: dict[str, Any], data: dict[str, Any], game_end: GameEnd | None) -> bool:
    try:
        found = RecordReader(game_end).record(envelope)
    except Refused:
        return False
    return json.dumps(found, sort_keys=True) == json.dumps(data, sort_keys=True)


class _Held:
    """What of a record can be held.

    Attributes:
        data: the record without the rest.
        keeps: whether some of it is in fields that come from Abstract Play.
    """

    def __init__(self, data: dict[str, Any], *, keep: bool = True) -> None:
        self._losses = FirstFew[Diagnostic]()
        self.keeps = False
        self._keep = keep
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
            players = self._only(held["players"], ("players",), COLOURS)
            for seat, colour in enumerate(COLOURS):
                if colour in players:
                    path = ("players", colour)
                    players[colour] = self._only(players[colour], path, PLAYER_FIELDS, dict)
                    if players[colour].get("name") == UNKNOWN_NAMES[seat]:
                        why = f"{UNKNOWN_NAMES[seat]} stands for an unknown name in a record of Abstract Play"
                        self._lose((*path, "name"), why)
                        del players[colour]["name"]
            held["players"] = {colour: player for colour, player in players.items() if player}
            if not held["players"]:
                del held["players"]
        for name, fields in (("opening", COLOURS), ("pie", ("chosen",))):
            if name in held:
                held[name] = self._only(held[name], (name,), fields)
        held["moves"] = [self._move(move, index) for index, move in enumerate(held["moves"])]
        if "result" in held:
            held["result"] = self._only(held["result"], ("result",), ("winner", "termination", "score"))
            if "score" in held["result"]:
                held["result"]["score"] = self._only(held["result"]["score"], ("result", "score"), COLOURS)
        return held

    def _move(self, move: Any, index: int) -> Any:
        if isinstance(move, str):
            return move
        held = self._only(move, ("moves", index), ("turn",), dict)
        return held if KEPT in held else held["turn"]

    def _only(
        self, part: dict[str, Any], path: _Path, names: Collection[str], kept_type: type | None = None
    ) -> dict[str, Any]:
        """Return some fields of a part of a record, and what it keeps from Abstract Play; the others are lost."""
        held = {}
        for name, value in part.items():
            if name == KEPT and self._keep and (isinstance(value, kept_type) if kept_type else _has_shape(path, value)):
                self.keeps = True
                held[name] = value
            elif name in names:
                held[name] = value
            elif name == KEPT:
                self._lose((*path, name), f"{pointer_to((*path, name))[1:]} does not come from Abstract Play like this")
            else:
                self._lose((*path, name))
        return held

    def _lose(self, path: _Path, why: str | None = None) -> None:
        pointer = pointer_to(path)
        message = why or f"a record of Abstract Play has no place for {pointer[1:]}"
        self._losses.add(Diagnostic("convert/abstractplay-lost", f"{message}: left out", "warning", pointer=pointer))

    def _turn_to_rows(self) -> None:
        try:
            self.data = in_coordinates(self.data, "row")
        except RecordError:  # what is no cell has no name in another system
            return
        message = "written in row coordinates, in which Abstract Play has Sunspot"
        self._losses.add(Diagnostic("convert/abstractplay-coordinates", message, "warning", pointer="/coordinates"))


def _has_shape(path: _Path, kept: Any) -> bool:
    """Return whether what a record keeps from Abstract Play has the parts that it should have."""
    if path or not isinstance(kept, dict) or not kept.keys() <= {"record", "header", "surplus", "last"}:
        return False
    header = kept.get("header", {})
    objects = [kept.get("record", {}), header]
    if isinstance(header, dict):
        objects += [header.get(name, {}) for name in ("game", "site", "hexrec")]
    if not all(isinstance(each, dict) for each in objects):
        return False
    return isinstance(header.get("game", {}).get("variants", []), list) and isinstance(kept.get("surplus", []), list)


def _envelope(data: dict[str, Any]) -> dict[str, Any]:
    """Return the record of Abstract Play for data that it can hold."""
    rules = games.get(data["game"])
    kept = data.get(KEPT, {})
    kept_header = kept.get("header", {})
    said: dict[str, Any] = {"site": {"name": UNKNOWN_SITE}, "hexrec": {}}
    for name, path in HEADER_FIELDS.items():
        if name in data:
            put(said, path, data[name])
    site, own = said.pop("site"), said.pop("hexrec")
    entries = [*_entries(data, own), *kept.get("surplus", [])]
    entries += _ending(data, own, entries, kept.get("last"))
    date = data.get("date")
    start = moment(date) if date else UNKNOWN_DATE
    if date and (start != date or start == UNKNOWN_DATE):
        own["date"] = date
    end = kept_header.get("date-end", start)
    header: dict[str, Any] = {"game": {"name": rules.title, **_variants(data, rules, kept_header.get("game", {}))}}
    header.update({**said, "site": {**site, **kept_header.get("site", {})}})
    header.update({"date-start": start, "date-end": end, "date-generated": end})
    if "pie" in data:
        header["pied"] = data["pie"]["chosen"] == "black"
    header["players"] = _players(data)
    if "opening" in data:
        header["startingPosition"] = ";".join(f"{colour}:{cell}" for colour, cell in data["opening"].items())
    own.update(kept_header.get("hexrec", {}))
    if own:
        header["hexrec"] = own
    header.update({name: value for name, value in kept_header.items() if name not in ("game", "site", "hexrec")})
    rounds = [[*entries[index : index + 2], None][:2] for index in range(0, len(entries), 2)]
    return {**kept.get("record", {}), "header": header, "moves": rounds}


def _variants(data: dict[str, Any], rules: games.Game, kept: dict[str, Any]) -> dict[str, Any]:
    usual = data["game"] == "sunspot" and data["size"] == rules.recommended[0]
    variants = [] if usual else [f"size-{data['size']}"]
    if "variant" in data:
        variants.append(data["variant"])
    variants += kept.get("variants", [])
    return {**kept, **({"variants": variants} if variants else {})}


def _players(data: dict[str, Any]) -> list[dict[str, Any]]:
    result = data.get("result", {})
    players = []
    for seat, colour in enumerate(COLOURS):
        player = data.get("players", {}).get(colour, {})
        written = {"name": UNKNOWN_NAMES[seat]}
        written.update({fields[0]: player[name] for name, fields in PLAYER_FIELDS.items() if name in player})
        if "score" in result:
            kind = games.get(data["game"]).score
            written[SCORE_FIELDS[kind or ""]] = result["score"][colour]
        players.append({**written, "result": _NUMBERS[result.get("winner")][seat], **player.get(KEPT, {})})
    if players[0] == players[1]:  # as no two players of a record may be
        players = [{**player, "seat": seat} for seat, player in enumerate(players, 1)]
    return players


def _entries(data: dict[str, Any], own: dict[str, Any]) -> list[Any]:
    """Return an entry for each turn; `own` is told if turns of Sunspot are spelled as they are in the record."""
    turns = [turn_of(move) for move in data["moves"]]
    if data["game"] == "sunspot":
        theirs = [their_turn(turn) for turn in turns]
        if [our_turn(turn) for turn in theirs] == turns:
            turns = theirs
        else:
            own["turns"] = "hexrec"
    return [
        turn if isinstance(move, str) else {"move": turn, **move[KEPT]}
        for turn, move in zip(turns, data["moves"], strict=True)
    ]


def _ending(data: dict[str, Any], own: dict[str, Any], entries: list[Any], kept: Any) -> list[Any]:
    """Return the entry that says how the game ended; `own` is told what no such entry can say."""
    termination = data["result"].get("termination", "rules") if "result" in data else UNFINISHED
    for word, meaning in ENDINGS.items():
        if meaning == termination:
            return [kept if ending(kept) == meaning else word]
    if termination != "rules" or (entries and ending(entries[-1])):
        own["termination"] = termination
    return []
