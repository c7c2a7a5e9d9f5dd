"""What one published revision of a game's rules has of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hexrec.errors import ArgumentError


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A published revision of a game's rules: data, and the few methods that differ.

    Attributes:
        name: as records write it, beginning with the year of its publication.
        sizes: the board sizes that records may have under it, all of them sizes of the game.
        position: the engine, a `hexrec.games.Position`: that of the game's first ruleset, or a subclass of it that
            overrides what differs.
    """

    name: str
    sizes: range
    position: type[Any]

    @property
    def year(self) -> int:
        """The year of publication. Raises ValueError if the name begins with none."""
        return year_of(self.name)

    def words_for_sizes(self) -> str:
        """Say which sizes there are: ``sizes 4 to 9``, ``size 7 only``."""
        if len(self.sizes) == 1:
            return f"size {self.sizes[0]} only"
        return f"sizes {self.sizes[0]} to {self.sizes[-1]}"


def year_of(name: str) -> int:
    """Return the year with which the name of a ruleset begins. Raises ValueError if it begins with none."""
    year = name[:4]
    if not (len(year) == 4 and year.isascii() and year.isdecimal()) or name[4:5].isdecimal():
        raise ArgumentError(
            f"the name of a ruleset begins with the year of its publication, as 2023 does: not {name!r}"
        )
    return int(year)


def descriptions(rulesets: Iterable[Ruleset], sizes: range) -> Iterator[str]:
    """Yield what tells the rulesets of a game with these sizes apart: ``"2023-first" (of 2023, size 7 only)``."""
    several = [*rulesets]
    for rules in several:
        notes = [f"of {rules.year}"]
        if len(several) > 1 and rules is several[0]:
            notes.append("the default")
        if rules.sizes != sizes:
            notes.append(rules.words_for_sizes())
        yield f'"{rules.name}" ({", ".join(notes)})'
