"""Values of the positions of a game as its annotations: `eval` and `nag` of the turns, and the turning points.

A position is proved if a search of all turns can do that, from the end of the game backwards; others are estimated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from hexrec.record.canonical import canonical_form
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.rules.position import Position
from hexrec.tools.analysis.search import VALUES, Solver, estimate, value_of_end
from hexrec.util.version import __version__

#: The name that evaluations have as their program, before its version.
ENGINE = "hexrec"
#: The glyphs for proved and for estimated losses of value.
_BLUNDER, _MISTAKE, _DUBIOUS = 4, 2, 6
#: The glyphs of quality.
_QUALITY = range(1, 7)
#: The least loss of an estimate that makes a turn dubious.
_LOSS = 0.5
#: The number of positions in a row, from the end backwards, that are not proved before no further one is tried.
_FAILURES = 2


class Evaluation(NamedTuple):
    """The value of a position: 1 if Black wins, 0 for a draw, -1 if White wins.

    Attributes:
        playouts: the number of random games that estimated the value; 0 if it is proved.
        line: turns that lead to the value.
    """

    value: float
    playouts: int
    line: list[str]

    @property
    def proved(self) -> bool:
        """Whether the value is proved."""
        return not self.playouts

    def as_data(self) -> dict[str, Any]:
        """Return the value of the field `eval`."""
        basis: dict[str, Any] = {"exact": True} if self.proved else {"playouts": self.playouts}
        line = {"line": self.line} if self.line else {}
        return {"value": round(self.value, 2), **basis, "engine": f"{ENGINE} {__version__}", **line}


class TurningPoint(NamedTuple):
    """A turn after which the position is worth less for its player.

    Attributes:
        ply: the 0-based index of the turn.
        color, turn: the player, and the turn.
        before, after: the position before the turn, and after it.
    """

    ply: int
    color: str
    turn: str
    before: Evaluation
    after: Evaluation

    @property
    def nag(self) -> int:
        """The numeric annotation glyph: 4 for a win that became a loss, 2 for other proved losses, else 6."""
        if not (self.before.proved and self.after.proved):
            return _DUBIOUS
        return _BLUNDER if abs(self.before.value - self.after.value) > 1 else _MISTAKE

    def __str__(self) -> str:
        better = f"; {self.before.line[0]} keeps it" if self.before.proved and self.before.line else ""
        values = [_describe(evaluation, self.color) for evaluation in (self.before, self.after)]
        return f"{self.turn} of {self.color.capitalize()} turns {values[0]} into {values[1]}{better}"


def _describe(evaluation: Evaluation, color: str) -> str:
    value = evaluation.value * VALUES[color]
    if evaluation.proved:
        return {1: "a win", 0: "a draw", -1: "a loss"}[round(value)]
    return f"an estimate of {value:.2f}"


@dataclass(frozen=True)
class Analyzer:
    """Evaluates the positions of games.

    Attributes:
        positions: the maximum number of positions that a proof searches.
        playouts: the number of random games that estimate a position; with 0, only proved positions have values.
        seed: the seed of these games. The same seed gives the same values.
    """

    positions: int
    playouts: int
    seed: int = 0

    def evaluate(self, record: Record) -> list[Evaluation | None]:
        """Return the values of the positions of a valid record: before each turn, and after the last one."""
        positions = [*record.positions()]
        found: list[Evaluation | None] = [None] * len(positions)
        solver, failures = Solver(self.positions), 0
        for index in reversed(range(len(positions))):
            position = positions[index]
            if position.is_over:
                found[index] = Evaluation(value_of_end(position), 0, [])
                continue
            proof = solver.solve(position) if failures < _FAILURES else None
            failures = 0 if proof else failures + 1
            found[index] = Evaluation(proof.value, 0, proof.line) if proof else self._estimate(position)
        return found

    def _estimate(self, position: Position) -> Evaluation | None:
        if not self.playouts:
            return None
        value, line = estimate(position, Random(f"{self.seed}/{position.hash()}"), self.playouts)
        return Evaluation(value, self.playouts, line)


def turning_points(record: Record, evaluations: Sequence[Evaluation | None]) -> list[TurningPoint]:
    """Return the turns that lose value: any proved value, or half a point if one of the values is an estimate."""
    position, found = record.start(), []
    for ply, turn in enumerate(record.turns):
        before, after = evaluations[ply], evaluations[ply + 1]
        color = position.turn
        position.play(turn)
        if before is None or after is None:
            continue
        loss = (before.value - after.value) * VALUES[color]
        if loss >= _LOSS:
            found.append(TurningPoint(ply, color, position.turns[-1], before, after))
    return found


def annotate(record: Record, evaluations: Sequence[Evaluation | None], *, overwrite: bool) -> Record:
    """Return a record whose turns have the values of the positions before them, and glyphs at its turning points.

    Evaluations by other programs stay unless they are overwritten, and so do glyphs of quality.
    """
    data = canonical_form(record)
    glyphs = {point.ply: point.nag for point in turning_points(record, evaluations)}
    for ply, (move, evaluation) in enumerate(zip(data["moves"], evaluations, strict=False)):
        annotated = dict(move) if isinstance(move, dict) else {"turn": move}
        own = str(annotated.get("eval", {}).get("engine", "")).partition(" ")[0] == ENGINE
        if own or (overwrite and evaluation is not None):
            annotated.pop("eval", None)
        if evaluation is not None:
            annotated.setdefault("eval", evaluation.as_data())
        nags = annotated.get("nag", [])
        if ply in glyphs and (overwrite or not any(nag in _QUALITY for nag in nags)):
            annotated["nag"] = [*(nag for nag in nags if nag not in _QUALITY), glyphs[ply]]
        data["moves"][ply] = annotated
    return read_record(data)
