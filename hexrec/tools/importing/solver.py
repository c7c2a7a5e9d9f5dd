"""Solver: the readings of a draft, from the ones with fewest assumptions on, until one is valid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from hexrec.rules.terms import IllegalOpening, pluralize
from hexrec.tools.importing.audit import BEGINS_LATER, Conventions, choose, find_contradiction_of_order, find_doubt
from hexrec.tools.importing.drafts import Draft, is_part
from hexrec.tools.importing.hints import NO_HINTS, Hints
from hexrec.tools.importing.interpretations import Interpretation, Interpretations
from hexrec.tools.importing.notations import CellNotation, CellTable, templates
from hexrec.tools.importing.readings import Doubt, GameReading, Replayed, explain_refusal, judge, play
from hexrec.tools.importing.selection import MODES, Selection, select
from hexrec.tools.importing.turn_lists import DraftTurn, is_consecutive

#: The maximum number of turns and cells of a draft, far more than the longest game has.
MAX_ITEMS = 4_000
#: The maximum number of turns in all interpretations of a draft: half a second.
MAX_WORK = 400_000
#: The maximum number of the first turn of a list: the opening may have the numbers before it.
MAX_FIRST_NUMBER = 3
#: The conventions of a file before its games are read.
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
    interpretations = Interpretations(draft, hints, selections, shown.notation)
    reader = _InterpretationReader(draft, game_is_stated=interpretations.game_is_stated)
    best: GameReading | None = None
    valid: dict[tuple[Any, ...], GameReading] = {}
    tried = 0
    for interpretation in sorted(interpretations.find(MAX_WORK), key=lambda each: each.blank.cost):
        if reader.work > MAX_WORK:
            break
        tried += 1
        reading = reader.read(interpretation)
        if reading is None:
            continue
        if reading.problem is None:
            valid.setdefault(reading.key, reading)
        elif reading.problem.code and (best is None or reading.rank > best.rank):
            best = reading
    ended = f"the search ended after {pluralize(tried, 'interpretation')}: give --game and --size"
    if interpretations.joined <= MAX_WORK and reader.work <= MAX_WORK:
        ended = ""
    if valid:
        readings = choose([*valid.values()])
        doubt = find_doubt(readings[0], draft, shown) if len(readings) == 1 else None
        if ended:
            doubt = Doubt("import/limit", ended)
        if doubt is None:
            return Solution(readings, work=reader.work)
        readings[0].problem = doubt
        best = readings[0]
    elif best is not None and best.problem is not None:
        message = best.problem.message or explain_refusal(best)
        best.problem = best.problem._replace(message="; ".join(filter(None, (message, ended))))
    return Solution([], best, work=reader.work)


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


class _InterpretationReader:
    """The readings of interpretations of a draft.

    Attributes:
        work: the number of turns in all interpretations that were tried.
    """

    def __init__(self, draft: Draft, *, game_is_stated: bool) -> None:
        self._draft, self._game_is_stated = draft, game_is_stated
        self.work = 0
        self._names: dict[tuple[CellNotation, int], CellTable] = {}
        self._replayed: dict[tuple[Any, ...], Replayed] = {}

    def read(self, interpretation: Interpretation) -> GameReading | None:
        """Complete a reading: names, replay, comparison. Return None if the text does not fit its notation."""
        reading, opening, turns = interpretation
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


def _is_told(turn: DraftTurn) -> bool:
    """Return whether a turn is a pass in a sentence, which can tell of the end of a game: "Both passed."."""
    item = turn.items[0]
    is_numbered = any(token.kind == "number" and token.start < item.start for token in item.entry.tokens)
    has_words = any(token.kind in ("word", "filler", "both") for token in item.entry.tokens)
    return turn.kind == "pass" and has_words and not is_numbered
