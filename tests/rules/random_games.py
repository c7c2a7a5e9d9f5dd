"""Seeded random games of every game in the registry: on small boards, where odd situations are frequent, and others."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import pytest

from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.rules.position import Position

SMALL = 5
#: Where a random game is broken off: not every game must end under the rules.
MAX_PLIES = 300
#: How many more turns to look at when the end is to be avoided.
TRIES = 20


@dataclass(frozen=True)
class RandomGame:
    """A game that follows from its attributes. What takes time is worked out once, when it is first asked for."""

    name: str
    size: int
    variant: str | None
    seed: int
    ruleset: str | None = None

    def __str__(self) -> str:
        ruleset = f"-{self.ruleset}" if self.ruleset else ""
        return f"{self.variant or ''}{self.name}{ruleset}-size-{self.size}-seed-{self.seed}"

    @property
    def game(self) -> Game:
        return games.get(self.name)

    def random(self) -> random.Random:
        """Return a source of chance that is the same for every call."""
        return random.Random(str(self))

    @cached_property
    def opening(self) -> dict[str, int]:
        """The cells of the opening stones, by color."""
        cells = self.game.board(self.size).cells
        return dict(zip(self.game.opening, self.random().sample(cells, len(self.game.opening)), strict=True))

    def start(self, coordinates: System = "row") -> Position:
        names = self.game.board(self.size).names(coordinates)
        opening = {color: names.single(cell) for color, cell in self.opening.items()}
        return self.game.start(self.size, opening, self.variant, coordinates, ruleset=self.ruleset)

    @cached_property
    def plies(self) -> list[tuple[list[str], str]]:
        """The legal turns before each turn, and the turn.

        A game with an odd seed avoids its end where it can, which fills the board further than chance does.
        """
        rng, position = self.random(), self.start()
        plies: list[tuple[list[str], str]] = []
        while not position.is_over and len(plies) < MAX_PLIES:
            legal = position.legal_turns()
            for turn in rng.choices(legal, k=1 + TRIES * (self.seed % 2)):
                after = position.copy()
                after.play(turn)
                if not after.is_over:
                    break
            plies.append((legal, turn))
            position = after
        return plies

    @cached_property
    def turns(self) -> list[str]:
        return [turn for _, turn in self.plies]


def random_games(name: str, sizes: Iterable[int], seeds: Iterable[int]) -> list[RandomGame]:
    """Return games of each size with each seed, in the normal game and in every variant, by the first ruleset."""
    variants = (None, *games.get(name).variants)
    return [RandomGame(name, size, variant, seed) for size in sizes for variant in variants for seed in seeds]


def of_other_rulesets(name: str, seeds: Iterable[int]) -> list[RandomGame]:
    """Return games with each seed by each ruleset of a game but the first, on the smallest board that it allows."""
    game = games.get(name)
    return [
        RandomGame(name, game.ruleset(ruleset).sizes[0], variant, seed, ruleset)
        for ruleset in game.rulesets[1:]
        for variant in (None, *game.variants)
        for seed in seeds
    ]


def each_of(played: Iterable[RandomGame]) -> pytest.MarkDecorator:
    """Run a test with each of some games, as `played`; of those on small boards all but the first seed are slow."""
    found = list(dict.fromkeys(played))
    first = min(game.seed for game in found)
    return pytest.mark.parametrize(
        "played",
        [
            pytest.param(
                game, marks=pytest.mark.slow if game.seed > first or (game.size > SMALL and not game.ruleset) else ()
            )
            for game in found
        ],
        ids=str,
    )


def small_sizes(name: str) -> list[int]:
    return [size for size in games.get(name).sizes if size <= SMALL]
