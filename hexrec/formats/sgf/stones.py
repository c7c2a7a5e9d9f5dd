"""Setups in SGF: the stones and the side to move set before the first turn, unless they are an opening."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexrec.formats.sgf.grammar import PropertyError, simple_value
from hexrec.rules import games, position_text
from hexrec.rules.board import SYSTEMS
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS, IllegalSetup, Stack
from hexrec.util.diagnostics import shorten

#: The properties that set the stones of Black and White.
STONES = ("AB", "AW")
NAMES = frozenset((*STONES, "PL"))
_SIDES = {"b": 0, "black": 0, "1": 0, "w": 1, "white": 1, "2": 1}


def read_setup(raw: Mapping[str, list[str]], data: Mapping[str, Any]) -> str | None:
    """Return the position text that properties set, or None for an opening.

    `data` is the other data of the record. Stones have height 1, there are no passes, and the game's
    own fields have their first value.
    Raises PropertyError if there is no such position.
    """
    name, size, system = data.get("game"), data.get("size"), data.get("coordinates", "row")
    if NAMES.isdisjoint(raw) or not games.is_known(name) or system not in SYSTEMS:
        return None
    game = games.get(str(name))
    side = _SIDES.get(raw["PL"][0].strip().lower()) if "PL" in raw else 0
    if side is None:
        raise PropertyError("syntax/sgf-setup", "PL should be B or W, for the side to move", "PL")
    if (
        not isinstance(size, int)
        or size not in game.sizes
        or _is_opening(game, [len(raw.get(name, ())) for name in STONES], side)
    ):
        return None
    board = game.board(size)
    stones: dict[int, Stack] = {}
    for color, name in enumerate(STONES):
        for index, value in enumerate(raw.get(name, ())):
            cell = board.names(system).find(simple_value(value))
            if cell is None or cell in stones:
                problem = "is not a cell of the board" if cell is None else "has a stone already"
                raise PropertyError("syntax/sgf-setup", f"{shorten(value, 20)} {problem}", name, index)
            stones[cell] = Stack(color, 1)
    return position_text.write(board, stones, side, 0, [field.values[0] for field in game.position_fields])


def write_setup(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the properties that set the stones of a record's setup and its side to move.

    Return no properties for stacks above height 1, an illegal setup, or a setup that would be read as an opening.
    """
    game = games.get(data["game"])
    try:
        position = game.start(data["size"], ruleset=data.get("ruleset"), position=data["setup"])
    except IllegalSetup:
        return {}
    name_of = position.board.names(data.get("coordinates", "row")).single
    side = COLORS.index(position.turn)
    stones = sorted(position.stacks().items())
    cells = [[name_of(cell) for cell, stone in stones if stone.color == color] for color in range(len(STONES))]
    if any(stone.height > 1 for _, stone in stones) or _is_opening(game, [len(names) for names in cells], side):
        return {}
    return {"PL": ["BW"[side]]} | {name: names for name, names in zip(STONES, cells, strict=True) if names}


def _is_opening(game: Game, counts: list[int], side: int) -> bool:
    """Return whether numbers of stones by color, and a side to move, may be those of an opening."""
    most = [int(color in game.opening) for color in COLORS]
    return side == 0 and all(count <= limit for count, limit in zip(counts, most, strict=True))
