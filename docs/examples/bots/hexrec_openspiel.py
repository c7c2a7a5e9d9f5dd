"""The games of hexrec as a Python game of OpenSpiel.

Importing this module registers it: ``pyspiel.load_game("hexrec(game=sunspot,size=5)")``. An action is a cell of a turn,
or its end, so that a player may act several times in a row: see `hexrec_match`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from hexrec_match import CHANCE, Match

#: Longer games are broken off as draws.
MOST_ACTIONS = 5000
#: A `size` of 0 is the recommended one; chance sets the opening stones unless `pie` is true.
_PARAMETERS = {"game": "sunspot", "size": 0, "variant": "", "pie": False}


def _type(mode: pyspiel.GameType.ChanceMode) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name="hexrec",
        long_name="Games of hexrec",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=mode,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


class HexrecGame(pyspiel.Game):  # type: ignore[misc]
    """A game of hexrec."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """See `pyspiel.Game`."""
        given = {**_PARAMETERS, **(params or {})}
        self.start = Match(given["game"], given["size"] or None, given["variant"] or None, pie=given["pie"])
        has_chance = self.start.position is None and self.start.player == CHANCE
        modes = pyspiel.GameType.ChanceMode
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=self.start.num_actions - 1 if has_chance else 0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(_type(modes.EXPLICIT_STOCHASTIC if has_chance else modes.DETERMINISTIC), info, params or {})

    def new_initial_state(self) -> HexrecState:
        """Return the state before the opening."""
        return HexrecState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> HexrecObserver:  # noqa: ARG002
        """Return what makes arrays of states."""
        return HexrecObserver(self)


class HexrecState(pyspiel.State):  # type: ignore[misc]
    """A match, with the number of its actions."""

    def __init__(self, game: HexrecGame) -> None:
        """Begin a game."""
        super().__init__(game)
        self.match = game.start.copy()
        self._actions = 0

    def current_player(self) -> int:
        """Return the player to act."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        player = self.match.player
        return int(pyspiel.PlayerId.CHANCE) if player == CHANCE else player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cells for an opening stone, with equal probabilities."""
        actions = self.match.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002
        return self.match.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.match.play_action(action)
        self._actions += 1

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002
        return self.match.name(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.match.is_over or self._actions >= MOST_ACTIONS

    def returns(self) -> list[float]:
        """Return 1 for the winner and -1 for the other player."""
        return self.match.returns()

    def __str__(self) -> str:
        return str(self.match)


class HexrecObserver:
    """Makes arrays and strings of states, as OpenSpiel's algorithms read them."""

    def __init__(self, game: HexrecGame) -> None:
        """Make room for the planes of the game's board."""
        shape = game.start.planes().shape
        self.tensor = np.zeros(np.prod(shape), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: HexrecState, player: int) -> None:  # noqa: ARG002
        """Write the planes of a state."""
        self.dict["observation"][:] = state.match.planes()

    def string_from(self, state: HexrecState, player: int) -> str:  # noqa: ARG002
        """Return a state as a string."""
        return str(state)


pyspiel.register_game(_type(pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC), HexrecGame)
