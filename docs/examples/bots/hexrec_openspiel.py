"""The games of hexrec as a Python game of OpenSpiel.

Importing this module registers it: ``pyspiel.load_game("hexrec(game=sunspot,size=5)")``. An action is a cell of a turn,
or its end, so that a player may act several times in a row: see `Position.legal_actions`.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pyspiel

import hexrec

#: Longer games are broken off as draws.
MOST_ACTIONS = 5000
_TYPE = pyspiel.GameType(
    short_name="hexrec",
    long_name="Games of hexrec",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"game": "sunspot", "size": 0, "seed": 0},
)


class HexrecGame(pyspiel.Game):  # type: ignore[misc]
    """A game; its `seed` decides on the opening stones, and a `size` of 0 is the recommended one."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """See `pyspiel.Game`."""
        given = {"game": "sunspot", "size": 0, "seed": 0, **(params or {})}
        rules = hexrec.games.get(given["game"])
        size = given["size"] or rules.usual_size()
        self.start = rules.start(size, rules.random_opening(Random(given["seed"]), size))
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.action_space,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> HexrecState:
        """Return the state before the first turn."""
        return HexrecState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> HexrecObserver:  # noqa: ARG002
        """Return what makes arrays of states."""
        return HexrecObserver(self)


class HexrecState(pyspiel.State):  # type: ignore[misc]
    """A position, with the actions of an unfinished turn."""

    def __init__(self, game: HexrecGame) -> None:
        """Begin a game."""
        super().__init__(game)
        self.position = game.start.copy()
        self.entered: list[int] = []
        self._actions = 0

    def current_player(self) -> int:
        """Return whose turn it is: 0 is Black."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.position.turn == "white")

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        plies = self.position.plies
        self.position.play_action(action)
        self.entered = [*self.entered, action] if self.position.plies == plies else []
        self._actions += 1

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        cells = self.position.board.cells
        return self.position.names.single(cells[action]) if action < len(cells) else "end"

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.is_over or self._actions >= MOST_ACTIONS

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the other player."""
        outcome = self.position.result()
        if outcome is None or outcome.winner == "draw":
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == "black" else [-1.0, 1.0]

    def __str__(self) -> str:
        return f"{self.position.text()} {' '.join(map(str, self.entered))}".rstrip()


class HexrecObserver:
    """Makes arrays and strings of states, as OpenSpiel's algorithms read them."""

    def __init__(self, game: HexrecGame) -> None:
        """Make room for the planes of the game's board."""
        shape = game.start.planes().shape
        self.tensor = np.zeros(np.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: HexrecState, player: int) -> None:  # noqa: ARG002
        """Write the planes of a state."""
        self.dict["observation"][:] = state.position.planes()

    def string_from(self, state: HexrecState, player: int) -> str:  # noqa: ARG002
        """Return a state as a string."""
        return str(state)


pyspiel.register_game(_TYPE, HexrecGame)
