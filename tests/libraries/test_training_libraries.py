"""Training libraries: Stable-Baselines3's vector environment, and the examples with a few steps each."""

import importlib
import inspect
import re
import sys
from dataclasses import replace
from pathlib import Path

import gymnasium
import gymnasium as gym
import numpy as np
import pytest

from tests.environments.test_single import ARGUMENTS
from tests.environments.test_wrappers import of_every_id
from tests.support.examples import check_counts, load
from zamek_agents import make_agent
from zamek_agents.benchmark.practice import BudgetSpentError, Practice
from zamek_agents.benchmark.tasks import find_task
from zamek_env import Game, zamek_v0
from zamek_env.castle_cards import CastleCards
from zamek_env.single import ZamekEnv

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "training_libraries.md"
VARIANTS = "carcassonne-variants-v1"
AGAINST = {"opponent": "random"}
NO_ROWS = "--env-id must name an environment with rows, such as Zamek-v1"

sb3 = pytest.importorskip("zamek_env.sb3", reason="needs stable_baselines3", exc_type=ImportError)
torch = pytest.importorskip("torch")
DummyVecEnv = pytest.importorskip("stable_baselines3.common.vec_env").DummyVecEnv


def play_first(game, rng):
    """Play as an opponent that draws no chance, so that it plays alike everywhere."""
    return game.legal_actions()[0]


def choose(masks, step):
    """Return a legal action of each game, another one at each step."""
    return np.array([legal[step % len(legal)] for legal in map(np.flatnonzero, masks)])


def list_beginnings(games):
    """Return what `reset_infos` holds of each game, masks as lists."""
    return [
        (info["current_player"], info["deal"], info["action_mask"].dtype, info["action_mask"].tolist())
        for info in games.reset_infos
    ]


# --- zamek_env.sb3 ---


def test_games_are_those_of_sb3s_own_vec_env():
    from stable_baselines3.common.env_util import make_vec_env

    arguments = {"opponent": play_first, "reward": "delta", "flat": True}
    ours, theirs = (make("Zamek-v0", 2, seed=5, env_kwargs=arguments) for make in (sb3.make_vec_env, make_vec_env))
    ended = 0
    for _ in range(2):  # the second time without a seed
        np.testing.assert_array_equal(ours.reset(), theirs.reset())
        for step in range(60):
            assert list_beginnings(ours) == list_beginnings(ours.unwrapped) == list_beginnings(theirs)
            masks, wanted_masks = (np.stack(each.env_method("action_masks")) for each in (ours, theirs))
            np.testing.assert_array_equal(masks, wanted_masks)
            mine, wanted = (each.step(choose(masks, step)) for each in (ours, theirs))
            for part, wanted_part in zip(mine[:3], wanted[:3], strict=True):
                np.testing.assert_array_equal(part, wanted_part)
                assert part.dtype == wanted_part.dtype
            for game in np.flatnonzero(mine[2]):
                ended += 1
                info, wanted_info = mine[3][game], wanted[3][game]
                np.testing.assert_array_equal(info["terminal_observation"], wanted_info["terminal_observation"])
                assert [info["scores"], info["TimeLimit.truncated"]] == [wanted_info["scores"], False]
                assert info["episode"]["l"] == wanted_info["episode"]["l"]
                assert info["episode"]["r"] == pytest.approx(wanted_info["episode"]["r"], abs=1e-5)
    assert ended >= 2


def test_castle_has_a_vec_env_too():
    games = sb3.make_vec_env("CastleCards-v0", 3, seed=1, env_kwargs={"opponents": "random", "players": 3})
    seen, results = games.reset(), []
    assert seen.shape == (3, *games.observation_space.shape)
    for step in range(200):
        seen, rewards, ended, infos = games.step(choose(games.env_method("action_masks"), step))
        results += [(infos[game], rewards[game]) for game in np.flatnonzero(ended)]
    assert len(results) >= 3
    for info, reward in results:
        assert reward in [pytest.approx(value) for value in info["returns"]]
        assert games.observation_space.contains(info["terminal_observation"])


