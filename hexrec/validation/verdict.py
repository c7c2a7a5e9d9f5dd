"""Validation of records: syntax, schema, replay and result, in the order that the format page specifies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hexrec.record.record import Record, has_side_lines, turn_of
from hexrec.record.replay import Replay, replay, with_legal_turns
from hexrec.record.schema import Illegal, Move, Result
from hexrec.record.validation import RecordError, read_record, warn_of_version
from hexrec.rules.position import Position
from hexrec.rules.position_text import first_to_play
from hexrec.rules.terms import COLORS, PLAYERS, IllegalTurn, Outcome, ending, pluralize
from hexrec.util.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.util.limits import MAX_DIAGNOSTICS
from hexrec.validation.report import Report, add_internal_error, locate, new_report

if TYPE_CHECKING:  # a small start reads no documents
    from hexrec.formats.base import Document

#: The extension field, an object, of a record that was converted although it is invalid.
INVALID_MARK = "x-invalid"
#: The terminations with a loser, which exclude a draw.
_WITH_LOSER = ("resignation", "time", "forfeit", "illegal")
_OTHER = {"black": "white", "white": "black"}


#: `add_warnings` of `hexrec.validation.lint`, which needs this module.
Linter = Callable[[Report, Record, Replay], Report]


def check_record(record: Record, *, finished: bool = False, lint: Linter | None = None) -> Report:
    """Validate the replay and the result of a record. With `finished`, the record must have a result.

    Diagnostics on a record from a file have places. `lint` adds warnings.
    """
    replayed = replay(record)
    result = None if replayed.failure else result_of(record.result, replayed.outcome)
    diagnostics = _diagnose(record, replayed, result, finished)
    where = (record.file, record.index, record.game, record.id)
    report = Report(tuple(diagnostics), replayed.plies, result, record, *where, document=record.document)
    if lint is not None:
        report = lint(report, record, replayed)
    return _locate(report) if report.diagnostics else report


def _diagnose(record: Record, replayed: Replay, result: Outcome | None, finished: bool) -> list[Diagnostic]:
    """Return the diagnostics on a record; only those of its document have places."""
    document: Document | None = record.document
    diagnostics = [*document.warnings] if document is not None else []
    diagnostics += warn_of_version(record)
    if replayed.failure is not None:
        diagnostics.append(replayed.failure)
    else:
        diagnostics += check_result(record, replayed, finished=finished)
        if "x-sgf" in record.data and result is not None:
            diagnostics += _check_margins(record, result)
    if record.is_annotated and replayed.started:
        diagnostics += _check_side_lines(record, replayed.plies)
    if INVALID_MARK in record.data and isinstance(record[INVALID_MARK], dict):
        why = "marks a record that was invalid when it was converted: remove it once the record is corrected"
        diagnostics.append(Diagnostic("convert/mark", f"{INVALID_MARK} {why}", "warning", pointer=f"/{INVALID_MARK}"))
    return diagnostics


def result_of(claim: Result | None, outcome: Outcome | None) -> Outcome | None:
    """Return the result for `Report.result`, given the claimed one and that of a complete replay."""
    if outcome is None and claim is not None and claim.get("termination", "rules") != "rules":
        winner: Any = _OTHER[claim["illegal"]["by"]] if "illegal" in claim else claim.get("winner")
        return Outcome(winner, None, claim["termination"])
    return outcome


def _locate(report: Report) -> Report:
    """Return a report with its diagnostics located and sorted by place."""
    if report.document is None:
        return report
    place = {"file": report.file, "record": report.index, "id": report.id}
    return report.copy(diagnostics=locate(report.diagnostics, report.document, **place))


def faults_of(claim: Result | None, outcome: Outcome | None, *, finished: bool = False) -> list[str]:
    """Return the codes of the errors of a claimed result, given that of the replay."""
    if claim is None:
        return ["result/missing"] if finished else []
    faults = []
    winner, termination = claim.get("winner"), claim.get("termination", "rules")
    if termination != "rules":
        if outcome is not None:
            faults.append("result/already-over")
        if winner == "draw" and termination in _WITH_LOSER:
            faults.append("result/draw-with-loser")
        elif "illegal" in claim and winner == claim["illegal"]["by"]:
            faults.append("result/winner-mismatch")
    elif outcome is None:
        faults.append("result/not-over")
    else:
        if winner is not None and winner != outcome.winner:
            faults.append("result/winner-mismatch")
        claimed, computed = claim.get("score"), outcome.score
        # The claimed score may have extension fields.
        if claimed and computed and [claimed[color] for color in COLORS] != [computed[color] for color in COLORS]:
            faults.append("result/score-mismatch")
    return faults


def check_result(record: Record, played: Replay, *, finished: bool = False) -> Iterator[Diagnostic]:
    """Yield the errors of a record's claimed result, compared with the replay."""
    for code in faults_of(record.result, played.outcome, finished=finished):
        message, pointer = _describe_fault(code, record, played)
        own = code in ("result/missing", "result/draw-with-loser") or "illegal" in (record.result or {})
        elsewhere = "" if own else _elsewhere(record)
        yield Diagnostic(code, message + elsewhere, pointer=pointer)
    if record.result is not None and "illegal" in record.result and played.outcome is None:
        yield from _check_illegal(record.result["illegal"], played)


