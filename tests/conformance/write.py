"""Completes the conformance kit: `python -m tests.conformance.write` answers the questions that have no answer yet.

An answer that is there is compared. If it is another one than hexrec gives, nothing is written and the exit code is 1:
other programs rely on it, so it is hexrec that is wrong, or there has to be a new version of the kit.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from hexrec.conformance import FILES, VERSION, Line, Start, folder, going_on, lines, perft, start_of
from hexrec.formats.base import Document
from hexrec.io.outputs import atomic_write
from hexrec.record.identity import game_hash
from hexrec.record.validation import read_record
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError
from hexrec.tools.positions import positions as position_keys
from hexrec.util.version import FORMAT_VERSION
from hexrec.validation.verdict import check_document, check_record

#: The records that verdicts are about.
RECORDS = "records.jsonl"


def main() -> int:
    """Complete the kit's files; return the exit code."""
    made = {name: [(line, answered(line)) for line in lines(name)] for name in FILES}
    changed = [
        f"{name}:{number}: {field} is {line[field]!r}, but hexrec says {new.get(field)!r}"
        for name, pairs in made.items()
        for number, (line, new) in enumerate(pairs, 1)
        for field in changes(line, new)
    ]
    if changed:
        print(*changed, sep="\n", file=sys.stderr)
        return 1
    for name, pairs in made.items():
        with atomic_write(folder() / name) as out:
            out.writelines(json.dumps(new, separators=(",", ":")) + "\n" for _, new in pairs)
    return 0


def changes(line: Line, new: Line) -> Iterator[str]:
    """Yield the fields of a line that have another answer than its new form."""
    for field, value in line.items():
        if not _agrees(value, new.get(field)):
            yield field


def _agrees(old: object, new: object) -> bool:
    """Return whether two answers agree. In a list, an old one that is null is still to be given."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(_agrees(value, new.get(name)) for name, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(a is None or _agrees(a, b) for a, b in zip(old, new, strict=True))
    return old == new


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
    record = read_record({"hexrec": FORMAT_VERSION, **start, "moves": moves})
    keys, _ = position_keys(record)
    positions = []
    for ply in plies:
        position.play_all(moves[position.plies : ply])
        hashes = {} if position.is_over else {"hash": _hash(going_on(start, position.text()), moves[ply:])}
        answers = {"ply": ply, "position": position.text(), "legal": position.legal_turns(), "key": keys[ply]}
        positions.append({**answers, **hashes})
    position.play_all(moves[position.plies :])
    outcome = position.result()
    return {
        "positions": positions,
        "end": position.text(),
        "result": outcome.as_data() if outcome else None,
        "hash": game_hash(record),
        "symmetric_hash": game_hash(record, symmetric=True),
    }


def _hash(start: Start, moves: list[str]) -> str:
    return game_hash(read_record({"hexrec": FORMAT_VERSION, **start, "moves": moves}))


def _refusal(position: Position, turn: str) -> str:
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


if __name__ == "__main__":
    sys.exit(main())
