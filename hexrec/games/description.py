"""What a game is: its description, how games end, and how rules refuse. The words that engines and records share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hexrec.board import System, board
from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.diagnostics import Code, shorten

if TYPE_CHECKING:
    from hexrec.games.base import Position

Colour = Literal["black", "white"]
Score = dict[Colour, float] | dict[Colour, list[int]]
#: Colours by number: engines count 0 for black and 1 for white, so that ``1 - colour`` is the enemy.
COLOURS: tuple[Colour, Colour] = ("black", "white")


class RuleError(ValueError):
    """Something that the rules refuse, with the `code` of the rule and a `message` for the player."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class IllegalTurn(RuleError):
    """A turn that is not legal in the position it was played in."""


class IllegalOpening(RuleError):
    """Stones set before the game where the rules do not allow them; `colour` says whose stone is at fault."""

    def __init__(self, code: str, message: str, colour: Colour) -> None:
        super().__init__(code, message)
        self.args = (code, message, colour)
        self.colour = colour


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


class Stone(NamedTuple):
    """What stands on a cell: a colour (0 black, 1 white) and a height (1 in the games without stacks)."""

    colour: int
    height: int


#: How a mark is to be drawn. Parts of a turn: `placed` (it stands there since this turn), `changed` (it has another
#: colour or height), `cut` (placed where a cut ends), `left` (what stood there is gone), `way` (cells passed, in
#: order). Of a position: `area` (cells that belong to a colour), `lost` (it does not count), `chain` (it counts because
#: it is joined), `tip` (an end), `firm` (nothing can take it), `barred` (nothing may be placed there).
Role = Literal["placed", "changed", "cut", "left", "way", "area", "lost", "chain", "tip", "firm", "barred"]


class Mark(NamedTuple):
    """Cells that a picture points out.

    Attributes:
        role: how they are drawn.
        name: why they are pointed out, in the game's own words.
        cells: the cells.
        colour: whose they are (0 black, 1 white), where that matters.
        label: a short text to be written on the first of them.
    """

    role: Role
    name: str
    cells: tuple[int, ...]
    colour: int | None = None
    label: str = ""


@dataclass(frozen=True, eq=False)
class Game:
    """The description of a game: all that the record, the schemas and the commands need to know of it.

    Attributes:
        name: as records write it.
        title: as people write it.
        rulesets: the published revisions of the rules, the first being the default.
        sizes: the board sizes that records may have.
        recommended: the sizes that the designer recommends; the first is the usual one.
        opening: the colours that have one stone each on the board before the first turn.
        turn: the shape of a turn text: a regular expression in which ``{cell}`` stands for the name of a cell
            and letters for themselves in either case.
        turn_help: the same for people, to end a sentence with.
        example: a turn text, for documentation.
        score: the shape of a score: a number, a list of integers in descending order, or none.
        codes: the codes with which only this game refuses turns.
        position: the engine.
        variants: names of variants other than the normal game.
        piece: what stands on a cell, in the game's own terms.
        surface: what boards for this game show: a honeycomb of cells, one with its rim set off, or a grid of points.
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
    codes: Mapping[str, Code]
    position: type[Position[Any]]
    variants: tuple[str, ...] = ()
    piece: str = "stone"
    surface: Literal["cells", "rimmed cells", "points"] = "points"

    def start(
        self,
        size: int,
        opening: Mapping[str, str] | None = None,
        variant: str | None = None,
        coordinates: System = "row",
    ) -> Position[Any]:
        """Return the position before the first turn.

        `opening` names the cell of each colour's opening stone; `coordinates` is the system of these names and
        of every turn text that the position reads and writes.

        Raises:
            IllegalOpening: a stone off the board or two stones on one cell.
            ValueError: a size, variant, coordinate system or set of opening colours that the game does not have.
        """
        if size not in self.sizes:
            raise ValueError(f"{self.title} is played on sizes {self.sizes[0]} to {self.sizes[-1]}, not {size}")
        if variant is not None and variant not in self.variants:
            raise ValueError(f"{self.title} has no variant {variant!r}")
        opening = opening or {}
        if set(opening) != set(self.opening):
            wanted = " and one ".join(self.opening)
            raise ValueError(
                f"{self.title} starts with one {wanted} {self.piece}" if wanted else f"{self.title} has no opening"
            )
        names = board(size).names(coordinates)
        stones: dict[int, int] = {}
        for colour in self.opening:
            cell = names.find(opening[colour])
            if cell is None:
                raise IllegalOpening(
                    "opening/off-board",
                    f"the {colour} opening {self.piece} is set on {shorten(opening[colour])}, which is not a cell of a "
                    f"board of size {size}{system_note(coordinates)}",
                    colour,
                )
            if cell in stones:
                raise IllegalOpening(
                    "opening/same-cell",
                    f"both opening {self.piece}s are set on {names.single(cell)}: they must be on two different cells",
                    colour,
                )
            stones[cell] = COLOURS.index(colour)
        return self.position(self, board(size), names, stones, variant)

    def turn_pattern(self, coordinates: System = "row") -> str:
        """Return the regular expression, without anchors and for either case, of this game's turn texts."""

        def spell(token: re.Match[str]) -> str:
            text = token[0]
            return CELL_PATTERNS[coordinates] if text == "{cell}" else f"[{text.upper()}{text}]"

        return re.sub(r"\{cell\}|[a-z]", spell, self.turn)


def system_note(coordinates: System) -> str:
    """Say which coordinate system names are read in, unless it is the usual one."""
    return "" if coordinates == "row" else f" in {coordinates} coordinates"
