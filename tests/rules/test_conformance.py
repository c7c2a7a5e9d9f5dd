"""What `hexrec check-game` leaves out, for every game in the registry: texts that are no turns, colors, openings."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from hypothesis import given
from hypothesis.strategies import from_regex

from hexrec.codes import game_codes, own_sections
from hexrec.rules import games
from hexrec.rules.board import BLANKS, CELL_PATTERNS
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Color, IllegalOpening, IllegalTurn, Outcome
from tests.properties import examples, sample
from tests.rules.random_games import RandomGame, each_of, of_other_rulesets, random_games, small_sizes

SMALL = [
    played
    for name in games.names()
    # With two seeds, one of which fills the board, the first of each three games has each of them in turn.
    for played in sample(random_games(name, small_sizes(name), seeds=range(examples(2))), 3)
]
LARGE = [
    played for name in games.names() for played in random_games(name, games.get(name).recommended[:1], seeds=range(1))
]
OTHERS = [played for name in games.names() for played in of_other_rulesets(name, seeds=range(examples(1)))]
every_random_game = each_of(SMALL + LARGE + OTHERS)

#: Legal sets are compared, and texts tried, at one ply in so many, and always at the first.
EVERY = 7
SWAPPED: dict[str, Color] = {"black": "white", "white": "black"}
#: Games whose rules treat the colors differently in more than who begins. None does so far.
NOT_COLOR_BLIND: set[str] = set()

NOT_TURNS = (
    *("", " ", "-", "x", "/", "a", "1", "a0", "a01", "zz1", "a1,", "(0,0", "(00,0)", "passs", "pass pass", "a\u0661"),
    *("\uff41\uff11", "\u00e91", "\u00a0a1", "a1\x00", "a1\na1", "\U0001f41d", "a1" * 5000, "9" * 5000),
)


# Arbitrary texts, and what must hold for them.


@cache
def shapes(game: Game) -> list[str]:
    """Return turn texts of every shape that the game has, with ``@`` for each cell."""
    found = set()

    @given(from_regex(game.turn.replace("{cell}", "@"), fullmatch=True))
    def collect(shape: str) -> None:
        found.add(shape)

    collect()
    return sorted(found)


def arbitrary_texts(rng: random.Random, position: Position, legal: list[str]) -> Iterator[str]:
    """Yield texts of the right shape with random cells, legal turns with a slip of the pen, and rubbish."""
    cells = list(position.names.cells)
    for shape in shapes(position.game):
        yield re.sub("@", lambda _: rng.choice(cells), shape)
        yield re.sub("@", lambda _: rng.choice([*cells, "z9", "aa14"]), shape)
    for turn in rng.choices(legal, k=4):
        place = rng.randrange(len(turn))
        yield turn[:place] + turn[place + 1 :]
        yield turn[:place] + turn[place] + turn[place:]
        yield turn[:place] + rng.choice("abcdefghik123456789x-/,() ") + turn[place + 1 :]
        yield turn + rng.choice(legal)
        named = re.findall(CELL_PATTERNS["row"], turn)
        if named:
            yield turn.replace(rng.choice(named), rng.choice(cells))
        # Small letters only according to Unicode: the Kelvin sign is a k, the long s an s.
        yield turn.replace("k", "\u212a").replace("s", "\u017f")
    if not position.plies:
        yield from NOT_TURNS


def refusal_of(call: Callable[[str], object], text: str) -> IllegalTurn | None:
    try:
        call(text)
    except IllegalTurn as refusal:
        return refusal
    return None


@every_random_game
def test_a_text_is_legal_or_refused_alike_by_all_calls(played: RandomGame) -> None:
    rng, position = played.random(), played.start()
    shape = re.compile(played.game.turn_pattern())
    codes = {*own_sections("games")["every"].codes, *game_codes(played.game.name)}
    for ply, (legal, turn) in enumerate(played.plies):
        before, after = position.copy(), position.copy()
        for text in arbitrary_texts(rng, position, legal) if ply % EVERY == 0 else ():
            refusal = refusal_of(after.play, text)
            assert position.is_legal(text) == (refusal is None), text
            if refusal is None:
                canonical = position.canonical(text)
                assert canonical in legal
                if not played.game.synonyms:  # the canonical form of records relies on this
                    assert canonical == text.strip(BLANKS).lower()
                assert shape.fullmatch(text.strip(BLANKS)), text
                twin = position.copy()
                twin.play(canonical)
                assert twin == after, text
                after = position.copy()
            else:
                again = refusal_of(position.canonical, text)
                assert again is not None, text
                assert (again.code, again.message) == (refusal.code, refusal.message)
                assert refusal.code in codes
                assert after.plies == ply
        # All texts that were refused have changed nothing, in the position that they were played in or were asked of.
        assert after == position == before
        if ply % EVERY == 0:
            assert position.legal_turns() == legal
        position.play(turn)


@every_random_game
def test_nothing_may_follow_the_end(played: RandomGame) -> None:
    position = played.start()
    for _, turn in played.plies:
        position.play(turn)
    if not position.is_over:
        pytest.skip("the random game was broken off")
    before = position.copy()
    assert position.legal_turns() == []
    for text in [*played.turns[-5:], *NOT_TURNS]:
        assert not position.is_legal(text)
        for call in (position.play, position.canonical):
            with pytest.raises(IllegalTurn) as refused:
                call(text)
            assert refused.value.code == "move/game-over"
    assert position == before
    assert position.result() == before.result()


# The same game seen otherwise: turned, in the other colors, in other coordinates.


@each_of(played for played in SMALL if played.name not in NOT_COLOR_BLIND)
def test_colors_exchanged(played: RandomGame) -> None:
    """With all colors exchanged and White to begin, a game is the same for the other player.

    Records cannot say that White begins, and only some games let Black pass on the first turn. So the position is made
    here: the opening stones in the other colors, and the other side.
    """
    position = played.start()
    other = position.copy()
    other.grid = type(position.grid)(position.grid.tables, position.grid.variant)
    for cell, (color, height) in position.stacks().items():
        other.grid.put(cell, 1 - color, height)
    other.grid.side = 1
    for legal, turn in played.plies:
        assert other.legal_turns() == legal
        position.play(turn)
        other.play(turn)
        assert other.stacks() == {
            cell: stone._replace(color=1 - stone.color) for cell, stone in position.stacks().items()
        }
    assert other.result() == exchanged(position.result())


def exchanged(outcome: Outcome | None) -> Outcome | None:
    if outcome is None:
        return None
    score = outcome.score and {SWAPPED[color]: value for color, value in outcome.score.items()}
    return Outcome(SWAPPED.get(str(outcome.winner), outcome.winner), score)


# Openings.


@pytest.mark.parametrize("name", games.names())
def test_openings(name: str) -> None:
    game = games.get(name)
    size = game.recommended[0]
    opening: dict[str, str] = dict(zip(game.opening, ("a1", "b1"), strict=False))
    start = game.start(size, opening)
    assert {start.names.names[cell]: COLORS[stone.color] for cell, stone in start.stacks().items()} == {
        cell: color for color, cell in opening.items()
    }
    assert game.start(size, {color: f" {cell.upper()} " for color, cell in opening.items()}) == start
    for color in opening:
        for cell in ("", "a0", "z99", "pass", "a1-a2", "\u212a1"):
            with pytest.raises(IllegalOpening) as refused:
                game.start(size, {**opening, color: cell})
            assert (refused.value.code, refused.value.color) == ("opening/off-board", color)
        with pytest.raises(ValueError, match="starts with"):
            game.start(size, {other: cell for other, cell in opening.items() if other != color})
    if len(opening) == 2:
        with pytest.raises(IllegalOpening) as refused:
            game.start(size, dict.fromkeys(opening, "a1"))
        assert refused.value.code == "opening/same-cell"
    for wrong in (game.sizes[0] - 1, game.sizes[-1] + 1):
        with pytest.raises(ValueError, match="sizes"):
            game.start(wrong, opening)
    with pytest.raises(ValueError, match="variant"):
        game.start(size, opening, "no-such-variant")


# Rulesets.
