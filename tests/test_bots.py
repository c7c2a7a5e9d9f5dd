"""The bot beats random turns; the adapters pass the tests of PettingZoo and OpenSpiel."""

from __future__ import annotations

import warnings
from random import Random

import hexrec_uct
import numpy as np
import pytest

import hexrec


@pytest.mark.parametrize(("game", "size"), [("frasvel", 3), ("nadraz", 4)])
def test_the_bot_beats_random_turns(game: str, size: int) -> None:
    results = [hexrec_uct.play(game, size, 40, Random(seed)).result() for seed in range(3)]
    assert sum(result is not None and result.winner == "black" for result in results) >= 2


@pytest.mark.parametrize("game", hexrec.games.names())
def test_pettingzoo(game: str) -> None:
    pytest.importorskip("pettingzoo")
    from hexrec_pettingzoo import HexrecEnv
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(HexrecEnv(game, 4), num_cycles=100)
    env = HexrecEnv(game, 4)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(5000):
        observation, reward, terminated, _, _ = env.last()
        rewards[agent] += reward
        env.step(None if terminated else rng.choice(np.flatnonzero(observation["action_mask"])))
    assert sorted(rewards.values()) in ([-1, 1], [0, 0])


@pytest.mark.parametrize("game", hexrec.games.names())
def test_openspiel(game: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import hexrec_openspiel

    loaded = pyspiel.load_game(f"hexrec(game={game},size=4,seed=3)")
    assert isinstance(loaded, hexrec_openspiel.HexrecGame)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False)
    state, rng = loaded.new_initial_state(), Random(1)
    while not state.is_terminal():
        clone = state.clone()
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        clone.apply_action(action)
        assert str(clone) == str(state)
    assert sum(state.returns()) == 0
