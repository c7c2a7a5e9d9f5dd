"""The calls for programs that play games: turns taken back, random turns and playouts, hashes, actions as integers."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, Self

from hexrec.errors import ArgumentError, UnknownNameError
from hexrec.rules import turn_text
from hexrec.rules.board import BIT, Board, CellNames
from hexrec.rules.description import Description
from hexrec.rules.terms import COLORS, Outcome, Stack, Stone
from hexrec.util.escaping import shorten

#: The attributes of a position that no turn changes, and those that are not part of its state.
_KEPT = {"_actions", "_past", "board", "game", "names", "ruleset", "variant"}


class PlayedOut(NamedTuple):
    """The end of a playout by a kernel.

    Attributes:
        turns: the turns.
        contents: the content of each cell, as `Position.contents` has it.
        side: whose turn it is, by number.
        passed: whether the last turn was a pass.
        last: the color that placed the last stone, by number; -1 for none, and where it does not matter.
        is_over: whether the game has ended.
        outcome: how; None while it goes on, and where only the engine can say it.
    """

    turns: list[str]
    contents: list[int]
    side: int
    passed: bool
    last: int
    is_over: bool
    outcome: Outcome | None


class Playable(ABC):
    """The part of `Position` that is built on the rest: nothing here knows a rule."""

    __slots__ = (
        "_actions",
        "_last",
        "_outcome",
        "_passed",
        "_past",
        "_side",
        "_stones",
        "board",
        "game",
        "names",
        "plies",
        "ruleset",
        "variant",
    )

    game: Description
    board: Board
    names: CellNames
    variant: str | None
    ruleset: str
    plies: int
    _side: int
    _passed: bool
    _outcome: Outcome | None
    _stones: list[int]
    _last: int | None
    #: The turns, by the calls that played them, each time with the state before the first of them.
    _past: list[tuple[list[object], list[str]]]
    #: The legal turns that begin with the actions taken so far, by the actions that they still need; None if unknown.
    _actions: dict[tuple[int, ...], str] | None

    # The methods that Position defines.

    @abstractmethod
    def play(self, turn: str) -> None:
        """Execute a turn."""

    @abstractmethod
    def legal_turns(self) -> list[str]:
        """Return the canonical texts of all legal turns, sorted."""

    @abstractmethod
    def stacks(self) -> dict[int, Stack]:
        """Return the stacks on the board, by number of cell."""

    @abstractmethod
    def contents(self) -> list[int]:
        """Return the content of each cell."""

    @abstractmethod
    def field_values(self) -> tuple[str, ...]:
        """Return the values of the game's own fields of position texts."""

    @abstractmethod
    def _set_up(self, stones: Mapping[int, Stack]) -> None:
        """Create the state beyond `_stones`."""

    @abstractmethod
    def _passed_out(self) -> Outcome:
        """Return the outcome of a game that two passes in a row have ended."""

    # The board.

    @property
    def stones(self) -> dict[str, Stone]:
        """The stacks on the board, by the name of the cell."""
        return {self.names.single(cell): _stone(stack) for cell, stack in self.stacks().items()}

    def __getitem__(self, name: str) -> Stone | None:
        """Return the stack on a cell, None if it is empty. Raises UnknownNameError for a name that no cell has."""
        cell = self.names.find(name)
        if cell is None:
            raise UnknownNameError(f"{shorten(name)} is not a cell of a board of size {self.board.size}")
        stack = self.stacks().get(cell)
        return stack and _stone(stack)

    def hash(self) -> int:
        """Return a number of 64 bits that is the same for equal positions, in every process and on every machine."""
        state = f"{self.game.name} {self.board.size} {self.variant} {self.ruleset} {self._side} {self._passed} "
        fields = " ".join(self.field_values())
        state += f"{fields} {self._outcome is None} {self._stones[0]:x} {self._stones[1]:x} "
        content = state.encode() + (self._heights_key() if self.game.has_stacks else b"")
        return int.from_bytes(blake2b(content, digest_size=8).digest(), "big")

    def _heights_key(self) -> bytes:
        """Return the heights of all stacks. Override it where that takes less time."""
        return repr([stack.height for _, stack in sorted(self.stacks().items())]).encode()

    # Turns played.

    @property
    def turns(self) -> list[str]:
        """The turns played, in their canonical spelling."""
        return [turn for _, turns in self._past for turn in turns]

    def undo(self) -> str:
        """Take back the last turn, and return it. Raises ValueError if none has been played."""
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
        """Return an independent position in the same state, with the same turns to take back."""
        twin = object.__new__(type(self))
        for slot in (*_state_slots(type(self)), *_KEPT):
            setattr(twin, slot, _copy(getattr(self, slot)))
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def _remember(self) -> list[str]:
        """Return a list for the turns that are played next, which `undo` can take back to the present state."""
        turns: list[str] = []
        self._past.append(([_copy(getattr(self, slot)) for slot in _state_slots(type(self))], turns))
        self._actions = None
        return turns

    # Random turns.

    def legal_count(self) -> int:
        """Return the number of legal turns."""
        return len(self.legal_turns())

    def random_turn(self, rng: Random) -> str:
        """Return a legal turn, each as likely as the others: `legal_turns()` at the place `rng.randrange` gives.

        Raises ValueError once the game is over.
        """
        legal = self.legal_turns()
        if not legal:
            raise ArgumentError("the game is over: there is no turn to draw")
        return legal[rng.randrange(len(legal))]

    def playout(self, rng: Random, plies: int | None = None) -> Outcome | None:
        """Play random turns, at most `plies` of them, to the end of the game, and return the outcome.

        Equal generators give equal games, those of `random_turn`. Where the game has a kernel, it plays.
        """
        most = sys.maxsize if plies is None else plies
        if self._outcome is not None or most <= 0:
            return self._outcome
        # At run time only: kernels are built on this module.
        played = import_module("hexrec.rules.kernels").play_out(self, rng, most)
        if played is not None:
            self._go_to(played)
        while played is None and self._outcome is None and most:
            self.play(self.random_turn(rng))
            most -= 1
        return self._outcome

    def as_numbers(self) -> tuple[list[tuple[int, int]], int, bool, int]:
        """Return the state of an unfinished game as kernels take it: see `Kernel.start`."""
        contents = self.contents()
        stacks = [(cell, contents[cell]) for cell in self.board.cells if contents[cell]]
        return stacks, self._side, self._passed, -1 if self._last is None else self._last

    def _go_to(self, played: PlayedOut) -> None:
        """Take over the turns that a kernel has played from here, with the position after them."""
        self._remember().extend(played.turns)
        self._side, self._passed = played.side, played.passed
        self._last = None if played.last < 0 else played.last
        self.plies += len(played.turns)
        stacks: dict[int, Stack] = {}
        self._stones = [0, 0]
        for cell in self.board.cells:
            content = played.contents[cell]
            if content:
                color = 1 - content % 2
                stacks[cell] = Stack(color, (content + 1) // 2)
                self._stones[color] |= BIT[cell]
        self._set_up(stacks)
        self._outcome = played.outcome
        if played.is_over and played.outcome is None:
            self._outcome = self._passed_out()

    # Actions.

    @property
    def action_space(self) -> int:
        """How many actions there are: one for each cell, and the last, which ends the turn or passes."""
        return len(self.board.cells) + 1

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none once the game is over.

        A turn is entered as the cells that its text names, one action each. If a turn could end before the next cell,
        or is a pass, the last action ends it.
        """
        end = self.action_space - 1
        return sorted({left[0] if left else end for left in self._turns_by_actions()})

    def play_action(self, action: int) -> None:
        """Enter an action; when that completes a turn, play it. Raises ValueError if it is not legal.

        Until then `turn` and everything else stay as they are. `play` and `undo` drop an unfinished turn.
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
            cells = {turn: turn_text.cells_named(turn, self.names) for turn in self.legal_turns()}
            self._actions = {tuple([place[cell] for cell in named]): turn for turn, named in cells.items()}
        return self._actions


@cache
def _state_slots(engine: type[Playable]) -> tuple[str, ...]:
    """Return the names of the attributes that are the state of an engine's positions."""
    slots: list[Any] = [slot for cls in engine.__mro__ for slot in getattr(cls, "__slots__", ())]
    return tuple(slot for slot in slots if slot not in _KEPT)


def _copy(value: object) -> object:
    return value.copy() if isinstance(value, list | dict | set) else value


def _stone(stack: Stack) -> Stone:
    return Stone(COLORS[stack.color], stack.height)
