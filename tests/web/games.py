"""The games that the tests of the page look at, and the positions in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hexrec
from hexrec.io.discovery import Source
from hexrec.record.canonical import canonical_form
from hexrec.record.record import Record
from hexrec.record.replay import replay
from hexrec.rules.board import System
from hexrec.rules.position import Position
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from tests.completeness import COMPLETE

FIXTURES = Path(__file__).parents[2] / "fixtures/suite"
GAMES = COMPLETE
#: Two of them, for what the page does in the same way whatever the game: with stacks, with lines of cells.
TWO = ("valaturna", "nadraz")
#: For some games a record with an illegal turn that names cells other than its own.
BROKEN = {
    "sundraval": "move.no-path~no-empty-neighbor.yaml",
    "sunspot": "move.flip-edge~sees-the-rim.yaml",
    "frasvel": "move.touches-higher.yaml",
    "valaturna": "move.no-friendly-stack~enemies-on-both-sides.yaml",
    "nadraz": "move.no-head~middle-stone-before-it.yaml",
}


#: Which of the reference games is shown: one that the rules end, and not a long one.
SHORT = {"sundraval": 5, "sunspot": 4, "frasvel": 1, "valaturna": 1, "nadraz": 5}


def good(game: str) -> str:
    """Return a finished game, as a line of JSON."""
    return (FIXTURES / game / "reference/games.jsonl").read_text(encoding="utf-8").splitlines()[SHORT[game]]


def broken(game: str) -> Path:
    """Return a file with a record of a game with an illegal turn."""
    return FIXTURES / game / "invalid" / BROKEN.get(game, "move.occupied.yaml")


def reports(path: Path, notation: str) -> list[Report]:
    return list(check_sources([Source(str(path), notation)]))


def position_at(record: Record, ply: int | None = None) -> Position:
    position = replay(record, ply).position
    assert position is not None
    return position


def standing(position: Position, system: System = "row") -> str:
    """Return what the page tells those who do not see the board of the stones on it."""
    names, stones = position.board.names(system), position.stacks()
    said = []
    for color, title in enumerate(("Black", "White")):
        own = [cell for cell in sorted(stones) if stones[cell].color == color]
        heights = (stones[cell].height for cell in own)
        texts = [
            names.single(cell) + (f" (height {height})" if height > 1 else "")
            for cell, height in zip(own, heights, strict=True)
        ]
        said.append(f"{title}: {', '.join(texts) or 'none'}.")
    return " ".join(said)


def canonical(text: str | bytes, format: str = "json") -> dict[str, Any]:
    """Return the canonical form of the one record in a text."""
    return canonical_form(hexrec.loads(text, format))