@pytest.mark.parametrize("name", ["Zamek-v0", "CastleCards-v0"])
def test_pictures_are_those_of_the_games_side_by_side(name):
    opponent = {"Zamek-v0": "opponent", "CastleCards-v0": "opponents"}[name]
    games = sb3.make_vec_env(name, 2, 1, {opponent: "random", "render_mode": "rgb_array"})
    games.reset()
    first, second = games.venv.games.render()
    assert games.render_mode == "rgb_array" and games.venv.metadata["render_fps"] == 2
    np.testing.assert_array_equal(games.render(), np.concatenate([first, second], axis=0))
    for picture, wanted in zip(games.get_images(), (first, second), strict=True):
        np.testing.assert_array_equal(picture, wanted)


def test_text_is_rendered_too_and_nothing_where_no_mode_was_asked_for():
    for mode in ("ansi", None):
        games = sb3.make_vec_env("Zamek-v0", 2, 1, {"opponent": "random", "render_mode": mode})
        games.reset()
        assert games.env_method("render", indices=[1]) == [games.venv.games.render()[1] if mode else None]


def test_games_of_a_task_are_counted_and_tell_neither_states_nor_deals():
    task = Practice(find_task("zamek-1M-observation-v1", decisions=7))
    games = task.make_vec_env(2, 1, opponent="random", flat=True)
    plain = sb3.make_vec_env("Zamek-v0", 2, 1, {"opponent": "random", "flat": True})
    np.testing.assert_array_equal(games.reset(), plain.reset())
    assert not any("deal" in info for info in games.reset_infos) and all("deal" in info for info in plain.reset_infos)
    for step in range(3):
        actions = choose(games.env_method("action_masks"), step)
        np.testing.assert_array_equal(games.step(actions)[0], plain.step(actions)[0])
    assert task.played == 6
    with pytest.raises(BudgetSpentError):
        games.step(choose(games.env_method("action_masks"), 3))
    for name in ("states", "raw_states", "step_chosen", "games", "np_random", "np_random_seed"):
        with pytest.raises(AttributeError):
            games.get_attr(name)
    games.set_options({"deal": 7})
    with pytest.raises(ValueError, match="options must be None in games of a task"):
        games.reset()


@pytest.mark.compiles
def test_games_joined_of_several_house_rules_are_those_of_each_and_count_together():
    task = Practice(replace(find_task(VARIANTS, decisions=17), trained=("", "small_city", "back_into_bag")))
    games = task.make_vec_env(5, 3, opponent=play_first, reward="delta")
    parts = [
        sb3.make_vec_env("Carcassonne-v1", count, seed, {"opponent": play_first, "reward": "delta", "rules": rules})
        for count, seed, rules in ((2, 3, None), (2, 5, {"small_city": True}), (1, 7, {"back_into_bag": True}))
    ]
    assert games.num_envs == 5 and games.observation_space == parts[1].observation_space
    assert games.seed(11) == [11, 12, 13, 14, 15]
    for part, seed in zip(parts, (11, 13, 15), strict=True):
        part.seed(seed)
    seen, due = games.reset(), [part.reset() for part in parts]
    for step in range(3):
        for name in seen:
            np.testing.assert_array_equal(seen[name], np.concatenate([each[name] for each in due]))
        assert [info["current_player"] for info in games.reset_infos] == [
            info["current_player"] for part in parts for info in part.reset_infos
        ]
        masks = np.stack(games.env_method("action_masks"))
        np.testing.assert_array_equal(masks, np.concatenate([part.env_method("action_masks") for part in parts]))
        np.testing.assert_array_equal(masks[[4, 1]], games.env_method("action_masks", indices=[4, 1]))
        actions = choose(masks, step)
        seen, rewards, ended, infos = games.step(actions)
        found = [part.step(own) for part, own in zip(parts, (actions[:2], actions[2:4], actions[4:]), strict=True)]
        due = [each[0] for each in found]
        np.testing.assert_array_equal(rewards, np.concatenate([each[1] for each in found]))
        assert not ended.any() and infos == [{}] * 5
    before = games.env_method("action_masks")
    with pytest.raises(BudgetSpentError, match="5 decisions were asked for where 2 of 17 are left"):
        games.step(choose(before, 3))
    np.testing.assert_array_equal(games.env_method("action_masks"), before)
    assert task.played == 15
    games.set_options({"deal": 7})
    with pytest.raises(ValueError, match="options must be None in games of a task"):
        games.reset()


def test_games_of_a_task_keep_to_its_house_rules():
    task = Practice(find_task(VARIANTS))
    for given, said in (
        ({"n_envs": 4}, "n_envs must be 5 or more, one for each of trained, not 4"),
        ({"n_envs": 8, "rules": {"draw_ahead": True}}, "rules must be left out: the task says by which house rules"),
    ):
        with pytest.raises(ValueError, match=said):
            task.make_vec_env(seed=1, opponent="greedy", **given)


