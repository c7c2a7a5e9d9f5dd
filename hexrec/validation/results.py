"""Claimed results, compared with the results of replays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hexrec.record.record import Record
from hexrec.record.replay import Replay
from hexrec.record.schema import Illegal, Result
from hexrec.rules.position_text import first_to_play
from hexrec.rules.terms import PLAYERS, IllegalTurn, Outcome, ending, pluralize
from hexrec.util.diagnostics import Diagnostic, shorten

#: The terminations with a loser, which exclude a draw.
_WITH_LOSER = ("resignation", "time", "forfeit", "illegal")
_OTHER = {"black": "white", "white": "black"}


def result_of(claim: Result | None, outcome: Outcome | None) -> Outcome | None:
    """Return the result for `Report.result`, given the claimed one and that of a complete replay."""
    if outcome is None and claim is not None and claim.get("termination", "rules") != "rules":
        winner: Any = _OTHER[claim["illegal"]["by"]] if "illegal" in claim else claim.get("winner")
        return Outcome(winner, None, claim["termination"])
    return outcome


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
        if claimed and computed and not computed.items() <= claimed.items():
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


def check_margins(record: Record, outcome: Outcome) -> Iterator[Diagnostic]:
    """Yield an error for each margin of a win from SGF that differs from the computed score, in a record of any format.

    A wrong winner is an error of its own.
    """
    from hexrec.formats.sgf.result import kept_margins

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
