"""`PositionView`: a position as users read it: its stones, its text, and the words and marks of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Literal

from hexrec.errors import UnknownNameError
from hexrec.rules import board_text, position_text
from hexrec.rules.board import Board, CellNames
from hexrec.rules.description import Description
from hexrec.rules.grid import EMPTY, NOBODY, Grid
from hexrec.rules.terms import (
    COLORS,
    Annotation,
    Color,
    Explanation,
    Outcome,
    Row,
    Score,
    Stack,
    Stone,
    Table,
    ending,
    join_words,
    pluralize,
)
from hexrec.util.escaping import shorten

#: For each part of a turn, the cells that a player can point at to enter it.
TurnParts = tuple[tuple[int, ...], ...]

#: The winner by its number in a grid.
WINNERS: tuple[Literal["black", "white", "draw"], ...] = (*COLORS, "draw")

#: The names of the codes that all games have, by number; those of a game follow.
_CODES = ("", "move/game-over", "move/occupied")


class PositionView:
    """Position of a game as it is read; `Position` adds turns, and has a list of the attributes."""

    __slots__ = ("board", "game", "grid", "names", "ruleset")

    #: Returns the SVG that notebooks show; `hexrec.api` sets it.
    picture: ClassVar[Callable[[Any], str | None] | None] = None

    def __init__(self, game: Description, board: Board, names: CellNames, ruleset: str, grid: Any) -> None:
        self.game = game
        self.board = board
        self.names = names
        self.ruleset = ruleset
        self.grid = grid

    @property
    def variant(self) -> str | None:
        """The variant, or None for the normal game."""
        return self.grid.variant or None

    @property
    def readings(self) -> tuple[str, ...]:
        """The names of the readings that hold instead of rulings."""
        return tuple(self.grid.readings)

    @property
    def plies(self) -> int:
        """The number of turns played."""
        plies: int = self.grid.plies
        return plies

    @property
    def turn(self) -> Color:
        """The side to move; after the end, the color that would be next."""
        return COLORS[self.grid.side]

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        over: bool = self.grid.winner != NOBODY
        return over

    def result(self) -> Outcome | None:
        """Return the outcome, or None while the game is in progress."""
        return outcome_of(self.game, self.grid)

    # The board.

    def stacks(self) -> dict[int, Stack]:
        """Return the stacks on the board, by cell."""
        at, heights, cells = self.grid.at, self.grid.heights, self.board.cells
        return {cell: Stack(color, heights[cell]) for color in (0, 1) for cell in cells if at[cell] == color}

    def contents(self) -> list[int]:
        """Return the content of each cell: 0 if empty, 2h - 1 for Black's stack of height h, 2h for White's."""
        contents: list[int] = self.grid.contents()
        return contents

    @property
    def stones(self) -> dict[str, Stone]:
        """The stacks on the board, by cell name."""
        stacks = self.stacks().items()
        return {self.names.single(cell): Stone(COLORS[color], height) for cell, (color, height) in stacks}

    def __getitem__(self, name: str) -> Stone | None:
        """Return the stack on a cell, or None if the cell is empty. Raises UnknownNameError for unknown cell names."""
        cell = self.names.find(name)
        if cell is None:
            raise UnknownNameError(f"{shorten(name)} is not a cell of a board of size {self.board.size}")
        color = self.grid.at[cell]
        return None if color == EMPTY else Stone(COLORS[color], self.grid.heights[cell])

    def text(self) -> str:
        """Return the position text: rows from the top, the side to move, passes, fields; see `Game.start`."""
        grid = self.grid
        return position_text.write(self.board, self.contents(), grid.side, int(grid.passed), self.field_values())

    def field_values(self) -> tuple[str, ...]:
        """Return the values of the game's own fields in position texts."""
        fields = zip(self.game.position_fields, self.grid.fields(), strict=True)
        return tuple(field.values[index] for field, index in fields)

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{self.turn} to play"
        return f"<{self.game.name} size {self.board.size}, after {self.plies} turns, {state}>"

    def __str__(self) -> str:
        """Return the board as `hexrec show` draws it in a file."""
        return board_text.draw(self.board, self.names, self.stacks())

    def _repr_svg_(self) -> str | None:
        draw = type(self).picture
        return None if draw is None else draw(self)

    # Words and pictures.

    def highlights(self) -> tuple[Annotation, ...]:
        """Return the highlighted features of the position, such as the cells that decided the game."""
        return tuple(highlight for highlight in self._highlights() if highlight.cells)

    def overlays(self) -> dict[str, tuple[Annotation, ...]]:
        """Return the overlays by name: features of the position that a picture shows on request.

        The overlays of a game have the same names in every position. Some may be empty.
        """
        return {name: tuple(mark for mark in marks if mark.cells) for name, marks in self._overlays()}

    def explain(self) -> Explanation:
        """Return the reasons for the outcome, with tables; of a game in progress, the same tables for the position."""
        conclusions, tables = self._explanation()
        return Explanation(conclusions, tuple(table for table in tables if table.rows))

    # The words that games define.

    def _wording(self, code: str, move: int) -> str:
        """Return the message for a move that breaks the rule of a code in this position."""
        if code == "move/game-over":
            winner, turns = WINNERS[self.grid.winner], pluralize(self.plies, "turn")
            how = "in a draw" if winner == "draw" else f"with {ending(winner)}"
            return f"the game ended {how} after {turns}: no turn may follow"
        if code == "move/occupied":
            cell = next(cell for cell in self.grid.named_cells(move) if self.grid.at[cell] != EMPTY)
            whose = "your own" if self.grid.at[cell] == self.grid.side else "an enemy"
            return f"{self.names.names[cell]} is occupied by {whose} {self.game.piece}: place on an empty cell"
        known = self.game.refusals.get(code)
        return f"{self.grid.write(move)} is illegal ({code})" if known is None else known.meaning

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        """Return the message for a setup that no game can continue from; `cell` is that to blame, or NONE."""
        known = self.game.refusals.get(code)
        return f"no game can go on from this position ({code})" if known is None else known.meaning

    def _parts(self, move: int) -> TurnParts:
        """Return the parts by which a player enters a legal move, by default the cells that its turn names."""
        return tuple((cell,) for cell in self.grid.named_cells(move))

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        """Yield the effects of a legal move on the board. Override it to name them in the terms of the game."""
        grid, old = self.grid, self.stacks()
        saved = grid.save()
        grid.play(move)
        new = self.stacks()
        grid.restore(saved)
        both = old.keys() & new.keys()
        yield Annotation("placed", "placed", tuple(sorted(new.keys() - old.keys())))
        yield Annotation("changed", "changed", tuple(sorted(cell for cell in both if old[cell] != new[cell])))
        yield Annotation("removed", "gone", tuple(sorted(old.keys() - new.keys())))

    def _highlights(self) -> Iterable[Annotation]:
        """Yield the highlighted features of the position, by default none."""
        return ()

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        """Yield the overlays: name and annotations. Override it to show the features that players look for."""
        return ()

    def _explanation(self) -> Explanation:
        """Return the explanation, by default the highlights. Override it to give numbers and reasons."""
        rows: dict[str, list[Row]] = {}
        for mark in self.highlights():
            rows.setdefault(mark.name, []).append(Row(mark.cells, mark.color, ()))
        return Explanation((), tuple(Table(name, (), tuple(marked)) for name, marked in rows.items()))

    # Helpers.

    def _code(self, code: int) -> str:
        """Return the name of a code of the grid. Raises IndexError for a code that its rules do not name."""
        codes = [*_CODES, *self.grid.codes()]
        if code >= len(codes):
            raise IndexError(f"code {code} of the rules has no name: add it to codes()")
        name: str = codes[code]
        return name

    def _cells_of(self, content: int) -> list[int]:
        """Return the cells with the stacks of a color, or the empty ones, in board order."""
        return [cell for cell in self.board.cells if self.grid.at[cell] == content]

    def _list(self, cells: Iterable[int]) -> str:
        """Return the names of cells for a message: ``e5, e6 and f6``."""
        return join_words([self.names.names[cell] for cell in sorted(cells)])


def outcome_of(game: Description, grid: Grid) -> Outcome | None:
    """Return the outcome of a game, or None while it is in progress."""
    if grid.winner == NOBODY:
        return None
    score: Score | None = None
    if game.score == "number":
        score = {"black": grid.points(0), "white": grid.points(1)}
    elif game.score == "list":
        score = {"black": grid.ranking(0), "white": grid.ranking(1)}
    return Outcome(WINNERS[grid.winner], score)