def test_a_game_that_is_cut_off_is_told_from_one_that_ended():
    games = sb3.make_vec_env("Zamek-v0", 2, env_kwargs={"opponent": "random", "max_episode_steps": 3})
    games.reset()
    for step in range(3):
        _, _, ended, infos = games.step(choose(games.env_method("action_masks"), step))
    assert ended.all() and all(info["TimeLimit.truncated"] for info in infos)


def test_a_game_that_ends_just_where_it_would_be_cut_off_has_ended():
    """What SB3 learns of the last position depends on it: a game that has ended is worth nothing more."""
    lengths = [None]
    for _ in range(2):  # without a limit, and then with the length of that game
        settings = {"opponent": play_first, "seat": 0, "max_episode_steps": lengths[-1]}
        games, step, ended = sb3.make_vec_env("Zamek-v0", 1, seed=5, env_kwargs=settings), 0, [False]
        games.reset()
        while not ended[0]:
            _, _, ended, infos = games.step(choose(games.env_method("action_masks"), step))
            step += 1
        assert infos[0]["TimeLimit.truncated"] is False
        lengths.append(infos[0]["episode"]["l"])
    assert lengths[1] == lengths[2] > 20


def test_a_deal_is_repeated_and_a_seed_as_well():
    games = sb3.make_vec_env("Zamek-v0", 2, env_kwargs={"opponent": "random", "seat": 0, "flat": True})
    games.seed(3)
    games.set_options({"deal": 9})
    first = games.reset()
    np.testing.assert_array_equal(first[0], first[1])
    assert not np.array_equal(games.reset()[0], first[0])
    games.seed(3)
    second = games.reset()
    games.seed(3)
    np.testing.assert_array_equal(games.reset(), second)
    games.seed(3)
    games.set_options({"deal": None})
    np.testing.assert_array_equal(games.reset(), second)
    for wrong, message in (
        ([{"deal": 9}, {}], "options must name 'deal' for every game or for none"),
        ({"foo": 1}, "options may have the keys 'deal', not 'foo'"),
        ({"deal": -1}, "options\\['deal'\\]"),
        ([{"deal": 9}], "options must be one dictionary or a list of 2, not of 1"),
    ):
        games.seed(3)
        with pytest.raises(ValueError, match=message):
            games.set_options(wrong)
        np.testing.assert_array_equal(games.reset(), second)


def test_what_single_environments_have_is_answered_or_refused():
    games = sb3.make_vec_env("Zamek-v0", 3, env_kwargs={"opponent": "random"})
    games.reset()
    masks = games.env_method("action_masks")
    np.testing.assert_array_equal(games.env_method("action_masks", indices=[2])[0], masks[2])
    assert games.has_attr("action_masks") and not games.has_attr("no_such_thing")
    for of_all_games in ("states", "raw_states", "reset", "step", "num_envs", "step_chosen", "copy_game", "threads"):
        assert not games.has_attr(of_all_games)
    single = DummyVecEnv([lambda: ZamekEnv(opponent="random")] * 3)
    for name in ("flat", "seat", "opponent", "reward", "on_illegal", "render_mode", "observation_space"):
        assert games.get_attr(name) == single.get_attr(name)
    for each in (games, single):
        assert [ask().shape for ask in each.get_attr("action_masks", [0, 2])] == [masks[0].shape] * 2
    assert [draw() for draw in games.get_attr("render")] == [None] * 3
    np.testing.assert_array_equal([ask() for ask in games.get_attr("action_masks")], masks)
    assert games.get_attr("render_mode", indices=1) == [None]
    assert games.get_attr("action_space") == [games.action_space] * 3
    games.set_attr("on_illegal", "raise")
    assert games.get_attr("on_illegal") == ["raise"] * 3
    with pytest.raises(AttributeError, match="on_illegal can be set for all games only"):
        games.set_attr("on_illegal", "lose", indices=[1])
    assert games.env_is_wrapped(object) == [False, False, False]
    with pytest.raises(AttributeError, match="only action_masks and render can be called, not close"):
        games.env_method("close")
    with pytest.raises(TypeError, match="action_masks takes no arguments"):
        games.env_method("action_masks", 3)
    with pytest.raises(TypeError, match="render takes no arguments"):
        games.env_method("render", mode="human")
    with pytest.raises(AttributeError, match="reward cannot be set"):
        games.set_attr("reward", "win")


