"""What the rules say of notations whose games may go on past their end: notations themselves play no games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hexrec import games
from hexrec.board import SYSTEMS
from hexrec.games import IllegalTurn
from hexrec.notations.base import Document, Notation, Write, guarded


def within_rules(document: Document) -> Document:
    """Return a document without the turns that follow the end of its game, if its notation may have such."""
    if document.with_rules is None or game_end(document.data) is None:
        return document
    return guarded(document.with_rules, game_end, translated=document)


def writer(notation: Notation) -> Write:
    """Return what writes records in a notation, and knows where games end if it has to."""
    return notation.write_with_rules(game_end) if notation.write_with_rules else notation.write


def game_end(record: Mapping[str, Any]) -> int | None:
    """Return the number of turns after which a game that needs no opening is over, if more turns follow."""
    rules = games.get(record["game"])
    system = record.get("coordinates", "row")
    if record["size"] not in rules.sizes or system not in SYSTEMS:
        return None
    position = rules.start(record["size"], coordinates=system)
    for number, move in enumerate(record["moves"]):
        if position.is_over:
            return number
        turn = move.get("turn") if isinstance(move, dict) else move
        try:
            position.play(turn if isinstance(turn, str) else "")
        except IllegalTurn:
            return None
    return None
