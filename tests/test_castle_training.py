"""Training for castle-cards: advantages, a new network plays like greedy, files, and the command as users run it."""

import json

import numpy as np
import pytest
import torch

from tests.support.rulesets import IS_COMPILED
from zamek_agents import make_agent
from zamek_agents.castle_cards import ppo
from zamek_agents.castle_cards.learner import Network, Rollout, find_advantages, find_weights
from zamek_agents.castle_cards.network import FORMAT, find_logits, list_shapes, read_network, write_network
from zamek_agents.castle_cards.ppo import PPOCards
from zamek_agents.castle_cards.self_play import ILLEGAL, begin_games, make_show, step_all
from zamek_env import Game
from zamek_env.castle_cards.game import CastleCards
from zamek_scripts import train
from zamek_scripts.config_file import read_config

SMALL = {"games": 4, "opponent_games": 2, "rollout": 4, "batch": 8, "epochs": 1, "hidden": 8, "threads": 1, "steps": 32}
RULESET = "castle-cards"


def make_weights(hidden=4):
    """Return a network of noughts that trusts greedy play."""
    weights = {name: np.zeros(shape, np.float32) for name, shape in list_shapes(hidden).items()}
    return weights | {"trust": np.ones(1, np.float32)}


@pytest.fixture
def weights_file(tmp_path):
    path = tmp_path / "weights.npz"
    write_network(path, make_weights(), {})
    return path


def roll_out(rewards, values, ended, turned, last_value):
    columns = (np.array(rows, dtype)[:, None] for rows, dtype in
               ((values, np.float32), (rewards, np.float32), (ended, bool), (turned, bool)))  # fmt: skip
    return Rollout(make_show(1), np.zeros(1), np.zeros(1), *columns, np.array([last_value], np.float32))


# --- learning ---


def test_what_comes_next_counts_against_who_decided_where_the_opponent_decides_it():
    played = roll_out([0, 0, 1], [0.5, 0.2, 0.4], [False, False, True], [True, False, False], last_value=0.9)
    undiscounted = find_advantages(played, gae_lambda=1.0)[:, 0]
    assert undiscounted == pytest.approx([-1 - 0.5, 1 - 0.2, 1 - 0.4])
    one_step = find_advantages(played, gae_lambda=0.0)[:, 0]
    assert one_step == pytest.approx([-0.2 - 0.5, 0.4 - 0.2, 1 - 0.4])


def test_the_last_decision_is_valued_by_what_follows_it():
    played = roll_out([0], [0.5], [False], [True], last_value=0.9)
    assert find_advantages(played, gae_lambda=0.9)[:, 0] == pytest.approx([-1.4])


def test_games_show_what_is_legal_and_go_on_for_ever():
    games, rng = begin_games(3, mirrored=1, seed=5), np.random.default_rng(0)
    ended = 0
    for _ in range(400 if IS_COMPILED else 60):
        legal = games.show.liked > ILLEGAL
        assert legal.sum(1).min() > 1 and (games.show.liked.max(1) == 0).all()
        assert games.seats[0] == -1 and (games.movers[1:] == games.seats[1:]).all()
        step_all(games, np.array([int(rng.choice(np.flatnonzero(row))) for row in legal]))
        ended += int(games.ended.sum())
        assert (games.rewards[~games.ended] == 0).all() and (np.abs(games.rewards) <= 1).all()
    assert ended > 0 or not IS_COMPILED


def test_torch_and_numpy_agree_on_a_network():
    torch.manual_seed(0)
    network, games = Network(8), begin_games(4, 0, 1)
    with torch.no_grad():
        log_probs, _ = network(tuple(torch.from_numpy(array) for array in games.show))
    logits = torch.from_numpy(find_logits(find_weights(network), games.show)).log_softmax(1)
    assert torch.allclose(log_probs, logits, atol=1e-4)


# --- playing, and files ---


def test_a_network_of_noughts_plays_what_greedy_likes_best(weights_file):
    """But for ties, which greedy play breaks at random."""
    agent, games = make_agent(f"ppo:{weights_file}"), begin_games(1, 1, 3)
    for seed in range(5):
        game = CastleCards(seed=seed)
        action = agent.act(game, np.random.default_rng(0))
        told = agent.evaluate(game, np.random.default_rng(0))
        assert told.best == action and told.values.sum() == pytest.approx(1)
        games.states[0] = game.raw_states[0]
        assert action in game.legal_actions()


def test_an_agent_from_a_file_plays_castle_for_two_and_nothing_else(weights_file):
    agent, rng = make_agent(f"ppo:{weights_file}"), np.random.default_rng(0)
    with pytest.raises(ValueError, match="plays castle-cards with 2 players only, not 3"):
        agent.act(CastleCards(3, seed=1), rng)
    with pytest.raises(ValueError, match="was trained for castle-cards, not for games of tiles"):
        agent.act(Game(seed=1), rng)


def test_without_a_file_there_must_be_weights_in_the_package(monkeypatch, tmp_path):
    monkeypatch.setattr(ppo, "SHIPPED", tmp_path / "none.npz")
    with pytest.raises(ValueError, match="no weights of the agent 'ppo' are shipped for castle-cards; learn some by"):
        make_agent("ppo").act(CastleCards(seed=1), np.random.default_rng(0))


@pytest.mark.parametrize("change", ["format", "hidden", "shape", "infinite", "players"])
def test_a_file_that_holds_no_such_network_is_refused(tmp_path, change):
    weights, told, path = make_weights(), {}, tmp_path / "bad.npz"
    if change == "shape":
        weights["policy.bias"] = np.zeros(3, np.float32)
    elif change == "infinite":
        weights["value.bias"] = np.array([np.inf], np.float32)
    else:
        told = {change: {"format": "other/1", "hidden": 10**9, "players": 3}[change]}
    write_network(path, weights, told)
    with pytest.raises(ValueError, match="holds no network for castle-cards"):
        PPOCards(path)


def test_the_command_trains_an_agent(tmp_path, capsys):
    out = tmp_path / "run"
    train.main(train.Args(out=out, ruleset=RULESET, **SMALL))
    assert f"the agent is ppo:{out / 'weights.npz'}" in capsys.readouterr().out
    assert read_config(train.Args, out / "config.yaml")["ruleset"] == RULESET
    told = json.loads((out / "config.json").read_text())
    assert (told["decisions"], told["arguments"]["hidden"]) == (32, 8)
    assert read_network(out / "weights.npz").keys() == list_shapes(8).keys()
    game = CastleCards(seed=1)
    assert make_agent(f"ppo:{out / 'weights.npz'}").act(game, np.random.default_rng(0)) in game.legal_actions()
    assert FORMAT.startswith("zamek-cards-ppo")
    with pytest.raises(SystemExit):
        train.main(train.Args(out=out, ruleset=RULESET, **SMALL))
    assert "holds a run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"imitate": 5}, "--imitate is for games of tiles only, not for castle-cards"),
        ({"games": 2, "opponent_games": 3}, "--opponent-games must be at most --games (2), not 3"),
        ({"hidden": 0}, "--hidden must be at least 1, not 0"),
        ({"minutes": -1.0}, "--minutes must be a positive number"),
    ],
)
def test_wrong_arguments_write_nothing(tmp_path, capsys, given, message):
    with pytest.raises(SystemExit) as ended:
        train.main(train.Args(out=tmp_path / "run", ruleset=RULESET, **SMALL | given))
    assert ended.value.code == 2 and message in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
