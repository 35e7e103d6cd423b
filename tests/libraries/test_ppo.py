"""The network that is shipped: small, with a note where it comes from, blind to what is hidden, and strong."""

from itertools import islice

import numpy as np
import pytest
import torch

from tests.support.games import play_greedily
from tests.support.rearranged import find_moved, make_rearranged
from zamek_agents import make_agent
from zamek_agents.analysis.judging import Judge
from zamek_agents.arena.comparison import compare
from zamek_agents.arena.sets import line_up
from zamek_agents.ppo import policy
from zamek_agents.ppo.policy import MOST_AHEAD
from zamek_agents.ppo.weights import load_policy
from zamek_agents.shipped import find_shipped
from zamek_env import Game
from zamek_env.observer import Observer
from zamek_env.ruleset import get_ruleset
from zamek_env.spaces import make_observation_space

torch.set_num_threads(1)  # several tests may run at once


def test_the_weights_are_small_and_say_where_they_come_from():
    path = find_shipped("ppo", get_ruleset("zamek"))
    _, about = load_policy(path)
    assert path.stat().st_size < 2_000_000
    assert about["ruleset"] == "zamek" and about["seconds"] > 0 and about["imitated"] > 0
    assert about["command"].startswith("zamek train") and about["arguments"]["seed"] >= 0


def test_it_decides_legally_alike_and_by_nothing_hidden():
    agent, game, rng = make_agent("ppo"), Game(seed=3), np.random.default_rng(3)
    while not game.is_terminal:
        before, twin = game.state.tobytes(), game.copy()
        twin.redeal(rng)
        action = agent.act(game, rng)
        assert action in game.legal_actions() and game.state.tobytes() == before
        assert agent.act(twin, rng) == action
        game.step(action)


def test_it_leaves_the_threads_of_torch_alone(monkeypatch):
    used, game, rng = [], Game(seed=3), np.random.default_rng(3)
    agent, plain = make_agent("ppo"), make_agent("ppo")
    due = plain.act(game, rng)
    agent.act(game, rng)
    predict = agent._policy.predict
    monkeypatch.setattr(
        agent._policy, "predict", lambda *args, **kw: used.append(torch.get_num_threads()) or predict(*args, **kw)
    )
    torch.set_num_threads(2)
    try:
        assert make_agent("ppo").act(game, rng) == agent.act(game, rng) == due
        assert used == [1] and torch.get_num_threads() == 2
        monkeypatch.setattr(agent._policy, "predict", None)
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


def look_at_phases(ruleset, phases, each=8):
    """Return what is seen in so many positions of each of the `phases`, as tensors."""
    left, looks = dict.fromkeys(phases, each), []
    for seed in range(50):
        for game in islice(play_greedily(Game(ruleset.name, seed=seed), seed), 31, None):
            if left.get(game.phase, 0) > 0:
                left[game.phase] -= 1
                looks.append(Observer(ruleset).look(game)[0])
        if not any(left.values()):
            return {part: torch.from_numpy(np.stack([look[part] for look in looks])) for part in ("planes", "vector")}
    raise AssertionError(f"no more such positions: {left}")


@pytest.mark.compiles
@pytest.mark.parametrize("table", [{"players": 3}, {"rules": {"draw_ahead": True}}])
def test_it_names_who_judges_the_games_that_it_does_not_know(table):
    game = Game("carcassonne", 1, **table)
    known = "games of two players without house rules only; value, expectimax and mcts know all others too"
    with pytest.raises(ValueError, match=f"^the agent 'ppo' knows {known}$"):
        Judge(make_agent("ppo")).find_regret(game, game.legal_actions()[0], (0, 0))


def test_the_network_finds_all_that_it_looks_at_by_name(monkeypatch):
    plain = get_ruleset("zamek")
    moved = make_rearranged(plain, monkeypatch)
    before, after = (policy.GameFeatures(make_observation_space(each), each, 16, 8) for each in (plain, moved))
    planes, entries = find_moved(plain.planes, moved.planes), find_moved(plain.vector, moved.vector)
    weights = before.state_dict()
    of_entries, of_tokens = weights["summary.0.weight"].split([len(plain.vector), 2 * MOST_AHEAD], dim=1)
    of_moved = torch.zeros(16, len(moved.vector))
    of_moved[:, entries] = of_entries
    after.load_state_dict(weights | {"summary.0.weight": torch.cat([of_moved, of_tokens], dim=1)})
    seen = look_at_phases(plain, ("place", "send", "score"))
    shown = torch.zeros(*seen["planes"].shape[:-1], len(moved.planes), dtype=torch.uint8)
    shown[..., planes] = seen["planes"]
    vectors = torch.zeros(len(shown), len(moved.vector))
    vectors[:, entries] = seen["vector"]
    with torch.no_grad():
        torch.testing.assert_close(after({"planes": shown, "vector": vectors}), before(seen))
