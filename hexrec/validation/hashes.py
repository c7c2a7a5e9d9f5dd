"""The game hashes of records: only games all of whose turns are legal have one."""

from __future__ import annotations

from hexrec.record import GameRecord, Record, RecordError
from hexrec.record import game_hash as hashes
from hexrec.record.canonical import canonical_turns
from hexrec.validation.replay import replay_whole
from hexrec.validation.report import Report, failed


def game_hash(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash, as 32 hexadecimal digits: the same for the same game, whatever else records say of it.

    With `symmetric`, it is also the same for a game that is rotated or mirrored. Raises RecordError, with the
    diagnostic of the opening or the first turn that is illegal: such a game has no hash.
    """
    replayed = replay_whole(record)
    if replayed.failure is not None:
        raise RecordError([replayed.failure])
    return _hash(record, symmetric, replayed.canonical)


def with_hash(report: Report, *, symmetric: bool = False) -> tuple[Report, str | None]:
    """Return a report and the hash of its game, None if that has none.

    If hexrec fails on it, the report says so. Raises MemoryError.
    """
    if report.game_record is None or not report.legal:
        return report, None
    try:
        return report, _hash(report.game_record, symmetric, report.canonical)
    except MemoryError:
        raise
    except Exception as error:
        return failed(report, error), None


def _hash(record: GameRecord, symmetric: bool, canonical: list[str] | None) -> str:
    turns = canonical_turns(record) if canonical is None else canonical
    return (hashes.symmetric_hash if symmetric else hashes.game_hash)(record, turns)
