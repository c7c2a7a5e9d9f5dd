"""What the page begins with: of each game a picture, a whole game, and the same game with an illegal turn."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from hexrec import games
from hexrec.record import Record, canonical_form, read_record
from hexrec.record.json_schema import example
from hexrec.render import Style, svg, view_of

Data = dict[str, Any]
#: The width of a picture, in pixels.
_WIDTH = 320
#: What addresses of data may hold as it is, beside letters and figures.
_PLAIN = " =/;,()>{}'"


def samples() -> dict[str, Data]:
    """Return, by name of the game, the address of a `picture`, and as JSON the `game` that it shows and a `broken` one.

    There are no records of a game from elsewhere, of which hexrec has none: they are null.
    """
    return {name: _sample(name) for name in games.names()}


def _sample(name: str) -> Data:
    data = example(name)
    record = read_record(data)
    drawn = svg(view_of(record), Style(labels="none", caption=False, width=_WIDTH))
    return {
        "picture": f"data:image/svg+xml,{quote(drawn, safe=_PLAIN)}",
        "game": _text(data) if record.moves else None,
        "broken": _broken(record),
    }


def _broken(record: Record) -> str | None:
    """Return a game with an illegal turn in its middle, if possible one that is legal later; null if there is none."""
    turns = record.turns
    middle = len(turns) * 2 // 3
    for ply in (*range(middle, 0, -1), *range(middle + 1, len(turns))):
        position = record.start()
        position.play_all(turns[:ply])
        empty = (cell for cell in position.board.cells if cell not in position.stones())
        for turn in (*turns[ply + 1 :], *map(position.names.single, empty)):
            if not position.is_legal(turn):
                moves = [*turns[:ply], turn, *turns[ply + 1 :]]
                return _text({**canonical_form(record), "moves": moves})
    return None


def _text(data: Data) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)
