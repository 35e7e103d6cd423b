"""The network that is shipped: small, with a note where it comes from, blind to what is hidden, and strong."""

import numpy as np
import pytest
import torch

from zamek_agents import make_agent
from zamek_agents.analysis.judging import Judge
from zamek_agents.arena.comparison import compare
from zamek_agents.arena.sets import line_up
from zamek_agents.ppo.policy import load_policy
from zamek_agents.pretrained import find_shipped
from zamek_env import Game
from zamek_env.ruleset import get_ruleset

torch.set_num_threads(1)  # several tests may run at once


def test_the_weights_are_small_and_say_where_they_come_from():
    path = find_shipped("ppo", get_ruleset("zamek"))
    _, about = load_policy(path)
    assert path.stat().st_size < 500_000
    assert about["ruleset"] == "zamek" and about["seconds"] > 0 and about["imitated"] > 0
    assert about["command"].startswith("zamek train") and about["arguments"]["seed"] >= 0


def test_it_leaves_the_threads_of_torch_alone(monkeypatch):
    used, game, rng = [], Game(seed=3), np.random.default_rng(3)
    agent, plain = make_agent("ppo"), make_agent("ppo")
    due = plain.act(game, rng)
    agent.act(game, rng)
    features = agent._policy.features_extractor
    score = features.score
    monkeypatch.setattr(features, "score", lambda seen: used.append(torch.get_num_threads()) or score(seen))
    torch.set_num_threads(2)
    try:
        assert make_agent("ppo").act(game, rng) == agent.act(game, rng) == due
        assert used == [1] and torch.get_num_threads() == 2
        monkeypatch.setattr(features, "score", None)
        with pytest.raises(TypeError):
            agent.act(game, rng)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(1)


@pytest.mark.long
def test_it_beats_the_greedy_player():
    (pairing,) = line_up([make_agent("ppo"), make_agent("greedy")], seed=1)
    assert compare(pairing.play(20)).win_rate > 0.6


def test_a_ruleset_without_weights_is_named():
    message = "no weights of the agent .ppo. are shipped for the ruleset .carcassonne-demo., only for "
    message += "carcassonne, sokol, zamek; learn"
    with pytest.raises(ValueError, match=message):
        make_agent("ppo").act(Game("carcassonne-demo", seed=0), np.random.default_rng(0))


@pytest.mark.compiles
@pytest.mark.parametrize("table", [{"players": 3}, {"rules": {"draw_ahead": True}}])
def test_it_names_who_judges_the_games_that_it_does_not_know(table):
    game = Game("carcassonne", 1, **table)
    known = "games of two players without house rules only; value, expectimax and mcts know all others too"
    with pytest.raises(ValueError, match=f"^the agent 'ppo' knows {known}$"):
        Judge(make_agent("ppo")).find_regret(game, game.legal_actions()[0], (0, 0))
