"""Warnings about one record: content that is valid but probably unintended, implausible or not canonical."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import chain, islice, pairwise
from typing import Any

from hexrec.record.canonical import canonical_form
from hexrec.record.identity import can_recur, identify
from hexrec.record.record import Record, cells_in
from hexrec.record.replay import Replay
from hexrec.record.schema import TimeStage, first_day
from hexrec.record.shapes import is_extension
from hexrec.rules.board import trim
from hexrec.rules.position import Position
from hexrec.rules.position_text import first_to_play
from hexrec.rules.terms import COLORS, ending, join_words
from hexrec.util.diagnostics import Diagnostic, Path, pointer_to, shorten
from hexrec.validation.report import INVALID_MARK, LintKey, Report
from hexrec.validation.results import check_result

_PASS = "pass"
#: The time zone in which a day begins first.
_EARLIEST_ZONE = timezone(timedelta(hours=14))
#: The maximum absolute value of a rating in any rating system.
_HIGHEST_RATING = 10_000
#: The tolerance in seconds: clocks are recorded in whole seconds.
_ROUNDING = 1
#: The beginning of the name of an extension field, and the names that the format reserves.
_VENDOR = re.compile("x-[A-Za-z0-9]+-[A-Za-z0-9]")
_RESERVED = (INVALID_MARK, "x-sgf", "x-hgn", "x-abstractplay")
#: A number of seconds that no game reaches: longer times are ignored.
_ENDLESS = 10**9


def add_warnings(report: Report, record: Record, replayed: Replay, now: datetime | None = None) -> Report:
    """Return the report on a record with the warnings and the key for duplicate detection.

    A record without a document is not compared with its canonical form. Dates after `now` are in the future.
    """
    now = now or datetime.now(UTC)
    checks = (_same_name, _unusual_size, _dates, _ratings, _clocks, _moments, _marks, _extensions)
    warnings = [_not_canonical(record), _future_dates(record, now), _future_turns(record, now)]
    warnings += [*(check(record) for check in checks), _ending(record, replayed)]
    # The first warning of each kind is enough.
    diagnostics = (*report.diagnostics, *chain.from_iterable(islice(found, 1) for found in warnings))
    key = None
    if can_recur(record, replayed.plies):
        folded = identify(record).fold()
        place = Diagnostic("lint/duplicate", "", "warning", pointer="")
        if record.document is not None:
            (place,) = record.document.locate([place], file=record.file, record=record.index, id=record.id)
        key = LintKey(folded.digest, folded.images[-1], place)
    return report.copy(diagnostics=diagnostics, lint_key=key)


def _future_dates(record: Record, now: datetime) -> Iterator[Diagnostic]:
    for name, text in (("date", record.date), ("date_end", record.get("date_end"))):
        if text is not None and _is_future(text, now):
            yield _warning("lint/future-date", f"the date {text} is in the future", f"/{name}")


def _future_turns(record: Record, now: datetime) -> Iterator[Diagnostic]:
    for index, move in enumerate(record.moves):
        if isinstance(move, dict) and "at" in move and _is_future(move["at"], now):
            message = f"turn {index + 1} was played in the future, at {move['at']}"
            yield _warning("lint/future-date", message, f"/moves/{index}/at")


def _is_future(text: str, now: datetime) -> bool:
    if "T" in text:
        return datetime.fromisoformat(text) > now
    return date.fromisoformat(first_day(text)) > now.astimezone(_EARLIEST_ZONE).date()


def _warning(code: str, message: str, pointer: str) -> Diagnostic:
    return Diagnostic(code, message, "warning", pointer=pointer)


def _not_canonical(record: Record) -> Iterator[Diagnostic]:
    data = None if record.document is None else record.document.data
    for path, value, right in _differences(data, data and canonical_form(record)):
        name = f"{path[-1]} " if isinstance(path[-1], str) else ""
        instead = "is left out" if right is None else f"is written {_quote(right)}"
        message = f"in the canonical form, {name}{_quote(value)} {instead}"
        yield _warning("lint/not-canonical", message, pointer_to(path))


def _differences(data: Any, canonical: Any, path: Path = ()) -> Iterator[Any]:
    """Yield the path of each value that differs in the canonical form, in the order of `data`, with both values.

    Every path in the canonical form is in the data too. A value that the canonical form omits comes with None.
    """
    if isinstance(data, dict) and isinstance(canonical, dict):
        for name, value in data.items():
            if name in canonical:
                yield from _differences(value, canonical[name], (*path, name))
            else:
                yield (*path, name), value, None
    elif isinstance(data, list) and isinstance(canonical, list):
        for index, pair in enumerate(zip(data, canonical, strict=True)):
            yield from _differences(*pair, (*path, index))
    elif type(data) is not type(canonical) or data != canonical:  # 5.0 is not 5 here
        yield path, data, canonical


def _quote(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=False))


def _same_name(record: Record) -> Iterator[Diagnostic]:
    players = (record.players.get(color, {}) for color in COLORS)
    names = [player["name"] for player in players if player.get("name")]
    plain = {name.strip().casefold() for name in names}
    if len(names) == 2 and len(plain) == 1 and plain != {""}:
        yield _warning("lint/same-name", f"both players are named {shorten(names[1].strip())}", "/players/white/name")


def _unusual_size(record: Record) -> Iterator[Diagnostic]:
    game = record.rules
    if record.size not in game.recommended:
        recommended = join_words([str(size) for size in sorted(game.recommended)], "or")
        message = f"the size recommended for {game.title} is {recommended}, not {record.size}"
        yield _warning("lint/size", message, "/size")


def _ending(record: Record, replayed: Replay) -> Iterator[Diagnostic]:
    """Yield warnings about the end of a game: a missing result, missing passes or extra passes."""
    failure = replayed.failure
    if failure is not None:
        extra = {trim(turn) for turn in record.turns[replayed.plies :]}
        if failure.code == "move/game-over" and extra == {_PASS}:
            count = len(record.moves) - replayed.plies
            passes = "the last turn is a pass" if count == 1 else f"the last {count} turns are passes"
            yield _warning("lint/extra-passes", f"{passes} after the end of the game", failure.pointer or "")
        return
    outcome = replayed.outcome
    if outcome is None:
        assert replayed.position is not None
        yield from _missing_passes(record, replayed.position)
    elif record.result is None:
        message = f"the rules have ended the game ({ending(outcome.winner)}), but the record has no result"
        yield _warning("lint/no-result", message, "")


def _missing_passes(record: Record, position: Position) -> Iterator[Diagnostic]:
    """Yield a warning if one or two passes, forced or giving the claimed result, would end an unfinished game."""
    claim = record.result
    if claim is not None and claim.get("termination", "rules") != "rules":
        return
    claims = claim is not None and ("winner" in claim or "score" in claim)
    after, passes, forced = position.copy(), 0, True
    while not after.is_over:
        legal = after.is_legal(_PASS)
        forced = forced and legal and after.legal_turns() == [_PASS]
        if not legal or not (forced or claims) or passes == 2:
            return
        after.play(_PASS)
        passes += 1
    if forced or not any(check_result(record, Replay(record, after.plies, after.result()))):
        missing, those = ("1 pass is missing", "that") if passes == 1 else (f"{passes} passes are missing", "them")
        why = "no other turn is legal" if forced else f"with {those} the game ends with the recorded result"
        pointer = f"/moves/{len(record.moves) - 1}" if record.moves else "/moves"
        yield _warning("lint/missing-passes", f"{missing} at the end: {why}", pointer)


def _dates(record: Record) -> Iterator[Diagnostic]:
    first, last = record.date, record.get("date_end")
    if first is not None and last is not None and _is_before(last, first):
        yield _warning("lint/date-order", f"the game ended on {last}, before its date {first}", "/date_end")


def _is_before(text: str, other: str) -> bool:
    """Return whether a date is before another, to the precision that both have."""
    if "T" in text and "T" in other:
        return datetime.fromisoformat(text) < datetime.fromisoformat(other)
    # At least one date has no time, and may have no day or month.
    known = min(len(text), len(other))
    return text[:known] < other[:known]


def _ratings(record: Record) -> Iterator[Diagnostic]:
    for color in COLORS:
        rating = record.players.get(color, {}).get("rating", 0)
        if abs(rating) > _HIGHEST_RATING:
            message = f"no player has such a rating ({_digits(rating)})"
            yield _warning("lint/rating", message, f"/players/{color}/rating")


def _digits(number: float) -> str:
    try:
        return shorten(str(number))
    except ValueError:  # more digits than Python writes
        return "thousands of digits"


def _clocks(record: Record) -> Iterator[Diagnostic]:
    """Yield a warning for each clock that gains more than its time control adds."""
    stages = record.get("time_control", [])
    before: list[float | None] = [None, None]
    turns = [0, 0]
    side = first_to_play(record.setup)
    for index, move in enumerate(record.moves):
        color = (index + side) % 2
        clock = move.get("clock") if isinstance(move, dict) else None
        old = before[color]
        turns[color] += 1
        if clock is not None and old is not None and old < clock < _ENDLESS:
            gain = _gain(stages, turns[color])
            if gain is not None and clock > old + min(gain, _ENDLESS) + (_ROUNDING if gain else 0):
                allowed = f"adds {_digits(gain)} s" if gain else "has no increment"
                control = f"the time control {allowed}" if stages else "no time control is given"
                player = COLORS[color].capitalize()
                message = f"{player}'s clock grows from {_digits(old)} to {_digits(clock)} s, but {control}"
                yield _warning("lint/clock", message, f"/moves/{index}/clock")
        before[color] = clock


def _gain(stages: Sequence[TimeStage], turn: int) -> float | None:
    """Return the seconds that a clock may gain with a player's nth turn; None if unknown."""
    ends = 0
    for stage, following in pairwise([*stages, stages[-1]] if stages else []):
        if "periods" in stage or "per_turn" in stage:
            return None
        increment, count = stage.get("increment", 0), stage.get("turns")
        begins, ends = ends, ends + (count or 0)
        if count is None or turn < ends:
            return increment
        if turn == ends or following is stage:
            # The time of the next stage is added when this stage ends; the last stage repeats.
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
        before = index, at


