"""The verdict on a record: syntax, schema, replay, result, in this order, as the format page demands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hexrec.diagnostics import Code, Diagnostic, shorten
from hexrec.formats.documents import Document
from hexrec.formats.sources import Finder, Source, unreadable
from hexrec.games import Outcome, Position
from hexrec.record import Record, RecordError, own_id, read_record
from hexrec.validation.replay import replay

CODES: Mapping[str, Code] = {
    "result/missing": Code(
        "The record has no result, and finished games were demanded.",
        "Add a result, or validate without `--finished`.",
    ),
    "result/not-over": Code(
        "The record says that the rules ended the game, but after its last turn the game goes on.",
        "Add the missing turns, or say in `termination` what ended the game.",
    ),
    "result/already-over": Code(
        "The record says that something other than the rules ended the game, but the rules had ended it.",
        "Leave out `termination`, or delete the turns that were not played.",
    ),
    "result/winner-mismatch": Code(
        "The winner that the record names is not the one that the rules give.",
        "Correct the winner, or look for a turn that was written down wrongly.",
    ),
    "result/score-mismatch": Code(
        "The score that the record gives is not the one that the rules give.",
        "Correct the score, or look for a turn that was written down wrongly.",
    ),
}


@dataclass(frozen=True)
class Report:
    """The verdict on one record.

    Attributes:
        diagnostics: all findings, in the order of their places.
        plies: the number of turns executed.
        result: what the engine computed; the record's claim if it says that something else ended the game; None
            while the game goes on, and when the replay failed.
        record: the record, as far as it could be read.
        file, index: where the record stands; None for a record that came from no file.
        game, id: the record's game and own identity, even where the rest could not be read.
    """

    diagnostics: tuple[Diagnostic, ...]
    plies: int = 0
    result: Outcome | None = None
    record: Record | None = None
    file: str | None = None
    index: int | None = None
    game: str | None = None
    id: str | None = None

    @property
    def valid(self) -> bool:
        """Whether there is no finding of severity error."""
        return not self.errors

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that make the record invalid."""
        return [finding for finding in self.diagnostics if finding.severity == "error"]

    @property
    def unreadable(self) -> bool:
        """Whether there was nothing to judge, because the file or folder could not be read at all."""
        return any(finding.code == "syntax/unreadable" for finding in self.diagnostics)


def check_record(record: Record, *, finished: bool = False) -> Report:
    """Return the verdict on a record: its replay and its result. With `finished`, it must have a result."""
    replayed = replay(record)
    if replayed.failure is not None:
        return _report(record, (replayed.failure,), replayed.plies, None)
    assert replayed.position is not None
    position = replayed.position
    outcome = position.result()
    claim = record.result
    result = outcome
    if outcome is None and claim is not None and claim.termination != "rules":
        result = Outcome(claim.winner, None, claim.termination)
    return _report(record, tuple(_check_result(record, position, finished)), replayed.plies, result)


def _report(record: Record, findings: tuple[Diagnostic, ...], plies: int, result: Outcome | None) -> Report:
    return Report(findings, plies, result, record, game=record.game, id=record.id)


def _check_result(record: Record, position: Position[Any], finished: bool) -> Iterator[Diagnostic]:
    outcome = position.result()
    claim = record.result
    if claim is None:
        if finished:
            yield Diagnostic("result/missing", "the record has no result, and finished games are demanded", pointer="")
    elif claim.termination == "rules":
        if outcome is None:
            turns = "1 turn" if position.plies == 1 else f"{position.plies} turns"
            message = f"the result says that the rules ended the game, but after {turns} it is {position.turn}'s turn"
            yield Diagnostic("result/not-over", message, pointer="/result")
            return
        if claim.winner is not None and claim.winner != outcome.winner:
            message = f"the record says {_win(claim.winner)}, but by the rules it is {_win(outcome.winner)}"
            yield Diagnostic("result/winner-mismatch", message, pointer="/result/winner")
        if claim.score is not None and outcome.score is not None:
            claimed = {"black": claim.score.black, "white": claim.score.white}
            if claimed != outcome.score:
                order = " (from the largest down)" if record.GAME.score == "list" else ""
                computed = _score(outcome.score)
                message = f"the record gives the score {_score(claimed)}, but by the rules it is {computed}{order}"
                yield Diagnostic("result/score-mismatch", message, pointer="/result/score")
    elif outcome is not None:
        message = (
            f"the record says that the game ended by {claim.termination}, but by the rules it had ended already: "
            f"{_win(outcome.winner)}"
        )
        yield Diagnostic("result/already-over", message, pointer="/result/termination")


def _win(winner: str | None) -> str:
    return "a draw" if winner == "draw" else f"a win for {winner}"


def _score(score: Mapping[Any, Any]) -> str:
    return ", ".join(f"{colour} {_value(score[colour])}" for colour in ("black", "white"))


def _value(value: Any) -> str:
    return shorten(str(int(value) if isinstance(value, float) and value.is_integer() else value))


def check_document(
    document: Document, file: str | None = None, index: int | None = None, *, finished: bool = False
) -> Report:
    """Return the verdict on one document of a file, with the place of every finding."""
    if document.fault is not None:
        found = [*document.notes, document.fault]
        return Report(locate(found, document, file=file, record=index), file=file, index=index)
    try:
        record = read_record(document.data, turns_unchecked=True)
    except RecordError as error:
        data = document.data if isinstance(document.data, dict) else {}
        game, own = data.get("game"), data.get("x-id")
        report = Report(
            error.diagnostics,
            game=game if isinstance(game, str) else None,
            id=own_id(own),
        )
    else:
        report = check_record(record, finished=finished)
    findings = locate([*document.notes, *report.diagnostics], document, file=file, record=index, id=report.id)
    return replace(report, diagnostics=findings, file=file, index=index)


def locate(findings: Iterable[Diagnostic], document: Document, **known: Any) -> tuple[Diagnostic, ...]:
    """Return the findings with their places in a document, what stands there, and what else is `known` of them.

    They are in the order of their places. The document's own fault and notes have their places already.
    """
    found = list(findings)
    if not found:
        return ()
    places = document.places()
    lines = document.lines() if document.lines else None
    located = []
    for finding in found:
        span = None
        if finding.line is None:
            span = places.find(finding.pointer or "", key=finding.code == "schema/unknown-field")
        placed = finding.at(**known, **(span._asdict() if span else {}))
        if lines is not None and placed.line is not None and placed.column is not None:
            placed = placed.at(source_line=lines.excerpt(placed.line, placed.column))
        located.append(placed)
    return tuple(sorted(located, key=lambda finding: (finding.line or 0, finding.column or 0)))


def check_sources(sources: Finder | Iterable[Source | Diagnostic], *, finished: bool = False) -> Iterator[Report]:
    """Yield the verdict on every record of the sources, in order; what cannot be read gets a verdict that says so."""
    for source in sources:
        if isinstance(source, Diagnostic):
            file = _printable(source.file or "")
            yield Report((source.at(file=file, record=0),), file=file, index=0)
            continue
        file = _printable(source.name)
        index = 0
        try:
            for document in source.documents():
                yield check_document(document, file, index, finished=finished)
                index += 1
        except OSError as error:
            yield Report((unreadable(file, error).at(record=index),), file=file, index=index)


def _printable(file: str) -> str:
    """Return the name of a file as text that can be written: names may hold bytes that are no characters."""
    return file.encode(errors="backslashreplace").decode()
