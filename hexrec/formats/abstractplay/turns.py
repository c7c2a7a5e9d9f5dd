"""Vocabulary of Abstract Play, for reader and writer: fields, words, dates and turn notation."""

from __future__ import annotations

import re
from typing import Any

from hexrec.record.schema import first_day

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
    """Complete the date of a record with the month, day, time and seconds that the site requires."""
    day, _, time = date.partition("T")
    day = first_day(day)
    if not time:
        return f"{day}T00:00:00Z"
    return date if time[5:6] == ":" else f"{day}T{time[:5]}:00{time[5:]}"


def is_empty_game(entries: list[Any]) -> bool:
    """Return whether the entries of the rounds are those of a game without turns."""
    return entries == [""]


def ending(entry: Any) -> str | None:
    """Return the termination in an entry of a round, or None for a turn."""
    text = entry.get("move") if isinstance(entry, dict) else entry
    return ENDINGS.get(text.strip().lower()) if isinstance(text, str) else None
