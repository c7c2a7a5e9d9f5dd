"""The game hashes of records for which there is a report: only games all of whose turns are legal have one."""

from __future__ import annotations

from hexrec.record.game_hash import hash_legal
from hexrec.validation.report import Report, failed


def with_hash(report: Report, *, symmetric: bool = False) -> tuple[Report, str | None]:
    """Return a report and the hash of its game, None if that has none.

    If hexrec fails on it, the report says so. Raises MemoryError.
    """
    if report.record is None or not report.legal:
        return report, None
    try:
        return report, hash_legal(report.record, symmetric=symmetric)
    except MemoryError:
        raise
    except Exception as error:
        return failed(report, error), None
