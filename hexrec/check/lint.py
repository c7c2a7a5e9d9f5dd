"""Warnings about one record: what the format allows but is probably not meant, or not written as usual."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta, timezone
from functools import partial
from typing import Any

from hexrec.check.replay import Replay
from hexrec.check.report import LintKey, Report
from hexrec.check.verdict import check_result, ending
from hexrec.diagnostics import Code, Diagnostic, shorten
from hexrec.games import Position
from hexrec.games.game import BLANKS
from hexrec.record import Move, Record, canonical_form
from hexrec.record.fingerprint import fingerprint
from hexrec.record.parse import pointer_to

CODES: Mapping[str, Code] = {
    "lint/not-canonical": Code(
        "Something in the record is written otherwise than in its canonical form; the message names the first such "
        "thing. The order of the fields does not matter.",
        "Run `hexrec fmt`.",
        rule="Every record has one canonical form (docs/format.md, The canonical form).",
        example='{hexrec: "1", game: sunspot, size: 5, moves: [E5]}',
    ),
    "lint/no-result": Code(
        "The rules have ended the game, but the record has no result.",
        "Run `hexrec fix`, which adds it.",
        rule="The record of a finished game says how it ended.",
        example='{hexrec: "1", game: sundraval, size: 9, opening: {black: e5, white: f6}, moves: [pass, pass]}',
    ),
    "lint/future-date": Code(
        "The date of the game, or the time of a turn, is later than now. (A date without a time is later than now when "
        "that day has not begun anywhere on Earth.)",
        "Correct the date, or the clock of the computer.",
        rule="A record is of a game that has been played.",
        example='{hexrec: "1", game: sunspot, size: 5, date: 9999-12-31, moves: []}',
    ),
    "lint/same-name": Code(
        "Both players have the same name, capitals and blanks around it disregarded.",
        "Correct one of the names, or tell the players apart.",
        rule="A game is played by two players.",
        example='{hexrec: "1", game: sunspot, size: 5, players: {black: {name: Ada}, white: {name: ada}}, moves: []}',
    ),
    "lint/size": Code(
        "The board has a size that the game's designer does not recommend.",
        "Check the size; if it is right, ignore this code.",
        rule="Games are meant for the sizes that `hexrec games` lists as recommended.",
        example='{hexrec: "1", game: sunspot, size: 4, moves: []}',
    ),
    "lint/missing-passes": Code(
        "The game is not over, but all that is missing are passes: nothing else is legal until the game ends, or the "
        "record gives the result that the game has after one or two passes.",
        "Add the passes at the end of the turns.",
        rule="A pass is a turn, and a record holds all turns.",
        example=(
            '{hexrec: "1", game: sundraval, size: 9, opening: {black: e5, white: f6}, moves: [pass],\n'
            "  result: {winner: draw}}"
        ),
    ),
    "lint/extra-passes": Code(
        "All turns that follow the end of the game are passes.",
        "Delete them.",
        rule="No turn follows the end of the game, not even a pass.",
        example=(
            '{hexrec: "1", game: sundraval, size: 9, opening: {black: e5, white: f6}, moves: [pass, pass, pass],\n'
            "  result: {winner: draw}}"
        ),
    ),
    "lint/duplicate": Code(
        "The game is the same as an earlier one of the run: game, ruleset, variant, size, opening and all turns. What "
        "else the records say, and the coordinate system, do not matter.",
        "Delete one of the two records, or correct the one that should be another game.",
        rule="A collection holds each game once.",
        example=(
            '{hexrec: "1", game: sunspot, size: 5, moves: [a1, b2]}\n'
            "---\n"
            '{hexrec: "1", game: sunspot, size: 5, moves: [a1, b2]}'
        ),
    ),
    "lint/duplicate-mirrored": Code(
        "The game is the same as an earlier one of the run on a board that is turned, mirrored or both.",
        "Delete one of the two records, unless there have been two such games.",
        rule="A collection holds each game once, whichever side the board was looked at from.",
        example=(
            '{hexrec: "1", game: sunspot, size: 5, moves: [a1, b2]}\n'
            "---\n"
            '{hexrec: "1", game: sunspot, size: 5, moves: [i5, h5]}'
        ),
    ),
}

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

    def add(self, report: Report, record: Record, replayed: Replay, data: object = None) -> Report:
        """Return the report on a record with the warnings and the key for finding duplicates.

        `data` is what the record was read from; without it, whether that is canonical cannot be told.
        """
        canonical = canonical_form(record)
        found = [*report.diagnostics]
        if data is not None:
            found += _not_canonical(data, canonical)
        found += self._from_the_future(record)
        found += _same_name(record)
        found += _unusual_size(record)
        found += _ending(record, replayed)
        key = None
        if (known := fingerprint(record, canonical, replayed.plies)) is not None:
            *_, digest = known.digests()
            key = LintKey(digest, known.images[-1], Diagnostic("lint/duplicate", "", "warning", pointer=""))
        return replace(report, diagnostics=tuple(found), lint_key=key)

    def _from_the_future(self, record: Record) -> Iterator[Diagnostic]:
        if record.date is not None and self._is_future(record.date):
            yield _warning("future-date", f"the date {record.date} is in the future", "/date")
        for index, move in enumerate(record.moves):
            if isinstance(move, Move) and move.at is not None and self._is_future(move.at):
                message = f"turn {index + 1} was played in the future, at {move.at}"
                yield _warning("future-date", message, f"/moves/{index}/at")
                return

    def _is_future(self, text: str) -> bool:
        if "T" in text:
            return datetime.fromisoformat(text) > self.now
        return date.fromisoformat(text) > self.now.astimezone(_EARLIEST_ZONE).date()


def _warning(code: str, message: str, pointer: str) -> Diagnostic:
    return Diagnostic(f"lint/{code}", message, "warning", pointer=pointer)


def _not_canonical(data: object, canonical: object) -> Iterator[Diagnostic]:
    for path, value, right in _differences(data, canonical):
        name = f"{path[-1]} " if isinstance(path[-1], str) else ""
        instead = "is left out" if right is None else f"is written {_shown(right)}"
        message = f"in the canonical form, {name}{_shown(value)} {instead}"
        yield _warning("not-canonical", message, pointer_to(path))
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
    players = record.players
    names = [player.name for player in (players.black, players.white) if player and player.name] if players else []
    plain = {name.strip().casefold() for name in names}
    if len(names) == 2 and len(plain) == 1 and plain != {""}:
        yield _warning("same-name", f"both players are named {shorten(names[1].strip())}", "/players/white/name")


def _unusual_size(record: Record) -> Iterator[Diagnostic]:
    game = record.GAME
    if record.size not in game.recommended:
        *sizes, last = map(str, sorted(game.recommended))
        recommended = f"{', '.join(sizes)} or {last}" if sizes else last
        message = f"the size recommended for {game.title} is {recommended}, not {record.size}"
        yield _warning("size", message, "/size")


def _ending(record: Record, replayed: Replay) -> Iterator[Diagnostic]:
    """Look at how a game ends: what is said of it, and passes that are missing or too many."""
    failure = replayed.failure
    if failure is not None:
        extra = {turn.strip(BLANKS).lower() for turn in record.turns[replayed.plies :]}
        if failure.code == "move/game-over" and extra == {_PASS}:
            count = len(record.moves) - replayed.plies
            what = "the last turn is a pass" if count == 1 else f"the last {count} turns are passes"
            yield _warning("extra-passes", f"{what} after the end of the game", failure.pointer or "")
        return
    assert replayed.position is not None
    outcome = replayed.position.result()
    if outcome is None:
        yield from _missing_passes(record, replayed.position)
    elif record.result is None:
        message = f"the rules have ended the game ({ending(outcome.winner)}), but the record has no result"
        yield _warning("no-result", message, "")


def _missing_passes(record: Record, position: Position[Any]) -> Iterator[Diagnostic]:
    """Look whether an unfinished game ends with one or two passes that are the only legal turns or give its result."""
    claim = record.result
    if claim is not None and claim.termination != "rules":
        return
    claims = claim is not None and (claim.winner is not None or claim.score is not None)
    after, passes, forced = position.copy(), 0, True
    while not after.is_over:
        legal = after.is_legal(_PASS)
        forced = forced and legal and after.legal_turns() == [_PASS]
        if not legal or not (forced or claims) or passes == 2:
            return
        after.play(_PASS)
        passes += 1
    if forced or not any(check_result(record, after)):
        missing, those = ("1 pass is missing", "that") if passes == 1 else (f"{passes} passes are missing", "them")
        why = "no other turn is legal" if forced else f"with {those} the game ends as the result says"
        pointer = f"/moves/{len(record.moves) - 1}" if record.moves else "/moves"
        yield _warning("missing-passes", f"{missing} at the end: {why}", pointer)
