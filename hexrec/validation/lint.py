"""Warnings about one record: what the format allows but is probably unintended, or not written as usual."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from typing import Any

from hexrec.diagnostics import Diagnostic, shorten
from hexrec.games import COLOURS, Position
from hexrec.games.explanation import ending
from hexrec.games.turn_text import BLANKS
from hexrec.pointer import pointer_to
from hexrec.record import Record, canonical_form
from hexrec.record.identity import can_recur, identify
from hexrec.record.replay import Replay
from hexrec.record.schema import first_day
from hexrec.validation.plausibility import implausible
from hexrec.validation.report import LintKey, Report
from hexrec.validation.verdict import check_result

_PASS = "pass"
#: Where a day begins first.
_EARLIEST_ZONE = timezone(timedelta(hours=14))


@dataclass(frozen=True)
class Lint:
    """The checks of one record.

    Attributes:
        now: what time it is; dates after it lie in the future.
    """

    now: datetime = field(default_factory=partial(datetime.now, UTC))

    def add(self, report: Report, record: Record, replayed: Replay) -> Report:
        """Return the report on a record with the warnings and the key for finding duplicates.

        Whether a record that was read from no file is canonical is unknown.
        """
        canonical = canonical_form(record)
        found = [*report.diagnostics]
        if record.document is not None:
            found += _not_canonical(record.document.data, canonical)
        found += self._from_the_future(record)
        found += _same_name(record)
        found += _unusual_size(record)
        found += implausible(record)
        found += _ending(record, replayed)
        key = None
        if can_recur(record, replayed.plies):
            key = LintKey(*identify(record).symmetric_digest(), Diagnostic("lint/duplicate", "", "warning", pointer=""))
        return replace(report, diagnostics=tuple(found), lint_key=key)

    def _from_the_future(self, record: Record) -> Iterator[Diagnostic]:
        for name, text in (("date", record.date), ("date_end", record.get("date_end"))):
            if text is not None and self._is_future(text):
                yield _warning("lint/future-date", f"the date {text} is in the future", f"/{name}")
                break
        for index, move in enumerate(record.moves):
            if isinstance(move, dict) and "at" in move and self._is_future(move["at"]):
                message = f"turn {index + 1} was played in the future, at {move['at']}"
                yield _warning("lint/future-date", message, f"/moves/{index}/at")
                return

    def _is_future(self, text: str) -> bool:
        if "T" in text:
            return datetime.fromisoformat(text) > self.now
        return date.fromisoformat(first_day(text)) > self.now.astimezone(_EARLIEST_ZONE).date()


def _warning(code: str, message: str, pointer: str) -> Diagnostic:
    return Diagnostic(code, message, "warning", pointer=pointer)


def _not_canonical(data: object, canonical: object) -> Iterator[Diagnostic]:
    for path, value, right in _differences(data, canonical):
        name = f"{path[-1]} " if isinstance(path[-1], str) else ""
        instead = "is left out" if right is None else f"is written {_shown(right)}"
        message = f"in the canonical form, {name}{_shown(value)} {instead}"
        yield _warning("lint/not-canonical", message, pointer_to(path))
        return


def _differences(data: Any, canonical: Any, path: tuple[int | str, ...] = ()) -> Iterator[Any]:
    """Yield the path of each value that is otherwise in the canonical form, in the order of `data`, and both values.

    Everything in the canonical form is in the data too. What is in the data only comes with None.
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


def _shown(value: object) -> str:
    return shorten(json.dumps(value, ensure_ascii=False))


def _same_name(record: Record) -> Iterator[Diagnostic]:
    players = (record.players.get(color, {}) for color in COLOURS)
    names = [player["name"] for player in players if player.get("name")]
    plain = {name.strip().casefold() for name in names}
    if len(names) == 2 and len(plain) == 1 and plain != {""}:
        yield _warning("lint/same-name", f"both players are named {shorten(names[1].strip())}", "/players/white/name")


def _unusual_size(record: Record) -> Iterator[Diagnostic]:
    game = record.rules
    if record.size not in game.recommended:
        *sizes, last = map(str, sorted(game.recommended))
        recommended = f"{', '.join(sizes)} or {last}" if sizes else last
        message = f"the size recommended for {game.title} is {recommended}, not {record.size}"
        yield _warning("lint/size", message, "/size")


def _ending(record: Record, replayed: Replay) -> Iterator[Diagnostic]:
    """Look at how a game ends: what is said of it, and passes that are missing or too many."""
    failure = replayed.failure
    if failure is not None:
        extra = {turn.strip(BLANKS).lower() for turn in record.turns[replayed.plies :]}
        if failure.code == "move/game-over" and extra == {_PASS}:
            count = len(record.moves) - replayed.plies
            what = "the last turn is a pass" if count == 1 else f"the last {count} turns are passes"
            yield _warning("lint/extra-passes", f"{what} after the end of the game", failure.pointer or "")
        return
    outcome = replayed.outcome
    if outcome is None:
        assert replayed.position is not None
        yield from _missing_passes(record, replayed.position)
    elif record.result is None:
        message = f"the rules have ended the game ({ending(outcome.winner)}), but the record has no result"
        yield _warning("lint/no-result", message, "")


def _missing_passes(record: Record, position: Position[Any]) -> Iterator[Diagnostic]:
    """Look whether an unfinished game ends with one or two passes that are the only legal turns or give its result."""
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
        why = "no other turn is legal" if forced else f"with {those} the game ends as the result says"
        pointer = f"/moves/{len(record.moves) - 1}" if record.moves else "/moves"
        yield _warning("lint/missing-passes", f"{missing} at the end: {why}", pointer)
