"""Gymnasium's own tools on the environments of all ids: making, checking, wrapping, sampling, many games at once."""

import sys
import types
from collections import deque

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import vector as vector_wrappers

from tests.support.games import ENVIRONMENTS
from tests.support.videos import stand_in_for_moviepy


def map_tree(function, tree, *others):
    """Return `tree` with `function(leaf, *others)` in place of each leaf, `others` being built as it is or deeper."""
    if isinstance(tree, dict):
        if any(each.keys() != tree.keys() for each in others):
            raise ValueError(f"the keys of {others} must be {list(tree)}")
        return {key: map_tree(function, leaf, *(each[key] for each in others)) for key, leaf in tree.items()}
    if isinstance(tree, tuple):
        return tuple(map_tree(function, *leaves) for leaves in zip(tree, *others, strict=True))
    return function(tree, *others)


def stand_in_for_jax(monkeypatch):
    """Put the stand-in where JAX would be."""
    trees = types.ModuleType("jax.tree_util")
    trees.tree_map = map_tree
    package = types.ModuleType("jax")
    package.tree_util = trees
    monkeypatch.setitem(sys.modules, "jax", package)
    monkeypatch.setitem(sys.modules, "jax.tree_util", trees)


IDS = [
    *((name, ruleset, {}) for name, ruleset in ENVIRONMENTS.items()),
    ("CastleCards-v0", "castle-cards", {}),
    ("CastleCards-v0", "castle-cards", {"players": 3}),
]
FEW = [IDS[0], IDS[-1]]  # one of tiles, one of cards
of_every_id = pytest.mark.parametrize(("name", "ruleset", "arguments"), IDS)
of_few_ids = pytest.mark.parametrize(("name", "ruleset", "arguments"), FEW)
STEPS = 12


def choose(masks, rng):
    """Return a random legal action for every row."""
    return (rng.random(masks.shape) * masks).argmax(axis=-1)


def play(env, steps, seed=0):
    """Reset `env` and yield what `step` returned of so many random legal steps; an episode that ends begins anew."""
    rng, (_, info) = np.random.default_rng(seed), env.reset(seed=seed)
    for _ in range(steps):
        returned = env.step(int(choose(info["action_mask"], rng)))
        yield returned
        info = env.reset()[1] if returned[2] or returned[3] else returned[-1]


def play_many(env, steps, seed=0):
    """Reset `env` and yield what `step` returned of so many random legal steps in each game."""
    rng, (_, info) = np.random.default_rng(seed), env.reset(seed=seed)
    for _ in range(steps):
        returned = env.step(choose(info["action_mask"], rng))
        yield returned
        info = returned[-1]


def first(game, rng):
    return game.legal_actions()[0]


def list_parts(seen):
    return list(seen.values()) if isinstance(seen, dict) else [seen]


def are_same(first, second):
    return all(map(np.array_equal, list_parts(first), list_parts(second)))


# --- one game ---


@of_every_id
def test_gymnasiums_checker_is_content(name, ruleset, arguments):
    check_env(gym.make(name, render_mode="rgb_array", **arguments).unwrapped)
    check_env(gym.make(name, flat=True, **arguments).unwrapped, skip_render_check=True)


@of_every_id
def test_an_environment_is_made_again_from_its_spec_as_text(name, ruleset, arguments):
    env = gym.make(name, flat=True, render_mode="ansi", max_episode_steps=9, **arguments)
    again = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert again.spec == env.spec and again.render_mode == "ansi"
    assert np.array_equal(again.reset(seed=5)[0], env.reset(seed=5)[0])


@of_every_id
def test_flat_observations_are_those_that_gymnasium_flattens(name, ruleset, arguments):
    plain, flat = gym.make(name, **arguments), gym.make(name, flat=True, **arguments)
    wrapped = wrappers.FlattenObservation(plain)
    assert flat.observation_space == wrapped.observation_space
    for mine, theirs in zip(play(flat, STEPS), play(wrapped, STEPS), strict=True):
        assert np.array_equal(mine[0], theirs[0]) and mine[0].dtype == np.float32
        assert mine[0] in flat.observation_space


