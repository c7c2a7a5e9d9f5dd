"""Warnings about what surely is not so: clocks, times, dates and ratings, and marks beside the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from hexrec.diagnostics import Diagnostic, shorten
from hexrec.games.outcome import COLOURS
from hexrec.games.position_text import first_mover
from hexrec.record import Mark, Record, TimeStage

#: No rating system gives more, on either side of zero.
_HIGHEST_RATING = 10_000
#: Clocks are shown in whole seconds.
_ROUNDING = 1
#: More seconds than any game takes: such times are not added up.
_ENDLESS = 10**9


def implausible(record: Record) -> Iterator[Diagnostic]:
    """Yield warnings about the times, dates, ratings and marks of a record, of each kind the first."""
    for check in (_dates, _ratings, _clocks, _moments, _marks):
        yield from check(record)


def _warning(code: str, message: str, pointer: str) -> Diagnostic:
    return Diagnostic(code, message, "warning", pointer=pointer)


def _dates(record: Record) -> Iterator[Diagnostic]:
    first, last = record.date, record.get("date_end")
    if first is not None and last is not None and _is_before(last, first):
        yield _warning("lint/date-order", f"the game ended on {last}, before its date {first}", "/date_end")


def _is_before(text: str, other: str) -> bool:
    """Return whether a date is before another as far as both are known."""
    if "T" in text and "T" in other:
        return datetime.fromisoformat(text) < datetime.fromisoformat(other)
    # One of them has no time, and may have no day or month.
    known = min(len(text), len(other))
    return text[:known] < other[:known]


def _ratings(record: Record) -> Iterator[Diagnostic]:
    for colour in COLOURS:
        rating = record.players.get(colour, {}).get("rating", 0)
        if abs(rating) > _HIGHEST_RATING:
            message = f"no player has such a rating ({_shown(rating)})"
            yield _warning("lint/rating", message, f"/players/{colour}/rating")
            return


def _shown(number: float) -> str:
    try:
        return shorten(str(number))
    except ValueError:  # more digits than Python writes
        return "thousands of digits"


def _clocks(record: Record) -> Iterator[Diagnostic]:
    """Look for a clock that gains more than its time control adds."""
    stages = record.get("time_control", [])
    before: list[float | None] = [None, None]
    turns = [0, 0]
    mover = first_mover(record.setup)
    for index, move in enumerate(record.moves):
        colour = (index + mover) % 2
        clock = move.get("clock") if isinstance(move, dict) else None
        old = before[colour]
        turns[colour] += 1
        if clock is not None and old is not None and old < clock < _ENDLESS:
            gain = _gain(stages, turns[colour])
            if gain is not None and clock > old + min(gain, _ENDLESS) + (_ROUNDING if gain else 0):
                allowed = f"adds {_shown(gain)} s" if gain else "has no increment"
                control = f"the time control {allowed}" if stages else "no time control is given"
                message = f"{COLOURS[colour]}'s clock grows from {_shown(old)} to {_shown(clock)} s, but {control}"
                yield _warning("lint/clock", message, f"/moves/{index}/clock")
                return
        before[colour] = clock


def _gain(stages: Sequence[TimeStage], turn: int) -> float | None:
    """Return the time that a clock may gain with the turn of this number of a player; None if that is not known."""
    ends = 0
    for stage, following in pairwise([*stages, stages[-1]] if stages else []):
        if "periods" in stage or "per_turn" in stage:
            return None
        increment, count = stage.get("increment", 0), stage.get("turns")
        begins, ends = ends, ends + (count or 0)
        if count is None or turn < ends:
            return increment
        if turn == ends or following is stage:
            # What the next stage has is added when this one ends; the last one comes again.
            return None if turn == ends or (turn - begins) % count == 0 else increment
    return 0


def _moments(record: Record) -> Iterator[Diagnostic]:
    before: tuple[int, str] | None = None
    for index, move in enumerate(record.moves):
        at = move.get("at") if isinstance(move, dict) else None
        if at is None:
            continue
        if before is not None and datetime.fromisoformat(at) < datetime.fromisoformat(before[1]):
            message = f"turn {index + 1} was played at {at}, before turn {before[0] + 1} at {before[1]}"
            yield _warning("lint/time-order", message, f"/moves/{index}/at")
            return
        before = index, at


def _marks(record: Record) -> Iterator[Diagnostic]:
    names = record.rules.board(record.size).names(record.coordinates)
    places: list[tuple[str, Sequence[Mark]]] = [("", record.get("marks", []))]
    places += [
        (f"/moves/{index}", move.get("marks", [])) for index, move in enumerate(record.moves) if isinstance(move, dict)
    ]
    for pointer, marks in places:
        for number, mark in enumerate(marks):
            for index, cell in enumerate(mark["cells"]):
                if names.find(cell) is None:
                    message = f"the board has no cell {shorten(cell.strip())} to mark"
                    yield _warning("lint/mark", message, f"{pointer}/marks/{number}/cells/{index}")
                    return
