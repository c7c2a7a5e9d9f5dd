"""What reading and writing the records of Abstract Play share: the words of these records, and how they are spelled."""

from __future__ import annotations

import re
from typing import Any

from hexrec.record.schema import first_day

#: The field of records, players and turns that keeps what hexrec's records do not name.
KEPT = "x-abstractplay"
#: What the last entry of the rounds says if no rule ended the game, and what hexrec calls it.
ENDINGS = {"resign": "resignation", "timeout": "time", "draw": "agreement", "abandoned": "abandoned"}
#: What stands for the termination of a game without a result.
UNFINISHED = "unfinished"
#: What stands in required fields of which nothing is known.
UNKNOWN_SITE = "?"
UNKNOWN_NAMES = ("Player 1", "Player 2")
UNKNOWN_DATE = "1970-01-01T00:00:00Z"
#: By field that hexrec writes, the name by which the sites' files have the same.
ALIASES = {"pied": "pie-invoked", "is_ai": "isBot"}
#: By field of a player in hexrec's records, the fields of the site's that say the same; the first is written.
PLAYER_FIELDS = {"name": ("name",), "id": ("userid",), "rating": ("rating",), "bot": ("is_ai", ALIASES["is_ai"])}
#: By field of a record that is held as it is, where it is in the header: what the site has no name for is in `hexrec`.
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
#: By kind of score, the field of a player that holds it.
SCORE_FIELDS = {"number": "score", "list": "scores"}

_CELL = r"(?:[A-Za-z]{1,2}[0-9]{1,3}|\([-0-9,]{1,9}\))"
_SUNSPOT_TURN = re.compile(rf"(?:{_CELL}|[Xx]{_CELL})(?:;[Xx]{_CELL}){{0,2}}")


def our_turn(text: str) -> str:
    """Return a turn of Sunspot as hexrec spells it, `h8xi3xj2`; unchanged if it is not spelled as the site does."""
    bare = text.strip(" \t\r\n")
    return bare.replace(";", "").lower() if _SUNSPOT_TURN.fullmatch(bare) else text


def their_turn(text: str) -> str:
    """Return a turn of Sunspot as Abstract Play spells it: `h8;Xi3;Xj2`."""
    return text.replace("x", ";X").removeprefix(";")


def moment(date: str) -> str:
    """Return a record's date with the month, the day, the time and the seconds that the site's dates have."""
    day, _, time = date.partition("T")
    day = first_day(day)
    if not time:
        return f"{day}T00:00:00Z"
    return date if time[5:6] == ":" else f"{day}T{time[:5]}:00{time[5:]}"


def is_empty_game(entries: list[Any]) -> bool:
    """Return whether the entries of the rounds are those of a game that the site has without a turn."""
    return entries == [""]


def ending(entry: Any) -> str | None:
    """Return how an entry of a round says that the game ended; None for a turn."""
    text = entry.get("move") if isinstance(entry, dict) else entry
    return ENDINGS.get(text.strip().lower()) if isinstance(text, str) else None