@of_few_ids
@pytest.mark.parametrize(
    "wrap",
    [
        wrappers.RecordEpisodeStatistics,
        wrappers.NormalizeObservation,
        wrappers.NormalizeReward,
        wrappers.TimeAwareObservation,
        wrappers.Autoreset,
        lambda env: wrappers.FrameStackObservation(env, 3),
        lambda env: wrappers.ReshapeObservation(env, (1, *env.observation_space.shape)),
        lambda env: wrappers.DelayObservation(env, 2),
        lambda env: wrappers.StickyAction(env, 0.0),
        lambda env: wrappers.ClipReward(env, 0.0, 1.0),
        lambda env: wrappers.TransformReward(env, abs),
        lambda env: wrappers.TransformObservation(env, np.sqrt, env.observation_space),
    ],
)
def test_wrappers_of_one_game_work(name, ruleset, arguments, wrap):
    env = wrap(gym.make(name, flat=True, max_episode_steps=5, **arguments))
    assert len(list(play(env, STEPS))) == STEPS


@of_few_ids
def test_numbers_are_handed_over_to_torch(name, ruleset, arguments):
    pytest.importorskip("torch")
    from gymnasium.wrappers.numpy_to_torch import NumpyToTorch
    from gymnasium.wrappers.vector.numpy_to_torch import NumpyToTorch as ManyToTorch

    env, many = NumpyToTorch(gym.make(name, **arguments)), ManyToTorch(gym.make_vec(name, num_envs=2, **arguments))
    (seen, _), (row, info) = env.reset(seed=1), many.reset(seed=1)
    for part, parts in zip(list_parts(seen), list_parts(row), strict=True):
        assert part.tolist() == parts[0].tolist()
    many.step(info["action_mask"].float().argmax(axis=1))


