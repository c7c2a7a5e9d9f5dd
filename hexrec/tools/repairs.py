"""Search for repairs of an invalid record: edits that make it valid, or make more of its turns legal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
from itertools import chain, islice
from typing import Any, NamedTuple

from hexrec.formats.field_table import get
from hexrec.record.canonical import canonical_form
from hexrec.record.identity import renamings
from hexrec.record.record import Record, turn_of
from hexrec.record.replay import Replay
from hexrec.record.shapes import Shape, any_shape, record_shape
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS, trim
from hexrec.rules.terms import IllegalTurn, Outcome
from hexrec.util.diagnostics import Diagnostic, close_matches, pointer_to, shorten, steps_of, value_at
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_record, check_result

#: The maximum number of repairs for a diagnostic.
_MOST = 5
#: The maximum length of records and keys with repairs: the time of a replay grows with the record.
_MOST_TURNS = 2_000
_LONGEST_KEY = 100
#: The number of turns before an error in which edits are tried.
_TURNS_BACK = 200
#: The maximum length of a turn for edits of characters.
_LONGEST = 40
#: The characters between cells in the turns of the built-in games.
_SEPARATORS = "-/x"
#: Characters that programs read in place of one, in print.
_LOOK_ALIKES = (("cl", "d"), ("rn", "m"))
_UNKNOWN_KEY = "schema/unknown-field"
_WRONG_RESULTS = {f"result/{name}" for name in ("winner-mismatch", "score-mismatch", "not-over", "already-over")}
#: The parts of a result in words, by path.
_RESULT_PARTS: dict[tuple[str, ...], str] = {
    ("winner",): "winner",
    ("termination",): "termination",
    ("score", "black"): "score of Black",
    ("score", "white"): "score of White",
}
_VALID = "then the whole record is valid"
#: The fields whose change may be written if it is the only complete repair of a record.
_CLEAR = ("/coordinates", "/opening/black", "/opening/white")


class Change(NamedTuple):
    """A change to the data of a record.

    Attributes:
        kind: ``value`` or ``key`` for a replacement; ``insert`` or ``remove`` for a turn; ``add`` for a field.
        pointer: JSON Pointer of the value; an insertion comes before it.
        text: the new string.
        old: the old string.
    """

    kind: str
    pointer: str
    text: str
    old: str = ""


class Repair(NamedTuple):
    """A repair of a record.

    Attributes:
        message: the repair and its effect in words.
        changes: the changes.
        complete: whether the repaired record is valid.
        data: the data of the repaired record.
        best: whether the repair is clearly the best, so that a program may write it without asking a person.
    """

    message: str
    changes: tuple[Change, ...]
    complete: bool
    data: dict[str, Any]
    best: bool = False

    @property
    def is_of_result(self) -> bool:
        """Whether the repair changes the result."""
        return self.changes[0].pointer.startswith("/result")


def is_repairable(diagnostic: Diagnostic) -> bool:
    """Return whether a diagnostic can have repairs: an illegal turn or opening, a wrong result, an unknown key."""
    code = diagnostic.code
    known = code == _UNKNOWN_KEY or code in _WRONG_RESULTS or code.startswith(("move/", "opening/"))
    return known and diagnostic.severity == "error"


def find_repairs(report: Report, replays: int) -> Iterator[tuple[Diagnostic, list[Repair]]]:
    """Yield the repairable diagnostics of a report, each with its best repairs.

    `replays` is the maximum number of replays for all repairs of the record.
    """
    data: Any = report.document.data if report.document is not None else report.record and report.record.data
    search = _Search(data, report, replays)
    for diagnostic in report.errors:
        if diagnostic.code == _UNKNOWN_KEY:
            yield diagnostic, search.repair_key(diagnostic)
    primary = next((error for error in report.errors if is_repairable(error) and error.code != _UNKNOWN_KEY), None)
    record = report.record or playable(data)
    is_of_result = primary is not None and primary.code in _WRONG_RESULTS
    if record is None or (is_of_result and "illegal" in (record.result or {})):
        return  # nobody but a person knows which illegal turn was played
    if primary is not None:
        yield primary, search.repair_game(record, primary)


def playable(data: dict[str, Any]) -> Record | None:
    """Return the record in some data, without the fields that are wrong; None if they are needed for a replay."""
    try:
        return read_record(data, turns_unchecked=True)
    except RecordError as error:
        return error.playable


def shape_at(data: dict[str, Any], path: list[str]) -> Shape:
    """Return the shape of the object at a path in a record."""
    name = data.get("game")
    shape: Shape = record_shape(games.get(name)) if games.is_known(name) else any_shape()
    for step in path:
        shape = shape.parts.get(step, shape)
    return shape


#: A change to a record in words, and the data of the changed record.
_Changed = tuple[str, tuple[Change, ...], dict[str, Any]]


class _Search:
    """Search for repairs of one record with a bounded number of replays."""

    def __init__(self, data: dict[str, Any], report: Report, replays: int) -> None:
        self._data = data
        self._report = report
        self._left = replays

    def repair_key(self, diagnostic: Diagnostic) -> list[Repair]:
        """Return the repairs that rename an unknown key to a similar known one."""
        pointer = diagnostic.pointer or ""
        *path, old = steps_of(pointer)
        if len(old) > _LONGEST_KEY:
            return []
        around = value_at(self._data, pointer_to(path))
        shape = shape_at(self._data, path)
        repairs = []
        for new in close_matches(old, [name for name in shape.fields if name not in around], _MOST):
            data = deepcopy(self._data)
            renamed = {new if key == old else key: value for key, value in around.items()}
            changed = value_at(data, pointer_to(path))
            changed.clear()
            changed |= renamed
            errors = self._errors(data)
            if errors is None or {pointer, pointer_to([*path, new])} & errors:
                continue
            message = f"rename {shorten(old)} to {new}: {'then the key is known' if errors else _VALID}"
            repairs.append(Repair(message, (Change("key", pointer, new, old),), not errors, data))
        complete = [repair for repair in repairs if repair.complete]
        if len(complete) == 1 and self._left > 0:
            (change,) = complete[0].changes
            complete = [complete[0]._replace(best=change.text in _variants(old, change.text))]
        return [*complete, *(repair for repair in repairs if not repair.complete)]

    def repair_game(self, record: Record, primary: Diagnostic) -> list[Repair]:
        """Return the repairs of an illegal turn or a wrong result: complete repairs, or else partial ones."""
        can_complete = all(error is primary or error.code in _WRONG_RESULTS for error in self._report.errors)
        complete = [*self._valid(self._readings(record))] if can_complete else []
        if primary.code.startswith("opening/"):
            return complete[:_MOST]
        if primary.code.startswith("result/") and can_complete:
            complete += self._result()
        if len(record.moves) > _MOST_TURNS:
            return complete[:_MOST]
        edits = TurnEdits(record, len(record.turns) if primary.ply is None else primary.ply - 1)
        tried, repairs = self._try(edits, primary, can_complete=can_complete)
        complete += [repair for _, repair in repairs]
        if can_complete and len(complete) < _MOST:
            complete += self._valid(self._starts(record))
        if len(complete) == 1 and self._left > 0:
            claim = record.result
            checked = claim is not None and claim.get("termination", "rules") == "rules"
            is_of_start = checked and complete[0].changes[0].pointer in _CLEAR
            is_best = self._is_clear(repairs[0][0], edits, checked=checked) if repairs else is_of_start
            # If all turns are legal, the result may be wrong, or turns may be missing at the end.
            return [complete[0]._replace(best=is_best and primary.ply is not None)]
        if complete:
            return complete[:_MOST]
        return [] if primary.ply is None else self._partial(edits, tried, primary)

    def _try(
        self, edits: TurnEdits, primary: Diagnostic, *, can_complete: bool
    ) -> tuple[list[TurnEdit], list[tuple[TurnEdit, Repair]]]:
        """Return the edits of turns that were played, and those that make the whole record valid, the best first."""
        tried: list[TurnEdit] = []
        repairs: list[tuple[TurnEdit, Repair]] = []
        results: set[tuple[str, ...]] = set()
        for edit in chain(edits.of_turns(), edits.of_characters()):
            if self._left <= 0 or sum(other.size == 1 for other, _ in repairs) == _MOST:
                break
            # Two equal turns in a row: it does not matter which is left out.
            if (result := tuple(edit.apply(edits.turns))) in results:
                continue
            results.add(result)
            self._left -= 1
            tried.append(edit)
            played = edits.play_whole(edit)
            if not can_complete or played is None or any(check_result(played.record, played)):
                continue
            data = self._apply(edit)
            if self._errors(data) == set():
                message = f"{_describe(edit, edits.end, primary)}: {_VALID}"
                repairs.append((edit, Repair(message, self._changes(edit), True, data)))
        return tried, sorted(repairs, key=lambda pair: pair[0])

    def _partial(self, edits: TurnEdits, tried: list[TurnEdit], primary: Diagnostic) -> list[Repair]:
        """Return the edits with the longest legal beginning."""
        counts = [(edits.play(edit).plies, edit) for edit in tried]
        repairs = []
        for most, edit in sorted((-count, edit) for count, edit in counts if count > edits.end)[:_MOST]:
            whole = -most == len(edit.apply(edits.turns))
            legal = "all turns are" if whole else "the first turn is" if most == -1 else f"the first {-most} turns are"
            message = f"{_describe(edit, edits.end, primary)}: then {legal} legal"
            repairs.append(Repair(message, self._changes(edit), False, self._apply(edit)))
        return repairs

    def _is_clear(self, edit: TurnEdit, edits: TurnEdits, *, checked: bool) -> bool:
        """Return whether an edit may be written if it is the only complete repair.

        `checked` tells whether the record has a result to check the turns. Without one, a turn is only replaced if its
        text is no turn. A turn is left out only if it repeats a neighbor and has no annotation. Two passes
        may be right. A text with several turns is never replaced or moved.
        """
        moves = self._data["moves"]
        if not edit.old:
            return checked and edit.new == ("pass",)
        if not edit.new:
            around = edits.turns[max(0, edit.start - 1) : edit.start] + edits.turns[edit.start + 1 : edit.start + 2]
            return edit.old[0] in around and isinstance(moves[edit.start], str) and (checked or edit.old != ("pass",))
        return all((checked or not edits.is_turn(text)) and edits.count_within(text) < 2 for text in edit.old)

    def _valid(self, changed: Iterable[_Changed]) -> Iterator[Repair]:
        """Yield the changes under which the whole record is valid, as repairs."""
        for message, changes, data in changed:
            if self._errors(data) == set():
                yield Repair(f"{message}: {_VALID}", changes, True, data)

    def _errors(self, data: dict[str, Any]) -> set[str] | None:
        """Return the pointers of the errors in changed data; None if no replays are left."""
        if self._left <= 0:
            return None
        self._left -= 1
        try:
            errors = check_record(read_record(data, turns_unchecked=True)).errors
        except RecordError as error:
            errors = [*error.diagnostics]
        return {error.pointer or "" for error in errors}

    def _starts(self, record: Record) -> Iterator[_Changed]:
        """Yield changes of an opening stone to a neighbor of its cell, and of the size by 1."""
        board = record.rules.board(record.size)
        names = board.names(record.coordinates)
        for color, name in record.opening.items():
            cell = names.find(name)
            for other in board.neighbors[cell] if cell is not None else ():
                new = names.single(other)
                changes = (Change("value", f"/opening/{color}", new, name),)
                data = {**self._data, "opening": {**self._data["opening"], color: new}}
                yield f"move the opening stone of {color.capitalize()} from {trim(name)} to {new}", changes, data
        for size in (record.size - 1, record.size + 1):
            if size in record.rules.ruleset(record.ruleset).sizes:
                changes = (Change("value", "/size", str(size), str(record.size)),)
                yield f"set the size to {size}", changes, {**self._data, "size": size}

    def _readings(self, record: Record) -> Iterator[_Changed]:
        """Yield changes of the coordinates, the opening or the orientation of all turns, with the changed data."""
        current = record.coordinates
        kind = "value" if "coordinates" in self._data else "add"
        for system in SYSTEMS:
            if system != current:
                data = {**self._data, "coordinates": system}
                yield f"read its cells in {system} coordinates", (Change(kind, "/coordinates", system, current),), data
        opening = record.opening
        if len(opening) > 1:
            black, white = opening.values()
            exchanged = {**self._data["opening"], "black": white, "white": black}
            changes = (Change("value", "/opening/black", white, black), Change("value", "/opening/white", black, white))
            yield "exchange the colors of the opening stones", changes, {**self._data, "opening": exchanged}
        if not record.moves or (not opening and record.setup is None):
            return
        board = record.rules.board(record.size)
        turns = [*map(trim, record.turns)]
        for names in renamings(board, current)[1:]:
            images = [board.names(current).rename(turn, names) for turn in turns]
            edit = TurnEdit(1, 0, 0, tuple(turns), tuple(images))
            example = f"{turns[0]} to {images[0]}"
            yield f"rotate or mirror all turns, {example}", self._changes(edit), self._apply(edit)

    def _result(self) -> Iterator[Repair]:
        """Yield the repair that writes the computed result, if the rules ended the game."""
        outcome, claim = self._report.result, self._data.get("result")
        if outcome is None or outcome.termination != "rules" or not isinstance(claim, dict):
            return
        result = {"termination": "rules", **recompute_result(self._data, outcome)}
        changes = tuple(
            Change("value", pointer_to(["result", *path]), str(new), str(old))
            for path, old, new in _replaced_parts(claim, result)
        )
        data = {**self._data, "result": result}
        if changes and self._errors(data) == set():
            yield Repair(
                f"write the computed result, {describe_replaced(self._data, result)}: {_VALID}", changes, True, data
            )

    def _apply(self, edit: TurnEdit) -> dict[str, Any]:
        moves = [*self._data["moves"]]
        stop = edit.start + len(edit.old)
        new: list[Any] = [*edit.new]
        if len(edit.old) == len(edit.new):
            replaced = zip(moves[edit.start : stop], new, strict=True)
            new = [{**move, "turn": turn} if isinstance(move, dict) else turn for move, turn in replaced]
        moves[edit.start : stop] = new
        return {**self._data, "moves": moves}

    def _changes(self, edit: TurnEdit) -> tuple[Change, ...]:
        moves = self._data["moves"]
        if not edit.old:
            return (Change("insert", f"/moves/{edit.start}", edit.new[0]),)
        if not edit.new:
            return (Change("remove", f"/moves/{edit.start}", "", edit.old[0]),)
        return tuple(
            Change("value", f"/moves/{index}{'/turn' * isinstance(moves[index], dict)}", new, turn_of(moves[index]))
            for index, (old, new) in enumerate(zip(edit.old, edit.new, strict=True), edit.start)
            if old != new
        )


def _describe(edit: TurnEdit, end: int, primary: Diagnostic) -> str:
    """Return an edit in words, with its ply if that differs from the ply of the diagnostic."""
    old, new = ([shorten(turn) or "the empty turn" for turn in turns] for turns in (edit.old, edit.new))
    ply = edit.start + 1
    if len(old) == 2:
        return f"exchange {old[0]} and {old[1]}, plies {ply} and {ply + 1}"
    words = f"insert {new[0]}" if not old else f"leave out {old[0]}" if not new else f"replace {old[0]} with {new[0]}"
    return words if primary.ply is not None and edit.start == end else f"at ply {ply}, {words}"


def recompute_result(data: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """Return the corrected result of a record, given its data and the computed result.

    Correct fields of the recorded result are preserved as written.
    """
    claim = data.get("result") or {}
    computed = canonical_form(read_record({**data, "moves": [], "result": outcome.as_data()}))["result"]
    result = {name: value for name, value in claim.items() if name != "termination" or value == "rules"}
    result["winner"] = computed["winner"]
    if "score" in computed:
        score = result.get("score", {})
        wrong = {color: value for color, value in computed["score"].items() if score.get(color) != value}
        result["score"] = {**score, **wrong}
    first = [name for name in ("winner", "termination", "score") if name in result]
    return {name: result[name] for name in dict.fromkeys([*first, *result])}


#: A part of a result: its path, the recorded value and the computed value.
_Replaced = tuple[tuple[str, ...], Any, Any]


def _replaced_parts(claim: dict[str, Any], result: dict[str, Any]) -> list[_Replaced]:
    """Return the parts of a recorded result that differ from those of a computed result."""
    parts = [(path, get(claim, path), get(result, path)) for path in _RESULT_PARTS]
    return [(path, old, new) for path, old, new in parts if old is not None and old != new]


def describe_replaced(data: dict[str, Any], result: dict[str, Any]) -> str:
    """Return the replaced parts of a record's result, given the new result: ``winner white (was black)``."""
    parts = _replaced_parts(data.get("result") or {}, {"termination": "rules", **result})
    words = [f"{_RESULT_PARTS[path]} {new} (was {shorten(str(old))})" for path, old, new in parts]
    from hexrec.formats.sgf.root import kept_margins  # only SGF has margins

    if "score" in result and (margins := [margin.written for margin in kept_margins(data)]):
        score = result["score"]
        words.append(f"score Black {score['black']}, White {score['white']} (was {', '.join(margins)})")
    return ", ".join(words)


