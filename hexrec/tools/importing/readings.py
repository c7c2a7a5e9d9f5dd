"""Readings: interpretations of a draft, compared with the order of turns, the replay, and the stated result."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hexrec.rules.game import Game
from hexrec.rules.grid import LEGAL, NOT_CANONICAL
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, PLAYERS, IllegalTurn, Outcome, ending, pluralize
from hexrec.tools.importing.drafts import Draft, actors_of
from hexrec.tools.importing.lexer import Cell
from hexrec.tools.importing.notations import CellNotation
from hexrec.tools.importing.results import Claim
from hexrec.tools.importing.selection import Selection
from hexrec.tools.importing.spelling import plain, words_of
from hexrec.tools.importing.turn_lists import DraftTurn

#: Words for the author of a text, which name no player.
_NO_NAMES = ("i", "me", "he", "she", "they", "we", "you", "ich", "er", "sie", "je", "yo")
#: The maximum number of words of a name.
_MAX_NAME = 3
#: The number of legal turns that make up for an assumption in the order of attempts.
_PLIES_PER_COST = 10
#: The minimum number of legal turns that show an unnamed game, another notation, and any other assumption.
_PROVING_GAME, _PROVING_NOTATION, _PROVING_OTHER = 10, 12, 6


class Doubt(NamedTuple):
    """The reason why an interpretation fails.

    Attributes:
        code: the code of the diagnostic.
        message: the reason in words.
        turn: the turn that fails, or None.
    """

    code: str
    message: str
    turn: DraftTurn | None = None


@dataclass
class GameReading:
    """An interpretation of a draft.

    Attributes:
        game, size, variant, ruleset: as in records.
        notation: the notation of the text.
        selection: the selection of turns from the text.
        cost: the number of assumptions that the text does not show by itself.
        exchanged: whether the text gives the name of the other color to each side: White moves first in it.
        assumed_opening: whether the opening is the first turns of the list, without words that say so.
        opening: the cells of the opening stones by color, in row coordinates.
        turns: the turns in row coordinates, in canonical notation as far as they are legal.
        sources: the same turns in the text.
        resigned: the resignation in the list of turns.
        pie: the color that the second player chose, as a number.
        plies, outcome: the number of legal turns, and the outcome after them.
        stones: the cells of the opening stones in the text.
        players: the names of the players by color.
        result: the stated result, as in records.
        unknown: the name in the stated result of a player whose color the text does not state.
        problem: the reason why it fails; None if it is valid.
    """

    game: Game
    size: int
    variant: str | None
    ruleset: str | None
    notation: CellNotation
    selection: Selection
    cost: int
    exchanged: bool
    assumed_opening: bool
    opening: dict[str, str] = field(default_factory=dict)
    turns: list[str] = field(default_factory=list)
    sources: list[DraftTurn] = field(default_factory=list)
    resigned: DraftTurn | None = None
    pie: int | None = None
    plies: int = 0
    outcome: Outcome | None = None
    stones: set[Cell] = field(default_factory=set)
    players: dict[str, str] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    unknown: str | None = None
    problem: Doubt | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """The parts in which all valid readings must agree."""
        return self.game.name, self.variant, self.ruleset, self.size, *self.opening.items(), tuple(self.turns)

    def start(self) -> Position:
        """Return the position before the first turn. Raises IllegalOpening."""
        return self.game.start(self.size, self.opening, self.variant, ruleset=self.ruleset)

    @property
    def rank(self) -> tuple[int, int]:
        """The order of attempts: those with legal turns and a wrong result, then by legal turns and assumptions."""
        is_legal = self.problem is not None and self.problem.code == "import/result"
        return 1000 * is_legal + self.plies - _PLIES_PER_COST * self.cost, -self.cost

    def color(self, stated: int) -> int:
        """Return the color in the record for one in the text."""
        return 1 - stated if self.exchanged else stated


class Replayed(NamedTuple):
    """The replay of a reading: its legal turns, the outcome after them, and whether another turn follows."""

    turns: list[str]
    outcome: Outcome | None
    failed: bool


def play(reading: GameReading) -> Replayed:
    """Play the turns of a reading up to the first illegal one. Raises IllegalOpening."""
    position = reading.start()
    # The grid finds that a turn is illegal without words for it: most readings are.
    code = position.grid.play_all(reading.turns, 0)
    played: int = position.grid.plies
    turns = reading.turns[:played]
    if code == NOT_CANONICAL:
        try:
            position.play_all(reading.turns[played:])
            code = LEGAL
        except IllegalTurn:
            pass
        turns += position.turns
    return Replayed(turns, position.result(), code != LEGAL)


def explain_refusal(reading: GameReading) -> str:
    """Return the message about the first illegal turn of a reading."""
    position = reading.start()
    try:
        position.play_all(reading.turns)
    except IllegalTurn as refusal:
        return refusal.message
    return ""


def judge(reading: GameReading, draft: Draft, *, game_is_stated: bool) -> None:
    """Compare the outcome of a reading with legal turns to the stated result; set its result, players and problem."""
    outcome = reading.outcome
    names = {reading.color(color): name for color in (0, 1) if (name := draft.player(color))}
    for author, color in reading.selection.speakers.items():  # who plays a turn is no other than its author
        known = names.get(reading.color(color), "")
        if not words_of(author) & words_of(known):
            names[reading.color(color)] = author
    names = names or _speakers(reading)
    actors = actors_of(names, draft.author)
    claims = [claim for claim in draft.values("claim") if _winner(claim, actors, reading) or not _is_vague(claim)]
    winners = dict.fromkeys(filter(None, (_winner(claim, actors, reading) for claim in claims)))
    winner = next(iter(winners), None)
    if unclear := (" and ".join(map(ending, winners)) if len(winners) > 1 else draft.value("unclear")):
        message = f"the text states {unclear}: state the winner once, as in Result: Black won"
        reading.problem = Doubt("import/result", message)
    if not names and winner is None and (pair := draft.value("pair")):
        names = _names_by_result(pair, claims, outcome)
        winner = outcome.winner if outcome is not None and names else None
    termination = next((claim.termination for claim in reversed(claims) if claim.termination), None)
    if reading.resigned is not None:
        stated = reading.resigned.color
        loser = reading.plies % 2 if stated is None else reading.color(stated)
        if winner not in (None, COLORS[1 - loser]):
            message = f"{PLAYERS[loser]} resigns, but the text names {PLAYERS[loser]} as winner"
            reading.problem = Doubt("import/result", message, reading.resigned)
        winner, termination = COLORS[1 - loser], "resignation"
    proved = outcome is not None and winner == outcome.winner
    if reading.problem is None and not proved:
        reading.problem = _doubt(reading, game_is_stated)
    if reading.problem is None:
        reading.problem = _find_contradiction(reading, winner, termination)
    scores = _scores(reading, draft)
    margins = [claim.margin for claim in claims if claim.margin is not None]
    if reading.problem is None and outcome is not None and winner is not None:
        reading.problem = _find_wrong_score(outcome, scores, margins)
    reading.players = {COLORS[color]: name for color, name in sorted(names.items()) if plain(name) not in _NO_NAMES}
    reading.result = _result(winner, termination, outcome, stated_score=bool(scores))
    named = [
        next((part for part in who.split(" / ") if not part.islower()), who)
        for claim in claims
        if isinstance(who := claim.winner or claim.loser, str)
    ]
    reading.unknown = next((name for name in named if winner is None and name not in ("draw", "first", "second")), None)
    chosen = draft.value("pie")
    reading.pie = reading.color(chosen) if chosen is not None else reading.pie


def _speakers(reading: GameReading) -> dict[int, str]:
    """Return the authors of the turns by color, if each of two authors has all turns of a color."""
    authors = [{turn.items[0].entry.speaker for turn in reading.sources[color::2]} for color in (0, 1)]
    if min(map(len, authors)) == max(map(len, authors)) == 1 and authors[0] != authors[1]:
        return {color: name for color, (name,) in enumerate(authors) if name is not None}
    return {}


def _result(
    winner: str | None, termination: str | None, outcome: Outcome | None, *, stated_score: bool
) -> dict[str, Any] | None:
    """Return the stated result as in records, or None if none is stated."""
    result: dict[str, Any] = {} if winner is None else {"winner": winner}
    if outcome is None and termination is not None:
        result["termination"] = termination
    score = outcome.score if outcome is not None else None
    if result and score is not None and stated_score and isinstance(score["black"], float):
        result["score"] = dict(score)
    return result or None


def _doubt(reading: GameReading, game_is_stated: bool) -> Doubt | None:
    """Return a problem if chance, or a typo in the text, explains legal turns as well as the assumptions do."""
    if not reading.turns and reading.resigned is None:
        return Doubt("import/no-game", "the text has an opening, but no turns")
    others = reading.cost - reading.notation.cost
    off_board = _count_off_board(reading) if reading.notation.cost else 0
    unshown = reading.notation.cost and off_board < 2 and (off_board or reading.plies < _PROVING_NOTATION)
    if unshown or reading.plies < _PROVING_OTHER * others:
        return Doubt("", "there are too few turns to show a reading that differs from the notation of records")
    # In Sunspot, almost every turn is legal.
    if not game_is_stated and (reading.plies < _PROVING_GAME or reading.game.name == "sunspot"):
        return Doubt("import/game", "the text names no game, and the turns do not show which it is: give --game")
    return None


def _count_off_board(reading: GameReading) -> int:
    """Return the number of different cells of a reading that are off the board in the notation of records."""
    cells = {item.cell for turn in reading.sources for item in turn.items if item.cell}
    board, usual = reading.game.board(reading.size), CellNotation("row", zero=any(cell.second == 0 for cell in cells))
    return sum(usual.name(cell, board) is None for cell in cells)


def _winner(claim: Claim, actors: Mapping[str, int], reading: GameReading) -> str | None:
    """Return the winner by a stated result, in the colors of the record; None if it does not tell."""
    lost = claim.winner is None
    subject = claim.loser if lost else claim.winner
    if subject in ("first", "second"):  # by 1-0 some mean White
        computed = reading.outcome.winner if reading.outcome is not None else None
        return computed if computed in COLORS and not lost else COLORS[(subject == "second") ^ lost]
    if isinstance(subject, int):
        return COLORS[reading.color(subject) ^ lost]
    if subject is None or subject == "draw":
        return subject
    is_other = False  # whether the nearest name is that of somebody else
    for part in subject.split(" / "):
        if part in COLORS:
            return COLORS[reading.color(COLORS.index(part)) ^ lost] if reading.outcome or not is_other else None
        known = {actors[word] for word in re.split(r"[\s,;:()/]+", plain(part)) if word in actors}
        if known and not is_other:
            return COLORS[known.pop() ^ lost] if len(known) == 1 else None
        is_other = is_other or not part.islower()
    return None


def _is_vague(claim: Claim) -> bool:
    """Return whether a stated result names its subject in more words than a name has."""
    subject = claim.loser if claim.winner is None else claim.winner
    return isinstance(subject, str) and all(len(part.split()) > _MAX_NAME for part in subject.split(" / "))


def _names_by_result(pair: Sequence[str], claims: Sequence[Claim], outcome: Outcome | None) -> dict[int, str]:
    """Return the players of a pair by color, if the text names the winner of the game, and the rules the color."""
    won = next((claim for claim in claims if isinstance(claim.winner or claim.loser, str)), None)
    if won is None or outcome is None or outcome.winner not in COLORS:
        return {}
    words = words_of(str(won.winner or won.loser))
    places = [place for place, name in enumerate(pair) if words & words_of(name)]
    if len(places) != 1:
        return {}
    place = places[0] if won.winner else 1 - places[0]
    color = COLORS.index(outcome.winner)
    return {color: pair[place], 1 - color: pair[1 - place]}


def _find_contradiction(reading: GameReading, winner: str | None, termination: str | None) -> Doubt | None:
    """Return the difference between the stated result and the outcome, or None."""
    outcome = reading.outcome
    if termination is not None:
        if outcome is None or (termination == "agreement" and outcome.winner == winner == "draw"):
            return None
        message = f"the text states an end by {termination}, but the rules had ended the game: {ending(outcome.winner)}"
        return Doubt("import/result", message)
    if winner is None:
        return None
    stated = ending(winner)
    if outcome is None:
        turns, player = pluralize(reading.plies, "legal turn"), PLAYERS[reading.plies % 2]
        message = (
            f"the text states {stated}, but after {turns} it is {player}'s turn: "
            "add the missing turns, or the cause of the end, such as a resignation"
        )
        return Doubt("import/result", message)
    if outcome.winner != winner:
        return Doubt("import/result", f"the text states {stated}, but by the rules it is {ending(outcome.winner)}")
    return None


def _scores(reading: GameReading, draft: Draft) -> list[tuple[float, float, bool]]:
    """Return the stated scores, each with whether Black's is known to be the first."""
    return [
        (second, first, colored) if colored and reading.exchanged else (first, second, colored)
        for first, second, colored in draft.values("score")
    ]


def _find_wrong_score(
    outcome: Outcome, scores: Sequence[tuple[float, float, bool]], margins: Sequence[float]
) -> Doubt | None:
    """Return the difference between a stated score and that of the outcome, or None; lists are not compared."""
    score = outcome.score or {}
    black, white = score.get("black"), score.get("white")
    if not isinstance(black, float) or not isinstance(white, float):
        return None
    computed = f"by the rules it is {black:g} to {white:g}"
    for first, second, colored in scores:
        if (first, second) != (black, white) and (colored or {first, second} != {black, white}):
            return Doubt("import/result", f"the text states the score {first:g} to {second:g}, but {computed}")
    for margin in margins:
        if margin != abs(black - white):
            return Doubt("import/result", f"the text states a win by {margin:g}, but {computed}")
    return None