def test_actions_are_played_once():
    games = sb3.make_vec_env("Zamek-v0", 2, env_kwargs={"opponent": "random"})
    games.reset()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="step_async must be called before each step_wait"):
            games.step_wait()
        games.step(choose(games.env_method("action_masks"), 0))


def test_the_seeds_of_the_games_follow_a_number_of_numpy_too():
    games = sb3.make_vec_env("Zamek-v0", 3, np.uint8(255), {"opponent": "random"})
    games.reset()
    assert games.venv.games.np_random_seed == (255, 256, 257)


def test_an_environment_is_found_under_the_name_of_its_package_too():
    arguments = {"opponent": "random", "flat": True}
    seen, wanted = (
        sb3.make_vec_env(name, 2, seed=5, env_kwargs=arguments).reset() for name in ("zamek_env:Zamek-v0", "Zamek-v0")
    )
    np.testing.assert_array_equal(seen, wanted)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("Zamek-v0", 0), ValueError, "n_envs must lie in 1 to 1048576, not 0"),
        ((5,), TypeError, "env_id must be a text such as 'Zamek-v1', not 5"),
        (("Zamek-v0", 1, None, [1]), TypeError, r"env_kwargs must be a dict or None, not \[1\]"),
        (("Zamek-v0", 1, None, {"num_envs": 3}), ValueError, "env_kwargs must not hold num_envs: n_envs says"),
        (("Zamek-v0", 2), ValueError, "an opponent is missing"),
        (("CastleCards-v0", 2, None, {"players": 3}), ValueError, "an opponent is missing"),
        (("Zamek-v0", 2, None, AGAINST | {"autoreset_mode": "NextStep"}), ValueError, "must be SAME_STEP, not NEXT_S"),
        (("Zamek-v0", 2, None, AGAINST | {"copy": False}), ValueError, "copy must be .*, not False: Stable-Baselines3"),
        (("CastleCards-v0", 2, None, AGAINST | {"copy": False}), ValueError, "copy must be True or None, not False"),
        (("CartPole-v1", 2), ValueError, "env_id must name an environment of zamek_env, not 'CartPole-v1'"),
    ],
)
def test_what_cannot_be_made_or_would_train_badly_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        sb3.make_vec_env(*arguments)


@pytest.mark.compiles
def test_who_plays_alone_needs_no_opponent():
    env = sb3.make_vec_env("CarcassonneDemo-v1", 2, seed=1, env_kwargs={"players": 1, "reward": "score"})
    env.reset()
    ended = [False]
    while not ended[0]:
        _, _, ended, infos = env.step(np.array([mask.nonzero()[0][-1] for mask in env.env_method("action_masks")]))
    assert infos[0]["scores"][0] > 0 and infos[0]["episode"]["r"] == pytest.approx(infos[0]["scores"][0] / 100)


def test_without_sb3_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "zamek_env.sb3")
    said = r"zamek_env\.sb3 needs stable_baselines3.*`pip install 'zamek-env\[train\]'`$"
    with pytest.raises(ImportError, match=said):
        importlib.import_module("zamek_env.sb3")


def test_the_arguments_that_only_sb3s_own_function_has_are_named():
    from stable_baselines3.common.env_util import make_vec_env

    ours, theirs = ({*inspect.signature(make).parameters} for make in (sb3.make_vec_env, make_vec_env))
    assert ours < theirs
    for text in (sb3.make_vec_env.__doc__, PAGE.read_text(encoding="utf-8")):
        assert [name for name in theirs - ours if f"`{name}`" not in text] == []


# --- the examples ---


def test_the_advantage_of_self_play_turns_its_sign_with_the_player():
    example = load("cleanrl_ppo")
    args = example.Args(gamma=1.0, gae_lambda=1.0)
    rewards, values = torch.tensor([[0.0], [0.0], [1.0], [0.5]]), torch.zeros(5, 1)
    ended = torch.tensor([[0.0], [0.0], [1.0], [0.0]])
    players = torch.tensor([[0], [0], [1], [0], [1]])
    values[4] = 0.25  # of the game that goes on, for player 1
    found = example.estimate_advantages(args, rewards, values, players, ended)
    assert found.flatten().tolist() == [-1.0, -1.0, 1.0, 0.25]
    found = example.estimate_advantages(args, rewards, values, torch.zeros_like(players), ended)
    assert found.flatten().tolist() == [1.0, 1.0, 1.0, 0.75]


