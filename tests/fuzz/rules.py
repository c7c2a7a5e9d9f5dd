"""Targets of the rules: turn texts and position texts of each game, and games whose legal turns are listed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache, partial

from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalOpening, IllegalSetup, IllegalTurn
from tests.fuzz.target import Target

_SYSTEMS: tuple[System, ...] = ("row", "skew", "axial")
#: How far games go that turn texts are tried in, at most, and how many there are.
_PLIES, _STARTS = 40, 24
_FEW = 30


class Playing:
    """A game from its opening on."""

    def __init__(self, name: str, chance: random.Random) -> None:
        self.game = games.get(name)
        self.system = chance.choice(_SYSTEMS)
        self.variant = chance.choice((None, *self.game.variants))
        self.ruleset = chance.choice(self.game.rulesets)
        self.size = chance.choice(self.game.ruleset(self.ruleset).sizes[:2])
        names = self.game.board(self.size).names(self.system)
        cells = chance.sample(self.game.board(self.size).cells, len(self.game.opening))
        self.opening: dict[str, str] = dict(zip(self.game.opening, map(names.single, cells), strict=True))
        self.turns: list[str] = []

    def start(self) -> Position:
        """Return the position before the first turn. Raises IllegalOpening."""
        return self.game.start(self.size, self.opening, self.variant, self.system, ruleset=self.ruleset)


def check_turn(position: Position, text: str, legal: set[str]) -> bool:
    """Fail unless all that can be asked of a turn text agrees; return whether it is legal. The position stays."""
    trial, before = position.copy(), position.text()
    accepted = position.is_legal(text)
    try:
        trial.play(text)
    except IllegalTurn as refusal:
        assert not accepted, text
        assert refusal.code.startswith("move/")
        assert str(refusal)
        assert trial == position, f"{text!r}, refused, has changed the position"
        assert trial.text() == before
        assert (trial.plies, trial.turn) == (position.plies, position.turn)
    else:
        assert accepted, text
        assert position.canonical(text) in legal, text
        assert trial.plies == position.plies + 1
    return accepted


@cache
def _starts(name: str) -> list[tuple[Playing, Position, set[str]]]:
    """Return games that have been played for some turns, with the position and the legal turns there."""
    found: list[tuple[Playing, Position, set[str]]] = []
    chance = random.Random(name)
    while len(found) < _STARTS:
        playing = Playing(name, chance)
        try:
            position = playing.start()
        except IllegalOpening:
            continue
        for _ in range(chance.randrange(_PLIES)):
            if not (legal := position.legal_turns()):
                break
            playing.turns.append(chance.choice(legal))
            position.play(playing.turns[-1])
        found.append((playing, position, set(position.legal_turns())))
    return found


def turns(name: str, data: bytes) -> None:
    """Try a text as a turn: all answers agree."""
    if not data:
        return
    starts = _starts(name)
    playing, position, legal = starts[data[0] % len(starts)]
    text = data[1:].decode(errors="replace")
    if check_turn(position, text, legal):
        # A whole game is replayed in one call.
        played, again = position.copy(), playing.start()
        played.play(text)
        again.play_all([*playing.turns, text])
        assert again == played


def _turn_seeds(name: str) -> Sequence[bytes]:
    starts = _starts(name)
    return [
        bytes([number]) + turn.encode()
        for number, (_, _, legal) in enumerate(starts)
        for turn in [*sorted(legal)[:: len(legal) // 8 + 1], "pass", "a1", "(0,0)"]
    ]


def positions(name: str, data: bytes) -> None:
    """Read a text as a position: it is refused with a place in it, or comes back and can be played on."""
    game = games.get(name)
    text = data[1:].decode(errors="replace")
    if not data:
        return
    variant = (None, *game.variants)[data[0] % (len(game.variants) + 1)]
    ruleset = game.rulesets[data[0] // 16 % len(game.rulesets)]
    try:
        position = game.start(position=text, variant=variant, ruleset=ruleset)
    except IllegalSetup as refusal:
        assert refusal.code.startswith("setup/")
        assert str(refusal)
        return
    again = game.start(position=position.text(), variant=variant, ruleset=ruleset)
    assert again == position
    assert again.text() == position.text()
    assert not position.is_over
    legal = position.legal_turns()
    for turn in legal[:: len(legal) // _FEW + 1]:
        assert check_turn(position, turn, set(legal)), turn


def _position_seeds(name: str) -> Sequence[bytes]:
    return [b"\0" + position.text().encode() for _, position, _ in _starts(name) if not position.is_over]


def games_of(name: str, data: bytes) -> None:
    """Play a game that the bytes choose: list, `is_legal` and `play` agree at every turn."""
    if len(data) < 4:
        return
    playing = Playing(name, random.Random(data[:3]))
    try:
        position = playing.start()
    except IllegalOpening:
        return
    for at, choice in enumerate(data[3:99]):
        legal = position.legal_turns()
        assert not (legal and position.is_over)
        if not legal:
            break
        turn = legal[choice % len(legal)]
        # What was legal elsewhere, or is not quite a turn, is legal exactly if it is listed.
        for other in (*playing.turns[-2:], legal[choice * 7 % len(legal)], data[at : at + 5].decode(errors="replace")):
            check_turn(position, other, set(legal))
        playing.turns.append(turn)
        position.play(turn)
    again = playing.start()
    again.play_all(playing.turns)
    assert (again, again.turns) == (position, position.turns)


def _game_seeds() -> Sequence[bytes]:
    chance = random.Random(0)
    return [chance.randbytes(length) for length in (10, 20, 40, 60, 99) for _ in range(8)]


TARGETS = {
    f"{kind}-{name}": Target(partial(run, name), start, selectors=selectors)
    for name in games.BUILT_IN
    for kind, run, start, selectors in (
        ("turns", turns, partial(_turn_seeds, name), 1),
        ("positions", positions, partial(_position_seeds, name), 1),
        ("games", games_of, _game_seeds, 3),
    )
}
