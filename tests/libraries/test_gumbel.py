"""The learner `gumbel`: its search sees nothing hidden and finds what pays, and its network learns what was found."""

import numpy as np
import pytest
import torch
from scipy.special import softmax

from tests.support.games import play, play_many, play_randomly, redeal_all
from zamek_agents.benchmark import learn_gumbel
from zamek_agents.benchmark.gumbel_search import GumbelSearch, Searched
from zamek_agents.benchmark.learn_gumbel import TRACE, VALUE_UNIT, GumbelAgent, GumbelNetwork, Learner, find_returns
from zamek_agents.benchmark.practice import Practice
from zamek_agents.benchmark.tasks import find_task
from zamek_env import Game
from zamek_env.base.rewards import SCORE_UNIT
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.ruleset import get_ruleset
from zamek_env.vector import ZamekVectorEnv

torch.set_num_threads(1)  # several tests may run at once
ZAMEK = get_ruleset("zamek")


def value_nothing(vectors):
    return np.zeros(len(vectors))


def look(games, value, states=None, explores=False):
    """Return what a search of `games` finds, by random logits and of random worth."""
    masks, rng = games.action_masks(), np.random.default_rng(3)
    logits = rng.normal(size=masks.shape)
    states = games.raw_states if states is None else states
    return GumbelSearch(games.ruleset, value).search(states, masks, logits, rng.normal(size=len(masks)), rng, explores)


@pytest.mark.parametrize("ruleset", ["zamek", "sokol", "carcassonne"])
def test_the_search_stays_legal_and_sees_nothing_hidden(ruleset):
    games, *_ = play_many(ruleset, 41)
    network = np.random.default_rng(1).normal(size=len(games.ruleset.vector))
    found = look(games, lambda vectors: vectors @ network, explores=True)
    masks, rows = games.action_masks(), np.arange(games.num_envs)
    assert masks[rows, found.actions].all()
    assert (found.policy[~masks] == 0).all() and np.allclose(found.policy.sum(axis=1), 1)
    others = redeal_all(games.states)
    again = look(games, lambda vectors: vectors @ network, states=others, explores=True)
    assert all((one == other).all() for one, other in zip(found, again, strict=True))


def find_gains(game):
    """Return what each legal action brings at once to who plays it, in points."""
    gains = {}
    for action in game.legal_actions():
        copy, player = game.copy(), game.current_player
        copy.step(action)
        grown = np.subtract(copy.scores, game.scores)
        gains[action] = int(grown[player] - grown[1 - player])
    return gains


def test_the_search_plays_what_brings_most():
    """Where nothing is foreseen, and all actions are simulated."""
    search, counted = GumbelSearch(ZAMEK, value_nothing), 0
    for seed in range(12):
        for game in play_randomly(Game(seed=seed)):
            gains = {} if game.is_terminal else find_gains(game)
            if not 2 <= len(gains) <= 16 or len(set(gains.values())) == 1 or game.raw_states[0]["drawn"] > 55:
                continue
            mask = np.zeros((1, ZAMEK.num_actions), np.bool_)
            mask[0, [*gains]] = True
            logits, worth = np.zeros(mask.shape), np.zeros(1)
            found = search.search(game.raw_states, mask, logits, worth, np.random.default_rng(0), False)
            assert gains[int(found.actions[0])] == max(gains.values())
            assert min(gains.values()) / 100 <= found.worth[0] <= max(gains.values()) / 100
            counted += 1
    assert counted > 20


def test_what_all_actions_promise_alike_changes_no_probability():
    """The network says of every position that it is worth nothing, and the first placement scores nothing."""
    (games, *_) = play_many("zamek", 0)
    masks, rng = games.action_masks(), np.random.default_rng(3)
    logits, nothing = rng.normal(size=masks.shape), np.zeros(len(masks))
    search = GumbelSearch(games.ruleset, value_nothing)
    found = search.search(games.raw_states, masks, logits, nothing, rng, True)
    assert np.allclose(found.policy, softmax(np.where(masks, logits, -np.inf), axis=1))
    assert not found.worth.any()


# --- learning ---


