"""How games are played: `Position`, the base of every engine.

An engine is a subclass of `Position` that answers five questions about *moves*, its own parsed form of a turn
(small tuples of integers, never text):

* `_parse`: which move does this text mean?
* `_refusal`: is the move legal here, and if not, by which rule? A predicate of its own, without listing moves.
* `_execute`: carry out a legal move; has it ended the game?
* `_moves`: list the legal moves.
* `_text`: the canonical text of a legal move.

Everything that users call (`play`, `is_legal`, `legal_turns`, …) is defined here once, on top of these, and so is what
all games share: whose turn it is, how many turns were played, passes, and what stands on the board.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Generic, TypeVar

from hexrec.rules import position_text, turn_text
from hexrec.rules.board import BIT, Board, CellNames, cells_of
from hexrec.rules.description import Description
from hexrec.rules.playable import Playable
from hexrec.rules.position_text import PositionText
from hexrec.rules.terms import (
    COLORS,
    PLAYERS,
    Annotation,
    Color,
    Explanation,
    IllegalSetup,
    IllegalTurn,
    Outcome,
    Row,
    SetupFault,
    Stack,
    Table,
    ending,
    join_words,
    pluralize,
)

#: Stands for `pass` where a game's moves are integers: no cell is negative.
PASS = -1

Move = TypeVar("Move")
#: For each part of a turn, the cells any of which stands for it.
TurnParts = tuple[tuple[int, ...], ...]


class Position(Playable, Generic[Move]):
    """A game between two turns. Engines subclass it; users get one from `Game.start`.

    Attributes:
        game: the description of the game.
        board: the geometry.
        names: the names of the cells, in the coordinate system that was asked for.
        variant: the variant, or None for the normal game.
        ruleset: the name of the ruleset.
        plies: the number of turns played.

    Engines may read `_side`, the number of the color whose turn it is, and keep `_stones` up to date: one bitboard
    per color of the cells that it occupies. `_last` is for the number of the color
    that placed the last stone, None before the first, in games where it matters.
    """

    __slots__ = ()

    #: The move that passes, in a game that two passes in a row end; None in any other.
    _passing: ClassVar[Any] = None

    def __init__(
        self,
        game: Description,
        board: Board,
        names: CellNames,
        stones: Mapping[int, Stack],
        variant: str | None,
        ruleset: str,
        setup: PositionText | None = None,
    ) -> None:
        """Set `stones`, by cell, with Black to move, or as the text of a position says.

        Callers use `Game.start`, which checks the stones. Raises IllegalSetup if no game can go on from the text.
        """
        self.game = game
        self.board = board
        self.names = names
        self.variant = variant
        self.ruleset = ruleset
        self.plies = 0
        self._side = 0
        self._passed = False
        self._outcome = None
        self._past = []
        self._actions = None
        self._stones = [0, 0]
        for cell, stone in stones.items():
            self._stones[stone.color] |= BIT[cell]
        self._last = None
        self._set_up(stones)
        if setup is not None:
            self._go_on_from(setup)

    def _go_on_from(self, text: PositionText) -> None:
        """Take over what the text of a position says besides its stones, which are set. Raises IllegalSetup."""
        self._side = text.side
        self._take_field_values(text.values)
        fault = self._setup_fault()
        if fault is not None:
            column = text.side_column if fault.cell is None else text.columns[fault.cell]
            raise IllegalSetup(fault.code, fault.message, column)
        if text.passes:
            self._side = 1 - text.side
            # A pass leaves the stones as they are: it was legal before it if it is legal now.
            refusal = self._refusal(self._parse("pass"))
            if refusal is not None:
                message = f"the setup has a pass by {PLAYERS[self._side]}, which is not legal here: {refusal.message}"
                raise IllegalSetup("setup/pass", message, text.passes_column)
            self._side = text.side
            self._passed = True

    # The calls for users.

    @property
    def turn(self) -> Color:
        """The color whose turn it is (after the end: whose turn it would be)."""
        return COLORS[self._side]

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self._outcome is not None

    def result(self) -> Outcome | None:
        """Return the outcome once the game is over by the rules, else None."""
        return self._outcome

    def play(self, turn: str) -> None:
        """Execute a turn. Raises IllegalTurn, and leaves the position as it was, if the turn is not legal."""
        self.play_all((turn,))

    def play_all(self, turns: Iterable[str]) -> None:
        """Execute turns in order. Raises IllegalTurn at the first that is not legal, with those before it executed."""
        # All replays spend their time here: no calls and look-ups that could be done once.
        parse, refusal_of, execute, passing = self._parse, self._refusal, self._execute, self._passing
        text, canonical, played = self._text, self._canonical_move, self._remember()
        refusal = None
        try:
            for turn in turns:
                if self._outcome is not None:
                    raise self._game_over(self._outcome)
                move = parse(turn)
                refusal = refusal_of(move)
                if refusal is not None:
                    raise refusal.build()
                played.append(text(canonical(move)))
                if move == passing:
                    if self._passed:
                        self._outcome = self._passed_out()
                    self._passed = True
                else:
                    self._passed = False
                    self._outcome = execute(move)
                self._side = 1 - self._side
                self.plies += 1
        finally:
            refusal = None  # the exception has this frame, which must not have the exception: all turns would stay
            if not played:
                self._past.pop()

    def is_legal(self, turn: str) -> bool:
        """Return whether `play` would accept the turn text."""
        if self._outcome is not None:
            return False
        try:
            move = self._parse(turn)
        except IllegalTurn:
            return False
        return self._refusal(move) is None

    def canonical(self, turn: str) -> str:
        """Return the canonical text of a legal turn. Raises IllegalTurn for any other."""
        return self._text(self._canonical_move(self._legal_move(turn)))

    def legal_turns(self) -> list[str]:
        """Return the canonical texts of all legal turns, sorted; none once the game is over."""
        if self._outcome is not None:
            return []
        text = self._text
        return sorted({text(move) for move in self._moves()})

    def turn_parts(self) -> dict[str, TurnParts]:
        """Return the legal turns, sorted, each with the parts in which it is entered on a board.

        A part is a tuple of cells, any of which may be pointed at; a pass has no parts.
        """
        if self._outcome is not None:
            return {}
        text = self._text
        return dict(sorted({text(move): self._parts(move) for move in self._moves()}.items()))

    def stacks(self) -> dict[int, Stack]:
        """Return the stacks on the board, by number of cell."""
        return {cell: Stack(color, self._height(cell)) for color in (0, 1) for cell in cells_of(self._stones[color])}

    def contents(self) -> list[int]:
        """Return the content of each cell: 0 if empty, 2h - 1 for Black's stack of height h, 2h for White's."""
        found = [0] * self.board.span
        for color in (0, 1):
            for cell in cells_of(self._stones[color]):
                found[cell] = 2 * self._height(cell) - 1 + color
        return found

    def text(self) -> str:
        """Return the text of the position: rows from the top, the side to move, passes; see `Game.start`."""
        return position_text.write(
            self.board,
            self.stacks(),
            self._side,
            int(self._passed),
            self.field_values(),
        )

    def field_values(self) -> tuple[str, ...]:
        """Return the values of the game's own fields of position texts; see `Game.position_fields`."""
        return ()

    def turn_effects(self, turn: str) -> tuple[Annotation, ...]:
        """Return the effects of a turn on the board, part by part. Raises IllegalTurn if the turn is not legal."""
        return tuple(effect for effect in self._turn_effects(self._legal_move(turn)) if effect.cells)

    def highlights(self) -> tuple[Annotation, ...]:
        """Return the highlights of a picture of the position: above all those that decided the game."""
        return tuple(highlight for highlight in self._highlights() if highlight.cells)

    def overlays(self) -> dict[str, tuple[Annotation, ...]]:
        """Return the overlays of the position by name: features for a picture to show on request.

        The overlays of a game have the same names in every position; one without a feature here is empty.
        """
        return {name: tuple(mark for mark in marks if mark.cells) for name, marks in self._overlays()}

    def explain(self) -> Explanation:
        """Return why the game ended as it did; while it goes on, what the same tables say of the position."""
        conclusions, tables = self._explanation()
        return Explanation(conclusions, tuple(table for table in tables if table.rows))

    def __eq__(self, other: object) -> bool:
        """Two positions are equal when no sequence of turns could ever tell them apart."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{self.turn} to play"
        return f"<{self.game.name} size {self.board.size}, after {self.plies} turns, {state}>"

    def __str__(self) -> str:
        """Return the board as `hexrec show` draws it in a file."""
        # At run time only: what draws positions is built on this module.
        drawn: str = import_module("hexrec.render.text").draw(self)
        return drawn

    def _repr_svg_(self) -> str | None:
        """Return the picture that notebooks show."""
        # Drawing is far above the rules: it is imported by name, and only when a notebook asks.
        picture: str | None = import_module("hexrec.render").notebook_picture(self)
        return picture

    # The methods that every engine defines.

    @abstractmethod
    def _parse(self, turn: str) -> Move:
        """Return the move that a text means. Raises IllegalTurn for a text that means none on this board."""

    @abstractmethod
    def _refusal(self, move: Move) -> IllegalTurn | None:
        """Return None if the move is legal in this unfinished game, else the refusal that says why not."""

    @abstractmethod
    def _execute(self, move: Move) -> Outcome | None:
        """Carry out a move that is no pass; return the outcome if it ends the game.

        `_refusal` has just found the move legal, and may have remembered what it does. Whose turn it is, passes and the
        number of turns are seen to afterwards, by the caller.
        """

    @abstractmethod
    def _moves(self) -> Iterable[Move]:
        """Yield every legal move of this unfinished game (repetitions are allowed)."""

    @abstractmethod
    def _text(self, move: Move) -> str:
        """Return the canonical text of a legal move."""

    # The methods that an engine defines where its game differs from most.

    def _wording(self, code: str, move: Move) -> str:
        """Return the message about a move that `_illegal` has refused with a code in this position."""
        raise NotImplementedError

    def _parts(self, move: Move) -> TurnParts:
        """Return the parts in which a legal move is entered on a board: the cells that its text names, in order."""
        return tuple((cell,) for cell in turn_text.cells_named(self._text(move), self.names))

    def _set_up(self, stones: Mapping[int, Stack]) -> None:
        """Create the state beyond `_stones`, which holds the stones that are set, of these heights."""

    def _take_field_values(self, values: tuple[str, ...]) -> None:
        """Take over the values of the game's own fields from a position text; its stones are set up."""

    def _setup_fault(self) -> SetupFault | None:
        """Return why no game can go on from this position, which somebody has set up: it is over, or not possible."""
        return None

    def _passed_out(self) -> Outcome:
        """Return the outcome of a game that two passes in a row have ended; games without a pass are not asked."""
        raise NotImplementedError

    def _canonical_move(self, move: Move) -> Move:
        """Return the one legal move that stands for all that are the same turn; see `Game.synonyms`."""
        return move

    def _height(self, cell: int) -> int:  # noqa: ARG002
        """Return the height of the stack on an occupied cell."""
        return 1

    def _turn_effects(self, move: Move) -> Iterable[Annotation]:
        """Yield the effects of a legal move on the board. Override it to name the parts in the game's own words."""
        after = self.copy()
        after.play(self._text(move))
        old, new = self.stacks(), after.stacks()
        both = old.keys() & new.keys()
        yield Annotation("placed", "placed", tuple(sorted(new.keys() - old.keys())))
        yield Annotation("changed", "changed", tuple(sorted(cell for cell in both if old[cell] != new[cell])))
        yield Annotation("removed", "gone", tuple(sorted(old.keys() - new.keys())))

    def _highlights(self) -> Iterable[Annotation]:
        """Yield the highlights of a picture of the position; nothing unless an engine knows better."""
        return ()

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        """Yield the overlays: name and annotations. Override it to show the features that players look for."""
        return ()

    def _explanation(self) -> Explanation:
        """Return why the game ended as it did. Override it to give numbers and reasons."""
        names = dict.fromkeys(mark.name for mark in self.highlights())
        tables = (
            (name, [Row(mark.cells, mark.color, ()) for mark in self.highlights() if mark.name == name])
            for name in names
        )
        return Explanation((), tuple(Table(name, (), tuple(rows)) for name, rows in tables))

    def _key(self) -> tuple[object, ...]:
        """Return a value that is equal for equal positions. Extend it where the stones do not say everything."""
        return (
            self.game.name,
            self.board.size,
            self.variant,
            self.ruleset,
            self._side,
            self._passed,
            self.field_values(),
            self._outcome,
            self.stacks(),
        )

    # Tools for engines.

    def _legal_move(self, turn: str) -> Move:
        """Return the move that a text means. Raises IllegalTurn for a turn that is not legal now."""
        if self._outcome is not None:
            raise self._game_over(self._outcome)
        move = self._parse(turn)
        refusal = self._refusal(move)
        if refusal is not None:
            raise refusal.build()
        return move

    def _cells(self, turn: str) -> tuple[str, list[int]]:
        """Return a turn text without whitespace and in lower case, and the cells that it names, in order.

        Raises IllegalTurn if the text has not the shape of this game's turns, or names a cell off the board.
        """
        game = self.game
        return turn_text.read(turn, game.turn, self.names, self.board, game.title, game.turn_help)

    def _list(self, cells: Iterable[int]) -> str:
        """Return the names of cells for a message: ``e5, e6 and f6``."""
        return join_words([self.names.names[cell] for cell in sorted(cells)])

    def _illegal(self, code: str, move: Move) -> IllegalTurn:
        """Return the refusal of a move, which `_wording` words when somebody reads it."""
        return IllegalTurn(code, partial(self._wording, code, move))

    def _occupied_error(self, cell: int) -> IllegalTurn:
        """Return the refusal of a placement on an occupied cell."""
        whose = "your own" if self._stones[self._side] & BIT[cell] else "an enemy"
        return IllegalTurn(
            "move/occupied",
            lambda: f"{self.names.names[cell]} is occupied by {whose} {self.game.piece}: place on an empty cell",
        )

    def _game_over(self, outcome: Outcome) -> IllegalTurn:
        how = "in a draw" if outcome.winner == "draw" else f"with {ending(outcome.winner)}"
        turns = pluralize(self.plies, "turn")
        return IllegalTurn("move/game-over", f"the game ended {how} after {turns}: no turn may follow")


class CellPosition(Position[int]):
    """A position of a game in which a move is a cell, or PASS.

    A subclass with other turns overrides `_parse` and `_text`.
    """

    __slots__ = ()

    _passing: ClassVar[int | None] = PASS

    def _parse(self, turn: str) -> int:
        cell = self.names.cells.get(turn)
        if cell is not None:
            return cell
        text, cells = self._cells(turn)
        if text == "pass":
            return PASS
        if len(cells) == 1 and self.names.names[cells[0]] == text:
            return cells[0]
        raise IllegalTurn("move/malformed", f"{text} is neither a cell nor pass: a turn is {self.game.turn_help}")

    def legal_count(self) -> int:
        """See `Playable.legal_count`."""
        return 0 if self._outcome is not None else len({*self._moves()})

    def _text(self, move: int) -> str:
        return "pass" if move == PASS else self.names.names[move]
