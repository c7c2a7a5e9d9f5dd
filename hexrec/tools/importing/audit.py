"""Audit of readings: what a text has must be in the record, and only one record may be in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from hexrec.rules.terms import pluralize
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.notations import CellNotation
from hexrec.tools.importing.readings import Doubt, GameReading, play
from hexrec.tools.importing.spelling import plain
from hexrec.tools.importing.turn_lists import DraftTurn
from hexrec.tools.importing.words import (
    CLAUSE,
    CONTINUED,
    CORRECTED,
    FIRST_PART,
    INCOMPLETE,
    MODAL,
    RESULT_WORDS,
    STARTING,
    TURN_COUNT,
    UNFINISHED,
    VARIANT_WORDS,
)

#: The minimum share of turns of which a text in sentences shows the color.
_SHOWN = 0.5
#: Words of a text in which an error is corrected already.
_CORRECT_NOW = re.compile(r"\b(?:fix(?:ed|es)?|corrected|removed)(?:\s\w+){0,2}\stypos?\b")
BEGINS_LATER = "the turns begin with number {}: add those before it, perhaps from another file"
#: The number of other openings that are tried.
_OPENINGS = 12


class Conventions(NamedTuple):
    """Conventions of a file, which some of its games show.

    Attributes:
        notation: the way to name cells, if it is not that of records.
        opening_first: whether the first turns are the opening.
        is_file_of_games: whether there are several games, so that one without a result may be a part of another.
    """

    notation: CellNotation | None = None
    opening_first: bool = False
    is_file_of_games: bool = False

    def fits(self, readings: Sequence[GameReading]) -> bool:
        """Return whether the only reading of a game follows the conventions."""
        if len(readings) != 1:
            return False
        is_complete = bool(readings[0].result) or readings[0].outcome is not None
        is_usual = self.notation in (None, readings[0].notation._replace(cost=0))
        return is_usual and (is_complete or not self.is_file_of_games)


class Numbering(NamedTuple):
    """The numbers before turns.

    Attributes:
        is_complete: whether they show that no turn is missing, and none is of another game.
        contradiction: the index of the first turn that contradicts them, and the reason; or None.
    """

    is_complete: bool
    contradiction: tuple[int, str] | None


def check_numbers(turns: Sequence[DraftTurn]) -> Numbering:
    """Return whether the numbers of turns are complete. Numbers that do not count turns are ignored."""
    groups: list[tuple[int, int]] = []
    for index, turn in enumerate(turns):
        if turn.number is not None and (not groups or groups[-1][0] != turn.number):
            groups.append((turn.number, index))
    starts = [index for _, index in groups]
    steps = [after - before for (before, _), (after, _) in pairwise(groups)]
    lengths = [after - before for before, after in pairwise([*starts, len(turns)])]
    if len(steps) < 2 or sum(step == 1 for step in steps) * 10 < 8 * len(steps):
        return Numbering(False, None)
    inner = lengths[:-1]
    usual = max({*inner}, key=inner.count)
    if len(inner) - inner.count(usual) > max(1, len(inner) // 5):
        return Numbering(False, None)
    while lengths[-1] > usual and turns[starts[-1] + lengths[-1] - 1].kind == "pass":
        lengths[-1] -= 1  # "both pass", with one number
    for at, length in enumerate(lengths):
        number, index = groups[at]
        last = at == len(lengths) - 1
        if at and steps[at - 1] > 1:
            return Numbering(False, (index, f"number {groups[at - 1][0] + 1} is missing before number {number}"))
        if length > usual or (length < usual and at and not last):
            message = f"number {number} has {pluralize(length, 'turn')}, and the other numbers have {usual}"
            return Numbering(False, (index + min(length, usual), message))
    whole = all(step == 1 for step in steps) and starts[0] == 0 and groups[0][0] <= 3 and usual <= 2
    return Numbering(whole, None)


def find_contradiction_of_order(reading: GameReading) -> tuple[int, str] | None:
    """Return the index of the first turn whose color or number contradicts its place, and the reason; or None."""
    number = reading.sources[0].number if reading.sources else None
    stated = [item for item in reading.selection.items[: len(reading.opening)] if item.cell in reading.stones]
    first = {0, 1, 1 + len(reading.opening), 1 + sum(item.number is not None for item in stated)}
    if number is not None and number not in first and not reading.assumed_opening:
        return 0, BEGINS_LATER.format(number)
    for index, turn in enumerate(reading.sources):
        if turn.color is not None and reading.color(turn.color) != index % 2:
            color = ("Black", "White")[turn.color]
            return index, f"two turns of {color} in a row: a turn between them is missing, or a color is wrong"
    numbers = [(index, turn.number) for index, turn in enumerate(reading.sources) if turn.number is not None]
    grow = all(before <= after for (_, before), (_, after) in pairwise(numbers))
    if not numbers or not grow or any(turn.color is None for turn in reading.sources):
        return check_numbers(reading.sources).contradiction
    offsets = min(([number - index // turns for index, number in numbers] for turns in (1, 2)), key=lambda n: len({*n}))
    for (index, number), offset in zip(numbers, offsets, strict=True):  # some turns may have no number
        if offset != offsets[0]:
            return index, f"number {number} is that of another turn: turns before it are missing, or a number is wrong"
    return None


def choose(readings: Sequence[GameReading]) -> list[GameReading]:
    """Return the valid readings among which nothing decides: one, if the text confirms it or all others assume more."""
    for confirms in (_is_confirmed, _states_opening, _is_structured):
        readings = [reading for reading in readings if confirms(reading)] or readings
    least = min(reading.cost for reading in readings)
    return [reading for reading in readings if reading.cost == least]


def _is_confirmed(reading: GameReading) -> bool:
    """Return whether the text states the winner by the rules at the end of the turns."""
    return reading.outcome is not None and (reading.result or {}).get("winner") == reading.outcome.winner


def _states_opening(reading: GameReading) -> bool:
    return not reading.assumed_opening


def _is_structured(reading: GameReading) -> bool:
    """Return whether numbers, or the colors of all turns, show that no turn is missing."""
    turns = reading.sources
    return check_numbers(turns).is_complete or (len(turns) > 3 and all(turn.color is not None for turn in turns))


def needs_no_opening(reading: GameReading) -> bool:
    """Return whether the text may omit the opening: all its turns are legal after stones that it does not name."""
    turns = [*reading.opening.values(), *reading.turns]
    board = reading.game.board(reading.size)
    named = set(re.findall(r"[a-z]+\d+", " ".join(turns)))
    free = [cell for cell in board.names().cells if cell not in named]
    for shift in range(1, 1 + _OPENINGS):
        stones = free[:: max(1, len(free) // (shift + 1))][: len(reading.opening)][:: 1 if shift % 2 else -1]
        if len(stones) == len(reading.opening):
            other = replace(reading, opening=dict(zip(reading.opening, stones, strict=True)), turns=turns)
            if not play(other).failed:
                return True
    return False


def find_doubt(reading: GameReading, draft: Draft, shown: Conventions) -> Doubt | None:
    """Return the reason why a text may not be the game of its only valid reading, or None."""
    text = plain("\n".join(draft.texts))
    if draft.value("variant") is None and reading.game.variants and (named := VARIANT_WORDS.search(text)):
        return Doubt("import/unread", f"the text has '{named[0]}', but no variant that is understood: give --variant")
    if corrected := CORRECTED.search(_CORRECT_NOW.sub(" ", text)):
        return Doubt("import/unread", f"the text corrects itself ({corrected[0]}): correct the turns there")
    if _is_confirmed(reading):
        unread = _doubt_turns(reading, draft) if reading.assumed_opening else None
        return unread or _doubt_opening(reading, text, shown)
    return (
        _doubt_turns(reading, draft)
        or _doubt_opening(reading, text, shown)
        or _doubt_text(reading, text)
        or _doubt_result(reading, draft, text, shown)
    )


def _doubt_turns(reading: GameReading, draft: Draft) -> Doubt | None:
    """Return the reason why turns may be missing, or why some of those of a reading may be none."""
    board, notation = reading.game.board(reading.size), reading.notation
    last = {item.cell for turn in reading.sources[-1:] for item in turn.items}  # which the text may name once more
    skipped, is_bare = reading.selection.left_out(
        lambda cell: cell in reading.stones or cell in last or notation.name(cell, board) is None
    )
    skipped += draft.hidden
    is_doubtful = draft.hidden or is_bare or reading.assumed_opening
    if skipped and (is_doubtful or not check_numbers(reading.sources).is_complete):
        message = f"the text has {pluralize(skipped, 'more cell')} that may be turns: number the turns"
        return Doubt("import/unread", message)
    if (
        reading.exchanged
        and len(reading.opening) > 1
        and draft.value("pair")
        and not (draft.player(0) or draft.player(1))
    ):
        message = "the text names the players, but not their colors: add them, as in Black: Ada, White: Ben"
        return Doubt("import/opening", message)
    colored = sum(turn.color is not None for turn in reading.sources)
    if reading.selection.mode == "all" and not _is_structured(reading) and colored < _SHOWN * len(reading.sources):
        return Doubt("import/unread", "the turns are in sentences that do not show which cells are turns: number them")
    return None


def _doubt_opening(reading: GameReading, text: str, shown: Conventions) -> Doubt | None:
    """Return the reason why the first turns may not be the opening."""
    is_stated = not reading.assumed_opening or shown.opening_first or STARTING.search(text)
    if not is_stated and needs_no_opening(reading):
        cells = " and ".join(reading.opening.values())
        message = f"the text does not state that its first turns are the opening ({cells}): give --opening"
        return Doubt("import/opening", message)
    return None


def _doubt_text(reading: GameReading, text: str) -> Doubt | None:
    """Return the reason why turns may be missing by the words of a text."""
    stated = max((int(count[1] or count[2]) for count in TURN_COUNT.finditer(text)), default=0)
    if stated > (most := len(reading.turns) + len(reading.opening) + (reading.resigned is not None)):
        message = f"the text states {stated} turns, and has {most}: add the turns that are missing"
        return Doubt("import/unread", message)
    text = text.replace("\n", " ")
    goes_on = CONTINUED.search(text)
    incomplete = goes_on if goes_on and FIRST_PART.search(text) else INCOMPLETE.search(CONTINUED.sub(" ", text))
    if incomplete:
        return Doubt("import/unread", f"the text is not complete ({incomplete[0]}): add the turns that are missing")
    return None


def _doubt_result(reading: GameReading, draft: Draft, text: str, shown: Conventions) -> Doubt | None:
    """Return the reason why a result may be missing, untrue, or of another game."""
    if reading.result:
        order = draft.order
        lines = [order.get(item.entry.line, item.entry.line) for turn in reading.sources for item in turn.items]
        told = [
            order.get(line, line)
            for fact, line in draft.facts
            if fact.kind == "claim" and fact.value.termination and not fact.key
        ]
        if draft.is_table or not any(min(lines) < line < max(lines) for line in told):
            return None
        return Doubt("import/result", "the text states the end of the game, then further turns: correct one of them")
    if draft.value("unfinished"):
        return None
    clauses = (clause[0] for clause in CLAUSE.finditer(text))
    ends = " . ".join(clause for clause in clauses if not (MODAL.search(clause) or UNFINISHED.search(clause)))
    if stated := RESULT_WORDS.search(ends):
        message = f"the text has '{stated[0]}', but no winner that is understood: add a line such as Result: Black won"
        return Doubt("import/result", message)
    is_part = shown.is_file_of_games and not draft.is_table and reading.outcome is None
    if is_part and not (UNFINISHED.search(text) or CONTINUED.search(text)):
        message = "the game is not over, and the text states no result: add it, or the word 'unfinished'"
        return Doubt("import/result", message)
    return None
