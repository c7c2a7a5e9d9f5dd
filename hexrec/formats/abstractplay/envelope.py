"""Abstract Play for its reader and its writer: fields, words, dates, turns and rounds, and how a record is written.

The reader preserves the parts of its source that differ from what would be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hexrec.formats.field_table import difference, merge, set_path
from hexrec.record.record import turn_of
from hexrec.record.schema import first_day
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.version import FORMAT_VERSION

#: The extension field of records, players and turns that preserves source data.
KEPT = "x-abstractplay"
#: The word in the last entry for a game that no rule ended, and the termination in hexrec's format.
ENDINGS = {"resign": "resignation", "timeout": "time", "draw": "agreement", "abandoned": "abandoned"}
#: Placeholder for the termination of a game without a result.
UNFINISHED = "unfinished"
#: Placeholders in required fields.
UNKNOWN_SITE = "?"
UNKNOWN_NAMES = ("Player 1", "Player 2")
UNKNOWN_DATE = "1970-01-01T00:00:00Z"
#: Aliases in the files of the sites, by the field that hexrec writes.
ALIASES = {"pied": "pie-invoked", "is_ai": "isBot"}
#: Fields of a player in Abstract Play, by the field in hexrec's records; the writer uses the first.
PLAYER_FIELDS = {"name": ("name",), "id": ("userid",), "rating": ("rating",), "bot": ("is_ai", ALIASES["is_ai"])}
#: Paths in the header, by field of a record with the same value. Fields unknown to the site are in `hexrec`.
HEADER_FIELDS = {
    "ruleset": ("hexrec", "ruleset"),
    "coordinates": ("hexrec", "coordinates"),
    "url": ("hexrec", "url"),
    "annotator": ("hexrec", "annotator"),
    "source": ("hexrec", "source"),
    "comment": ("hexrec", "comment"),
    "event": ("event",),
    "round": ("round",),
    "site": ("site", "name"),
    "id": ("site", "gameid"),
}
#: Field of a player, by kind of score.
SCORE_FIELDS = {"number": "score", "list": "scores"}
#: By winner, the results of the two players as numbers. No winner is a draw of zeros.
_NUMBERS = {"black": (1, 0), "white": (0, 1), "draw": (1, 1), None: (0, 0)}
#: Shape of a round of two turns.
_USUAL = "bw"

_CELL = r"(?:[A-Za-z]{1,2}[0-9]{1,3}|\([-0-9,]{1,9}\))"
_SUNSPOT_TURN = re.compile(rf"(?:{_CELL}|[Xx]{_CELL})(?:;[Xx]{_CELL}){{0,2}}")


def our_turn(text: str) -> str:
    """Convert a turn of Sunspot from the site's notation to hexrec's, `h8xi3xj2`; return other text unchanged."""
    bare = text.strip(" \t\r\n")
    return bare.replace(";", "").lower() if _SUNSPOT_TURN.fullmatch(bare) else text


def their_turn(text: str) -> str:
    """Convert a turn of Sunspot to the notation of Abstract Play, `h8;Xi3;Xj2`."""
    return text.replace("x", ";X").removeprefix(";")


def moment(date: str) -> str:
    """Complete the date of a record with the month, day and time that the site requires."""
    day, _, time = date.partition("T")
    day = first_day(day)
    return date if time else f"{day}T00:00:00Z"


def usual_readings(game: str) -> list[str]:
    """Return the readings by which the site decides a game."""
    return ["P-1b"] if game == "sunspot" else []


def is_empty_game(entries: list[Any]) -> bool:
    """Return whether the entries of the rounds are those of a game without turns."""
    return entries == [""]


def ending(entry: Any) -> str | None:
    """Return the termination in an entry of a round, or None for a turn."""
    text = entry.get("move") if isinstance(entry, dict) else entry
    return ENDINGS.get(text.strip().lower()) if isinstance(text, str) else None


class RejectedError(Exception):
    """A malformed record; the diagnostic has the JSON Pointer of the malformed part."""

    def __init__(self, message: str, pointer: str, code: str = "syntax/abstractplay") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, pointer=pointer)


class RoundEntry(NamedTuple):
    """An entry of a round that is not null."""

    content: Any
    seat: int
    round: int

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the entry."""
        return f"/moves/{self.round}/{self.seat}"


def iter_entries(rounds: Any) -> Iterator[RoundEntry]:
    """Yield the entries of all rounds that are not null, in the order of play. Raises RejectedError."""
    if not isinstance(rounds, list):
        raise RejectedError("moves should be an array of rounds", "/moves")
    for number, turns in enumerate(rounds):
        if not isinstance(turns, list):
            raise RejectedError("a round should be an array with a turn of each player", f"/moves/{number}")
        if [*map(type, turns)] == [str, str]:  # the usual case
            yield RoundEntry(turns[0], 0, number)
            yield RoundEntry(turns[1], 1, number)
            continue
        before = 0
        for seat, content in enumerate(turns):
            if content is None:
                continue
            entry = RoundEntry(content, seat, number)
            if seat > 1:
                raise RejectedError("a round has at most two turns, one for each player", entry.pointer)
            if isinstance(content, dict) and isinstance(sequence := content.get("sequence"), int):
                if sequence < before:
                    message = "by its sequence, White's turn was played before Black's in this round: Black plays first"
                    raise RejectedError(message, entry.pointer, "syntax/abstractplay-order")
                before = sequence
            yield entry


def _shape(turns: list[Any]) -> str:
    """Return the shape of a round: ``b`` and ``w`` for an entry of Black and White, ``-`` for null."""
    return "".join("-" if turn is None else "bw"[seat] for seat, turn in enumerate(turns))


