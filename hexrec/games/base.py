"""What every engine has: positions that are played, asked and listed in the same way.

An engine is a subclass of `Position` that answers five questions about *moves*, its own parsed form of a turn
(small tuples of integers, never text):

* `_parse`: which move does this text mean?
* `_refusal`: is the move legal here, and if not, by which rule? A predicate of its own, without listing moves.
* `_execute`: carry out a legal move.
* `_moves`: list the legal moves.
* `_text`: the canonical text of a legal move.

Everything that users call (`play`, `is_legal`, `legal_turns`, …) is defined here once, on top of these.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Generic, Self, TypeVar

from hexrec.board import Board, CellNames, System
from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.board.geometry import cells_of
from hexrec.diagnostics import Code, shorten
from hexrec.display import painted
from hexrec.games.description import COLOURS, Colour, Game, IllegalTurn, Mark, Outcome, Stone, system_note

BLANKS = " \t\r\n"
#: Stands for `pass` where a game's moves are integers: no cell is negative.
PASS = -1

Move = TypeVar("Move")


@cache
def _shapes(game: Game, coordinates: System) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(game.turn_pattern(coordinates)), re.compile(CELL_PATTERNS[coordinates])


class Position(ABC, Generic[Move]):
    """A game between two turns. Engines subclass it; users get one from `Game.start`.

    Attributes:
        game: the description of the game.
        board: the geometry.
        names: the names of the cells, in the coordinate system that was asked for.
        variant: the variant, or None for the normal game.
        plies: the number of turns played.
    """

    __slots__ = ("_mover", "_outcome", "_passed", "board", "game", "names", "plies", "variant")

    def __init__(
        self, game: Game, grid: Board, names: CellNames, stones: Mapping[int, int], variant: str | None
    ) -> None:
        """Set the opening `stones` (cell to colour). Callers use `Game.start`, which checks them."""
        self.game = game
        self.board = grid
        self.names = names
        self.variant = variant
        self.plies = 0
        self._mover = 0
        self._passed = False
        self._outcome: Outcome | None = None
        self._set_up(stones)

    # What users call.

    @property
    def turn(self) -> Colour:
        """The colour whose turn it is (after the end: whose turn it would be)."""
        return COLOURS[self._mover]

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self._outcome is not None

    def result(self) -> Outcome | None:
        """Return the outcome once the game is over by the rules, else None."""
        return self._outcome

    def play(self, turn: str) -> None:
        """Execute a turn. Raises IllegalTurn, and leaves the position as it was, if the turn is not legal."""
        self._execute(self._legal_move(turn))

    def is_legal(self, turn: str) -> bool:
        """Return whether `play` would accept the turn text."""
        try:
            self._legal_move(turn)
        except IllegalTurn:
            return False
        return True

    def canonical(self, turn: str) -> str:
        """Return the canonical text of a legal turn. Raises IllegalTurn for any other."""
        return self._text(self._legal_move(turn))

    def legal_turns(self) -> list[str]:
        """Return the canonical texts of all legal turns, sorted; none once the game is over."""
        if self._outcome is not None:
            return []
        text = self._text
        return sorted({text(move) for move in self._moves()})

    @abstractmethod
    def stones(self) -> dict[int, Stone]:
        """Return what stands on the board, by cell."""

    def parts(self, turn: str) -> tuple[Mark, ...]:
        """Return what a turn would do to the board, part by part. Raises IllegalTurn if the turn is not legal."""
        return tuple(part for part in self._turn_marks(self._legal_move(turn)) if part.cells)

    def marks(self) -> tuple[Mark, ...]:
        """Return what the position's picture points out: above all what decided a game that is over."""
        return tuple(mark for mark in self._marks() if mark.cells)

    def copy(self) -> Self:
        """Return an independent position in the same state."""
        twin = object.__new__(type(self))
        for cls in type(self).__mro__:
            for slot in getattr(cls, "__slots__", ()):
                value = getattr(self, slot)
                setattr(twin, slot, value.copy() if isinstance(value, list | dict | set) else value)
        return twin

    def __eq__(self, other: object) -> bool:
        """Two positions are equal when no sequence of turns could ever tell them apart."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{self.turn} to play"
        return f"<{self.game.name} size {self.board.size}, after {self.plies} turns, {state}>"

    def _repr_svg_(self) -> str | None:
        """Return the picture that notebooks show."""
        return painted(self)

    # What engines define.

    @abstractmethod
    def _set_up(self, stones: Mapping[int, int]) -> None:
        """Create the engine's state with the opening stones (cell to colour) on the board."""

    @abstractmethod
    def _parse(self, turn: str) -> Move:
        """Return the move that a text means. Raises IllegalTurn for a text that means none on this board."""

    @abstractmethod
    def _refusal(self, move: Move) -> IllegalTurn | None:
        """Return None if the move is legal in this unfinished game, else the refusal that says why not."""

    @abstractmethod
    def _execute(self, move: Move) -> None:
        """Carry out a legal move."""

    @abstractmethod
    def _moves(self) -> Iterable[Move]:
        """Yield every legal move of this unfinished game (repetitions are allowed)."""

    @abstractmethod
    def _text(self, move: Move) -> str:
        """Return the canonical text of a legal move."""

    def _turn_marks(self, move: Move) -> Iterable[Mark]:
        """Yield what a legal move does to the board. Override it to name the parts in the game's own words."""
        after = self.copy()
        after._execute(move)
        old, new = self.stones(), after.stones()
        both = old.keys() & new.keys()
        yield Mark("placed", "placed", tuple(sorted(new.keys() - old.keys())))
        yield Mark("changed", "changed", tuple(sorted(cell for cell in both if old[cell] != new[cell])))
        yield Mark("left", "gone", tuple(sorted(old.keys() - new.keys())))

    def _marks(self) -> Iterable[Mark]:
        """Yield what a picture of the position points out; nothing unless an engine knows better."""
        return ()

    def _key(self) -> tuple[object, ...]:
        """Return a value that is equal for equal positions. Extend it where the stones do not say everything."""
        return (
            self.game.name,
            self.board.size,
            self.variant,
            self._mover,
            self._passed,
            self._outcome,
            self.stones(),
        )

    # Tools for engines.

    def _cells(self, turn: str) -> tuple[str, list[int]]:
        """Return a turn text without blanks and in lower case, and the cells that it names, in order.

        Raises IllegalTurn if the text has not the shape of this game's turns, or names a cell off the board.
        """
        text = turn.strip(BLANKS)
        shape, cell = _shapes(self.game, self.names.system)
        if shape.fullmatch(text) is None:
            raise IllegalTurn(
                "move/malformed",
                f"{shorten(turn)!r} is not a turn of {self.game.title}{system_note(self.names.system)}: "
                f"a turn is {self.game.turn_help}{self._spelling_hint(text)}",
            )
        # Only now: some letters of other alphabets become a to z in lower case.
        text = text.lower()
        cells = []
        for name in cell.findall(text):
            number = self.names.cells.get(name)
            if number is None:
                raise IllegalTurn(
                    "move/off-board", f"{name} is not a cell: {self._where(name)} on a board of size {self.board.size}"
                )
            cells.append(number)
        return text, cells

    def _spelling_hint(self, text: str) -> str:
        """Say how cells are written where the text, or the examples of turns, are of another coordinate system."""
        if self.names.system == "axial":
            return f" (in axial coordinates a cell is written {self.names.names[self.board.cells[0]]})"
        return " (cells are written (q,r) in axial coordinates only)" if "(" in text else ""

    def _where(self, name: str) -> str:
        """Say what cells there are near the name of one that is not on the board."""
        if self.names.system != "row":
            return f"no cell has that name in {self.names.system} coordinates"
        row = name.rstrip("0123456789")
        mates = [other for other in self.names.cells if other.rstrip("0123456789") == row]
        last = self.names.names[self.board.cells[-1]].rstrip("0123456789")
        return f"row {row} runs from {mates[0]} to {mates[-1]}" if mates else f"the rows run from a to {last}"

    def _list(self, cells: Iterable[int]) -> str:
        """Return the names of cells for a message: ``e5, e6 and f6``."""
        names = [self.names.names[cell] for cell in sorted(cells)]
        return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]

    def _occupied(self, cell: int, colour: int) -> IllegalTurn:
        """Return the refusal of a placement on a cell that holds a stone or stack of `colour`."""
        what = f"{'your own' if colour == self._mover else 'an enemy'} {self.game.piece}"
        message = f"{self.names.names[cell]} is occupied by {what}: place on an empty cell"
        return IllegalTurn("move/occupied", message)

    def _game_over(self) -> IllegalTurn:
        assert self._outcome is not None
        winner = self._outcome.winner
        how = "in a draw" if winner == "draw" else f"with a win for {winner}"
        return IllegalTurn("move/game-over", f"the game ended {how} after {self.plies} turns: no turn may follow")

    def _legal_move(self, turn: str) -> Move:
        if self._outcome is not None:
            raise self._game_over()
        move = self._parse(turn)
        refusal = self._refusal(move)
        if refusal is not None:
            raise refusal
        return move


