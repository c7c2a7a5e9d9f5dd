"""What a record of hexrec's is as a record of Abstract Play. The reader keeps what it has read otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexrec.formats.abstractplay.rounds import in_rounds
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
from hexrec.formats.field_table import difference, merge, put
from hexrec.record.record import turn_of
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS

#: By winner, the numbers of the two players. No winner is written like the draw of two who have won nothing.
_NUMBERS = {"black": (1, 0), "white": (0, 1), "draw": (1, 1), None: (0, 0)}


def envelope(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of Abstract Play for canonical data that it can hold."""
    kept = data.get(KEPT, {})
    said: dict[str, Any] = {"site": {"name": UNKNOWN_SITE}, "hexrec": {}}
    for name, path in HEADER_FIELDS.items():
        if name in data:
            put(said, path, data[name])
    own = said.pop("hexrec")
    played = _entries(data, own)
    if is_empty_game(played):  # a turn, be it a malformed one
        played = [{"move": ""}]
    turns = [*played, *kept.get("surplus", [])]
    if not is_empty_game(turns):
        turns += _ending(data, own, turns, kept.get("last"))
    header = _with_kept(_header(data, said, own), kept.get("header", {}))
    rounds = list(in_rounds(turns, kept.get("rounds", {})))
    return {**kept.get("record", {}), "header": header, "moves": rounds}


def _entries(data: Mapping[str, Any], own: dict[str, Any]) -> list[Any]:
    """Return an entry for each turn; `own` is told if turns of Sunspot are spelled as they are in the record."""
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


def _header(data: Mapping[str, Any], said: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the header without what is kept from Abstract Play but in the players.

    `said` has the fields that are in it as they are, and `own` those of `hexrec`, to which more are added.
    """
    rules = games.get(data["game"])
    site = said.pop("site")
    start, end = moments(data)
    for name, written, otherwise in (("date", start, UNKNOWN_DATE), ("date_end", end, start)):
        # What is not read from the moments as it is.
        if name in data and (written != data[name] or written in (UNKNOWN_DATE, otherwise)):
            own[name] = data[name]
    variants = _variants(data, rules)
    header: dict[str, Any] = {"game": {"name": rules.title, **({"variants": variants} if variants else {})}}
    header.update({**said, "site": site, "date-start": start, "date-end": end, "date-generated": end})
    if "rated" in data:
        header["unrated"] = not data["rated"]
    if "pie" in data:
        header["pied"] = data["pie"]["chosen"] == "black"
    header["players"] = _players(data)
    if "opening" in data:
        header["startingPosition"] = ";".join(f"{color}:{cell}" for color, cell in data["opening"].items())
    return {**header, "hexrec": own} if own else header


def moments(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return when a game began and ended, as Abstract Play wants to have it."""
    start = moment(data["date"]) if "date" in data else UNKNOWN_DATE
    return start, moment(data["date_end"]) if "date_end" in data else start


def to_keep(read: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return what a part of a record that was read has beyond that which hexrec would write, or otherwise."""
    both = {ours: read[ours] for ours, theirs in ALIASES.items() if ours in read and theirs in read}
    return {**difference(read, natural), **both}


def _with_kept(natural: dict[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the record with what is kept of it, which may say the same under another name."""
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
        players.append(_with_kept(written, player.get(KEPT, {})))
    if players[0] == players[1]:  # as no two players of a record may be
        players = [{**player, "seat": seat} for seat, player in enumerate(players, 1)]
    return players


def _ending(data: Mapping[str, Any], own: dict[str, Any], turns: list[Any], kept: Any) -> list[Any]:
    """Return the entry that says how the game ended; `own` is told what no such entry can say."""
    result = data.get("result", {})
    termination = result.get("termination", "rules") if "result" in data else UNFINISHED
    # The word for an agreement says that the game is drawn.
    is_said_by_a_word = termination != "agreement" or "winner" in result
    for word, meaning in ENDINGS.items():
        if meaning == termination and is_said_by_a_word:
            return [kept if ending(kept) == meaning else word]
    if termination != "rules" or (turns and ending(turns[-1])):
        own["termination"] = termination
    return []
