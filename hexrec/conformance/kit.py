"""The conformance kit: questions on games with hexrec's answers, as lines of JSON that any program can read.

A line is an object with a `kind`; `fixtures/conformance/README.md` explains the kinds, and `kit.schema.json` beside it
is their JSON Schema. Answers never change within a version of the kit: `python -m hexrec.conformance.write` adds those
that are missing and refuses to change one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hexrec import games
from hexrec._version import FORMAT_VERSION
from hexrec.games import Position, RuleError
from hexrec.notations.base import Document
from hexrec.record import read_record
from hexrec.record.game_hash import game_hash
from hexrec.validation import check_record
from hexrec.validation.verdict import check_document

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
#: The records that verdicts are about.
RECORDS = "records.jsonl"

Line = dict[str, Any]
Start = Mapping[str, Any]


def folder() -> Path:
    """Return the folder of the kit: in the installed package, or in the source tree that this module belongs to."""
    package = Path(__file__).parent
    installed = package / "kit"
    return installed if installed.is_dir() else package.parent.parent / "fixtures/conformance"


def lines(name: str) -> Iterator[Line]:
    """Yield the lines of one of the kit's files."""
    with (folder() / name).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def start_of(start: Start) -> Position[Any]:
    """Return the position that a game starts from; `start` has those fields of a record that say so.

    Raises RuleError if the rules refuse it, and what `Game.start` raises for a size or a ruleset that is not there.
    """
    return games.get(start["game"]).start(
        start["size"],
        start.get("opening"),
        start.get("variant"),
        position=start.get("setup"),
        ruleset=start["ruleset"],
    )


def going_on(start: Start, position: str) -> Line:
    """Return the start of a game that goes on from a position of another, which starts as given."""
    rest = {name: value for name, value in start.items() if name != "opening"}
    return {**rest, "setup": position}


def perft(position: Position[Any], plies: int) -> int:
    """Return how many sequences of so many legal turns, one or more, there are from a position."""
    turns = position.legal_turns()
    if plies == 1:
        return len(turns)
    total = 0
    for turn in turns:
        after = position.copy()
        after.play(turn)
        total += perft(after, plies - 1)
    return total


def answered(line: Line) -> Line:
    """Return a line with hexrec's answers, whatever answers it has.

    Raises ValueError for a question that cannot be answered so: a turn or a start that is legal, for instance.
    """
    head: Line = {"kit": VERSION, "kind": line["kind"]}
    if line["kind"] == "verdict":
        return {**head, "record": line["record"], **_verdict(line["record"])}
    if line["kind"] == "invalid record":
        return {**head, "record": line["record"], **_errors(line["record"])}
    start = line["start"]
    head["start"] = start
    if line["kind"] == "illegal start":
        return {**head, **_refusal_of_start(start)}
    moves = line["moves"]
    position = start_of(start)
    head["moves"] = moves
    if line["kind"] == "game":
        return {**head, **_game(start, moves, [each["ply"] for each in line["positions"]])}
    position.play_all(moves)
    if line["kind"] == "illegal turn":
        return {**head, "turn": line["turn"], "position": position.text(), "code": _refusal(position, line["turn"])}
    counts = [perft(position, plies) for plies in range(1, len(line["counts"]) + 1)]
    return {**head, "position": position.text(), "counts": counts}


def _game(start: Start, moves: list[str], plies: list[int]) -> Line:
    """Return what is asked about a game: positions within it, how it ends, and its hashes."""
    position = start_of(start)
    positions = []
    for ply in plies:
        position.play_all(moves[position.plies : ply])
        hashes = {} if position.is_over else {"hash": _hash(going_on(start, position.text()), moves[ply:])}
        positions.append({"ply": ply, "position": position.text(), "legal": position.legal_turns(), **hashes})
    position.play_all(moves[position.plies :])
    outcome = position.result()
    return {
        "positions": positions,
        "end": position.text(),
        "result": outcome.as_data() if outcome else None,
        "hash": _hash(start, moves),
        "symmetric_hash": _hash(start, moves, symmetric=True),
    }


def _hash(start: Start, moves: list[str], *, symmetric: bool = False) -> str:
    return game_hash(read_record({"hexrec": FORMAT_VERSION, **start, "moves": moves}), symmetric=symmetric)


def _refusal(position: Position[Any], turn: str) -> str:
    try:
        position.copy().play(turn)
    except RuleError as refusal:
        return refusal.code
    raise ValueError(f"{turn} is legal")


def _refusal_of_start(start: Start) -> Line:
    try:
        start_of(start)
    except RuleError as refusal:
        column = getattr(refusal, "column", None)
        return {"code": refusal.code} | ({} if column is None else {"column": column})
    raise ValueError(f"{start} is a legal start")


def _verdict(index: int) -> Line:
    """Return the verdict on a record of the kit."""
    record = read_record(list(lines(RECORDS))[index])
    report = check_record(record)
    hashes = {"hash": game_hash(record), "symmetric_hash": game_hash(record, symmetric=True)}
    result = report.result and report.result.as_data()
    return {"valid": report.valid, "plies": report.plies, "result": result, **hashes}


def _errors(record: Line) -> Line:
    """Return how far a record can be replayed, and what is wrong with it."""
    report = check_document(Document(record))
    errors = [{"code": error.code, "pointer": error.pointer} for error in report.errors]
    if not errors:
        raise ValueError(f"{record} is a valid record")
    return {"plies": report.plies, "errors": errors}
