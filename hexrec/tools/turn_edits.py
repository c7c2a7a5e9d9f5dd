"""Small edits of a record's turns, as candidates for repairs: characters, turns and passes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from hexrec.record.record import Record
from hexrec.record.replay import Replay, play_by_kernel
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalTurn

#: The number of turns before an error in which edits are tried.
_TURNS_BACK = 200
#: The maximum length of a turn for edits of characters.
_LONGEST = 40
#: The characters between cells in the turns of the built-in games.
_SEPARATORS = "-/x"


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
        has_kernel: whether a kernel can play the game.
    """

    def __init__(self, record: Record, turns: list[str], end: int) -> None:
        """Play the legal turns before the error. Propagates the errors of `Record.start`."""
        self.turns = turns
        self.end = end
        self._record = record
        self._positions: dict[int, Position[Any]] = {}
        position = record.start()
        for index in range(end + 1):
            if index >= end - _TURNS_BACK:
                self._positions[index] = position.copy()
            if index < end:
                position.play(turns[index])
        self.has_kernel = record.setup is None and play_by_kernel(record, []) is not None

    def play_whole(self, edit: TurnEdit) -> Replay | None:
        """Return the replay of all turns after an edit; None if a turn is illegal or the kernel cannot decide.

        Without a kernel, the engine plays the turns.
        """
        if not self.has_kernel:
            played = self.play(edit)
            return played if played.plies == len(edit.apply(self.turns)) else None
        whole = play_by_kernel(self._record, edit.apply(self.turns))
        return None if whole is None else Replay(self._record, len(whole.turns), whole.outcome)

    def play(self, edit: TurnEdit) -> Replay:
        """Return the engine's replay after an edit, up to the first illegal turn."""
        position = self._positions[edit.start].copy()
        with suppress(IllegalTurn):
            position.play_all(edit.apply(self.turns)[edit.start :])
        return Replay(self._record, position.plies, position.result())

    def of_turns(self) -> Iterator[TurnEdit]:
        """Yield edits of whole turns, nearest first: one turn removed, inserted, or exchanged with the next."""
        for index in range(self.end, min(self._positions) - 1, -1):
            position, distance = self._positions[index], self.end - index
            here, following = self.turns[index : index + 1], self.turns[index + 1 : index + 2]
            inserted = dict.fromkeys((*(["pass"] if "pass" in self._record.rules.turn else []), *here))
            edits = [TurnEdit(2, distance, index, (), (turn,)) for turn in inserted]
            if here:
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
        shape = re.compile(rules.turn_pattern(system))
        for index in range(min(self.end, len(self.turns) - 1), min(self._positions) - 1, -1):
            position, turn = self._positions[index], self.turns[index]
            if len(turn) > _LONGEST:
                continue
            current = position.canonical(turn) if index < self.end else turn
            legal = (text for text in _variants(turn, characters) if shape.fullmatch(text) and position.is_legal(text))
            for text in sorted({position.canonical(text) for text in legal} - {current}):
                yield TurnEdit(1, self.end - index, index, (turn,), (text,))


def _variants(text: str, characters: str) -> set[str]:
    """Return the strings with one character replaced, inserted or removed, or two adjacent characters exchanged."""
    found: set[str] = set()
    for at in range(len(text) + 1):
        before, here, after = text[:at], text[at : at + 1], text[at + 1 :]
        found.update(before + other + here + after for other in characters)
        if here:
            found.update(before + other + after for other in characters)
            found.add(before + after)
        if after:
            found.add(before + after[0] + here + after[1:])
    return found - {text}


def rename_cells(turns: Sequence[str], names: Mapping[str, str], cell: re.Pattern[str]) -> list[str]:
    """Return turns with cells renamed."""
    return [cell.sub(lambda found: names.get(found[0], found[0]), turn) for turn in turns]
