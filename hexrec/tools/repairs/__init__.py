"""Search for repairs of an invalid record: edits that make it valid, or make more of its turns legal.

Each group of edits is a module: `values`, `turns`, `start`. They yield corrections, each with a *cost*: the negative
logarithm of the likelihood of the error. The replay and the recorded result confirm them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf, log
from typing import Any, NamedTuple

from hexrec.errors import ArgumentError
from hexrec.record.record import Record
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games
from hexrec.rules.board import trim
from hexrec.tools.repairs import start, turns
from hexrec.tools.repairs.line import Budget, Correction, Line
from hexrec.tools.repairs.result import describe_replaced as describe_replaced
from hexrec.tools.repairs.result import recompute_result as recompute_result
from hexrec.tools.repairs.result import recomputed
from hexrec.tools.repairs.values import CLEAR, ValueEdit, find_edits
from hexrec.tools.repairs.values import shape_at as shape_at
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_record

#: The maximum number of repairs for a diagnostic.
_MOST = 5
#: The maximum number of turns of a record with repairs of turns: the time of a replay grows with the record.
_MOST_TURNS = 2_000
#: The minimum and the maximum number of turns that a replay counts as.
_LEAST_TURNS, _COUNTED_TURNS = 40, 200
#: The difference in cost from the first complete repair to the second with which the first may be written.
MARGIN = 4.0
#: The maximum number of values that are repaired together, and of repairs that a second one is added to.
_MOST_VALUES, _MOST_BASES = 20, 30
#: The maximum number of turns that are read again for repairs of values, but for the first value.
_MOST_READ = 40_000
#: The maximum number of edits of values that a message names.
_MOST_NAMED = 4
#: The number of turns that a repair should make legal if the recorded result has no score.
_CLEAR_GAIN = 6
#: The additional cost of edits of all turns or their start for a record without a result by the rules.
_UNCHECKED = 3.0
#: The evidence of each turn that an edit makes legal, and the maximum number of turns that count.
_GAIN, _MOST_GAIN = 0.1, 30
_WRONG_RESULTS = {f"result/{name}" for name in ("winner-mismatch", "score-mismatch", "not-over", "already-over")}
_VALID = "then the whole record is valid"


class Repair(NamedTuple):
    """A repair of a record.

    Attributes:
        message: the repair and its effect in words.
        complete: whether the repaired record is valid.
        data: the data of the repaired record.
        best: whether the repair is clearly the best, so that a program may write it without asking a person.
        is_of_result: whether it changes only the result.
    """

    message: str
    complete: bool
    data: dict[str, Any]
    best: bool = False
    is_of_result: bool = False


class EditKind(NamedTuple):
    """A kind of edits.

    Attributes:
        cost: the cost of the likeliest.
        find: yields the edits.
        by_place: whether it can be at any turn, which adds to the cost.
        in_pairs: whether pairs of such edits are tried.
        is_whole: whether they change all turns or their start, which takes evidence.
    """

    cost: float
    find: Callable[[Line], Iterator[Correction]]
    by_place: bool = False
    in_pairs: bool = False
    is_whole: bool = False

    def cost_on(self, line: Line) -> float:
        """Return the cost of the likeliest edit of a line, apart from the number of its turns."""
        return self.cost + (_UNCHECKED if self.is_whole and not line.is_checked else 0.0)


#: The kinds of edits of the start and the turns.
_KINDS = (
    EditKind(1.0, start.read),
    EditKind(3.0, start.readings),
    EditKind(4.0, start.played),
    EditKind(4.0, start.colors, is_whole=True),
    EditKind(4.5, start.cells, is_whole=True),
    EditKind(5.0, start.sizes, is_whole=True),
    EditKind(5.0, start.coordinates, is_whole=True),
    EditKind(6.0, start.rulesets, is_whole=True),
    EditKind(8.0, start.moved),
    EditKind(4.0, turns.exchanged, by_place=True),
    EditKind(4.0, turns.left_out, by_place=True),
    EditKind(4.0, turns.joined, by_place=True),
    EditKind(5.0, turns.passes, by_place=True),
    EditKind(5.0, turns.replaced, by_place=True, in_pairs=True),
    EditKind(6.5, turns.replaced_by_far, by_place=True),
    EditKind(5.7, turns.added),
    EditKind(6.5, turns.missing, by_place=True),
    EditKind(9.0, start.mirrored, is_whole=True),
    EditKind(6.0, start.unknown),
)
_TWO_MISSING = EditKind(20.0, turns.missing_two)


def find_repairable(report: Report) -> list[Diagnostic]:
    """Return the diagnostics that can have repairs: wrong values, illegal turns or openings, wrong results.

    A record with more wrong values than a report lists has no repair by a few edits, and takes long to read.
    """
    errors = report.errors
    return [] if any(error.code == "schema/more" for error in errors) else [*filter(_is_repairable, errors)]


def _is_repairable(diagnostic: Diagnostic) -> bool:
    code = diagnostic.code
    known = code in _WRONG_RESULTS or code.startswith(("move/", "opening/", "schema/"))
    return known and diagnostic.severity == "error"


def find_repairs(report: Report, replays: int) -> Iterator[tuple[Diagnostic, list[Repair]]]:
    """Yield the repairable diagnostics of a report, each with its best repairs.

    `replays` is the maximum number of replays of all turns for all repairs of the record; shorter ones count as parts.
    """
    data: Any = report.document.data if report.document is not None else report.record and report.record.data
    errors = find_repairable(report)
    if isinstance(data, dict) and errors:
        yield from _Search(data, errors, replays).run()


def playable(data: dict[str, Any]) -> Record | None:
    """Return the record in some data, without the fields that are wrong; None if they are needed for a replay."""
    try:
        return read_record(data, turns_unchecked=True)
    except RecordError as error:
        return error.playable


class _Attempt(NamedTuple):
    """Candidates that were applied one after the other, and their effect.

    Attributes:
        steps: the corrections.
        line: the line that the last one changes.
        plies: the number of legal turns afterwards.
        gain: the number of turns that the last one makes legal.
        before: the corrections before the last one; None for one alone.
    """

    steps: tuple[Correction, ...]
    line: Line
    plies: int
    gain: int = 0
    before: _Attempt | None = None

    @property
    def cost(self) -> float:
        """The sum of the costs."""
        return sum(step.cost for step in self.steps)

    @property
    def words(self) -> str:
        """The changes in words."""
        before = f"{self.before.words} and " if self.before is not None else ""
        return before + self.line.describe(self.steps[-1])

    def apply_to(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the data of a record after the changes."""
        for step in self.steps:
            data = step.apply_to(data)
        return data

    @property
    def is_of_result(self) -> bool:
        """Whether only the result changes."""
        return all({*step.fields} == {"result"} and not step.splices for step in self.steps)

    def as_base(self) -> _Base:
        """Return the line after the changes, for further ones."""
        return _Base(self.steps, self.line.after(self.steps[-1]), self)


