"""The bot beats random turns; the adapters pass the tests of PettingZoo and OpenSpiel."""

from __future__ import annotations

import warnings
from random import Random

import hexrec_uct
import numpy as np
import pytest
from hexrec_match import Match

from hexrec.rules import games
from tests.cases import all_of


@pytest.mark.parametrize(("game", "size"), [("frasvel", 3), ("nadraz", 4)])
def test_the_bot_beats_random_turns(game: str, size: int) -> None:
    results = [hexrec_uct.play(game, size, 40, Random(seed)).result() for seed in range(3)]
    assert sum(result is not None and result.winner == "black" for result in results) >= 2


@all_of("pie", [False, True])
@all_of("game", games.BUILT_IN)
def test_pettingzoo(game: str, pie: bool) -> None:
    pytest.importorskip("pettingzoo")
    from hexrec_pettingzoo import HexrecEnv
    from pettingzoo.test import api_test

    env = HexrecEnv(game, games.get(game).sizes[0], pie=pie)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=100)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    rewards = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(5000):
        observation, reward, terminated, _, _ = env.last()
        rewards[agent] += reward
        env.step(None if terminated else rng.choice(np.flatnonzero(observation["action_mask"])))
    assert sorted(rewards.values()) in ([-1, 1], [0, 0])


@all_of("pie", [False, True])
@all_of("game", games.BUILT_IN)
def test_openspiel(game: str, pie: bool) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import hexrec_openspiel

    loaded = pyspiel.load_game("hexrec", {"game": game, "size": games.get(game).sizes[0], "pie": pie})
    assert isinstance(loaded, hexrec_openspiel.HexrecGame)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)
    state, rng = loaded.new_initial_state(), Random(1)
    assert state.is_chance_node() == (not pie and bool(games.get(game).opening))
    states = set()
    while not state.is_terminal():
        states.add(str(state))
        clone = state.clone()
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        assert str(clone) != str(state)
        clone.apply_action(action)
        assert str(clone) == str(state)
    assert len(states) == len(state.history())
    assert sum(state.returns()) == 0


def test_the_pie_rule_with_an_opening() -> None:
    match = Match("nadraz", 4, pie=True)
    end, black = match.num_actions - 2, match.num_actions - 1
    for cell in (10, 20):
        assert (match.player, match.planes()[5].min()) == (0, 1)
        match.play_action(cell)
        assert cell not in match.legal_actions()
    assert (match.player, match.legal_actions(), match.planes()[5].min()) == (1, [end, black], 1)
    kept = match.copy()
    match.play_action(black)
    kept.play_action(end)
    assert (match.player, kept.player, match.planes()[5].max()) == (1, 0, 0)
    assert match.legal_actions() == kept.legal_actions()
    for each in (match, kept):
        with pytest.raises(ValueError, match="is not legal here"):
            each.play_action(black)
        assert each.position is not None
        each.position.playout(Random(2))
    assert match.returns() == kept.returns()[::-1] != [0, 0]


def test_the_pie_rule_after_the_first_turn() -> None:
    match = Match("sunspot", 4, pie=True)
    assert match.player == 0
    match.play_action(3)
    assert (match.player, match.legal_actions()) == (1, [match.num_actions - 2, match.num_actions - 1])
    match.play_action(match.num_actions - 1)
    assert match.player == 0
    assert match.position is not None
    assert match.position.turn == "white"
