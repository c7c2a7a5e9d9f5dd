"""`Position`: a position of a game as users and the rest of hexrec see it, with strings for turns and names for cells.

The rules are those of its `Grid`. A game subclasses `Position` for its words: the messages about illegal turns, the
explanation of the outcome, and the features that pictures highlight.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, Any, Self

from hexrec.errors import ArgumentError
from hexrec.rules import actions
from hexrec.rules.board import Board, CellNames, System
from hexrec.rules.cells import Cells
from hexrec.rules.description import Description
from hexrec.rules.grid import LEGAL, PASS, UNREAD, array
from hexrec.rules.position_text import PositionText
from hexrec.rules.terms import PLAYERS, Annotation, IllegalSetup, IllegalTurn, Outcome, Score, Stack
from hexrec.rules.view import PositionView, TurnParts
from hexrec.util.escaping import shorten
from hexrec.util.hashing import blake2b

if TYPE_CHECKING:
    from random import Random

    import numpy as np
    from numpy.typing import NDArray


class Position(PositionView):
    """Position of a game with the turns that led to it. Users get positions from `Game.start`.

    Attributes:
        game: the description of the game.
        board: the geometry.
        names: the names of the cells in the chosen coordinate system.
        ruleset: the name of the ruleset.
        grid: the rules, and the position in numbers.
    """

    __slots__ = ("_entry", "_past")

    def __init__(self, game: Description, board: Board, names: CellNames, ruleset: str, grid: Any) -> None:
        super().__init__(game, board, names, ruleset, grid)
        # The turns, grouped by the call that played them, each group with the position before it.
        self._past: list[tuple[list[Cells], list[str]]] = []
        # The turn that is entered by actions; None before its legal moves are listed.
        self._entry: actions.TurnEntry | None = None

    def set_up(self, setup: PositionText) -> None:
        """Set up the position of a position text on the empty board. Raises IllegalSetup if no game can go on there."""
        grid = self.grid
        for cell, stack in setup.stones.items():
            grid.put(cell, stack.color, stack.height)
        fields = zip(self.game.position_fields, setup.values, strict=True)
        grid.set_fields([field.values.index(value) for field, value in fields])
        grid.side = setup.side
        fault = grid.fault()
        if fault != LEGAL:
            cell = grid.fault_cell()
            code = self._code(fault)
            raise IllegalSetup(code, self._setup_wording(code, cell), setup.columns.get(cell, setup.side_column))
        if setup.passes:
            # A pass changes no stones, so it was legal if it is legal now.
            grid.side = 1 - setup.side
            fault = grid.code(PASS)
            if fault != LEGAL:
                refusal = self._wording(self._code(fault), PASS)
                message = f"the setup has a pass by {PLAYERS[grid.side]}, which is not legal here: {refusal}"
                raise IllegalSetup("setup/pass", message, setup.passes_column)
            grid.side = setup.side
            grid.passed = True

    # Turns.

    def play(self, turn: str) -> None:
        """Play a turn. Raises IllegalTurn if it is illegal; the position is then unchanged."""
        self.play_all((turn,))

    def play_all(self, turns: Iterable[str]) -> None:
        """Play turns in order. Raises IllegalTurn at the first illegal turn, after playing the turns before it."""
        turns, grid = list(turns), self.grid
        played = self._remember()
        try:
            while True:
                start, before = len(played), grid.plies
                code = grid.play_all(turns, start)
                played += turns[start : start + grid.plies - before]
                if code == LEGAL:
                    break
                # The turn is illegal, or not in canonical form.
                move = self._legal_move(turns[len(played)])
                grid.play(move)
                played.append(grid.write(move))
        finally:
            if not played:
                self._past.pop()

    def is_legal(self, turn: str) -> bool:
        """Return whether a turn is legal."""
        try:
            legal: bool = self.grid.code(self._move(turn)) == LEGAL
        except IllegalTurn:
            return False
        return legal

    def canonical(self, turn: str) -> str:
        """Return the canonical form of a legal turn. Raises IllegalTurn if it is illegal."""
        text: str = self.grid.write(self._legal_move(turn))
        return text

    def legal_turns(self) -> list[str]:
        """Return all legal turns in canonical form, sorted; an empty list after the end of the game."""
        turns: list[str] = [] if self.is_over else self.grid.legal_turns()
        return turns

    def legal_count(self) -> int:
        """Return the number of legal turns."""
        return 0 if self.is_over else int(self.grid.count_moves())

    def after_turns(self) -> list[tuple[str, TurnParts, dict[int, Stack | None]]]:
        """Return each legal turn, sorted, with its parts and the cells that it changes, with their stacks after it."""
        grid, before = self.grid, self.contents()
        saved = grid.save()
        found = []
        for move in self._moves():
            parts = self._parts(move)
            grid.play(move)
            after = grid.contents()
            changed = {cell: _stack(after[cell]) for cell in self.board.cells if after[cell] != before[cell]}
            grid.restore(saved)
            found.append((grid.write(move), parts, changed))
        return found

    def turn_effects(self, turn: str) -> tuple[Annotation, ...]:
        """Return the effects of a turn on the board, part by part. Raises IllegalTurn if the turn is illegal."""
        return tuple(effect for effect in self._turn_effects(self._legal_move(turn)) if effect.cells)

    @property
    def turns(self) -> list[str]:
        """The turns played, in canonical form."""
        return [*chain.from_iterable(turns for _, turns in self._past)]

    def undo(self) -> str:
        """Undo the last turn and return it. Raises ArgumentError if no turn has been played."""
        if not self._past:
            raise ArgumentError("no turn has been played on this position: play one before you take it back")
        saved, (*before, last) = self._past.pop()
        self.grid.restore(saved)
        self._entry = None
        for turn in before:
            self.play(turn)
        return last

    def score(self) -> Score | None:
        """Return the score if the game ended now, by color; None in games without a score."""
        grid = self.grid
        if self.game.score is None:
            return None
        saved = grid.save()
        if not self.is_over:
            grid.finish()
        outcome = self.result()
        grid.restore(saved)
        return outcome.score if outcome else None

    # Random turns.

    def random_turn(self, rng: Random) -> str:
        """Return a random legal turn, uniformly distributed: ``legal_turns()[rng.randrange(legal_count())]``.

        Raises ArgumentError after the end of the game.
        """
        if self.is_over:
            raise ArgumentError("the game is over: there is no turn to draw")
        turn: str = self.grid.write(self.grid.move_at(rng.randrange(self.grid.count_moves())))
        return turn

    def playout(self, rng: Random, plies: int | None = None) -> Outcome | None:
        """Play random turns to the end of the game, but at most `plies`; return the outcome, or None.

        The turns are those that `random_turn` would draw from the same generator.
        """
        played = self._remember()
        self.grid.play_random(rng.randrange, sys.maxsize if plies is None else plies, played)
        if not played:
            self._past.pop()
        return self.result()

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
        return self._begin_entry().legal(self.board)

    def play_action(self, action: int) -> None:
        """Enter an action, and play the turn that it completes, if any. Raises ArgumentError if the action is illegal.

        An incomplete turn does not change the position. `play` and `undo` drop it.
        """
        entry = self._begin_entry().enter(self.board, action)
        move = entry.move()
        if move is None:
            self._entry = entry
        else:
            self.play(self.grid.write(move))

    def action_symmetries(self) -> list[list[int]]:
        """Return the image of each action under each symmetry of the board, the identity first."""
        return actions.symmetries(self.board)

    def planes(self) -> NDArray[np.float32]:
        """Return the position as seen by the side to move: a NumPy array of 5 planes by rows by columns.

        Rows and columns are axial coordinates: the row of a cell and its place there, so that all cells have their
        neighbors in the same six directions. Entries off the board are 0 in the first four planes:

        0. heights of the stacks of the side to move, 1 for a stone;
        1. heights of the stacks of the other side;
        2. 1 for each cell of the board;
        3. 1 for each cell that was entered in an unfinished turn by `play_action`;
        4. 1 everywhere if the last turn was a pass, else 0.

        Raises MissingExtraError if NumPy is not installed.
        """
        return actions.planes(self.board, self.grid, self._entry)

    def _begin_entry(self) -> actions.TurnEntry:
        if self._entry is None:
            self._entry = actions.begin(self.grid, self._moves())
        return self._entry

    def hash(self) -> int:
        """Return a 64-bit hash, which is the same for equal positions in all processes and on all machines."""
        return int.from_bytes(blake2b(self._key().encode(), digest_size=8).digest(), "big")

    def _key(self) -> str:
        """Return a string that is equal for equal positions."""
        rules = " ".join([self.ruleset, *self.grid.readings])
        return f"{self.game.name} {self.grid.variant} {rules} {self.is_over} {self.text()}"

    # Special methods.

    def copy(self) -> Self:
        """Return an independent copy, including the turns that `undo` can take back."""
        grid = type(self.grid)(self.grid.tables, self.grid.variant)
        grid.readings = self.grid.readings
        grid.restore(self.grid.save())
        twin = type(self)(self.game, self.board, self.names, self.ruleset, grid)
        twin._past = self._past.copy()
        twin._entry = self._entry
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        past = [([[*part] for part in saved], turns) for saved, turns in self._past]
        parts = self.game, self.board.size, self.names.system, self.ruleset, self.grid, past
        return _restore, (type(self), *parts)

    def __eq__(self, other: object) -> bool:
        """Return whether every sequence of turns has the same results from both positions."""
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    # Helpers.

    def _remember(self) -> list[str]:
        """Save the position for `undo`; return an empty list, to which the caller adds the turns that follow."""
        turns: list[str] = []
        self._past.append((self.grid.save(), turns))
        self._entry = None
        return turns

    def _moves(self) -> list[int]:
        """Return the legal moves, in the order of their strings; an empty list after the end of the game."""
        moves: list[int] = [] if self.is_over else self.grid.moves()
        return moves

    def _move(self, turn: str) -> int:
        """Return the move that a turn means, legal or not. Raises IllegalTurn if it is malformed or off the board."""
        move: int = self.grid.read(turn)
        if move == UNREAD:
            text, _ = self.game.read_turn(turn, self.names, self.board)
            move = self.grid.read(text)
            if move == UNREAD:
                game = self.game
                message = f'"{shorten(text)}" is not a turn of {game.title}: a turn is {game.turn_help}'
                raise IllegalTurn("move/malformed", message)
        return move

    def _legal_move(self, turn: str) -> int:
        """Return the canonical move for a turn. Raises IllegalTurn if the turn is illegal in this position."""
        move = PASS if self.is_over else self._move(turn)
        code = self.grid.code(move)
        if code != LEGAL:
            name = self._code(code)
            # The message is made now, before the position changes.
            raise IllegalTurn(name, self._wording(name, move))
        canonical: int = self.grid.canonical(move)
        return canonical


def _restore(kind: type[Position], game: Any, size: int, system: System, *rest: Any) -> Position:
    """Return the position with the parts that `Position.__reduce__` gives."""
    ruleset, grid, past = rest
    board = game.board(size)
    position = kind(game, board, board.names(system), ruleset, grid)
    position._past = [([array(part) for part in saved], turns) for saved, turns in past]
    return position


def _stack(content: int) -> Stack | None:
    """Return the stack that a content of a cell stands for; see `Position.contents`."""
    return Stack((content + 1) % 2, (content + 1) // 2) if content else None