class _Base:
    """A line that corrections change.

    Attributes:
        steps: the corrections that led to it.
        line: the line.
        found: the last correction and its effect; None for the line of the record.
        cost: the sum of the costs so far.
        places: the logarithm of the number of turns.
    """

    def __init__(self, steps: tuple[Correction, ...], line: Line, found: _Attempt | None = None) -> None:
        self.steps = steps
        self.line = line
        self.found = found
        self.cost = sum(step.cost for step in steps)
        self.places = log(max(1, len(line.turns)))


class _Search:
    """Search for repairs of one record with a bounded number of replays."""

    def __init__(self, data: dict[str, Any], errors: list[Diagnostic], replays: int) -> None:
        self._data = data
        self._errors = errors
        moves = data.get("moves")
        length = len(moves) if isinstance(moves, list) else 0
        self._budget = Budget(replays * min(max(_LEAST_TURNS, length), _COUNTED_TURNS))
        self._most_values = max(1, min(_MOST_VALUES, _MOST_READ // max(1, length)))
        self._complete: list[_Attempt] = []
        self._partial: list[_Attempt] = []
        self._known: set[tuple[Any, ...]] = set()
        self._in_pairs = False
        # Edits of this cost or more may not have been tried.
        self._reached = inf

    def run(self) -> Iterator[tuple[Diagnostic, list[Repair]]]:
        """Yield the diagnostics with their repairs."""
        values = [error for error in self._errors if error.code.startswith("schema/")]
        repairs = {error: self._repair_value(error) for error in values[: self._most_values]}
        self._try_other_starts(self._data)
        mended, edits = self._mend_values() if values and not self._complete else (self._data, [])
        primary = next((error for error in self._errors if error not in values), self._errors[0])
        found: list[Repair] = []
        if len(edits) > 1 and not _errors_of(mended):
            is_best = all(edit.cost <= CLEAR for edit in edits)
            found = [Repair(_message(edits, "", _VALID), True, mended, best=is_best)]
        elif not any(repair.complete for known in repairs.values() for repair in known):
            found = self._repair_game(mended, edits)
        repairs[primary] = [*found, *repairs.get(primary, [])][:_MOST]
        yield from repairs.items()

    # Values.

    def _repair_value(self, error: Diagnostic) -> list[Repair]:
        """Return the repairs of one wrong value or key, the complete ones first."""
        wrong = (error.code, error.pointer)
        edits = find_edits(self._data, error)
        repairs = []
        for edit in edits[:_MOST]:
            data = edit.change(self._data)
            after = _errors_of(data)
            if wrong in after:
                continue
            is_clear = not after and edit.cost <= CLEAR and all(other.cost > edit.cost + 1 for other in edits[1:])
            effect = "then the value is right" if after else _VALID
            repairs.append(Repair(f"{edit.words}: {effect}", not after, data, best=is_clear))
        return sorted(repairs, key=lambda repair: not repair.complete)

    def _mend_values(self) -> tuple[dict[str, Any], list[ValueEdit]]:
        """Return the data with the likeliest edit of each wrong value, and these edits."""
        data, made = self._data, list[ValueEdit]()
        for _ in range(self._most_values):
            edit = None
            for problem in _problems_of(data):
                edit = next(iter(find_edits(data, problem)), None)
                if edit is not None:
                    break
            if edit is None:
                break
            data = edit.change(data)
            made.append(edit)
        return data, made

    # Turns, the start and the result.

    def _repair_game(self, base: dict[str, Any], edits: list[ValueEdit]) -> list[Repair]:
        """Return the repairs of data whose values were repaired by some edits."""
        line = _line_of(base, self._budget)
        if line is not None:
            if len(line.turns) > _MOST_TURNS or "illegal" in (line.claim or {}):
                return []  # of an illegal turn that ended the game, nobody but a person knows what was played
            self._search(base, line)
        ranked = sorted(self._complete, key=lambda found: found.cost)
        verified = [(found, data, _errors_of(data)) for found in ranked[: 2 * _MOST] for data in [found.apply_to(base)]]
        complete = [
            Repair(_message(edits, found.words, _VALID), True, data, is_of_result=found.is_of_result)
            for found, data, errors in verified
            if not errors
        ]
        if complete:
            first, *others = [found for found, _, errors in verified if not errors]
            is_best = self._is_clear(first, next(iter(others), None)) and all(edit.cost <= CLEAR for edit in edits)
            return [complete[0]._replace(best=is_best), *complete[1:_MOST]]
        before = _errors_of(base)
        partial = [
            Repair(_message(edits, found.words, "then all turns are legal"), False, data)
            for found, data, errors in verified
            if errors < before
        ]
        furthest = sorted(self._partial, key=lambda found: (-found.plies, found.cost))[: _MOST - len(partial)]
        for found in furthest if line is not None and line.is_started else ():
            count = len(found.steps[-1].apply(found.line.turns))
            legal = "the first turn is" if found.plies == 1 else f"the first {found.plies} turns are"
            effect = f"then {'all turns are' if found.plies == count else legal} legal"
            partial.append(Repair(_message(edits, found.words, effect), False, found.apply_to(base)))
        return partial[:_MOST]

    def _search(self, base: dict[str, Any], line: Line) -> None:
        """Try edits of the turns, the start and the result of some data, given its line."""
        line.is_original = True
        self._explore([_Base((), line)], _KINDS)
        reading = next(start.read(line), None)
        if reading is not None and not self._complete:
            # A text that was just read is not left out.
            kinds = tuple(kind for kind in _KINDS if kind.find is not turns.left_out)
            self._explore([_Attempt((reading,), line, line.end).as_base()], kinds)
        computed = recomputed(base, line)
        if computed is not None:
            self._complete.append(_Attempt((computed,), line, line.end))
        if not self._complete:
            self._explore_pairs()
        if not self._complete:
            self._explore([_Base((), line)], (_TWO_MISSING,))

    def _explore(self, bases: list[_Base], kinds: tuple[EditKind, ...]) -> None:
        """Try the edits of some kinds after some others, the likeliest first, until a clearly better one was found."""
        tries = [
            (base.cost + kind.cost_on(base.line) + kind.by_place * base.places, base, kind)
            for base in bases
            for kind in kinds
        ]
        for cost, base, kind in sorted(tries, key=lambda one: one[0]):
            if cost > min((found.cost for found in self._complete), default=inf) + MARGIN:
                self._reached = min(self._reached, cost)
                return
            extra = kind.cost_on(base.line) - kind.cost
            for correction in kind.find(base.line):
                if self._budget.is_spent:
                    self._reached = min(self._reached, cost)
                    return
                self._try(base, correction._replace(cost=correction.cost + extra) if extra else correction)

    def _try(self, base: _Base, correction: Correction) -> None:
        """Replay a line with an edit, and keep the edit if it helps."""
        line = base.line
        turns = correction.apply(line.turns)
        key = (tuple(turns), repr(correction.fields or line.fields))
        if key in self._known:
            return
        self._known.add(key)
        if correction.fields:
            changed = line.after(correction)
            plies, is_complete = changed.end, changed.is_complete
        else:
            index = correction.splices[0].start
            plies, is_complete = line.judge(index, turns[index:])
        if is_complete or (plies > line.end and not self._in_pairs):
            found = _Attempt((*base.steps, correction), line, plies, plies - line.end, base.found)
            (self._complete if is_complete else self._partial).append(found)

    def _explore_pairs(self) -> None:
        """Try second edits after the likeliest first ones, which have a longer legal beginning."""
        self._in_pairs = True
        likeliest = sorted(self._partial, key=lambda found: found.cost - min(found.gain, _MOST_GAIN) * _GAIN)
        bases = [found.as_base() for found in likeliest[:_MOST_BASES]]
        kept = self._budget.left // 2  # for turns that are missing at two places
        self._budget.left -= kept
        self._explore(bases, tuple(kind for kind in _KINDS if kind.in_pairs))
        self._explore(bases, tuple(kind for kind in _KINDS if kind.by_place and not kind.in_pairs))
        self._budget.left += kept

    def _try_other_starts(self, base: dict[str, Any]) -> None:
        """Try the record as one of another game or size."""
        for correction in start.other_starts(base):
            try:
                record = read_record(correction.apply_to(base), turns_unchecked=True)
                line = Line(record, [*map(trim, record.turns)], self._budget)
            except (RecordError, ArgumentError):
                continue
            if line.is_complete:
                # Without a result, turns that are legal in another game say little.
                correction = correction if line.is_checked else correction._replace(cost=correction.cost + _UNCHECKED)
                self._complete.append(_Attempt((correction,), line, line.end, line.end))

    def _is_clear(self, first: _Attempt, second: _Attempt | None) -> bool:
        """Return whether a complete repair may be written, given the next one."""
        limit = first.cost + MARGIN
        if limit > self._reached or (second is not None and limit > second.cost):
            return False
        *readings, last = first.steps
        if last.is_clear is not None or not first.line.is_checked:
            return bool(last.is_clear) and all(step.is_clear for step in readings)
        # A winner alone says little of the turns, unless the edit makes many of them legal.
        claim = first.line.claim or {}
        return all(step.is_clear for step in readings) and ("score" in claim or first.gain >= _CLEAR_GAIN)


def _message(edits: list[ValueEdit], words: str, effect: str) -> str:
    """Return the message of a repair of values and of the game."""
    values = [edit.words for edit in edits]
    if not values and words.startswith("under reading") and effect == _VALID:
        return f"the record is valid {words}"
    if len(values) > _MOST_NAMED:
        values[_MOST_NAMED - 1 :] = [f"{len(values) - _MOST_NAMED + 1} more repairs of values"]
    return f"{'; '.join([*values, *([words] if words else [])])}: {effect}"


def _problems_of(data: dict[str, Any]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of the schema on data."""
    try:
        read_record(data, turns_unchecked=True)
    except RecordError as error:
        return error.diagnostics
    return ()


def _errors_of(data: dict[str, Any]) -> set[tuple[str, str | None]]:
    """Return code and pointer of each error in data."""
    try:
        errors: Iterable[Diagnostic] = check_record(read_record(data, turns_unchecked=True)).errors
    except RecordError as error:
        further = check_record(error.playable).errors if error.playable is not None else ()
        errors = [*error.diagnostics, *further]
    return {(error.code, error.pointer) for error in errors}


def _line_of(data: dict[str, Any], budget: Budget) -> Line | None:
    """Return the line of data, even without an opening; None if other fields are wrong that a replay needs."""
    record = playable(data)
    if record is None and games.is_known(data.get("game")) and "setup" not in data:
        rules = games.get(data["game"])
        record = playable({**data, "opening": dict(zip(rules.opening, ("a1", "a2"), strict=False))})
        if record is not None:
            stones = data["opening"] if isinstance(data.get("opening"), dict) else {}
            fields: Any = {name: value for name, value in record.data.items() if name != "opening"}
            if stones and all(isinstance(stones.get(color), str) for color in rules.opening):
                fields["opening"] = {color: stones[color] for color in rules.opening}
            record = Record(fields, rules)
    return None if record is None else Line(record, [*map(trim, record.turns)], budget)
