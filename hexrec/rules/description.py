"""Static metadata of a game, without its rules, and the reader of its turn notation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from hexrec.errors import ArgumentError
from hexrec.rules.board import BLANKS, CELL_PATTERNS, Board, CellNames, System, cell_expression
from hexrec.rules.terms import COLORS, Color, IllegalTurn, join_words, year_of
from hexrec.util.escaping import shorten

if TYPE_CHECKING:
    from hexrec.util.diagnostics import Code

#: Pattern of game names, which occur in records, file names and arguments of commands.
_NAME = re.compile("[a-z][a-z0-9_-]*")
#: Pattern of the values of a game's own fields in position texts.
_FIELD_VALUE = re.compile("[A-Za-z0-9-]+")
#: Pattern of the codes of a game.
_CODE = re.compile("(?:move|setup)/[a-z][a-z-]*")
#: Names in use for all games: the schema `record`, and files such as `x.hexrec.json`.
_RESERVED = ("record", "hexrec")


class Brief(NamedTuple):
    """Short rules of a game for beginners, under its first ruleset. `rules.py` has the exact rules.

    Attributes:
        goal: the goal of the players.
        turn: the parts of a turn, and the terms of the game.
        end: the end of the game, and the winner.
    """

    goal: str
    turn: str
    end: str


class PositionField(NamedTuple):
    """A field of position texts that only one game has: state that the stones do not show.

    Attributes:
        meaning: the field and its values, as in "the number of stones still to place, 1 or 2".
        values: its values, without spaces. None names a cell or a color that a symmetry of the board would change. The
            first is for positions from formats without the field.
    """

    meaning: str
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Description:
    """Description of a game for records, schemas and messages; `hexrec.rules.game.Game` adds the rules.

    Attributes:
        name: the name in records: lower-case letters, digits, ``-`` and ``_``.
        title: the name in sentences.
        rulesets: the names of the published revisions of the rules, each beginning with the year. The first is the
            default, and the description holds under it.
        sizes: the valid board sizes.
        recommended: the sizes that the designer recommends; the first is the default.
        opening: the colors that have an opening stone.
        turn: the turn notation: a regular expression in which ``{cell}`` means the name of a cell, and letters match
            either case.
        turn_help: a description of the turn notation that completes a sentence.
        example: an example of a turn.
        score: the type of a score: a number, a list of integers in descending order, or None.
        variants: the names of variants other than the normal game.
        piece: the word for a piece on a cell: stone or stack.
        surface: the style of boards in pictures: cells, cells with a distinct edge, or points of a grid.
        has_stacks: whether stacks can be higher than 1.
        position_fields: the game's own fields of position texts, in order; see `Position.field_values`.
        synonyms: whether different strings, apart from case and whitespace, can mean the same turn.
        sgf_number: the number of the game in SGF's `GM`; without it, SGF files name the game only in `HX`.
        refusals: explanations of the codes that are specific to the game, for plug-ins; those of built-in games are in
            `hexrec.codes`.
        brief: short rules for beginners.
        designers, contributors: the designers, and the people who helped them.
        year: the year of publication.

    Raises ArgumentError for an invalid description.
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
    surface: Literal["cells", "edged cells", "points"] = "points"
    has_stacks: bool = False
    position_fields: tuple[PositionField, ...] = ()
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
        """The designers, the contributors and the year of publication, as far as known."""
        parts = [*self.designers, *([] if self.year is None else [str(self.year)])]
        helped = f" (with {join_words(self.contributors)})" if self.contributors else ""
        return ", ".join(parts) + helped

    def _mistakes(self) -> Iterator[str]:
        """Yield the mistakes of the description. Each check assumes that the previous ones passed."""
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
            yield f"variants are empty or repeated ({self.variants!r}): name each once, and not the normal game"
        for known in self.position_fields:
            if not known.values or not all(map(_FIELD_VALUE.fullmatch, known.values)):
                yield f"values of a position field are not possible ({known.values!r}): use letters, digits and -"
        for code, explained in self.refusals.items():
            if not _CODE.fullmatch(code):
                yield f"code of a refusal is not possible ({code!r}): begin it with move/ or setup/, then a-z and -"
            if not hasattr(explained, "meaning"):
                yield f"refusal {code} is not explained ({explained!r}): give a hexrec.util.diagnostics.Code"
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
        """Return the regular expression of turns, without anchors and for either case."""
        return _turn_pattern(self.turn, coordinates)

    def read_turn(self, turn: str, names: CellNames, board: Board) -> tuple[str, list[int]]:
        """Return a turn in lower case without surrounding whitespace, and the cells that it names, in order.

        Raises IllegalTurn if the turn does not match the notation or names a cell off the board.
        """
        text = turn.strip(BLANKS)
        if re.fullmatch(self.turn_pattern(names.system), text) is None:
            raise IllegalTurn(
                "move/malformed",
                lambda: (
                    f'"{shorten(turn)}" is not a turn of {self.title}{system_note(names.system)}: '
                    f"a turn is {self.turn_help}{_spelling_hint(text, names, board)}"
                ),
            )
        # After the match, because some non-ASCII letters become a to z in lower case.
        text = text.lower()
        cells = []
        for name in cell_expression(names.system).findall(text):
            number = names.cells.get(name)
            if number is None:
                raise IllegalTurn("move/off-board", partial(_off_board, name, names, board))
            cells.append(number)
        return text, cells


@cache
def _turn_pattern(notation: str, coordinates: System) -> str:
    def spell(token: re.Match[str]) -> str:
        text = token[0]
        return CELL_PATTERNS[coordinates] if text == "{cell}" else f"[{text.upper()}{text}]"

    return re.sub(r"\{cell\}|[a-z]", spell, notation)


def system_note(coordinates: System) -> str:
    """Return the words for a coordinate system, or an empty string for the default."""
    return "" if coordinates == "row" else f" in {coordinates} coordinates"


def _spelling_hint(text: str, names: CellNames, board: Board) -> str:
    """Return a hint at the cell notation if the turn, or the example of turns, is in another coordinate system."""
    if names.system == "axial":
        return f" (in axial coordinates a cell is written {names.names[board.cells[0]]})"
    return " (cells are written (q,r) in axial coordinates only)" if "(" in text else ""


def _off_board(name: str, names: CellNames, board: Board) -> str:
    """Return the message about a cell off the board, with the range of existing cells near it."""
    row = name.rstrip("0123456789")
    mates = [other for other in names.cells if other.rstrip("0123456789") == row]
    if names.system != "row":
        where = f"no cell has that name in {names.system} coordinates"
    elif mates:
        where = f"row {row} runs from {mates[0]} to {mates[-1]}"
    else:
        where = f"the rows run from a to {names.names[board.cells[-1]].rstrip('0123456789')}"
    return f"{name} is not a cell: {where} on a board of size {board.size}"
