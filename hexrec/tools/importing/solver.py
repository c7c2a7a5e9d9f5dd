"""Solver: the readings of a draft, from the ones with fewest assumptions on, until one is valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from hexrec.errors import ArgumentError
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS, System
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS, Color, IllegalOpening, pluralize
from hexrec.tools.importing.audit import BEGINS_LATER, Conventions, choose, find_contradiction_of_order, find_doubt
from hexrec.tools.importing.draft_lines import DraftLine
from hexrec.tools.importing.drafts import Draft, is_part
from hexrec.tools.importing.facts import opening_stones
from hexrec.tools.importing.lexer import Cell
from hexrec.tools.importing.notations import CellNotation, CellTable, joins, notations, templates
from hexrec.tools.importing.readings import Doubt, GameReading, Replayed, explain_refusal, judge, play
from hexrec.tools.importing.selection import APART, MODES, Selection, TurnPart, select
from hexrec.tools.importing.turn_lists import (
    DraftTurn,
    dash_meanings,
    interleave,
    is_consecutive,
    orders_of,
    segment,
    sort_by_number,
)
from hexrec.tools.importing.words import plain
from hexrec.util.diagnostics import close_matches

#: The maximum number of turns and cells of a draft, far more than the longest game has.
MAX_ITEMS = 4_000
#: The maximum number of turns in all interpretations of a draft: half a second.
MAX_WORK = 400_000
#: The maximum number of the first turn of a list: the opening may have the numbers before it.
MAX_FIRST_NUMBER = 3

#: A cost, and a function that returns the reading of an interpretation.
Plan = tuple[int, Callable[[], GameReading | None]]


class Start(NamedTuple):
    """A beginning of a game: a cost, an opening by color, the turns after it, and whether it is the first turns."""

    cost: int
    opening: dict[Color, Cell]
    turns: list[DraftTurn]
    assumed: bool = False


class Hints(NamedTuple):
    """Facts that the user gives for texts that do not state them.

    Attributes:
        game, size, variant, coordinates: as in records.
        opening: the cells of the opening stones by color, in the notation of the text.
    """

    game: str | None = None
    size: int | None = None
    opening: Mapping[str, str] | None = None
    variant: str | None = None
    coordinates: System | None = None

    def check(self) -> None:
        """Raise ArgumentError for values that no text can have."""
        if self.coordinates is not None and self.coordinates not in SYSTEMS:
            raise ArgumentError(f"unknown coordinate system {self.coordinates!r}; known: {', '.join(SYSTEMS)}")
        for color, cell in (self.opening or {}).items():
            if color not in COLORS or not opening_stones(plain(cell)):
                raise ArgumentError(f"{color}: {cell!r} is no opening stone: give cells by color")


NO_HINTS = Hints()
NO_CONVENTIONS = Conventions()


class Solution(NamedTuple):
    """The readings of a draft.

    Attributes:
        readings: the valid ones, which differ; one if the draft is solved.
        attempt: the best attempt, if none is valid.
        problem: the reason why there is not even an attempt.
        work: the number of turns in all interpretations that were tried.
    """

    readings: list[GameReading]
    attempt: GameReading | None = None
    problem: Doubt | None = None
    work: int = 0


def find_conventions(solutions: Sequence[Solution]) -> Conventions:
    """Return the conventions that the games of a file show. Two games show a notation."""
    known = [solution.readings[0] for solution in solutions if len(solution.readings) == 1]
    shown = Counter(reading.notation._replace(cost=0) for reading in known if reading.notation.cost).most_common(1)
    return Conventions(
        shown[0][0] if shown and shown[0][1] > 1 else None,
        any(reading.assumed_opening for reading in known),
        len(solutions) > 1,
    )


def solve(draft: Draft, hints: Hints = NO_HINTS, shown: Conventions = NO_CONVENTIONS) -> Solution:
    """Return the valid readings of a draft, or the best attempt, by the conventions of the file."""
    if draft.doubt is not None:
        return Solution([], problem=Doubt("import/unread", draft.doubt))
    selections: list[Selection] = []
    for mode, speakers in product(MODES, _speakers(draft)):
        selection = select(draft, mode, speakers)
        if len(selection.items) > MAX_ITEMS:
            message = f"more than {MAX_ITEMS:,} turns and cells, longer than any game: split the text into games"
            return Solution([], problem=Doubt("import/limit", message), work=len(selection.items))
        if selection.items and all(selection.items != other.items for other in selections):
            selections.append(selection)
    first = selections[0].items[0].number if selections else None
    if first is not None and first > MAX_FIRST_NUMBER and is_consecutive(selections[0].items):
        return Solution([], problem=Doubt("import/order", BEGINS_LATER.format(first)))
    search = _Interpretations(draft, hints, shown.notation, _left_out(draft, selections))
    best: GameReading | None = None
    valid: dict[tuple[Any, ...], GameReading] = {}
    plans = sorted(search.plans(_weigh(selections)), key=lambda plan: plan[0])
    tried = 0
    for _, read in plans:
        if search.work > MAX_WORK:
            break
        tried += 1
        reading = read()
        if reading is None:
            continue
        if reading.problem is None:
            valid.setdefault(reading.key, reading)
        elif reading.problem.code and (best is None or reading.rank > best.rank):
            best = reading
    ended = f"the search ended after {pluralize(tried, 'interpretation')}: give --game and --size"
    if search.joined <= MAX_WORK and search.work <= MAX_WORK:
        ended = ""
    if valid:
        readings = choose([*valid.values()])
        doubt = find_doubt(readings[0], draft, shown) if len(readings) == 1 else None
        if ended:
            doubt = Doubt("import/limit", ended)
        if doubt is None:
            return Solution(readings, work=search.work)
        readings[0].problem = doubt
        best = readings[0]
    elif best is not None and best.problem is not None:
        message = best.problem.message or explain_refusal(best)
        best.problem = best.problem._replace(message="; ".join(filter(None, (message, ended))))
    return Solution([], best, work=search.work)


def _speakers(draft: Draft) -> list[Mapping[str, int]]:
    """Return the colors that the authors of messages can have."""
    names = draft.speakers
    if len(names) == 1 and len(draft.answers) == 2:  # the turns of the other are missing
        names = [*names, *(name for name in draft.answers if name not in names)]
    known = {name: color for name in names for color in (0, 1) if draft.player(color) == name}
    players = [draft.player(0), draft.player(1)]
    if None not in players and not any(is_part(name, player or "") for name in names for player in players):
        return [{}]  # the author is another, such as a referee
    if len(names) != 2:
        return [known]
    first, second = names
    both = [{first: 0, second: 1}, {first: 1, second: 0}]
    return [colors for colors in both if known.items() <= colors.items()] or [{}]


def _left_out(draft: Draft, selections: list[Selection]) -> list[TurnPart]:
    """Return the cells before the first turn of the strict selection: without another one, they are the opening."""
    if len(selections) < 2:
        return []
    first = _place(draft, selections[0].items[0])
    return [item for item in selections[-1].items if item.kind == "cell" and _place(draft, item) < first]


def _place(draft: Draft, item: TurnPart) -> tuple[int, int]:
    """Return a place that is after those of items before, also where a mail quotes an older one below itself."""
    line = item.entry.line
    return draft.order.get(line, line), item.place[1]


def _weigh(selections: list[Selection]) -> Iterator[tuple[int, Selection]]:
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


class _Interpretations:
    """The interpretations of a draft.

    Attributes:
        work: the number of turns in all interpretations that were tried.
        joined: the number of items in all lists of turns that were made.
    """

    def __init__(self, draft: Draft, hints: Hints, notation: CellNotation | None, left_out: list[TurnPart]) -> None:
        self._draft = draft
        self._hints = hints
        self._notation = notation
        self._left_out = left_out
        self.work = 0
        self.joined = 0
        self._names: dict[tuple[CellNotation, int], CellTable] = {}
        self._games, self._game_is_stated = _find_games(draft, hints)
        self._variant = hints.variant or draft.value("variant")
        self._replayed: dict[tuple[Any, ...], Replayed] = {}

    def plans(self, selections: Iterable[tuple[int, Selection]]) -> Iterator[Plan]:
        """Yield the plans of all interpretations."""
        for cost, selection in selections:
            for dashes, listed in dash_meanings(selection.items):
                for game in self._games:
                    known: list[list[DraftTurn]] = []
                    for joined in sorted(joins(game, listed), key=lambda joined: joined.cost):
                        self.joined += len(listed)
                        if self.joined > MAX_WORK:
                            return
                        turns = [*segment(listed, joined, game)]
                        if turns not in known:
                            known.append(turns)
                            yield from self._plans_for_turns(cost + dashes + joined.cost, game, turns, selection)

    def _plans_for_turns(self, cost: int, game: Game, turns: list[DraftTurn], selection: Selection) -> Iterator[Plan]:
        """Yield the plans for the openings, notations and sizes that a list of turns can have."""
        system = self._hints.coordinates or self._draft.value("coordinates")
        variant = self._variant if self._variant in game.variants else None
        for start in self._starts(game, turns):
            for order_cost, exchanged, listed in orders_of(start.turns):
                cells = [*start.opening.values(), *(item.cell for turn in listed for item in turn.items if item.cell)]
                known = notations(cells, system) if self._notation is None else [self._notation._replace(cost=0)]
                for notation in known:
                    total = cost + start.cost + order_cost + notation.cost
                    for size in self._sizes(game):
                        blank = GameReading(
                            game,
                            size,
                            variant,
                            notation,
                            {},
                            [],
                            [],
                            total,
                            exchanged,
                            start.assumed,
                            selection=selection,
                        )
                        yield total, partial(self._read, blank, start.opening, listed)

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
        stated, wanted = self._stated_opening(), game.opening
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

    def _stated_opening(self) -> dict[int | None, Cell]:
        """Return the stated opening stones by color, or in order under None and -1 if no colors are stated."""
        if self._hints.opening:
            cells = {color: opening_stones(plain(text)) for color, text in self._hints.opening.items()}
            return {int(color == "white"): next(iter(found.values())) for color, found in cells.items() if found}
        stones: dict[int | None, Cell] = {}
        for more in self._draft.values("opening"):
            if stones and (None in more or stones.keys() & more.keys()):
                break
            stones |= more
        colors = [item.color for item in self._left_out]
        if stones or len(colors) > 2:
            return stones
        if None not in colors and len({*colors}) == len(colors):
            return {item.color: item.cell for item in self._left_out if item.cell}
        return {-1 if index else None: item.cell for index, item in enumerate(self._left_out) if item.cell}

    def _read(self, reading: GameReading, opening: Mapping[Color, Cell], turns: list[DraftTurn]) -> GameReading | None:
        """Complete a reading: names, replay, comparison. Return None if the text does not fit its notation."""
        self.work += len(turns)
        notation = reading.notation
        names = self._names.get((notation, reading.size))
        if names is None:
            names = self._names[notation, reading.size] = CellTable(notation, reading.game.board(reading.size))
        color = next((color for color, cell in opening.items() if names[cell] is None), None)
        if color is not None:
            if notation.cost:
                return None
            message = f"the opening stone of {color.capitalize()} is off a board of size {reading.size} ({notation})"
            reading.problem = Doubt("import/opening", message)
            return reading
        reading.stones = {*opening.values()}
        reading.opening = {color: names[cell] or "" for color, cell in opening.items()}
        if reading.exchanged and len(opening) == 2:
            reading.opening = dict(zip(reading.opening, [*reading.opening.values()][::-1], strict=True))
        self._spell(reading, turns, names)
        if reading.problem is not None and reading.problem.code == "import/turn" and notation.cost:
            return None
        if (fault := find_contradiction_of_order(reading)) is not None:
            index, message = fault
            reading.problem = Doubt("import/order", message, reading.sources[index])
            del reading.turns[index:]
        self._replay(reading)
        if reading.problem is None:
            judge(reading, self._draft, game_is_stated=self._game_is_stated)
        return reading

    def _spell(self, reading: GameReading, turns: list[DraftTurn], names: CellTable) -> None:
        """Add turns to a reading in the notation of records, up to the first that it cannot represent."""
        forms = templates(reading.game)
        for turn in turns:
            if reading.resigned is not None:
                reading.problem = Doubt("import/order", "a turn follows a resignation: is it of another game?", turn)
                return
            if turn.kind == "swap":
                reading.pie = 0
            elif turn.kind == "resign":
                reading.resigned = turn
            elif turn.kind == "pass":
                reading.turns.append("pass")
                reading.sources.append(turn)
            else:
                cells = [names[item.cell] for item in turn.items if item.cell]
                if None in cells:
                    item = turn.items[cells.index(None)]
                    written = item.entry.text[item.start : item.end]
                    message = f"{written} is not a cell of a board of size {reading.size} ({reading.notation})"
                    reading.problem = Doubt("import/turn", message, turn)
                    return
                reading.turns.append(forms[len(cells)].format(*cells))
                reading.sources.append(turn)

    def _replay(self, reading: GameReading) -> None:
        """Replay a reading, once for all readings with the same turns, and set its plies, outcome and problem."""
        key = reading.key
        if key not in self._replayed:
            try:
                self._replayed[key] = play(reading)
            except IllegalOpening as refusal:
                reading.problem = Doubt("import/opening", refusal.message)
                return
        turns, reading.outcome, failed = self._replayed[key]
        reading.plies = len(turns)
        reading.turns = [*turns, *reading.turns[len(turns) :]]
        if failed and reading.outcome is not None and all(map(_is_told, reading.sources[len(turns) :])):
            del reading.turns[len(turns) :], reading.sources[len(turns) :]
        elif failed:
            reading.problem = Doubt("import/turn", "", reading.sources[reading.plies])


def _find_games(draft: Draft, hints: Hints) -> tuple[list[Game], bool]:
    """Return the games that a draft can be of, and whether it states them."""
    if hints.game:
        return [games.get(hints.game)], True
    stated = [str(name) for name in draft.values("game")]
    known = [name for name in stated if games.is_known(name)] or [
        name for word in stated for name in close_matches(word, games.BUILT_IN, 1, 0.75)
    ]
    return [games.get(name) for name in known or games.BUILT_IN], bool(known)


def _is_told(turn: DraftTurn) -> bool:
    """Return whether a turn is a pass in a sentence, which can tell of the end of a game: "Both passed."."""
    item = turn.items[0]
    is_numbered = any(token.kind == "number" and token.start < item.start for token in item.entry.tokens)
    has_words = any(token.kind in ("word", "filler", "both") for token in item.entry.tokens)
    return turn.kind == "pass" and has_words and not is_numbered


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
