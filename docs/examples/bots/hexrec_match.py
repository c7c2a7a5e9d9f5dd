"""A game of hexrec between two players, from its opening on, in actions: the common part of the adapters.

By the pie rule, player 0 sets the opening stones, and player 1 chooses a color. Without opening stones, as in Sunspot,
player 1 chooses after the first turn. Without the pie rule, chance sets the stones, and player 0 has Black.
"""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import numpy as np

import hexrec

#: The player that sets the opening stones without the pie rule.
CHANCE = -1


class Match:
    """A game in progress.

    The actions are those of `Position.legal_actions`. An opening stone is the action of its cell. By the pie rule,
    there is one more action: with the last two, player 1 chooses White or Black.

    Attributes:
        num_actions: the number of actions.
        position: the position once all opening stones are set; None before.
    """

    def __init__(self, game: str, size: int | None = None, variant: str | None = None, *, pie: bool = False) -> None:
        """Begin a game before its opening; `size` is the recommended one unless it is given."""
        self._rules = hexrec.games.get(game)
        self._size = size or self._rules.usual_size()
        self._variant = variant
        self._pie = pie
        example = self._start(self._rules.random_opening(Random(0), self._size))
        self._cells = example.board.cells
        self._names = example.names
        self._board = example.planes()[2]
        self.num_actions = example.action_space + pie
        self._to_choose = pie
        self._black = 0
        self._opening: list[int] = []
        self._unfinished: list[int] = []
        self.position = None if self._rules.opening else example

    def _start(self, opening: dict[str, str]) -> hexrec.Position:
        return self._rules.start(self._size, opening, self._variant)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.position is not None and self.position.is_over

    @property
    def is_choice(self) -> bool:
        """Whether player 1 has to choose a color."""
        plies = 0 if self._rules.opening else 1
        return self._to_choose and self.position is not None and self.position.plies == plies

    @property
    def player(self) -> int:
        """The player to act, or CHANCE; undefined after the end."""
        if self.position is None:
            return 0 if self._pie else CHANCE
        if self.is_choice:
            return 1
        return self._black if self.position.turn == "black" else 1 - self._black

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order."""
        if self.position is None:
            return [action for action in range(len(self._cells)) if action not in self._opening]
        if self.is_choice:
            return [self.num_actions - 2, self.num_actions - 1]
        return self.position.legal_actions()

    def play_action(self, action: int) -> None:
        """Carry out an action. Raises ValueError if it is illegal."""
        if self.position is not None and not self.is_choice:
            plies = self.position.plies
            self.position.play_action(action)
            self._unfinished = [*self._unfinished, action] if self.position.plies == plies else []
            return
        if action not in self.legal_actions():
            raise ValueError(f"action {action} is not legal here: see legal_actions()")
        if self.position is not None:
            self._to_choose = False
            self._black = action - self.num_actions + 2
            return
        self._opening.append(action)
        colors = self._rules.opening
        if len(self._opening) == len(colors):
            self.position = self._start(dict(zip(colors, map(self.name, self._opening), strict=True)))

    def name(self, action: int) -> str:
        """Return the name of an action: that of its cell, ``end``, or ``black`` for the choice of Black."""
        if action < len(self._cells):
            return self._names.single(self._cells[action])
        return "end" if action == len(self._cells) else "black"

    def returns(self) -> list[float]:
        """Return 1 for the player who has won and -1 for the other; two zeros for a draw or before the end."""
        outcome = self.position.result() if self.position is not None else None
        if outcome is None or outcome.winner == "draw":
            return [0.0, 0.0]
        winner = self._black if outcome.winner == "black" else 1 - self._black
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def planes(self) -> Any:
        """Return the planes of a position; by the pie rule a sixth too, 1 everywhere until a color is chosen."""
        if self.position is not None:
            planes = self.position.planes()
        else:
            planes = np.zeros((5, *self._board.shape), np.float32)
            planes[2] = self._board
            rows, columns = np.nonzero(self._board)
            for plane, action in enumerate(self._opening):
                planes[plane, rows[action], columns[action]] = 1
        if self._pie:
            planes = np.concatenate([planes, np.full_like(planes[:1], self._to_choose)])
        return planes

    def copy(self) -> Match:
        """Return an independent copy."""
        twin = copy.copy(self)
        twin._opening = self._opening.copy()
        twin.position = self.position.copy() if self.position is not None else None
        return twin

    def __deepcopy__(self, memo: object) -> Match:
        return self.copy()

    def __str__(self) -> str:
        """Return a string that is different for different states of a game."""
        board = "opening" if self.position is None else self.position.text()
        actions = map(self.name, self._opening + self._unfinished)
        return " ".join([board, str(self._black), str(self._to_choose), *actions])