class TurnEdit(NamedTuple):
    """A replacement of some turns of a record.

    Attributes:
        size: the size of the change: 1 for a character of a turn, 2 for whole turns.
        distance: the number of turns from the edit to the error.
        start: the index of the first changed turn.
        old, new: the old and the new turns.
    """

    size: int
    distance: int
    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    def apply(self, turns: Sequence[str]) -> list[str]:
        """Return the turns of the record after the edit."""
        return [*turns[: self.start], *self.new, *turns[self.start + len(self.old) :]]


class TurnEdits:
    """The edits of a record's turns at or before an error.

    Attributes:
        turns: the turns, trimmed and in lower case.
        end: the index of the illegal turn; the number of turns for a wrong result.
    """

    def __init__(self, record: Record, end: int) -> None:
        """Play the legal turns before the error. Propagates the errors of `Record.start`."""
        self.turns = [*map(trim, record.turns)]
        self.end = end
        self._record = record
        before = enumerate(islice(record.positions(), end + 1))
        self._positions = {index: position for index, position in before if index >= end - _TURNS_BACK}
        self._shape = re.compile(record.rules.turn_pattern(record.coordinates))

    def count_within(self, text: str) -> int:
        """Return the number of turns that a text contains; 0 if it is a turn itself."""
        return 0 if self.is_turn(text) else len([*self._shape.finditer(text)])

    def is_turn(self, text: str) -> bool:
        """Return whether a text matches the notation of turns."""
        return self._shape.fullmatch(text) is not None

    def play_whole(self, edit: TurnEdit) -> Replay | None:
        """Return the replay of all turns after an edit; None if a turn is illegal."""
        played = self.play(edit)
        return played if played.plies == len(edit.apply(self.turns)) else None

    def play(self, edit: TurnEdit) -> Replay:
        """Return the replay after an edit, up to the first illegal turn."""
        position = self._positions[edit.start].copy()
        with suppress(IllegalTurn):
            position.play_all(edit.apply(self.turns)[edit.start :])
        return Replay(self._record, position.plies, position.result(), None, position)

    def of_turns(self) -> Iterator[TurnEdit]:
        """Yield edits of whole turns, nearest first: one turn removed, inserted, or exchanged with the next."""
        for index in range(self.end, min(self._positions) - 1, -1):
            position, distance = self._positions[index], self.end - index
            here, following = self.turns[index : index + 1], self.turns[index + 1 : index + 2]
            inserted = dict.fromkeys((*(["pass"] if "pass" in self._record.rules.turn else []), *here))
            edits = [TurnEdit(2, distance, index, (), (turn,)) for turn in inserted]
            if here and not self.count_within(here[0]):
                edits.append(TurnEdit(2, distance, index, tuple(here), ()))
            if following and following != here:
                edits.append(TurnEdit(2, distance, index, (*here, *following), (*following, *here)))
            for edit in edits:
                first = edit.apply(self.turns)[index : index + 1]
                if not first or position.is_legal(first[0]):
                    yield edit

    def of_characters(self) -> Iterator[TurnEdit]:
        """Yield the edits of one character that lead to a different legal turn, nearest first."""
        rules, system = self._record.rules, self._record.coordinates
        names = rules.board(self._record.size).names(system).cells
        characters = "".join(sorted({*_SEPARATORS, *"".join(names), *"".join(self.turns[: self.end])}))
        for index in range(min(self.end, len(self.turns) - 1), min(self._positions) - 1, -1):
            position, turn = self._positions[index], self.turns[index]
            if len(turn) > _LONGEST:
                continue
            current = position.canonical(turn) if index < self.end else turn
            legal = (text for text in _variants(turn, characters) if self.is_turn(text) and position.is_legal(text))
            for text in sorted({position.canonical(text) for text in legal} - {current}):
                yield TurnEdit(1, self.end - index, index, (turn,), (text,))


def _variants(text: str, characters: str) -> set[str]:
    """Return the strings with one character replaced, inserted or removed, or two adjacent characters exchanged.

    Two characters that look like one count as one.
    """
    variants = {text.replace(pair, one, 1) for pair, one in _LOOK_ALIKES}
    for at in range(len(text) + 1):
        before, here, after = text[:at], text[at : at + 1], text[at + 1 :]
        variants.update(before + other + here + after for other in characters)
        if here:
            variants.update(before + other + after for other in characters)
            variants.add(before + after)
        if after:
            variants.add(before + after[0] + here + after[1:])
    return variants - {text}
