"""Conversion of a record to the Abstract Play format. The reader preserves the parts that differ from its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexrec.formats.abstractplay.rounds import group_in_rounds
from hexrec.formats.abstractplay.turns import (
    ALIASES,
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
    is_empty_game,
    moment,
    our_turn,
    their_turn,
)
from hexrec.formats.field_table import difference, merge, set_path
from hexrec.record.record import turn_of
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS

#: By winner, the results of the two players as numbers. No winner is a draw of zeros.
_NUMBERS = {"black": (1, 0), "white": (0, 1), "draw": (1, 1), None: (0, 0)}


def envelope(data: Mapping[str, Any]) -> dict[str, Any]:
    """Convert canonical data, all of which Abstract Play can represent, to a record of Abstract Play."""
    kept = data.get(KEPT, {})
    fields: dict[str, Any] = {"site": {"name": UNKNOWN_SITE}, "hexrec": {}}
    for name, path in HEADER_FIELDS.items():
        if name in data:
            set_path(fields, path, data[name])
    own = fields.pop("hexrec")
    played = _entries(data, own)
    if is_empty_game(played):  # a malformed turn, not a game without turns
        played = [{"move": ""}]
    turns = [*played, *kept.get("surplus", [])]
    if not is_empty_game(turns):
        turns += _ending(data, own, turns, kept.get("last"))
    header = _merge_kept(_header(data, fields, own), kept.get("header", {}))
    rounds = list(group_in_rounds(turns, kept.get("rounds", {})))
    return {**kept.get("record", {}), "header": header, "moves": rounds}


def _entries(data: Mapping[str, Any], own: dict[str, Any]) -> list[Any]:
    """Return an entry for each turn. Add to `own` that turns of Sunspot have hexrec's notation, if they must."""
    turns = [turn_of(move) for move in data["moves"]]
    if data["game"] == "sunspot":
        theirs = [their_turn(turn) for turn in turns]
        if [our_turn(turn) for turn in theirs] == turns:
            turns = theirs
        else:
            own["turns"] = "hexrec"
    return [_entry(turn, move) for turn, move in zip(turns, data["moves"], strict=True)]


def _entry(turn: str, move: Any) -> Any:
    kept = move.get(KEPT) if isinstance(move, dict) else None
    if isinstance(kept, dict):
        return {"move": turn, **kept}
    return kept if isinstance(kept, str) else turn


def _header(data: Mapping[str, Any], fields: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the header without the preserved data of Abstract Play, except that of the players.

    `fields` are those that the header takes unchanged. `own` are those of its part `hexrec`, to which more are added.
    """
    rules = games.get(data["game"])
    site = fields.pop("site")
    start, end = moments(data)
    for name, written, otherwise in (("date", start, UNKNOWN_DATE), ("date_end", end, start)):
        # The reader could not restore this date from the times.
        if name in data and (written != data[name] or written in (UNKNOWN_DATE, otherwise)):
            own[name] = data[name]
    variants = _variants(data, rules)
    header: dict[str, Any] = {"game": {"name": rules.title, **({"variants": variants} if variants else {})}}
    header.update({**fields, "site": site, "date-start": start, "date-end": end, "date-generated": end})
    if "rated" in data:
        header["unrated"] = not data["rated"]
    if "pie" in data:
        header["pied"] = data["pie"]["chosen"] == "black"
    header["players"] = _players(data)
    if "opening" in data:
        header["startingPosition"] = ";".join(f"{color}:{cell}" for color, cell in data["opening"].items())
    return {**header, "hexrec": own} if own else header


def moments(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the start and the end of a game in the notation of Abstract Play."""
    start = moment(data["date"]) if "date" in data else UNKNOWN_DATE
    return start, moment(data["date_end"]) if "date_end" in data else start


def to_keep(read: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return the source data in a part of a record that the writer would not reproduce."""
    both = {ours: read[ours] for ours, theirs in ALIASES.items() if ours in read and theirs in read}
    return {**difference(read, natural), **both}


def _merge_kept(natural: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """Merge the preserved data of a part into it. Preserved data may have an alias as its name."""
    renamed = {ours for ours, theirs in ALIASES.items() if theirs in kept and ours not in kept}
    return merge({name: value for name, value in natural.items() if name not in renamed}, kept)


def _variants(data: Mapping[str, Any], rules: Game) -> list[str]:
    usual = data["game"] == "sunspot" and data["size"] == rules.recommended[0]
    return ([] if usual else [f"size-{data['size']}"]) + ([data["variant"]] if "variant" in data else [])


def _players(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    result = data.get("result", {})
    players = []
    for seat, color in enumerate(COLORS):
        player = data.get("players", {}).get(color, {})
        written: dict[str, Any] = {"name": UNKNOWN_NAMES[seat]}
        written.update({fields[0]: player[name] for name, fields in PLAYER_FIELDS.items() if name in player})
        if "score" in result:
            kind = games.get(data["game"]).score
            written[SCORE_FIELDS[kind or ""]] = result["score"][color]
        written["result"] = _NUMBERS[result.get("winner")][seat]
        players.append(_merge_kept(written, player.get(KEPT, {})))
    if players[0] == players[1]:  # not allowed in the format
        players = [{**player, "seat": seat} for seat, player in enumerate(players, 1)]
    return players


def _ending(data: Mapping[str, Any], own: dict[str, Any], turns: list[Any], kept: Any) -> list[Any]:
    """Return the entry for the termination, if there is such a word. Add other terminations to `own`."""
    result = data.get("result", {})
    termination = result.get("termination", "rules") if "result" in data else UNFINISHED
    # The word for an agreement also means a draw.
    has_word = termination != "agreement" or "winner" in result
    for word, meaning in ENDINGS.items():
        if meaning == termination and has_word:
            return [kept if ending(kept) == meaning else word]
    if termination != "rules" or (turns and ending(turns[-1])):
        own["termination"] = termination
    return []
