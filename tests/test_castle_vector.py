"""Many games of castle-cards at once: the same games as one by one, autoreset, illegal actions, threads."""

import copy
from itertools import pairwise, product

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ClosedEnvironmentError
from gymnasium.vector import AutoresetMode

from tests.support.game_copies import check_copies
from tests.support.games import few
from tests.support.rulesets import IS_COMPILED
from tests.support.twins import TWINS
from zamek_env import IllegalActionError
from zamek_env.castle_cards_env.single import CastleCardsEnv
from zamek_env.castle_cards_env.vector import CastleCardsVectorEnv
from zamek_env.core.chance import draw_random, seed_generator


def choose(masks, number):
    """Return an action for each game, which depends on its mask and on the number of the step alone."""
    legal = [np.flatnonzero(mask) for mask in masks]
    return [int(found[number * 7919 % len(found)]) if len(found) else 0 for found in legal]


def test_it_is_made_by_its_name():
    envs = gym.make_vec("CastleCards-v0", num_envs=3, players=4, vectorization_mode="vector_entry_point")
    observations, infos = envs.reset(seed=1)
    assert isinstance(envs.unwrapped, CastleCardsVectorEnv) and observations in envs.observation_space
    assert infos["action_mask"].shape == (3, envs.single_action_space.n) and infos["_action_mask"].all()


def at_random(game, rng):
    return int(rng.choice(game.legal_actions()))


@pytest.mark.parametrize(
    ("players", "opponents", "seat"),
    [
        *((players, None, "random") for players in (2, 3, 5)),
        *(
            pytest.param(3, opponents, seat, marks=pytest.mark.long)
            for opponents, seat in product((at_random, ["random", at_random]), (1, "random"))
        ),
    ],
)
def test_it_plays_what_the_single_environment_plays(players, opponents, seat):
    """Alternating seats, and against opponents that are asked."""
    many = CastleCardsVectorEnv(3, players, opponents, seat, autoreset_mode=AutoresetMode.SAME_STEP)
    observations, infos = many.reset(seed=5)
    singles = [CastleCardsEnv(players, opponents, seat) for _ in range(3)]
    seen = [env.reset(seed=5 + number) for number, env in enumerate(singles)]
    ended = 0
    for step in range(450 if IS_COMPILED else 40):
        for number, (observation, info) in enumerate(seen):
            assert np.array_equal(observations[number], observation)
            assert np.array_equal(infos["action_mask"][number], info["action_mask"])
            assert (infos["current_player"][number], infos["deal"][number]) == (info["current_player"], info["deal"])
        actions = choose(infos["action_mask"], step)
        observations, rewards, terminations, truncations, infos = many.step(actions)
        assert not truncations.any()
        for number, env in enumerate(singles):
            observation, reward, terminated, _, info = env.step(actions[number])
            assert (rewards[number], terminations[number]) == (pytest.approx(reward), terminated)
            if terminated:
                ended += 1
                total = info["returns"][0] if opponents is None else reward
                assert infos["result"]["returns"][number].tolist() == pytest.approx(list(info["returns"]))
                assert infos["result"]["total_reward"][number] == pytest.approx(total)
                assert np.array_equal(infos["final_obs"][number], observation)
                assert np.array_equal(infos["final_info"]["action_mask"][number], info["action_mask"])
                assert infos["final_info"]["deal"][number] == info["deal"]
                assert infos["final_info"]["current_player"][number] == info["current_player"] == -1
                observation, info = env.reset()
            seen[number] = observation, info
    assert ended or not IS_COMPILED


def test_random_opponents_leave_deals_and_seats_as_they_are():
    many, single = CastleCardsVectorEnv(4, 3, "random", autoreset_mode="SameStep"), CastleCardsEnv(3, "random")
    _, infos = many.reset(seed=2)
    learners = infos["current_player"].tolist()
    for number in range(4):
        _, info = single.reset(seed=2 + number)
        assert (info["deal"], info["current_player"]) == (infos["deal"][number], learners[number])
    ends = 0
    for step in range(few(300, 60)):
        _, rewards, terminations, _, infos = many.step(choose(infos["action_mask"], step))
        for number in np.flatnonzero(~terminations):
            assert (infos["current_player"][number], rewards[number]) == (learners[number], 0)
        for number in np.flatnonzero(terminations):
            assert rewards[number] == infos["result"]["returns"][number, learners[number]]
            assert rewards[number] in (1, -0.5, 0.5, -1, 0)
            learners[number], ends = infos["current_player"][number], ends + 1
    assert (ends or not IS_COMPILED) and infos["action_mask"].any(axis=1).all()


def test_random_opponents_draw_other_numbers_than_the_deal():
    """Otherwise what they do would tell what was dealt."""
    many, generator = CastleCardsVectorEnv(20, 2, "random", seat=1), np.zeros(1, np.uint64)
    deals = many.reset(seed=1)[1]["deal"]
    for deal, reached in zip(deals, many._batch.episodes["generator"].reshape(-1), strict=True):
        seed_generator(generator, deal)
        for _ in range(1000):
            assert generator[0] != reached
            draw_random(generator)


@pytest.mark.parametrize("flat", [False, True])
def test_a_copy_of_a_game_stands_as_it_does_and_changes_nothing(flat):
    check_copies(CastleCardsVectorEnv(3, 3, flat=flat))