@pytest.mark.parametrize("arguments", [{"opponent": "greedy"}, {"self_play": True}])
def test_cleanrl(arguments, capsys):
    example = load("cleanrl_ppo")
    example.train(example.Args(steps=64, games=4, rollout=8, minibatches=2, evaluation_games=2, **arguments))
    assert re.search(r"^64 steps, \d+ s: [01]\.\d\d of the games against \w+$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.filterwarnings("ignore")  # TorchRL warns of itself
@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        *((name, {"env_id": "Zamek-v0"}, f"{NO_ROWS}, not Zamek-v0") for name in ("cleanrl_ppo", "dqn", "torchrl_ppo")),
        ("cleanrl_ppo", {"games": 1, "rollout": 1}, "--games times --rollout must be 2 or more, not 1"),
        (
            "cleanrl_ppo",
            {"games": 3, "rollout": 3, "minibatches": 5},
            "--minibatches must be at most 4, half --games times --rollout, not 5",
        ),
        ("dqn", {"ahead": 61}, "--ahead must be at most --first, and less than --kept, not 61"),
        ("dqn", {"kept": 3}, "--ahead must be at most --first, and less than --kept, not 3"),
    ],
)
def test_what_an_example_cannot_follow_is_told_in_a_line(name, arguments, said):
    example = load(name)
    with pytest.raises(SystemExit) as refused:
        example.train(example.Args(**arguments))
    assert refused.value.code == said


@pytest.mark.filterwarnings("ignore")  # TorchRL warns of itself
@pytest.mark.parametrize(
    "name",
    ["cleanrl_ppo", "dqn", "house_rules", "pettingzoo_self_play", "sb3_maskable_ppo", "torchrl_ppo"],
)
def test_an_example_refuses_to_do_anything_zero_times(name):
    example = load(name)
    check_counts(example.Args(), example.train, **({"players": 1} if name == "sb3_maskable_ppo" else {}))


def test_behaviour_cloning_refuses_to_do_anything_zero_times():
    example = load("behaviour_cloning")
    check_counts(example.Args(Path("games")), example.main)


def test_as_many_minibatches_as_there_can_be_are_learned_from():
    example = load("cleanrl_ppo")
    agent = example.train(example.Args(steps=1, games=3, rollout=3, minibatches=4, evaluation_games=1))
    assert all(part.isfinite().all() for part in agent.parameters())


@pytest.mark.parametrize("explored", [0.1, 0.0])
def test_dqn(explored, capsys):
    example = load("dqn")
    few = {"games": 4, "batch": 8, "first": 4, "copy_every": 8, "evaluation_games": 2}
    example.train(example.Args(steps=96, kept=16, evaluate_every=96, explored=explored, **few))
    assert re.match(r"96 steps, \d+ s: [01]\.\d\d of the games against greedy\n", capsys.readouterr().out)


def test_dqn_looks_ahead_no_further_than_the_end_of_a_game():
    example = load("dqn")
    memory = example.Memory(gymnasium.make_vec("Zamek-v1", 2, "vector_entry_point", opponent="random"), kept=4)
    memory.rewards[:, 0], memory.goes_on[:, 0] = [1, 2, 4, 8], [1, 1, 1, 0]
    memory.rewards[:, 1], memory.goes_on[:, 1] = [16, 32, 64, 128], [0, 1, 1, 1]
    args = example.Args(ahead=2, gamma=0.5)
    gained, weight, later = memory.look_ahead(np.array([0, 2, 3, 3, 0]), np.array([0, 0, 0, 1, 1]), args)
    assert gained.tolist() == [1 + 2 / 2, 4 + 8 / 2, 8, 128 + 16 / 2, 16]
    assert weight.tolist() == [0.25, 0, 0, 0, 0] and later.tolist() == [2, 0, 1, 1, 2]


def test_pettingzoo(capsys):
    example = load("pettingzoo_self_play")
    example.train(example.Args(games=2, games_per_update=1, evaluation_games=2))
    assert re.search(r"steps, \d+ s: [01]\.\d\d of the games", capsys.readouterr().out)


