"""The verdict on a record: syntax, schema, replay, result, in this order, as the format page demands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

from hexrec import internal_error
from hexrec.diagnostics import Diagnostic, shorten
from hexrec.files.discovery import Discovery, Source, unreadable
from hexrec.games import Outcome
from hexrec.games.outcome import COLOURS
from hexrec.games.position_text import first_mover
from hexrec.notations.base import Document, Margin
from hexrec.plain.record import read as read_plain
from hexrec.record import GameRecord, Record, RecordError, read_record
from hexrec.validation.beside import check_beside
from hexrec.validation.past_end import within_rules
from hexrec.validation.replay import Replay, replay_whole
from hexrec.validation.report import Report, failed, in_order, locate, placed, unjudged

#: The extension field, an object, that marks a record which was converted although it is invalid.
INVALID_MARK = "x-invalid"
#: The terminations that name a loser.
_WITH_LOSER = {"resignation", "time", "forfeit"}


class Linter(Protocol):
    """What looks for more than errors in a record: `hexrec.validation.lint`."""

    def add(self, report: Report, record: Record, replayed: Replay, data: object = None) -> Report:
        """Return the report with its warnings and its `lint_key`."""


def check_record(record: Record, *, finished: bool = False, lint: Linter | None = None, data: object = None) -> Report:
    """Return the verdict on a record: its replay and its result. With `finished`, it must have a result.

    With `lint`, its warnings are among the diagnostics; `data` is what the record was read from.
    """
    replayed = replay_whole(record)
    report = _judge(record, replayed, finished)
    if isinstance((record.__pydantic_extra__ or {}).get(INVALID_MARK), dict):
        why = "says that this record was invalid when it was converted: remove it once that is corrected"
        remaining = Diagnostic("convert/mark", f"{INVALID_MARK} {why}", "warning", pointer=f"/{INVALID_MARK}")
        report = replace(report, diagnostics=(*report.diagnostics, remaining))
    return lint.add(report, record, replayed, data) if lint else report


def _judge(
    record: GameRecord,
    replayed: Replay,
    finished: bool,
    file: str | None = None,
    index: int | None = None,
    document: Document | None = None,
) -> Report:
    """Return the verdict on a record, with diagnostics that have no places yet."""
    diagnostics: tuple[Diagnostic, ...]
    result = None
    if replayed.failure is not None:
        diagnostics = (replayed.failure,)
    else:
        diagnostics = tuple(check_result(record, replayed, finished=finished))
        claim = record.result
        result = replayed.outcome
        if result is None and claim is not None and claim.termination != "rules":
            result = Outcome(claim.winner, None, claim.termination)
    if replayed.started:
        diagnostics += tuple(check_beside(record, replayed.plies))
    return Report(
        diagnostics,
        replayed.plies,
        result,
        record,
        file,
        index,
        record.game,
        record.id,
        legal=replayed.failure is None,
        canonical=replayed.canonical,
        document=document,
    )


def check_result(record: GameRecord, played: Replay, *, finished: bool = False) -> Iterator[Diagnostic]:
    """Yield what is wrong with a record's result if the game ends, or goes on, as the replay says."""
    outcome = played.outcome
    claim = record.result
    elsewhere = _elsewhere(record)
    if claim is None:
        if finished:
            yield Diagnostic(
                "result/missing", "the record has no result, which is required of finished games", pointer=""
            )
    elif claim.termination == "rules":
        if outcome is None:
            turns = "1 turn" if played.plies == 1 else f"{played.plies} turns"
            mover = COLOURS[(played.plies + first_mover(record.setup)) % 2]
            message = f"the result says that the rules ended the game, but after {turns} it is {mover}'s turn"
            yield Diagnostic("result/not-over", message + elsewhere, pointer="/result")
            return
        if claim.winner is not None and claim.winner != outcome.winner:
            message = f"the record says {ending(claim.winner)}, but by the rules it is {ending(outcome.winner)}"
            yield Diagnostic("result/winner-mismatch", message + elsewhere, pointer="/result/winner")
        if claim.score is not None and outcome.score is not None:
            claimed = {"black": claim.score.black, "white": claim.score.white}
            if claimed != outcome.score:
                order = " (from the largest down)" if record.GAME.score == "list" else ""
                computed = _score(outcome.score)
                message = f"the record gives the score {_score(claimed)}, but by the rules it is {computed}{order}"
                yield Diagnostic("result/score-mismatch", message + elsewhere, pointer="/result/score")
    elif outcome is not None:
        message = (
            f"the record says that the game ended by {claim.termination}, but the rules had already ended it: "
            f"{ending(outcome.winner)}"
        )
        yield Diagnostic("result/already-over", message + elsewhere, pointer="/result/termination")
    if claim is not None and claim.winner == "draw" and claim.termination in _WITH_LOSER:
        message = f"a game that ends by {claim.termination} has a loser (winner: draw)"
        fix = ": name the winner or another termination"
        yield Diagnostic("result/draw-with-loser", message + fix, pointer="/result/winner")


