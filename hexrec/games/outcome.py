"""How a game ends: who won, and by what score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Colour = Literal["black", "white"]
Score = Mapping[Colour, float | list[int]]
#: Colours by number: engines count 0 for black and 1 for white, so that ``1 - colour`` is the enemy.
COLOURS: tuple[Colour, Colour] = ("black", "white")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: the colour that won, or ``draw``; None where a record claims an ending without naming a winner.
        score: by colour, in the game's own terms; None for the games that have no score.
        termination: ``rules`` when the rules ended the game, else what the record claims.
    """

    winner: Colour | Literal["draw"] | None
    score: Score | None = None
    termination: str = "rules"

    def as_data(self) -> dict[str, Any]:
        """Return the outcome as records and reports write it; without a score where the game has none."""
        data: dict[str, Any] = {"winner": self.winner, "termination": self.termination}
        return data if self.score is None else data | {"score": self.score}


def descending(values: Iterable[int]) -> list[int]:
    """Return the values from the largest down, as scores list them."""
    return sorted(values, reverse=True)


def compare_lists(black: Iterable[float], white: Iterable[float]) -> Colour | None:
    """Return the colour with the larger value at the first difference of two lists, each from the largest down.

    Where one list ends and the other goes on, the longer has the larger value. None means that they are equal.
    """
    ours, theirs = sorted(black, reverse=True), sorted(white, reverse=True)
    if ours == theirs:
        return None
    return "black" if ours > theirs else "white"