def unusual_shapes(rounds: list[list[Any]]) -> dict[str, str]:
    """Return, by their numbers from 0, the shapes of the rounds that `group_in_rounds` would not reproduce."""
    shapes = {
        number: _shape(turns) for number, turns in enumerate(rounds) if len(turns) != len(_USUAL) or None in turns
    }
    if rounds and shapes.get(len(rounds) - 1) == "b-":
        del shapes[len(rounds) - 1]
    return {str(number): shape for number, shape in shapes.items()}


def group_in_rounds(turns: list[Any], shapes: Mapping[str, str]) -> Iterator[list[Any]]:
    """Yield the entries in rounds of two, except for the rounds in `shapes`."""
    entries = iter(turns)
    left, number = len(turns), 0
    while left or str(number) in shapes:
        seats = shapes.get(str(number), _USUAL)
        yield [None if seat == "-" else next(entries, None) for seat in seats]
        left = max(0, left - len(seats.replace("-", "")))
        number += 1


def envelope(data: Mapping[str, Any]) -> dict[str, Any]:
    """Convert canonical data, all of which Abstract Play can represent, to a record of Abstract Play."""
    preserved = data.get(KEPT, {})
    header, turns = header_and_entries(data)
    rounds = list(group_in_rounds(turns, preserved.get("rounds", {})))
    return {**preserved.get("record", {}), "header": header, "moves": rounds}


def header_and_entries(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """Return the header of the record that `envelope` returns, and the entries of its rounds."""
    preserved = data.get(KEPT, {})
    fields: dict[str, Any] = {"site": {"name": UNKNOWN_SITE}, "hexrec": {}}
    for name, path in HEADER_FIELDS.items():
        if name in data:
            set_path(fields, path, data[name])
    extension = fields.pop("hexrec")
    if data["hexrec"] != FORMAT_VERSION:
        extension["version"] = data["hexrec"]
    readings = data.get("readings", [])
    if readings != usual_readings(data["game"]):
        extension["readings"] = readings
    played = _entries(data, extension)
    if is_empty_game(played):  # a malformed turn, not a game without turns
        played = [{"move": ""}]
    turns = [*played, *preserved.get("surplus", [])]
    if not is_empty_game(turns):
        turns += _ending(data, extension, turns, preserved.get("last"))
    return _merge_kept(_header(data, fields, extension), preserved.get("header", {})), turns


def _entries(data: Mapping[str, Any], extension: dict[str, Any]) -> list[Any]:
    """Return an entry for each turn. Add to `extension` that turns of Sunspot have hexrec's notation, if they must."""
    turns = [turn_of(move) for move in data["moves"]]
    if data["game"] == "sunspot":
        theirs = [their_turn(turn) for turn in turns]
        if [our_turn(turn) for turn in theirs] == turns:
            turns = theirs
        else:
            extension["turns"] = "hexrec"
    if dict not in {*map(type, data["moves"])}:
        return turns
    return [_entry(turn, move) for turn, move in zip(turns, data["moves"], strict=True)]


def _entry(turn: str, move: Any) -> Any:
    preserved = move.get(KEPT) if isinstance(move, dict) else None
    if isinstance(preserved, dict):
        return {"move": turn, **preserved}
    return preserved if isinstance(preserved, str) else turn


def _header(data: Mapping[str, Any], fields: dict[str, Any], extension: dict[str, Any]) -> dict[str, Any]:
    """Return the header without the preserved data of Abstract Play, except that of the players.

    `fields` are those that the header takes unchanged. Others are added to `extension`, its part `hexrec`.
    """
    rules = games.get(data["game"])
    site = fields.pop("site")
    start, end = moments(data)
    for name, written, otherwise in (("date", start, UNKNOWN_DATE), ("date_end", end, start)):
        # The reader could not restore this date from the times.
        if name in data and (written != data[name] or written in (UNKNOWN_DATE, otherwise)):
            extension[name] = data[name]
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
    return {**header, "hexrec": extension} if extension else header


def moments(data: Mapping[str, Any]) -> tuple[str, str]:
    """Return the start and the end of a game in the notation of Abstract Play."""
    start = moment(data["date"]) if "date" in data else UNKNOWN_DATE
    return start, moment(data["date_end"]) if "date_end" in data else start


def find_leftovers(read: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return the source data in a part of a record that the writer would not reproduce."""
    both = {ours: read[ours] for ours, theirs in ALIASES.items() if ours in read and theirs in read}
    return {**difference(read, natural), **both}


def _merge_kept(natural: dict[str, Any], preserved: dict[str, Any]) -> dict[str, Any]:
    """Merge the preserved data of a part into it. Preserved data may have an alias as its name."""
    renamed = {ours for ours, theirs in ALIASES.items() if theirs in preserved and ours not in preserved}
    return merge({name: value for name, value in natural.items() if name not in renamed}, preserved)


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


def _ending(data: Mapping[str, Any], extension: dict[str, Any], turns: list[Any], last: Any) -> list[Any]:
    """Return the entry for the termination, if there is such a word. Add other terminations to `extension`."""
    result = data.get("result", {})
    termination = result.get("termination", "rules") if "result" in data else UNFINISHED
    # The word for an agreement also means a draw.
    has_word = termination != "agreement" or "winner" in result
    for word, meaning in ENDINGS.items():
        if meaning == termination and has_word:
            return [last if ending(last) == meaning else word]
    if termination != "rules" or (turns and ending(turns[-1])):
        extension["termination"] = termination
    if "illegal" in result:
        extension["illegal"] = result["illegal"]
    return []
