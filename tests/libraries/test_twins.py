"""Copies of what needs PyTorch or Stable-Baselines3, and of all there is as Ray hands it over: they go on alike."""

import copy

import gymnasium
import numpy as np
import pytest
import torch

from tests.support import cluster_tasks
from tests.support.rulesets import IS_COMPILED
from tests.support.twins import PICKLED, TWINS, check_agent_twins
from zamek_agents import make_agent
from zamek_agents.castle_cards.learner import Learner
from zamek_agents.castle_cards.network import make_weights
from zamek_agents.castle_cards.self_play import make_games
from zamek_agents.ppo.imitation import ValueTeacher
from zamek_agents.ppo.opponents import PastSelves
from zamek_agents.ppo.policy import make_policy
from zamek_agents.ppo.self_play import SelfPlayVecEnv
from zamek_agents.suites.making import Playouts
from zamek_env import Game, zamek_v0
from zamek_env.castle_cards import CastleCards
from zamek_env.castle_cards.vector import CastleCardsVectorEnv
from zamek_env.layout.observation import ROW_PARTS
from zamek_env.ruleset import get_ruleset
from zamek_env.sb3 import make_vec_env
from zamek_env.single import ZamekEnv
from zamek_env.vector import ZamekVectorEnv

pickled = pytest.mark.parametrize("twin_of", PICKLED.values(), ids=PICKLED)
twice = pytest.mark.parametrize("twin_of", TWINS.values(), ids=TWINS)
needs_compiled = pytest.mark.skipif(not IS_COMPILED, reason="takes long as plain Python")


@pytest.mark.parametrize("make", [Game, CastleCards])
def test_ppo_decides_as_before(make):
    check_agent_twins(make_agent("ppo"), make)


# --- many games ---


def play_on(games, steps):
    """Return all that a `VecEnv` returns in so many steps by the first legal action but those of the clock."""
    told = []
    torch.manual_seed(0)  # past selves draw by it
    for _ in range(steps):
        seen, rewards, ended, infos = games.step(np.stack(games.env_method("action_masks")).argmax(axis=1))
        parts = seen.values() if isinstance(seen, dict) else [seen]
        episodes = [(info["episode"]["r"], info["episode"]["l"]) for info in infos if "episode" in info]
        told.append([*(part.tobytes() for part in parts), rewards.tobytes(), ended.tobytes(), episodes])
    return told


@twice
@needs_compiled
def test_self_play_goes_on(twin_of):
    past_selves = PastSelves(2)
    games = SelfPlayVecEnv(3, [(past_selves, 1), (make_agent("greedy"), 1)], observation=ROW_PARTS, states=True)
    past_selves.draw(make_policy(games.ruleset, 8, 8))
    games.seed(2)
    for twin in (twin_of(games), games):
        assert twin.reset()["state"].tobytes()
    games.seed(2)
    games.reset()
    twin = twin_of(games)
    assert play_on(twin, 60) == play_on(games, 60)
    assert twin.results == games.results


@twice
@pytest.mark.parametrize(("name", "opponent"), [("Zamek-v0", "opponent"), ("CastleCards-v0", "opponents")])
def test_games_for_stable_baselines3_go_on(name, opponent, twin_of):
    games = make_vec_env(name, 2, 3, {opponent: "random"})
    twin = twin_of(games)
    assert type(twin) is type(games) and twin.venv is not games.venv
    for one in (games, twin):
        one.reset()
    assert play_on(twin, 3) == play_on(games, 3)
    twin = twin_of(games)
    assert play_on(twin, 90) == play_on(games, 90)
    assert twin.reset_infos is twin.venv.reset_infos and twin.reset_infos is not games.reset_infos
    assert [info["deal"] for info in twin.reset_infos] == [info["deal"] for info in games.reset_infos]


# --- what learns and measures ---


@pickled
@needs_compiled
def test_learners_and_what_measures_go_on(twin_of):
    ruleset, game = get_ruleset("zamek"), Game(seed=1)
    learner = Learner(make_weights(0), make_games(1))
    learner.learn(4, 2, 0.1, 1.0)
    twin = twin_of(learner)
    assert twin.learn(4, 2, 0.1, 1.0) == learner.learn(4, 2, 0.1, 1.0)
    assert all(map(np.array_equal, twin.weights, learner.weights))
    playouts, actions = Playouts(ruleset, 1), game.legal_actions()[:2]
    due = playouts.play(game, actions, range(2), 5)
    assert np.array_equal(twin_of(playouts).play(game, actions, range(2), 5), due)
    teacher, masks = ValueTeacher(ruleset, 2, 0), np.array([game.legal_action_mask()] * 2)
    states = np.concatenate([game.raw_states] * 2)
    teacher.value_actions(states, masks)
    assert np.array_equal(twin_of(teacher).value_actions(states, masks), teacher.value_actions(states, masks))


# --- Ray ---


@pytest.fixture(scope="module")
def ray():
    """Ray on this machine, with one process."""
    ray = pytest.importorskip("ray")
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        yield ray
    finally:
        ray.shutdown()


def make_used():
    """Return environments in the middle of an episode."""
    wrapped = gymnasium.make_vec("Zamek-v0", num_envs=2, opponent="greedy-v1")
    flat = gymnasium.make("Zamek-v0", opponent="value-v1", flat=True)
    made = [
        ZamekVectorEnv(3, opponent="greedy", threads=2),
        ZamekVectorEnv(3, copy=False, flat=True),
        CastleCardsVectorEnv(3, 3),
        CastleCardsVectorEnv(3, opponents="random", copy=False),
        wrapped,
        ZamekEnv(),
        flat,
        zamek_v0.env(),
    ]
    for env in made:
        env.reset(seed=5)
    return made


@pytest.mark.long
@needs_compiled
def test_what_comes_from_ray_goes_on(ray):
    """As what is stored, as arguments of tasks, and as those of actors; used, and as it was made."""
    names = ("greedy", "value", "mcts:simulations=20", "uct:simulations=20", "value-v1", "ppo")
    agents = [(make_agent(name), [Game(seed=2)]) for name in names]
    agents += [(make_agent(name), [CastleCards(seed=2)]) for name in ("greedy", "ismcts:simulations=20", "ppo")]
    unused, due = ray.put(agents), cluster_tasks.go_on([], agents)
    assert cluster_tasks.go_on([], ray.get(unused)) == due
    envs = make_used()
    due = cluster_tasks.go_on(copy.deepcopy(envs), agents)
    assert cluster_tasks.go_on(*ray.get(ray.put((envs, agents)))) == due
    assert ray.get(ray.remote(cluster_tasks.go_on).remote(envs, unused)) == due
    assert ray.get(ray.remote(cluster_tasks.Player).remote(ray.put(envs), agents).go_on.remote()) == due
    learning = SelfPlayVecEnv(2, [(make_agent("greedy"), 1)]), make_vec_env("Zamek-v0", 2, 3, {"opponent": "random"})
    for games in learning:
        games.seed(1)
        games.reset()
        twin = ray.get(ray.put(games))
        assert play_on(twin, 20) == play_on(games, 20)
