"""The start and the turns of a record, replayed from any position within a limited amount of work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from hexrec.errors import ArgumentError
from hexrec.record.record import Record
from hexrec.record.schema import Result
from hexrec.rules.cells import Cells
from hexrec.rules.grid import LEGAL, NOBODY, NOT_CANONICAL, UNREAD, Grid
from hexrec.rules.terms import IllegalOpening, IllegalSetup
from hexrec.rules.view import outcome_of
from hexrec.tools.repairs.texts import Notation, Slips, notation_of
from hexrec.util.escaping import shorten
from hexrec.validation.results import faults_of

#: The work of a replay apart from its turns, and that of a list of legal turns, in turns.
SET_UP, _LISTING = 30, 100


@dataclass(eq=False, repr=False)
class Budget:
    """The work that a search may still do.

    Attributes:
        left: the number of turns to play.
    """

    left: int

    @property
    def is_spent(self) -> bool:
        """Whether no work is left."""
        return self.left <= 0


class Splice(NamedTuple):
    """A replacement of some turns of a record.

    Attributes:
        start: the index of the first turn.
        length: the number of turns that are replaced.
        new: the new turns.
    """

    start: int
    length: int
    new: tuple[str, ...]


class Correction(NamedTuple):
    """A change to a record that may repair it.

    Attributes:
        cost: the negative logarithm of the likelihood of the error that it repairs.
        words: the change in words; empty if the one splice is all there is to say.
        splices: the changes of turns, in order.
        fields: the new values of other fields; None for a field that is removed.
        is_clear: whether the change may be written without a person if it is by far the likeliest; None if that takes a
            recorded result by the rules as evidence.
    """

    cost: float
    words: str = ""
    splices: tuple[Splice, ...] = ()
    fields: Mapping[str, Any] = {}
    is_clear: bool | None = None

    def apply_to(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the data of a record after the change; new fields come before its turns."""
        new = {name: value for name, value in self.fields.items() if name not in data and value is not None}
        changed: dict[str, Any] = {}
        for name, value in data.items():
            if name == "moves":
                changed |= new
                changed[name] = self.apply(value) if self.splices else value
            elif self.fields.get(name, value) is not None:
                changed[name] = self.fields.get(name, value)
        return changed

    def apply(self, turns: Sequence[Any]) -> list[Any]:
        """Return turns after the change. A turn with annotations keeps them if another replaces it."""
        changed: list[Any] = []
        done = 0
        for start, length, new in self.splices:
            changed += turns[done:start]
            pairs = zip(turns[start : start + length], new, strict=False)
            changed += [{**old, "turn": turn} if type(old) is dict else turn for old, turn in pairs]
            changed += new[length:]
            done = start + length
        changed += turns[done:]
        return changed


