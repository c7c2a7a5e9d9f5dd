from __future__ import annotations

from functools import cache
from pathlib import Path

import hexrec
from hexrec.record.record import Record
from hexrec.rules.position import Position
from tests.completeness import COMPLETE

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
GAMES = COMPLETE


def record(path: str, index: int = 0) -> Record:
    """Return a record of the fixtures."""
    return list(hexrec.records(FIXTURES / path))[index]


@cache
def played(game: str) -> tuple[Record, ...]:
    """Return the valid records of a game."""
    paths = [*sorted((FIXTURES / game / "valid").iterdir()), FIXTURES / game / "reference" / "games.jsonl"]
    return tuple(record for path in paths for record in hexrec.records(path))


def cells(position: Position, names: str) -> tuple[int, ...]:
    """Return the cells with some names, in board order."""
    return tuple(sorted(position.names.cells[name] for name in names.split()))