def make_rollout(steps, games, rng):
    """Return (a rollout of random rewards and players, what its last positions are worth)."""
    rollout = []
    for _ in range(steps):
        found = Searched(np.zeros(games, int), np.zeros((games, 2)), rng.normal(size=games))
        rollout.append((None, None, found, rng.normal(size=games), rng.integers(-1, 2, size=games)))
    return rollout, rng.normal(size=games)


def sum_up(rollout, last, game, step):
    """Return the λ-return of one game from a step on, as the mean of all n-step returns with weights."""
    total, weight_left, reward, sign = 0.0, 1.0, 0.0, 1
    for number in range(step, len(rollout)):
        _, _, _, rewards, signs = rollout[number]
        reward += sign * rewards[game]
        sign *= signs[game]
        is_last = number + 1 == len(rollout)
        worth = last[game] if is_last else rollout[number + 1][2].worth[game]
        weight = weight_left if is_last else weight_left * (1 - TRACE)
        total += weight * (reward + sign * worth)
        weight_left -= weight
    return total


def test_returns_are_means_of_all_steps_by_whose_turn_it_is():
    rollout, last = make_rollout(6, 5, np.random.default_rng(2))
    returns = find_returns(rollout, last)
    assert returns.shape == (6, 5)
    due = [[sum_up(rollout, last, game, step) for game in range(5)] for step in range(6)]
    assert returns == pytest.approx(np.array(due))


def test_the_network_learns_what_the_search_found():
    games, seen, masks = play_many("zamek", 20, parts=ROW_PARTS)
    torch.manual_seed(1)
    network = GumbelNetwork(ZAMEK)
    masks, rows = masks.astype(np.bool_), np.arange(games.num_envs)
    wanted = np.where(masks, 1e-9, 0)
    wanted[rows, masks.argmax(axis=1)] = 1  # the first legal action
    found = Searched(rows, wanted, np.zeros(len(rows)))
    rollout = [(seen, masks, found, np.full(len(rows), 0.25), np.zeros(len(rows)))]
    learner, chances = Learner(network, 1), []
    for rounds in (0, 20):
        for _ in range(rounds):
            learner.learn(rollout, np.zeros(len(rows)), 1e-3)
        with torch.no_grad():
            parts = {name: torch.tensor(part) for name, part in seen.items()}
            found = network.score(parts, torch.from_numpy(masks)).softmax(dim=1).numpy()
        chances.append(found[rows, masks.argmax(axis=1)].mean())
    assert chances[1] > 3 * chances[0]
    assert network.value(seen["vector"]) == pytest.approx(0.25, abs=0.5 / VALUE_UNIT)


def test_the_agent_plays_whole_games_and_repeats():
    torch.manual_seed(1)
    agent = GumbelAgent(GumbelNetwork(ZAMEK))
    ends = [[*play(Game(seed=5), agent)][-1].record() for _ in range(2)]
    assert ends[0] == ends[1]


def test_it_learns_from_both_seats_and_spends_no_more_than_its_budget(monkeypatch):
    """By rewards and signs alone, whoever begins is ahead at the end by as much as the game says."""
    ends, rollouts = [], []

    class Games(ZamekVectorEnv):
        def step(self, actions):
            stepped = super().step(actions)
            ends.append((stepped[2], stepped[4].get("result", {}).get("scores")))
            return stepped

    monkeypatch.setattr(learn_gumbel, "ZamekVectorEnv", Games)
    monkeypatch.setattr(learn_gumbel, "GAMES", 4)
    monkeypatch.setattr(learn_gumbel, "STEPS", 200)
    monkeypatch.setattr(Learner, "learn", lambda self, rollout, last, rate: rollouts.append(rollout))
    task = Practice(find_task("zamek-1M-simulator-v1", decisions=810))
    learn_gumbel.learn(task, 1, lambda agent: None)
    (rollout,), finished = rollouts, 0
    assert task.played == 800
    for game in range(4):
        sign, lead = 1, 0.0
        for (_, _, _, rewards, signs), (ended, scores) in zip(rollout, ends, strict=True):
            lead += sign * rewards[game] * SCORE_UNIT
            sign *= signs[game]
            assert (sign == 0) == ended[game]
            if ended[game]:
                assert lead == pytest.approx(scores[game][0] - scores[game][1])
                sign, lead, finished = 1, 0.0, finished + 1
    assert finished >= 4
