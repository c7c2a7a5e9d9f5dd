"""What is said of a game, whoever plays it by its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from hexrec.errors import ArgumentError
from hexrec.rules import turn_text
from hexrec.rules.board import System
from hexrec.rules.terms import COLORS, Color, listed, year_of

if TYPE_CHECKING:
    from hexrec.util.diagnostics import Code

#: Names are fields of records, parts of file names and arguments of commands.
_NAME = re.compile("[a-z][a-z0-9_-]*")
#: These name what belongs to all games: the schema `record`, and files such as `x.hexrec.json`.
_RESERVED = ("record", "hexrec")


class Brief(NamedTuple):
    """What somebody has to know to play a first game, in plain sentences; the rules themselves are the engine.

    It says what holds under the game's first ruleset.

    Attributes:
        goal: what the players are after.
        turn: what a turn is, and which terms of the game it is about.
        end: when the game is over, and who has won then.
    """

    goal: str
    turn: str
    end: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Description:
    """What records, schemas and messages need to know of a game; `hexrec.rules.game.Game` adds what plays it.

    Attributes:
        name: as records write it: lower-case letters, digits, ``-`` and ``_``.
        title: as people write it.
        rulesets: the names of the published revisions of the rules, each beginning with the year. The first is the
            default: what the game's description says holds under it.
        sizes: the board sizes that records may have.
        recommended: the sizes that the designer recommends; the first is the usual one.
        opening: the colors that have one stone each on the board before the first turn.
        turn: the shape of a turn text: a regular expression in which ``{cell}`` stands for the name of a cell
            and letters for themselves in either case.
        turn_help: the same for people, to end a sentence with.
        example: a turn text, for documentation.
        score: the shape of a score: a number, a list of integers in descending order, or none.
        variants: names of variants other than the normal game.
        piece: what stands on a cell, in the game's own terms.
        surface: what boards for this game show: a honeycomb of cells, one with its rim set off, or a grid of points.
        has_stacks: whether there are stacks higher than 1.
        has_last: whether it can matter which color placed the last stone.
        synonyms: whether several texts, case and blanks aside, can mean the same turn.
        sgf_number: the game's number in SGF's `GM`; without one, files name the game by hexrec's own property only.
        refusals: explanations of the codes with which only this game refuses turns, for games from elsewhere; those
            of hexrec's own games are in the code registry.
        brief: the rules in a few sentences, for those who have never played it.
        designers, contributors: who designed the game, and who helped them.
        year: when it was published.

    Raises ValueError for a description with which no record could be validated.
    """

    name: str
    title: str
    rulesets: tuple[str, ...]
    sizes: range
    recommended: tuple[int, ...]
    opening: tuple[Color, ...]
    turn: str
    turn_help: str
    example: str
    score: Literal["number", "list"] | None
    variants: tuple[str, ...] = ()
    piece: str = "stone"
    surface: Literal["cells", "rimmed cells", "points"] = "points"
    has_stacks: bool = False
    has_last: bool = False
    synonyms: bool = False
    sgf_number: int | None = None
    refusals: Mapping[str, Code] = field(default_factory=dict)
    brief: Brief | None = None
    designers: tuple[str, ...] = ()
    contributors: tuple[str, ...] = ()
    year: int | None = None

    def __post_init__(self) -> None:
        for mistake in self._mistakes():
            raise ArgumentError(f"the game {self.name!r}: {mistake}")

    @property
    def credit(self) -> str:
        """Who designed the game, and when it was published, as far as that is known."""
        parts = [*self.designers, *([] if self.year is None else [str(self.year)])]
        helped = f" (with {listed(self.contributors)})" if self.contributors else ""
        return ", ".join(parts) + helped

    def _mistakes(self) -> Iterator[str]:
        """Yield the mistakes of the description. Each takes it for granted that there are none of those before."""
        if not _NAME.fullmatch(self.name) or self.name in _RESERVED:
            yield (
                f"name is not possible ({self.name!r}): use lower-case letters, digits, - and _, beginning with a "
                f"letter, and neither {' nor '.join(_RESERVED)}"
            )
        if not self.title.strip() or not self.title.isprintable():
            yield f"title is not printable ({self.title!r}): give the name of the game for people"
        if not self.rulesets or len({*self.rulesets}) < len(self.rulesets):
            yield f"rulesets are missing or repeated ({self.rulesets!r}): give one or more names, as in ('2023',)"
        for ruleset in self.rulesets:
            try:
                year_of(ruleset)
            except ValueError as error:
                yield str(error)
        if not self.sizes or self.sizes.step != 1 or self.sizes[0] < 1:
            yield f"sizes are not consecutive numbers from 1 ({self.sizes}): give a range such as range(3, 10)"
        if not self.recommended or not {*self.recommended} <= {*self.sizes}:
            yield f"recommended sizes are missing or not in {self.sizes} ({self.recommended!r}): give one at least"
        if self.opening != tuple(color for color in COLORS if color in self.opening):
            yield f"opening does not list colors ({self.opening!r}): give (), ('black',), ('white',) or {COLORS}"
        if self.score not in ("number", "list", None):
            yield f"score is of no known shape ({self.score!r}): give 'number', 'list' or None"
        if len({*self.variants}) < len(self.variants) or not all(map(str.strip, self.variants)):
            yield f"variants are blank or repeated ({self.variants!r}): name each once, and not the normal game"
        try:
            turns = re.compile(self.turn_pattern())
        except re.error as error:
            yield f"turn is not a regular expression ({self.turn!r}): correct it: {error}"
        else:
            if "{cell}" not in self.turn:
                yield f"turn has no cell ({self.turn!r}): write {{cell}} where a turn names one"
            if not turns.fullmatch(self.example):
                yield f"example is not a turn ({self.example!r}): it should match the pattern {self.turn!r}"

    def turn_pattern(self, coordinates: System = "row") -> str:
        """Return the regular expression, without anchors and for either case, of this game's turn texts."""
        return turn_text.pattern(self.turn, coordinates)