def _check_illegal(illegal: Illegal, played: Replay) -> Iterator[Diagnostic]:
    """Yield the errors of the turn that lost a game: another side to move, a legal turn, or none in the notation."""
    position = played.position
    assert position is not None
    if illegal["by"] != position.turn:
        message = f"after {pluralize(played.plies, 'turn')} it is {position.turn.capitalize()}'s turn, not "
        message += f"{illegal['by'].capitalize()}'s: the player of the illegal turn is the side to move"
        yield Diagnostic("result/illegal-by", message, pointer="/result/illegal/by")
    elif "turn" in illegal:
        turn, pointer = illegal["turn"], "/result/illegal/turn"
        try:
            position.copy().play(turn)
        except IllegalTurn as refusal:
            if refusal.code == "move/malformed":  # spelled in another coordinate system
                yield Diagnostic("schema/turn", refusal.message, pointer=pointer)
            return
        message = f"{shorten(turn)} is legal after {pluralize(played.plies, 'turn')}, so it lost no game: "
        message += "correct it, the turns before it or the termination"
        yield Diagnostic("result/not-illegal", message, pointer=pointer)


def _describe_fault(code: str, record: Record, played: Replay) -> tuple[str, str]:
    """Return the message about an error of a claimed result, and its place."""
    claim: Any = record.result
    outcome: Any = played.outcome
    match code:
        case "result/missing":
            return "the record has no result, which is required of finished games", ""
        case "result/already-over":
            message = f"the recorded termination is {claim['termination']}, but the rules had already ended the game: "
            return message + ending(outcome.winner), "/result/termination"
        case "result/draw-with-loser":
            cause = "an illegal turn" if claim["termination"] == "illegal" else claim["termination"]
            message = f"a game that ends by {cause} has a loser (winner: draw)"
            return f"{message}: name the winner or another termination", "/result/winner"
        case "result/not-over":
            turns = pluralize(played.plies, "turn")
            player = PLAYERS[(played.plies + first_to_play(record.setup)) % 2]
            message = f"by the recorded result the rules ended the game, but after {turns} it is {player}'s turn"
            return message, "/result"
        case "result/winner-mismatch" if "illegal" in claim:
            loser, winner = claim["illegal"]["by"], _OTHER[claim["illegal"]["by"]]
            message = f"{loser.capitalize()} played the illegal turn, so the result is {ending(winner)}"
            return f"{message} (winner: {loser})", "/result/winner"
        case "result/winner-mismatch":
            message = f"the recorded result is {ending(claim['winner'])}, but by the rules it is "
            return message + ending(outcome.winner), "/result/winner"
    order = " (from the largest down)" if record.rules.score == "list" else ""
    claimed, computed = _score(claim["score"]), _score(outcome.score)
    return f"the record gives the score {claimed}, but by the rules it is {computed}{order}", "/result/score"


def _check_margins(record: Record, outcome: Outcome) -> Iterator[Diagnostic]:
    """Yield an error for each margin of a win from SGF that differs from the computed score, in a record of any format.

    A wrong winner is an error of its own.
    """
    from hexrec.formats.sgf.root import kept_margins

    score = outcome.score  # None if the game ended otherwise than by the rules
    if score is None or (record.result or {}).get("winner", outcome.winner) != outcome.winner:
        return
    black, white = score["black"], score["white"]
    if isinstance(black, list) or isinstance(white, list):
        return
    computed = abs(black - white)
    for margin in kept_margins(record.data):
        if (margin.winner, margin.value) != (outcome.winner, computed):
            claimed, right = f"a margin of {margin.value:g}", f"{computed:g}"
            if margin.winner != outcome.winner:
                claimed, right = ending(margin.winner), ending(outcome.winner)
            message = f"the record gives {margin.written}, {claimed}, but by the rules it is {right} ({_score(score)})"
            yield Diagnostic("result/score-mismatch", message + _elsewhere(record), pointer="/x-sgf/RE")


def _elsewhere(record: Record) -> str:
    """Return a hint that the site of the game gave a different result; empty without a site."""
    return f"; at {shorten(record.site)} the game was decided differently" if record.site else ""