class CellPosition(Position[int]):
    """A position of a game in which a move is a cell, or PASS."""

    __slots__ = ()

    def _parse(self, turn: str) -> int:
        cell = self.names.cells.get(turn)
        if cell is not None:
            return cell
        _, cells = self._cells(turn)
        return cells[0] if cells else PASS

    def _text(self, move: int) -> str:
        return "pass" if move == PASS else self.names.names[move]


#: The codes that every game shares.
CODES: Mapping[str, Code] = {
    "opening/off-board": Code(
        "An opening stone is set on a cell that the board does not have.",
        "Check the cell's name against the board's size and the record's coordinate system.",
        rule="An opening stone is set on a cell of the board (docs/format.md, Coordinates).",
        example='{hexrec: "1", game: frasvel, size: 3, opening: {black: b5}, moves: []}',
        occurs_in=lambda game: bool(game.opening),
    ),
    "opening/same-cell": Code(
        "Both opening stones are set on the same cell.",
        "Set the black and the white stone on two different cells.",
        rule="A cell holds one stone or stack at the most.",
        example='{hexrec: "1", game: nadraz, size: 4, opening: {black: e4, white: e4}, moves: []}',
        occurs_in=lambda game: len(game.opening) > 1,
    ),
    "move/malformed": Code(
        "The text of a turn does not have the shape of this game's turns.",
        "Write the turn as docs/format.md shows, in the coordinate system that the record names.",
        rule="A turn is written as its game's turns are (docs/format.md, Turns and scores).",
        example='{hexrec: "1", game: sunspot, size: 4, moves: [d4-d5]}',
    ),
    "move/off-board": Code(
        "A turn names a cell that the board does not have.",
        "Check the cell's name against the board's size and the record's coordinate system.",
        rule="A turn names cells of the board (docs/format.md, Coordinates).",
        example='{hexrec: "1", game: sunspot, size: 4, moves: [a5]}',
    ),
    "move/occupied": Code(
        "A stone is placed on a cell that is not empty.",
        "Check the cell; an earlier turn of the record may be missing or in the wrong place.",
        rule="Stones and stacks are placed on empty cells.",
        example='{hexrec: "1", game: sunspot, size: 4, moves: [d4, d4]}',
    ),
    "move/game-over": Code(
        "A turn follows although the rules have ended the game.",
        "Delete the turns after the end, or look for an earlier turn that was written down wrongly.",
        rule="When its rules have ended a game, no turn follows, not even a pass.",
        example='{hexrec: "1", game: valaturna, size: 4, opening: {black: d4, white: c1}, moves: [d1, b1, a1, pass]}',
    ),
}


def bitboards(stones: Mapping[int, int]) -> list[int]:
    """Return stones (cell to colour) as one bitboard per colour."""
    boards = [0, 0]
    for cell, colour in stones.items():
        boards[colour] |= 1 << cell
    return boards


def single_stones(boards: list[int]) -> dict[int, Stone]:
    """Return the stones of two bitboards, one per colour, by cell: the way back, for games without stacks."""
    return {cell: Stone(colour, 1) for colour in (0, 1) for cell in cells_of(boards[colour])}


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
