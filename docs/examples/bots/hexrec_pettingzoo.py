"""The games of hexrec as PettingZoo environments, in its AEC interface.

An action is a cell of a turn, or its end: see `hexrec_match`. An agent is selected again until its turn is complete.
Illegal actions are masked.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from hexrec_match import CHANCE, Match
from pettingzoo import AECEnv


class HexrecEnv(AECEnv):  # type: ignore[misc]
    """A game between the agents ``player_0`` and ``player_1``. The reward at its end is 1, -1, or 0 for a draw.

    By the pie rule, the agents set the opening stones and choose a color. Otherwise the stones are drawn, and
    ``player_0`` has Black.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "hexrec_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(self, game: str, size: int | None = None, variant: str | None = None, *, pie: bool = False) -> None:
        """`size` is the recommended one unless it is given."""
        super().__init__()
        self.render_mode = "ansi"
        self.possible_agents = ["player_0", "player_1"]
        self._rng = Random()
        self._start = self._match = Match(game, size, variant, pie=pie)
        actions = self._start.num_actions
        mask = spaces.Box(0, 1, (actions,), np.int8)
        planes = spaces.Box(0, np.inf, self._start.planes().shape, np.float32)
        seen = spaces.Dict({"observation": planes, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a game; the seed decides on opening stones that are drawn."""
        if seed is not None:
            self._rng.seed(seed)
        self._match = self._start.copy()
        while self._match.player == CHANCE:
            self._match.play_action(self._rng.choice(self._match.legal_actions()))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._match.player]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the position, and the actions that are legal now."""
        mask = np.zeros(self._match.num_actions, np.int8)
        if agent == self.agent_selection:
            mask[self._match.legal_actions()] = 1
        return {"observation": self._match.planes(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Enter an action of the selected agent."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._match.play_action(int(action))
        self._cumulative_rewards[self.agent_selection] = 0
        self.agent_selection = self.possible_agents[self._match.player]
        if self._match.is_over:
            self.rewards = dict(zip(self.agents, self._match.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str:
        """Return the board as text."""
        position = self._match.position
        return str(self._match if position is None else position)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
