"""Interpretations of a draft: what each assumes, and the number of assumptions, which is its cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import Color
from hexrec.tools.importing.draft_lines import DraftLine
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.hints import Hints
from hexrec.tools.importing.lexer import Cell
from hexrec.tools.importing.notations import CellNotation, joins, notations
from hexrec.tools.importing.openings import opening_stones
from hexrec.tools.importing.readings import GameReading
from hexrec.tools.importing.selection import APART, Selection, TurnPart
from hexrec.tools.importing.spelling import plain
from hexrec.tools.importing.turn_lists import (
    DraftTurn,
    dash_meanings,
    interleave,
    is_consecutive,
    orders_of,
    segment,
    sort_by_number,
)
from hexrec.util.diagnostics import close_matches


class Start(NamedTuple):
    """A beginning of a game: a cost, an opening by color, the turns after it, and whether it is the first turns."""

    cost: int
    opening: dict[Color, Cell]
    turns: list[DraftTurn]
    assumed: bool = False


class Interpretation(NamedTuple):
    """An interpretation of a draft: a reading without turns, whose opening and turns are as in the text."""

    blank: GameReading
    opening: Mapping[Color, Cell]
    turns: list[DraftTurn]


class Interpretations:
    """The interpretations of a draft, with all openings, sizes, notations and orders of turns that it can have.

    Attributes:
        game_is_stated: whether the draft states its game.
        joined: the number of items in all lists of turns that were made.
    """

    def __init__(
        self, draft: Draft, hints: Hints, selections: Sequence[Selection], notation: CellNotation | None
    ) -> None:
        self._draft, self._hints, self._selections, self._notation = draft, hints, selections, notation
        self._games, self.game_is_stated = _find_games(draft, hints)
        self._opening, self._before = _find_opening(draft, hints), _stones_before(draft, selections)
        self._variant = hints.variant or draft.value("variant")
        self.joined = 0

    def find(self, most: int) -> Iterator[Interpretation]:
        """Yield the interpretations, until more items than `most` are joined."""
        for cost, selection in _weigh(self._selections):
            for dashes, listed in dash_meanings(selection.items):
                for game in self._games:
                    known: list[list[DraftTurn]] = []
                    for joined in sorted(joins(game, listed), key=lambda joined: joined.cost):
                        self.joined += len(listed)
                        if self.joined > most:
                            return
                        turns = [*segment(listed, joined, game)]
                        if turns not in known:
                            known.append(turns)
                            yield from self._with_turns(cost + dashes + joined.cost, game, turns, selection)

    def _with_turns(
        self, cost: int, game: Game, turns: list[DraftTurn], selection: Selection
    ) -> Iterator[Interpretation]:
        """Yield the interpretations of a list of turns."""
        system = self._hints.coordinates or self._draft.value("coordinates")
        variant = self._variant if self._variant in game.variants else None
        stated = self._draft.value("ruleset")
        ruleset = stated if stated in game.rulesets else None
        for start in self._starts(game, turns):
            for order_cost, exchanged, listed in orders_of(start.turns):
                cells = [*start.opening.values(), *(item.cell for turn in listed for item in turn.items if item.cell)]
                known = notations(cells, system) if self._notation is None else [self._notation._replace(cost=0)]
                for notation in known:
                    total = cost + start.cost + order_cost + notation.cost
                    for size in self._sizes(game):
                        blank = GameReading(
                            game, size, variant, ruleset, notation, selection, total, exchanged, start.assumed
                        )
                        yield Interpretation(blank, start.opening, listed)

    def _sizes(self, game: Game) -> Sequence[int]:
        """Return the sizes that the draft states, or all. A stated number of rows is 2n - 1."""
        stated = [self._hints.size] if self._hints.size else self._draft.values("size")
        return (
            [size for size in game.sizes if size in stated]
            or [size for size in game.sizes if 2 * size - 1 in stated]
            or ([] if self._hints.size else game.sizes)
        )

    def _starts(self, game: Game, turns: list[DraftTurn]) -> Iterator[Start]:
        """Yield the openings that a game can have: the stated one, or the first turns."""
        stated, wanted = self._opening, game.opening
        if not stated or (wanted and not _arrangements(stated, len(wanted))):
            before = self._before
            if [*before] == [None] and [*stated] in ([0], [1]):  # the other one of two stones
                before = {**stated, int(0 in stated): before[None]}
            stated = before or stated
        if not wanted:
            if stated:  # the first turn, stated by itself
                entry = DraftLine(0, [], "")
                items = [TurnPart("cell", cell, APART, None, None, entry, 0, 0) for cell in stated.values()]
                yield Start(0, {}, [*(DraftTurn("cell", [item]) for item in items), *turns])
            yield Start(int(bool(stated)), {}, turns)
        elif stated:
            for cost, cells in enumerate(_arrangements(stated, len(wanted))):
                opening = dict(zip(wanted, cells, strict=True))
                yield Start(cost, opening, turns)
                if {turn.items[0].cell for turn in turns[: len(wanted)]} == {*cells}:  # stated twice
                    yield Start(cost, opening, turns[len(wanted) :])
        else:
            first, after = turns[: len(wanted)], turns[len(wanted) :]
            cells = [cell for turn in first if len(turn.items) == 1 and (cell := turn.items[0].cell) is not None]
            if len(cells) == len(wanted):
                colors = [turn.color for turn in first]
                orders = (
                    [cells[::-1]] if colors == [1, 0] else [cells, cells[::-1]] if colors == [None, None] else [cells]
                )
                for cost, order in enumerate(orders):
                    yield Start(cost, dict(zip(wanted, order, strict=True)), after, not _is_apart(first, after))


def _find_games(draft: Draft, hints: Hints) -> tuple[list[Game], bool]:
    """Return the games that a draft can be of, and whether it states them."""
    if hints.game:
        return [games.get(hints.game)], True
    stated = [str(name) for name in draft.values("game")]
    known = [name for name in stated if games.is_known(name)] or [
        name for word in stated for name in close_matches(word, games.BUILT_IN, 1, 0.75)
    ]
    return [games.get(name) for name in known or games.BUILT_IN], bool(known)


def _find_opening(draft: Draft, hints: Hints) -> dict[int | None, Cell]:
    """Return the stated opening stones by color, or in order under None and -1 if no colors are stated."""
    if hints.opening:
        cells = {color: opening_stones(plain(text)) for color, text in hints.opening.items()}
        return {int(color == "white"): next(iter(found.values())) for color, found in cells.items() if found}
    stones: dict[int | None, Cell] = {}
    for more in draft.values("opening"):
        if [*stones] == [*more] == [None]:  # two cells under the same heading
            stones[-1] = more[None]
        if stones and (None in more or stones.keys() & more.keys()):
            break
        stones |= more
    return stones


def _stones_before(draft: Draft, selections: Sequence[Selection]) -> dict[int | None, Cell]:
    """Return the cells before the first turn, if they may be opening stones."""
    left_out = _left_out(draft, selections)
    colors = [item.color for item in left_out]
    if len(colors) > 2:
        return {}
    if None not in colors and len({*colors}) == len(colors):
        return {item.color: item.cell for item in left_out if item.cell}
    return {-1 if index else None: item.cell for index, item in enumerate(left_out) if item.cell}


def _left_out(draft: Draft, selections: Sequence[Selection]) -> list[TurnPart]:
    """Return the cells before the first turn of the strict selection: without another one, they are the opening."""
    if len(selections) < 2:
        return []
    first = _place(draft, selections[0].items[0])
    return [item for item in selections[-1].items if item.kind == "cell" and _place(draft, item) < first]


def _place(draft: Draft, item: TurnPart) -> tuple[int, int]:
    """Return a place that is after those of items before, also where a mail quotes an older one below itself."""
    line = item.entry.line
    return draft.order.get(line, line), item.place[1]


def _weigh(selections: Sequence[Selection]) -> Iterator[tuple[int, Selection]]:
    """Yield selections with their costs. Numbers without gaps show that a selection has the turns and no other cell."""
    most = max((len(selection.items) for selection in selections), default=0)
    numbered = any(is_consecutive(selection.items) for selection in selections if selection.mode != "all")
    for selection in selections:
        is_sure = selection.mode != "all" and is_consecutive(selection.items)
        cost = int(not is_sure if numbered else 5 * len(selection.items) < 4 * most)
        cost += selection.left_out()[1] and len(selection.items) < most
        yield cost, selection
        if (lists := interleave(selection.items)) is not None:
            yield cost, selection._replace(items=lists, comments={})
        if (columns := sort_by_number(selection.items)) is not None:
            yield 0, selection._replace(items=columns)


def _is_apart(first: Sequence[DraftTurn], after: Sequence[DraftTurn]) -> bool:
    """Return whether only the first cells have colors, or all but these have numbers: then they are the opening."""
    if any(turn.color is None for turn in first):
        return False
    is_numbered = any(turn.number for turn in after) and not any(turn.number for turn in first)
    return is_numbered or all(turn.color is None for turn in after)


def _arrangements(stones: Mapping[int | None, Cell], count: int) -> list[list[Cell]]:
    """Return the orders of stated opening stones, the likely one first; none if their number is wrong."""
    if None in stones:
        cells = [*stones.values()]
        if len(cells) != count:
            return []
        return [cells, cells[::-1]] if count > 1 else [cells]
    return [[stones[color] for color in range(count)]] if {*stones} >= {*range(count)} else []
