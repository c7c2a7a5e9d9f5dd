"""The game hash: what identifies a game across programs, as the format page defines it.

Two games have the same symmetric hash when they have the same fingerprint (`hexrec.record.fingerprint`). Others can
compute the hash; the fingerprint is for finding duplicates: it is quicker, it also tells games that are the beginning
of others, and illegal games have one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from hexrec.board import System
from hexrec.board.board import Symmetry
from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.games import position_text
from hexrec.games.turn_text import BLANKS
from hexrec.record.canonical import canonical_turns
from hexrec.record.record import Record
from hexrec.record.replay import replay_whole
from hexrec.record.validation import RecordError

_DIGEST_SIZE = 16
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class _Game(NamedTuple):
    """What identifies a game besides its rules, with cells in row coordinates and turns in canonical spelling.

    Black's opening stone comes before White's.
    """

    opening: Mapping[str, str]
    setup: str | None
    turns: list[str]


def game_hash(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash, as 32 hexadecimal digits: the same for the same game, whatever else records say of it.

    With `symmetric`, it is also the same for a game that is rotated or mirrored. Raises RecordError, with the
    diagnostic of the opening or the first turn that is illegal: such a game has no hash.
    """
    failure = replay_whole(record).failure
    if failure is not None:
        raise RecordError([failure])
    return hash_legal(record, symmetric=symmetric)


def hash_legal(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash, or the symmetric hash, of a record whose turns are known to be legal."""
    game = _in_rows(record, canonical_turns(record))
    if not symmetric:
        return _digest(record, game)
    symmetries = record.rules.board(record.size).symmetries
    return min(_digest(record, _image(record, game, symmetry)) for symmetry in symmetries)


def _in_rows(record: Record, turns: list[str]) -> _Game:
    if record.coordinates == "row":
        opening = {color: cell.strip(BLANKS).lower() for color, cell in record.opening.items()}
        return _Game(opening, record.setup, turns)
    board = record.rules.board(record.size)
    names, rows = board.names(record.coordinates), board.names("row").names
    opening = {color: rows[names.find(cell) or -1] for color, cell in record.opening.items()}
    pattern = _cell(record.coordinates)
    turns = [pattern.sub(lambda name: rows[names.cells[name[0]]], turn) for turn in turns]
    return _Game(opening, record.setup, turns)


def _image(record: Record, game: _Game, symmetry: Symmetry) -> _Game:
    """Return the image of a game under a symmetry, its turns in canonical spelling again."""
    names = record.rules.board(record.size).names("row")
    images = {name: names.names[symmetry[cell]] for name, cell in names.cells.items()}
    opening = {colour: images[cell] for colour, cell in game.opening.items()}
    setup = None if game.setup is None else _setup_image(record, game.setup, symmetry)
    turns = [images.get(turn) or _cell("row").sub(lambda name: images[name[0]], turn) for turn in game.turns]
    if record.rules.synonyms:
        start = record.rules.start(record.size, opening, record.variant, position=setup, ruleset=record.ruleset)
        spelled: list[str] = []
        start.play_all(turns, spelled)
        turns = spelled
    return _Game(opening, setup, turns)


def _setup_image(record: Record, setup: str, symmetry: Symmetry) -> str:
    stones = {symmetry[cell]: stone for cell, stone in record.start().stones().items()}
    board = record.rules.board(record.size)
    rows, _, _ = position_text.write(board, stones, 0, 0, None, has_last=False).partition(" ")
    return " ".join([rows, *setup.split(" ")[1:]])


def _digest(record: Record, game: _Game) -> str:
    rules = _rules(record.game, record.ruleset, record.variant, record.size)
    # Names of cells need no escapes, and there are very many records.
    stones = ",".join([f'"{color}":"{cell}"' for color, cell in game.opening.items()])
    opening = f"{{{stones}}}" if stones else "null"
    setup = "null" if game.setup is None else _json(game.setup)
    text = f'{rules},"opening":{opening},"setup":{setup},"moves":{_json_list(game.turns)}}}'
    return blake2b(text.encode(), digest_size=_DIGEST_SIZE).hexdigest()


@cache
def _rules(game: str, ruleset: str, variant: str | None, size: int) -> str:
    """Return the beginning of the JSON, which is the same in very many games."""
    return _json({"game": game, "ruleset": ruleset, "variant": variant, "size": size})[:-1]


def _json_list(texts: list[str]) -> str:
    """Return a list of texts as JSON. Where there is nothing to escape, as in most turns, joining them is quicker."""
    joined = '","'.join(texts)
    if texts and joined.isprintable() and "\\" not in joined and joined.count('"') == 2 * len(texts) - 2:
        return f'["{joined}"]'
    return _json(texts)


@cache
def _cell(system: System) -> re.Pattern[str]:
    return re.compile(CELL_PATTERNS[system])