def make_smaller(monkeypatch, example, steps):
    """Let an example train with rollouts of so many steps in each game; return the models that it makes."""
    models, make = [], example.MaskablePPO

    def make_small(*given, **named):
        models.append(make(*given, **named | {"n_steps": steps}))
        return models[-1]

    monkeypatch.setattr(example, "MaskablePPO", make_small)
    return models


@pytest.mark.filterwarnings("ignore:rich is experimental")  # the progress bar of Stable-Baselines3
@pytest.mark.parametrize("which", [{}, {"env_id": "CastleCards-v1", "players": 3, "opponent": "random"}])
def test_sb3_and_what_it_trained_plays_as_an_agent(which, monkeypatch, tmp_path):
    example, path = load("sb3_maskable_ppo"), tmp_path / "model.zip"
    make_smaller(monkeypatch, example, 32)
    model = example.train(example.Args(**which, steps=80, games=2, evaluate_every=64, evaluation_games=1, save=path))
    assert model.num_timesteps == 128  # whole rollouts, so more than were asked for
    assert model.policy.optimizer.param_groups[0]["lr"] == 0  # and not below
    agent = make_agent(f"{ROOT}/examples/sb3_agent.py:Trained({str(path)!r})")
    with pytest.raises(ValueError, match=r"^the network learned from other observations than this game has$"):
        agent.check_game(CastleCards(2, seed=1))
    if which:
        game = CastleCards(3, seed=1)
        agent.check_game(game)
        assert agent.act(game, np.random.default_rng(0)) in game.legal_actions()
        return
    env = ZamekEnv(observation=("vector", "rows"))
    seen, info = env.reset(seed=3)
    agent.check_game(env.game)
    for _ in range(20):
        chosen = agent.act(env.game, np.random.default_rng(0))
        assert chosen == model.predict(seen, action_masks=info["action_mask"], deterministic=True)[0]
        seen, _, _, _, info = env.step(chosen)


def test_what_learned_by_self_play_plays_as_an_agent(tmp_path):
    from sb3_contrib import MaskablePPO

    from zamek_agents.ppo.self_play import SelfPlayVecEnv, SignedRolloutBuffer

    games = SelfPlayVecEnv(2, reward="delta")
    movers = {"read_movers": lambda: games.movers}
    buffer = {"rollout_buffer_class": SignedRolloutBuffer, "rollout_buffer_kwargs": movers}
    model = MaskablePPO("MultiInputPolicy", games, n_steps=32, gamma=1.0, device="cpu", seed=5, **buffer)
    model.save(tmp_path / "model", exclude=["rollout_buffer_kwargs"])
    drawn = []
    for _ in range(2):
        agent = make_agent(f"{ROOT}/examples/sb3_agent.py:Trained({str(tmp_path / 'model.zip')!r})")
        drawn.append(torch.rand(4).tolist())
    assert drawn[0] != drawn[1]  # nothing is seeded by what only plays
    game = Game(seed=3)
    agent.check_game(game)
    for _ in range(20):
        chosen = agent.act(game, np.random.default_rng(0))
        seen, mask = game.observe(), game.legal_action_mask()
        assert chosen == model.predict(seen, action_masks=mask, deterministic=True)[0]
        game.step(chosen)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:rich is experimental")
def test_house_rules(monkeypatch, capsys):
    example = load("house_rules")
    models = make_smaller(monkeypatch, example, 8)
    monkeypatch.setattr(example, "TRAINED", ({}, {"small_city": True}))
    monkeypatch.setattr(example, "HELD_OUT", ({"draw_ahead": True},))  # whose vector has more entries
    example.main(example.Args(opponent="random", steps=20, games=2, evaluation_games=1))
    assert models[0].num_timesteps == 32 and models[0].policy.optimizer.param_groups[0]["lr"] == 0
    lines = capsys.readouterr().out.splitlines()[-6:]
    names = [re.split(r" {2,}(?=[-\d])", line)[0].rstrip() for line in lines]
    assert names[:3] == ["trained   no house rules", "trained   small_city", "trained   mean"]
    assert names[3:] == ["held out  draw_ahead", "held out  mean", "gap"]
    rates = [float(re.search(r"(-?\d+\.\d) %", line)[1]) for line in lines]
    assert rates[2] == (rates[0] + rates[1]) / 2 and rates[5] == rates[2] - rates[4]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # TorchRL warns of itself
