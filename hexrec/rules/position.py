"""`Position`, the base class of every engine.

An engine is a subclass that defines the five abstract methods `_parse`, `_refusal`, `_execute`, `_moves` and `_text`.
They are about *moves*. A move is the parsed form of a turn: an integer or a small tuple of integers.

The public methods (`play`, `is_legal`, `legal_turns`, …) are defined here on top of these five. So is the state that
all games share: the side to move, the number of turns, passes, and the stones.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cache, partial
from hashlib import blake2b
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from hexrec.errors import ArgumentError, UnknownNameError
from hexrec.rules import position_text
from hexrec.rules.board import BIT, Board, CellNames, cells_of
from hexrec.rules.description import Description
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
    Stone,
    Table,
    ending,
    join_words,
    pluralize,
)
from hexrec.util.escaping import shorten

if TYPE_CHECKING:
    from hexrec.rules.kernels.kernel import State

#: The move that passes, in games with integers as moves; cells are not negative.
PASS = -1

Move = TypeVar("Move")
#: For each part of a turn, the cells that a player can point at to enter it.
TurnParts = tuple[tuple[int, ...], ...]

#: The attributes that no turn changes, and those that are not part of the state.
_KEPT = ("_actions", "_past", "board", "game", "names", "ruleset", "variant")


class Position(ABC, Generic[Move]):
    """Position of a game. Engines subclass it; users get positions from `Game.start`.

    Attributes:
        game: the description of the game.
        board: the geometry.
        names: the names of the cells in the chosen coordinate system.
        variant: the variant, or None for the normal game.
        ruleset: the name of the ruleset.
        plies: the number of turns played.

    Engines read `_side`, the number of the side to move, and keep `_stones` up to date: by color, the bitboard of the
    occupied cells. Games in which it matters set `_last` to the color that placed the last stone.
    """

    __slots__ = (*_KEPT, "_last", "_outcome", "_passed", "_side", "_stones", "plies")

    #: The move that passes, in games that two passes in a row end; None in other games.
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
        """Start with `stones`, by cell, and Black to move, or with the state from a position text.

        Callers use `Game.start`, which checks the stones. Raises IllegalSetup if no game can continue from the setup.
        """
        self.game = game
        self.board = board
        self.names = names
        self.variant = variant
        self.ruleset = ruleset
        self.plies = 0
        self._side = 0
        self._passed = False
        self._outcome: Outcome | None = None
        # The turns, grouped by the call that played them, each group with the state before it.
        self._past: list[tuple[list[object], list[str]]] = []
        # The legal turns that begin with the actions so far, by their remaining actions; None before they are listed.
        self._actions: dict[tuple[int, ...], str] | None = None
        self._last: int | None = None
        self._set_stones(stones)
        if setup is not None:
            self._continue_from(setup)

    def _set_stones(self, stones: Mapping[int, Stack]) -> None:
        """Replace all stones, and the engine's own state."""
        self._stones = [0, 0]
        for cell, stone in stones.items():
            self._stones[stone.color] |= BIT[cell]
        self._set_up(stones)

    def _continue_from(self, setup: PositionText) -> None:
        """Set the side to move, passes and fields from a setup whose stones are on the board. Raises IllegalSetup."""
        self._side = setup.side
        self._take_field_values(setup.values)
        fault = self._setup_fault()
        if fault is not None:
            column = setup.side_column if fault.cell is None else setup.columns[fault.cell]
            raise IllegalSetup(fault.code, fault.message, column)
        if setup.passes:
            self._side = 1 - setup.side
            # A pass changes no stones, so it was legal if it is legal now.
            refusal = self._refusal(self._parse("pass"))
            if refusal is not None:
                message = f"the setup has a pass by {PLAYERS[self._side]}, which is not legal here: {refusal.message}"
                raise IllegalSetup("setup/pass", message, setup.passes_column)
            self._side = setup.side
            self._passed = True

    # The public methods.

    @property
    def turn(self) -> Color:
        """The side to move; after the end, the color that would be next."""
        return COLORS[self._side]

    @property
    def is_over(self) -> bool:
        """Whether the rules have ended the game."""
        return self._outcome is not None

    def result(self) -> Outcome | None:
        """Return the outcome, or None while the game is in progress."""
        return self._outcome

    def play(self, turn: str) -> None:
        """Play a turn. Raises IllegalTurn if it is illegal; the position is then unchanged."""
        self.play_all((turn,))

    def play_all(self, turns: Iterable[str]) -> None:
        """Play turns in order. Raises IllegalTurn at the first illegal turn, after playing the turns before it."""
        played = self._remember()
        try:
            for turn in turns:
                move = self._legal_move(turn)
                played.append(self._text(self._canonical_move(move)))
                if move == self._passing:
                    if self._passed:
                        self._outcome = self._passed_out()
                    self._passed = True
                else:
                    self._passed = False
                    self._outcome = self._execute(move)
                self._side = 1 - self._side
                self.plies += 1
        finally:
            if not played:
                self._past.pop()

    def is_legal(self, turn: str) -> bool:
        """Return whether a turn is legal."""
        try:
            return self._outcome is None and self._refusal(self._parse(turn)) is None
        except IllegalTurn:
            return False

    def canonical(self, turn: str) -> str:
        """Return the canonical form of a legal turn. Raises IllegalTurn if it is illegal."""
        return self._text(self._canonical_move(self._legal_move(turn)))

    def legal_turns(self) -> list[str]:
        """Return all legal turns in canonical form, sorted; an empty list after the end of the game."""
        if self._outcome is not None:
            return []
        text = self._text
        return sorted({text(move) for move in self._moves()})

    def turn_parts(self) -> dict[str, TurnParts]:
        """Return the legal turns, sorted, each with the parts by which a player enters it on a board.

        A part is a tuple of cells; the player points at any of them. A pass has no parts.
        """
        if self._outcome is not None:
            return {}
        text = self._text
        return dict(sorted({text(move): self._parts(move) for move in self._moves()}.items()))

    def stacks(self) -> dict[int, Stack]:
        """Return the stacks on the board, by cell."""
        return {cell: Stack(color, self._height(cell)) for color in (0, 1) for cell in cells_of(self._stones[color])}

    def contents(self) -> list[int]:
        """Return the content of each cell: 0 if empty, 2h - 1 for Black's stack of height h, 2h for White's."""
        codes = [0] * self.board.span
        for color in (0, 1):
            for cell in cells_of(self._stones[color]):
                codes[cell] = 2 * self._height(cell) - 1 + color
        return codes

    def text(self) -> str:
        """Return the position text: rows from the top, the side to move, passes, fields; see `Game.start`."""
        passes = int(self._passed)
        return position_text.write(self.board, self.contents(), self._side, passes, self.field_values())

    def field_values(self) -> tuple[str, ...]:
        """Return the values of the game's own fields in position texts; see `Game.position_fields`."""
        return ()

    def turn_effects(self, turn: str) -> tuple[Annotation, ...]:
        """Return the effects of a turn on the board, part by part. Raises IllegalTurn if the turn is illegal."""
        return tuple(effect for effect in self._turn_effects(self._legal_move(turn)) if effect.cells)

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

    # The board.

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
        return self.stones.get(self.names.single(cell))

    def hash(self) -> int:
        """Return a 64-bit hash, which is the same for equal positions in all processes and on all machines."""
        return int.from_bytes(blake2b(self._key(), digest_size=8).digest(), "big")

    def _key(self) -> bytes:
        """Return bytes that are equal for equal positions. Extend them if there is state beyond stones and fields."""
        state = f"{self.game.name} {self.board.size} {self.variant} {self.ruleset} {self._side} {self._passed} "
        fields = " ".join(self.field_values())
        state += f"{fields} {self._outcome is None} {self._stones[0]:x} {self._stones[1]:x} "
        return state.encode() + (self._heights_key() if self.game.has_stacks else b"")

    def _heights_key(self) -> bytes:
        """Return the heights of all stacks as bytes. Engines override it to be faster."""
        return repr([stack.height for _, stack in sorted(self.stacks().items())]).encode()

    # Turns played.

    @property
    def turns(self) -> list[str]:
        """The turns played, in canonical form."""
        return [turn for _, turns in self._past for turn in turns]

    def undo(self) -> str:
        """Undo the last turn and return it. Raises ArgumentError if no turn has been played."""
        if not self._past:
            raise ArgumentError("no turn has been played on this position: play one before you take it back")
        state, (*before, last) = self._past.pop()
        for slot, value in zip(_state_slots(type(self)), state, strict=True):
            setattr(self, slot, _copy(value))
        self._actions = None
        for turn in before:
            self.play(turn)
        return last

    def copy(self) -> Self:
        """Return an independent copy, including the turns that `undo` can take back."""
        twin = object.__new__(type(self))
        for slot in (*_state_slots(type(self)), *_KEPT):
            setattr(twin, slot, _copy(getattr(self, slot)))
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def _remember(self) -> list[str]:
        """Save the state for `undo`; return an empty list, to which the caller adds the turns that follow."""
        turns: list[str] = []
        self._past.append(([_copy(getattr(self, slot)) for slot in _state_slots(type(self))], turns))
        self._actions = None
        return turns

    # Random turns.

    def legal_count(self) -> int:
        """Return the number of legal turns."""
        return len(self.legal_turns())

    def random_turn(self, rng: Random) -> str:
        """Return a random legal turn, uniformly distributed: ``legal_turns()[rng.randrange(legal_count())]``.

        Raises ArgumentError after the end of the game.
        """
        legal = self.legal_turns()
        if not legal:
            raise ArgumentError("the game is over: there is no turn to draw")
        return legal[rng.randrange(len(legal))]

    def playout(self, rng: Random, plies: int | None = None) -> Outcome | None:
        """Play random turns to the end of the game, but at most `plies`; return the outcome, or None.

        The turns are those that `random_turn` would draw from the same generator. A kernel plays them if the game has
        one.
        """
        most = sys.maxsize if plies is None else plies
        if self._outcome is not None or most <= 0:
            return self._outcome
        # Imported here because the kernels depend on this module.
        if not import_module("hexrec.rules.kernels").play_out(self, rng, most):
            while self._outcome is None and most:
                self.play(self.random_turn(rng))
                most -= 1
        return self._outcome

    def as_numbers(self) -> tuple[list[tuple[int, int]], int, bool, int]:
        """Return the state of a game in progress as the arguments of `Kernel.start`."""
        contents = self.contents()
        stacks = [(cell, contents[cell]) for cell in self.board.cells if contents[cell]]
        return stacks, self._side, self._passed, -1 if self._last is None else self._last

    def go_to(self, turns: list[str], state: State, *, is_over: bool, outcome: Outcome | None) -> None:
        """Take over the turns that a kernel played from this position, and its state after them.

        Compute the outcome of a game that is over if the kernel could not (None).
        """
        self._remember().extend(turns)
        self.plies += len(turns)
        contents, self._side, self._passed, last = state
        self._last = None if last < 0 else last
        stacks = ((cell, contents[cell]) for cell in self.board.cells)
        self._set_stones({cell: Stack(1 - content % 2, (content + 1) // 2) for cell, content in stacks if content})
        self._outcome = self._passed_out() if is_over and outcome is None else outcome

    # Actions.

    @property
    def action_space(self) -> int:
        """The number of actions: one for each cell, and one that ends the turn or passes."""
        return len(self.board.cells) + 1

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; an empty list after the end of the game.

        A turn is entered as the cells that it names, one action each. The last action is a pass; it also ends a turn to
        which another cell could be added.
        """
        end = self.action_space - 1
        return sorted({left[0] if left else end for left in self._turns_by_actions()})

    def play_action(self, action: int) -> None:
        """Enter an action, and play the turn that it completes, if any. Raises ArgumentError if the action is illegal.

        An incomplete turn does not change the position. `play` and `undo` drop it.
        """
        end = self.action_space - 1
        turns = self._turns_by_actions()
        chosen = {left[1:]: turn for left, turn in turns.items() if (left[0] if left else end) == action}
        if not chosen:
            raise ArgumentError(f"action {action} is not legal here: see legal_actions()")
        if chosen.keys() == {()}:
            self.play(chosen[()])
        else:
            self._actions = chosen

    def _turns_by_actions(self) -> dict[tuple[int, ...], str]:
        if self._actions is None:
            place = {cell: number for number, cell in enumerate(self.board.cells)}
            turns = self.legal_turns()
            self._actions = {tuple([place[cell] for cell in self.names.cells_in(turn)]): turn for turn in turns}
        return self._actions

    # Special methods.

    def __eq__(self, other: object) -> bool:
        """Return whether every sequence of turns has the same results from both positions."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._outcome == other._outcome and self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        state = "over" if self.is_over else f"{self.turn} to play"
        return f"<{self.game.name} size {self.board.size}, after {self.plies} turns, {state}>"

    def __str__(self) -> str:
        """Return the board as `hexrec show` draws it in a file."""
        # Imported here because the drawing depends on this module.
        drawn: str = import_module("hexrec.render.text").draw(self)
        return drawn

    def _repr_svg_(self) -> str | None:
        """Return the picture that notebooks show."""
        picture: str | None = import_module("hexrec.render").notebook_picture(self)
        return picture

    # The methods that every engine defines.

    @abstractmethod
    def _parse(self, turn: str) -> Move:
        """Return the move for a turn. Raises IllegalTurn if the turn is malformed or names a cell off the board."""

    @abstractmethod
    def _refusal(self, move: Move) -> IllegalTurn | None:
        """Return the refusal of a move in a game in progress, with the rule that it breaks; None if it is legal."""

    @abstractmethod
    def _execute(self, move: Move) -> Outcome | None:
        """Carry out a legal move other than a pass; return the outcome if it ends the game.

        The caller then updates the side to move, the passes and the number of turns.
        """

    @abstractmethod
    def _moves(self) -> Iterable[Move]:
        """Yield every legal move of a game in progress; repetitions are allowed."""

    @abstractmethod
    def _text(self, move: Move) -> str:
        """Return the canonical turn for a legal move."""

    # The methods that some engines override.

    def _wording(self, code: str, move: Move) -> str:
        """Return the message for a move that `_illegal` refused with a code in this position."""
        raise NotImplementedError

    def _parts(self, move: Move) -> TurnParts:
        """Return the parts by which a player enters a legal move, by default the cells that its turn names."""
        return tuple((cell,) for cell in self.names.cells_in(self._text(move)))

    def _set_up(self, stones: Mapping[int, Stack]) -> None:
        """Create the engine's own state. `_stones` is set already; `stones` adds the heights."""

    def _take_field_values(self, values: tuple[str, ...]) -> None:
        """Set the state for the values of the game's own fields in a position text, after `_set_up`."""

    def _setup_fault(self) -> SetupFault | None:
        """Return the reason why no game can continue from this setup: it is over, or impossible."""
        return None

    def _passed_out(self) -> Outcome:
        """Return the outcome after two passes in a row. Called only in games with a pass."""
        raise NotImplementedError

    def _canonical_move(self, move: Move) -> Move:
        """Return the canonical one of all legal moves with the same effect; see `Game.synonyms`."""
        return move

    def _height(self, cell: int) -> int:  # noqa: ARG002
        """Return the height of the stack on an occupied cell."""
        return 1

    def _turn_effects(self, move: Move) -> Iterable[Annotation]:
        """Yield the effects of a legal move on the board. Override it to name them in the terms of the game."""
        after = self.copy()
        after.play(self._text(move))
        old, new = self.stacks(), after.stacks()
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

    # Helpers for engines.

    def _legal_move(self, turn: str) -> Move:
        """Return the move for a turn. Raises IllegalTurn if the turn is illegal in this position."""
        if self._outcome is not None:
            winner, turns = self._outcome.winner, pluralize(self.plies, "turn")
            how = "in a draw" if winner == "draw" else f"with {ending(winner)}"
            raise IllegalTurn("move/game-over", f"the game ended {how} after {turns}: no turn may follow")
        move = self._parse(turn)
        refusal = self._refusal(move)
        if refusal is not None:
            # A new one, because an exception in a variable of its own frame would keep all turns in memory. The message
            # is made now, before the position changes.
            raise IllegalTurn(refusal.code, refusal.message)
        return move

    def _cells(self, turn: str) -> tuple[str, list[int]]:
        """Return a turn in lower case without whitespace, and the cells that it names. Raises IllegalTurn."""
        return self.game.read_turn(turn, self.names, self.board)

    def _list(self, cells: Iterable[int]) -> str:
        """Return the names of cells for a message: ``e5, e6 and f6``."""
        return join_words([self.names.names[cell] for cell in sorted(cells)])

    def _illegal(self, code: str, move: Move) -> IllegalTurn:
        """Return the refusal of a move; `_wording` makes the message on first access."""
        return IllegalTurn(code, partial(self._wording, code, move))

    def _occupied_error(self, cell: int) -> IllegalTurn:
        """Return the refusal of a placement on an occupied cell."""
        whose = "your own" if self._stones[self._side] & BIT[cell] else "an enemy"
        return IllegalTurn(
            "move/occupied",
            lambda: f"{self.names.names[cell]} is occupied by {whose} {self.game.piece}: place on an empty cell",
        )


class CellPosition(Position[int]):
    """Position of a game in which a move is a cell or PASS.

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
        """See `Position.legal_count`."""
        return 0 if self._outcome is not None else len({*self._moves()})

    def _text(self, move: int) -> str:
        return "pass" if move == PASS else self.names.names[move]


@cache
def _state_slots(engine: type[Position[Any]]) -> tuple[str, ...]:
    """Return the names of the attributes that make up the state of an engine."""
    slots: list[Any] = [slot for cls in engine.__mro__ for slot in getattr(cls, "__slots__", ())]
    return tuple(slot for slot in slots if slot not in _KEPT)


def _copy(value: object) -> object:
    return value.copy() if isinstance(value, list | dict | set) else value
