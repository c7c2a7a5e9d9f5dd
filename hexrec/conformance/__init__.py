"""Conformance tests for other implementations: the suite of documents, the kit of questions on games, comparisons.

The kit has questions on games with hexrec's answers, as JSON Lines. Each line is an object with a `kind`;
`fixtures/suite/engine/README.md` explains the kinds, and `kit.schema.json` there is their JSON Schema. Answers never
change within a version of the kit: `python -m tests.conformance.write` adds missing answers and refuses to change
existing ones.

`engine` runs an external engine with the protocol of `docs/conformance.md`. `comparison` plays games with an engine and
reports disagreements; `documents` asks a validator about the documents of the suite.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hexrec.rules import games
from hexrec.rules.position import Position

#: The version of the kit.
VERSION = "1"
#: The files with questions, each with lines of one kind.
FILES = {
    "games.jsonl": "game",
    "turns.jsonl": "illegal turn",
    "starts.jsonl": "illegal start",
    "perft.jsonl": "perft",
    "verdicts.jsonl": "verdict",
    "invalid.jsonl": "invalid record",
}

Line = dict[str, Any]
Start = Mapping[str, Any]


def suite_folder() -> Path:
    """Return the directory of the suite, in the installed package or in the source tree."""
    package = Path(__file__).parent
    installed = package / "suite"
    return installed if installed.is_dir() else package.parent.parent / "fixtures/suite"


def folder() -> Path:
    """Return the directory of the kit, which is a part of the suite."""
    return suite_folder() / "engine"


def lines(name: str) -> Iterator[Line]:
    """Yield the lines of one of the kit's files."""
    # Read at once: a comparison that is broken off would leave the file open.
    yield from map(json.loads, (folder() / name).read_bytes().splitlines())


def start_of(start: Start) -> Position:
    """Return the start position of a game; `start` has fields of a record.

    Raises RuleError for a start against the rules, and ArgumentError as `Game.start` does.
    """
    return games.get(start["game"]).start(
        start["size"],
        start.get("opening"),
        start.get("variant"),
        position=start.get("setup"),
        ruleset=start["ruleset"],
        readings=start.get("readings", ()),
    )


def going_on(start: Start, position: str) -> Line:
    """Return the start of a game that continues from a position of a game with the given start."""
    fields = {name: value for name, value in start.items() if name != "opening"}
    return {**fields, "setup": position}


def perft(position: Position, plies: int) -> int:
    """Return the number of sequences of `plies` legal turns, at least one, from a position."""
    turns = position.legal_turns()
    if plies == 1:
        return len(turns)
    total = 0
    for turn in turns:
        after = position.copy()
        after.play(turn)
        total += perft(after, plies - 1)
    return total