@of_few_ids
def test_info_has_the_same_keys_and_types_from_every_call(name, ruleset, arguments):
    """A recorder of `info`, such as Minari's, puts one beside the other."""
    env = gym.make(name, **arguments)
    _, first = env.reset(seed=1, options={"deal": 7, "minari_autoseed": False})  # Minari hands its own option on
    infos = [info for *_, info in play(env, STEPS)]
    env.reset(seed=1)
    infos.append(env.step(-1)[-1])
    assert infos[-1]["illegal_action"] and infos[-1]["action_mask"].all()
    for info in infos:
        assert [(key, type(value)) for key, value in info.items()] == [(k, type(v)) for k, v in first.items()]
        assert info["action_mask"].shape == first["action_mask"].shape


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Minari leaves its folder to the end
@of_few_ids
def test_minari_records_games_with_their_info(name, ruleset, arguments, tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    stand_in_for_jax(monkeypatch)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    env = minari.DataCollector(gym.make(name, **arguments), record_infos=True)
    for _ in play(env, 300):
        pass
    env.reset(seed=1, options={"deal": 7, "minari_autoseed": False})
    about = {"algorithm_name": "random", "code_permalink": "-", "author": "-", "author_email": "-", "description": "-"}
    dataset = env.create_dataset(dataset_id="games/random-v0", eval_env=gym.make(name, **arguments), **about)
    assert dataset.total_steps >= 290
    env.close()


# --- what may be sampled ---


@of_few_ids
def test_masks_can_be_sampled_from_to_the_end_and_beyond(name, ruleset, arguments):
    env, over = gym.make(name, **arguments), False
    _, info = env.reset(seed=2)
    while not over:
        mask = info["action_mask"]
        assert not mask.all() and np.array_equal(env.unwrapped.action_masks(), mask)
        _, _, over, _, info = env.step(env.action_space.sample(mask))
        assert not info["illegal_action"]
    assert info["action_mask"].all() and env.unwrapped.action_masks().all()
    many, ends = gym.make_vec(name, num_envs=3, **arguments), np.zeros(3, int)
    _, info = many.reset(seed=2)
    while not ends.all():
        actions = many.action_space.sample(mask=tuple(info["action_mask"]))
        _, _, over, _, info = many.step(actions)
        assert not info["illegal_action"].any() and (info["action_mask"].all(axis=1) == over).all()
        assert np.array_equal(many.unwrapped.action_masks(), info["action_mask"])
        ends += over


# --- many games ---


def compare(first, second, steps, seed=3):
    """Play two vector environments alike, and hold that they return the same; return how many games ended."""
    rng, ends = np.random.default_rng(seed), np.zeros(2, int)
    (seen, info), (others, other) = first.reset(seed=seed), second.reset(seed=seed)
    for _ in range(steps):
        assert are_same(seen, others)
        for key in ("action_mask", "current_player", "deal"):
            assert np.array_equal(info[key], other[key]) and info[f"_{key}"].all() and other[f"_{key}"].all()
        actions = choose(info["action_mask"], rng)
        if rng.random() < 0.1:
            actions[0] = first.single_action_space.n - 1
        seen, *results, info = first.step(actions)
        others, *other_results, other = second.step(actions)
        for mine, theirs in zip(results, other_results, strict=True):
            assert np.allclose(mine, theirs)
        ended = results[1] | results[2]
        assert ("final_obs" in info) == ("final_obs" in other)
        if "final_obs" not in info:
            assert np.array_equal(info["illegal_action"], other["illegal_action"])
        for game in np.flatnonzero(ended) if "final_obs" in info else ():
            assert are_same(info["final_obs"][game], other["final_obs"][game])
            for key in ("action_mask", "current_player", "deal", "illegal_action"):
                assert np.array_equal(info["final_info"][key][game], other["final_info"][key][game])
                assert info["final_info"][f"_{key}"].tolist() == ended.tolist()
        ends += results[1].sum(), results[2].sum()
    return ends


@of_every_id
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_they_do_what_gymnasiums_own_vector_environments_do(name, ruleset, arguments, mode):
    """Illegal actions and a limit of steps end games, so that few steps show many ends."""
    given = {"num_envs": 2, "max_episode_steps": 7, "flat": mode == AutoresetMode.NEXT_STEP, **arguments}
    mine = gym.make_vec(name, autoreset_mode=mode.value, **given)
    theirs = gym.make_vec(name, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, **given)
    assert mine.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
    assert mine.single_observation_space == theirs.single_observation_space
    assert mine.observation_space == theirs.observation_space and mine.action_space == theirs.action_space
    assert (compare(mine, theirs, 70) >= 2).all()


@pytest.mark.long
@of_few_ids
def test_whole_games_are_those_of_gymnasiums_own_vector_environments(name, ruleset, arguments):
    mine = gym.make_vec(name, num_envs=2, **arguments)
    theirs = gym.make_vec(name, num_envs=2, vectorization_mode="sync", **arguments)
    assert compare(mine, theirs, 600)[0] > 3


@pytest.mark.long
@of_few_ids
def test_games_in_processes_of_their_own_are_the_same(name, ruleset, arguments):
    mine, theirs = (gym.make_vec(name, num_envs=2, vectorization_mode=mode, **arguments) for mode in (None, "async"))
    compare(mine, theirs, STEPS)
    theirs.close()


@of_few_ids
@pytest.mark.parametrize("asked", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_limit_of_steps_truncates_games_against_opponents_too(name, ruleset, arguments, asked):
    opponent = first if asked else "random"
    for mode in AutoresetMode:
        env = gym.make_vec(name, num_envs=2, max_episode_steps=3, autoreset_mode=mode, opponent=opponent, **arguments)
        _, info = env.reset(seed=1)
        for step in range(1, 4):
            first_deals, players = info["deal"], info["current_player"]
            _, _, terminated, truncated, info = env.step(info["action_mask"].argmax(axis=1))
            assert truncated.all() == (step == 3) and not terminated.any()
        assert info["result"]["length"].tolist() == [3, 3] and info["_result"].all()
        assert (info["deal"] == first_deals).all() == (mode != AutoresetMode.SAME_STEP)
        if mode == AutoresetMode.SAME_STEP:
            assert info["final_info"]["deal"].tolist() == first_deals.tolist()
            assert info["final_info"]["current_player"].tolist() == players.tolist()
            assert not info["final_info"]["action_mask"].all(axis=1).any()
        else:
            assert info["current_player"].tolist() == players.tolist() and not info["action_mask"].all(axis=1).any()
            assert (env.action_masks() == info["action_mask"]).all()
        if mode == AutoresetMode.NEXT_STEP:
            _, rewards, _, truncated, info = env.step([0, 0])
            assert not rewards.any() and not truncated.any() and (info["deal"] != first_deals).all()


@of_few_ids
@pytest.mark.parametrize(
    "wrap",
    [
        vector_wrappers.FlattenObservation,
        vector_wrappers.RecordEpisodeStatistics,
        vector_wrappers.NormalizeReward,
        lambda env: vector_wrappers.ClipReward(env, 0.0, 1.0),
        lambda env: vector_wrappers.TransformReward(env, np.abs),
        lambda env: vector_wrappers.VectorizeTransformReward(env, wrappers.TransformReward, func=abs),
        lambda env: vector_wrappers.TransformAction(env, lambda actions: actions),
        lambda env: vector_wrappers.TransformObservation(env, lambda seen: seen),
        lambda env: vector_wrappers.NormalizeObservation(vector_wrappers.FlattenObservation(env)),
        lambda env: vector_wrappers.ReshapeObservation(
            vector_wrappers.FlattenObservation(env), (1, gym.spaces.flatdim(env.single_observation_space))
        ),
        lambda env: vector_wrappers.RescaleObservation(
            vector_wrappers.FlattenObservation(env), np.float32(-1), np.float32(1)
        ),
        lambda env: vector_wrappers.VectorizeTransformObservation(
            env, wrappers.TransformObservation, func=lambda seen: seen, observation_space=None
        ),
    ],
)
def test_wrappers_of_many_games_work(name, ruleset, arguments, wrap):
    """With copies, for some wrappers write to the observations that they are handed."""
    env = wrap(gym.make_vec(name, num_envs=2, max_episode_steps=5, copy=True, **arguments))
    for seen, *_ in play_many(env, STEPS):
        assert len(list_parts(seen)[0]) == 2


@of_few_ids
def test_flat_observations_of_many_games_are_those_that_gymnasium_flattens(name, ruleset, arguments):
    wrapped = vector_wrappers.FlattenObservation(gym.make_vec(name, num_envs=2, **arguments))
    for copy in (None, True, False):
        flat = gym.make_vec(name, num_envs=2, flat=True, copy=copy, **arguments)
        is_mine = copy or (copy is None and ruleset == "castle-cards")
        assert flat.observation_space == wrapped.observation_space
        for mine, theirs in zip(play_many(flat, STEPS), play_many(wrapped, STEPS), strict=True):
            assert np.array_equal(mine[0], theirs[0]) and mine[0].dtype == np.float32
            assert mine[0].flags.writeable == is_mine


@of_few_ids
def test_statistics_of_episodes_are_recorded(name, ruleset, arguments):
    """What `result` says is what the wrapper adds up, where the learner has a seat of its own."""
    env = gym.make_vec(name, num_envs=2, max_episode_steps=30, opponent="random", **arguments)
    env, ends = vector_wrappers.RecordEpisodeStatistics(env), 0
    for *_, info in play_many(env, 95):
        for game in np.flatnonzero(info.get("_result", ())):
            ends += 1
            assert info["_episode"][game] and info["episode"]["l"][game] == info["result"]["length"][game]
            assert info["episode"]["r"][game] == pytest.approx(info["result"]["total_reward"][game])
    assert ends >= 4 and len(env.return_queue) == ends and isinstance(env.return_queue, deque)
    single, episodes = wrappers.RecordEpisodeStatistics(gym.make(name, max_episode_steps=9, **arguments)), 0
    for *_, info in play(single, 20):
        episodes += "episode" in info
    assert episodes == 2


@of_few_ids
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_info_is_told_game_by_game(name, ruleset, arguments, mode):
    env = gym.make_vec(name, num_envs=2, max_episode_steps=4, autoreset_mode=mode, **arguments)
    listing = vector_wrappers.DictInfoToList(env)
    (_, infos), keys = listing.reset(seed=1), {"action_mask", "current_player", "deal", "illegal_action"}
    assert [set(info) for info in infos] == [keys, keys]
    for _ in range(4):
        *_, truncated, infos = listing.step([int(info["action_mask"].argmax()) for info in infos])
    assert truncated.all() and all({"total_reward", "length"} < set(info["result"]) for info in infos)
    assert all(("final_info" in info) == (mode == AutoresetMode.SAME_STEP) for info in infos)


@of_few_ids
def test_what_an_environment_is_made_of_is_not_set_afterwards(name, ruleset, arguments):
    """Where it would change nothing, as that of an opponent; `set_attr` hands values on to the environments."""
    who = "opponents" if ruleset == "castle-cards" else "opponent"
    many = gym.make_vec(name, num_envs=2, vectorization_mode="sync", **{who: "random"}, **arguments)
    for attribute, value in ((who, first), ("flat", True)):
        before = many.get_attr(attribute)
        with pytest.raises(AttributeError, match=f"^{attribute} cannot be set: make another environment$"):
            many.set_attr(attribute, value)
        assert many.get_attr(attribute) == before
    many.set_attr("seat", 1)
    assert many.reset(seed=1)[1]["current_player"].tolist() == [1, 1]
    for attribute, value in (("seat", 7), ("on_illegal", "Raise")):
        with pytest.raises(ValueError, match=f"^{attribute} must be one of"):
            many.set_attr(attribute, value)
    assert many.reset(seed=1)[1]["current_player"].tolist() == [1, 1]


@of_few_ids
def test_what_many_games_are_made_of_is_not_set_afterwards(name, ruleset, arguments):
    who = "opponents" if ruleset == "castle-cards" else "opponent"
    many = gym.make_vec(name, num_envs=2, **{who: "random"}, **arguments).unwrapped
    settings = ("seat", "reward", "flat", "copy", "max_episode_steps", "threads", "render_mode", "autoreset_mode")
    for attribute in (who, *settings):
        if hasattr(many, attribute):
            with pytest.raises(AttributeError, match=f"^{attribute} cannot be set: make another environment$"):
                setattr(many, attribute, 1)
    with pytest.raises(ValueError, match=r"^on_illegal must be one of"):
        many.on_illegal = "Raise"
    assert many.on_illegal == "lose"
    many.close()


@of_few_ids
def test_many_games_are_asked_as_environments_side_by_side_are(name, ruleset, arguments):
    options = {"num_envs": 3, "render_mode": "ansi", **arguments}
    ours, theirs = (gym.make_vec(name, vectorization_mode=mode, **options) for mode in (None, "sync"))
    for many in (ours, theirs):
        many.reset(seed=1)
    assert ours.call("render") == theirs.call("render")
    for our, their in zip(ours.call("action_masks"), theirs.call("action_masks"), strict=True):
        assert np.array_equal(our, their)
    for attribute in ("render_mode", "on_illegal", "observation_space", "action_space", "np_random_seed", "render"):
        assert ours.get_attr(attribute) == theirs.get_attr(attribute)
    for our, their in zip(ours.get_attr("action_masks"), theirs.get_attr("action_masks"), strict=True):
        assert np.array_equal(our, their)
    assert len(set(map(id, ours.get_attr("np_random")))) == 3
    for values in ("raise", ["lose"] * 3, ("raise",) * 3):
        for many in (ours, theirs):
            many.set_attr("on_illegal", values)
        assert ours.get_attr("on_illegal") == theirs.get_attr("on_illegal")
    for values in (["lose", "raise", "lose"], ["lose"] * 2, "Lose", ["raise", "raise", "Raise"]):
        with pytest.raises(ValueError, match=r"^on_illegal must be"):
            ours.set_attr("on_illegal", values)
    assert ours.get_attr("on_illegal") == ("raise",) * 3
    with pytest.raises(AttributeError, match=r"only action_masks and render can be called, not step$"):
        ours.call("step")
    with pytest.raises(AttributeError, match=r"^seat cannot be set: make another environment$"):
        ours.set_attr("seat", 1)
    with pytest.raises(AttributeError):
        ours.get_attr("nothing")
    assert gym.make_vec(name, num_envs=2, **arguments).call("render") == (None, None)


@of_few_ids
def test_many_games_answer_for_what_each_environment_has(name, ruleset, arguments):
    who = "opponents" if ruleset == "castle-cards" else "opponent"
    options = {"num_envs": 3, who: "random", "seat": 1, **arguments}
    ours, theirs = (gym.make_vec(name, vectorization_mode=mode, **options) for mode in (None, "sync"))
    for many in (ours, theirs):
        many.reset(seed=1)
    one, answered = theirs.envs[0].unwrapped, set()
    for attribute in {*dir(ours), *dir(one)}:
        if not attribute.startswith("_"):
            try:
                values = ours.get_attr(attribute)
            except AttributeError:
                continue
            answered.add(attribute)
            assert isinstance(values, tuple) and len(values) == 3 and hasattr(one, attribute)
    has = {attribute for attribute in dir(one) if not callable(getattr(one, attribute)) and attribute[0] != "_"}
    assert answered == {"action_masks", "render", *has} - {"game", "unwrapped"}
    assert answered >= {who, "seat", "flat", "render_mode", "spec"}
    for attribute in answered - {"action_masks", "metadata", "np_random", "render", "spec"}:
        assert ours.get_attr(attribute) == theirs.get_attr(attribute)
    for spec in ours.get_attr("spec"):
        assert spec.id == name and gym.make(spec).unwrapped.seat == 1
    assert "autoreset_mode" not in ours.get_attr("metadata")[0]
    with pytest.raises(AttributeError, match=r"^the games lie in one array: no game has reset by itself$"):
        ours.get_attr("reset")
    with pytest.raises(AttributeError, match=r"^name must be a text, not 3$"):
        ours.get_attr(3)


# --- the kinds of numbers in `info` ---

KINDS = {"action_mask": np.int8, "current_player": np.int64, "deal": np.int64, "illegal_action": np.bool_}


def find_kinds(info, names):
    return {name: info[name].dtype for name in names}


@pytest.mark.parametrize("mode", AutoresetMode)
@of_few_ids
def test_numbers_in_info_are_of_the_kinds_that_environments_side_by_side_have(name, ruleset, arguments, mode):
    side_by_side = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": mode}}
    for settings in ({"autoreset_mode": mode}, side_by_side):
        many = gym.make_vec(name, num_envs=2, **settings, **arguments)
        assert find_kinds(many.reset(seed=1)[1], KINDS) == KINDS
        ended = many.step([-1, -1])[-1]
        assert find_kinds(ended, KINDS) == KINDS and (ended["current_player"] * 330 >= -330).all()
        if mode == AutoresetMode.SAME_STEP:
            assert find_kinds(ended["final_info"], KINDS) == KINDS
        elif mode == AutoresetMode.NEXT_STEP:
            assert find_kinds(many.step([-1, -1])[-1], KINDS) == KINDS


@of_few_ids
def test_numbers_that_sum_up_a_game_are_wide_enough_to_reckon_with(name, ruleset, arguments):
    points = {"returns": np.float64} if ruleset == "castle-cards" else {"scores": np.int64}
    kinds = {"total_reward": np.float64, "length": np.int64, "seat": np.int64, **points}
    many = gym.make_vec(name, num_envs=2, max_episode_steps=1, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
    _, infos = many.reset(seed=1)
    *_, infos = many.step(infos["action_mask"].argmax(axis=1))
    assert find_kinds(infos["result"], kinds) == kinds and (infos["result"]["seat"] * 330 == -330).all()
    assert find_kinds(infos["final_info"], KINDS) == KINDS and (infos["final_info"]["current_player"] >= 0).all()


@of_few_ids
def test_players_and_deals_of_one_game_are_whole_numbers(name, ruleset, arguments):
    for *_, info in play(gym.make(name, **arguments), STEPS):
        assert type(info["current_player"]) is type(info["deal"]) is int and type(info["illegal_action"]) is bool
        assert info["action_mask"].dtype == np.int8


# --- pictures ---


@of_every_id
def test_many_games_are_drawn_as_each_of_them_is(name, ruleset, arguments):
    for mode in ("ansi", "rgb_array"):
        many = gym.make_vec(name, num_envs=2, render_mode=mode, **arguments)
        assert many.render_mode == mode
        with pytest.raises(gym.error.ResetNeeded):
            many.render()
        many.reset(options={"deal": [3, 4]})
        drawn = many.render()
        assert isinstance(drawn, tuple) and len(drawn) == 2
        for picture, deal in zip(drawn, (3, 4), strict=True):
            one = gym.make(name, render_mode=mode, **arguments)
            one.reset(options={"deal": deal})
            assert np.array_equal(picture, one.render())
    assert gym.make_vec(name, **arguments).render() is None


@pytest.mark.long
@of_few_ids
def test_a_video_of_one_game_is_recorded(name, ruleset, arguments, tmp_path, monkeypatch):
    written = stand_in_for_moviepy(monkeypatch)
    env = wrappers.RecordVideo(gym.make(name, render_mode="rgb_array", **arguments), str(tmp_path / "videos"))
    for _ in play(env, 2):
        pass
    env.close()
    ((frames, fps),) = written
    assert (len(frames), fps) == (3, 2) and {frame.shape for frame in frames} == {frames[0].shape}


@pytest.mark.long
@of_few_ids
def test_videos_of_many_games_are_recorded(name, ruleset, arguments, tmp_path, monkeypatch):
    written = stand_in_for_moviepy(monkeypatch)
    env = gym.make_vec(name, num_envs=2, render_mode="rgb_array", max_episode_steps=3, **arguments)
    env = vector_wrappers.RecordVideo(env, str(tmp_path / "videos"), episode_trigger=lambda episode: episode < 2)
    for _ in play_many(env, 5):
        pass
    env.close()
    assert [(len(frames), fps) for frames, fps in written] == [(4, 2), (2, 2)]