def _score(score: Mapping[Any, Any]) -> str:
    return ", ".join(f"{color.capitalize()} {_value(score[color])}" for color in ("black", "white"))


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
    """Validate one document of a file; every diagnostic has its place.

    The options are those of `check_record`. An internal error becomes a diagnostic. Raises MemoryError.
    """
    try:
        try:
            record = read_document(document, file, index)
        except RecordError as error:
            return _report_refused(document, error, file, index, finished)
        return check_record(record, finished=finished, lint=lint)
    except Exception as error:
        return add_internal_error(new_report(document, file, index), error, memory=False)


def read_document(document: Document, file: str | None, index: int | None, *, turns_unchecked: bool = True) -> Record:
    """Return the record in a document, with its file and index. Raises RecordError without places."""
    if document.error is not None:
        raise RecordError([document.error])
    record = read_record(document.data, turns_unchecked=turns_unchecked)
    record.document, record.file, record.index = document, file, index
    return record


def _report_refused(
    document: Document, error: RecordError, file: str | None, index: int | None, finished: bool
) -> Report:
    """Return the report on a record that the schema refuses, replayed without the invalid fields if possible."""
    further = Report(())
    if error.playable is not None:
        # A claimed result that the schema refuses is present, although the playable record has none.
        further = check_record(error.playable, finished=finished and "result" not in document.data)
    diagnostics = (*document.warnings, *error.diagnostics, *further.diagnostics)
    report = new_report(document, file, index)
    return _locate(report.copy(diagnostics=diagnostics, plies=further.plies, result=further.result))


def with_hash(report: Report, *, symmetric: bool = False) -> tuple[Report, str | None]:
    """Return a report and the hash of its game; None unless all turns are legal.

    An internal error becomes a diagnostic of the report. Raises MemoryError.
    """
    if report.record is None or not report.legal:
        return report, None
    from hexrec.record.identity import hash_legal  # validation needs no hashes

    try:
        return report, hash_legal(report.record, symmetric=symmetric)
    except Exception as error:
        return add_internal_error(report, error, memory=False), None


def with_record_hash(report: Report) -> tuple[Report, str | None]:
    """Return a report and the hash of its record; None if the schema refuses it, or if it has no canonical bytes."""
    if report.record is None:
        return report, None
    from hexrec.record.canonical_bytes import record_hash

    try:
        return report, record_hash(report.record)
    except RecordError as error:
        return _locate(report.copy(diagnostics=error.diagnostics)), None
    except Exception as error:
        return add_internal_error(report, error, memory=False), None


def _check_side_lines(record: Record, plies: int) -> list[Diagnostic]:
    """Return the illegal turns of variations, takebacks and engine lines, given the number of executed turns.

    Lines next to the first illegal turn are checked too. Later turns have no position to start from.
    """
    found = FirstFew[Diagnostic]()
    branching = [index for index, move in enumerate(record.moves[: plies + 1]) if has_side_lines(move)]
    if branching:
        position, turns = record.start(), record.turns
        for index in branching:
            position.play_all(turns[position.plies : index])
            _play_beside(position, record.moves[index], f"/moves/{index}", found)
    return found.diagnostics("variation/more")


def _play_beside(position: Position, move: str | Move, pointer: str, found: FirstFew[Diagnostic]) -> None:
    """Play the engine line, takebacks and variations of a turn, from the position before it; add illegal turns."""
    if isinstance(move, str):
        return
    if "eval" in move:
        _play_line(position, move["eval"].get("line", ()), f"{pointer}/eval/line", "the line of a program", found)
    for number, turn in enumerate(move.get("taken_back", ())):
        _play_line(position, [turn], f"{pointer}/taken_back", "a turn taken back", found, number)
    for number, line in enumerate(move.get("variations", ())):
        _play_line(position, line, f"{pointer}/variations/{number}", "a variation", found)


def _play_line(
    start: Position,
    line: Sequence[str | Move],
    pointer: str,
    what: str,
    found: FirstFew[Diagnostic],
    first: int = 0,
) -> None:
    """Play a line, whose turns have indexes from `first` below the pointer, up to its first illegal turn."""
    position = start.copy() if line else start
    for index, move in enumerate(line, first):
        here, turn = f"{pointer}/{index}", turn_of(move)
        _play_beside(position, move, here, found)
        try:
            position.play(turn)
        except IllegalTurn as refusal:
            message = ""
            if found.total < MAX_DIAGNOSTICS:
                message = f"illegal in {what}: {with_legal_turns(refusal.message, position)} ({refusal.code})"
            place = here if isinstance(move, str) else f"{here}/turn"
            found.add(Diagnostic("variation/illegal", message, pointer=place, ply=position.plies + 1, turn=turn))
            return
