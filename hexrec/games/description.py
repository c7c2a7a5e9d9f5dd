"""What is said of a game, whoever plays it by its rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from hexrec.board.coordinates import System
from hexrec.games import turn_text
from hexrec.games.brief import Brief
from hexrec.games.outcome import Colour

if TYPE_CHECKING:
    from hexrec.diagnostics import Code


@dataclass(frozen=True, eq=False, kw_only=True)
class Description:
    """What records, schemas and messages need to know of a game; `hexrec.games.Game` adds what plays it.

    Attributes:
        name: as records write it.
        title: as people write it.
        rulesets: the names of the published revisions of the rules, each beginning with the year. The first is the
            default: what the game's description says holds under it.
        sizes: the board sizes that records may have.
        recommended: the sizes that the designer recommends; the first is the usual one.
        opening: the colours that have one stone each on the board before the first turn.
        turn: the shape of a turn text: a regular expression in which ``{cell}`` stands for the name of a cell
            and letters for themselves in either case.
        turn_help: the same for people, to end a sentence with.
        example: a turn text, for documentation.
        score: the shape of a score: a number, a list of integers in descending order, or none.
        variants: names of variants other than the normal game.
        piece: what stands on a cell, in the game's own terms.
        surface: what boards for this game show: a honeycomb of cells, one with its rim set off, or a grid of points.
        synonyms: whether several texts, case and blanks aside, can mean the same turn.
        sgf_number: the game's number in SGF's `GM`; without one, files name the game by hexrec's own property only.
        refusals: explanations of the codes with which only this game refuses turns, for games from elsewhere; those
            of hexrec's own games are in the code registry.
        brief: the rules in a few sentences, for those who have never played it.
    """

    name: str
    title: str
    rulesets: tuple[str, ...]
    sizes: range
    recommended: tuple[int, ...]
    opening: tuple[Colour, ...]
    turn: str
    turn_help: str
    example: str
    score: Literal["number", "list"] | None
    variants: tuple[str, ...] = ()
    piece: str = "stone"
    surface: Literal["cells", "rimmed cells", "points"] = "points"
    synonyms: bool = False
    sgf_number: int | None = None
    refusals: Mapping[str, Code] = field(default_factory=dict)
    brief: Brief | None = None

    def turn_pattern(self, coordinates: System = "row") -> str:
        """Return the regular expression, without anchors and for either case, of this game's turn texts."""
        return turn_text.pattern(self.turn, coordinates)