def _marks(record: Record) -> Iterator[Diagnostic]:
    names = record.rules.board(record.size).names(record.coordinates)
    marked = [cells_in(("marks",), record.get("marks", ()))]
    for index, move in enumerate(record.moves):
        if isinstance(move, dict):
            marked.append(cells_in(("moves", index, "marks"), move.get("marks", ())))
    for path, cell in chain.from_iterable(marked):
        if names.find(cell) is None:
            yield _warning("lint/mark", f"the board has no cell {shorten(cell.strip())} to mark", pointer_to(path))


def _extensions(record: Record) -> Iterator[Diagnostic]:
    """Yield a warning for each extension field whose name does not begin with that of its vendor."""
    for path in _extension_paths(record.data):
        name = path[-1]
        if name not in _RESERVED and _VENDOR.match(name) is None:
            example = f"x-acme-{name[2:] or 'id'}"
            message = f"{shorten(name)} does not name its vendor: call it x-VENDOR-NAME, such as {example}"
            yield _warning("lint/extension-name", message, pointer_to(path))


def _extension_paths(value: Any, path: Path = ()) -> Iterator[Any]:
    """Yield the paths of extension fields, but not of those in the values of others."""
    if isinstance(value, dict):
        for name, part in value.items():
            if is_extension(name):
                yield (*path, name)
            else:
                yield from _extension_paths(part, (*path, name))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _extension_paths(part, (*path, index))