def _check_margin(margin: Margin, record: GameRecord, outcome: Outcome) -> Iterator[Diagnostic]:
    """Yield what is wrong with the margin of a win that a record claims, in a game that ended as its replay says."""
    score = outcome.score
    if record.result is None or record.result.winner != outcome.winner:
        return
    if outcome.termination != "rules" or score is None:
        return
    black, white = score["black"], score["white"]
    if isinstance(black, list) or isinstance(white, list) or abs(black - white) == margin.value:
        return
    message = (
        f"the record gives {margin.written}, a margin of {margin.value:g}, but by the rules it is "
        f"{abs(black - white):g} ({_score(score)})"
    )
    yield Diagnostic("result/score-mismatch", message + _elsewhere(record), pointer="/result")


def _elsewhere(record: GameRecord) -> str:
    """Return the hint that a result which is wrong by the rules is one that a site has given."""
    return f"; at {shorten(record.site)} the game was judged differently" if record.site else ""


def ending(winner: str | None) -> str:
    """Say how a game ended: ``a win for black``."""
    return "a draw" if winner == "draw" else f"a win for {winner}"


def _score(score: Mapping[Any, Any]) -> str:
    return ", ".join(f"{colour} {_value(score[colour])}" for colour in ("black", "white"))


def _value(value: Any) -> str:
    return shorten(str(int(value) if isinstance(value, float) and value.is_integer() else value))


def check_document(
    document: Document,
    file: str | None = None,
    index: int | None = None,
    *,
    finished: bool = False,
    lint: Linter | None = None,
) -> Report:
    """Return the verdict on one document of a file, with the place of every diagnostic.

    If hexrec fails on it, that is the diagnostic. Raises MemoryError.
    """
    try:
        return _check_document(document, file, index, finished=finished, lint=lint)
    except MemoryError:
        raise
    except Exception as error:
        return failed(unjudged(document, file, index), error)


def _check_document(
    document: Document, file: str | None, index: int | None, *, finished: bool, lint: Linter | None
) -> Report:
    document = within_rules(document)
    if document.error is not None:
        found = [*document.warnings, document.error]
        return Report(locate(found, document, file=file, record=index), file=file, index=index, document=document)
    plain = None if lint else read_plain(document.data)
    try:
        record = plain or read_record(document.data, turns_unchecked=True)
    except RecordError as error:
        report = replace(unjudged(document), diagnostics=error.diagnostics)
    else:
        if isinstance(record, Record):
            report = check_record(record, finished=finished, lint=lint, data=document.data)
        else:
            report = _judge(record, replay_whole(record), finished, file, index, document)
        if document.margin is not None and report.result is not None:
            wrong = _check_margin(document.margin, record, report.result)
            report = replace(report, diagnostics=(*report.diagnostics, *wrong))
    if plain and not report.diagnostics and not document.warnings:
        return report
    found = [*document.warnings, *report.diagnostics]
    key = report.lint_key
    located = placed([*found, key.place] if key else found, document, file=file, record=index, id=report.id)
    if key:
        key = key._replace(place=located.pop())
    return replace(report, diagnostics=in_order(located), file=file, index=index, lint_key=key, document=document)


def check_sources(
    sources: Discovery | Iterable[Source | Diagnostic], *, finished: bool = False, lint: Linter | None = None
) -> Iterator[Report]:
    """Yield the verdict on every record of the sources, in order.

    What cannot be read, and what hexrec fails on, gets a verdict that says so.
    """
    for source in sources:
        if isinstance(source, Diagnostic):
            file = writable(source.file or "")
            yield Report((source.at(file=file, record=0),), file=file, index=0)
            continue
        file = writable(source.name)
        index = 0
        try:
            for document in source.documents():
                yield _judged(document, file, index, finished, lint)
                index += 1
        except OSError as error:
            yield Report((unreadable(file, error).at(record=index),), file=file, index=index)
        except Exception as error:
            diagnostic = internal_error.diagnostic(error, "file")
            yield Report((diagnostic.at(file=file, record=index),), file=file, index=index)


def _judged(document: Document, file: str, index: int, finished: bool, lint: Linter | None) -> Report:
    """Return the verdict on a document; running out of memory is one too."""
    try:
        return check_document(document, file, index, finished=finished, lint=lint)
    except MemoryError as error:
        return failed(unjudged(document, file, index), error)


def writable(file: str) -> str:
    """Return the name of a file as text that can be written: names may hold bytes that are no characters."""
    return file.encode(errors="backslashreplace").decode()
