"""Lists of turns: the orders of items, the turns that they form, and which sides these are of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from hexrec.rules.game import Game
from hexrec.tools.importing.notations import Joins, templates
from hexrec.tools.importing.selection import APART, TurnPart


class DraftTurn(NamedTuple):
    """A turn as the items of a text.

    Attributes:
        kind: ``cell``, ``pass``, ``resign`` or ``swap``.
        items: its items, at least one.
    """

    kind: str
    items: list[TurnPart]

    @property
    def color(self) -> int | None:
        """The color that the text gives to the turn."""
        return self.items[0].color

    @property
    def number(self) -> int | None:
        """The number before the turn."""
        return self.items[0].number


def interleave(items: Iterable[TurnPart]) -> list[TurnPart] | None:
    """Return items that are listed by color in the order of the game; None for other lists."""
    lists: dict[int, list[TurnPart]] = {0: [], 1: []}
    color, changes = None, 0
    for item in items:
        if item.color is not None and item.color != color:
            color, changes = item.color, changes + 1
        if color is None:
            return None
        lists[color].append(item)
    if changes != 2 or min(len(lists[0]), len(lists[1])) < 2:
        return None
    return None if not lists[0] else [*_alternate(lists[0], lists[1])]


def sort_by_number(items: Sequence[TurnPart]) -> list[TurnPart] | None:
    """Return items in the order of their numbers, if those are complete but in columns side by side; else None."""
    groups: list[list[TurnPart]] = []
    for item in items:
        if item.number is not None or not groups:
            groups.append([])
        groups[-1].append(item)
    numbers = [group[0].number for group in groups if group[0].number is not None]
    if len(numbers) < len(groups) or len(numbers) < 4 or numbers == sorted(numbers):
        return None
    if sorted(numbers) != [*range(min(numbers), min(numbers) + len(numbers))]:
        return None
    return [item for group in sorted(groups, key=lambda group: group[0].number or 0) for item in group]


def _alternate(first: list[TurnPart], second: list[TurnPart]) -> Iterator[TurnPart]:
    """Yield the turns of two colors in turn, each with all of its cells."""
    turns = [[*_turns(first)], [*_turns(second)]]
    for index in range(max(map(len, turns))):
        for color in (0, 1):
            if index < len(turns[color]):
                yield from turns[color][index]


def _turns(items: list[TurnPart]) -> Iterator[list[TurnPart]]:
    """Yield items grouped by turns: hyphens and other joining signs go on with a turn."""
    turn: list[TurnPart] = []
    for item in items:
        if turn and item.gap in (APART, " ", ",", ";", "."):
            yield turn
            turn = []
        turn.append(item._replace(gap=APART if not turn else item.gap, color=None))
    if turn:
        yield turn


def is_consecutive(items: Sequence[TurnPart]) -> bool:
    """Return whether the numbers of a list of turns have no gap."""
    numbers = [item.number for item in items if item.number is not None]
    return len(numbers) > 1 and all(after - before in (0, 1) for before, after in pairwise(numbers))


def dash_meanings(items: list[TurnPart]) -> Iterator[tuple[int, list[TurnPart]]]:
    """Yield the meanings of dashes that stand by themselves: passes; an empty place at the end; signs between turns."""
    passes = [item._replace(kind="pass") if item.kind == "dash" else item for item in items]
    yield 0, passes
    if items and items[-1].kind == "dash":
        yield 0, passes[:-1]
    if any(item.kind == "dash" for item in items):
        yield 1, [item for item in items if item.kind != "dash"]


def segment(items: Sequence[TurnPart], joined: Joins, game: Game) -> Iterator[DraftTurn]:
    """Yield the turns of a list of items: cells with a joining sign between them belong together."""
    most = max(templates(game))
    turn: list[TurnPart] = []
    for item in items:
        signs = joined.first if len(turn) == 1 else joined.second
        if turn and item.kind == turn[0].kind == "cell" and len(turn) < most and item.gap in signs:
            turn.append(item)
            continue
        if turn:
            yield DraftTurn(turn[0].kind, turn)
        turn = [item]
    if turn:
        yield DraftTurn(turn[0].kind, turn)


def orders_of(turns: list[DraftTurn]) -> Iterator[tuple[int, bool, list[DraftTurn]]]:
    """Yield the orders of turns with colors, each with its cost and whether White's is the first side to move."""
    colors = [turn.color for turn in turns[:2]]
    yield 0, False, turns
    if colors[:1] == [1] and turns[0].items[0].entry.speaker is None:
        yield 0, True, turns
    elif colors == [0, 1] and turns[0].items[0].entry.line == turns[1].items[0].entry.line:
        # Two columns: White's turns may be the first, although they are listed as the second.
        pairs = [turns[index : index + 2] for index in range(0, len(turns), 2)]
        yield 1, True, [turn for pair in pairs for turn in pair[::-1]]