def test_torchrl(capsys):
    example = load("torchrl_ppo")
    example.train(example.Args(steps=512, games=4, rollout=128, minibatches=2))
    assert "512 steps" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore")  # TorchRL warns of itself
def test_torchrl_plays_legal_actions_in_many_games():
    """The native environment tells the masks of all games at each reset, so TorchRL forgets none."""
    from torchrl.data import Binary
    from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, TransformedEnv
    from torchrl.envs.libs.gym import default_info_dict_reader

    made = {"opponents": "random", "copy": True, "autoreset_mode": "Disabled"}
    games = gymnasium.make_vec("CastleCards-v0", num_envs=2, vectorization_mode="vector_entry_point", **made)
    env, actions = GymWrapper(games, categorical_action_encoding=True), games.single_action_space.n
    spec = {
        "action_mask": Binary(actions, shape=(2, actions), dtype=torch.int8),
        "illegal_action": Binary(2, shape=(2,), dtype=torch.bool),
    }
    env.set_info_dict_reader(default_info_dict_reader(list(spec), spec=spec))
    to_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    env = TransformedEnv(env, Compose(to_bool, ActionMask()))
    env.set_seed(1)
    torch.manual_seed(1)
    played = env.rollout(400, break_when_any_done=False)
    assert played["next", "done"].sum() >= 2 and not played["next", "illegal_action"].any()


@pytest.mark.filterwarnings("ignore")  # it warns of any PettingZoo but one of long ago
@pytest.mark.parametrize("arguments", [{}, {"flat": False}, {"masks": "info"}])
def test_torchrl_plays_pairs_of_agents(arguments):
    from torchrl.envs import MarlGroupMapType, PettingZooWrapper

    one_each = MarlGroupMapType.ONE_GROUP_PER_AGENT
    pair = PettingZooWrapper(env=zamek_v0.env(**arguments), use_mask=True, categorical_actions=True, group_map=one_each)
    game = pair.rollout(400, break_when_any_done=True)
    assert game["next", "done"].any() and {float(game["next", "player_0", "reward"].sum())} <= {-1.0, 0.0, 1.0}


def test_rllib_refuses_what_it_cannot_do():
    pytest.importorskip("ray.rllib", exc_type=ImportError)
    example = load("rllib_ppo")
    check_counts(example.Args(), example.train, env_runners=-1)
    with pytest.raises(SystemExit, match=r"^--minibatch must be at most --batch, 16, not 512$"):
        example.train(example.Args(batch=16))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # RLlib warns of itself
def test_rllib(capsys):
    pytest.importorskip("ray.rllib", exc_type=ImportError)
    example = load("rllib_ppo")
    example.train(example.Args(iterations=1, batch=256, minibatch=64, evaluation_games=2))
    assert "256 steps" in capsys.readouterr().out


def test_the_self_play_of_the_page_learns(monkeypatch, tmp_path):
    """The blocks of Python on the page run, with fewer games and steps."""
    monkeypatch.chdir(tmp_path)
    alone, pool = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    names = {}
    fewer = {"SelfPlayVecEnv(32": "SelfPlayVecEnv(2", "100_000": "64"}
    run_smaller(alone, names, fewer | {"n_steps=128": "n_steps=32"})
    assert names["model"].num_timesteps == 64
    assert names["model"].learn(64, reset_num_timesteps=False).num_timesteps == 128
    assert names["model"].rollout_buffer._movers[-1].tolist() == names["games"].movers.tolist()
    run_smaller(pool, names, fewer | {"selves, 8)": "selves, 1)", ", 4)]": ", 1)]"})
    assert len(names["past_selves"].weights) == 2


def run_smaller(block, names, changes):
    """Run a block of Python in the namespace `names`, after `changes` of what stands there once each."""
    for large, small in changes.items():
        assert block.count(large) == 1
        block = block.replace(large, small)
    exec(compile(block, PAGE.name, "exec"), names)


# --- Stable-Baselines3's checker of environments ---


checker = pytest.importorskip("stable_baselines3.common.env_checker")


@pytest.mark.parametrize("arguments", ARGUMENTS)
def test_sb3s_checker_is_content(arguments):
    checker.check_env(ZamekEnv(**arguments), warn=False)


@of_every_id
def test_sb3s_checker_warns_of_nothing(name, ruleset, arguments):
    checker.check_env(gym.make(name, flat=True, **arguments), warn=True)
