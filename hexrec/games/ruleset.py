"""What one published revision of a game's rules has of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A published revision of a game's rules: data, and the few methods that differ.

    Attributes:
        name: as records write it.
        year: when it was published.
        sizes: the board sizes that records may have under it, all of them sizes of the game.
        position: the engine, a `hexrec.games.Position`: that of the game's first ruleset, or a subclass of it that
            overrides what differs.
    """

    name: str
    year: int
    sizes: range
    position: type[Any]

    def words_for_sizes(self) -> str:
        """Say which sizes there are: ``sizes 4 to 9``, ``size 7 only``."""
        if len(self.sizes) == 1:
            return f"size {self.sizes[0]} only"
        return f"sizes {self.sizes[0]} to {self.sizes[-1]}"