def test_only_chosen_games_are_played():
    many = CastleCardsVectorEnv(3, 3)
    _, infos = many.reset(seed=1)
    before = [state.tobytes() for state in many.states]
    many.step_chosen(choose(infos["action_mask"], 0), [True, False, True])
    assert [state.tobytes() == kept for state, kept in zip(many.states, before, strict=True)] == [False, True, False]


def test_whoever_writes_to_what_he_was_handed_spoils_nothing_of_the_games_that_are_not_played():
    many = CastleCardsVectorEnv(2)
    seen, infos = many.reset(seed=1)
    actions, before = choose(infos["action_mask"], 0), seen[1].copy()
    seen[1] = 7
    del seen, infos  # so that their memory is used again
    seen, *_ = many.step_chosen(actions, [True, False])
    assert np.array_equal(seen[1], before)


@pytest.mark.parametrize("copies", [None, False])
def test_a_twin_goes_on_as_the_original_does(copies):
    many = CastleCardsVectorEnv(2, 3, threads=2, copy=copies)
    _, infos = many.reset(seed=1)
    for twin in (twin_of(many) for twin_of in TWINS.values()):
        assert not np.shares_memory(twin.raw_states, many.raw_states)
        actions = choose(infos["action_mask"], 1)
        (seen, *_, shown), (due, *_, wanted) = (one.step(actions) for one in (twin, copy.deepcopy(many)))
        assert seen.tobytes() == due.tobytes() and (shown["action_mask"] == wanted["action_mask"]).all()


@pytest.mark.skipif(not IS_COMPILED, reason="in plain Python this takes minutes")
def test_an_episode_that_is_cut_off_brings_nobody_anything_whatever_came_before_it():
    many = CastleCardsVectorEnv(4, 2, max_episode_steps=300, autoreset_mode=AutoresetMode.SAME_STEP)
    infos, seen = many.reset(seed=1)[1], [[] for _ in range(4)]
    for step in range(2500):
        _, _, terminations, truncations, infos = many.step(choose(infos["action_mask"], step))
        for game in np.flatnonzero(terminations | truncations):
            returns = infos["result"]["returns"][game].tolist()
            assert (returns == [0, 0]) == (not terminations[game])
            seen[game].append(bool(terminations[game]))
    assert any((True, False) in pairwise(ends) for ends in seen)


def test_a_game_that_ends_in_its_last_step_is_truncated_too():
    many = CastleCardsVectorEnv(2, 3, max_episode_steps=2)
    _, infos = many.reset(seed=1)
    legal = choose(infos["action_mask"], 0)
    _, _, terminations, truncations, infos = many.step([legal[0], 10**6])
    assert (terminations.tolist(), truncations.tolist()) == ([False, True], [False, False])
    _, _, terminations, truncations, _ = many.step([10**6, 0])
    assert (terminations.tolist(), truncations.tolist()) == ([True, False], [True, False])


def test_no_action_counts_where_a_game_waits_to_be_redealt():
    many = CastleCardsVectorEnv(1, 3, on_illegal="raise", max_episode_steps=1)
    _, infos = many.reset(seed=1)
    _, _, _, truncations, infos = many.step(choose(infos["action_mask"], 0))
    deal, illegal = infos["deal"][0], int(infos["action_mask"][0].argmin())
    assert truncations[0] and not infos["action_mask"][0, illegal]
    _, rewards, terminations, truncations, infos = many.step([illegal])
    assert (rewards[0], terminations[0], truncations[0]) == (0, False, False) and infos["deal"][0] != deal


def test_an_illegal_action_ends_the_episode_or_raises():
    many = CastleCardsVectorEnv(2, 3)
    _, infos = many.reset(seed=1)
    legal = choose(infos["action_mask"], 0)
    _, rewards, terminations, _, infos = many.step([legal[0], 10**6])
    assert (rewards.tolist(), terminations.tolist()) == ([0, -1], [False, True])
    assert infos["illegal_action"].tolist() == [False, True] and not infos["result"]["returns"][1].any()
    many = CastleCardsVectorEnv(2, 3, on_illegal="raise")
    _, infos = many.reset(seed=1)
    before = many.raw_states.tobytes()
    with pytest.raises(IllegalActionError, match=r"game 1: action 1 \(decline\) is illegal"):
        many.step([legal[0], 1])
    assert many.raw_states.tobytes() == before
    many.step(choose(infos["action_mask"], 0))


def test_threads_and_views_change_nothing_but_the_speed():
    ends = []
    for threads, copied in ((1, True), (3, True), (2, False)):
        many = CastleCardsVectorEnv(7, 4, "random", threads=threads, copy=copied)
        observations, infos = many.reset(seed=9)
        if not copied:
            with pytest.raises(ValueError, match="read-only"):
                observations[0] = 1
        for step in range(30):
            observations, _, _, _, infos = many.step(choose(infos["action_mask"], step))
        ends.append((observations.tobytes(), infos["action_mask"].tobytes(), many.raw_states.tobytes()))
        many.close()
        with pytest.raises(ClosedEnvironmentError):
            many.step([0] * 7)
    assert ends[0] == ends[1] == ends[2]


def test_kernels_are_handed_numbers_of_python_whatever_was_given():
    """Those of numpy have a type of their own, for which all would be compiled again."""
    many = CastleCardsVectorEnv(2, np.uint8(3), "random", seat=np.uint8(1))
    assert {type(options.players) for options in many._options} == {int} == {type(many.seat)}
