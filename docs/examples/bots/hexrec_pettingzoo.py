"""The games of hexrec as PettingZoo environments, in its AEC interface.

An action is a cell of a turn, or its end: see `Position.legal_actions`. An agent is selected again until its turn is
complete. The illegal actions are masked.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

import hexrec


class HexrecEnv(AECEnv):  # type: ignore[misc]
    """A game between the agents ``black`` and ``white``. The reward at its end is 1, -1, or 0 for a draw."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "hexrec_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, game: str, size: int | None = None, variant: str | None = None) -> None:
        """`size` is the recommended one unless it is given."""
        super().__init__()
        self.render_mode = "ansi"
        self._rules = hexrec.games.get(game)
        self._size = size or self._rules.usual_size()
        self._variant = variant
        self.possible_agents = ["black", "white"]
        self._rng = Random()
        self._start()
        observed = self._position.planes()
        mask = spaces.Box(0, 1, (self._position.action_space,), np.int8)
        seen = spaces.Dict({"observation": spaces.Box(0, np.inf, observed.shape, np.float32), "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(self._position.action_space) for agent in self.possible_agents}

    def _start(self) -> None:
        opening = self._rules.random_opening(self._rng, self._size)
        self._position = self._rules.start(self._size, opening, self._variant)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; the seed decides on its opening stones."""
        if seed is not None:
            self._rng.seed(seed)
        self._start()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._position.turn

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the position, and the actions that are legal now."""
        mask = np.zeros(self._position.action_space, np.int8)
        if agent == self.agent_selection:
            mask[self._position.legal_actions()] = 1
        return {"observation": self._position.planes(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Enter an action of the selected agent."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._position.play_action(int(action))
        self._cumulative_rewards[self.agent_selection] = 0
        self.agent_selection = self._position.turn
        outcome = self._position.result()
        if outcome is not None:
            for agent in self.agents:
                self.rewards[agent] = 0.0 if outcome.winner == "draw" else 1.0 if outcome.winner == agent else -1.0
                self.terminations[agent] = True
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the board as text."""
        return str(self._position)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