class Line:
    """The start and the turns of a record.

    Attributes:
        record: the record, of which the turns are not read.
        turns: the turns, trimmed and in lower case.
        claim: the recorded result.
        grid: the position, at any time that of the last replay.
        end: the number of legal turns; -1 if the start is illegal.
        is_complete: whether all turns are legal, and the recorded result is right.
        fields: the fields of the start that were changed.
        is_original: whether nothing has changed it, so that its first illegal turn is that of the diagnostic.
    """

    def __init__(self, record: Record, turns: Sequence[str], budget: Budget) -> None:
        """Play the legal ones of trimmed turns. Raises ArgumentError for a size that the ruleset does not have."""
        self.record = record
        self.turns = [*turns]
        self.claim: Result | None = record.result
        self.budget = budget
        self._states: list[list[Cells]] = []
        self._legal: dict[int, list[str]] = {}
        self._slips: dict[int, list[tuple[float, str]]] = {}
        self.is_original = False
        self.fields: dict[str, Any] = {}
        self.end, self.is_complete = -1, False
        try:
            self.grid: Any = record.start().grid
        except (IllegalOpening, IllegalSetup, ArgumentError):
            rules = record.rules
            self.grid = rules.empty_grid(
                record.size, record.variant, record.coordinates, record.ruleset, record.readings
            )
        else:
            self._states.append(self.grid.save())
            self.end = 0
            self.end, self.is_complete = self.judge(0, self.turns)

    @property
    def is_started(self) -> bool:
        """Whether the opening or setup is legal."""
        return bool(self._states)

    @cached_property
    def notation(self) -> Notation:
        """The turn notation."""
        return notation_of(self.record.rules, self.record.coordinates)

    @cached_property
    def slips(self) -> Slips:
        """The slips in texts of this board."""
        names = self.record.rules.board(self.record.size).names(self.record.coordinates)
        return Slips("".join(names.cells) + ("pas" if self.notation.has_pass else ""))

    @cached_property
    def unread(self) -> list[int]:
        """The indexes of texts that are no turns on the board."""
        return [index for index, turn in enumerate(self.turns) if not self.reads(turn)]

    @property
    def is_unread(self) -> bool:
        """Whether the first text that is no legal turn is no turn on the board at all."""
        return self.is_started and self.end < len(self.turns) and not self.reads(self.turns[self.end])

    @property
    def is_checked(self) -> bool:
        """Whether the record has a result by the rules, which is evidence of its turns."""
        return self.claim is not None and self.claim.get("termination", "rules") == "rules"

    def is_annotated(self, index: int) -> bool:
        """Return whether the turn at an index may be an object; of a changed line, whether any is."""
        record = self.record
        return record.is_annotated and not (self.is_original and isinstance(record.moves[index], str))

    def reads(self, turn: str) -> bool:
        """Return whether a trimmed text is a turn on the board, legal or not."""
        read: bool = self.grid.read(turn) != UNREAD and self.notation.is_turn(turn)
        return read

    def state(self, index: int) -> list[Cells]:
        """Return the position before a turn; all turns before it are legal."""
        grid, states = self.grid, self._states
        if index >= len(states):
            grid.restore(states[-1])
            while len(states) <= index:
                play(grid, [self.turns[len(states) - 1]])
                states.append(grid.save())
        return states[index]

    def legal_turns(self, index: int) -> list[str]:
        """Return the legal turns at an index; all turns before it are legal."""
        if index not in self._legal:
            self.budget.left -= _LISTING
            self.grid.restore(self.state(index))
            self._legal[index] = [] if self.grid.winner != NOBODY else self.grid.legal_turns()
        return self._legal[index]

    def slips_to_legal(self, index: int) -> list[tuple[float, str]]:
        """Return the legal turns that a slip can make of the turn at an index, with the costs of the slips."""
        if index not in self._slips:
            turn = self.turns[index]
            slips = self.slips.of(turn)
            if self.grid.has_synonyms:
                costs = self._canonical_slips(index, turn, slips)
            else:
                costs = {text: slips[text] for text in self.legal_turns(index) if text in slips}
            self._slips[index] = sorted((cost, text) for text, cost in costs.items())
        return self._slips[index]

    def _canonical_slips(self, index: int, turn: str, slips: Mapping[str, float]) -> dict[str, float]:
        grid = self.grid
        grid.restore(self.state(index))
        current = grid.canonical(grid.read(turn)) if self.reads(turn) else UNREAD
        costs: dict[str, float] = {}
        for text, cost in slips.items():
            move = grid.read(text)
            if move != UNREAD and self.notation.is_turn(text) and grid.code(move) == LEGAL:
                canonical = grid.canonical(move)
                if canonical != current:
                    written = grid.write(canonical)
                    costs[written] = min(cost, costs.get(written, cost))
        return costs

    def judge(self, index: int, tail: list[str]) -> tuple[int, bool]:
        """Play turns from the position before a turn on.

        Return the number of legal turns of the line, and whether all are legal and the recorded result is right.
        """
        if index > self.end:
            return self.end, False
        grid = self.grid
        grid.restore(self.state(index))
        played = play(grid, tail)
        self.budget.left -= played + SET_UP
        return index + played, played == len(tail) and self.agrees

    @property
    def agrees(self) -> bool:
        """Whether the recorded result is right after the last replay."""
        return not faults_of(self.claim, outcome_of(self.record.rules, self.grid))

    def describe(self, candidate: Correction) -> str:
        """Return a change of the line in words, with its ply unless that is the one of the diagnostic."""
        if candidate.words:
            return candidate.words
        (index, count, new), *_ = candidate.splices
        old = [shorten(turn) or "the empty turn" for turn in self.turns[index : index + count]]
        if count > 1 and count == len(new):
            return f"exchange {old[0]} and {old[-1]}, plies {index + 1} and {index + count}"
        if not count and index == len(self.turns) and new != ("pass",):
            return f"add {', '.join(new)} at the end"
        if not count:
            words = f"insert {new[0]}"
        elif not new:
            words = f"leave out {old[0]}"
        elif count > 1:
            words = f"join {old[0]} and {old[1]} to {new[0]}"
        else:
            words = f"replace {old[0]} with {new[0]}" if len(new) == 1 else f"split {old[0]} into {' and '.join(new)}"
        is_known = self.is_original and index == self.end < len(self.turns)
        return words if is_known else f"at ply {index + 1}, {words}"

    def after(self, candidate: Correction) -> Line:
        """Return the line after a change."""
        data: Any = {**self.record.data, **candidate.fields}
        fields: Any = {name: value for name, value in data.items() if value is not None}
        record = Record(fields, self.record.rules)
        line = Line(record, candidate.apply(self.turns), self.budget)
        line.fields = {**self.fields, **candidate.fields}
        if not candidate.fields:  # the positions before the change are the same
            same = candidate.splices[0].start
            line._states = self._states[: same + 1]
            line._legal = {index: legal for index, legal in self._legal.items() if index <= same}
            line._slips = {index: slips for index, slips in self._slips.items() if index < same}
        return line


def play(grid: Grid, turns: list[str], start: int = 0) -> int:
    """Play turns from an index on, up to the first illegal one; return their number."""
    before = grid.plies
    code = grid.play_all(turns, start)
    while code == NOT_CANONICAL:
        index = start + grid.plies - before
        move = grid.read(turns[index])
        if move == UNREAD or grid.play(move) != LEGAL:
            break
        code = grid.play_all(turns, index + 1)
    played: int = grid.plies - before
    return played
